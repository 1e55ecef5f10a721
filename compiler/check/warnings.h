//===- warnings.h - the names of AMP-C's own warnings ---------------------===//
#ifndef AMPC_CHECK_WARNINGS_H
#define AMPC_CHECK_WARNINGS_H

#include "llvm/ADT/StringRef.h"

namespace ampc {

/// Is there a warning -WNAME ("amp-unused-view")?
bool isWarning(llvm::StringRef Name);

} // namespace ampc

#endif
