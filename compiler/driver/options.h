//===- options.h - what the command line asks for -------------------------===//
//
// Takes argv; gives an Options. Nothing is looked up in the file system here
// but @files. options.def lists the options.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_DRIVER_OPTIONS_H
#define AMPC_DRIVER_OPTIONS_H

#include "frontend/version.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace ampc::driver {

/// Where the pipeline ends.
enum class Action {
  Link,
  Object,
  Assembly,
  Preprocess,
  DependenciesOnly, ///< -M, -MM
  SyntaxOnly,
  EmitC,
  EmitKir,
  EmitSpirv,
  EmitSpirvAsm,
};

/// Whom an option is for; see options.def.
enum Route : unsigned {
  Parse = 1,
  ParseClang = 2,
  Compile = 4,
  Link = 8,
  Preprocessed = 16, ///< Parse and Compile, with -E only
  SideFiles = 32,    ///< makes the host compiler write files named after -o
};

inline unsigned onlyIf(bool Condition, Route R) { return Condition ? R : 0u; }

/// One thing on the link line, in the order given.
struct LinkItem {
  enum class Kind { Source, File, Argument } K;
  unsigned Source;  ///< Kind::Source: index into Options::Sources
  std::string Text; ///< File: an object or library. Argument: -l, -Wl, ...
};

struct Source {
  std::string Path;
  /// "ampc", "kir", or what -x said, or empty: by suffix
  std::string Language;
  bool isAmpc() const { return Language == "ampc"; }
  bool isKir() const { return Language == "kir"; }
};

struct Options {
  Action Do = Action::Link;
  std::string ActionSpelling; ///< "-c", for messages
  std::vector<Source> Sources;
  std::vector<LinkItem> LinkLine;
  std::string Output; ///< empty: the default

  bool WantsDependencies = false, UserDependenciesOnly = false;
  std::string DependencyFile;
  std::vector<std::string> DependencyArgs; ///< -MT x, -MQ x, -MP

  bool OptimiseKernels = true, Debug = false;
  bool FastDivision = false;
  bool BoundsCheck = false, CheckDivision = false;
  bool ForCpu = true, ForVulkan = true; ///< --accelerators=
  bool Shared = false, SharedRuntime = false, NoRuntime = false;
  bool Verbose = false, DryRun = false;
  bool Help = false, HelpWarnings = false, Version = false, DumpMachine = false, DumpVersion = false;
  std::vector<std::string> AmpWarnings; ///< -Wamp-..., -Wno-amp-...
  std::optional<ampc::Version> Types; ///< -famp-extensions=
  std::string Explain; ///< the rule to explain
  std::string DiagnosticsFormat = "text"; ///< or "json", "sarif"
  bool Verify = false; ///< judge the diagnostics by expected-error comments
  std::vector<std::string> PrintAfter; ///< passes, or "all"
  std::vector<std::string> PrintAnalysis;
  std::string CrashPhase; ///< for tests: die in this phase ...
  unsigned CrashLine = 0; ///< ... at this source line; 0: never
  std::string HostCompiler; ///< empty: the default

  /// Arguments handed on, each with its routes.
  std::vector<std::pair<std::string, unsigned>> Passed;

  /// The arguments of Passed that go any of the given ways.
  std::vector<std::string> passed(unsigned Routes) const;
  bool hasSideFiles() const { return !passed(SideFiles).empty(); }
  /// Is one output file made, whatever the number of sources?
  bool joinsSources() const { return Do == Action::Link; }
};

/// Reads the command line; prints what is wrong with it and gives nothing.
std::optional<Options> parseOptions(llvm::ArrayRef<const char *> Argv);

void printHelp(llvm::raw_ostream &OS);

} // namespace ampc::driver

#endif
