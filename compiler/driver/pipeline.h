//===- pipeline.h - one AMP-C file through the compiler -------------------===//
//
// Calls the phases in order. Runs in a child process: a phase that crashes
// becomes an "internal compiler error" with a reproducer, and the driver lives
// on to clean up.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_DRIVER_PIPELINE_H
#define AMPC_DRIVER_PIPELINE_H

#include "driver/options.h"
#include "driver/toolchain.h"

namespace ampc::driver {

/// Exit code of a run that ended in an internal compiler error.
enum { InternalErrorCode = 70 };

/// One AMP-C source and what shall become of it.
struct Translation {
  std::string Input;
  Action Do; ///< Preprocess, DependenciesOnly, SyntaxOnly or one of Emit...
  std::string Output; ///< a file, or "-"; EmitSpirv: file, folder or empty
  /// Further arguments for Clang: where the dependency file goes.
  std::vector<std::string> ExtraArgs;
  bool IsKir = false; ///< Input is KIR text
};

/// Gives the exit code: 0, 1 after errors that are reported, or
/// InternalErrorCode.
int translate(const Translation &T, const Options &O, const Toolchain &Tools);

} // namespace ampc::driver

#endif
