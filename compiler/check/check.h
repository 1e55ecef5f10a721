//===- check.h - the restriction rules ------------------------------------===//
//
// Takes a parsed unit, reports every breach of a rule through its diagnostics
// engine, changes nothing. What passes is safe to lower. The rules are the rows
// of restrictions.def; shared/design names them.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_CHECK_CHECK_H
#define AMPC_CHECK_CHECK_H

#include "frontend/frontend.h"
#include "kir/kir.h"

namespace ampc {

/// True when no rule is broken.
bool check(Unit &U);

/// Rule B1, which is decided on the lowered form: takes the verified module of
/// the unit. True when every barrier stands in uniform flow.
bool checkBarriersOf(Unit &U, const kir::Module &M);

/// The same for a module that was read from text; the messages go to OS.
bool checkBarriersOf(const kir::Module &M, llvm::raw_ostream &OS);

/// A limit that only the back end knows: an error at the kernel.
void refuseKernel(Unit &U, const kir::Module &M, const kir::Kernel &K,
                  llvm::StringRef Why);

} // namespace ampc

#endif
