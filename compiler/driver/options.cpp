//===- options.cpp - reading the command line -----------------------------===//
#include "driver/options.h"
#include "check/warnings.h"
#include "driver/message.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace ampc::driver;

namespace {

enum class Form { Flag, Joined, Separate, Either };

enum class Own {
  Pass,
  Refuse,
  Object,
  Assembly,
  Preprocess,
  SyntaxOnly,
  EmitC,
  EmitKir,
  EmitSpirv,
  EmitSpirvAsm,
  Output,
  Language,
  Dependencies,
  UserDependencies,
  OnlyDependencies,
  OnlyUserDependencies,
  DependencyFile,
  DependencyTarget,
  DependencyQuotedTarget,
  PhonyDependencies,
  Optimise,
  Debug,
  FpContract,
  Accelerators,
  FastMath,
  NoFastMath,
  FastDivision,
  NoFastDivision,
  BoundsCheck,
  NoBoundsCheck,
  CheckDivision,
  NoCheckDivision,
  ColorAuto,
  Color,
  ColorAlways,
  ColorNever,
  ColorNeverToo,
  LinkInPlace,
  Shared,
  SharedRuntime,
  NoRuntime,
  HostCompiler,
  Explain,
  DiagnosticsFormat,
  Verify,
  AmpWarning,
  AmpExtensions,
  PrintAfter,
  PrintAnalysis,
  CrashIn,
  Verbose,
  DryRun,
  Help,
  HelpWarnings,
  Version,
  DumpMachine,
  DumpVersion,
};

struct Row {
  Own Id;
  StringRef Spelling;
  Form F;
  unsigned Routes;
  StringRef Value, Help; ///< Help: why, when refused
};

const Row Rows[] = {
#define AMPC_OWN(ID, SPELLING, FORM, VALUE, HELP)                              \
  {Own::ID, SPELLING, Form::FORM, 0, VALUE, HELP},
#define AMPC_PASS(SPELLING, FORM, ROUTES, VALUE, HELP)                         \
  {Own::Pass, SPELLING, Form::FORM, ROUTES, VALUE, HELP},
#define AMPC_REFUSE(SPELLING, FORM, WHY)                                       \
  {Own::Refuse, SPELLING, Form::FORM, 0, "", WHY},
#include "driver/options.def"
};

/// The row with the longest spelling that fits.
const Row *findRow(StringRef Arg) {
  const Row *Best = nullptr;
  for (const Row &R : Rows) {
    bool Whole = R.F == Form::Flag || R.F == Form::Separate;
    if (Whole ? Arg != R.Spelling : !Arg.starts_with(R.Spelling))
      continue;
    if (!Best || R.Spelling.size() > Best->Spelling.size())
      Best = &R;
  }
  return Best;
}

class Reader {
public:
  std::optional<Options> read(ArrayRef<const char *> Args);

private:
  Options O;
  StringRef Language = "none"; ///< the last -x

