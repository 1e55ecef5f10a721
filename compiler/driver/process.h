//===- process.h - running other programs, and ourselves safely -----------===//
#ifndef AMPC_DRIVER_PROCESS_H
#define AMPC_DRIVER_PROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <string>

namespace ampc::driver {

/// How a child process ended.
struct Ending {
  int Signal = 0; ///< 0: it exited
  int Code = 0;   ///< its exit code; 127: the program could not be started
  bool good() const { return Signal == 0 && Code == 0; }
};

/// Calls Work in a child process and waits for it, so that a crash in there,
/// whatever its kind, is an Ending. Work's result is the exit code.
Ending runGuarded(llvm::function_ref<int()> Work);

/// Runs a program, found in PATH, with our standard streams; with Errors, what
/// it writes to standard error goes there. Prints an error if it cannot be
/// started or dies of a signal.
Ending runProgram(llvm::ArrayRef<std::string> Command,
                  std::string *Errors = nullptr);

/// Runs a program; its standard output, if it succeeds.
std::optional<std::string> readProgram(llvm::ArrayRef<std::string> Command);

/// Command as a shell could read it, for -v and -###.
std::string quoted(llvm::ArrayRef<std::string> Command);

} // namespace ampc::driver

#endif
