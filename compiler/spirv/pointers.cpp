//===- pointers.cpp - pointers as (object, where in it) -------------------===//
//
// A pointer is a struct of three numbers: which object it points into, and where,
// in words and in bytes. Object 0 is accelerator memory; then only the last
// number, an address, counts (the null pointer is all zero). Every other object
// is a variable whose address is taken, and the place is told from its start.
// Arithmetic leaves the first number alone. So once spirv-opt has inlined and
// propagated it, an access through a pointer is an access to a known object by
// a 32-bit word number; where several objects remain possible, it is a switch.
//
// A variable whose address is taken is an array of 32-bit words, outside of all
// functions because a pointer to it may be passed to any: amp code has no
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

static uint64_t wordCount(const Type *Ty) {
  return std::max<uint64_t>(1, (Ty->Size + 3) / 4);
}

/// The words of a variable whose address is taken.
Place Emitter::objectPlace(const Variable *Var) {
  Place P;
  P.K = Place::Kind::Words;
  P.Ty = Var->Ty;
  P.Var = Var;
  P.Class = Var->Store == Storage::TileStatic ? spv::StorageClass::Workgroup
                                              : spv::StorageClass::Private;
  Id &Known = Objects[Var];
  if (!Known) {
    Id Type = W.arrayType(W.intType(32), wordCount(Var->Ty));
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
  return W.constantNull(W.arrayType(W.intType(32), wordCount(Ty)));
}

/// Gives pointers to captured objects something to point to.
void Emitter::copyCaptures() {
  for (const Variable *Capture : K.Captures)
    if (Points.number(Capture))
      store(objectPlace(Capture), load(variablePlace(Capture)));
}

Id Emitter::makePointer(Id Object, Id Word, Id Address) {
  return emit(Op::OpCompositeConstruct, T.pointer(), {Object, Word, Address});
}

Id Emitter::objectOf(Id Pointer) {
  return emit(Op::OpCompositeExtract, W.intType(32), {Pointer, 0});
}

Id Emitter::wordOf(Id Pointer) {
  return emit(Op::OpCompositeExtract, W.intType(32), {Pointer, 1});
}

Id Emitter::addressIn(Id Pointer) {
  return emit(Op::OpCompositeExtract, W.intType(64), {Pointer, 2});
}

/// Word + Index * Size / 4, in 32 bits; Word 0 is none.
Id Emitter::displaceWord(Id Word, Id Index, const Type *IndexType,
                         uint64_t Size) {
  Id Int = W.intType(32);
  const uint64_t *Known = W.constantValue(Index);
  Id Distance = Index;
  if (Known) {
    Distance = u32(uint32_t(*Known) * uint32_t(Size / 4));
  } else {
    if (IndexType->Width == 64)
      Distance = emit(Op::OpUConvert, Int, {Distance});
    if (Size != 4)
      Distance = emit(Op::OpIMul, Int, {Distance, u32(Size / 4)});
  }
  return Word ? emit(Op::OpIAdd, Int, {Word, Distance}) : Distance;
}

Id Emitter::addressOf(const AddressOf *E) {
  Place P = place(E->Place, /*ForAddress=*/true);
  Id Long = W.intType(64), Int = W.intType(32);
  if (P.K == Place::Kind::Words) {
    Id Object = u32(Points.number(P.Var)), Word = u32(P.Offset / 4);
    if (!P.Word)
      return makePointer(Object, Word, u64(P.Offset));
    if (P.Offset)
      Word = emit(Op::OpIAdd, Int, {P.Word, Word});
    else
      Word = P.Word;
    Id Wide = emit(Op::OpSConvert, Long, {Word});
    return makePointer(Object, Word, emit(Op::OpIMul, Long, {Wide, u64(4)}));
  }
  Id Address = P.Address;
  if (P.Offset)
    Address = emit(Op::OpIAdd, Long, {Address, u64(P.Offset)});
  if (P.K != Place::Kind::Pointer)
    return makePointer(u32(0), u32(0), Address);
  Id Word = P.Word;
  if (P.Offset)
    Word = emit(Op::OpIAdd, Int, {Word, u32(P.Offset / 4)});
  return makePointer(P.Object, Word, Address);
}

Id Emitter::pointerAdd(const PointerAdd *E) {
  Id Pointer = value(E->Pointer), Index = value(E->Index);
  uint64_t Size = E->Ty->Element->Size;
  return makePointer(
      objectOf(Pointer),
      displaceWord(wordOf(Pointer), Index, E->Index->Ty, Size),
      displace(addressIn(Pointer), Index, E->Index->Ty, u64(Size)));
}

Id Emitter::pointerDifference(const PointerDifference *E) {
  Id Left = value(E->Left), Right = value(E->Right), Long = W.intType(64);
  Id Bytes =
      emit(Op::OpISub, Long, {addressIn(Left), addressIn(Right)});
  return emit(Op::OpSDiv, Long, {Bytes, u64(E->Left->Ty->Element->Size)});
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
  P.Word = wordOf(Pointer);
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
    Result.Word = 0;
    Result.Marks = SharesMemory ? Types::Coherent : Types::None;
    return Result;
  }
  Place Object = objectPlace(Points.object(Number));
  Result.K = Place::Kind::Words;
  Result.Var = Object.Var;
  Result.Pointer = Object.Pointer;
  Result.Class = Object.Class;
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
