//===- hostc.h - the host C file ------------------------------------------===//
//
// Takes the parsed unit and each kernel's binary; gives the user's own text as
// plain C, with dialect constructs replaced and kernels embedded.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_HOSTC_HOSTC_H
#define AMPC_HOSTC_HOSTC_H

#include "frontend/frontend.h"
#include "spirv/spirv.h"
#include <optional>
#include <string>
#include <vector>

namespace ampc {

/// Binaries stand in the order of U.Launches. Nothing when a construct was
/// refused; the reason is reported through U.Diags.
std::optional<std::string>
emitHostC(Unit &U, const kir::Module &M,
          const std::vector<spirv::Binary> &Binaries);

} // namespace ampc

#endif
