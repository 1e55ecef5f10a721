// pointers.cpp - addresses, and arithmetic on pointers that are no views.
#include "lower/lowering.h"
#include "lower/trees.h"

using namespace clang;

namespace ampc {

static bool isPlainPointer(QualType T) {
  return T->isPointerType() && !viewType(T);
}

/// The variable that a lvalue is part of; null if it is in a view or behind a
/// pointer.
static const VarDecl *rootOf(const Expr *E) {
  for (;;) {
    E = E->IgnoreParens();
    if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow()) {
      E = M->getBase();
    } else if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      const auto *C = dyn_cast<CastExpr>(S->getBase()->IgnoreParens());
      if (!C || C->getCastKind() != CK_ArrayToPointerDecay)
        return nullptr;
      E = C->getSubExpr();
    } else if (const auto *C = dyn_cast<CastExpr>(E);
               C && C->isGLValue() && C->getCastKind() == CK_NoOp) {
      E = C->getSubExpr();
    } else {
      const auto *R = dyn_cast<DeclRefExpr>(E);
      return R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr;
    }
  }
}

/// Collects the variables below S whose address is taken. That a variable is
/// not private any more must be known before the first use is lowered.
void BodyLowering::findAddresses(const Stmt *S) {
  if (!S)
    return;
  if (const auto *U = dyn_cast<UnaryOperator>(S)) {
    if (U->getOpcode() == UO_AddrOf)
      Addressed.insert(rootOf(U->getSubExpr()));
  } else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(S)) {
    // A subscript of a table takes no address.
    const auto *C = dyn_cast<CastExpr>(Sub->getBase()->IgnoreParens());
    if (C && C->getCastKind() == CK_ArrayToPointerDecay) {
      findAddresses(C->getSubExpr());
      return findAddresses(Sub->getIdx());
    }
  } else if (const auto *C = dyn_cast<CastExpr>(S)) {
    if (C->getCastKind() == CK_ArrayToPointerDecay)
      Addressed.insert(rootOf(C->getSubExpr()));
  }
  for (const Stmt *Child : S->children())
    findAddresses(Child);
}

/// A pointer to Place.
kir::Expr *BodyLowering::address(kir::Expr *Place, SourceLocation At) {
  if (auto *D = dyn_cast<kir::Deref>(Place))
    return D->Pointer; // `&*p`
  if (!Place->isPlace())
    return poison(loc(At));
  kir::Expr *Root = Place;
  for (;;) {
    if (auto *X = dyn_cast<kir::Member>(Root))
      Root = X->Base;
    else if (auto *X = dyn_cast<kir::Element>(Root))
      Root = X->Base;
    else
      break;
  }
  if (auto *V = dyn_cast<kir::VarRef>(Root)) {
    V->Var->AddressTaken = true;
  }
  return M.make<kir::AddressOf>(M.pointerType(Place->Ty), Place, loc(At));
}

/// Pointer, Index elements further on.
kir::Expr *BodyLowering::advance(kir::Expr *Pointer, kir::Expr *Index,
                                 SourceLocation At) {
  if (!Pointer->Ty->isPointer() || !Index->Ty->isInt())
    return poison(loc(At));
  // `p[2]` of an array: no need to make a pointer and to move it.
  if (auto *A = dyn_cast<kir::AddressOf>(Pointer))
    if (auto *E = dyn_cast<kir::Element>(A->Place))
      if (auto *Zero = dyn_cast<kir::IntConst>(E->Index))
        if (Zero->Value == 0 && E->Base->Ty->isArray()) {
          E->Index = Index;
          return A;
        }
  return M.make<kir::PointerAdd>(Pointer, Index, loc(At));
}

kir::Expr *BodyLowering::negative(kir::Expr *Index) {
  if (!Index->Ty->isInt())
    return poison(Index->Where);
  const kir::Type *Long = M.intType(64);
  kir::Expr *Wide = convert(Long, Index);
  if (auto *Known = dyn_cast<kir::IntConst>(Wide))
    return intConst(-Known->Value, Known->Where, Long);
  return M.make<kir::Unary>(kir::UnaryOp::Neg, Wide, Index->Where);
}

/// + - and comparisons with a pointer among the operands.
kir::Expr *BodyLowering::pointerOperator(const BinaryOperator *E) {
  SourceLocation At = E->getOperatorLoc();
  const Expr *L = E->getLHS(), *R = E->getRHS();
  bool First = isPlainPointer(L->getType());
  bool Second = isPlainPointer(R->getType());
  kir::Expr *Left = value(L), *Right = value(R);
  if (First != Second) {
    if (E->getOpcode() == BO_Sub)
      Right = negative(Right);
    else if (E->getOpcode() != BO_Add)
      return refuse(At, "this operator on a pointer");
    return First ? advance(Left, Right, At) : advance(Right, Left, At);
  }
  if (!Left->Ty->isPointer() || !Right->Ty->isPointer())
    return poison(loc(At));
  if (Left->Ty != Right->Ty)
    Right = convert(Left->Ty, Right);
  if (E->getOpcode() == BO_Sub)
    return M.make<kir::PointerDifference>(M.intType(64), Left, Right, loc(At));
  if (!E->isComparisonOp())
    return refuse(At, "this operator on a pointer");
  kir::Expr *Value =
      binary(Shared.comparison(E->getOpcode()), Left, Right, loc(At));
  return convert(type(E), Value);
}

/// A conversion to a pointer, or from one.
kir::Expr *BodyLowering::pointerCast(const CastExpr *E) {
  const Expr *Sub = E->getSubExpr();
  switch (E->getCastKind()) {
  case CK_NullToPointer:
    effect(Sub);
    return M.make<kir::Zero>(type(E), loc(E));
  case CK_ArrayToPointerDecay: {
    kir::Expr *Array = place(Sub);
    return address(element(Array, intConst(0, loc(E)), loc(E)),
                   E->getExprLoc());
  }
  case CK_PointerToBoolean:
    return convert(M.boolType(), value(Sub));
  case CK_NoOp:
  case CK_BitCast:
  case CK_AddressSpaceConversion:
    break;
  default:
    return refuse(E->getExprLoc(), "this conversion of a pointer");
  }
  if (!viewType(Sub->getType()))
    return convert(type(E), value(Sub));
  // `(T *)&v[k]`, `(T *)&v[k].member`, `(T *)v`: accelerator memory.
  const Expr *Inner = Sub->IgnoreParenNoopCasts(Ctx);
  kir::Expr *Place;
  if (const auto *U = dyn_cast<UnaryOperator>(Inner);
      U && U->getOpcode() == UO_AddrOf &&
      !viewType(U->getSubExpr()->getType())) {
    Place = place(U->getSubExpr());
  } else if (const auto *C = dyn_cast<CastExpr>(Inner);
             C && C->getCastKind() == CK_ArrayToPointerDecay) {
    Place = element(place(C->getSubExpr()), intConst(0, loc(E)), loc(E));
  } else {
    kir::Expr *View = value(Sub);
    if (!View->Ty->isView() || View->Ty->Rank != 1)
      return refuse(E->getExprLoc(), "this conversion of a view");
    std::vector<kir::Expr *> Start{intConst(0, loc(E))};
    Place = M.make<kir::ViewElement>(View, std::move(Start), loc(E));
  }
  return convert(type(E), address(Place, E->getExprLoc()));
}

} // namespace ampc
