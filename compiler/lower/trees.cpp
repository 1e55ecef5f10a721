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
  case Expr::Kind::Deref:
    return {cast<Deref>(E)->Pointer};
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
  case Expr::Kind::Bitcast:
    return {cast<Bitcast>(E)->Operand};
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
  case Expr::Kind::ViewReinterpret:
    return {cast<ViewReinterpret>(E)->View};
  case Expr::Kind::ViewReshape: {
    std::vector<Expr *> All = cast<ViewReshape>(E)->Extent;
    All.push_back(cast<ViewReshape>(E)->View);
    return All;
  }
  case Expr::Kind::AddressOf:
    return {cast<AddressOf>(E)->Place};
  case Expr::Kind::PointerAdd:
    return {cast<PointerAdd>(E)->Pointer, cast<PointerAdd>(E)->Index};
  case Expr::Kind::PointerDifference:
    return {cast<PointerDifference>(E)->Left,
            cast<PointerDifference>(E)->Right};
  }
  llvm_unreachable("every kind of expression is above");
}

bool hasCall(const Expr *E) {
  return E->K == Expr::Kind::Call || llvm::any_of(operands(E), hasCall);
}

/// Only the work item itself changes the place, and no call does: no part of
/// it stands in a view, behind a pointer, or in a variable that others reach.
static bool isPrivate(const Expr *Place) {
  switch (Place->K) {
  case Expr::Kind::VarRef: {
    const Variable *V = cast<VarRef>(Place)->Var;
    return V->Store != Storage::TileStatic && !V->AddressTaken;
  }
  case Expr::Kind::Member:
    return isPrivate(cast<Member>(Place)->Base);
  case Expr::Kind::Element:
    return isPrivate(cast<Element>(Place)->Base);
  default:
    return false;
  }
}

bool isStable(const Expr *E) {
  // What a view or pointer names is shared; the address is not.
  if (const auto *L = llvm::dyn_cast<Load>(E))
    if (!isPrivate(L->Place))
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
  case Expr::Kind::Deref:
    return M.make<Deref>(Copy(cast<Deref>(E)->Pointer), W);
  case Expr::Kind::Load:
    return M.make<Load>(Copy(cast<Load>(E)->Place), W);
  case Expr::Kind::Unary: {
    auto *X = cast<Unary>(E);
    auto *New = M.make<Unary>(X->Op, Copy(X->Operand), W);
    New->Contract = X->Contract;
    return New;
  }
  case Expr::Kind::Binary: {
    auto *X = cast<Binary>(E);
    auto *New =
        M.make<Binary>(X->Op, E->Ty, Copy(X->Left), Copy(X->Right), W);
    New->Contract = X->Contract;
    return New;
  }
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
  case Expr::Kind::Bitcast:
    return M.make<Bitcast>(E->Ty, Copy(cast<Bitcast>(E)->Operand), W);
  case Expr::Kind::Construct:
    return M.make<Construct>(E->Ty, cloneAll(M, cast<Construct>(E)->Parts), W,
                             cast<Construct>(E)->Field);
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
  case Expr::Kind::ViewReinterpret:
    return M.make<ViewReinterpret>(E->Ty, Copy(cast<ViewReinterpret>(E)->View),
                                   W);
  case Expr::Kind::ViewReshape:
    return M.make<ViewReshape>(E->Ty, Copy(cast<ViewReshape>(E)->View),
                               cloneAll(M, cast<ViewReshape>(E)->Extent), W);
  case Expr::Kind::AddressOf:
    return M.make<AddressOf>(E->Ty, Copy(cast<AddressOf>(E)->Place), W);
  case Expr::Kind::PointerAdd:
    return M.make<PointerAdd>(Copy(cast<PointerAdd>(E)->Pointer),
                              Copy(cast<PointerAdd>(E)->Index), W);
  case Expr::Kind::PointerDifference:
    return M.make<PointerDifference>(E->Ty,
                                     Copy(cast<PointerDifference>(E)->Left),
                                     Copy(cast<PointerDifference>(E)->Right),
                                     W);
  }
  llvm_unreachable("every kind of expression is above");
}

} // namespace ampc
