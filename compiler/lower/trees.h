//===- trees.h - small queries on KIR expressions -------------------------===//
//
// What lowering asks of a tree that it has just made: may it be evaluated
// twice, or later? No Clang here.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_LOWER_TREES_H
#define AMPC_LOWER_TREES_H

#include "kir/kir.h"

namespace ampc {

/// A copy of a tree, for a second parent.
kir::Expr *clone(kir::Module &M, const kir::Expr *E);

/// Evaluating E calls a function.
bool hasCall(const kir::Expr *E);

/// E (a value or a place) means the same before and after any call: it reads
/// nothing but constants and private variables.
bool isStable(const kir::Expr *E);

/// A constant, a variable or a part of one, converted at most: not worth a
/// temporary.
bool isSmall(const kir::Expr *E);

} // namespace ampc

#endif
