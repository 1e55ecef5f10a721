//===- arithmetic.cpp - operators and conversions -------------------------===//
//
// C's meaning, where the nearest SPIR-V instruction has another:
//   a % b, signed   a - (a / b) * b: OpSRem and OpSMod are not to be trusted
//                   with negative operands on Vulkan
//   a << b, a >> b  the count is masked with the width of the left operand
//   a != b, floats  unordered: true for a NaN
// Signed arithmetic wraps: nothing is decorated NoSignedWrap.
//
//===----------------------------------------------------------------------===//

#include "spirv/emitter.h"

using namespace ampc::kir;
using spv::Op;

namespace ampc::spirv {

Id Emitter::unary(const Unary *E) {
  Id Operand = value(E->Operand), Type = T.value(E->Ty);
  switch (E->Op) {
  case UnaryOp::Neg:
    return E->Ty->scalar()->isFloat() ? emitFloat(Op::OpFNegate, Type, {Operand},
                                                  E->Contract)
                                      : emit(Op::OpSNegate, Type, {Operand});
  case UnaryOp::BitNot:
    return emit(Op::OpNot, Type, {Operand});
  case UnaryOp::LogicalNot:
    return emit(Op::OpLogicalNot, Type, {Operand});
  }
  return 0;
}

Id Emitter::shift(const kir::Binary *E) {
  Id Left = value(E->Left), Count = value(E->Right);
  const Type *Scalar = E->Ty->scalar(), *CountType = E->Right->Ty;
  uint64_t Mask = Scalar->Width - 1;
  unsigned Width = Scalar->Width, CountWidth = CountType->scalar()->Width;
  // A count as wide as what is shifted: SPIR-V takes any, but NVIDIA's driver
  // (580) miscounts when a 32-bit constant is shifted by a 64-bit value.
  if (const uint64_t *Known = W.constantValue(Count)) {
    Count = W.constantInt(CountType->isVector() ? CountWidth : Width,
                          *Known & Mask);
  } else {
    Count = emit(Op::OpBitwiseAnd, T.value(CountType),
                 {Count, splat(CountType, W.constantInt(CountWidth, Mask))});
    if (CountWidth != Width && !CountType->isVector())
      Count = emit(Op::OpUConvert, W.intType(Width), {Count});
  }
  Op Which = E->Op == BinaryOp::Shl ? Op::OpShiftLeftLogical
             : Scalar->Signed       ? Op::OpShiftRightArithmetic
                                    : Op::OpShiftRightLogical;
  return emit(Which, T.value(E->Ty), {Left, Count});
}

namespace {
/// The instruction for each kind of operand; OpNop where there is none.
struct Choice {
  Op Float, Signed, Unsigned, Bool;
};
} // namespace

static Choice choiceFor(BinaryOp Which) {
  constexpr Op No = Op::OpNop;
  switch (Which) {
  case BinaryOp::Add:
    return {Op::OpFAdd, Op::OpIAdd, Op::OpIAdd, No};
  case BinaryOp::Sub:
    return {Op::OpFSub, Op::OpISub, Op::OpISub, No};
  case BinaryOp::Mul:
    return {Op::OpFMul, Op::OpIMul, Op::OpIMul, No};
  case BinaryOp::Div:
    return {Op::OpFDiv, Op::OpSDiv, Op::OpUDiv, No};
  case BinaryOp::Rem: // signed: see binary()
    return {No, No, Op::OpUMod, No};
  case BinaryOp::Shl:
  case BinaryOp::Shr: // see shift()
    return {No, No, No, No};
  case BinaryOp::And:
    return {No, Op::OpBitwiseAnd, Op::OpBitwiseAnd, Op::OpLogicalAnd};
  case BinaryOp::Or:
    return {No, Op::OpBitwiseOr, Op::OpBitwiseOr, Op::OpLogicalOr};
  case BinaryOp::Xor:
    return {No, Op::OpBitwiseXor, Op::OpBitwiseXor, Op::OpLogicalNotEqual};
  case BinaryOp::Eq:
    return {Op::OpFOrdEqual, Op::OpIEqual, Op::OpIEqual, Op::OpLogicalEqual};
  case BinaryOp::Ne:
    return {Op::OpFUnordNotEqual, Op::OpINotEqual, Op::OpINotEqual,
            Op::OpLogicalNotEqual};
  case BinaryOp::Lt:
    return {Op::OpFOrdLessThan, Op::OpSLessThan, Op::OpULessThan, No};
  case BinaryOp::Le:
    return {Op::OpFOrdLessThanEqual, Op::OpSLessThanEqual,
            Op::OpULessThanEqual, No};
  case BinaryOp::Gt:
    return {Op::OpFOrdGreaterThan, Op::OpSGreaterThan, Op::OpUGreaterThan, No};
  case BinaryOp::Ge:
    return {Op::OpFOrdGreaterThanEqual, Op::OpSGreaterThanEqual,
            Op::OpUGreaterThanEqual, No};
  }
  return {No, No, No, No};
}

Id Emitter::binary(const kir::Binary *E) {
  if (E->Op == BinaryOp::Shl || E->Op == BinaryOp::Shr)
    return shift(E);
  if (E->Left->Ty->isPointer())
    return comparePointers(E);
  Id Left = value(E->Left), Right = value(E->Right), Type = T.value(E->Ty);
  const kir::Type *Operand = E->Left->Ty->scalar();
  if (E->Op == BinaryOp::Rem && Operand->Signed) {
    Id Quotient = emit(Op::OpSDiv, Type, {Left, Right});
    Id Product = emit(Op::OpIMul, Type, {Quotient, Right});
    return emit(Op::OpISub, Type, {Left, Product});
  }
  Choice C = choiceFor(E->Op);
  if (Operand->isFloat() && E->Op == BinaryOp::Div)
    return divide(E, Left, Right);
  if (Operand->isFloat())
    return isComparison(E->Op) ? emit(C.Float, Type, {Left, Right})
                               : emitFloat(C.Float, Type, {Left, Right},
                                           E->Contract);
  return emit(Operand->isBool()  ? C.Bool
              : Operand->Signed ? C.Signed
                                : C.Unsigned,
              Type, {Left, Right});
}

/// 1 / Bits where that and Bits are normal powers of two, else 0.
static uint64_t powerOfTwoReciprocal(const Type *Float, uint64_t Bits) {
  unsigned Fraction = Float->Width == 32 ? 23 : 52;
  uint64_t Sign = uint64_t(1) << (Float->Width - 1);
  uint64_t Exponent = (Bits & ~Sign) >> Fraction;
  uint64_t Top = Float->Width == 32 ? 254 : 2046; // 1 is half of it
  if (Bits & ((uint64_t(1) << Fraction) - 1) || !Exponent || Exponent >= Top)
    return 0;
  return (Bits & Sign) | (Top - Exponent) << Fraction;
}

/// The one number that E is in each lane, or null.
static const FloatConst *uniformConstant(const Expr *E) {
  if (auto *C = llvm::dyn_cast<Construct>(E)) {
    const FloatConst *First = nullptr;
    for (const Expr *Part : C->Parts) {
      auto *F = llvm::dyn_cast<FloatConst>(Part);
      if (!F || (First && F->Bits != First->Bits))
        return nullptr;
      First = F;
    }
    return First;
  }
  return llvm::dyn_cast<FloatConst>(E);
}

/// A quotient by a power of two is the product with its reciprocal: both are
/// the rounded form of one real number.
Id Emitter::divide(const kir::Binary *E, Id Left, Id Right) {
  Id Type = T.value(E->Ty);
  const FloatConst *Divisor = uniformConstant(E->Right);
  const kir::Type *Float = E->Ty->scalar();
  if (uint64_t Factor =
          Divisor ? powerOfTwoReciprocal(Float, Divisor->Bits) : 0)
    return emitFloat(
        Op::OpFMul, Type,
        {Left, splat(E->Ty, W.constantFloat(Float->Width, Factor))});
  if (O.FastDivision)
    return emitFloat(Op::OpFDiv, Type, {Left, Right});
  return exact(Exact::Divide, E->Ty, {Left, Right});
}

/// IEEE 1.0.
static uint64_t oneBits(const Type *Float) {
  return Float->Width == 32 ? 0x3f800000u : 0x3ff0000000000000u;
}

Id Emitter::convert(const Type *To, const Type *From, Id Value) {
  const Type *T1 = To->scalar(), *T0 = From->scalar();
  Id Result = T.value(To);
  if (T1->isBool()) {
    if (T0->isBool())
      return Value;
    return emit(T0->isFloat() ? Op::OpFUnordNotEqual : Op::OpINotEqual, Result,
                {Value, splat(From, zero(T0))});
  }
  if (T0->isBool()) {
    Id One = T1->isInt() ? W.constantInt(valueWidth(T1), 1)
                         : W.constantFloat(T1->Width, oneBits(T1));
    return emit(Op::OpSelect, Result,
                {Value, splat(To, One), splat(To, zero(T1))});
  }
  if (T0->isFloat() && T1->isFloat())
    return T0->Width == T1->Width ? Value
                                  : emit(Op::OpFConvert, Result, {Value});
  if (T0->isFloat() && isNarrow(T1))
    return widen(emit(Op::OpConvertFToS, Result, {Value}), T1);
  if (T0->isFloat())
    return emit(T1->Signed ? Op::OpConvertFToS : Op::OpConvertFToU, Result,
                {Value});
  if (T1->isFloat())
    return emit(T0->Signed ? Op::OpConvertSToF : Op::OpConvertUToF, Result,
                {Value});
  unsigned Width1 = valueWidth(T1), Width0 = valueWidth(T0);
  if (const uint64_t *Known = W.constantValue(Value))
    return W.constantInt(Width1, extended(T1, extended(T0, *Known)));
  if (Width0 != Width1) // else the same: integers carry no sign here
    Value = emit(T0->Signed && Width1 > Width0 ? Op::OpSConvert
                                               : Op::OpUConvert,
                 Result, {Value});
  bool Fits = T0->Width < T1->Width && (T1->Signed || !T0->Signed);
  return isNarrow(T1) && !Fits ? widen(Value, T1) : Value;
}

/// The value of a narrow int (narrow.h) from the low bits of a word.
Id Emitter::widen(Id Word, const Type *Ty) {
  Id Int = W.intType(32);
  if (!Ty->Signed)
    return emit(Op::OpBitwiseAnd, Int, {Word, u32((1u << Ty->Width) - 1)});
  Id Rest = u32(32 - Ty->Width);
  Id Top = emit(Op::OpShiftLeftLogical, Int, {Word, Rest});
  return emit(Op::OpShiftRightArithmetic, Int, {Top, Rest});
}

} // namespace ampc::spirv
