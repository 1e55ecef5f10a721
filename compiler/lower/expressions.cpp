// expressions.cpp - values: constants, conversions, and who lowers what.
//
// The order of evaluation: value() appends what must happen first to Out and
// returns a tree without assignments. Loads in the tree happen later, when the
// tree is evaluated. C allows that, because operands of one operator are not
// sequenced: whatever a sibling operand stores to is either not read here, or
// undefined behaviour, or (in a call) unspecified. Sequenced operands (`,` `&&`
// `||` `?:`) put their first operand behind a statement when the second needs
// any.
#include "lower/lowering.h"
#include "lower/trees.h"

using namespace clang;

namespace ampc {

const kir::Type *BodyLowering::type(const Expr *E) {
  return Shared.type(E->getType(), E->getBeginLoc());
}

kir::Expr *BodyLowering::value(const Expr *E) {
  kir::Expr *V = valueOf(E);
  const kir::Type *Scalar = V->Ty->scalar();
  UsesDouble |= Scalar->isFloat() && Scalar->Width == 64;
  return V;
}

kir::Expr *BodyLowering::valueOf(const Expr *E) {
  E = E->IgnoreParens(); // and _Generic, __extension__, __builtin_choose_expr
  if (kir::Expr *Constant = fold(E))
    return Constant;
  switch (E->getStmtClass()) {
  case Stmt::ImplicitCastExprClass:
  case Stmt::CStyleCastExprClass:
    return castValue(cast<CastExpr>(E));
  case Stmt::UnaryOperatorClass:
    return unaryOperator(cast<UnaryOperator>(E));
  case Stmt::BinaryOperatorClass:
    return binaryOperator(cast<BinaryOperator>(E));
  case Stmt::CompoundAssignOperatorClass:
    return compoundAssign(cast<CompoundAssignOperator>(E), true);
  case Stmt::ConditionalOperatorClass:
  case Stmt::BinaryConditionalOperatorClass:
    return conditional(cast<AbstractConditionalOperator>(E), true);
  case Stmt::CallExprClass:
    if (kir::Expr *V = call(cast<CallExpr>(E)))
      return V;
    return poison(loc(E));
  case Stmt::ImplicitValueInitExprClass:
  case Stmt::InitListExprClass:
    return initialiser(E, type(E));
  case Stmt::ExtVectorElementExprClass:
    return swizzle(cast<ExtVectorElementExpr>(E));
  case Stmt::ConvertVectorExprClass: {
    kir::Expr *V = value(cast<ConvertVectorExpr>(E)->getSrcExpr());
    return convert(type(E), V);
  }
  case Stmt::StmtExprClass:
    if (const Expr *Last = openStatementExpr(cast<StmtExpr>(E)))
      return rounded(value(Last));
    return poison(loc(E));
  case Stmt::OpaqueValueExprClass:
    if (kir::Variable *V = Opaque.lookup(cast<OpaqueValueExpr>(E)))
      return load(V, loc(E));
    break;
  case Stmt::CompoundLiteralExprClass:
    return initialiser(cast<CompoundLiteralExpr>(E)->getInitializer(), type(E));
  case Stmt::ArraySubscriptExprClass: {
    // `extent_of(v)[1]`: a lane of a vector that is no object.
    const Expr *Base = cast<ArraySubscriptExpr>(E)->getBase();
    Expr::EvalResult Lane;
    if (Base->getType()->isVectorType() && Base->isPRValue() &&
        cast<ArraySubscriptExpr>(E)->getIdx()->EvaluateAsInt(Lane, Ctx)) {
      kir::Expr *Vector = value(Base);
      llvm::APSInt N = Lane.Val.getInt();
      if (!N.isNegative() && N.getActiveBits() < 32 && Vector->Ty->isVector() &&
          N.getZExtValue() < Vector->Ty->Count)
        return lane(Vector, N.getZExtValue());
      return refuse(E->getExprLoc(), "a lane that the vector lacks");
    }
    return M.make<kir::Load>(place(E), loc(E));
  }
  case Stmt::DeclRefExprClass:
  case Stmt::MemberExprClass:
    return M.make<kir::Load>(place(E), loc(E));
  case Stmt::DesignatedInitUpdateExprClass:
    return initialiser(E, type(E));
  default:
    break;
  }
  return refuse(E->getExprLoc(), describe(E));
}

void BodyLowering::effect(const Expr *E) {
  E = E->IgnoreParens();
  if (isa<DeclRefExpr>(E->IgnoreParenCasts())) // `(void)x;`
    return;
  if (const auto *C = dyn_cast<CastExpr>(E); C && C->getType()->isVoidType())
    return effect(C->getSubExpr());
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (const auto *A = dyn_cast<CompoundAssignOperator>(B))
      return (void)compoundAssign(A, false);
    if (B->getOpcode() == BO_Assign)
      return (void)assign(B, false);
    if (B->getOpcode() == BO_Comma) {
      effect(B->getLHS());
      return effect(B->getRHS());
    }
    if (B->isLogicalOp()) {
      kir::Expr *Left = condition(B->getLHS());
      kir::Body Right = collect([&] { effect(B->getRHS()); });
      if (Right.empty() && !hasCall(Left))
        return;
      kir::Body Else;
      if (B->getOpcode() == BO_LOr)
        std::swap(Right, Else);
      return emit<kir::If>(Left, std::move(Right), std::move(Else), loc(E));
    }
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    if (U->isIncrementDecrementOp())
      return (void)increment(U, false);
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E))
    return (void)conditional(C, false);
  if (const auto *S = dyn_cast<StmtExpr>(E)) {
    if (const Expr *Last = openStatementExpr(S))
      effect(Last);
    return;
  }
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    kir::Expr *V = call(C);
    if (V && hasCall(V))
      emit<kir::Eval>(V, loc(E));
    return;
  }
  if (E->getType()->isVoidType()) {
    refuse(E->getExprLoc(), describe(E));
    return;
  }
  kir::Expr *V = value(E);
  if (hasCall(V))
    emit<kir::Eval>(V, loc(E));
}

