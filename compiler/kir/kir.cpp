//===- kir.cpp - types and modules of the kernel IR -----------------------===//

#include "kir/kir.h"
#include "llvm/ADT/Twine.h"

namespace ampc::kir {

Module::~Module() = default;

Module::Module() {
  Type T;
  T.K = Type::Kind::Void;
  Void = intern("void", T);
  T.K = Type::Kind::Bool;
  T.Size = T.Align = 1;
  Bool = intern("bool", T);
}

const Type *Module::intern(const std::string &Key, Type T) {
  std::unique_ptr<Type> &Slot = Interned[Key];
  if (!Slot)
    Slot = std::make_unique<Type>(std::move(T));
  return Slot.get();
}

/// A key that tells types apart even where two structs print alike.
static std::string keyOf(const Type *T) {
  return std::to_string(reinterpret_cast<uintptr_t>(T));
}

const Type *Module::intType(unsigned Width, bool Signed) {
  Type T;
  T.K = Type::Kind::Int;
  T.Width = Width;
  T.Signed = Signed;
  T.Size = T.Align = Width / 8;
  return intern((Signed ? "i" : "u") + std::to_string(Width), T);
}

const Type *Module::floatType(unsigned Width) {
  Type T;
  T.K = Type::Kind::Float;
  T.Width = Width;
  T.Size = T.Align = Width / 8;
  return intern("f" + std::to_string(Width), T);
}

const Type *Module::vectorType(const Type *Element, unsigned Count) {
  Type T;
  T.K = Type::Kind::Vector;
  T.Element = Element;
  T.Count = Count;
  // Clang's ext_vector_type: three lanes take the room of four.
  T.Size = T.Align = Element->Size * (Count == 3 ? 4 : Count);
  return intern("v" + std::to_string(Count) + "," + keyOf(Element), T);
}

const Type *Module::arrayType(const Type *Element, uint64_t Count) {
  Type T;
  T.K = Type::Kind::Array;
  T.Element = Element;
  T.Count = Count;
  T.Size = Element->Size * Count;
  T.Align = Element->Align;
  return intern("a" + std::to_string(Count) + "," + keyOf(Element), T);
}

const Type *Module::viewType(const Type *Element, unsigned Rank,
                             bool ReadOnly) {
  Type T;
  T.K = Type::Kind::View;
  T.Element = Element;
  T.Rank = Rank;
  T.ReadOnly = ReadOnly;
  return intern(
      (ReadOnly ? "r" : "w") + std::to_string(Rank) + "," + keyOf(Element), T);
}

const Type *Module::pointerType(const Type *Element) {
  Type T;
  T.K = Type::Kind::Pointer;
  T.Element = Element;
  return intern("p" + keyOf(Element), T);
}

const Type *Module::addStruct(Type Struct) {
  Structs.push_back(std::make_unique<Type>(std::move(Struct)));
  return Structs.back().get();
}

uint64_t extended(const Type *Int, uint64_t Bits) {
  if (Int->Width == 64)
    return Bits;
  uint64_t Sign = uint64_t(1) << (Int->Width - 1), Mask = 2 * Sign - 1;
  Bits &= Mask;
  return Int->Signed ? (Bits ^ Sign) - Sign : Bits;
}

bool holdsView(const Type *T) {
  if (T->isView())
    return true;
  if (T->isArray())
    return holdsView(T->Element);
  for (const Type::Field &F : T->Fields)
    if (holdsView(F.Ty))
      return true;
  return false;
}

static void listViews(unsigned Capture, const std::string &Path, const Type *Ty,
                      std::vector<CapturedView> &To) {
  if (Ty->isView())
    To.push_back({Capture, Path, Ty->Rank, Ty->Element->Size, Ty->ReadOnly});
  else if (Ty->isArray() && holdsView(Ty))
    for (uint64_t I = 0; I != Ty->Count; ++I)
      listViews(Capture, Path + "[" + std::to_string(I) + "]", Ty->Element,
                To);
  for (const Type::Field &F : Ty->Fields)
    listViews(Capture, F.Name.empty() ? Path : Path + "." + F.Name, F.Ty, To);
}

std::vector<CapturedView> capturedViews(const Kernel &K) {
  std::vector<CapturedView> Result;
  for (unsigned I = 0; I != K.Captures.size(); ++I)
    listViews(I, "", K.Captures[I]->Ty, Result);
  return Result;
}

} // namespace ampc::kir