  bool act(const Row &R, StringRef Arg, StringRef Value,
           ArrayRef<const char *> Words);
  bool setAction(Action A, StringRef Spelling);
  void addInput(StringRef Path);
  bool finish();
  void pass(const Twine &Arg, unsigned Routes) {
    O.Passed.push_back({Arg.str(), Routes});
  }
};

bool Reader::setAction(Action A, StringRef Spelling) {
  // As in cc, the earliest stage wins among -E, -S and -c.
  auto Rank = [](Action A) {
    switch (A) {
    case Action::Link:
      return 0;
    case Action::Object:
      return 1;
    case Action::Assembly:
      return 2;
    case Action::SyntaxOnly:
      return 3;
    case Action::Preprocess:
      return 4;
    case Action::DependenciesOnly:
      return 5;
    default:
      return 6;
    }
  };
  int Before = Rank(O.Do), Now = Rank(A);
  if (Before == 6 && Now == 6 && O.Do != A)
    return error("options " + O.ActionSpelling + " and " + Spelling +
                 " exclude each other");
  if (Now > Before) {
    O.Do = A;
    O.ActionSpelling = Spelling.str();
  }
  return true;
}

void Reader::addInput(StringRef Path) {
  StringRef Suffix = sys::path::extension(Path);
  std::string L = Language == "none" ? "" : Language.str();
  if (L.empty() && Suffix == ".ampc")
    L = "ampc";
  if (L.empty() && Suffix == ".kir")
    L = "kir";
  bool IsSource = !L.empty() ||
                  StringSwitch<bool>(Suffix)
                      .Cases(".c", ".i", ".s", ".S", ".sx", ".ll", ".bc", true)
                      .Cases(".cc", ".cpp", ".cxx", ".c++", ".C", ".ii", true)
                      .Cases(".m", ".mi", ".f", ".f90", true)
                      .Default(false);
  if (!IsSource) {
    O.LinkLine.push_back({LinkItem::Kind::File, 0, Path.str()});
    return;
  }
  O.LinkLine.push_back(
      {LinkItem::Kind::Source, unsigned(O.Sources.size()), ""});
  O.Sources.push_back({Path.str(), L});
}

bool Reader::act(const Row &R, StringRef Arg, StringRef Value,
                 ArrayRef<const char *> Words) {
  switch (R.Id) {
  case Own::Pass:
    for (const char *W : Words)
      pass(W, R.Routes);
    return true;
  case Own::Refuse:
    return error("option '" + Arg + "' is refused: " + R.Help);
  case Own::Object:
    return setAction(Action::Object, Arg);
  case Own::Assembly:
    return setAction(Action::Assembly, Arg);
  case Own::Preprocess:
    return setAction(Action::Preprocess, Arg);
  case Own::SyntaxOnly:
    return setAction(Action::SyntaxOnly, Arg);
  case Own::EmitC:
    return setAction(Action::EmitC, Arg);
  case Own::EmitKir:
    return setAction(Action::EmitKir, Arg);
  case Own::EmitSpirv:
    return setAction(Action::EmitSpirv, Arg);
  case Own::EmitSpirvAsm:
    return setAction(Action::EmitSpirvAsm, Arg);
  case Own::Output:
    O.Output = Value.str(); // the last one counts, as in cc
    return !Value.empty() || error("option -o needs a file name");
  case Own::Language:
    Language = Value;
    return true;
  case Own::Dependencies:
    O.WantsDependencies = true;
    return true;
  case Own::UserDependencies:
    O.WantsDependencies = O.UserDependenciesOnly = true;
    return true;
  case Own::OnlyDependencies:
    return setAction(Action::DependenciesOnly, Arg);
  case Own::OnlyUserDependencies:
    O.UserDependenciesOnly = true;
    return setAction(Action::DependenciesOnly, Arg);
  case Own::DependencyFile:
    O.DependencyFile = Value.str();
    return true;
  case Own::DependencyTarget:
  case Own::DependencyQuotedTarget:
    O.DependencyArgs.push_back(R.Spelling.str());
    O.DependencyArgs.push_back(Value.str());
    return true;
  case Own::PhonyDependencies:
    O.DependencyArgs.push_back("-MP");
    return true;
  case Own::Optimise:
    O.OptimiseKernels = Value != "0";
    O.FastDivision |= Value == "fast"; // it means -ffast-math
    pass(Arg, Parse | Compile | Link);
    return true;
  case Own::Debug:
    O.Debug = Value != "0";
    pass(Arg, Compile | Link);
    return true;
  case Own::FastDivision:
  case Own::NoFastDivision:
    O.FastDivision = R.Id == Own::FastDivision;
    return true;
  case Own::BoundsCheck:
  case Own::NoBoundsCheck:
    O.BoundsCheck = R.Id == Own::BoundsCheck;
    return true;
  case Own::CheckDivision:
  case Own::NoCheckDivision:
    O.CheckDivision = R.Id == Own::CheckDivision;
    return true;
  case Own::FastMath:
  case Own::NoFastMath:
    O.FastDivision = R.Id == Own::FastMath;
    pass(Arg, Parse | Compile | Link);
    return true;
  case Own::FpContract:
    if (Value != "on" && Value != "off" && Value != "fast")
      return error("option -ffp-contract= takes on, off or fast, not '" +
                   Value + "'");
    pass(Arg, Parse | Compile | Link);
    return true;
  case Own::Accelerators: {
    SmallVector<StringRef, 2> Names;
    Value.split(Names, ',');
    O.ForCpu = is_contained(Names, "cpu");
    O.ForVulkan = is_contained(Names, "vulkan");
    for (StringRef Name : Names)
      if (Name != "cpu" && Name != "vulkan")
        return error("option --accelerators= takes cpu, vulkan or both, not '" +
                     Name + "'");
    return true;
  }
  case Own::Color:
    if (Value != "always" && Value != "never" && Value != "auto")
      return error("option -fdiagnostics-color= takes always, never or auto, "
                   "not '" +
                   Value + "'");
    pass(Arg, Parse | Compile | Link);
    return true;
  case Own::ColorAuto:
  case Own::ColorAlways:
    pass("-fdiagnostics-color=always", Parse | Compile | Link);
    return true;
  case Own::ColorNever:
  case Own::ColorNeverToo:
    pass("-fdiagnostics-color=never", Parse | Compile | Link);
    return true;
  case Own::LinkInPlace:
    for (const char *W : Words)
      O.LinkLine.push_back({LinkItem::Kind::Argument, 0, W});
    return true;
  case Own::Shared:
    O.Shared = true;
    pass(Arg, Link);
    return true;
  case Own::SharedRuntime:
    O.SharedRuntime = true;
    return true;
  case Own::NoRuntime:
    O.NoRuntime = true;
    pass(Arg, Link);
    return true;
  case Own::Explain:
    O.Explain = Value.str();
    return !Value.empty() || error("option --explain needs a rule, or 'all'");
  case Own::DiagnosticsFormat:
    if (Value != "text" && Value != "json" && Value != "sarif")
      return error("option --diagnostics-format= takes text, json or sarif, "
                   "not '" +
                   Value + "'");
    O.DiagnosticsFormat = Value.str();
    return true;
  case Own::AmpWarning:
    if (!ampc::isWarning(("amp-" + Value).str()))
      return error("no warning '" + Arg +
                   "'; `ampcc --help-warnings` lists them");
    O.AmpWarnings.push_back(Arg.str());
    return true;
  case Own::AmpExtensions:
    O.Types = ampc::versionOf(Value);
    return O.Types || error("option -famp-extensions= takes 1.0, 1.1 or 1.2, "
                            "not '" +
                            Value + "'");
  case Own::Verify:
    O.Verify = true;
    for (const char *A : {"-Xclang", "-verify"})
      pass(A, Parse);
    return setAction(Action::SyntaxOnly, Arg);
  case Own::HostCompiler:
    O.HostCompiler = Value.str();
    return !Value.empty() || error("option --cc= needs a program");
  case Own::PrintAfter:
    if (Value != "read" && Value != "lower" && Value != "checks" &&
        Value != "normalise" && Value != "spirv" && Value != "all")
      return error("option --print-after= takes read, lower, checks, "
                   "normalise, spirv or all, not '" +
                   Value + "'");
    O.PrintAfter.push_back(Value.str());
    return true;
  case Own::PrintAnalysis:
    if (Value != "points_to" && Value != "uniformity")
      return error("option --print-analysis= takes points_to or uniformity, "
                   "not '" +
                   Value + "'");
    O.PrintAnalysis.push_back(Value.str());
    return true;
  case Own::CrashIn: {
    auto [Phase, Line] = Value.split(':');
    O.CrashPhase = Phase.str();
    return !Line.getAsInteger(10, O.CrashLine) ||
           error("option --crash-in= takes PHASE:LINE");
  }
  case Own::Verbose:
    O.Verbose = true;
    return true;
  case Own::DryRun:
    O.DryRun = true;
    return true;
  case Own::Help:
    O.Help = true;
    return true;
  case Own::HelpWarnings:
    O.HelpWarnings = true;
    return true;
  case Own::Version:
    O.Version = true;
    return true;
  case Own::DumpMachine:
    O.DumpMachine = true;
    return true;
  case Own::DumpVersion:
    O.DumpVersion = true;
    return true;
  }
  return false;
}

/// What can be judged only when everything is read.
bool Reader::finish() {
  if (O.Help || O.HelpWarnings || !O.Explain.empty() || O.Version || O.DumpMachine ||
      O.DumpVersion)
    return true;
  if (O.LinkLine.empty() || (O.Sources.empty() && O.Do != Action::Link)) {
    if (O.Verbose)
      return true; // `ampcc -v` alone shows the versions
    if (O.LinkLine.empty())
      return error("no input files");
  }
  if (!O.Output.empty() && O.Sources.size() > 1 && !O.joinsSources() &&
      O.Do != Action::EmitSpirv)
    return error("-o with several inputs needs a single output: not with " +
                 O.ActionSpelling);
  if (!O.DependencyFile.empty() && O.Sources.size() > 1)
    return error("-MF with several inputs would be written several times");
  bool MakesRule = O.WantsDependencies || O.Do == Action::DependenciesOnly;
  if (!MakesRule && !(O.DependencyFile.empty() && O.DependencyArgs.empty()))
    return error("-MF, -MT, -MQ and -MP need -MD or -MMD");
  if (O.hasSideFiles() && O.Do == Action::Link && !O.Sources.empty())
    return error("coverage notes are named after the object: compile with -c "
                 "first, then link");
  bool KernelsOnly = O.Do == Action::EmitKir || O.Do == Action::EmitSpirv ||
                     O.Do == Action::EmitSpirvAsm;
  bool NeedsAmpc = KernelsOnly || O.Do == Action::EmitC;
  for (const Source &S : O.Sources) {
    if (S.isKir() && !KernelsOnly && O.Do != Action::SyntaxOnly)
      return error("'" + S.Path +
                   "' holds kernels, no program: use --emit-spirv, "
                   "--emit-spirv-asm, --emit-kir or -fsyntax-only");
    if (NeedsAmpc && !S.isAmpc() && !S.isKir())
      return error(O.ActionSpelling + ": '" + S.Path + "' is not AMP-C");
    if (S.Path == "-" && S.Language.empty())
      return error("standard input needs -x to say its language");
  }
  if (O.Do != Action::Link)
    for (const LinkItem &L : O.LinkLine)
      if (L.K == LinkItem::Kind::File)
        warning("'" + L.Text + "' is not used: linking is not done");
  return true;
}

std::optional<Options> Reader::read(ArrayRef<const char *> Args) {
  bool OnlyInputs = false; // after --
  for (size_t I = 0; I != Args.size(); ++I) {
    StringRef Arg = Args[I];
    if (OnlyInputs || Arg == "-" || !Arg.starts_with("-")) {
      addInput(Arg);
      continue;
    }
    if (Arg == "--") {
      OnlyInputs = true;
      continue;
    }
    const Row *R = findRow(Arg);
    if (!R) {
      error("unknown option '" + Arg + "'; `ampcc --help` lists the options");
      return std::nullopt;
    }
    StringRef Value = Arg.substr(R->Spelling.size());
    size_t First = I;
    if (R->F == Form::Separate || (R->F == Form::Either && Value.empty())) {
      if (I + 1 == Args.size()) {
        error("option '" + Arg + "' needs an argument");
        return std::nullopt;
      }
      Value = Args[++I];
    }
    if (!act(*R, Arg, Value, Args.slice(First, I + 1 - First)))
      return std::nullopt;
  }
  if (!finish())
    return std::nullopt;
  return std::move(O);
}

} // namespace

