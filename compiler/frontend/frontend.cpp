//===- frontend.cpp - runs Clang, finds the kernels -----------------------===//

#include "frontend/frontend.h"
#include "frontend/attributes.h"
#include "frontend/diagnostics.h"
#include "frontend/diagnostics_output.h"
#include "frontend/typeof.h"
#include "frontend/parser_crash.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Scope.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/Support/Process.h"
#include <csignal>
#include <map>

using namespace clang;

namespace ampc {
namespace {

//===----------------------------------------------------------------------===//
// What the preprocessor saw
//===----------------------------------------------------------------------===//

class PreprocessorRecord : public PPCallbacks {
public:
  PreprocessorRecord(SourceManager &SM, std::vector<Inclusion> &Inclusions,
                     std::vector<SourceRange> &Skipped)
      : SM(SM), Inclusions(Inclusions), Skipped(Skipped) {}

  void InclusionDirective(SourceLocation Hash, const Token &, StringRef Name,
                          bool Angled, CharSourceRange NameRange,
                          OptionalFileEntryRef File, StringRef, StringRef,
                          const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    Pending = !SM.isInSystemHeader(Hash);
    if (Pending)
      Inclusions.push_back({Hash, NameRange.getAsRange(), Name.str(), Angled,
                            FileID(), File ? &File->getFileEntry() : nullptr});
  }

  void FileChanged(SourceLocation Loc, FileChangeReason Reason,
                   SrcMgr::CharacteristicKind, FileID) override {
    if (Reason == EnterFile && Pending)
      Inclusions.back().File = SM.getFileID(Loc);
    Pending = false;
  }

  void FileSkipped(const FileEntryRef &, const Token &,
                   SrcMgr::CharacteristicKind) override {
    Pending = false;
  }

  void SourceRangeSkipped(SourceRange Range, SourceLocation) override {
    if (!SM.isInSystemHeader(Range.getBegin()))
      Skipped.push_back(Range);
  }

private:
  SourceManager &SM;
  std::vector<Inclusion> &Inclusions;
  std::vector<SourceRange> &Skipped;
  bool Pending = false; ///< the last inclusion has not been entered yet
};

//===----------------------------------------------------------------------===//
// Launches and amp functions
//===----------------------------------------------------------------------===//

class Finder : public RecursiveASTVisitor<Finder> {
public:
  explicit Finder(Unit &U) : U(U) {}

  bool TraverseFunctionDecl(FunctionDecl *F) {
    const FunctionDecl *Outer = Host;
    Host = F;
    bool GoOn = RecursiveASTVisitor::TraverseFunctionDecl(F);
    Host = Outer;
    return GoOn;
  }

  bool VisitFunctionDecl(FunctionDecl *F) {
    if (F->isThisDeclarationADefinition() && isAmp(F, U.Sources) &&
        !isLibrary(F, U.Sources))
      U.AmpFunctions.push_back(F);
    return true;
  }

  bool VisitCallExpr(CallExpr *Call) {
    if (!Host || libraryCallee(Call, U.Sources) != "parallel_for_each" ||
        Call->getNumArgs() < 2)
      return true;
    const auto *Block = dyn_cast<BlockExpr>(
        Call->getArg(Call->getNumArgs() - 1)->IgnoreParenImpCasts());
    if (!Block)
      return true; // rule S10's business
    Launch L{};
    L.Call = Call;
    L.Block = Block;
    L.Host = Host;
    L.Domain = Call->getArg(Call->getNumArgs() - 2);
    if (Call->getNumArgs() == 3)
      L.View = Call->getArg(0);
    QualType Domain = L.Domain->getType();
    L.Rank = tiledExtentRank(Domain).value_or(indexRank(Domain).value_or(1));
    const BlockDecl *D = Block->getBlockDecl();
    if (D->getNumParams() == 1)
      L.Tile = tileDimensions(D->getParamDecl(0));
    for (const BlockDecl::Capture &C : D->captures())
      L.Captures.push_back(C.getVariable());
    std::string Number = std::to_string(Count[Host->getName().str()]++);
    L.Name = Host->getName().str() + "." + Number;
    L.Symbol = "ampc_" + Host->getName().str() + "_" + Number;
    U.Launches.push_back(std::move(L));
    return true;
  }

private:
  Unit &U;
  const FunctionDecl *Host = nullptr;
  std::map<std::string, unsigned> Count; ///< kernels so far, by host function
};

//===----------------------------------------------------------------------===//
// Running Clang
//===----------------------------------------------------------------------===//

class Action : public ASTFrontendAction {
public:
  Action(const FrontendOptions &O, llvm::function_ref<void(Unit &)> Then,
         ElementTypeofs &Typeofs)
      : O(O), Then(Then), Typeofs(Typeofs), Types(O.Types) {}

