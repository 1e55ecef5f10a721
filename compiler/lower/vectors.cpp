// vectors.cpp - comparisons, `!`, `&&`, `||` and `?:` of short vectors.
//
// As Clang defines them for ext_vector_type: a comparison gives a vector of
// integers as wide as its lanes, -1 where it holds and 0 elsewhere; `?:` looks
// at the sign bit of each lane of its condition, and evaluates both sides.
#include "lower/lowering.h"
#include "lower/trees.h"

using namespace clang;

namespace ampc {

/// A vector of type Ty (of integers): -1 where a bool holds.
kir::Expr *BodyLowering::mask(const kir::Type *Ty,
                              std::vector<kir::Expr *> Bools, kir::Loc W) {
  if (!Ty->isVector() || !Ty->Element->isInt() || Bools.size() != Ty->Count)
    return poison(W);
  for (kir::Expr *&B : Bools)
    B = M.make<kir::Select>(B, intConst(-1, W, Ty->Element),
                            intConst(0, W, Ty->Element), W);
  return M.make<kir::Construct>(Ty, std::move(Bools), W);
}

/// Whether each lane is (not) zero.
std::vector<kir::Expr *> BodyLowering::tests(kir::Expr *Vector, bool NotZero) {
  std::vector<kir::Expr *> Bools = lanes(Vector);
  for (kir::Expr *&L : Bools)
    L = binary(NotZero ? kir::BinaryOp::Ne : kir::BinaryOp::Eq, L,
               zero(L->Ty, L->Where), L->Where);
  return Bools;
}

kir::Expr *BodyLowering::vectorOperator(const BinaryOperator *E) {
  kir::Loc W = loc(E->getOperatorLoc());
  kir::Expr *L = value(E->getLHS()), *R = value(E->getRHS());
  if (!L->Ty->isVector() || !R->Ty->isVector() || L->Ty->Count != R->Ty->Count)
    return refuse(E->getOperatorLoc(), "this operator on vectors");
  std::vector<kir::Expr *> Bools;
  if (E->isLogicalOp()) {
    Bools = tests(L, true);
    std::vector<kir::Expr *> Right = tests(R, true);
    for (size_t I = 0; I != Bools.size(); ++I)
      Bools[I] = binary(E->getOpcode() == BO_LAnd ? kir::BinaryOp::And
                                                  : kir::BinaryOp::Or,
                        Bools[I], Right[I], W);
  } else {
    Bools = lanes(L);
    std::vector<kir::Expr *> Right = lanes(R);
    for (size_t I = 0; I != Bools.size(); ++I)
      Bools[I] = binary(Shared.comparison(E->getOpcode()), Bools[I],
                        convert(Bools[I]->Ty, Right[I]), W);
  }
  return mask(type(E), std::move(Bools), W);
}

kir::Expr *
BodyLowering::vectorConditional(const AbstractConditionalOperator *E) {
  kir::Loc W = loc(E->getQuestionLoc());
  const kir::Type *Ty = type(E);
  std::vector<kir::Expr *> Bools = lanes(value(E->getCond()));
  kir::Expr *True = value(E->getTrueExpr()), *False = value(E->getFalseExpr());
  auto Lanes = [&](kir::Expr *V) {
    return lanes(V->Ty->isVector() || !Ty->isVector() ? V : splat(Ty, V));
  };
  std::vector<kir::Expr *> T = Lanes(True), F = Lanes(False);
  if (!Ty->isVector() || Bools.size() != Ty->Count || T.size() != Ty->Count ||
      F.size() != Ty->Count)
    return refuse(E->getQuestionLoc(), "this ?: on vectors");
  for (size_t I = 0; I != Bools.size(); ++I) {
    if (!Bools[I]->Ty->isInt())
      return refuse(E->getQuestionLoc(), "this ?: on vectors");
    const kir::Type *Signed = M.intType(Bools[I]->Ty->Width);
    kir::Expr *Holds = binary(kir::BinaryOp::Lt, convert(Signed, Bools[I]),
                              intConst(0, W, Signed), W);
    Bools[I] = M.make<kir::Select>(Holds, convert(Ty->Element, T[I]),
                                   convert(Ty->Element, F[I]), W);
  }
  return M.make<kir::Construct>(Ty, std::move(Bools), W);
}

/// A cast that keeps the bits: between vectors, or a vector and a scalar.
kir::Expr *BodyLowering::reinterpret(const CastExpr *E) {
  const kir::Type *To = type(E), *From = type(E->getSubExpr());
  auto Bits = [](const kir::Type *T) {
    return T->scalar()->Width * (T->isVector() ? T->Count : 1);
  };
  kir::Expr *V = value(E->getSubExpr());
  if (!Bits(To) || Bits(To) != Bits(From))
    return refuse(E->getExprLoc(), "this conversion of a vector");
  return To == V->Ty ? V : M.make<kir::Bitcast>(To, V, loc(E));
}

} // namespace ampc
