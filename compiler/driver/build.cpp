//===- build.cpp - from the inputs to the output --------------------------===//
#include "driver/build.h"
#include "driver/message.h"
#include "driver/pipeline.h"
#include "driver/process.h"
#include "driver/temporaries.h"
#include "hostc/hostc.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <memory>
#include <unistd.h>

using namespace llvm;
using namespace ampc::driver;

namespace {

using Command = std::vector<std::string>;

Command &operator+=(Command &C, const Command &More) {
  C.insert(C.end(), More.begin(), More.end());
  return C;
}

class Builder {
public:
  Builder(const Options &O, const Toolchain &Tools) : O(O), Tools(Tools) {}
  int run();

private:
  const Options &O;
  const Toolchain &Tools;
  std::vector<std::unique_ptr<PrivateFile>> Objects; ///< by source, if linking

  bool checkInput(StringRef Path) const;
  bool checkText(StringRef Path) const;
  int compile(const Source &S, PrivateFile *Object);
  int compileToFile(const Source &S, StringRef Flag, StringRef Output);
  int compileAmpc(const Source &S, StringRef Flag, StringRef Stage,
                  StringRef Output);
  int compileOther(const Source &S, StringRef Flag, StringRef Stage,
                   StringRef Output);
  int translateOnly(const Source &S);
  int link();

  int runTranslation(Translation T, StringRef Output);
  int runHost(const Command &C, std::string *Errors = nullptr);
  Command dependencyArgs(const Source &S, StringRef Output,
                         StringRef File) const;
  std::string dependencyFile(const Source &S, StringRef Output) const;
};

} // namespace

/// A name behind "--" may begin with a dash; to the host compiler it must not.
static std::string plainName(StringRef Path) {
  return Path.size() > 1 && Path.starts_with("-") ? ("./" + Path).str()
                                                  : Path.str();
}

static std::string stem(const Source &S) {
  return S.Path == "-" ? "stdin" : sys::path::stem(S.Path).str();
}

/// Of other inputs, Clang would warn that it does not use -idirafter.
static bool readsHeaders(const Source &S) {
  if (!S.Language.empty())
    return !StringSwitch<bool>(S.Language)
                .Cases("assembler", "cpp-output", "c++-cpp-output", "ir", true)
                .Default(false);
  return !StringSwitch<bool>(sys::path::extension(S.Path))
              .Cases(".s", ".i", ".ii", ".ll", ".bc", true)
              .Default(false);
}

bool Builder::checkInput(StringRef Path) const {
  if (Path == "-")
    return true;
  if (sys::fs::is_directory(Path))
    return error("cannot read '" + Path + "': it is a directory");
  if (access(Path.str().c_str(), R_OK) != 0)
    return error("cannot read '" + Path + "': " + sys::StrError());
  if (!O.Output.empty() && sys::fs::equivalent(Path, O.Output) &&
      sys::fs::is_regular_file(Path))
    return error("input file '" + Path + "' is the output file too");
  return true;
}

/// Of these, Clang would show a screenful of errors.
bool Builder::checkText(StringRef Path) const {
  if (!sys::fs::is_regular_file(Path))
    return true; // what a pipe has given is gone
  auto Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return error("cannot read '" + Path + "': " + Text.getError().message());
  StringRef Bytes = (*Text)->getBuffer();
  if (Bytes.starts_with("# 1 \""))
    return error("'" + Path +
                 "' is preprocessed text: AMP-C is compiled from "
                 "its source, whose macros have a meaning of their own");
  size_t Zero = Bytes.find('\0');
  if (Zero == StringRef::npos)
    return true;
  return error("'" + Path + "' is not AMP-C text: line " +
               Twine(Bytes.take_front(Zero).count('\n') + 1) +
               " has a zero byte");
}

//===----------------------------------------------------------------------===//
// Running the parts
//===----------------------------------------------------------------------===//

int Builder::runHost(const Command &C, std::string *Errors) {
  if (O.Verbose || O.DryRun)
    errs() << ' ' << quoted(C) << '\n';
  if (O.DryRun)
    return 0;
  return runProgram(C, Errors).good() ? 0 : 1;
}

/// Output is the name that the dependency rule is about.
int Builder::runTranslation(Translation T, StringRef Output) {
  if (O.Verbose || O.DryRun) {
    Command C = {"ampcc"};
    C.push_back(T.Do == Action::EmitC ? "--emit-c" : O.ActionSpelling);
    C += O.passed(Parse);
    C += T.ExtraArgs;
    C += {"-o", T.Output, T.Input};
    errs() << ' ' << quoted(C) << '\n';
  }
  if (O.DryRun)
    return 0;
  if (!O.WantsDependencies && T.Do != Action::DependenciesOnly)
    return translate(T, O, Tools);

  // Clang writes the rule to a place of ours; it becomes visible if all is
  // well.
  Source S{T.Input, "ampc"};
  PrivateFile Rule("rule.d");
  if (Rule.path().empty())
    return 1;
  T.ExtraArgs += dependencyArgs(S, Output, Rule.path());
  if (int Code = translate(T, O, Tools))
    return Code;
  auto Text = MemoryBuffer::getFile(Rule.path());
  if (!Text) {
    error("no dependencies for '" + T.Input +
          "': " + Text.getError().message());
    return 1;
  }
  return writeOutput(dependencyFile(S, Output), (*Text)->getBuffer()) ? 0 : 1;
}

