//===- explain.h - the rules in words -------------------------------------===//
#ifndef AMPC_CHECK_EXPLAIN_H
#define AMPC_CHECK_EXPLAIN_H

#include "llvm/Support/raw_ostream.h"

namespace ampc {

/// Prints the rule of that id or name, or all of them, with a wrong and a
/// right example (`ampcc --explain T1`). False: there is no such rule.
bool explain(llvm::StringRef Rule, llvm::raw_ostream &OS);

} // namespace ampc

#endif
