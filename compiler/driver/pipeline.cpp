//===- pipeline.cpp - one AMP-C file through the compiler -----------------===//
//
//   parse -> check -> lower -> verify -> checks, if asked for
//         -> spirv, cpu, for each kernel -> host C
//
// KIR text comes in before verify, and there is no host C.
//
//===----------------------------------------------------------------------===//
#include "driver/pipeline.h"
#include "check/check.h"
#include "cpu/cpu.h"
#include "driver/config.h"
#include "driver/crash.h"
#include "driver/message.h"
#include "driver/temporaries.h"
#include "frontend/frontend.h"
#include "hostc/hostc.h"
#include "kir/kir.h"
#include "kir/passes/checks.h"
#include "kir/reports.h"
#include "kir/passes/points_to.h"
#include "kir/passes/uniformity.h"
#include "kir/progress.h"
#include "kir/reader.h"
#include "lower/lower.h"
#include "spirv/spirv.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace ampc;
using namespace ampc::driver;

/// The host compiler optimises, and signed overflow is undefined to it.
static bool mayCutLoops(const Options &O) {
  bool Optimises = false, Wraps = false;
  for (const std::string &Argument : O.passed(Compile)) {
    StringRef A = Argument;
    if (A.consume_front("-O"))
      Optimises = A != "0";
    Wraps |= A == "-fwrapv" || A == "-fno-strict-overflow";
  }
  return Optimises && !Wraps;
}

/// Nothing of the host's is asked for.
static bool isDoneWithKernels(Action A) {
  return A == Action::EmitKir || A == Action::EmitSpirv ||
         A == Action::EmitSpirvAsm;
}

namespace {

/// The work of the child process. Every function gives an exit code.
class Pipeline {
public:
  Pipeline(const Translation &T, const Options &O, const Toolchain &Tools,
           PhaseMark &Phase)
      : T(T), O(O), Tools(Tools), Phase(Phase) {
    Phase.trap(O.CrashPhase, O.CrashLine);
  }

  int run();

private:
  const Translation &T;
  const Options &O;
  const Toolchain &Tools;
  PhaseMark &Phase;
  Unit *Parsed = nullptr; ///< null: what is compiled is KIR