//===----------------------------------------------------------------------===//
// Dependencies: -MD and its kin
//===----------------------------------------------------------------------===//

std::string Builder::dependencyFile(const Source &S, StringRef Output) const {
  if (!O.DependencyFile.empty())
    return O.DependencyFile;
  if (O.Do == Action::DependenciesOnly)
    return O.Output.empty() ? "-" : O.Output;
  if (O.Do == Action::Link || O.Output.empty())
    return stem(S) + ".d";
  SmallString<128> Path(Output);
  sys::path::replace_extension(Path, "d");
  return Path.str().str();
}

/// Arguments, the same for Clang and gcc, that make the rule for S in File.
Command Builder::dependencyArgs(const Source &S, StringRef Output,
                                StringRef File) const {
  bool Only = O.Do == Action::DependenciesOnly;
  if (!Only && !O.WantsDependencies)
    return {};
  Command C = {Only ? (O.UserDependenciesOnly ? "-MM" : "-M")
                    : (O.UserDependenciesOnly ? "-MMD" : "-MD"),
               "-MF", File.str()};
  bool HasTarget = false;
  for (const std::string &A : O.DependencyArgs)
    HasTarget |= A == "-MT" || A == "-MQ";
  C += O.DependencyArgs;
  if (!HasTarget) {
    bool ToFile = O.Do == Action::Object || O.Do == Action::Assembly;
    C += {"-MQ", ToFile && !O.Output.empty() ? Output.str() : stem(S) + ".o"};
  }
  return C;
}

//===----------------------------------------------------------------------===//
// One source
//===----------------------------------------------------------------------===//

/// The emitted C may hold the text of headers that Args include.
static Command withoutCopiedIncludes(Command Args, StringRef EmittedC) {
  auto Text = MemoryBuffer::getFile(EmittedC);
  StringRef Rest = Text ? (*Text)->getBuffer() : "";
  while (Rest.consume_front(ampc::CopiedIncludeNote)) {
    StringRef Note = Rest.take_until([](char C) { return C == '\n'; });
    std::string Header = Note.take_front(Note.rfind(':')).str();
    for (size_t I = 0; I < Args.size(); ++I) {
      if (Args[I] == "-include" + Header) {
        Args.erase(Args.begin() + I);
        break;
      }
      if (Args[I] == "-include" && I + 1 < Args.size() &&
          Args[I + 1] == Header) {
        Args.erase(Args.begin() + I, Args.begin() + I + 2);
        break;
      }
    }
    Rest = Rest.drop_front(Note.size()).ltrim('\n');
  }
  return Args;
}

/// Whether a Clang's command says -ffp-contract=fast or implies it. It ignores
/// FP_CONTRACT then, which some parts of kernels may rely on.
static bool contractsAnywhere(const Command &Clang) {
  bool Result = false;
  for (StringRef Argument : Clang)
    Result = StringSwitch<bool>(Argument)
                 .Cases("-ffp-contract=fast", "-ffast-math", "-Ofast",
                        "-funsafe-math-optimizations", "-ffp-model=fast", true)
                 .Cases("-ffp-contract=on", "-ffp-contract=off",
                        "-fno-fast-math", "-fno-unsafe-math-optimizations",
                        "-ffp-model=precise", "-ffp-model=strict", false)
                 .Default(Result);
  return Result;
}

/// The host compiler on the emitted C.
int Builder::compileAmpc(const Source &S, StringRef Flag, StringRef Stage,
                         StringRef Output) {
  PrivateFile C(stem(S) + ".c");
  if (C.path().empty())
    return 1;
  if (int Code = runTranslation({S.Path, Action::EmitC, C.path(), {}}, Output))
    return Code;

  // The C stands elsewhere than the source, but "x.h" is still looked for
  // beside the source, and no temporary name may get into the object. Clang
  // has given the warnings.
  std::string Folder = sys::path::parent_path(S.Path).str();
  Command Cc = {Tools.Compiler, "-x", "c", "-std=gnu17"};
  Cc += withoutCopiedIncludes(O.passed(Compile), C.path());
  if (!Tools.IsClang) // it has notes about vectors that -w leaves
    Cc.push_back("-Wno-psabi");
  else if (contractsAnywhere(Cc))
    Cc.push_back("-ffp-contract=fast-honor-pragmas");
  Cc += {"-iquote", Folder.empty() ? "." : Folder};
  Cc += {"-idirafter", Tools.IncludeDir,
         "-ffile-prefix-map=" + C.folder() + "/=", "-w"};
  Cc += {Flag.str(), "-o", Stage.str(), C.path()};
  std::string Errors;
  int Code = runHost(Cc, &Errors);
  // On a full disk Clang shows a stack dump and wants a bug report.
  if (Code)
    for (int Full : {ENOSPC, EFBIG, EDQUOT})
      if (std::string Why = sys::StrError(Full);
          StringRef(Errors).contains(Why)) {
        error("cannot write '" + Output + "': " + Why);
        return Code;
      }
  errs() << Errors;
  if (Code)
    note("'" + Tools.Compiler + "' failed on the C made from '" + S.Path +
         "'; `ampcc --emit-c` shows that C");
  return Code;
}

