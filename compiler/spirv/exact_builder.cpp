//===- exact_builder.cpp - writing SPIR-V functions as if they were C -----===//

#include "spirv/exact_builder.h"
#include "llvm/ADT/bit.h"
#include <spirv/unified1/GLSL.std.450.h>

using spv::Op;

namespace ampc::spirv {

Id ExactBuilder::typeOf(Value::Kind K) {
  return K == Value::Bool   ? E.W.boolType()
         : K == Value::Real ? E.W.floatType(Width)
                            : E.W.intType(Width);
}

Value ExactBuilder::bits(uint64_t Constant) {
  return {this, E.W.constantInt(Width, Constant), Value::Bits};
}

Value ExactBuilder::real(double Constant) {
  uint64_t Bits = Width == 32 ? llvm::bit_cast<uint32_t>(float(Constant))
                              : llvm::bit_cast<uint64_t>(Constant);
  return {this, E.W.constantFloat(Width, Bits), Value::Real};
}

Value ExactBuilder::specified(unsigned SpecId) {
  return {this, E.W.specConstantBool(SpecId), Value::Bool};
}

/// What computes with floats must stay as it is written.
Value ExactBuilder::emit(Op Which, Value::Kind K, llvm::ArrayRef<Id> Operands) {
  Id Type = typeOf(K);
  return {this,
          K == Value::Real && Which != Op::OpSelect && Which != Op::OpBitcast
              ? E.emitFloat(Which, Type, Operands)
              : E.emit(Which, Type, Operands),
          K};
}

Value ExactBuilder::select(Value Condition, Value True, Value False) {
  return emit(Op::OpSelect, True.K, {Condition.I, True.I, False.I});
}

Value ExactBuilder::bitsOf(Value Real) {
  return emit(Op::OpBitcast, Value::Bits, {Real.I});
}

Value ExactBuilder::realOf(Value Bits) {
  return emit(Op::OpBitcast, Value::Real, {Bits.I});
}

Value ExactBuilder::magnitude(Value Real) {
  return realOf(bitsOf(Real) & (signBit() - bits(1)));
}

Value ExactBuilder::fma(Value A, Value B, Value C) {
  Id Result = E.emitExtended(typeOf(Value::Real), GLSLstd450Fma,
                             {A.I, B.I, C.I});
  E.W.decorate(Result, spv::Decoration::NoContraction);
  return {this, Result, Value::Real};
}

Value ExactBuilder::extended(unsigned Instruction, Value Operand) {
  return {this, E.emitExtended(typeOf(Operand.K), Instruction, {Operand.I}),
          Operand.K};
}

/// X is not 0. FindUMsb knows 32 bits only.
Value ExactBuilder::leadingZeros(Value X) {
  Id Word = E.W.intType(32);
  auto TopBit = [&](Id Of) {
    return E.emitExtended(Word, GLSLstd450FindUMsb, {Of});
  };
  if (Width == 32)
    return bits(31) - Value{this, TopBit(X.I), Value::Bits};
  auto Narrow = [&](Value Of) { return E.emit(Op::OpUConvert, Word, {Of.I}); };
  Value High = X >> 32;
  Value HasHigh = High != 0;
  Value Part = select(HasHigh, High, X);
  Value Top{this, E.emit(Op::OpUConvert, typeOf(Value::Bits),
                         {TopBit(Narrow(Part))}),
            Value::Bits};
  return select(HasHigh, bits(31), bits(63)) - Top;
}

Value ExactBuilder::signedLess(Value A, Value B) {
  return emit(Op::OpSLessThan, Value::Bool, {A.I, B.I});
}

Value ExactBuilder::call(Exact Which, llvm::ArrayRef<Value> Operands) {
  llvm::SmallVector<Id, 4> All{E.exactFunction(Which, Width)};
  for (Value V : Operands)
    All.push_back(V.I);
  return {this, E.emit(Op::OpFunctionCall, typeOf(Value::Real), All),
          Value::Real};
}

ExactBuilder::Variable ExactBuilder::variable(Value Initial) {
  Variable V{E.functionVariable(typeOf(Initial.K)), Initial.K};
  set(V, Initial);
  return V;
}

Value ExactBuilder::get(Variable V) {
  return {this, E.emit(Op::OpLoad, typeOf(V.K), {V.Pointer}), V.K};
}

void ExactBuilder::set(Variable V, Value To) {
  E.emitPlain(Op::OpStore, {V.Pointer, To.I});
}

void ExactBuilder::when(Value Condition, llvm::function_ref<void()> Then,
                        llvm::function_ref<void()> Else) {
  Id ThenBlock = E.W.newId(), Merge = E.W.newId();
  Id ElseBlock = Else ? E.W.newId() : Merge;
  E.emitPlain(Op::OpSelectionMerge, {Merge, 0});
  E.endBlock(Op::OpBranchConditional, {Condition.I, ThenBlock, ElseBlock});
  E.startBlock(ThenBlock);
  Then();
  E.branch(Merge);
  if (Else) {
    E.startBlock(ElseBlock);
    Else();
    E.branch(Merge);
  }
  E.startBlock(Merge);
}

void ExactBuilder::loop(llvm::function_ref<Value()> Condition,
                        llvm::function_ref<void()> Body) {
  Id Header = E.W.newId(), Check = E.W.newId(), Inside = E.W.newId(),
     Continue = E.W.newId(), Merge = E.W.newId();
  E.branch(Header);
  E.startBlock(Header);
  E.emitPlain(Op::OpLoopMerge, {Merge, Continue, 0});
  E.branch(Check);
  E.startBlock(Check);
  E.endBlock(Op::OpBranchConditional, {Condition().I, Inside, Merge});
  E.startBlock(Inside);
  Body();
  E.branch(Continue);
  E.startBlock(Continue);
  E.branch(Header);
  E.startBlock(Merge);
}

} // namespace ampc::spirv
