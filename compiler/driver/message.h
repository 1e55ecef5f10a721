//===- message.h - the driver's own messages ------------------------------===//
//
// "ampcc: error: ..." on standard error, in colour when it is a terminal.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_DRIVER_MESSAGE_H
#define AMPC_DRIVER_MESSAGE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

namespace ampc::driver {

/// Always false, so that a failing function can return it.
inline bool error(const llvm::Twine &Text) {
  llvm::WithColor::error(llvm::errs(), "ampcc") << Text << '\n';
  return false;
}
inline void warning(const llvm::Twine &Text) {
  llvm::WithColor::warning(llvm::errs(), "ampcc") << Text << '\n';
}
inline void note(const llvm::Twine &Text) {
  llvm::WithColor::note(llvm::errs(), "ampcc") << Text << '\n';
}

} // namespace ampc::driver

#endif
