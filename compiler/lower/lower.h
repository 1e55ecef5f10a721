//===- lower.h - Clang AST to KIR -----------------------------------------===//
//
// Takes a unit that passed check; gives a KIR module with one Kernel per
// launch, in the order of Unit::Launches, and the amp functions they reach.
// Constructs that have no lowering yet are reported as "not supported yet: X"
// at their place, and the result is null.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_LOWER_LOWER_H
#define AMPC_LOWER_LOWER_H

#include "frontend/frontend.h"
#include "kir/kir.h"
#include <memory>

namespace ampc {

std::unique_ptr<kir::Module> lower(Unit &U);

} // namespace ampc

#endif
