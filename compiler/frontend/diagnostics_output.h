//===- diagnostics_output.h - diagnostics for programs to read ------------===//
//
// A consumer that collects a file's diagnostics and writes them as one
// document when it finishes: SARIF 2.1.0, or a plainer JSON array.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_FRONTEND_DIAGNOSTICS_OUTPUT_H
#define AMPC_FRONTEND_DIAGNOSTICS_OUTPUT_H

#include "clang/Basic/Diagnostic.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace ampc {

/// Sarif: false for the plain array.
std::unique_ptr<clang::DiagnosticConsumer>
documentDiagnostics(bool Sarif, llvm::raw_ostream &OS);

} // namespace ampc

#endif
