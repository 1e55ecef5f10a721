//===- limits.h - how large a module is, and how large it may be ----------===//
//
// SPIR-V's universal limits (specification, 2.17), which its validator would
// report as if the module were wrong; and what the algorithms of SPIRV-Tools
// that do not scale would cost.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_SPIRV_LIMITS_H
#define AMPC_SPIRV_LIMITS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ampc::spirv {

struct Size {
  /// The limit that is exceeded, "more than 255 parameters of a function"; or
  /// "".
  std::string Excess;
  /// How deep selections, switches and loops nest.
  unsigned Depth = 0;
  /// For each block and each construct that it is in, the validator goes up the
  /// chain of the block's dominators. A step takes it a tenth of a microsecond.
  uint64_t ValidationSteps = 0;
};

Size sizeOf(const std::vector<uint32_t> &Words);

} // namespace ampc::spirv

#endif
