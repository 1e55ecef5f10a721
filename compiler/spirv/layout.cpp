//===- layout.cpp - SPIR-V types for KIR types ----------------------------===//

#include "spirv/layout.h"
#include "spirv/narrow.h"
#include <algorithm>

namespace ampc::spirv {

using kir::Type;

bool Types::hasNarrowPart(const Type *T) const {
  return Narrow && smallestScalar(T) < 4;
}

unsigned Types::tileUnit(const Type *Union) const {
  return Narrow ? smallestScalar(Union) : 4;
}

uint64_t Types::scalarAlign(const Type *T) const {
  if (T->isVector() || T->isArray())
    return scalarAlign(T->Element);
  if (T->isScalar())
    return size(T);
  uint64_t Align = Narrow ? 1 : 4;
  for (const Type::Field &F : T->Fields)
    Align = std::max(Align, scalarAlign(F.Ty));
  return Align;
}

Id Types::view(unsigned Rank) {
  Id &Known = Views[Rank];
  if (!Known) {
    std::vector<Id> Members(Rank, W.intType(64));
    Members.insert(Members.end(), Rank, W.intType(32));
    Known = W.newStructType(Members);
    if (Debug)
      W.name(Known, "view_" + std::to_string(Rank));
  }
  return Known;
}

Id Types::pointer() {
  if (!Pointer) {
    Pointer = W.newStructType({W.intType(32), W.intType(32), W.intType(64)});
    if (Debug)
      W.name(Pointer, "pointer");
  }
  return Pointer;
}

Id Types::value(const Type *T) {
  switch (T->K) {
  case Type::Kind::Void:
    return W.voidType();
  case Type::Kind::Bool:
    return W.boolType();
  case Type::Kind::Int:
    return W.intType(valueWidth(T));
  case Type::Kind::Float:
    return W.floatType(T->Width);
  case Type::Kind::Vector:
    return W.vectorType(value(T->Element), T->Count);
  case Type::Kind::Array:
    return W.arrayType(value(T->Element), T->Count);
  case Type::Kind::View:
    return view(T->Rank);
  case Type::Kind::Pointer:
    return pointer();
  case Type::Kind::Struct:
    break;
  }
  if (T->IsUnion)
    return W.arrayType(W.intType(32), (T->Size + 3) / 4);
  auto Known = Values.find(T);
  if (Known != Values.end())
    return Known->second;
  std::vector<Id> Members;
  for (const Type::Field &F : T->Fields)
    Members.push_back(value(F.Ty));
  Id Result = W.newStructType(Members);
  if (Debug) {
    W.name(Result, T->Name);
    for (size_t I = 0; I != T->Fields.size(); ++I)
      W.nameMember(Result, I, T->Fields[I].Name);
  }
  return Values[T] = Result;
}

Id Types::tile(const Type *T) {
  if (!hasNarrowPart(T))
    return value(T);
  auto Known = Tiles.find(T);
  if (Known != Tiles.end())
    return Known->second;
  auto Unit = [&](unsigned Bytes) {
    if (Bytes < 4)
      W.capability(Bytes == 1 ? spv::Capability::Int8 : spv::Capability::Int16);
    return W.intType(Bytes * 8);
  };
  Id Result;
  if (T->isScalar()) {
    Result = Unit(T->Size);
  } else if (T->isArray()) {
    Result = W.arrayType(tile(T->Element), T->Count);
  } else if (T->IsUnion) {
    unsigned Bytes = tileUnit(T);
    Result = W.arrayType(Unit(Bytes), (T->Size + Bytes - 1) / Bytes);
  } else {
    std::vector<Id> Members;
    for (const Type::Field &F : T->Fields)
      Members.push_back(tile(F.Ty));
    Result = W.newStructType(Members);
    if (Debug)
      W.name(Result, T->Name);
  }
  return Tiles[T] = Result;
}

Id Types::memory(const Type *T) {
  if (T->isScalar())
    return T->isFloat() ? value(T) : W.intType(size(T) * 8);
  if (isLeaf(T))
    return value(T);
  auto Known = Memories.find(T);
  if (Known != Memories.end())
    return Known->second;
  Id Result;
  if (T->isArray() && !hasNarrowPart(T)) {
    Result = W.newArrayType(memory(T->Element), T->Count);
    W.decorate(Result, spv::Decoration::ArrayStride,
               {uint32_t(T->Element->Size)});
  } else if (T->IsUnion || hasNarrowPart(T)) {
    Result = W.newArrayType(W.intType(32), (T->Size + 3) / 4);
    W.decorate(Result, spv::Decoration::ArrayStride, {4});
  } else {
    std::vector<Id> Members;
    for (const Type::Field &F : T->Fields)
      Members.push_back(memory(F.Ty));
    Result = W.newStructType(Members);
    for (size_t I = 0; I != T->Fields.size(); ++I)
      W.decorateMember(Result, I, spv::Decoration::Offset,
                       {uint32_t(T->Fields[I].Offset)});
  }
  return Memories[T] = Result;
}

Id Types::markedBlock(Id Leaf, unsigned Marks) {
  Id &Known = Blocks[{Leaf, Marks}];
  if (!Known) {
    Known = W.newStructType({Leaf});
    W.decorate(Known, spv::Decoration::Block);
    W.decorateMember(Known, 0, spv::Decoration::Offset, {0});
    if (Marks & NonWritable)
      W.decorateMember(Known, 0, spv::Decoration::NonWritable);
    if (Marks & Coherent)
      W.decorateMember(Known, 0, spv::Decoration::Coherent);
    if (Debug)
      W.name(Known, Marks == NonWritable ? "read_only"
                    : Marks == Coherent  ? "coherent"
                                         : "coherent_read_only");
  }
  return Known;
}

} // namespace ampc::spirv