std::vector<std::string> Options::passed(unsigned Routes) const {
  std::vector<std::string> Result;
  for (const auto &[Arg, ArgRoutes] : Passed)
    if (ArgRoutes & Routes)
      Result.push_back(Arg);
  return Result;
}

std::optional<Options> ampc::driver::parseOptions(ArrayRef<const char *> Argv) {
  BumpPtrAllocator Allocator;
  SmallVector<const char *, 64> Args(Argv.begin() + 1, Argv.end());
  cl::ExpansionContext Expansion(Allocator, cl::TokenizeGNUCommandLine);
  if (Error E = Expansion.expandResponseFiles(Args)) {
    error(toString(std::move(E)));
    return std::nullopt;
  }
  for (const char *Arg : Args)
    if (Arg[0] == '@') {
      error("no such file: '" + Twine(Arg + 1) + "' (from '" + Arg + "')");
      return std::nullopt;
    }
  return Reader().read(Args);
}

void ampc::driver::printHelp(raw_ostream &OS) {
  OS << "usage: ampcc [options] file...\n\n"
        "Compiles AMP-C (.ampc) and C, and links programs that run kernels on\n"
        "accelerators. Behaves like cc.\n\n";
  for (const Row &R : Rows) {
    if (R.Id == Own::Refuse || R.Help.empty())
      continue;
    std::string Left = "  " + R.Spelling.str();
    if (R.F == Form::Separate || R.F == Form::Either)
      Left += " ";
    Left += R.Value.str();
    OS << Left;
    if (Left.size() < 28)
      OS.indent(28 - Left.size());
    else
      (OS << '\n').indent(28);
    OS << R.Help << '\n';
  }
  OS << "  @FILE                     Read options from FILE\n";
}
