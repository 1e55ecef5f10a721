//===- printer.h - KIR as the text of one C function ----------------------===//
//
// Expressions and statements without barriers print one to one; whoever prints
// a kernel says what its variables are called there. Text is indented by four
// spaces a level, as all emitted C.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_CPU_PRINTER_H
#define AMPC_CPU_PRINTER_H

#include "cpu/types.h"
#include "kir/kir.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ampc::cpu {

/// How tightly a C expression holds together.
enum class Binding {
  Comma,
  Assignment,
  Conditional,
  LogicalOr,
  LogicalAnd,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relational,
  Shift,
  Additive,
  Multiplicative,
  Unary,
  Postfix,
};

/// The names that C functions and tables of the file go by.
struct Names {
  std::map<const kir::Function *, std::string> Functions;
  std::map<const kir::Variable *, std::string> Constants;
  /// The tile_static variables that a function reaches: it takes their
  /// addresses as further parameters.
  std::map<const kir::Function *, std::vector<const kir::Variable *>>
      TileStatic;
};

class Printer {
public:
  Printer(const kir::Module &M, Types &T, const Names &N, bool Lines)
      : M(M), T(T), N(N), Lines(Lines) {}

  std::string Text;
  std::string Error; ///< the first thing that has no C; empty: none

  //---- names -------------------------------------------------------------

  /// Names made from here to the matching leave() may be made again after it.
  void enter() { Scopes.emplace_back(); }
  void leave();
  /// A name that nothing in scope has.
  std::string fresh(const std::string &Like);
  /// From here on this name is in scope, whatever it hides.
  void take(const std::string &Name) { Scopes.back().insert(Name); }
  /// A name for V that nothing in scope has; V goes by it from now on.
  const std::string &name(const kir::Variable *V);
  /// V goes by this C text, an lvalue of at least this binding.
  void call(const kir::Variable *V, std::string As, Binding B);

  //---- text --------------------------------------------------------------

  void line(const std::string &S);
  /// Everything until close() stands one level deeper, in braces.
  void open(const std::string &Before);
  void close(const std::string &After = "");
  /// Ends the part in braces; another one follows, for `else`.
  void orElse();
  /// With -g: what follows comes from here.
  void locate(kir::Loc Where);

  //---- KIR ---------------------------------------------------------------

  std::string expr(const kir::Expr *E, Binding Least = Binding::Assignment);
  void body(const kir::Body &B);
  void stmt(const kir::Stmt *S);
  void declare(const kir::Variable *V, const kir::Expr *Init);
  std::string initialiser(const kir::Expr *E);
  std::string elements(const std::string &Place, const kir::Type *Array);
  /// What the lanes of an index are, by field (global, local, tile, tile_origin
  /// of a tiled one; "") and dimension, where an expression takes just one.
  /// Vectors made and taken apart in a loop keep compilers from making vectors
  /// of it.
  std::map<const kir::Variable *,
           std::map<std::string, std::vector<std::string>>>
      IndexLanes;
  /// Conditions that are known by a name, or to be "0" or "1".
  std::map<const kir::Expr *, std::string> Conditions;
  /// Variables whose memory is declared elsewhere: a Declare only initialises.
  std::set<const kir::Variable *> Elsewhere;
  /// `return` leaves for this label instead of the C function.
  std::string ReturnLabel;
  bool ReturnLabelUsed = false;

private:
  struct Piece {
    std::string Text;
    Binding B;
  };

  // expressions.cpp
  Piece piece(const kir::Expr *E);
  Piece place(const kir::Expr *E);
  std::optional<Piece> indexLane(const kir::Expr *E);
  std::optional<bool> knownCondition(const kir::Expr *E) const;
  Piece binary(const kir::Binary *E);
  Piece vectorDivision(const kir::Binary *E);
  Piece shift(const kir::Binary *E);
  Piece construct(const kir::Construct *E);
  Piece swizzle(const kir::Swizzle *E);
  Piece call(const kir::Call *E);
  Piece section(const kir::ViewSection *E);
  std::string list(const std::vector<kir::Expr *> &Es);
  std::string wideList(const std::vector<kir::Expr *> &Es);
  std::string address(const kir::Expr *Place);
  std::string castTo(const kir::Type *To, const kir::Expr *E);

  // statements.cpp
  void assign(const kir::Expr *Place, const kir::Expr *Value);
  void assignArray(const kir::Expr *Place, const kir::Expr *Value);
  void loop(const kir::Loop *L, const kir::Declare *First);
  bool plainFor(const kir::Loop *L, const kir::Declare *First);
  std::optional<std::string> inlineStep(const kir::Body &Step);
  void choice(const kir::Switch *S);

  void unsupported(const std::string &What) {
    if (Error.empty())
      Error = "not supported yet on the CPU accelerator: " + What;
  }

  const kir::Module &M;
  Types &T;
  const Names &N;
  const bool Lines;
  unsigned Depth = 0, Labels = 0;
  std::vector<std::set<std::string>> Scopes;
  std::map<const kir::Variable *, Piece> Spelling;
  /// Where `continue` of the loop being printed goes, when C's own does not.
  std::vector<std::string> ContinueLabels;
  std::vector<bool> ContinueLabelUsed;
  kir::Loc Here; ///< where the text comes from
  kir::Loc Next; ///< where the C compiler takes its next line to come from
};

/// A floating constant, exact.
std::string floatText(const kir::FloatConst *C);
/// A string in quotes.
std::string quotedText(llvm::StringRef S);

} // namespace ampc::cpu

#endif
