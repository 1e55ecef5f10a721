// trees.cpp - copying and classifying KIR expressions.
#include "lower/trees.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace ampc::kir;
using llvm::cast;

namespace ampc {

/// The operands of E, subscripts included.
static std::vector<Expr *> operands(const Expr *E) {
  switch (E->K) {
  case Expr::Kind::VarRef:
  case Expr::Kind::IntConst:
  case Expr::Kind::FloatConst:
  case Expr::Kind::BoolConst:
  case Expr::Kind::Zero:
    return {};
  case Expr::Kind::Member:
    return {cast<Member>(E)->Base};
  case Expr::Kind::Element:
    return {cast<Element>(E)->Base, cast<Element>(E)->Index};
  case Expr::Kind::ViewElement: {
    std::vector<Expr *> All = cast<ViewElement>(E)->Subscripts;
    All.push_back(cast<ViewElement>(E)->View);
    return All;
  }
  case Expr::Kind::Load:
    return {cast<Load>(E)->Place};
  case Expr::Kind::Unary:
    return {cast<Unary>(E)->Operand};
  case Expr::Kind::Binary:
    return {cast<Binary>(E)->Left, cast<Binary>(E)->Right};
  case Expr::Kind::Logical:
    return {cast<Logical>(E)->Left, cast<Logical>(E)->Right};
  case Expr::Kind::Select:
    return {cast<Select>(E)->Condition, cast<Select>(E)->True,
            cast<Select>(E)->False};
  case Expr::Kind::Convert:
    return {cast<Convert>(E)->Operand};
  case Expr::Kind::Construct:
    return cast<Construct>(E)->Parts;
  case Expr::Kind::Swizzle:
    return {cast<Swizzle>(E)->Operand};
  case Expr::Kind::Call:
    return cast<Call>(E)->Args;
  case Expr::Kind::Intrinsic:
    return cast<Intrinsic>(E)->Args;
  case Expr::Kind::ViewExtent:
    return {cast<ViewExtent>(E)->View};
  case Expr::Kind::ViewSection: {
    const auto *S = cast<ViewSection>(E);
    std::vector<Expr *> All = S->Origin;
    All.insert(All.end(), S->Extent.begin(), S->Extent.end());
    All.push_back(S->View);
    return All;
  }
  case Expr::Kind::ViewProject:
    return {cast<ViewProject>(E)->View, cast<ViewProject>(E)->Index};
  }
  llvm_unreachable("every kind of expression is above");
}

bool hasCall(const Expr *E) {
  return E->K == Expr::Kind::Call || llvm::any_of(operands(E), hasCall);
}

bool isStable(const Expr *E) {
  if (const auto *V = llvm::dyn_cast<VarRef>(E))
    return V->Var->Store != Storage::TileStatic;
  // What a view names is shared; its address is not.
  if (const auto *L = llvm::dyn_cast<Load>(E))
    if (L->Place->K == Expr::Kind::ViewElement)
      return false;
  return E->K != Expr::Kind::Call && E->K != Expr::Kind::Intrinsic &&
         llvm::all_of(operands(E), isStable);
}

bool isSmall(const Expr *E) {
  switch (E->K) {
  case Expr::Kind::VarRef:
  case Expr::Kind::IntConst:
  case Expr::Kind::FloatConst:
  case Expr::Kind::BoolConst:
    return true;
  case Expr::Kind::Member:
  case Expr::Kind::Element:
  case Expr::Kind::Load:
  case Expr::Kind::Convert:
  case Expr::Kind::Swizzle:
  case Expr::Kind::ViewExtent:
    return llvm::all_of(operands(E), isSmall);
  default:
    return false;
  }
}

static std::vector<Expr *> cloneAll(Module &M, const std::vector<Expr *> &Es) {
  std::vector<Expr *> Copies;
  for (const Expr *E : Es)
    Copies.push_back(clone(M, E));
  return Copies;
}

Expr *clone(Module &M, const Expr *E) {
  Loc W = E->Where;
  auto Copy = [&](const Expr *Operand) { return clone(M, Operand); };
  switch (E->K) {
  case Expr::Kind::VarRef:
    return M.make<VarRef>(cast<VarRef>(E)->Var, W);
  case Expr::Kind::Member:
    return M.make<Member>(Copy(cast<Member>(E)->Base), cast<Member>(E)->Field,
                          W);
  case Expr::Kind::Element:
    return M.make<Element>(Copy(cast<Element>(E)->Base),
                           Copy(cast<Element>(E)->Index), W);
  case Expr::Kind::ViewElement:
    return M.make<ViewElement>(Copy(cast<ViewElement>(E)->View),
                               cloneAll(M, cast<ViewElement>(E)->Subscripts),
                               W);
  case Expr::Kind::IntConst:
    return M.make<IntConst>(E->Ty, cast<IntConst>(E)->Value, W);
  case Expr::Kind::FloatConst:
    return M.make<FloatConst>(E->Ty, cast<FloatConst>(E)->Bits, W);
  case Expr::Kind::BoolConst:
    return M.make<BoolConst>(E->Ty, cast<BoolConst>(E)->Value, W);
  case Expr::Kind::Zero:
    return M.make<Zero>(E->Ty, W);
  case Expr::Kind::Load:
    return M.make<Load>(Copy(cast<Load>(E)->Place), W);
  case Expr::Kind::Unary:
    return M.make<Unary>(cast<Unary>(E)->Op, Copy(cast<Unary>(E)->Operand), W);
  case Expr::Kind::Binary:
    return M.make<Binary>(cast<Binary>(E)->Op, E->Ty,
                          Copy(cast<Binary>(E)->Left),
                          Copy(cast<Binary>(E)->Right), W);
  case Expr::Kind::Logical:
    return M.make<Logical>(cast<Logical>(E)->IsAnd,
                           Copy(cast<Logical>(E)->Left),
                           Copy(cast<Logical>(E)->Right), W);
  case Expr::Kind::Select:
    return M.make<Select>(Copy(cast<Select>(E)->Condition),
                          Copy(cast<Select>(E)->True),
                          Copy(cast<Select>(E)->False), W);
  case Expr::Kind::Convert:
    return M.make<Convert>(E->Ty, Copy(cast<Convert>(E)->Operand), W);
  case Expr::Kind::Construct:
    return M.make<Construct>(E->Ty, cloneAll(M, cast<Construct>(E)->Parts), W);
  case Expr::Kind::Swizzle:
    return M.make<Swizzle>(E->Ty, Copy(cast<Swizzle>(E)->Operand),
                           cast<Swizzle>(E)->Lanes, W);
  case Expr::Kind::Call:
    return M.make<Call>(cast<Call>(E)->Callee, E->Ty,
                        cloneAll(M, cast<Call>(E)->Args), W);
  case Expr::Kind::Intrinsic:
    return M.make<Intrinsic>(cast<Intrinsic>(E)->Op, E->Ty,
                             cloneAll(M, cast<Intrinsic>(E)->Args), W);
  case Expr::Kind::ViewExtent:
    return M.make<ViewExtent>(E->Ty, Copy(cast<ViewExtent>(E)->View),
                              cast<ViewExtent>(E)->Dimension, W);
  case Expr::Kind::ViewSection:
    return M.make<ViewSection>(Copy(cast<ViewSection>(E)->View),
                               cloneAll(M, cast<ViewSection>(E)->Origin),
                               cloneAll(M, cast<ViewSection>(E)->Extent), W);
  case Expr::Kind::ViewProject:
    return M.make<ViewProject>(E->Ty, Copy(cast<ViewProject>(E)->View),
                               Copy(cast<ViewProject>(E)->Index), W);
  }
  llvm_unreachable("every kind of expression is above");
}

} // namespace ampc
