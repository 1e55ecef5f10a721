//===- hostc.cpp - the host C file ----------------------------------------===//

#include "hostc/hostc.h"
#include "hostc/host.h"
#include "hostc/includes.h"

namespace ampc {

std::optional<std::string>
emitHostC(Unit &U, const kir::Module &M, const EmbeddedKernels &Kernels) {
  hostc::Text Text(U);
  hostc::Host Host(U, M, Kernels, Text);
  hostc::Includes Includes(U, Text);
  Host.visitUnit();
  Host.markUnused(Includes.copied());
  if (!Host.ok() || !Text.settle())
    return std::nullopt;
  return Includes.emit();
}

} // namespace ampc