  /// The file has to be parsed once more.
  bool again() const { return Again; }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    CI.getPreprocessor().addPPCallbacks(std::make_unique<PreprocessorRecord>(
        CI.getSourceManager(), Inclusions, Skipped));
    Types.watch(CI.getPreprocessor());
    Attributes.watch(CI.getPreprocessor());
    CI.getPreprocessor().setTokenWatcher([this, &CI](const Token &T) {
      Typeofs.see(T);
      Names.see(T);
      Attributes.see(T);
      limitScopes(const_cast<Token &>(T), CI);
    });
    Diagnostics =
        static_cast<DialectDiagnostics *>(CI.getDiagnostics().getClient());
    Diagnostics->watch(Pragmas);
    Pragmas.watch(CI.getPreprocessor());
    return std::make_unique<Consumer>(*this, CI);
  }

  /// After a crash: true if it was Clang's parser that crashed and there is an
  /// error to show for it.
  bool explainCrash(CompilerInstance &CI) {
    if (Parsed || !Diagnostics || !CI.hasASTContext())
      return false;
    SourceLocation At;
    const FunctionDecl *F = Names.function(CI.getASTContext(), At);
    if (F && !CI.getDiagnostics().hasErrorOccurred()) {
      DiagnosticsEngine &D = CI.getDiagnostics();
      D.Report(At, D.getCustomDiagID(DiagnosticsEngine::Error,
                                     "%0 is a function, and no view: call it"))
          << F;
    }
    bool Explained = !Diagnostics->parsed(CI.getASTContext());
    if (Explained)
      Diagnostics->EndSourceFile();
    return Explained;
  }

private:
  /// For each name, Clang looks into all scopes around. An error ends the file
  /// where that would take minutes; T is the parser's next token.
  void limitScopes(Token &T, CompilerInstance &CI) {
    constexpr unsigned MaxScopes = 5000; // `if` and `else` have two each
    if (!TooDeep && T.isOneOf(tok::kw_if, tok::kw_for, tok::kw_while, tok::kw_do,
                              tok::kw_switch, tok::l_brace) &&
        CI.hasSema() && CI.getSema().getCurScope() &&
        CI.getSema().getCurScope()->getDepth() > MaxScopes) {
      TooDeep = true;
      DiagnosticsEngine &D = CI.getDiagnostics();
      D.Report(T.getLocation(),
               D.getCustomDiagID(DiagnosticsEngine::Fatal,
                                 "statements are nested too deeply: more than "
                                 "%0 scopes inside each other"))
          << MaxScopes;
    }
    if (TooDeep)
      T.setKind(tok::eof);
  }

  class Consumer : public SemaConsumer {
  public:
    Consumer(Action &A, CompilerInstance &CI) : A(A), CI(CI) {}
    void InitializeSema(Sema &S) override { printTypesAsDialect(S.Context); }
    void HandleTranslationUnit(ASTContext &Context) override {
      A.Parsed = true;
      A.Again = A.Typeofs.find(Context);
      if (A.Again)
        return A.Diagnostics->forget();
      if (!A.Diagnostics->parsed(Context))
        return;
      Unit U{Context,
             CI.getSourceManager(),
             CI.getPreprocessor(),
             CI.getDiagnostics(),
             A.O.Input,
             {},
             {},
             std::move(A.Inclusions),
             std::move(A.Skipped),
             {},
             std::move(A.Types),
             std::move(A.Pragmas)};
      Finder(U).TraverseDecl(Context.getTranslationUnitDecl());
      A.Then(U);
      A.Diagnostics->checked();
    }

  private:
    Action &A;
    CompilerInstance &CI;
  };

