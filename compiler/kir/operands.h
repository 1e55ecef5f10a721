//===- operands.h - the direct operands of an expression ------------------===//
#ifndef AMPC_KIR_OPERANDS_H
#define AMPC_KIR_OPERANDS_H

#include "kir/kir.h"

namespace ampc::kir {

/// Where E's operands hang, in the order in which they are written; a pass may
/// put others there.
std::vector<Expr **> operands(Expr *E);

} // namespace ampc::kir

#endif