/// Lanes of a vector, read.
kir::Expr *BodyLowering::swizzle(const ExtVectorElementExpr *E) {
  kir::Loc W = loc(E);
  Swizzled S = swizzled(E);
  kir::Expr *Vector;
  if (S.IsArrow || S.Base->isGLValue()) {
    kir::Expr *Place =
        S.IsArrow ? elementAt(S.Base, nullptr, E->getExprLoc()) : place(S.Base);
    // One lane of a vector in memory: the others need not be loaded.
    if (S.Lanes.size() == 1 && !isa<kir::VarRef>(Place))
      return M.make<kir::Load>(element(Place, intConst(S.Lanes[0], W), W), W);
    Vector = M.make<kir::Load>(Place, W);
  } else {
    Vector = value(S.Base);
  }
  for (unsigned L : S.Lanes)
    if (!Vector->Ty->isVector() || L >= Vector->Ty->Count)
      return poison(W);
  return M.make<kir::Swizzle>(type(E), Vector, S.Lanes, W);
}

kir::Expr *BodyLowering::condition(const Expr *E) {
  kir::Expr *V = value(E);
  if (!V->Ty->isScalar() && !V->Ty->isPointer())
    return refuse(E->getExprLoc(), "a condition of this type");
  return convert(M.boolType(), V);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// A sizeof in E whose value Clang gets wrong: on the host a view is a struct.
static const Expr *sizeOfView(const Stmt *E) {
  const auto *Size = dyn_cast_or_null<UnaryExprOrTypeTraitExpr>(E);
  if (Size && containsView(Size->getTypeOfArgument()))
    return Size;
  if (E)
    for (const Stmt *Child : E->children())
      if (const Expr *Found = sizeOfView(Child))
        return Found;
  return nullptr;
}

/// Does the value of S depend on a variable, as far as can be seen from its
/// parts? Clang's evaluator is asked about every operand on the way down, and
/// would look at all that is below each time.
bool BodyLowering::mentionsVariable(const Stmt *S) {
  auto Known = Mentions.find(S);
  if (Known != Mentions.end())
    return Known->second;
  bool Does = false;
  if (const auto *R = dyn_cast<DeclRefExpr>(S)) {
    const auto *D = dyn_cast<VarDecl>(R->getDecl());
    Does = D && (D->hasLocalStorage() || !D->getType().isConstQualified());
  } else if (const auto *L = dyn_cast<BinaryOperator>(S);
             L && L->isLogicalOp()) {
    Does = mentionsVariable(L->getLHS());
  } else if (const auto *C = dyn_cast<AbstractConditionalOperator>(S)) {
    Does = mentionsVariable(C->getCond());
  } else if (const auto *P = dyn_cast<ParenExpr>(S)) {
    Does = mentionsVariable(P->getSubExpr());
  } else if (isa<CastExpr, UnaryOperator, BinaryOperator, ArraySubscriptExpr>(
                 S)) {
    if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isCommaOp())
      Does = mentionsVariable(B->getRHS());
    else
      for (const Stmt *Child : S->children())
        Does |= mentionsVariable(Child);
  }
  return Mentions[S] = Does;
}

