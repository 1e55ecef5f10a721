//===- crash.h - internal compiler errors ---------------------------------===//
#ifndef AMPC_DRIVER_CRASH_H
#define AMPC_DRIVER_CRASH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace ampc::driver {

/// The phase at work, for the process that watches. Points to a literal:
/// child and parent are one program, so the pointer is good in both.
using PhaseMark = const char *volatile;

/// Runs Work, which gives an exit code, in a child process. If that dies of a
/// signal or gives InternalErrorCode, says which phase it was, saves a
/// reproducer, and gives InternalErrorCode.
int runWatched(llvm::StringRef Input,
               llvm::function_ref<int(PhaseMark &)> Work);

/// For the reproducer's command line.
void rememberCommandLine(llvm::ArrayRef<const char *> Argv);

} // namespace ampc::driver

#endif