  FrontendOptions frontendOptions() const;
  int preprocessOnly();
  int phases(Unit &U);
  int fromText();
  /// -fbounds-check, -fcheck-division.
  int addChecks(kir::Module &M);
  int emitKernels(const kir::Module &M, std::vector<spirv::Binary> &Binaries);
  int emitCpuKernels(kir::Module &M, std::vector<cpu::Code> &Codes);
  /// Does --print-after ask for this pass? Writes a headline, then.
  bool printsAfter(StringRef Pass) const;
  void printAnalyses(const kir::Module &M) const;
  /// A body that a pass has made for the kernel; gives what is wrong with it.
  std::optional<std::string> see(kir::Module &M, const kir::Kernel &K,
                                 kir::Body &Made, StringRef Pass);
  int write(StringRef Text) { return writeOutput(T.Output, Text) ? 0 : 1; }
  int writeKernels(const kir::Module &M, ArrayRef<spirv::Binary> Binaries);
  int writeAssembly(const kir::Module &M, ArrayRef<spirv::Binary> Binaries);
  /// A limit that only the back end knows.
  int refuse(const kir::Module &M, const kir::Kernel &K, StringRef Why) {
    if (Parsed)
      refuseKernel(*Parsed, M, K, Why);
    else
      error(M.Files[K.Where.File] + ":" + Twine(K.Where.Line) + ": kernel '" +
            K.Name + "': " + Why);
    return 1;
  }
  int internalError(StringRef Why) {
    errs() << Why << '\n';
    return InternalErrorCode;
  }
};

FrontendOptions Pipeline::frontendOptions() const {
  FrontendOptions F;
  F.Input = T.Input;
  F.ClangPath = AMPC_CLANG_PROGRAM;
  F.ResourceDir = Tools.ResourceDir;
  F.AmpIncludeDir = Tools.IncludeDir;
  F.Target = Tools.Target;
  F.Format = O.DiagnosticsFormat == "json"    ? DiagnosticsFormat::Json
             : O.DiagnosticsFormat == "sarif" ? DiagnosticsFormat::Sarif
                                              : DiagnosticsFormat::Text;
  F.Types = O.Types.value_or(Version::V1_0);
  F.Args = O.passed(Parse | onlyIf(Tools.IsClang, ParseClang) |
                    onlyIf(T.Do == Action::Preprocess, Preprocessed));
  if (!Tools.IsClang)
    F.Args.push_back("-Wno-unknown-warning-option");
  F.Args.insert(F.Args.end(), T.ExtraArgs.begin(), T.ExtraArgs.end());
  return F;
}

bool Pipeline::printsAfter(StringRef Pass) const {
  if (!is_contained(O.PrintAfter, Pass) && !is_contained(O.PrintAfter, "all"))
    return false;
  errs() << "*** after " << Pass << " ***\n";
  return true;
}

void Pipeline::printAnalyses(const kir::Module &M) const {
  for (const std::string &Name : O.PrintAnalysis) {
    if (Name == "uniformity")
      kir::printUniformity(M, errs());
    else
      for (const auto &K : M.Kernels)
        kir::PointsTo(*K).print(*K, errs());
  }
}

std::optional<std::string> Pipeline::see(kir::Module &M, const kir::Kernel &K,
                                         kir::Body &Made, StringRef Pass) {
  // As if the module had this kernel alone, with that body.
  auto Old = llvm::find_if(M.Kernels,
                           [&](const auto &Other) { return Other.get() == &K; });
  std::vector<std::unique_ptr<kir::Kernel>> Alone;
  Alone.push_back(std::move(*Old));
  Alone[0]->Stmts.swap(Made);
  M.Kernels.swap(Alone);
  if (printsAfter(Pass))
    kir::print(M, errs(), O.Debug);
  std::optional<std::string> Breach;
#ifndef NDEBUG
  Breach = kir::verify(M);
#endif
  M.Kernels.swap(Alone);
  Alone[0]->Stmts.swap(Made);
  *Old = std::move(Alone[0]);
  return Breach;
}

int Pipeline::preprocessOnly() {
  Phase = "the preprocessor";
  std::string Text;
  raw_string_ostream OS(Text);
  FrontendOptions F = frontendOptions();
  // Options for the parse only are no mistake here.
  F.Args.push_back("-Wno-unused-command-line-argument");
  if (!preprocess(F, OS))
    return 1;
  return T.Do == Action::DependenciesOnly ? 0 : write(Text);
}

int Pipeline::run() {
  if (T.Do == Action::Preprocess || T.Do == Action::DependenciesOnly)
    return preprocessOnly();
  int Code = 1;
  if (T.IsKir)
    return fromText();
  Phase = "the parser";
  bool Good = parse(frontendOptions(), [&](Unit &U) { Code = phases(U); });
  if (Code == InternalErrorCode)
    return Code;
  return !Good ? 1 : O.Verify ? 0 : Code;
}

int Pipeline::phases(Unit &U) {
  Parsed = &U;
  Phase = "check";
  U.Warnings = O.AmpWarnings;
  if (!check(U))
    return 1;

  Phase = "lower";
  std::unique_ptr<kir::Module> M = lower(U);
  if (!M)
    return 1;
  kir::numberReports(*M);
  if (printsAfter("lower"))
    kir::print(*M, errs(), O.Debug);
  Phase = "verify, after lower,";
  if (std::optional<std::string> Breach = kir::verify(*M))
    return internalError(*Breach);
  Phase = "check";
  printAnalyses(*M);
  if (!checkBarriersOf(U, *M))
    return 1;
  if (int Code = addChecks(*M))
    return Code;
  EmbeddedKernels Kernels;
  if (O.ForVulkan || isDoneWithKernels(T.Do))
    if (int Code = emitKernels(*M, Kernels.Binaries);
        Code || isDoneWithKernels(T.Do))
      return Code;
  if (O.ForCpu)
    if (int Code = emitCpuKernels(*M, Kernels.Codes))
      return Code;

  Phase = "hostc";
  std::optional<std::string> C = emitHostC(U, *M, Kernels);
  if (!C)
    return 1;
  return T.Do == Action::SyntaxOnly ? 0 : write(*C);
}

int Pipeline::addChecks(kir::Module &M) {
  if (!O.BoundsCheck && !O.CheckDivision)
    return 0;
  Phase = "checks";
  kir::addChecks(M, {O.BoundsCheck, O.CheckDivision});
  kir::numberReports(M);
  if (printsAfter("checks"))
    kir::print(M, errs(), O.Debug);
  if (std::optional<std::string> Breach = kir::verify(M))
    return internalError("after checks: " + *Breach);
  return 0;
}

/// From KIR on. Writes what the action asks for, if it is about kernels only.
int Pipeline::emitKernels(const kir::Module &M,
                          std::vector<spirv::Binary> &Binaries) {
  if (T.Do == Action::EmitKir) {
    std::string Text;
    raw_string_ostream OS(Text);
    kir::print(M, OS, O.Debug);
    return write(Text);
  }
  Phase = "spirv";
  spirv::Options S;
  S.Debug = O.Debug;
  S.Optimise = O.OptimiseKernels;
  S.FastDivision = O.FastDivision;
  for (const auto &K : M.Kernels) {
    kir::Inside Here("kernel", K->Name);
    std::string Why;
    std::optional<spirv::Binary> B = spirv::emit(M, *K, S, Why);
    if (!B && StringRef(Why).starts_with("not supported yet"))
      return refuse(M, *K, Why);
    if (!B)
      return internalError(Why);
    if (printsAfter("spirv"))
      errs() << "; kernel " << K->Name << '\n' << spirv::disassemble(B->Words);
    Binaries.push_back(std::move(*B));
  }
  if (T.Do == Action::EmitSpirv)
    return writeKernels(M, Binaries);
  if (T.Do == Action::EmitSpirvAsm)
    return writeAssembly(M, Binaries);
  return 0;
}

int Pipeline::emitCpuKernels(kir::Module &M, std::vector<cpu::Code> &Codes) {
  Phase = "cpu";
  std::optional<std::string> Breach;
  cpu::Options Options;
  Options.Lines = O.Debug;
  Options.CutsLoops = mayCutLoops(O);
  Options.Normalised = [&](const kir::Kernel &K, kir::Body &Made) {
    if (std::optional<std::string> B = see(M, K, Made, "normalise"))
      Breach = "after normalise: " + *B;
  };
  cpu::Backend Backend(M, Options);
  for (const auto &K : M.Kernels) {
    std::string Why;
    std::optional<cpu::Code> C = Backend.emit(*K, Why);
    if (Breach)
      return internalError(*Breach);
    if (!C)
      return refuse(M, *K, Why);
    Codes.push_back(std::move(*C));
  }
  return 0;
}

/// KIR that is wrong is an error of its author's.
int Pipeline::fromText() {
  Phase = "the reader of KIR";
  auto Text = MemoryBuffer::getFileOrSTDIN(T.Input, /*IsText=*/true);
  if (!Text) {
    error("cannot read '" + T.Input + "': " + Text.getError().message());
    return 1;
  }
  auto Fail = [&](kir::TextPosition At, const Twine &What) {
    errs() << T.Input << ':' << At.Line << ':' << At.Column << ": ";
    WithColor::error(errs()) << What << '\n';
    return 1;
  };
  kir::TextError Wrong;
  std::optional<kir::TextModule> Read =
      kir::read(T.Input, (*Text)->getBuffer(), Wrong);
  if (!Read)
    return Fail(Wrong.Where, Wrong.What);
  if (printsAfter("read"))
    kir::print(*Read->M, errs(), O.Debug);
  Phase = "verify";
  if (std::optional<kir::Breach> B = kir::findBreach(*Read->M))
    return Fail(Read->Positions.lookup(B->Node), B->Inside + ": " + B->What);
  Phase = "check";
  printAnalyses(*Read->M);
  if (!checkBarriersOf(*Read->M, errs()))
    return 1;
  if (int Code = addChecks(*Read->M))
    return Code;
  std::vector<spirv::Binary> Binaries;
  if (O.ForVulkan || isDoneWithKernels(T.Do))
    if (int Code = emitKernels(*Read->M, Binaries);
        Code || isDoneWithKernels(T.Do))
      return Code;
  std::vector<cpu::Code> Codes;
  return O.ForCpu ? emitCpuKernels(*Read->M, Codes) : 0;
}

/// NAME.spv per kernel, in the folder that -o names or here; or the one file
/// that -o names.
int Pipeline::writeKernels(const kir::Module &M,
                           ArrayRef<spirv::Binary> Binaries) {
  bool IsFolder = T.Output.empty() || sys::fs::is_directory(T.Output);
  if (!IsFolder && Binaries.size() != 1) {
    error("'" + T.Input + "' has " + Twine(Binaries.size()) +
          " kernels; give -o a folder, or leave it out for one NAME.spv each");
    return 1;
  }
  for (size_t I = 0; I != Binaries.size(); ++I) {
    SmallString<128> Path(T.Output);
    if (IsFolder)
      sys::path::append(Path, M.Kernels[I]->Name + ".spv");
    const std::vector<uint32_t> &Words = Binaries[I].Words;
    StringRef Bytes(reinterpret_cast<const char *>(Words.data()),
                    Words.size() * sizeof(uint32_t));
    if (!writeOutput(Path, Bytes))
      return 1;
  }
  return 0;
}

int Pipeline::writeAssembly(const kir::Module &M,
                            ArrayRef<spirv::Binary> Binaries) {
  std::string Text;
  for (size_t I = 0; I != Binaries.size(); ++I) {
    if (Binaries.size() > 1)
      Text += (I ? "\n; kernel " : "; kernel ") + M.Kernels[I]->Name + "\n";
    Text += spirv::disassemble(Binaries[I].Words);
  }
  return write(Text);
}

} // namespace

int ampc::driver::translate(const Translation &T, const Options &O,
                            const Toolchain &Tools) {
  return runWatched(T.Input, [&](PhaseMark &Phase) {
    return Pipeline(T, O, Tools, Phase).run();
  });
}
