//===- constants.h - constants as bytes -----------------------------------===//
//
// A constant tree (literals, Zero and Construct) as the bytes that the object
// has in host memory.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_KIR_CONSTANTS_H
#define AMPC_KIR_CONSTANTS_H

#include "kir/kir.h"

namespace ampc::kir {

/// Writes the bytes that are not zero; To holds zeroes, as many as the type has
/// bytes.
void writeConstant(const Expr *Constant, uint8_t *To);

} // namespace ampc::kir

#endif
