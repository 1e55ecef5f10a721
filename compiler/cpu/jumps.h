//===- jumps.h - conditions in place of jumps -----------------------------===//
//
// A jump out of a part of a body becomes a flag that is set, and the statements
// that it would have skipped stand under `if (!flag)`. Inside loops and
// switches that the jump leaves on its way, a Break takes it further.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_CPU_JUMPS_H
#define AMPC_CPU_JUMPS_H

#include "kir/kir.h"

namespace ampc::cpu {

/// Returns of a function or kernel; what they return is stored in Result, if
/// there is one.
void removeReturns(kir::Module &M, kir::Body &B, kir::Variable *Result);
/// Continues of the loop whose body this is.
void removeContinues(kir::Module &M, kir::Body &B);
/// A switch as a chain of conditions.
kir::Stmt *switchToIfs(kir::Module &M, kir::Switch *S);

} // namespace ampc::cpu

#endif
