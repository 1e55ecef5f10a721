//===- layout.cpp - SPIR-V types for KIR types ----------------------------===//

#include "spirv/layout.h"
#include <algorithm>

namespace ampc::spirv {

using kir::Type;

uint64_t scalarAlign(const Type *T) {
  if (T->isVector() || T->isArray())
    return scalarAlign(T->Element);
  if (T->isBool())
    return 4;
  uint64_t Align = T->isStruct() ? 4 : T->Align;
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
    return W.intType(T->Width);
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

Id Types::memory(const Type *T) {
  if (T->isBool())
    return W.intType(32);
  if (isLeaf(T))
    return value(T);
  auto Known = Memories.find(T);
  if (Known != Memories.end())
    return Known->second;
  Id Result;
  if (T->isArray()) {
    Result = W.newArrayType(memory(T->Element), T->Count);
    W.decorate(Result, spv::Decoration::ArrayStride,
               {uint32_t(T->Element->Size)});
  } else if (T->IsUnion) {
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
