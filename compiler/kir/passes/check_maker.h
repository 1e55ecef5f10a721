//===- check_maker.h - the functions that check ---------------------------===//
//
// For passes/checks.cpp: gives a call of a new function that checks and does
// what the given node does. Operands move from the node into the call; the node
// itself is not used any more.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_KIR_PASSES_CHECK_MAKER_H
#define AMPC_KIR_PASSES_CHECK_MAKER_H

#include "kir/kir.h"
#include <set>

namespace ampc::kir {

/// `'a'`, or words where the source has no name.
std::string nameOf(const Expr *Place);
std::string nameOfView(const Expr *View);

class CheckMaker {
public:
  explicit CheckMaker(Module &M);

  /// The index of an element of an array or lane of a vector.
  Expr *index(Element *E, const std::string &Of, bool MayBePast);
  /// A subscript of an element of a view, of which only the address is taken.
  Expr *subscript(ViewElement *E, unsigned Dimension, const std::string &Of);
  /// A load of, or store to, (a part of) an element of a view.
  Expr *load(Load *L, const std::string &Of);
  Stmt *store(Store *S, const std::string &Of);
  /// A section, a projection, a shape of a view.
  Expr *view(Expr *E, const std::string &Of);
  Expr *division(Binary *E);

  /// Puts the functions into the module, before those that call them.
  void finish();

private:
  /// A function in the making, and the call of it.
  struct Site {
    Function *F;
    std::vector<Expr *> Args;
    Loc Where;
  };
  using Index = std::pair<Variable *, unsigned>;

  Site begin(const char *Kind, const Type *Result, Loc Where);
  /// A parameter that stands for an operand.
  Variable *param(Site &S, const char *Name, Expr *Operand);
  Call *call(Site &S);
  Expr *get(Variable *V, Loc W) {
    return M.make<Load>(M.make<VarRef>(V, W), W);
  }
  Expr *number(uint64_t Value, Loc W, const Type *Ty = nullptr) {
    return M.make<IntConst>(Ty ? Ty : M.intType(), Value, W);
  }
  Expr *extent(Variable *View, unsigned D, Loc W) {
    return M.make<ViewExtent>(M.intType(), get(View, W), D, W);
  }
  Expr *wide(Expr *E) {
    return M.make<Convert>(M.intType(64, E->Ty->Signed), E, E->Where);
  }
  Expr *compare(BinaryOp Op, Expr *Left, Expr *Right) {
    return M.make<Binary>(Op, M.boolType(), Left, Right, Left->Where);
  }
  Expr *either(Expr *Left, Expr *Right) {
    return M.make<Logical>(/*IsAnd=*/false, Left, Right, Left->Where);
  }
  /// Index < 0 || Index >= Limit, an int.
  Expr *isOutside(Variable *Index, Expr *Limit);
  /// If Condition: Tell, and return Result (null: nothing).
  void failIf(Site &S, Expr *Condition, Stmt *Tell, Expr *Result);
  Stmt *tell(const Site &S, std::string Format, std::vector<Expr *> Args) {
    return M.report(/*Fails=*/true, std::move(Format), std::move(Args),
                    S.Where);
  }
  /// Why Index is no subscript of View in the dimension.
  Stmt *tellSubscript(const Site &S, Variable *Index, Expr *Extent, Expr *Again,
                      unsigned D, const std::string &Of);
  /// The place again, made of parameters; what the subscripts are is checked
  /// first.
  Expr *placeIn(Site &S, Expr *Place, const std::string &Of, Expr *Failed);
  Expr *emptyView(Variable *View, Loc W);
  Expr *section(ViewSection *E, const std::string &Of);
  Expr *project(ViewProject *E, const std::string &Of);
  Expr *reshape(ViewReshape *E, const std::string &Of);

  Module &M;
  std::set<std::string> Names;
  std::vector<std::unique_ptr<Function>> Made;
};

} // namespace ampc::kir

#endif
