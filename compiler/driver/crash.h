//===- crash.h - internal compiler errors ---------------------------------===//
#ifndef AMPC_DRIVER_CRASH_H
#define AMPC_DRIVER_CRASH_H

#include "kir/progress.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace ampc::driver {

/// What is at work, for the process that watches; stands in memory that both
/// share.
class PhaseMark {
public:
  /// Die in this phase, at this line of the source.
  void trap(llvm::StringRef Phase, unsigned Line) {
    TrapPhase = Phase;
    TrapLine = Line;
  }
  /// Another phase begins. Its name is a literal: child and parent are one
  /// program, so the pointer is good in both.
  PhaseMark &operator=(const char *Phase) {
    Name = Phase;
    At = kir::Progress();
    At.TrapLine = TrapPhase == Phase ? TrapLine : 0;
    return *this;
  }

  const char *Name = "the driver";
  kir::Progress At;

private:
  llvm::StringRef TrapPhase;
  unsigned TrapLine = 0;
};

/// Runs Work, which gives an exit code, in a child process. If that dies of a
/// signal or gives InternalErrorCode, says which phase it was, saves a
/// reproducer, and gives InternalErrorCode.
int runWatched(llvm::StringRef Input,
               llvm::function_ref<int(PhaseMark &)> Work);

/// For the reproducer's command line.
void rememberCommandLine(llvm::ArrayRef<const char *> Argv);

} // namespace ampc::driver

#endif