  const FrontendOptions &O;
  llvm::function_ref<void(Unit &)> Then;
  ElementTypeofs &Typeofs;
  bool Again = false;
  bool TooDeep = false;
  Extensions Types;
  WarningPragmas Pragmas;
  LastNames Names;
  RefusedAttributes Attributes;
  bool Parsed = false;
  std::vector<Inclusion> Inclusions;
  std::vector<SourceRange> Skipped;
  DialectDiagnostics *Diagnostics = nullptr;
};

// The command line for Clang's driver. The warning switched off is one that
// the dialect's own spelling provokes (see include/amp.h).
std::vector<std::string> clangArguments(const FrontendOptions &O,
                                        const char *Mode) {
  std::vector<std::string> Args = {O.ClangPath, Mode, "-resource-dir",
                                   O.ResourceDir};
  if (!O.Target.empty())
    Args.push_back("--target=" + O.Target);
  if (llvm::sys::Process::StandardErrHasColors())
    Args.push_back("-fcolor-diagnostics"); // O.Args may take it back
  Args.insert(Args.end(), {"-std=gnu17", "-fblocks", "-D__AMPC__=1"});
  Args.insert(Args.end(), O.Args.begin(), O.Args.end());
  Args.insert(Args.end(), {"-isystem", O.AmpIncludeDir, "-Wno-gcc-compat", "-x",
                           "c", O.Input});
  return Args;
}

// Runs one action over the input. True when nothing reported an error. Discards:
// asked when it is done, whether what -verify found counts for nothing.
bool run(const FrontendOptions &O, const char *Mode, FrontendAction &A,
         llvm::function_ref<bool(CompilerInstance &)> ExplainCrash,
         llvm::function_ref<bool()> Discards) {
  std::vector<std::string> Args = clangArguments(O, Mode);
  std::vector<const char *> Pointers;
  for (const std::string &Arg : Args)
    Pointers.push_back(Arg.c_str());

  IntrusiveRefCntPtr<DiagnosticOptions> DiagOptions =
      CreateAndPopulateDiagOpts(Pointers);
  // For the command line only; the engine of CI reports unknown -W options.
  IntrusiveRefCntPtr<DiagnosticsEngine> Diags(new DiagnosticsEngine(
      new DiagnosticIDs, DiagOptions,
      new TextDiagnosticPrinter(llvm::errs(), DiagOptions.get())));
  ProcessWarningOptions(*Diags, *DiagOptions, /*ReportDiags=*/false);
  CreateInvocationOptions InvocationOptions;
  InvocationOptions.Diags = Diags;
  std::shared_ptr<CompilerInvocation> Invocation =
      createInvocation(Pointers, InvocationOptions);
  if (!Invocation || Diags->hasErrorOccurred())
    return false;

  std::string Verdict; // of -verify, which it gives at the end of the file
  llvm::raw_string_ostream VerdictStream(Verdict);
  auto Instance = std::make_unique<CompilerInstance>();
  CompilerInstance &CI = *Instance;
  CI.setInvocation(std::move(Invocation));
  if (CI.getDiagnosticOpts().VerifyDiagnostics) {
    CI.getDiagnosticOpts().ShowCarets = false; // and no tally
    CI.createDiagnostics(
        new TextDiagnosticPrinter(VerdictStream, &CI.getDiagnosticOpts()));
  } else if (O.Format == DiagnosticsFormat::Text) {
    CI.createDiagnostics();
  } else {
    // The tally "1 error generated." goes where carets go.
    CI.getDiagnosticOpts().ShowCarets = false;
    CI.createDiagnostics(
        documentDiagnostics(O.Format == DiagnosticsFormat::Sarif, llvm::errs())
            .release());
  }
  if (!A.usesPreprocessorOnly())
    DialectDiagnostics::install(CI.getDiagnostics(),
                                CI.getDiagnosticOpts().VerifyDiagnostics);
  bool Good = false;
  int Signal = signalIn([&] { Good = CI.ExecuteAction(A); });
  if (!Signal) {
    if (!Discards())
      llvm::errs() << Verdict;
    return Good;
  }
  if (!ExplainCrash(CI))
    raise(Signal);
  Instance.release(); // in no state to be destroyed
  return false;
}

class PreprocessAction : public PreprocessorFrontendAction {
public:
  explicit PreprocessAction(llvm::raw_ostream &OS) : OS(OS) {}

protected:
  void ExecuteAction() override {
    CompilerInstance &CI = getCompilerInstance();
    DoPrintPreprocessedInput(CI.getPreprocessor(), &OS,
                             CI.getPreprocessorOutputOpts());
  }

private:
  llvm::raw_ostream &OS;
};

} // namespace

bool parse(const FrontendOptions &O, llvm::function_ref<void(Unit &)> Then) {
  ElementTypeofs Typeofs;
  // Clang may crash on what it takes a misspelt name for: then without that.
  FrontendOptions Plain = O;
  Plain.Args.push_back("-fno-spell-checking");
  bool Guesses = true;
  for (;;) {
    Action A(Guesses ? O : Plain, Then, Typeofs);
    bool Crashed = false;
    bool Good = run(
        Guesses ? O : Plain, "-fsyntax-only", A,
        [&](CompilerInstance &CI) {
          bool Explained = A.explainCrash(CI);
          Crashed = Guesses && !Explained;
          return Explained || Crashed;
        },
        [&] { return A.again(); });
    if (Crashed)
      Guesses = false;
    else if (!A.again())
      return Good;
  }
}

bool preprocess(const FrontendOptions &O, llvm::raw_ostream &OS) {
  PreprocessAction A(OS);
  return run(
      O, "-E", A, [](CompilerInstance &) { return false; },
      [] { return false; });
}

} // namespace ampc
