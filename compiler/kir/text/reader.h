//===- reader.h - the parser of KIR text ----------------------------------===//
//
// By recursive descent; kir/reader.h says what it gives. Every function gives
// null (or false) once something is wrong; the first mistake is kept. It judges
// only what it needs to build the tree (names, and operands whose type says
// what the result is); all else is the verifier's.
//
// To add a node: its keyword in the table at the end of read_expressions.cpp or
// read_statements.cpp, and a function that reads what the printer writes.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_KIR_TEXT_READER_H
#define AMPC_KIR_TEXT_READER_H

#include "kir/reader.h"
#include "kir/text/lexer.h"
#include "kir/text/locations.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

namespace ampc::kir {

class Reader {
public:
  Reader(llvm::StringRef File, llvm::StringRef Text, TextError &Error);
  std::optional<TextModule> run();

private:
  //---- tokens ------------------------------------------------------------

  const Token &peek(size_t Ahead = 0) const {
    return Tokens[std::min(At + Ahead, Tokens.size() - 1)];
  }
  bool at(llvm::StringRef Spelling) const { return peek().is(Spelling); }
  bool at(Token::Kind K) const { return peek().is(K); }
  const Token &next() { return Tokens[At + 1 < Tokens.size() ? At++ : At]; }
  bool skip(llvm::StringRef Spelling);
  bool expect(llvm::StringRef Spelling);
  /// Always false.
  bool fail(const Token &T, const llvm::Twine &What);
  bool unexpected(const llvm::Twine &Wanted);
  std::optional<uint64_t> number(const char *Wanted);
  std::optional<std::string> name(const char *Wanted);

  //---- locations ---------------------------------------------------------

  /// Where a node is that begins with T, if the text is its own source.
  Loc locationOf(const Token &T) const {
    return IsSource ? Loc{0, T.Line, T.Column} : Loc();
  }
  /// Ends a line; what it holds, in Places, gets its locations. What the line
  /// does not say is as at Outer.
  bool endLine(Loc Outer = Loc());

  template <typename T, typename... Args>
  T *make(const Token &Begin, Args &&...As) {
    T *Node = M.make<T>(std::forward<Args>(As)..., locationOf(Begin));
    Result.Positions[Node] = {Begin.Line, Begin.Column};
    return Node;
  }

  //---- modules -----------------------------------------------------------

  bool file();
  bool structType(bool IsUnion);
  bool fields(Type &T);
  bool global(Storage Store);
  bool function();
  bool kernel();
  bool kernelHeader(Kernel &K);
  bool captures(Kernel &K);
  bool indices(Kernel &K);
  const Type *type();
  const Type *scalarOrVector(const Token &T);
  const Type *aggregate(const Token &T);
  Variable *variable(Storage Store, const Type *Default = nullptr);

  //---- statements --------------------------------------------------------

  /// Up to the closing brace, which is left.
  bool body(Body &B);
  Stmt *stmt();
  bool block(Body &B, Loc Outer);
  Stmt *declare(const Token &Begin);
  Stmt *store(const Token &Begin);
  Stmt *ifStmt(const Token &Begin);
  Stmt *loop(const Token &Begin);
  bool prelude(Body &B, Loc Outer);
  bool condition(Expr *&E);
  Stmt *doLoop(const Token &Begin);
  Stmt *switchStmt(const Token &Begin);
  bool caseLabels(Switch::Case &C, const Type *Subject);
  Stmt *breakStmt(const Token &Begin);
  Stmt *continueStmt(const Token &Begin);
  Stmt *returnStmt(const Token &Begin);
  Stmt *barrier(const Token &Begin);
  Stmt *fence(const Token &Begin);
  Stmt *report(const Token &Begin);
  std::optional<Fenced> memory();
  Stmt *nestedBlock(const Token &Begin);
  /// Ends the line of a statement that has only one.
  Stmt *ended(Stmt *S);

  //---- expressions -------------------------------------------------------

  /// An expression that is part of no other: its nodes get locations.
  Expr *wholePlace() { return whole(&Reader::expr); }
  Expr *wholeValue() { return whole(&Reader::value); }
  Expr *whole(Expr *(Reader::*Read)());
  /// A place, or a value that is no plain variable.
  Expr *expr();
  Expr *value() { return asValue(expr()); }
  Expr *operand();
  Expr *operandValue() { return asValue(operand()); }
  bool operandValues(llvm::MutableArrayRef<Expr *> To);
  Expr *asValue(Expr *E);
  bool list(std::vector<Expr *> &To, llvm::StringRef Close);
  Expr *primary();
  Expr *variableName(const Token &T);
  Expr *suffix(Expr *E);
  Expr *subscript(Expr *E);
  Expr *selection(Expr *E);
  std::optional<unsigned> field(const Type *Struct);
  Expr *constant(const Token &T);
  Expr *intConstant(const Token &T);
  Expr *floatConstant(const Token &T, llvm::StringRef Text);
  Expr *infinity(const Token &T, llvm::StringRef Text);
  Expr *nan(const Token &T);
  Expr *zero(const Token &T);
  Expr *construct(const Token &T);
  Expr *intrinsic(const Token &T, IntrinsicOp Op);
  Expr *unary(const Token &T, UnaryOp Op);
  Expr *binary(const Token &T, BinaryOp Op);
  bool fits(const Token &T, llvm::StringRef Name, llvm::StringRef Right,
            const Type *Operand);

  Expr *load(const Token &T);
  Expr *logicalAnd(const Token &T) { return logical(T, true); }
  Expr *logicalOr(const Token &T) { return logical(T, false); }
  Expr *logical(const Token &T, bool IsAnd);
  Expr *select(const Token &T);
  Expr *convert(const Token &T);
  Expr *bitcast(const Token &T);
  const Type *targetType();
  Expr *call(const Token &T);
  Expr *extent(const Token &T);
  Expr *section(const Token &T);
  Expr *project(const Token &T);
  Expr *reinterpret(const Token &T);
  Expr *reshape(const Token &T);
  Expr *address(const Token &T);
  Expr *advance(const Token &T);
  Expr *distance(const Token &T);
  Expr *viewValue();

  using ReadExpr = Expr *(Reader::*)(const Token &);
  using ReadStmt = Stmt *(Reader::*)(const Token &);
  static ReadExpr exprKeyword(llvm::StringRef Word);
  static ReadStmt stmtKeyword(llvm::StringRef Word);

  TextModule Result;
  Module &M;
  TextError &Error;
  std::vector<Token> Tokens;
  size_t At = 0;
  bool IsSource = true; ///< no `file` line
  LocationReader Locations;
  std::vector<Loc *> Places;
  unsigned Depth = 0;
  llvm::StringMap<const Type *> Structs;
  llvm::StringMap<Function *> Functions;
  llvm::StringSet<> KernelNames;
  llvm::StringMap<Variable *> Globals, Locals; ///< with sigil and suffix
};

} // namespace ampc::kir

#endif
