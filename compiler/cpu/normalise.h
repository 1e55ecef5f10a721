//===- normalise.h - barriers where fission wants them --------------------===//
//
// Takes a kernel with barriers; gives a copy of its body in which
//   - every barrier stands in the body itself: functions that synchronise are
//     inlined,
//   - what encloses a barrier is a Block, an If or a Loop; its condition calls
//     nothing that could change anything,
//   - there is no Return, no Switch around a barrier, and no Continue of a loop
//     around a barrier: flags and conditions take their place. A Break leaves a
//     loop around a barrier only where all work items take it (rule B1).
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_CPU_NORMALISE_H
#define AMPC_CPU_NORMALISE_H

#include "kir/kir.h"

namespace ampc::cpu {

kir::Body normalise(kir::Module &M, const kir::Kernel &K);

/// Whether there is a barrier in these statements themselves.
bool holdsBarrier(const kir::Body &B);

} // namespace ampc::cpu

#endif
