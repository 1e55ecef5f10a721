//===- toolchain.h - the host compiler and ampcc's own files --------------===//
//
// Finds the headers and libraries relative to the ampcc binary (bin/ampcc,
// include/, lib/: the build folder has the same shape as the installed tree),
// and the host compiler with what Clang's parse must know of it.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_DRIVER_TOOLCHAIN_H
#define AMPC_DRIVER_TOOLCHAIN_H

#include "driver/options.h"

namespace ampc::driver {

struct Toolchain {
  std::string IncludeDir;  ///< of amp.h
  std::string LibraryDir;  ///< of libampc_runtime
  std::string ResourceDir; ///< Clang's own headers
  std::string Compiler;    ///< the host compiler
  bool IsClang;            ///< ... is a Clang
  std::string Target;      ///< its triple

  /// How the runtime is linked, for the end of a link line.
  std::vector<std::string> runtime(const Options &O) const;
};

/// Prints what is missing and gives nothing.
std::optional<Toolchain> findToolchain(const Options &O, const char *Argv0);

void printVersion(const Toolchain &T, llvm::raw_ostream &OS);

} // namespace ampc::driver

#endif
