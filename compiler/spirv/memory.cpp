//===- memory.cpp - leaves in accelerator memory and in unions ------------===//
//
// The one place where memory types and value types meet: every scalar or short
// vector that does not stand in a variable of its own value type goes through
// loadLeaf() and storeLeaf().
//
// A bool in memory is the first byte of an aligned word whose other bytes are
// padding (rules T4 and T5): reads look at the byte, writes set the word.
// What is aligned to less than its scalar's size (a double in a packed struct)
// is moved as 32-bit words.
//
//===----------------------------------------------------------------------===//

#include "spirv/emitter.h"
#include <algorithm>

using namespace ampc::kir;

namespace ampc::spirv {

static unsigned wordsIn(const Type *Leaf) {
  unsigned PerLane = Leaf->scalar()->Size == 8 ? 2 : 1;
  return PerLane * (Leaf->isVector() ? Leaf->Count : 1);
}

bool Emitter::needsWords(const Place &P) const {
  return P.K == Place::Kind::Words ||
         (P.K == Place::Kind::Memory && !P.Ty->isBool() &&
          P.Align < P.Ty->scalar()->Size);
}

/// The value of a leaf from the words that it is made of.
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
    } else {
      Lanes.push_back(Scalar->isInt()
                          ? Words[I]
                          : emit(spv::Op::OpBitcast, ScalarType, {Words[I]}));
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

/// A pointer to a leaf of memory type Leaf at P, and the alignment to state.
/// OpBitcast, because spirv-opt neither merges nor drops OpConvertUToPtr.
Id Emitter::leafPointer(const Place &P, const Type *Leaf, uint64_t &Align) {
  spv::StorageClass Class = spv::StorageClass::PhysicalStorageBuffer;
  // The host's gcc aligns wide vectors to 16 only.
  Align = std::min<uint64_t>(P.Align, 16);
  Align = std::max(Align, scalarAlign(Leaf));
  Id Type = T.memory(Leaf), Address = P.Address;
  if (P.Offset)
    Address = emit(spv::Op::OpIAdd, W.intType(64), {Address, u64(P.Offset)});
  if (!P.Marks)
    return emit(spv::Op::OpBitcast, W.pointerType(Class, Type),
                {Address});
  Id Block = emit(spv::Op::OpBitcast,
                  W.pointerType(Class, T.markedBlock(Type, P.Marks)),
                  {Address});
  return emit(spv::Op::OpAccessChain, W.pointerType(Class, Type),
              {Block, u32(0)});
}

/// A pointer to word number Index of the leaf at P, which is among Words.
Id Emitter::wordPointer(const Place &P, unsigned Index) {
  Id Int = W.intType(32), Position = u32(P.Offset / 4 + Index);
  if (P.Word)
    Position = emit(spv::Op::OpIAdd, Int, {P.Word, Position});
  return emit(spv::Op::OpAccessChain, W.pointerType(P.Class, Int),
              {P.Pointer, Position});
}

Id Emitter::loadLeaf(const Place &P) {
  Id Int = W.intType(32);
  const uint32_t Aligned = uint32_t(spv::MemoryAccessMask::Aligned);
  uint64_t Align;
  if (needsWords(P)) {
    llvm::SmallVector<Id, 8> Words;
    for (unsigned I = 0; I != wordsIn(P.Ty); ++I) {
      if (P.K == Place::Kind::Words) {
        Words.push_back(emit(spv::Op::OpLoad, Int, {wordPointer(P, I)}));
        continue;
      }
      Place Word = P;
      Word.Offset += I * 4;
      Id Pointer = leafPointer(Word, &WordType, Align);
      Words.push_back(emit(spv::Op::OpLoad, Int, {Pointer, Aligned, 4}));
    }
    return fromWords(P.Ty, Words);
  }
  Id Value;
  if (P.K == Place::Kind::Object) {
    Value = emit(spv::Op::OpLoad, T.memory(P.Ty), {pointerTo(P)});
  } else {
    Id Pointer = leafPointer(P, P.Ty, Align);
    Value = emit(spv::Op::OpLoad, T.memory(P.Ty),
                 {Pointer, Aligned, uint32_t(Align)});
  }
  return P.Ty->isBool() ? fromWords(P.Ty, {Value}) : Value;
}

void Emitter::storeLeaf(const Place &P, Id Value) {
  const uint32_t Aligned = uint32_t(spv::MemoryAccessMask::Aligned);
  uint64_t Align;
  if (needsWords(P)) {
    llvm::SmallVector<Id, 8> Words;
    toWords(P.Ty, Value, Words);
    for (unsigned I = 0; I != Words.size(); ++I) {
      if (P.K == Place::Kind::Words) {
        emitPlain(spv::Op::OpStore, {wordPointer(P, I), Words[I]});
        continue;
      }
      Place Word = P;
      Word.Offset += I * 4;
      Id Pointer = leafPointer(Word, &WordType, Align);
      emitPlain(spv::Op::OpStore, {Pointer, Words[I], Aligned, 4});
    }
    return;
  }
  if (P.Ty->isBool()) {
    llvm::SmallVector<Id, 1> Word;
    toWords(P.Ty, Value, Word);
    Value = Word[0];
  }
  Id Pointer = leafPointer(P, P.Ty, Align);
  emitPlain(spv::Op::OpStore, {Pointer, Value, Aligned, uint32_t(Align)});
}

} // namespace ampc::spirv
