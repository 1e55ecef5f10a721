// operators.cpp - C's operators; assignments become Store statements.
#include "lower/lowering.h"
#include "lower/trees.h"

using namespace clang;

namespace ampc {

static kir::BinaryOp binaryOp(BinaryOperatorKind Op) {
  switch (Op) {
  case BO_Add:
  case BO_AddAssign:
    return kir::BinaryOp::Add;
  case BO_Sub:
  case BO_SubAssign:
    return kir::BinaryOp::Sub;
  case BO_Mul:
  case BO_MulAssign:
    return kir::BinaryOp::Mul;
  case BO_Div:
  case BO_DivAssign:
    return kir::BinaryOp::Div;
  case BO_Rem:
  case BO_RemAssign:
    return kir::BinaryOp::Rem;
  case BO_Shl:
  case BO_ShlAssign:
    return kir::BinaryOp::Shl;
  case BO_Shr:
  case BO_ShrAssign:
    return kir::BinaryOp::Shr;
  case BO_And:
  case BO_AndAssign:
    return kir::BinaryOp::And;
  case BO_Or:
  case BO_OrAssign:
    return kir::BinaryOp::Or;
  case BO_Xor:
  case BO_XorAssign:
    return kir::BinaryOp::Xor;
  case BO_EQ:
    return kir::BinaryOp::Eq;
  case BO_NE:
    return kir::BinaryOp::Ne;
  case BO_LT:
    return kir::BinaryOp::Lt;
  case BO_LE:
    return kir::BinaryOp::Le;
  case BO_GT:
    return kir::BinaryOp::Gt;
  case BO_GE:
    return kir::BinaryOp::Ge;
  default:
    llvm_unreachable("not an operator on two values");
  }
}

kir::BinaryOp ModuleLowering::comparison(BinaryOperatorKind Op) {
  return Op == BO_EQ   ? kir::BinaryOp::Eq
         : Op == BO_NE ? kir::BinaryOp::Ne
         : Op == BO_LT ? kir::BinaryOp::Lt
         : Op == BO_LE ? kir::BinaryOp::Le
         : Op == BO_GT ? kir::BinaryOp::Gt
                       : kir::BinaryOp::Ge;
}

//===----------------------------------------------------------------------===//
// Assignment
//===----------------------------------------------------------------------===//

/// Where E, an lvalue, is. Twice: the place will be loaded from and stored to.
BodyLowering::Target BodyLowering::target(const Expr *E, bool Twice) {
  E = E->IgnoreParens();
  Target T{nullptr, {}, type(E)};
  const auto *X = dyn_cast<ExtVectorElementExpr>(E);
  if (X && type(E)->isVector()) {
    Swizzled S = swizzled(X);
    T.Place =
        S.IsArrow ? elementAt(S.Base, nullptr, E->getExprLoc()) : place(S.Base);
    T.Lanes = S.Lanes;
  } else {
    T.Place = place(E);
  }
  if (Twice || T.Lanes.size() > 1)
    stabilise(T.Place);
  return T;
}

kir::Expr *BodyLowering::load(const Target &T, kir::Loc W) {
  auto *L = M.make<kir::Load>(clone(M, T.Place), W);
  if (T.Lanes.empty())
    return L;
  return M.make<kir::Swizzle>(T.Ty, L, T.Lanes, W);
}

void BodyLowering::store(const Target &T, kir::Expr *Value, kir::Loc W) {
  if (T.Lanes.empty())
    return emit<kir::Store>(T.Place, Value, W);
  // All lanes are read before the first is written: `v.xy = v.yx`.
  kir::Variable *All = temporary(Value);
  for (unsigned I = 0; I != T.Lanes.size(); ++I)
    emit<kir::Store>(element(clone(M, T.Place), intConst(T.Lanes[I], W), W),
                     lane(load(All, W), I), W);
}

/// Stores Value; gives it again if Used.
kir::Expr *BodyLowering::finish(const Target &T, kir::Expr *Value, bool Used,
                                kir::Loc W) {
  if (!Used) {
    store(T, Value, W);
    return nullptr;
  }
  // The store may change what Value reads: only a constant outlives it as is.
  if (!isa<kir::IntConst, kir::FloatConst, kir::BoolConst>(Value))
    Value = load(temporary(Value), W);
  store(T, Value, W);
  return clone(M, Value);
}

kir::Expr *BodyLowering::assign(const BinaryOperator *E, bool Used) {
  kir::Loc W = loc(E->getOperatorLoc());
  Target T = target(E->getLHS(), false);
  kir::Expr *Value = value(E->getRHS());
  return finish(T, convert(T.Ty, Value), Used, W);
}

kir::Expr *BodyLowering::compoundAssign(const CompoundAssignOperator *E,
                                        bool Used) {
  kir::Loc W = loc(E->getOperatorLoc());
  Target T = target(E->getLHS(), true);
  kir::Expr *Right = value(E->getRHS());
  kir::Expr *Value;
  if (T.Ty->isView()) {
    if (E->getOpcode() != BO_AddAssign)
      return refuse(E->getOperatorLoc(), "this operator on a view");
    Value = offset(load(T, W), Right, W);
  } else if (T.Ty->isPointer()) {
    if (E->getOpcode() == BO_SubAssign)
      Right = negative(Right);
    Value = advance(load(T, W), Right, E->getOperatorLoc());
  } else {
    const kir::Type *Computed =
        Shared.type(E->getComputationLHSType(), E->getOperatorLoc());
    kir::Expr *Left = convert(Computed, load(T, W));
    if (!E->isShiftAssignOp())
      Right = convert(Computed, Right);
    UsesDouble |= Computed->isFloat() && Computed->Width == 64;
    Value = contracted(binary(binaryOp(E->getOpcode()), Left, Right, W),
                       E->getFPFeaturesInEffect(Ctx.getLangOpts()));
    Value = convert(T.Ty, Value);
  }
  return finish(T, Value, Used, W);
}

kir::Expr *BodyLowering::increment(const UnaryOperator *E, bool Used) {
  kir::Loc W = loc(E->getOperatorLoc());
  Target T = target(E->getSubExpr(), true);
  const kir::Type *Scalar = T.Ty->scalar();
  if (!T.Ty->isVector() && !T.Ty->isScalar() && !T.Ty->isPointer())
    return refuse(E->getOperatorLoc(), "++ and -- on a view");
  bool IsPromoted = T.Ty->isBool() || (T.Ty->isInt() && T.Ty->Width < 32);
  const kir::Type *Computed = IsPromoted ? intType() : T.Ty;
  kir::Expr *One;
  if (T.Ty->isPointer())
    One = intConst(E->isIncrementOp() ? 1 : -1, W);
  else if (Scalar->isFloat())
    One = M.make<kir::FloatConst>(
        Scalar, Scalar->Width == 32 ? 0x3f800000u : 0x3ff0000000000000u, W);
  else
    One = intConst(1, W, Computed->scalar());
  if (Computed->isVector())
    One = splat(Computed, One);

  kir::Expr *Old = load(T, W);
  if (Used && E->isPostfix())
    Old = load(temporary(Old), W);
  kir::Expr *From = Used ? clone(M, Old) : Old, *New;
  if (T.Ty->isPointer())
    New = advance(From, One, E->getOperatorLoc());
  else
    New = convert(T.Ty, binary(E->isIncrementOp() ? kir::BinaryOp::Add
                                                  : kir::BinaryOp::Sub,
                               convert(Computed, From), One, W));
  if (Used && E->isPrefix())
    New = load(temporary(New), W);
  store(T, New, W);
  if (!Used)
    return nullptr;
  return E->isPostfix() ? Old : clone(M, New);
}

//===----------------------------------------------------------------------===//
// Contraction
//===----------------------------------------------------------------------===//

/// The product that E is, or the negative of which.
static kir::Expr *productIn(kir::Expr *E) {
  while (auto *U = dyn_cast<kir::Unary>(E))
    E = U->Operand;
  return E;
}

/// E, an operation just made, marked with what FP_CONTRACT and -ffp-contract
/// let become of it. "fast": whatever is a sum or a product. "on": a sum and a
/// product that is its term, and so is in the same expression. Sums are made
/// after their terms, so a product waits for its sum.
kir::Expr *BodyLowering::contracted(kir::Expr *E, FPOptions Options) {
  if (!E->Ty->scalar()->isFloat())
    return E;
  bool IsAnywhere = Options.allowFPContractAcrossStatement();
  if (auto *U = dyn_cast<kir::Unary>(E)) {
    U->Contract = IsAnywhere;
    return E;
  }
  auto *B = cast<kir::Binary>(E);
  bool IsSum = B->Op == kir::BinaryOp::Add || B->Op == kir::BinaryOp::Sub;
  bool IsProduct = B->Op == kir::BinaryOp::Mul;
  if (IsAnywhere)
    B->Contract = IsSum || IsProduct;
  else if (IsProduct && Options.allowFPContractWithinStatement())
    Products.insert(B);
  else if (IsSum && Options.allowFPContractWithinStatement())
    for (kir::Expr *Term : {B->Left, B->Right}) {
      kir::Expr *Product = productIn(Term);
      if (!Products.count(Product))
        continue;
      for (; Term != Product; Term = cast<kir::Unary>(Term)->Operand)
        cast<kir::Unary>(Term)->Contract = true;
      B->Contract = cast<kir::Binary>(Product)->Contract = true;
    }
  return E;
}

/// E after a cast, or at the end of an expression: no term of a sum any more.
kir::Expr *BodyLowering::rounded(kir::Expr *E) {
  Products.erase(productIn(E));
  return E;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

kir::Expr *BodyLowering::unaryOperator(const UnaryOperator *E) {
  if (E->isIncrementDecrementOp())
    return increment(E, true);
  kir::Loc W = loc(E);
  switch (E->getOpcode()) {
  case UO_Plus:
    return value(E->getSubExpr());
  case UO_Minus:
  case UO_Not: {
    kir::Expr *V = value(E->getSubExpr());
    if (!V->Ty->scalar()->isInt() && !V->Ty->scalar()->isFloat())
      return poison(W);
    if (E->getOpcode() == UO_Minus)
      return contracted(M.make<kir::Unary>(kir::UnaryOp::Neg, V, W),
                        E->getFPFeaturesInEffect(Ctx.getLangOpts()));
    if (!V->Ty->isVector())
      return M.make<kir::Unary>(kir::UnaryOp::BitNot, V, W);
    return binary(kir::BinaryOp::Xor, V,
                  splat(V->Ty, intConst(-1, W, V->Ty->Element)), W);
  }
  case UO_LNot: {
    if (E->getType()->isVectorType())
      return mask(type(E), tests(value(E->getSubExpr()), false), W);
    kir::Expr *C = condition(E->getSubExpr());
    return convert(type(E), M.make<kir::Unary>(kir::UnaryOp::LogicalNot, C, W));
  }
  case UO_Deref:
    if (viewType(E->getType())) // `*v` of rank 2 and more
      return project(value(E->getSubExpr()), intConst(0, W), W);
    return M.make<kir::Load>(place(E), W);
  case UO_AddrOf:
    return addressOf(E);
  default:
    return refuse(E->getExprLoc(), "complex numbers");
  }
}

kir::Expr *BodyLowering::binaryOperator(const BinaryOperator *E) {
  kir::Loc W = loc(E->getOperatorLoc());
  const Expr *L = E->getLHS(), *R = E->getRHS();
  switch (E->getOpcode()) {
  case BO_Assign:
    return assign(E, true);
  case BO_Comma:
    effect(L);
    return value(R);
  case BO_LAnd:
  case BO_LOr:
    return logical(E);
  case BO_PtrMemD:
  case BO_PtrMemI:
  case BO_Cmp:
    return refuse(E->getOperatorLoc(), "this operator");
  default:
    break;
  }
  bool LeftView = viewType(L->getType()).has_value();
  bool RightView = viewType(R->getType()).has_value();
  if (LeftView || RightView) {
    if (E->getOpcode() != BO_Add)
      return refuse(E->getOperatorLoc(), "this operator on a view");
    kir::Expr *View = value(LeftView ? L : R);
    return offset(View, value(LeftView ? R : L), W);
  }
  if (L->getType()->isAnyPointerType() || R->getType()->isAnyPointerType())
    return pointerOperator(E);
  if (E->isComparisonOp() && E->getType()->isVectorType())
    return vectorOperator(E);
  kir::Expr *Left = value(L), *Right = value(R);
  if (!E->isShiftOp() && Left->Ty != Right->Ty)
    Right = convert(Left->Ty, Right);
  kir::Expr *Value = contracted(binary(binaryOp(E->getOpcode()), Left, Right, W),
                                E->getFPFeaturesInEffect(Ctx.getLangOpts()));
  return E->isComparisonOp() ? convert(type(E), Value) : Value;
}

kir::Expr *BodyLowering::logical(const BinaryOperator *E) {
  kir::Loc W = loc(E->getOperatorLoc());
  bool IsAnd = E->getOpcode() == BO_LAnd;
  if (E->getType()->isVectorType())
    return vectorOperator(E);
  kir::Expr *Left = condition(E->getLHS()), *Right = nullptr;
  kir::Body Before = collect([&] { Right = condition(E->getRHS()); });
  if (Before.empty())
    return convert(type(E), M.make<kir::Logical>(IsAnd, Left, Right, W));

  // The right operand needs statements: they run only if it is evaluated.
  kir::Variable *Result = temporary(Left);
  Before.push_back(
      M.make<kir::Store>(M.make<kir::VarRef>(Result, W), Right, W));
  kir::Expr *Test = load(Result, W);
  if (!IsAnd)
    Test = M.make<kir::Unary>(kir::UnaryOp::LogicalNot, Test, W);
  emit<kir::If>(Test, std::move(Before), kir::Body(), W);
  return convert(type(E), load(Result, W));
}

/// A `?:` that is the last operand of another, and so on, as long as it is too
/// many to nest: an if with as many branches.
kir::Expr *BodyLowering::conditionalChain(const ConditionalOperator *E) {
  constexpr size_t Longest = 32;
  std::vector<const ConditionalOperator *> Links;
  const Expr *Last = E;
  while (const auto *Next = dyn_cast<ConditionalOperator>(Last->IgnoreParens())) {
    Links.push_back(Next);
    Last = Next->getFalseExpr();
  }
  QualType T = E->getType();
  if (Links.size() <= Longest || T->isVoidType() || T->isVectorType())
    return nullptr;
  auto Result = M.make<kir::Variable>();
  Result->Name = "tmp";
  Result->Ty = type(E);
  Result->Where = loc(E->getQuestionLoc());
  emit<kir::Declare>(Result, nullptr, Result->Where);
  auto Give = [&](const Expr *Side) {
    kir::Expr *Value = value(Side);
    if (Value->Ty != Result->Ty)
      Value = convert(Result->Ty, Value);
    kir::Loc W = loc(Side);
    emit<kir::Store>(M.make<kir::VarRef>(Result, W), Value, W);
  };
  chain(
      Links.size(), [&](size_t I) { return condition(Links[I]->getCond()); },
      [&](size_t I) { Give(Links[I]->getTrueExpr()); }, [&] { Give(Last); },
      [&](size_t I) { return loc(Links[I]->getQuestionLoc()); });
  return load(Result, Result->Where);
}

kir::Expr *BodyLowering::conditional(const AbstractConditionalOperator *E,
                                     bool Used) {
  kir::Expr *Value = nullptr;
  if (!nest(E->getQuestionLoc(), [&] { Value = conditionalHere(E, Used); }))
    return poison(loc(E->getQuestionLoc()));
  return Value;
}

kir::Expr *BodyLowering::conditionalHere(const AbstractConditionalOperator *E,
                                         bool Used) {
  if (const auto *C = dyn_cast<ConditionalOperator>(E); C && Used)
    if (kir::Expr *Value = conditionalChain(C))
      return Value;
  kir::Loc W = loc(E->getQuestionLoc());
  if (const auto *B = dyn_cast<BinaryConditionalOperator>(E))
    Opaque[B->getOpaqueValue()] = temporary(value(B->getCommon()));
  if (E->getCond()->getType()->isVectorType())
    return vectorConditional(E);
  kir::Expr *Condition = condition(E->getCond());
  bool IsVoid = !Used || E->getType()->isVoidType();
  kir::Expr *True = nullptr, *False = nullptr;
  auto Operand = [&](const Expr *Side, kir::Expr *&Value) {
    return collect([&] {
      if (IsVoid)
        effect(Side);
      else
        Value = value(Side);
    });
  };
  kir::Body Then = Operand(E->getTrueExpr(), True);
  kir::Body Else = Operand(E->getFalseExpr(), False);
  if (IsVoid) {
    if (!Then.empty() || !Else.empty() || hasCall(Condition))
      emit<kir::If>(Condition, std::move(Then), std::move(Else), W);
    return Used ? poison(W) : nullptr;
  }
  if (False->Ty != True->Ty)
    False = convert(True->Ty, False);
  if (Then.empty() && Else.empty() &&
      (True->Ty->isScalar() || True->Ty->isVector() ||
       True->Ty->isPointer()))
    return M.make<kir::Select>(Condition, True, False, W);

  auto *Result = M.make<kir::Variable>();
  Result->Name = "tmp";
  Result->Ty = True->Ty;
  Result->Where = W;
  emit<kir::Declare>(Result, nullptr, W);
  Then.push_back(M.make<kir::Store>(M.make<kir::VarRef>(Result, W), True, W));
  Else.push_back(M.make<kir::Store>(M.make<kir::VarRef>(Result, W), False, W));
  emit<kir::If>(Condition, std::move(Then), std::move(Else), W);
  return load(Result, W);
}

} // namespace ampc
