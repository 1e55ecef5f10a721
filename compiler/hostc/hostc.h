//===- hostc.h - the host C file ------------------------------------------===//
//
// Takes the parsed unit and each kernel's binary; gives the user's own text as
// plain C, with dialect constructs replaced and kernels embedded.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_HOSTC_HOSTC_H
#define AMPC_HOSTC_HOSTC_H

#include "cpu/cpu.h"
#include "frontend/frontend.h"
#include "spirv/spirv.h"
#include <optional>
#include <string>
#include <vector>

namespace ampc {

/// How the emitted file begins when it includes, or holds the text of, a header
/// that the command line includes; the header's name follows. The host compiler must
/// not include that again.
constexpr llvm::StringLiteral CopiedIncludeNote =
    "/* Compile without -include ";

/// In the order of U.Launches.
struct EmbeddedKernels {
  std::vector<spirv::Binary> Binaries; ///< empty: not for Vulkan
  std::vector<cpu::Code> Codes;        ///< empty: not for the CPU accelerator
};

/// Nothing when a construct was refused; the reason is reported through U.Diags.
std::optional<std::string>
emitHostC(Unit &U, const kir::Module &M, const EmbeddedKernels &Kernels);

} // namespace ampc

#endif
