//===- intrinsics.cpp - mathematical functions ----------------------------===//

#include "spirv/emitter.h"
#include <spirv/unified1/GLSL.std.450.h>

using namespace ampc::kir;
using spv::Op;

namespace ampc::spirv {

bool supports(IntrinsicOp Which, const Type *Ty) {
  switch (Which) {
  case IntrinsicOp::Sqrt:
  case IntrinsicOp::Fabs:
  case IntrinsicOp::Fmin:
  case IntrinsicOp::Fmax:
  case IntrinsicOp::Floor:
  case IntrinsicOp::Ceil:
  case IntrinsicOp::Trunc:
  case IntrinsicOp::FastSqrt:
  case IntrinsicOp::Fma:
  case IntrinsicOp::Fmod:
  case IntrinsicOp::Remainder:
  case IntrinsicOp::Ldexp:
  case IntrinsicOp::Rint:
  case IntrinsicOp::Round:
  case IntrinsicOp::Copysign:
  case IntrinsicOp::Fdim:
    return true;
  case IntrinsicOp::Sin:
  case IntrinsicOp::Cos:
  case IntrinsicOp::Exp:
  case IntrinsicOp::Log:
  case IntrinsicOp::Log10:
  case IntrinsicOp::Pow:
    return Ty->scalar()->Width == 32;
  }
  return false;
}

Id Emitter::emitExtended(Id Type, uint32_t Instruction,
                         llvm::ArrayRef<Id> Operands) {
  Words All{W.glslStd450(), Instruction};
  All.insert(All.end(), Operands.begin(), Operands.end());
  return emit(Op::OpExtInst, Type, All);
}

/// powf. GLSL's Pow is undefined for a negative x, and for x = 0 unless y > 0:
///   y == 0 or x == 1        1
///   x < 0, y odd            -pow(|x|, y)
///   x < 0, y even           pow(|x|, y)
///   x < 0, y no integer     NaN
///   x == 0                  0 or infinity, negative for -0 and odd y
/// A float of 2^24 or more is even.
Id Emitter::power(const Type *Ty, Id X, Id Y) {
  Id Float = T.value(Ty), Bool = W.boolType(), Int = W.intType(32);
  auto Number = [&](uint32_t Bits) { return W.constantFloat(32, Bits); };
  Id Zero = Number(0), One = Number(0x3f800000), Half = Number(0x3f000000),
     Infinity = Number(0x7f800000), NaN = Number(0x7fc00000);

  Id Magnitude = emitExtended(Float, GLSLstd450FAbs, {X});
  Id Power = emitExtended(Float, GLSLstd450Pow, {Magnitude, Y});
  Id YNegative = emit(Op::OpFOrdLessThan, Bool, {Y, Zero});
  Id OfZero = emit(Op::OpSelect, Float, {YNegative, Infinity, Zero});
  Id XIsZero = emit(Op::OpFOrdEqual, Bool, {X, Zero});
  Power = emit(Op::OpSelect, Float, {XIsZero, OfZero, Power});

  Id Whole = emitExtended(Float, GLSLstd450Trunc, {Y});
  Id IsInteger = emit(Op::OpFOrdEqual, Bool, {Whole, Y});
  Id HalfY = emitFloat(Op::OpFMul, Float, {Y, Half});
  Id HalfWhole = emitExtended(Float, GLSLstd450Trunc, {HalfY});
  Id HalfDiffers = emit(Op::OpFUnordNotEqual, Bool, {HalfWhole, HalfY});
  Id IsOdd = emit(Op::OpLogicalAnd, Bool, {IsInteger, HalfDiffers});

  Id Bits = emit(Op::OpBitcast, Int, {X});
  Id XSigned = emit(Op::OpSLessThan, Bool, {Bits, u32(0)});
  Id Flip = emit(Op::OpLogicalAnd, Bool, {XSigned, IsOdd});
  Id Negated = emitFloat(Op::OpFNegate, Float, {Power});
  Power = emit(Op::OpSelect, Float, {Flip, Negated, Power});

  Id XNegative = emit(Op::OpFOrdLessThan, Bool, {X, Zero});
  Id NotInteger = emit(Op::OpFUnordNotEqual, Bool, {Whole, Y});
  Id Undefined = emit(Op::OpLogicalAnd, Bool, {XNegative, NotInteger});
  Power = emit(Op::OpSelect, Float, {Undefined, NaN, Power});

  Id YIsZero = emit(Op::OpFOrdEqual, Bool, {Y, Zero});
  Id XIsOne = emit(Op::OpFOrdEqual, Bool, {X, One});
  Id IsOne = emit(Op::OpLogicalOr, Bool, {YIsZero, XIsOne});
  return emit(Op::OpSelect, Float, {IsOne, One, Power});
}

static uint64_t signMask(const Type *Ty) {
  return uint64_t(1) << (Ty->Width - 1);
}

Id Emitter::copysign(const Type *Ty, Id Magnitude, Id Sign) {
  Id Int = W.intType(Ty->Width);
  auto Part = [&](Id Of, uint64_t Mask) {
    Id Bits = emit(Op::OpBitcast, Int, {Of});
    return emit(Op::OpBitwiseAnd, Int, {Bits, W.constantInt(Ty->Width, Mask)});
  };
  Id Low = Part(Magnitude, signMask(Ty) - 1), High = Part(Sign, signMask(Ty));
  return emit(Op::OpBitcast, T.value(Ty),
              {emit(Op::OpBitwiseOr, Int, {Low, High})});
}

/// The magnitude of X. GLSL's FAbs takes denormals for zeros on NVIDIA's
/// driver (580).
Id Emitter::magnitude(const Type *Ty, Id X) {
  const Type *Scalar = Ty->scalar();
  Id Int = W.intType(Scalar->Width);
  Id Mask = W.constantInt(Scalar->Width, signMask(Scalar) - 1);
  if (Ty->isVector()) {
    Int = W.vectorType(Int, Ty->Count);
    Mask = W.constantComposite(Int, llvm::SmallVector<Id, 4>(Ty->Count, Mask));
  }
  Id Bits = emit(Op::OpBitcast, Int, {X});
  return emit(Op::OpBitcast, T.value(Ty),
              {emit(Op::OpBitwiseAnd, Int, {Bits, Mask})});
}

/// X - Y that no product in X or Y is contracted with: a function's arguments
/// are rounded.
Id Emitter::difference(const Type *Ty, Id X, Id Y) {
  return emitFloat(Op::OpFSub, T.value(Ty), {X, Y});
}

/// X - Y where X > Y or one of them is a NaN; else 0. The bits of the
/// difference tell, since comparisons may take denormals for zeros.
Id Emitter::fdim(const Type *Ty, Id X, Id Y) {
  Id Bool = W.boolType(), Int = W.intType(Ty->Width);
  Id Difference = difference(Ty, X, Y);
  auto Bits = [&](Id Of) { return emit(Op::OpBitcast, Int, {Of}); };
  Id IsPositive = emit(Op::OpSGreaterThan, Bool,
                       {Bits(Difference), W.constantInt(Ty->Width, 0)});
  Id Differ = emit(Op::OpINotEqual, Bool, {Bits(X), Bits(Y)}); // or infinities
  Id XIsNaN = emit(Op::OpIsNan, Bool, {X});
  Id YIsNaN = emit(Op::OpIsNan, Bool, {Y});
  Id HasNaN = emit(Op::OpLogicalOr, Bool, {XIsNaN, YIsNaN});
  Id IsMore = emit(Op::OpLogicalAnd, Bool, {IsPositive, Differ});
  Id Keeps = emit(Op::OpLogicalOr, Bool, {IsMore, HasNaN});
  return emit(Op::OpSelect, T.value(Ty), {Keeps, Difference, zero(Ty)});
}

/// Halves away from zero, which GLSL's Round leaves open: what truncation takes
/// away is exact. -0.3 becomes -0.
Id Emitter::round(const Type *Ty, Id X) {
  Id Float = T.value(Ty);
  auto Number = [&](uint64_t Bits32, uint64_t Bits64) {
    return W.constantFloat(Ty->Width, Ty->Width == 32 ? Bits32 : Bits64);
  };
  Id Half = Number(0x3f000000, 0x3fe0000000000000);
  Id One = Number(0x3f800000, 0x3ff0000000000000);
  Id Whole = emitExtended(Float, GLSLstd450Trunc, {X});
  Id Rest = difference(Ty, X, Whole);
  Id Magnitude = magnitude(Ty, Rest);
  Id Away = emitFloat(Op::OpFAdd, Float, {Whole, copysign(Ty, One, X)});
  Id IsUp = emit(Op::OpFOrdGreaterThanEqual, W.boolType(), {Magnitude, Half});
  return emit(Op::OpSelect, Float, {IsUp, Away, Whole});
}

Id Emitter::intrinsic(const Intrinsic *E) {
  llvm::SmallVector<Id, 2> Args;
  for (const Expr *Arg : E->Args)
    Args.push_back(value(Arg));
  Id Type = T.value(E->Ty);
  if (!supports(E->Op, E->Ty)) {
    unsupported("this mathematical function on double");
    return W.undef(Type);
  }
  auto Extended = [&](GLSLstd450 Which) {
    return emitExtended(Type, Which, Args);
  };
  switch (E->Op) {
  case IntrinsicOp::Sqrt:
    return O.FastDivision ? Extended(GLSLstd450Sqrt)
                          : exact(Exact::Sqrt, E->Ty, Args);
  case IntrinsicOp::FastSqrt:
    return Extended(GLSLstd450Sqrt);
  case IntrinsicOp::Fma:
    return exact(Exact::Fma, E->Ty, Args);
  case IntrinsicOp::Fmod:
    return exact(Exact::Fmod, E->Ty, Args);
  case IntrinsicOp::Remainder:
    return exact(Exact::Remainder, E->Ty, Args);
  case IntrinsicOp::Ldexp:
    if (E->Ty->Width == 64)
      Args[1] = emit(Op::OpUConvert, W.intType(64), {Args[1]});
    return exact(Exact::Ldexp, E->Ty, Args);
  case IntrinsicOp::Rint:
    return Extended(GLSLstd450RoundEven);
  case IntrinsicOp::Round:
    return round(E->Ty, Args[0]);
  case IntrinsicOp::Copysign:
    return copysign(E->Ty, Args[0], Args[1]);
  case IntrinsicOp::Fdim:
    return fdim(E->Ty, Args[0], Args[1]);
  case IntrinsicOp::Fabs:
    return magnitude(E->Ty, Args[0]);
  case IntrinsicOp::Fmin: // of a number and a NaN: the number, as C says
    return Extended(GLSLstd450NMin);
  case IntrinsicOp::Fmax:
    return Extended(GLSLstd450NMax);
  case IntrinsicOp::Floor:
    return Extended(GLSLstd450Floor);
  case IntrinsicOp::Ceil:
    return Extended(GLSLstd450Ceil);
  case IntrinsicOp::Trunc:
    return Extended(GLSLstd450Trunc);
  case IntrinsicOp::Sin:
    return Extended(GLSLstd450Sin);
  case IntrinsicOp::Cos:
    return Extended(GLSLstd450Cos);
  case IntrinsicOp::Exp:
    return Extended(GLSLstd450Exp);
  case IntrinsicOp::Log:
    return Extended(GLSLstd450Log);
  case IntrinsicOp::Log10: {
    // log10(2), rounded to float and what that leaves: the sum is exact enough
    // for powers of ten to come out whole when log2 is good to an ulp.
    constexpr uint32_t High = 0x3e9a209b, Low = 0xb2760860;
    Id Log2 = Extended(GLSLstd450Log2);
    auto Constant = [&](uint32_t Bits) {
      return splat(E->Ty, W.constantFloat(32, Bits));
    };
    Id Rest = emitFloat(Op::OpFMul, Type, {Log2, Constant(Low)});
    return emitExtended(Type, GLSLstd450Fma, {Log2, Constant(High), Rest});
  }
  case IntrinsicOp::Pow:
    return power(E->Ty, Args[0], Args[1]);
  }
  return 0;
}

} // namespace ampc::spirv