int Builder::compileOther(const Source &S, StringRef Flag, StringRef Stage,
                          StringRef Output) {
  Command Cc = {Tools.Compiler};
  Cc += O.passed(Parse | ParseClang | Compile |
                 onlyIf(O.Do == Action::Preprocess, Preprocessed));
  if (readsHeaders(S))
    Cc += {"-idirafter", Tools.IncludeDir};
  Cc += dependencyArgs(S, Output, dependencyFile(S, Output));
  if (!Flag.empty())
    Cc.push_back(Flag.str());
  if (!Stage.empty())
    Cc += {"-o", Stage.str()};
  if (!S.Language.empty())
    Cc += {"-x", S.Language};
  Cc.push_back(S.Path);
  return runHost(Cc);
}

/// -c and -S: Output appears complete or not at all.
int Builder::compileToFile(const Source &S, StringRef Flag, StringRef Output) {
  auto Compile = S.isAmpc() ? &Builder::compileAmpc : &Builder::compileOther;
  // Files that the host compiler writes beside its output are named after it.
  if (O.hasSideFiles() || O.DryRun)
    return (this->*Compile)(S, Flag, Output, Output);
  StagedOutput Staged(Output);
  if (!Staged.check())
    return 1;
  int Code = (this->*Compile)(S, Flag, Staged.stage(), Output);
  if (Code)
    Staged.discard();
  return Code ? Code : Staged.commit() ? 0 : 1;
}

/// The actions that end before the host compiler.
int Builder::translateOnly(const Source &S) {
  if (!S.isAmpc() && !S.isKir()) {
    StringRef Flag = O.Do == Action::Preprocess   ? "-E"
                     : O.Do == Action::SyntaxOnly ? "-fsyntax-only"
                                                  : "";
    bool HasOutput = O.Do == Action::Preprocess && !O.Output.empty();
    return HasOutput ? compileToFile(S, Flag, O.Output)
                     : compileOther(S, Flag, "", O.Output);
  }
  std::string Output = O.Output;
  if (Output.empty() && O.Do != Action::EmitSpirv)
    Output = "-";
  return runTranslation({S.Path, O.Do, Output, {}, S.isKir()}, O.Output);
}

int Builder::compile(const Source &S, PrivateFile *Object) {
  if (!checkInput(S.Path) || (S.isAmpc() && !checkText(S.Path)))
    return 1;
  switch (O.Do) {
  case Action::Link:
    return S.isAmpc() ? compileAmpc(S, "-c", Object->path(), Object->path())
                      : compileOther(S, "-c", Object->path(), Object->path());
  case Action::Object:
    return compileToFile(S, "-c", O.Output.empty() ? stem(S) + ".o" : O.Output);
  case Action::Assembly:
    return compileToFile(S, "-S", O.Output.empty() ? stem(S) + ".s" : O.Output);
  default:
    return translateOnly(S);
  }
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

int Builder::link() {
  std::string Output = O.Output.empty() ? "a.out" : O.Output;
  StagedOutput Staged(Output);
  if (!O.DryRun && !Staged.check())
    return 1;
  Command Cc = {Tools.Compiler};
  Cc += O.passed(Link);
  Cc += {"-o", O.DryRun ? Output : Staged.stage()};
  for (const LinkItem &L : O.LinkLine)
    Cc.push_back(L.K == LinkItem::Kind::Source ? Objects[L.Source]->path()
                 : L.K == LinkItem::Kind::File ? plainName(L.Text)
                                               : L.Text);
  Cc += Tools.runtime(O);
  if (int Code = runHost(Cc)) {
    if (!O.DryRun)
      Staged.discard();
    return Code;
  }
  return O.DryRun || Staged.commit() ? 0 : 1;
}

int Builder::run() {
  bool Linking = O.Do == Action::Link;
  int Code = 0;
  // As cc does, go on to the next source after an error.
  for (const Source &S : O.Sources) {
    if (Linking) {
      Objects.push_back(std::make_unique<PrivateFile>(stem(S) + ".o"));
      if (Objects.back()->path().empty())
        return 1;
    }
    int This = compile({plainName(S.Path), S.Language},
                       Linking ? Objects.back().get() : nullptr);
    Code = std::max(Code, This);
  }
  if (!Linking)
    return Code;
  for (const LinkItem &L : O.LinkLine)
    if (L.K == LinkItem::Kind::File && !checkInput(L.Text))
      Code = std::max(Code, 1);
  return Code ? Code : link();
}

int ampc::driver::build(const Options &O, const Toolchain &Tools) {
  return Builder(O, Tools).run();
}
