//===- constants.cpp - const tables in accelerator memory -----------------===//

#include "spirv/constants.h"
#include "kir/constants.h"
#include "spirv/spirv.h"

namespace ampc::spirv {

/// Bytes of the largest table that every work item can have a copy of.
static constexpr uint64_t SmallTable = 256;

bool holdsUnion(const kir::Type *T) {
  if (T->isArray())
    return holdsUnion(T->Element);
  for (const kir::Type::Field &F : T->Fields)
    if (holdsUnion(F.Ty))
      return true;
  return T->isStruct() && T->IsUnion;
}

ConstantBuffer::ConstantBuffer(const kir::Module &M) {
  for (const kir::Variable *V : M.Globals) {
    if (V->Store != kir::Storage::Constant ||
        (V->Ty->Size <= SmallTable && !V->AddressTaken && !holdsUnion(V->Ty)))
      continue;
    Offsets[V] = Size;
    Size += (V->Ty->Size + 15) / 16 * 16;
  }
}

std::optional<uint64_t> ConstantBuffer::offset(const kir::Variable *V) const {
  auto Known = Offsets.find(V);
  if (Known == Offsets.end())
    return std::nullopt;
  return Known->second;
}

std::vector<uint32_t> ConstantBuffer::words() const {
  std::vector<uint8_t> Bytes(Size);
  for (auto [V, Offset] : Offsets)
    kir::writeConstant(V->Init, Bytes.data() + Offset);
  std::vector<uint32_t> Words(Size / 4);
  for (size_t I = 0; I != Size; ++I)
    Words[I / 4] |= uint32_t(Bytes[I]) << (I % 4 * 8);
  return Words;
}

std::vector<uint32_t> constantWords(const kir::Module &M) {
  return ConstantBuffer(M).words();
}

} // namespace ampc::spirv
