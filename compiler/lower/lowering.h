//===- lowering.h - the two classes that do the lowering ------------------===//
//
// ModuleLowering holds what one translation unit shares: types, functions,
// globals. BodyLowering turns one body (of a kernel or an amp function) into
// statements.
//
// Errors: unsupported() reports, sets Failed, and lowering goes on with a
// poison value (a Zero), so that one run reports everything. A module that
// Failed is never handed out; code here therefore only has to keep from
// crashing on poison, whose type need not be the expected one.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_LOWER_LOWERING_H
#define AMPC_LOWER_LOWERING_H

#include "frontend/builtins.h"
#include "frontend/frontend.h"
#include "kir/kir.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <map>
#include <set>

namespace ampc {

class ModuleLowering {
public:
  Unit &U;
  kir::Module &M;
  clang::ASTContext &Ctx;
  bool Failed = false;

  ModuleLowering(Unit &U, kir::Module &M) : U(U), M(M), Ctx(U.Context) {}

  void kernel(const Launch &L);

  /// The lowered F; null after an error.
  kir::Function *function(const clang::FunctionDecl *F,
                          clang::SourceLocation Call);
  bool usesDouble(const kir::Function *F) const {
    return DoubleFunctions.count(F);
  }

  /// The type T has in KIR; int after an error at At.
  const kir::Type *type(clang::QualType T, clang::SourceLocation At);

  kir::Variable *tileStatic(const clang::VarDecl *D);
  /// A const table or scalar outside the body; null after an error at Use.
  kir::Variable *constant(const clang::VarDecl *D, clang::SourceLocation Use);
  /// A constant as a tree of constants.
  kir::Expr *constantTree(const clang::APValue &V, clang::QualType T,
                          clang::SourceLocation At);

  static kir::BinaryOp comparison(clang::BinaryOperatorKind Op);
  kir::Loc loc(clang::SourceLocation L);
  /// Error "not supported yet: What"; the first on a line only.
  void unsupported(clang::SourceLocation At, const llvm::Twine &What);
  /// Error "not allowed in amp code: What". Most such things check has refused.
  void refuse(clang::SourceLocation At, const llvm::Twine &What);
  bool hasReported() const { return !Reported.empty(); }

private:
  void report(clang::SourceLocation At, const llvm::Twine &Message);
  kir::Expr *unionConstant(const clang::APValue &V, const clang::RecordDecl *R,
                           clang::SourceLocation At);
  struct FunctionState {
    kir::Function *F = nullptr;
    bool Done = false;
  };
  const kir::Type *structType(const clang::RecordDecl *R,
                              clang::SourceLocation At);
  std::string uniqueName(llvm::StringRef Name, std::set<std::string> &Used);

  llvm::DenseMap<const clang::FunctionDecl *, FunctionState> FunctionMap;
  llvm::DenseSet<const kir::Function *> DoubleFunctions;
  llvm::DenseMap<const clang::RecordDecl *, const kir::Type *> StructMap;
  llvm::DenseMap<const clang::VarDecl *, kir::Variable *> GlobalMap;
  std::set<std::string> StructNames, FunctionNames;
  llvm::StringMap<unsigned> FileMap;
  std::set<std::pair<unsigned, unsigned>> Reported; ///< file, line
};

class BodyLowering {
public:
  /// Some double is computed, loaded or stored here or in a callee.
  bool UsesDouble = false;

  BodyLowering(ModuleLowering &Shared, kir::Body &Out)
      : Shared(Shared), M(Shared.M), Ctx(Shared.Ctx), Out(&Out) {}

  kir::Variable *bind(const clang::VarDecl *D, kir::Storage Store);
  void findAddresses(const clang::Stmt *S); ///< before all else

  //===--- statements.cpp -------------------------------------------------===//
  void statement(const clang::Stmt *S);

private:
  ModuleLowering &Shared;
  kir::Module &M;
  clang::ASTContext &Ctx;
  kir::Body *Out; ///< where statements go
  llvm::DenseMap<const clang::VarDecl *, kir::Variable *> Vars;
  /// Names for places that do not change while the name is in use.
  llvm::DenseMap<const clang::VarDecl *, kir::Expr *> Aliases;
  llvm::DenseMap<const clang::OpaqueValueExpr *, kir::Variable *> Opaque;
  llvm::DenseSet<const clang::VarDecl *> Addressed;
  llvm::DenseMap<const clang::Stmt *, bool> Mentions; ///< mentionsVariable
  /// Products that a sum in the same expression may be contracted with.
  llvm::DenseSet<const kir::Expr *> Products;
  /// Inside the condition or step of a loop, which such a jump would leave.
  bool BreakInCondition = false, ContinueInCondition = false;
  unsigned Depth = 0; ///< of statements and conditional operators

