//===- toolchain.cpp - the host compiler and ampcc's own files ------------===//
#include "driver/toolchain.h"
#include "driver/config.h"
#include "driver/message.h"
#include "driver/process.h"
#include "spirv-tools/libspirv.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

using namespace llvm;
using namespace ampc::driver;

static std::string under(StringRef Folder, const Twine &Name) {
  SmallString<128> Path(Folder);
  sys::path::append(Path, Name);
  return Path.str().str();
}

/// The Clang that ampcc was built with, or what else there is.
static bool findDefaultCompiler(Toolchain &T) {
  if (sys::fs::can_execute(AMPC_CLANG_PROGRAM)) {
    T.Compiler = AMPC_CLANG_PROGRAM;
    T.IsClang = true;
    T.Target = AMPC_CLANG_TARGET;
    return true;
  }
  for (const char *Name : {"clang-19", "gcc", "cc"})
    if (auto Path = sys::findProgramByName(Name)) {
      T.Compiler = *Path;
      note("'" AMPC_CLANG_PROGRAM "' is not there; the host compiler is '" +
           *Path + "'");
      return true;
    }
  return error("no host compiler: '" AMPC_CLANG_PROGRAM
               "' is not there, and neither clang-19, gcc nor cc is in PATH; "
               "install one, or name one with --cc=PROGRAM");
}

/// Asks a host compiler that we do not know what it is.
static bool askCompiler(Toolchain &T) {
  auto Machine = readProgram({T.Compiler, "-dumpmachine"});
  auto Version = readProgram({T.Compiler, "--version"});
  if (!Machine || !Version)
    return error("host compiler '" + T.Compiler +
                 "' does not work: it must understand -dumpmachine and "
                 "--version, as gcc and clang do");
  T.Target = StringRef(*Machine).trim().str();
  T.IsClang = StringRef(*Version).contains("clang");
  return true;
}

std::optional<Toolchain> ampc::driver::findToolchain(const Options &O,
                                                     const char *Argv0) {
  Toolchain T;
  std::string Self = sys::fs::getMainExecutable(Argv0, (void *)&findToolchain);
  StringRef Prefix = sys::path::parent_path(sys::path::parent_path(Self));
  T.IncludeDir = under(Prefix, "include");
  T.LibraryDir = under(Prefix, "lib");
  if (!sys::fs::exists(under(T.IncludeDir, "amp.h"))) {
    error("incomplete installation: '" + T.IncludeDir +
          "' has no amp.h (ampcc is '" + Self + "')");
    return std::nullopt;
  }

  const char *Resources = getenv("AMPC_RESOURCE_DIR");
  T.ResourceDir = Resources ? Resources : AMPC_CLANG_RESOURCE_DIR;
  if (!sys::fs::exists(under(T.ResourceDir, "include/stddef.h"))) {
    error("Clang's headers are not in '" + T.ResourceDir +
          "/include'; install libclang-common-19-dev, or set "
          "AMPC_RESOURCE_DIR to what `clang-19 -print-resource-dir` says");
    return std::nullopt;
  }

  if (O.HostCompiler.empty()) {
    if (!findDefaultCompiler(T))
      return std::nullopt;
  } else if (auto Path = sys::findProgramByName(O.HostCompiler)) {
    T.Compiler = *Path;
  } else {
    error("no host compiler '" + O.HostCompiler + "' (option --cc=)");
    return std::nullopt;
  }
  if (T.Target.empty() && !askCompiler(T))
    return std::nullopt;
  return T;
}

std::vector<std::string> Toolchain::runtime(const Options &O) const {
  if (O.NoRuntime)
    return {};
  // A shared library uses the shared runtime: the program that loads it may
  // have kernels of its own, and a process has one runtime.
  if (O.Shared || O.SharedRuntime)
    return {"-L" + LibraryDir, "-lampc_runtime", "-Wl,-rpath," + LibraryDir,
            "-lm"};
  return {under(LibraryDir, "libampc_runtime.a"), "-ldl", "-lpthread", "-lm"};
}

void ampc::driver::printVersion(const Toolchain &T, raw_ostream &OS) {
  OS << "ampcc " AMPC_VERSION " (Clang and LLVM " AMPC_LLVM_VERSION
        ", SPIRV-Tools "
     << spvSoftwareVersionString() << ")\n"
     << "Target: " << T.Target << '\n'
     << "Host compiler: " << T.Compiler << '\n'
     << "Headers: " << T.IncludeDir << '\n';
}