/// E as one constant, if Clang can tell; null otherwise.
kir::Expr *BodyLowering::fold(const Expr *E) {
  QualType T = E->getType();
  if (!E->isPRValue() || !T->isArithmeticType() || T->isAnyComplexType() ||
      isa<CallExpr>(E) || mentionsVariable(E))
    return nullptr;
  if (const auto *C = dyn_cast<ImplicitCastExpr>(E);
      C && C->getCastKind() == CK_LValueToRValue) {
    // Only a constant's value is worth asking for, and a local keeps its name.
    const auto *R = dyn_cast<DeclRefExpr>(C->getSubExpr()->IgnoreParens());
    const auto *D = R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr;
    if (!D || D->hasLocalStorage() || !D->getType().isConstQualified())
      return nullptr;
  }
  Expr::EvalResult Result;
  if (!E->EvaluateAsRValue(Result, Ctx) || Result.HasSideEffects ||
      !(Result.Val.isInt() || Result.Val.isFloat()))
    return nullptr;
  if (const Expr *Size = sizeOfView(E))
    return refuse(Size->getExprLoc(),
                       "the size of a type that holds a view");
  return Shared.constantTree(Result.Val, T, E->getBeginLoc());
}

kir::Expr *BodyLowering::intConst(int64_t V, kir::Loc W, const kir::Type *Ty) {
  if (!Ty)
    Ty = intType();
  uint64_t Bits = V;
  if (Ty->Width < 64)
    Bits &= (uint64_t(1) << Ty->Width) - 1;
  return M.make<kir::IntConst>(Ty, Bits, W);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// A conversion that C performs; to bool, undoes a comparison's way to int.
kir::Expr *BodyLowering::convert(const kir::Type *Ty, kir::Expr *E) {
  if (E->Ty == Ty)
    return E;
  if (Ty->isBool()) {
    if (auto *C = dyn_cast<kir::Convert>(E); C && C->Operand->Ty->isBool())
      return C->Operand;
    if (auto *C = dyn_cast<kir::IntConst>(E))
      return M.make<kir::BoolConst>(Ty, C->Value != 0, C->Where);
  }
  if (Ty->isInt())
    if (auto *C = dyn_cast<kir::IntConst>(E))
      return intConst(kir::extended(C->Ty, C->Value), C->Where, Ty);
  bool Scalars = Ty->isScalar() && E->Ty->isScalar();
  bool Vectors =
      Ty->isVector() && E->Ty->isVector() && Ty->Count == E->Ty->Count;
  bool Pointers = E->Ty->isPointer() && (Ty->isPointer() || Ty->isBool());
  if (!Scalars && !Vectors && !Pointers)
    return poison(E->Where);
  return M.make<kir::Convert>(Ty, E, E->Where);
}

kir::Expr *BodyLowering::castValue(const CastExpr *E) {
  const Expr *Sub = E->getSubExpr();
  if (viewType(E->getType()))
    return E->getCastKind() == CK_LValueToRValue ? viewLoad(E) : viewCast(E);
  bool IsPointer = E->getType()->isAnyPointerType() ||
                   Sub->getType()->isAnyPointerType();
  if (IsPointer && E->getCastKind() != CK_LValueToRValue &&
      E->getCastKind() != CK_ToVoid)
    return pointerCast(E);
  switch (E->getCastKind()) {
  case CK_LValueToRValue: {
    // A literal is its value, and so are the lanes of a vector.
    const Expr *Inner = Sub->IgnoreParens();
    if (isa<CompoundLiteralExpr, ExtVectorElementExpr>(Inner))
      return valueOf(Inner);
    return M.make<kir::Load>(place(Sub), loc(E));
  }
  case CK_NoOp:
    return isa<CStyleCastExpr>(E) ? rounded(value(Sub)) : value(Sub);
  case CK_IntegralCast:
  case CK_IntegralToBoolean:
  case CK_IntegralToFloating:
  case CK_FloatingToIntegral:
  case CK_FloatingToBoolean:
  case CK_FloatingCast:
  case CK_BooleanToSignedIntegral: {
    kir::Expr *V = value(Sub);
    return convert(type(E), V);
  }
  case CK_VectorSplat: {
    kir::Expr *V = value(Sub);
    const kir::Type *Ty = type(E);
    if (!Ty->isVector() || V->Ty != Ty->Element)
      return refuse(E->getExprLoc(), "this conversion to a vector");
    return splat(Ty, V);
  }
  case CK_BitCast:
    return reinterpret(E);
  case CK_ToVoid:
    effect(Sub);
    return poison(loc(E));
  default:
    break;
  }
  return refuse(E->getExprLoc(), "the conversion from '" +
                                          dialectName(Sub->getType(), Ctx) +
                                          "' to '" +
                                          dialectName(E->getType(), Ctx) + "'");
}

//===----------------------------------------------------------------------===//
// Building blocks
//===----------------------------------------------------------------------===//

kir::Expr *BodyLowering::binary(kir::BinaryOp Op, kir::Expr *L, kir::Expr *R,
                                kir::Loc W) {
  const kir::Type *Ty = kir::isComparison(Op) ? M.boolType() : L->Ty;
  return M.make<kir::Binary>(Op, Ty, L, R, W);
}

kir::Expr *BodyLowering::zero(const kir::Type *Ty, kir::Loc W) {
  if (Ty->isInt())
    return intConst(0, W, Ty);
  if (Ty->isFloat())
    return M.make<kir::FloatConst>(Ty, 0u, W);
  return M.make<kir::Zero>(Ty, W);
}

kir::Expr *BodyLowering::load(kir::Variable *V, kir::Loc W) {
  return M.make<kir::Load>(M.make<kir::VarRef>(V, W), W);
}

kir::Variable *BodyLowering::temporary(kir::Expr *Value) {
  auto *V = M.make<kir::Variable>();
  V->Name = "tmp";
  V->Ty = Value->Ty;
  V->Where = Value->Where;
  emit<kir::Declare>(V, Value, Value->Where);
  return V;
}

kir::Expr *BodyLowering::reusable(kir::Expr *E) {
  return isSmall(E) && isStable(E) ? E : load(temporary(E), E->Where);
}

kir::Expr *BodyLowering::splat(const kir::Type *Vector, kir::Expr *Scalar) {
  Scalar = reusable(Scalar);
  std::vector<kir::Expr *> Parts(1, Scalar);
  while (Parts.size() < Vector->Count)
    Parts.push_back(clone(M, Scalar));
  return M.make<kir::Construct>(Vector, std::move(Parts), Scalar->Where);
}

/// One lane of a vector; of a scalar (a rank-1 index) the scalar itself.
kir::Expr *BodyLowering::lane(kir::Expr *Vector, unsigned Lane) {
  if (!Vector->Ty->isVector())
    return Vector;
  if (auto *C = dyn_cast<kir::Construct>(Vector); C && !hasCall(C))
    return C->Parts[Lane];
  return M.make<kir::Swizzle>(Vector->Ty->Element, Vector,
                              std::vector<unsigned>{Lane}, Vector->Where);
}

/// All lanes; none may be used twice, and Vector no more.
std::vector<kir::Expr *> BodyLowering::lanes(kir::Expr *Vector) {
  if (auto *C = dyn_cast<kir::Construct>(Vector))
    if (C->Ty->isVector())
      return C->Parts;
  if (!Vector->Ty->isVector())
    return {Vector};
  Vector = reusable(Vector);
  std::vector<kir::Expr *> All;
  for (unsigned I = 0; I != Vector->Ty->Count; ++I)
    All.push_back(lane(I ? clone(M, Vector) : Vector, I));
  return All;
}

} // namespace ampc