  /// Runs F with statements going to a new body, which it returns.
  template <typename Fn> kir::Body collect(Fn F) {
    kir::Body B, *Saved = Out;
    Out = &B;
    F();
    Out = Saved;
    return B;
  }
  template <typename T, typename... Args> void emit(Args &&...As) {
    Out->push_back(M.make<T>(std::forward<Args>(As)...));
  }

  kir::Loc loc(clang::SourceLocation L) { return Shared.loc(L); }
  kir::Loc loc(const clang::Stmt *S);
  const kir::Type *type(const clang::Expr *E);
  const kir::Type *intType() { return M.intType(); }
  /// Reports what amp code cannot have; gives poison.
  kir::Expr *refuse(clang::SourceLocation At, const llvm::Twine &What);
  /// The same for a part of the library.
  kir::Expr *unsupported(clang::SourceLocation At, const llvm::Twine &What);
  kir::Expr *poison(kir::Loc Where);

  /// Runs Inner one level deeper, unless that is too deep: an error at At.
  bool nest(clang::SourceLocation At, llvm::function_ref<void()> Inner);
  void statementHere(const clang::Stmt *S);
  void ifStatement(const clang::IfStmt *S);
  /// if, else if, ..., else, with Count conditions.
  void chain(size_t Count, llvm::function_ref<kir::Expr *(size_t)> Condition,
             llvm::function_ref<void(size_t)> Then,
             llvm::function_ref<void()> Else,
             llvm::function_ref<kir::Loc(size_t)> Where);
  void declarations(const clang::DeclStmt *S);
  void local(const clang::VarDecl *D);
  void loop(const clang::Stmt *S);
  void switchStatement(const clang::SwitchStmt *S);
  void jump(kir::Stmt *S, const clang::Stmt *Source);
  /// All of a statement expression but the last expression, which it returns
  /// (null: the value is void).
  const clang::Expr *openStatementExpr(const clang::StmtExpr *E);

  //===--- expressions.cpp ------------------------------------------------===//
  kir::Expr *value(const clang::Expr *E);
  kir::Expr *valueOf(const clang::Expr *E);
  /// E as a bool.
  kir::Expr *condition(const clang::Expr *E);
  /// E for its side effects only.
  void effect(const clang::Expr *E);
  kir::Expr *fold(const clang::Expr *E);
  bool mentionsVariable(const clang::Stmt *S);
  kir::Expr *swizzle(const clang::ExtVectorElementExpr *E);
  kir::Expr *castValue(const clang::CastExpr *E);
  kir::Expr *convert(const kir::Type *Ty, kir::Expr *E);
  kir::Expr *intConst(int64_t V, kir::Loc W, const kir::Type *Ty = nullptr);
  kir::Expr *zero(const kir::Type *Ty, kir::Loc W);
  kir::Expr *binary(kir::BinaryOp Op, kir::Expr *L, kir::Expr *R, kir::Loc W);
  kir::Expr *splat(const kir::Type *Vector, kir::Expr *Scalar);
  kir::Expr *lane(kir::Expr *Vector, unsigned Lane);
  std::vector<kir::Expr *> lanes(kir::Expr *Vector);

  /// Now evaluated once, into a variable that nobody else stores to.
  kir::Variable *temporary(kir::Expr *Value);
  /// E, or a load of a temporary, such that a clone of it means the same.
  kir::Expr *reusable(kir::Expr *E);
  kir::Expr *load(kir::Variable *V, kir::Loc W);

  /// Lanes of the vector that Base is, or (IsArrow) points to.
  struct Swizzled {
    const clang::Expr *Base;
    bool IsArrow;
    std::vector<unsigned> Lanes;
  };
  static Swizzled swizzled(const clang::ExtVectorElementExpr *E);

  //===--- operators.cpp --------------------------------------------------===//
  /// Where an assignment goes: a place, or some lanes of a vector in it.
  struct Target {
    kir::Expr *Place;
    std::vector<unsigned> Lanes; ///< empty: all of Place
    const kir::Type *Ty;
  };
  Target target(const clang::Expr *E, bool Twice);
  kir::Expr *load(const Target &T, kir::Loc W);
  void store(const Target &T, kir::Expr *Value, kir::Loc W);
  kir::Expr *finish(const Target &T, kir::Expr *Value, bool Used, kir::Loc W);
  /// The three forms of assignment; the new or old value, if Used.
  kir::Expr *assign(const clang::BinaryOperator *E, bool Used);
  kir::Expr *compoundAssign(const clang::CompoundAssignOperator *E, bool Used);
  kir::Expr *increment(const clang::UnaryOperator *E, bool Used);
  kir::Expr *contracted(kir::Expr *E, clang::FPOptions Options);
  kir::Expr *rounded(kir::Expr *E);
  kir::Expr *unaryOperator(const clang::UnaryOperator *E);
  kir::Expr *binaryOperator(const clang::BinaryOperator *E);
  kir::Expr *logical(const clang::BinaryOperator *E);
  kir::Expr *conditional(const clang::AbstractConditionalOperator *E,
                         bool Used);
  kir::Expr *conditionalHere(const clang::AbstractConditionalOperator *E,
                             bool Used);
  kir::Expr *conditionalChain(const clang::ConditionalOperator *E);

