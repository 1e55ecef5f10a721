//===- pointers.cpp - pointers as (object, where in it) -------------------===//
//
// A pointer is a struct of three numbers: which object it points into, and where,
// in steps and in bytes. A step is a word, in narrow kernels (narrow.h) a byte.
// Object 0 is accelerator memory; then only the last number, an address, counts
// (the null pointer is all zero). Every other object is a variable whose address
// is taken, and the place is told from its start. Arithmetic leaves the first
// number alone. So once spirv-opt has inlined and propagated it, an access
// through a pointer is an access to a known object by a 32-bit number; where
// several objects remain possible, it is a switch.
//
// A variable whose address is taken is an array of 32-bit words (tile_static: or
// of smaller units, where work items may store to those at the same time), outside
// of all functions because a pointer to it may be passed to any: amp code has no
// recursion, so one of each is enough. It can be accessed as whatever type a
// pointer has.
//
//===----------------------------------------------------------------------===//

#include "spirv/emitter.h"
#include <algorithm>

using namespace ampc::kir;
using llvm::cast;
using llvm::dyn_cast;
using spv::Op;

namespace ampc::spirv {

/// Bytes that an object takes that pointers may lead to. They are the host's
/// unless it holds views: then it never stands in accelerator memory.
uint64_t Emitter::objectSize(const Type *Ty) {
  if (Ty->isView())
    return Ty->Rank * 12;
  if (!holdsView(Ty))
    return Ty->Size;
  return Ty->isArray() ? Ty->Count * objectSize(Ty->Element)
                       : fieldOffset(Ty, Ty->Fields.size());
}

uint64_t Emitter::fieldOffset(const Type *Ty, unsigned Field) {
  if (!holdsView(Ty))
    return Ty->Fields[Field].Offset;
  uint64_t Offset = 0;
  for (unsigned I = 0; I != Field; ++I)
    Offset += (objectSize(Ty->Fields[I].Ty) + 3) / 4 * 4;
  return Offset;
}

static uint64_t wordCount(uint64_t Bytes) {
  return std::max<uint64_t>(1, (Bytes + 3) / 4);
}

/// The words of a variable whose address is taken.
Place Emitter::objectPlace(const Variable *Var) {
  Place P;
  P.K = Place::Kind::Words;
  P.Ty = Var->Ty;
  P.Var = Var;
  P.Class = Var->Store == Storage::TileStatic ? spv::StorageClass::Workgroup
                                              : spv::StorageClass::Private;
  auto Unit = TileStaticUnits.find(Var);
  if (Unit != TileStaticUnits.end())
    P.Unit = Unit->second;
  Id &Known = Objects[Var];
  if (!Known) {
    if (P.Unit < 4)
      W.capability(P.Unit == 1 ? spv::Capability::Int8
                               : spv::Capability::Int16);
    Id Type = W.arrayType(W.intType(P.Unit * 8),
                          wordCount(objectSize(Var->Ty)) * 4 / P.Unit);
    if (Var->Store == Storage::TileStatic)
      TileStaticBytes += Var->Ty->Size;
    Known = W.globalVariable(P.Class, Type);
    if (O.Debug)
      W.name(Known, Var->Name);
  }
  P.Pointer = Known;
  return P;
}

/// The value of all words of a variable when it is zero.
Id Emitter::zeroWords(const Type *Ty) {
  return W.constantNull(W.arrayType(W.intType(32), wordCount(objectSize(Ty))));
}

/// Gives pointers to captured objects something to point to, and functions what
/// only the kernel knows.
void Emitter::copyCaptures() {
  for (const Variable *Capture : K.Captures)
    if (Points.number(Capture))
      store(objectPlace(Capture), load(variablePlace(Capture)));
  if (ConstantsVariable)
    emitPlain(Op::OpStore, {ConstantsVariable, Args.constants()});
}

/// The address of the buffer of constants, which is an argument of the kernel.
Id Emitter::constantsAddress() {
  if (InKernel)
    return Args.constants();
  Id Long = W.intType(64);
  if (!ConstantsVariable) {
    ConstantsVariable = W.globalVariable(spv::StorageClass::Private, Long);
    if (O.Debug)
      W.name(ConstantsVariable, "constants");
  }
  return emit(Op::OpLoad, Long, {ConstantsVariable});
}

Id Emitter::makePointer(Id Object, Id Step, Id Address) {
  return emit(Op::OpCompositeConstruct, T.pointer(), {Object, Step, Address});
}

Id Emitter::objectOf(Id Pointer) {
  return emit(Op::OpCompositeExtract, W.intType(32), {Pointer, 0});
}

Id Emitter::stepOf(Id Pointer) {
  return emit(Op::OpCompositeExtract, W.intType(32), {Pointer, 1});
}

Id Emitter::addressIn(Id Pointer) {
  return emit(Op::OpCompositeExtract, W.intType(64), {Pointer, 2});
}

/// Step + Index * Size bytes, in 32 bits; Step 0 is none.
Id Emitter::displaceStep(Id Step, Id Index, const Type *IndexType,
                         uint64_t Size) {
  Id Int = W.intType(32);
  uint32_t Steps = Size / stepBytes();
  const uint64_t *Known = W.constantValue(Index);
  Id Distance = Index;
  if (Known) {
    Distance = u32(uint32_t(*Known) * Steps);
  } else {
    if (IndexType->Width == 64)
      Distance = emit(Op::OpUConvert, Int, {Distance});
    if (Steps != 1)
      Distance = emit(Op::OpIMul, Int, {Distance, u32(Steps)});
  }
  return Step ? emit(Op::OpIAdd, Int, {Step, Distance}) : Distance;
}

Id Emitter::addressOf(const AddressOf *E) {
  Place P = place(E->Place, /*ForAddress=*/true);
  Id Long = W.intType(64), Int = W.intType(32);
  Id Known = u32(P.Offset / stepBytes());
  if (P.K == Place::Kind::Words) {
    Id Object = u32(Points.number(P.Var));
    if (!P.Step)
      return makePointer(Object, Known, u64(P.Offset));
    Id Step =
        P.Offset ? emit(Op::OpIAdd, Int, {P.Step, Known}) : P.Step;
    Id Bytes = emit(Op::OpSConvert, Long, {Step});
    if (stepBytes() != 1)
      Bytes = emit(Op::OpIMul, Long, {Bytes, u64(stepBytes())});
    return makePointer(Object, Step, Bytes);
  }
  Id Address = P.Address;
  if (P.Offset)
    Address = emit(Op::OpIAdd, Long, {Address, u64(P.Offset)});
  if (P.K != Place::Kind::Pointer)
    return makePointer(u32(0), u32(0), Address);
  Id Step = P.Step;
  if (P.Offset)
    Step = emit(Op::OpIAdd, Int, {Step, Known});
  return makePointer(P.Object, Step, Address);
}

Id Emitter::pointerAdd(const PointerAdd *E) {
  Id Pointer = value(E->Pointer), Index = value(E->Index);
  // A `void *` moves by bytes, as GNU C has it.
  bool ByBytes = E->Ty->Element->isVoid();
  uint64_t Size = ByBytes ? 1 : objectSize(E->Ty->Element);
  Id Address = displace(addressIn(Pointer), Index, E->Index->Ty, u64(Size));
  if (!ByBytes || stepBytes() == 1)
    return makePointer(objectOf(Pointer),
                       displaceStep(stepOf(Pointer), Index, E->Index->Ty, Size),
                       Address);
  // In one of our objects the address counts bytes from its start.
  Id Steps = emit(Op::OpShiftRightArithmetic, W.intType(64), {Address, u32(2)});
  return makePointer(objectOf(Pointer),
                     emit(Op::OpUConvert, W.intType(32), {Steps}), Address);
}

Id Emitter::pointerDifference(const PointerDifference *E) {
  Id Left = value(E->Left), Right = value(E->Right), Long = W.intType(64);
  Id Bytes =
      emit(Op::OpISub, Long, {addressIn(Left), addressIn(Right)});
  const Type *Element = E->Left->Ty->Element;
  uint64_t Size = std::max<uint64_t>(1, objectSize(Element)); // `void *`: bytes
  return Size == 1 ? Bytes : emit(Op::OpSDiv, Long, {Bytes, u64(Size)});
}

/// Pointers are equal if both numbers are; only those into one object have an
/// order.
Id Emitter::comparePointers(const kir::Binary *E) {
  Id Left = value(E->Left), Right = value(E->Right), Bool = W.boolType();
  Id L = addressIn(Left), R = addressIn(Right);
  switch (E->Op) {
  case BinaryOp::Lt:
    return emit(Op::OpSLessThan, Bool, {L, R});
  case BinaryOp::Le:
    return emit(Op::OpSLessThanEqual, Bool, {L, R});
  case BinaryOp::Gt:
    return emit(Op::OpSGreaterThan, Bool, {L, R});
  case BinaryOp::Ge:
    return emit(Op::OpSGreaterThanEqual, Bool, {L, R});
  default:
    break;
  }
  Id SameObject = emit(Op::OpIEqual, Bool, {objectOf(Left), objectOf(Right)});
  Id SamePlace = emit(Op::OpIEqual, Bool, {L, R});
  Id Same = emit(Op::OpLogicalAnd, Bool, {SameObject, SamePlace});
  return E->Op == BinaryOp::Eq ? Same : emit(Op::OpLogicalNot, Bool, {Same});
}

Id Emitter::isNotNull(Id Pointer) {
  Id Bool = W.boolType();
  Id Object = emit(Op::OpINotEqual, Bool, {objectOf(Pointer), u32(0)});
  Id Address = emit(Op::OpINotEqual, Bool, {addressIn(Pointer), u64(0)});
  return emit(Op::OpLogicalOr, Bool, {Object, Address});
}

//===----------------------------------------------------------------------===//
// What a pointer points to
//===----------------------------------------------------------------------===//

Place Emitter::behindPointer(const Deref *E) {
  Id Pointer = value(E->Pointer);
  Place P;
  P.K = Place::Kind::Pointer;
  P.Ty = E->Ty;
  P.Align = E->Ty->Align;
  P.Object = objectOf(Pointer);
  P.Step = stepOf(Pointer);
  P.Address = addressIn(Pointer);
  PointsTo::Set Where = Points.of(E->Pointer);
  P.Targets.assign(Where.begin(), Where.end());
  return P.Targets.size() == 1 ? inTarget(P, P.Targets[0]) : P;
}

/// A place behind a pointer that points into this object.
Place Emitter::inTarget(const Place &P, unsigned Number) {
  Place Result = P;
  if (!Number) {
    Result.K = Place::Kind::Memory;
    Result.Step = 0;
    Result.Marks = SharesMemory ? Types::Coherent : Types::None;
    return Result;
  }
  Place Object = objectPlace(Points.object(Number));
  Result.K = Place::Kind::Words;
  Result.Var = Object.Var;
  Result.Pointer = Object.Pointer;
  Result.Class = Object.Class;
  Result.Unit = Object.Unit;
  return Result;
}

/// Runs Use for the target that P's pointer has at run time.
void Emitter::inEachTarget(const Place &P,
                           llvm::function_ref<void(const Place &)> Use) {
  if (P.Targets.empty())
    return; // a null pointer: undefined
  Id Merge = W.newId();
  std::vector<Id> Labels;
  Words Cases;
  for (unsigned Number : P.Targets) {
    Labels.push_back(W.newId());
    Cases.insert(Cases.end(), {Number, Labels.back()});
  }
  // The last one serves as the default: no other number is possible.
  Words Operands{P.Object, Labels.back()};
  Operands.insert(Operands.end(), Cases.begin(), Cases.end() - 2);
  emitPlain(Op::OpSelectionMerge, {Merge, 0});
  endBlock(Op::OpSwitch, Operands);
  for (size_t I = 0; I != Labels.size(); ++I) {
    startBlock(Labels[I]);
    Use(inTarget(P, P.Targets[I]));
    branch(Merge);
  }
  startBlock(Merge);
}

Id Emitter::loadBehindPointer(const Place &P) {
  Id Type = T.value(P.Ty), Result = functionVariable(Type);
  inEachTarget(P, [&](const Place &Target) {
    emitPlain(Op::OpStore, {Result, load(Target)});
  });
  return emit(Op::OpLoad, Type, {Result});
}

} // namespace ampc::spirv
