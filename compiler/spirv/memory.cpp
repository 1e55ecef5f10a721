//===- memory.cpp - leaves in accelerator memory and in unions ------------===//
//
// The one place where memory types and value types meet: every scalar or short
// vector that does not stand in a variable of its own value type goes through
// loadLeaf() and storeLeaf().
//
// A bool in memory is the first byte of an aligned word whose other bytes are
// padding (rules T4 and T5): reads look at the byte, writes set the word. In
// narrow kernels (narrow.h) it is a byte.
// What cannot be accessed at once is moved as ints: what is aligned to less
// than its scalar's size (a double in a packed struct) and what stands in an
// array of other units. An int of 1, 2 or 4 bytes is handled as a word whose
// upper bytes are zero when it is loaded, and do not matter when it is stored.
//
//===----------------------------------------------------------------------===//

#include "spirv/emitter.h"
#include <algorithm>

using namespace ampc::kir;
using spv::Op;

namespace ampc::spirv {

bool Emitter::needsInts(const Place &P) const {
  uint64_t Size = T.size(P.Ty->scalar());
  return P.K == Place::Kind::Words ||
         (P.K == Place::Kind::Memory &&
          (Size < 4 || (!P.Ty->isBool() && P.Align < Size)));
}

/// The bytes of the ints that a scalar is moved as.
static unsigned intSize(uint64_t Size) { return Size == 8 ? 4 : Size; }

/// The value of a leaf from the ints that it is made of.
Id Emitter::fromWords(const Type *Leaf, llvm::ArrayRef<Id> Words) {
  const Type *Scalar = Leaf->scalar();
  Id ScalarType = T.value(Scalar), Int = W.intType(32);
  llvm::SmallVector<Id, 4> Lanes;
  for (size_t I = 0; I != Words.size();) {
    if (Scalar->isBool()) {
      Id Byte = emit(spv::Op::OpBitwiseAnd, Int, {Words[I++], u32(0xff)});
      Lanes.push_back(emit(spv::Op::OpINotEqual, ScalarType, {Byte, u32(0)}));
    } else if (Scalar->Size == 8) {
      Id Pair = emit(spv::Op::OpCompositeConstruct, W.vectorType(Int, 2),
                     {Words[I], Words[I + 1]});
      Lanes.push_back(emit(spv::Op::OpBitcast, ScalarType, {Pair}));
      I += 2;
    } else if (Scalar->isInt()) {
      Lanes.push_back(isNarrow(Scalar) ? widen(Words[I], Scalar) : Words[I]);
      ++I;
    } else {
      Lanes.push_back(emit(spv::Op::OpBitcast, ScalarType, {Words[I]}));
      ++I;
    }
  }
  return Leaf->isVector()
             ? emit(spv::Op::OpCompositeConstruct, T.value(Leaf), Lanes)
             : Lanes[0];
}

void Emitter::toWords(const Type *Leaf, Id Value,
                      llvm::SmallVectorImpl<Id> &To) {
  const Type *Scalar = Leaf->scalar();
  Id Int = W.intType(32);
  unsigned Lanes = Leaf->isVector() ? Leaf->Count : 1;
  for (unsigned I = 0; I != Lanes; ++I) {
    Id Lane = Leaf->isVector() ? emit(spv::Op::OpCompositeExtract,
                                      T.value(Scalar), {Value, I})
                               : Value;
    if (Scalar->isBool()) {
      To.push_back(emit(spv::Op::OpSelect, Int, {Lane, u32(1), u32(0)}));
    } else if (Scalar->Size == 8) {
      Id Pair = emit(spv::Op::OpBitcast, W.vectorType(Int, 2), {Lane});
      To.push_back(emit(spv::Op::OpCompositeExtract, Int, {Pair, 0}));
      To.push_back(emit(spv::Op::OpCompositeExtract, Int, {Pair, 1}));
    } else {
      To.push_back(Scalar->isInt() ? Lane
                                   : emit(spv::Op::OpBitcast, Int, {Lane}));
    }
  }
}

/// A pointer into accelerator memory. OpBitcast, because spirv-opt neither
/// merges nor drops OpConvertUToPtr; but the capabilities for 8- and 16-bit
/// storage do not cover OpBitcast.
Id Emitter::memoryPointer(const Place &P, uint64_t Offset, Id Type,
                          bool IsSmall) {
  Op Cast = IsSmall ? Op::OpConvertUToPtr : Op::OpBitcast;
  spv::StorageClass Class = spv::StorageClass::PhysicalStorageBuffer;
  Id Address = P.Address;
  if (P.Offset + Offset)
    Address =
        emit(Op::OpIAdd, W.intType(64), {Address, u64(P.Offset + Offset)});
  if (!P.Marks)
    return emit(Cast, W.pointerType(Class, Type), {Address});
  Id Block =
      emit(Cast, W.pointerType(Class, T.markedBlock(Type, P.Marks)), {Address});
  return emit(Op::OpAccessChain, W.pointerType(Class, Type), {Block, u32(0)});
}

/// The alignment to state. The host's gcc aligns wide vectors to 16 only.
uint32_t Emitter::memoryAlign(const Place &P) const {
  return std::max(std::min<uint64_t>(P.Align, 16), T.scalarAlign(P.Ty));
}

/// The type of an int in accelerator memory.
Id Emitter::intOf(uint64_t Bytes) {
  if (Bytes == 1)
    W.capability(spv::Capability::StorageBuffer8BitAccess);
  else if (Bytes == 2)
    W.capability(spv::Capability::StorageBuffer16BitAccess);
  return W.intType(Bytes * 8);
}

/// A pointer to the unit that the byte Offset of P, which is among Words, is
/// in.
Id Emitter::unitPointer(const Place &P, uint64_t Offset) {
  Id Int = W.intType(32), Position;
  Offset += P.Offset;
  if (!P.Step) {
    Position = u32(Offset / P.Unit);
  } else {
    Position = P.Step;
    if (Offset / stepBytes())
      Position = emit(Op::OpIAdd, Int, {Position, u32(Offset / stepBytes())});
    if (P.Unit != stepBytes())
      Position = emit(Op::OpShiftRightLogical, Int,
                      {Position, u32(P.Unit == 4 ? 2 : 1)});
  }
  return emit(Op::OpAccessChain, W.pointerType(P.Class, W.intType(P.Unit * 8)),
              {P.Pointer, Position});
}

/// The number of bits in the word that stand before the byte Offset of P.
Id Emitter::bitsBelow(const Place &P, uint64_t Offset) {
  Id Int = W.intType(32);
  Offset += P.Offset;
  if (!P.Step)
    return u32(Offset % 4 * 8);
  Id Byte = P.Step;
  if (Offset)
    Byte = emit(Op::OpIAdd, Int, {Byte, u32(Offset)});
  Byte = emit(Op::OpBitwiseAnd, Int, {Byte, u32(3)});
  return emit(Op::OpShiftLeftLogical, Int, {Byte, u32(3)});
}

static uint32_t maskOf(unsigned Bytes) {
  return Bytes == 4 ? 0xffffffffu : (1u << Bytes * 8) - 1;
}

Id Emitter::loadInt(const Place &P, uint64_t Offset, unsigned Bytes) {
  Id Int = W.intType(32);
  if (P.K == Place::Kind::Memory) {
    Id Type = intOf(Bytes), Pointer = memoryPointer(P, Offset, Type, Bytes < 4);
    Id Value = emit(Op::OpLoad, Type,
                    {Pointer, uint32_t(spv::MemoryAccessMask::Aligned), Bytes});
    return Bytes == 4 ? Value : emit(Op::OpUConvert, Int, {Value});
  }
  if (Bytes > P.Unit) {
    Id All = 0;
    for (unsigned At = 0; At != Bytes; At += P.Unit) {
      Id Part = loadInt(P, Offset + At, P.Unit);
      if (At)
        Part = emit(Op::OpShiftLeftLogical, Int, {Part, u32(At * 8)});
      All = All ? emit(Op::OpBitwiseOr, Int, {All, Part}) : Part;
    }
    return All;
  }
  Id Pointer = unitPointer(P, Offset);
  Id Value = emit(Op::OpLoad, W.intType(P.Unit * 8), {Pointer});
  if (P.Unit != 4)
    return emit(Op::OpUConvert, Int, {Value});
  if (Bytes == 4)
    return Value;
  Value = emit(Op::OpShiftRightLogical, Int, {Value, bitsBelow(P, Offset)});
  return emit(Op::OpBitwiseAnd, Int, {Value, u32(maskOf(Bytes))});
}

void Emitter::storeInt(const Place &P, uint64_t Offset, unsigned Bytes,
                       Id Value) {
  Id Int = W.intType(32);
  if (P.K == Place::Kind::Memory) {
    Id Type = intOf(Bytes);
    if (Bytes != 4)
      Value = emit(Op::OpUConvert, Type, {Value});
    emitPlain(Op::OpStore, {memoryPointer(P, Offset, Type, Bytes < 4), Value,
                            uint32_t(spv::MemoryAccessMask::Aligned), Bytes});
    return;
  }
  if (Bytes > P.Unit) {
    for (unsigned At = 0; At != Bytes; At += P.Unit) {
      Id Part = Value;
      if (At)
        Part = emit(Op::OpShiftRightLogical, Int, {Value, u32(At * 8)});
      storeInt(P, Offset + At, P.Unit, Part);
    }
    return;
  }
  Id Pointer = unitPointer(P, Offset);
  if (P.Unit != 4) {
    Value = emit(Op::OpUConvert, W.intType(P.Unit * 8), {Value});
  } else if (Bytes != 4) {
    // Part of a word that is this work item's own.
    Id Below = bitsBelow(P, Offset), Mask = u32(maskOf(Bytes));
    Value = emit(Op::OpBitwiseAnd, Int, {Value, Mask});
    Value = emit(Op::OpShiftLeftLogical, Int, {Value, Below});
    Id Hole = emit(Op::OpShiftLeftLogical, Int, {Mask, Below});
    Hole = emit(Op::OpNot, Int, {Hole});
    Id Old = emit(Op::OpLoad, Int, {Pointer});
    Old = emit(Op::OpBitwiseAnd, Int, {Old, Hole});
    Value = emit(Op::OpBitwiseOr, Int, {Old, Value});
  }
  emitPlain(Op::OpStore, {Pointer, Value});
}

Id Emitter::loadLeaf(const Place &P) {
  if (needsInts(P)) {
    uint64_t Size = T.size(P.Ty->scalar());
    uint64_t Lanes = P.Ty->isVector() ? P.Ty->Count : 1;
    unsigned Bytes = intSize(Size);
    llvm::SmallVector<Id, 8> Ints;
    for (uint64_t At = 0; At != Size * Lanes; At += Bytes)
      Ints.push_back(loadInt(P, At, Bytes));
    return fromWords(P.Ty, Ints);
  }
  Id Type = T.memory(P.Ty), Value;
  if (P.K == Place::Kind::Object) {
    Value = emit(Op::OpLoad, Type, {pointerTo(P)});
  } else {
    Id Pointer = memoryPointer(P, 0, Type);
    Value = emit(
        Op::OpLoad, Type,
        {Pointer, uint32_t(spv::MemoryAccessMask::Aligned), memoryAlign(P)});
  }
  return P.Ty->isBool() ? fromWords(P.Ty, {Value}) : Value;
}

void Emitter::storeLeaf(const Place &P, Id Value) {
  if (needsInts(P)) {
    unsigned Bytes = intSize(T.size(P.Ty->scalar()));
    llvm::SmallVector<Id, 8> Ints;
    toWords(P.Ty, Value, Ints);
    for (size_t I = 0; I != Ints.size(); ++I)
      storeInt(P, I * Bytes, Bytes, Ints[I]);
    return;
  }
  if (P.Ty->isBool()) {
    llvm::SmallVector<Id, 1> Word;
    toWords(P.Ty, Value, Word);
    Value = Word[0];
  }
  emitPlain(Op::OpStore,
            {memoryPointer(P, 0, T.memory(P.Ty)), Value,
             uint32_t(spv::MemoryAccessMask::Aligned), memoryAlign(P)});
}

//===----------------------------------------------------------------------===//
// Unions: as a value, an array of words
//===----------------------------------------------------------------------===//

/// Visits the largest aligned ints that the word number I of a union consists
/// of; the last word may end early.
static void
eachInt(const Type *Union, bool Narrow, uint64_t I,
        llvm::function_ref<void(uint64_t Offset, unsigned Bytes)> Visit) {
  uint64_t At = I * 4, End = std::min(Union->Size, At + 4);
  if (!Narrow)
    return Visit(At, 4);
  for (unsigned Bytes; At != End; At += Bytes) {
    for (Bytes = largestScalar(Union); Bytes > End - At; Bytes /= 2)
      continue;
    Visit(At, Bytes);
  }
}

Id Emitter::loadUnionWord(const Place &P, uint64_t I) {
  Id Int = W.intType(32), All = 0;
  eachInt(P.Ty, Narrow, I, [&](uint64_t At, unsigned Bytes) {
    Id Part = loadInt(P, At, Bytes);
    if (At % 4)
      Part = emit(Op::OpShiftLeftLogical, Int, {Part, u32(At % 4 * 8)});
    All = All ? emit(Op::OpBitwiseOr, Int, {All, Part}) : Part;
  });
  return All;
}

void Emitter::storeUnionWord(const Place &P, uint64_t I, Id Word) {
  eachInt(P.Ty, Narrow, I, [&](uint64_t At, unsigned Bytes) {
    Id Part = Word;
    if (At % 4)
      Part =
          emit(Op::OpShiftRightLogical, W.intType(32), {Word, u32(At % 4 * 8)});
    storeInt(P, At, Bytes, Part);
  });
}

} // namespace ampc::spirv