  //===--- places.cpp -----------------------------------------------------===//
  kir::Expr *place(const clang::Expr *E);
  kir::Expr *variable(const clang::DeclRefExpr *E);
  kir::Expr *member(const clang::MemberExpr *E);
  kir::Expr *element(kir::Expr *Base, kir::Expr *Index, kir::Loc W);
  /// *Pointer, or Pointer[Index].
  kir::Expr *elementAt(const clang::Expr *Pointer, kir::Expr *Index,
                       clang::SourceLocation At);
  /// A place whose subscripts mean the same however often it is evaluated.
  void stabilise(kir::Expr *Place);

  //===--- pointers.cpp ---------------------------------------------------===//
  kir::Expr *address(kir::Expr *Place, clang::SourceLocation At);
  kir::Expr *advance(kir::Expr *Pointer, kir::Expr *Index,
                     clang::SourceLocation At);
  kir::Expr *negative(kir::Expr *Index);
  kir::Expr *pointerOperator(const clang::BinaryOperator *E);
  kir::Expr *pointerCast(const clang::CastExpr *E);

  //===--- vectors.cpp ----------------------------------------------------===//
  kir::Expr *mask(const kir::Type *Ty, std::vector<kir::Expr *> Bools,
                  kir::Loc W);
  std::vector<kir::Expr *> tests(kir::Expr *Vector, bool NotZero);
  kir::Expr *vectorOperator(const clang::BinaryOperator *E);
  kir::Expr *vectorConditional(const clang::AbstractConditionalOperator *E);
  kir::Expr *reinterpret(const clang::CastExpr *E);

  //===--- views.cpp ------------------------------------------------------===//
  kir::Expr *viewElement(const clang::Expr *View, kir::Expr *Index,
                         clang::SourceLocation At);
  kir::Expr *project(kir::Expr *View, kir::Expr *Index, kir::Loc W);
  kir::Expr *section(kir::Expr *View, std::vector<kir::Expr *> Origin,
                     std::vector<kir::Expr *> Extent, kir::Loc W);
  /// View with its first index advanced.
  kir::Expr *offset(kir::Expr *View, kir::Expr *Index, kir::Loc W);
  kir::Expr *addressOf(const clang::UnaryOperator *E);
  kir::Expr *viewLoad(const clang::CastExpr *E);
  kir::Expr *viewCast(const clang::CastExpr *E);
  /// array_view_reinterpret_as and array_view_view_as; null if E is neither.
  kir::Expr *viewOfView(const clang::CastExpr *E);

  //===--- calls.cpp ------------------------------------------------------===//
  /// Null for a call that is a statement of its own (a barrier, a fence).
  kir::Expr *call(const clang::CallExpr *E);
  kir::Expr *builtin(const clang::CallExpr *E, Builtin B);
  kir::Expr *classified(const clang::CallExpr *E, Builtin B, kir::Expr *X);
  kir::Expr *conjunction(std::vector<kir::Expr *> Terms, kir::Loc W);
  kir::Expr *math(const clang::CallExpr *E, Builtin B);
  kir::Expr *report(const clang::CallExpr *E, Builtin B);

  //===--- initialisers.cpp -----------------------------------------------===//
  /// The value of an initialiser for an object of type T.
  kir::Expr *initialiser(const clang::Expr *E, const kir::Type *T);
  kir::Expr *vectorInitialiser(const clang::InitListExpr *E,
                               const kir::Type *T);
  /// An array too large to be constructed: zeroed, then stored to.
  static bool isStoredByElement(const kir::Type *T);
  /// Elements that an array initialiser names, stored one by one.
  void storeElements(kir::Expr *Array, const clang::InitListExpr *E);
  kir::Expr *stringInitialiser(const clang::StringLiteral *E,
                               const kir::Type *T);
  kir::Expr *unionInitialiser(const clang::InitListExpr *E,
                              const kir::Type *T);
  /// Stores the members that a list names over those of an object.
  void update(kir::Expr *Place, const clang::Expr *Init);
  kir::Variable *compoundLiteral(const clang::CompoundLiteralExpr *E);
};

/// In a diagnostic: what a node is, in plain words.
std::string describe(const clang::Stmt *S);
/// The name under which programs know a library function.
std::string libraryName(llvm::StringRef Function);

} // namespace ampc

#endif
