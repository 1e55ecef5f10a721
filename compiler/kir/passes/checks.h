//===- checks.h - subscripts and divisions that are checked at run time ---===//
//
// For -fbounds-check and -fcheck-division. What can go wrong moves into a small
// function of its own, which is called in its place: every operand is still
// evaluated once, where and when it was. The function reports a failure of the
// launch and then does no harm: nothing is read (the value is zero) or written,
// a section is empty, an index of an array is 0. The work item goes on, so that
// barriers are met by all.
//
// Elements of views and arrays, lanes of vectors, sections, projections and
// shapes of views are checked; a pointer is when it is made from an element
// (one behind the last is right), not when it is moved or used.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_KIR_PASSES_CHECKS_H
#define AMPC_KIR_PASSES_CHECKS_H

#include "kir/kir.h"

namespace ampc::kir {

struct Checks {
  bool Bounds = false;
  bool Division = false;
};

void addChecks(Module &M, Checks Which);

} // namespace ampc::kir

#endif
