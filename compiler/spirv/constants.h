//===- constants.h - const tables in accelerator memory -------------------===//
//
// A constant that is small and only read by subscript is a constant of the
// SPIR-V module. All others of a translation unit stand in one read-only buffer
// that its kernels share: those of more than SmallTable bytes, those whose
// address is taken, those that hold unions.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_SPIRV_CONSTANTS_H
#define AMPC_SPIRV_CONSTANTS_H

#include "kir/kir.h"

namespace ampc::spirv {

class ConstantBuffer {
public:
  explicit ConstantBuffer(const kir::Module &M);

  /// Where a constant starts in the buffer, a multiple of 16; nothing if it is
  /// not there.
  std::optional<uint64_t> offset(const kir::Variable *V) const;
  std::vector<uint32_t> words() const;

private:
  std::map<const kir::Variable *, uint64_t> Offsets;
  uint64_t Size = 0;
};

bool holdsUnion(const kir::Type *T);

} // namespace ampc::spirv

#endif
