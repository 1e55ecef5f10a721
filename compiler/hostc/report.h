//===- report.h - hostc's diagnostics and small text helpers --------------===//
#ifndef AMPC_HOSTC_REPORT_H
#define AMPC_HOSTC_REPORT_H

#include "frontend/frontend.h"

namespace ampc::hostc {

/// error: not supported yet: What
void notSupported(Unit &U, clang::SourceLocation L, llvm::StringRef What);
/// As a C string literal.
std::string quoted(llvm::StringRef S);

} // namespace ampc::hostc

#endif
