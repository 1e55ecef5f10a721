//===- inline.h - calls of functions that synchronise ---------------------===//
#ifndef AMPC_CPU_INLINE_H
#define AMPC_CPU_INLINE_H

#include "kir/kir.h"

namespace ampc::cpu {

/// Replaces every call in B, at any depth, of a function that meets a barrier
/// by a copy of its body. What C evaluates before the call within the same
/// expression may be evaluated after it: C leaves that open.
void inlineSynchronising(kir::Module &M, kir::Body &B);

} // namespace ampc::cpu

#endif
