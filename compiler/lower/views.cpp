// views.cpp - views, which to Clang are pointers into address spaces.
#include "lower/lowering.h"
#include "lower/trees.h"

using namespace clang;

namespace ampc {

/// What a loaded subscript or dereference of a view reads; null if E is none.
static const Expr *projection(const Expr *E) {
  E = E->IgnoreParens();
  while (const auto *C = dyn_cast<CastExpr>(E)) {
    if (C->getCastKind() != CK_LValueToRValue && C->getCastKind() != CK_NoOp)
      return nullptr;
    E = C->getSubExpr()->IgnoreParens();
  }
  const auto *S = dyn_cast<ArraySubscriptExpr>(E);
  if (S && viewType(E->getType()) && viewType(S->getBase()->getType()) &&
      viewType(S->getBase()->getType())->Rank > 1)
    return S;
  return nullptr;
}

/// View[Index] where View has rank 1: walks up `v[i][j]` to v.
kir::Expr *BodyLowering::viewElement(const Expr *View, kir::Expr *Index,
                                     SourceLocation At) {
  std::vector<kir::Expr *> Subscripts{Index};
  while (const Expr *P = projection(View)) {
    const auto *S = cast<ArraySubscriptExpr>(P);
    Subscripts.insert(Subscripts.begin(), value(S->getIdx()));
    View = S->getBase();
  }
  kir::Expr *Root = value(View);
  if (!Root->Ty->isView())
    return poison(loc(At));
  if (Root->Ty->Rank != Subscripts.size())
    return refuse(At, "this use of a part of a view");
  return M.make<kir::ViewElement>(Root, std::move(Subscripts), loc(At));
}

kir::Expr *BodyLowering::project(kir::Expr *View, kir::Expr *Index,
                                 kir::Loc W) {
  const kir::Type *T = View->Ty;
  if (!T->isView() || T->Rank < 2)
    return poison(W);
  return M.make<kir::ViewProject>(
      M.viewType(T->Element, T->Rank - 1, T->ReadOnly), View, Index, W);
}

kir::Expr *BodyLowering::section(kir::Expr *View,
                                 std::vector<kir::Expr *> Origin,
                                 std::vector<kir::Expr *> Extent, kir::Loc W) {
  if (!View->Ty->isView() || Origin.size() != View->Ty->Rank ||
      (!Extent.empty() && Extent.size() != View->Ty->Rank))
    return poison(W);
  return M.make<kir::ViewSection>(View, std::move(Origin), std::move(Extent),
                                  W);
}

kir::Expr *BodyLowering::offset(kir::Expr *View, kir::Expr *Index, kir::Loc W) {
  std::vector<kir::Expr *> Origin{Index};
  while (View->Ty->isView() && Origin.size() < View->Ty->Rank)
    Origin.push_back(intConst(0, W));
  return section(View, std::move(Origin), {}, W);
}

/// `&v[k]`: the view that starts there. Every other address is a pointer.
kir::Expr *BodyLowering::addressOf(const UnaryOperator *E) {
  const Expr *Sub = E->getSubExpr()->IgnoreParens();
  kir::Loc W = loc(E);
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(Sub)) {
    const auto *Decay = dyn_cast<CastExpr>(S->getBase()->IgnoreParens());
    bool OfArray = Decay && Decay->getCastKind() == CK_ArrayToPointerDecay;
    if (!OfArray && viewType(S->getBase()->getType())) {
      kir::Expr *View = value(S->getBase());
      kir::Expr *Index = value(S->getIdx());
      return offset(View, Index, W);
    }
  }
  if (const auto *U = dyn_cast<UnaryOperator>(Sub))
    if (U->getOpcode() == UO_Deref && viewType(U->getSubExpr()->getType()))
      return value(U->getSubExpr());
  if (viewType(E->getType()))
    return refuse(E->getOperatorLoc(),
                       "the address of a part of an element");
  return address(place(Sub), E->getOperatorLoc());
}

/// A view read from an lvalue: a variable, a member, or a projection.
kir::Expr *BodyLowering::viewLoad(const CastExpr *E) {
  if (const Expr *P = projection(E)) {
    const auto *S = cast<ArraySubscriptExpr>(P);
    kir::Expr *View = value(S->getBase());
    return project(View, value(S->getIdx()), loc(E));
  }
  const Expr *Sub = E->getSubExpr()->IgnoreParens();
  if (const auto *U = dyn_cast<UnaryOperator>(Sub))
    if (U->getOpcode() == UO_Deref)
      return unaryOperator(U);
  return M.make<kir::Load>(place(Sub), loc(E));
}

kir::Expr *BodyLowering::viewOfView(const CastExpr *E) {
  const auto *Call = dyn_cast<CallExpr>(E->getSubExpr()->IgnoreParenImpCasts());
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  if (!F)
    return nullptr;
  std::optional<Builtin> B = builtinOf(F, Shared.U.Sources);
  if (B != Builtin::Reinterpret && B != Builtin::ViewAs)
    return nullptr;
  kir::Expr *View = value(Call->getArg(0));
  const kir::Type *Ty = type(E);
  if (!View->Ty->isView() || View->Ty->Rank != 1 || !Ty->isView())
    return poison(loc(E));
  if (B == Builtin::Reinterpret)
    return M.make<kir::ViewReinterpret>(Ty, View, loc(E));
  std::vector<kir::Expr *> Extent;
  for (unsigned I = 1; I != Call->getNumArgs(); ++I)
    Extent.push_back(value(Call->getArg(I)));
  if (Extent.size() != Ty->Rank || Ty->Element != View->Ty->Element)
    return poison(loc(E));
  return M.make<kir::ViewReshape>(Ty, View, std::move(Extent), loc(E));
}

/// A conversion to a view type: adds const, or gives a void view its type
/// back, which lowering never took.
kir::Expr *BodyLowering::viewCast(const CastExpr *E) {
  const Expr *Sub = E->getSubExpr();
  if (!viewType(Sub->getType()) || E->getCastKind() == CK_ArrayToPointerDecay)
    return refuse(E->getExprLoc(), "making a view");
  if (kir::Expr *Made = viewOfView(E))
    return Made;
  kir::Expr *View = value(Sub);
  std::optional<ViewType> To = viewType(E->getType());
  if (To->Element->isVoidType())
    return View;
  const kir::Type *Ty = type(E), *From = View->Ty;
  if (Ty == From)
    return View;
  if (From->isView() && Ty->isView() && Ty->Rank == From->Rank &&
      Ty->Element == From->Element && Ty->ReadOnly)
    return M.make<kir::Convert>(Ty, View, loc(E));
  return refuse(E->getExprLoc(), "the conversion from '" +
                                          dialectName(Sub->getType(), Ctx) +
                                          "' to '" +
                                          dialectName(E->getType(), Ctx) + "'");
}

} // namespace ampc
