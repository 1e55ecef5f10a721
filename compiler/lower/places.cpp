// places.cpp - lvalues: variables, members, elements.
#include "lower/lowering.h"
#include "lower/trees.h"

using namespace clang;

namespace ampc {

kir::Expr *BodyLowering::place(const Expr *E) {
  E = E->IgnoreParens();
  switch (E->getStmtClass()) {
  case Stmt::DeclRefExprClass:
    return variable(cast<DeclRefExpr>(E));
  case Stmt::MemberExprClass:
    return member(cast<MemberExpr>(E));
  case Stmt::ArraySubscriptExprClass: {
    const auto *S = cast<ArraySubscriptExpr>(E);
    kir::Expr *Index = value(S->getIdx());
    if (S->getBase()->getType()->isVectorType())
      return element(place(S->getBase()), Index, loc(E));
    return elementAt(S->getBase(), Index, E->getExprLoc());
  }
  case Stmt::UnaryOperatorClass:
    if (cast<UnaryOperator>(E)->getOpcode() == UO_Deref)
      return elementAt(cast<UnaryOperator>(E)->getSubExpr(), nullptr,
                       E->getExprLoc());
    break;
  case Stmt::ExtVectorElementExprClass: {
    Swizzled S = swizzled(cast<ExtVectorElementExpr>(E));
    if (S.Lanes.size() != 1)
      break;
    kir::Expr *Base =
        S.IsArrow ? elementAt(S.Base, nullptr, E->getExprLoc()) : place(S.Base);
    return element(Base, intConst(S.Lanes[0], loc(E)), loc(E));
  }
  case Stmt::CompoundLiteralExprClass:
    return M.make<kir::VarRef>(compoundLiteral(cast<CompoundLiteralExpr>(E)),
                               loc(E));
  case Stmt::ImplicitCastExprClass:
  case Stmt::CStyleCastExprClass:
    // `const` added to an lvalue.
    if (E->isGLValue() && cast<CastExpr>(E)->getCastKind() == CK_NoOp)
      return place(cast<CastExpr>(E)->getSubExpr());
    break;
  default:
    break;
  }
  if (E->isPRValue() && !E->getType()->isAnyPointerType())
    // `f().member`, `(i + j)[k]`: an object without a name.
    return M.make<kir::VarRef>(temporary(value(E)), loc(E));
  return refuse(E->getExprLoc(), describe(E));
}

/// `v.zyx.x` is lane 2 of v.
BodyLowering::Swizzled BodyLowering::swizzled(const ExtVectorElementExpr *E) {
  SmallVector<uint32_t, 4> Lanes;
  E->getEncodedElementAccess(Lanes);
  Swizzled S{E->getBase(), E->isArrow(), {Lanes.begin(), Lanes.end()}};
  const auto *Inner = dyn_cast<ExtVectorElementExpr>(S.Base->IgnoreParens());
  if (!Inner || S.IsArrow)
    return S;
  Swizzled Of = swizzled(Inner);
  for (unsigned &L : S.Lanes)
    L = L < Of.Lanes.size() ? Of.Lanes[L] : 0;
  return {Of.Base, Of.IsArrow, S.Lanes};
}

kir::Expr *BodyLowering::variable(const DeclRefExpr *E) {
  const auto *D = dyn_cast<VarDecl>(E->getDecl());
  if (!D)
    return refuse(E->getLocation(), "a function as a value");
  if (const kir::Expr *Alias = Aliases.lookup(D))
    return clone(M, Alias);
  kir::Variable *V = Vars.lookup(D);
  if (!V && isTileStatic(D))
    V = Shared.tileStatic(D);
  if (!V && D->hasGlobalStorage())
    V = Shared.constant(D, E->getLocation());
  if (!V)
    return refuse(E->getLocation(),
                       "the variable '" + D->getNameAsString() + "' here");
  return M.make<kir::VarRef>(V, loc(E));
}

kir::Expr *BodyLowering::member(const MemberExpr *E) {
  const auto *F = dyn_cast<FieldDecl>(E->getMemberDecl());
  kir::Expr *Base = E->isArrow()
                        ? elementAt(E->getBase(), nullptr, E->getExprLoc())
                        : place(E->getBase());
  if (!F || !Base->Ty->isStruct() ||
      F->getFieldIndex() >= Base->Ty->Fields.size())
    return poison(loc(E));
  return M.make<kir::Member>(Base, F->getFieldIndex(), loc(E));
}

kir::Expr *BodyLowering::element(kir::Expr *Base, kir::Expr *Index,
                                 kir::Loc W) {
  if (!Base->isPlace() || !(Base->Ty->isArray() || Base->Ty->isVector()) ||
      !Index->Ty->isInt())
    return poison(W);
  return M.make<kir::Element>(Base, Index, W);
}

kir::Expr *BodyLowering::elementAt(const Expr *Pointer, kir::Expr *Index,
                                   SourceLocation At) {
  Pointer = Pointer->IgnoreParens();
  if (const auto *C = dyn_cast<CastExpr>(Pointer)) {
    // A decayed array comes first: an array member of a view's element decays
    // to what looks like a view.
    if (C->getCastKind() == CK_ArrayToPointerDecay) {
      kir::Expr *Array = place(C->getSubExpr());
      return element(Array, Index ? Index : intConst(0, loc(At)), loc(At));
    }
    if (C->getCastKind() == CK_NoOp && C->getSubExpr()->isPRValue())
      return elementAt(C->getSubExpr(), Index, At);
  }
  if (const auto *S = dyn_cast<StmtExpr>(Pointer))
    if (const Expr *Last = openStatementExpr(S))
      return elementAt(Last, Index, At);
  if (!Index) {
    if (const auto *U = dyn_cast<UnaryOperator>(Pointer))
      if (U->getOpcode() == UO_AddrOf && !viewType(U->getSubExpr()->getType()))
        return place(U->getSubExpr());
    if (const auto *B = dyn_cast<BinaryOperator>(Pointer))
      if (B->getOpcode() == BO_Add) {
        bool First = B->getLHS()->getType()->isAnyPointerType();
        kir::Expr *Offset = value(First ? B->getRHS() : B->getLHS());
        return elementAt(First ? B->getLHS() : B->getRHS(), Offset, At);
      }
  }
  if (viewType(Pointer->getType()))
    return viewElement(Pointer, Index ? Index : intConst(0, loc(At)), At);
  kir::Expr *Base = value(Pointer);
  if (Index)
    Base = advance(Base, Index, At);
  if (!Base->Ty->isPointer() || Base->Ty->Element->isVoid())
    return poison(loc(At));
  if (auto *A = dyn_cast<kir::AddressOf>(Base))
    return A->Place;
  return M.make<kir::Deref>(Base, loc(At));
}

/// Puts every subscript (and view) in Place that a call could change, or that
/// makes a call, into a temporary.
void BodyLowering::stabilise(kir::Expr *Place) {
  auto Fix = [&](kir::Expr *&E) {
    if (!isStable(E))
      E = load(temporary(E), E->Where);
  };
  if (auto *X = dyn_cast<kir::Member>(Place))
    return stabilise(X->Base);
  if (auto *X = dyn_cast<kir::Element>(Place)) {
    stabilise(X->Base);
    return Fix(X->Index);
  }
  if (auto *X = dyn_cast<kir::Deref>(Place))
    return Fix(X->Pointer);
  if (auto *X = dyn_cast<kir::ViewElement>(Place)) {
    Fix(X->View);
    for (kir::Expr *&S : X->Subscripts)
      Fix(S);
  }
}

} // namespace ampc
