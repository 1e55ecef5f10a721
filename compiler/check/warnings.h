//===- warnings.h - the names of AMP-C's own warnings ---------------------===//
#ifndef AMPC_CHECK_WARNINGS_H
#define AMPC_CHECK_WARNINGS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace ampc {

/// Is there a warning -WNAME ("amp-unused-view")?
bool isWarning(llvm::StringRef Name);

/// The table of warnings.def, for --help-warnings.
void printWarnings(llvm::raw_ostream &OS);

} // namespace ampc

#endif
