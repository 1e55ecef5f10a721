//===- exact_builder.h - writing SPIR-V functions as if they were C -------===//
//
// Value has C's operators; each writes an instruction. The numbers of one
// function all have one width: floats, and unsigned integers of the same size.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_SPIRV_EXACT_BUILDER_H
#define AMPC_SPIRV_EXACT_BUILDER_H

#include "spirv/emitter.h"

namespace ampc::spirv {

class ExactBuilder {
public:
  struct Value {
    ExactBuilder *B = nullptr;
    Id I = 0;
    enum Kind { Bits, Real, Bool } K = Bits;
  };
  /// A variable, because there are no phis before spirv-opt has run.
  struct Variable {
    Id Pointer;
    Value::Kind K;
  };
  /// An integer of twice the width.
  struct Pair {
    Value High, Low;
  };

  ExactBuilder(Emitter &E, unsigned Width)
      : E(E), Width(Width), Precision(Width == 32 ? 24 : 53),
        Bias(Width == 32 ? 127 : 1023) {}

  // IEEE 754's parameters; Precision counts the hidden bit.
  Emitter &E;
  const unsigned Width, Precision;
  const uint64_t Bias;
  unsigned fraction() const { return Precision - 1; }
  Value bits(uint64_t Constant);
  Value real(double Constant);
  Value signBit() { return bits(uint64_t(1) << (Width - 1)); }
  Value infinity() { return bits((2 * Bias + 1) << fraction()); }
  Value quietNaN() { return bits((4 * Bias + 3) << (fraction() - 1)); }
  Value mask(unsigned Ones) { return bits((uint64_t(1) << Ones) - 1); }
  Value specified(unsigned SpecId);
  Id typeOf(Value::Kind K);

  Value emit(spv::Op Op, Value::Kind K, llvm::ArrayRef<Id> Operands);
  Value select(Value Condition, Value True, Value False);
  Value bitsOf(Value Real);
  Value realOf(Value Bits);
  Value magnitude(Value Real);
  Value fma(Value A, Value B, Value C);
  Value extended(unsigned Instruction, Value Operand);
  Value leadingZeros(Value X);
  Value signedLess(Value A, Value B);
  Value toBits(Value Bool) { return select(Bool, bits(1), bits(0)); }
  Value call(Exact Which, llvm::ArrayRef<Value> Operands);

  Variable variable(Value Initial);
  Value get(Variable V);
  void set(Variable V, Value To);
  void when(Value Condition, llvm::function_ref<void()> Then,
            llvm::function_ref<void()> Else = nullptr);
  /// while (Condition()) Body();
  void loop(llvm::function_ref<Value()> Condition,
            llvm::function_ref<void()> Body);
};

using Value = ExactBuilder::Value;

#define AMPC_OPERATOR(SYMBOL, KIND, BITS_OP, REAL_OP)                          \
  inline Value operator SYMBOL(Value A, Value B) {                             \
    bool IsReal = A.K == Value::Real;                                          \
    return A.B->emit(IsReal ? spv::Op::REAL_OP : spv::Op::BITS_OP, KIND,       \
                     {A.I, B.I});                                              \
  }                                                                            \
  inline Value operator SYMBOL(Value A, uint64_t B) {                          \
    return A SYMBOL A.B->bits(B);                                              \
  }
AMPC_OPERATOR(+, A.K, OpIAdd, OpFAdd)
AMPC_OPERATOR(-, A.K, OpISub, OpFSub)
AMPC_OPERATOR(*, A.K, OpIMul, OpFMul)
AMPC_OPERATOR(/, A.K, OpUDiv, OpFDiv)
AMPC_OPERATOR(%, A.K, OpUMod, OpNop)
AMPC_OPERATOR(&, A.K, OpBitwiseAnd, OpNop)
AMPC_OPERATOR(|, A.K, OpBitwiseOr, OpNop)
AMPC_OPERATOR(^, A.K, OpBitwiseXor, OpNop)
AMPC_OPERATOR(<<, A.K, OpShiftLeftLogical, OpNop)
AMPC_OPERATOR(>>, A.K, OpShiftRightLogical, OpNop)
AMPC_OPERATOR(<, Value::Bool, OpULessThan, OpFOrdLessThan)
AMPC_OPERATOR(<=, Value::Bool, OpULessThanEqual, OpFOrdLessThanEqual)
AMPC_OPERATOR(>, Value::Bool, OpUGreaterThan, OpFOrdGreaterThan)
AMPC_OPERATOR(>=, Value::Bool, OpUGreaterThanEqual, OpFOrdGreaterThanEqual)
AMPC_OPERATOR(==, Value::Bool, OpIEqual, OpFOrdEqual)
AMPC_OPERATOR(!=, Value::Bool, OpINotEqual, OpFUnordNotEqual)
#undef AMPC_OPERATOR

inline Value operator&&(Value A, Value B) {
  return A.B->emit(spv::Op::OpLogicalAnd, Value::Bool, {A.I, B.I});
}
inline Value operator||(Value A, Value B) {
  return A.B->emit(spv::Op::OpLogicalOr, Value::Bool, {A.I, B.I});
}
inline Value operator!(Value A) {
  return A.B->emit(spv::Op::OpLogicalNot, Value::Bool, {A.I});
}
inline Value operator~(Value A) {
  return A.B->emit(spv::Op::OpNot, Value::Bits, {A.I});
}
inline Value operator-(Value A) {
  return A.B->emit(A.K == Value::Real ? spv::Op::OpFNegate
                                      : spv::Op::OpSNegate,
                   A.K, {A.I});
}

} // namespace ampc::spirv

#endif
