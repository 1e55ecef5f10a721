//===- values.cpp - values except arithmetic ------------------------------===//

#include "spirv/emitter.h"

using namespace ampc::kir;
using llvm::cast;
using llvm::dyn_cast;

namespace ampc::spirv {

/// Counts the nodes of a value that may be computed although it is not wanted:
/// no side effects, no memory of the accelerator, no undefined division. More
/// than Limit means "too dear".
static unsigned costOf(const Expr *E, unsigned Limit) {
  const unsigned TooDear = Limit + 1;
  switch (E->K) {
  case Expr::Kind::IntConst:
  case Expr::Kind::FloatConst:
  case Expr::Kind::BoolConst:
    return 0;
  case Expr::Kind::Load: {
    auto *V = dyn_cast<VarRef>(cast<Load>(E)->Place);
    return V && isLeaf(V->Ty) ? 1 : TooDear;
  }
  case Expr::Kind::Unary:
    return 1 + costOf(cast<Unary>(E)->Operand, Limit);
  case Expr::Kind::Convert:
    return E->Ty->isView() ? TooDear
                           : 1 + costOf(cast<Convert>(E)->Operand, Limit);
  case Expr::Kind::Binary: {
    auto *B = cast<kir::Binary>(E);
    if (!B->Left->Ty->scalar()->isFloat() &&
        (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem))
      return TooDear;
    return 1 + costOf(B->Left, Limit) + costOf(B->Right, Limit);
  }
  case Expr::Kind::Logical:
    return 1 + costOf(cast<Logical>(E)->Left, Limit) +
           costOf(cast<Logical>(E)->Right, Limit);
  default:
    return TooDear;
  }
}

static bool isCheap(const Expr *E) {
  constexpr unsigned Limit = 6;
  return costOf(E, Limit) <= Limit;
}

Id Emitter::splat(const Type *Ty, Id Scalar) {
  if (!Ty->isVector())
    return Scalar;
  llvm::SmallVector<Id, 4> Lanes(Ty->Count, Scalar);
  return W.constantComposite(T.value(Ty), Lanes);
}

Id Emitter::zero(const Type *Ty) {
  if (Ty->isInt())
    return W.constantInt(valueWidth(Ty), 0);
  if (Ty->isFloat())
    return W.constantFloat(Ty->Width, 0);
  if (Ty->isBool())
    return W.constantBool(false);
  return W.constantNull(T.value(Ty));
}

Id Emitter::constant(const Expr *E) {
  switch (E->K) {
  case Expr::Kind::IntConst:
    return W.constantInt(valueWidth(E->Ty),
                         extended(E->Ty, cast<IntConst>(E)->Value));
  case Expr::Kind::FloatConst:
    return W.constantFloat(E->Ty->Width, cast<FloatConst>(E)->Bits);
  case Expr::Kind::BoolConst:
    return W.constantBool(cast<BoolConst>(E)->Value);
  case Expr::Kind::Zero:
    return zero(E->Ty);
  case Expr::Kind::Construct:
    if (!(E->Ty->isStruct() && E->Ty->IsUnion)) {
      llvm::SmallVector<Id, 16> Parts;
      for (const Expr *Part : cast<Construct>(E)->Parts)
        Parts.push_back(constant(Part));
      return W.constantComposite(T.value(E->Ty), Parts);
    }
    [[fallthrough]];
  default:
    unsupported("a constant with this initialiser");
    return W.undef(T.value(E->Ty));
  }
}

/// Evaluates one of two values.
Id Emitter::choose(const Type *Ty, Id Condition, llvm::function_ref<Id()> True,
                   llvm::function_ref<Id()> False) {
  Id Type = T.value(Ty), Result = functionVariable(Type);
  Id TrueBlock = W.newId(), FalseBlock = W.newId(), Merge = W.newId();
  emitPlain(spv::Op::OpSelectionMerge, {Merge, 0});
  endBlock(spv::Op::OpBranchConditional, {Condition, TrueBlock, FalseBlock});
  startBlock(TrueBlock);
  Id TrueValue = True();
  emitPlain(spv::Op::OpStore, {Result, TrueValue});
  branch(Merge);
  startBlock(FalseBlock);
  Id FalseValue = False();
  emitPlain(spv::Op::OpStore, {Result, FalseValue});
  branch(Merge);
  startBlock(Merge);
  return emit(spv::Op::OpLoad, Type, {Result});
}

Id Emitter::construct(const Construct *E) {
  llvm::SmallVector<Id, 16> Parts;
  for (const Expr *Part : E->Parts)
    Parts.push_back(value(Part));
  if (!E->Ty->IsUnion)
    return emit(spv::Op::OpCompositeConstruct, T.value(E->Ty), Parts);

  // A union is an array of words: write its member there.
  Place Union;
  Union.K = Place::Kind::Object;
  Union.Ty = E->Ty;
  Union.Pointer = functionVariable(T.value(E->Ty));
  emitPlain(spv::Op::OpStore, {Union.Pointer, zero(E->Ty)});
  if (!Parts.empty())
    store(member(Union, E->Field), Parts[0]);
  return emit(spv::Op::OpLoad, T.value(E->Ty), {Union.Pointer});
}

Id Emitter::call(const Call *E) {
  const EmittedFunction &Callee = Emitted[E->Callee];
  llvm::SmallVector<Id, 8> Operands{Callee.Function};
  for (size_t I = 0; I != E->Args.size(); ++I) {
    const Expr *Arg = E->Args[I];
    Operands.push_back(Arg->Ty->isView()
                           ? packView(Arg->Ty, view(Arg, Callee.Needs[I]))
                           : value(Arg));
  }
  // Inlining moves the rest of the block: for each call of a long one.
  constexpr size_t LongBlock = 500;
  if (Code.size() - BlockStart > LongBlock) {
    Id Next = W.newId();
    branch(Next);
    startBlock(Next);
  }
  return emit(spv::Op::OpFunctionCall, T.value(E->Ty), Operands);
}

Id Emitter::value(const Expr *E) {
  switch (E->K) {
  case Expr::Kind::IntConst:
  case Expr::Kind::FloatConst:
  case Expr::Kind::BoolConst:
  case Expr::Kind::Zero:
    return constant(E);
  case Expr::Kind::Load:
    return load(place(cast<Load>(E)->Place));
  case Expr::Kind::Unary:
    return unary(cast<Unary>(E));
  case Expr::Kind::Binary:
    return binary(cast<kir::Binary>(E));
  case Expr::Kind::Logical: {
    auto *L = cast<Logical>(E);
    Id Left = value(L->Left);
    if (isCheap(L->Right))
      return emit(L->IsAnd ? spv::Op::OpLogicalAnd : spv::Op::OpLogicalOr,
                  W.boolType(), {Left, value(L->Right)});
    auto Right = [&] { return value(L->Right); };
    auto Known = [&] { return W.constantBool(!L->IsAnd); };
    return L->IsAnd ? choose(E->Ty, Left, Right, Known)
                    : choose(E->Ty, Left, Known, Right);
  }
  case Expr::Kind::Select: {
    auto *S = cast<Select>(E);
    Id Condition = value(S->Condition);
    if (isCheap(S->True) && isCheap(S->False)) {
      Id True = value(S->True), False = value(S->False);
      return emit(spv::Op::OpSelect, T.value(E->Ty), {Condition, True, False});
    }
    return choose(
        E->Ty, Condition, [&] { return value(S->True); },
        [&] { return value(S->False); });
  }
  case Expr::Kind::Convert:
    if (E->Ty->isView() || E->Ty->isPointer())
      return value(cast<Convert>(E)->Operand);
    if (cast<Convert>(E)->Operand->Ty->isPointer())
      return isNotNull(value(cast<Convert>(E)->Operand));
    return convert(E->Ty, cast<Convert>(E)->Operand->Ty,
                   value(cast<Convert>(E)->Operand));
  case Expr::Kind::Bitcast: {
    Id Operand = value(cast<Bitcast>(E)->Operand);
    Id From = T.value(cast<Bitcast>(E)->Operand->Ty), To = T.value(E->Ty);
    return From == To ? Operand : emit(spv::Op::OpBitcast, To, {Operand});
  }
  case Expr::Kind::Construct:
    return construct(cast<Construct>(E));
  case Expr::Kind::Swizzle: {
    auto *S = cast<Swizzle>(E);
    Id Operand = value(S->Operand);
    if (S->Lanes.size() == 1)
      return emit(spv::Op::OpCompositeExtract, T.value(E->Ty),
                  {Operand, S->Lanes[0]});
    llvm::SmallVector<Id, 6> Operands{Operand, Operand};
    Operands.append(S->Lanes.begin(), S->Lanes.end());
    return emit(spv::Op::OpVectorShuffle, T.value(E->Ty), Operands);
  }
  case Expr::Kind::Call:
    return call(cast<Call>(E));
  case Expr::Kind::Intrinsic:
    return intrinsic(cast<Intrinsic>(E));
  case Expr::Kind::ViewExtent: {
    auto *X = cast<ViewExtent>(E);
    return view(X->View, ViewNeed::extent(X->Dimension)).Extent[X->Dimension];
  }
  case Expr::Kind::ViewSection:
  case Expr::Kind::ViewProject:
  case Expr::Kind::ViewReinterpret:
  case Expr::Kind::ViewReshape:
    return packView(E->Ty, view(E, ViewNeed::all(E->Ty->Rank)));
  case Expr::Kind::AddressOf:
    return addressOf(cast<AddressOf>(E));
  case Expr::Kind::PointerAdd:
    return pointerAdd(cast<PointerAdd>(E));
  case Expr::Kind::PointerDifference:
    return pointerDifference(cast<PointerDifference>(E));
  case Expr::Kind::VarRef:
  case Expr::Kind::Member:
  case Expr::Kind::Element:
  case Expr::Kind::ViewElement:
  case Expr::Kind::Deref:
    break; // places are loaded through Load only
  }
  return 0;
}

} // namespace ampc::spirv
