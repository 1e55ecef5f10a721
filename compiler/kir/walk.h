//===- walk.h - visiting every node of KIR --------------------------------===//
//
// walk() calls a function for every expression below a node, operands before
// the expression that uses them, and for every statement, before its parts.
// Callees are not entered.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_KIR_WALK_H
#define AMPC_KIR_WALK_H

#include "kir/kir.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ampc::kir {

using ExprVisitor = llvm::function_ref<void(const Expr *)>;
using StmtVisitor = llvm::function_ref<void(const Stmt *)>;

void walk(const Expr *E, ExprVisitor OnExpr);
void walk(const Body &B, ExprVisitor OnExpr, StmtVisitor OnStmt);

/// Whether running these statements can meet a Barrier, in callees too.
bool containsBarrier(const Body &B);

/// The functions that these statements reach, callees before callers.
std::vector<const Function *> reachableFunctions(const Body &B);

} // namespace ampc::kir

#endif
