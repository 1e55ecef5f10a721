//===- uniform.h - variables that are the same for a whole tile -----------===//
#ifndef AMPC_CPU_UNIFORM_H
#define AMPC_CPU_UNIFORM_H

#include "kir/kir.h"
#include <set>

namespace ampc::cpu {

/// The local variables of a normalised body that may differ between work items
/// of a tile, or whose assignments not all work items reach together. What is
/// not in the set always has one value in the whole tile.
std::set<const kir::Variable *> varyingVariables(const kir::Body &Normalised);
/// Whether a value may differ between work items, given what does.
bool varies(const kir::Expr *Value,
            const std::set<const kir::Variable *> &Varying);

} // namespace ampc::cpu

#endif
