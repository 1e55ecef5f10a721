//===- constants.h - constants as bytes -----------------------------------===//
//
// A constant tree (literals, Zero and Construct) as the bytes that the object
// has in host memory, and back.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_KIR_CONSTANTS_H
#define AMPC_KIR_CONSTANTS_H

#include "kir/kir.h"

namespace ampc::kir {

/// Writes the bytes that are not zero; To holds zeroes, as many as the type has
/// bytes.
void writeConstant(const Expr *Constant, uint8_t *To);

/// The constant of type Ty that has these bytes.
Expr *readConstant(Module &M, const Type *Ty, const uint8_t *From, Loc Where);

} // namespace ampc::kir

#endif
