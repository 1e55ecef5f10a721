//===- pragmas.cpp - #pragma clang diagnostic for -Wamp-... ----------------===//

#include "frontend/warning_pragmas.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/LexDiagnostic.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace ampc {

static constexpr unsigned UnknownGroup =
    diag::warn_pragma_diagnostic_unknown_warning;

static bool isOurs(StringRef Name) {
  static const StringRef Names[] = {
#define AMPC_WARNING(KEY, NAME, DEFAULT, TEXT) "amp-" NAME,
#include "check/warnings.def"
  };
  return llvm::is_contained(Names, Name);
}

/// What Clang itself tells of: push, pop, and groups that it knows.
class WarningPragmas::Callbacks : public PPCallbacks {
public:
  Callbacks(WarningPragmas &To, DiagnosticsEngine &Engine)
      : To(To), Engine(Engine) {}

  void PragmaDiagnosticPush(SourceLocation, StringRef) override {
    To.Stack.push_back(To.Now);
  }

  void PragmaDiagnosticPop(SourceLocation Loc, StringRef) override {
    if (To.Stack.empty())
      return; // Clang warns
    To.Now = std::move(To.Stack.back());
    To.Stack.pop_back();
    To.Changes.push_back({Loc, To.Now.Set});
  }

  void PragmaDiagnostic(SourceLocation Loc, StringRef, diag::Severity S,
                        StringRef Name) override {
    if (Name == "-Weverything") {
      To.Now.Set = {{"everything", S}};
      To.Changes.push_back({Loc, To.Now.Set});
    } else if (Name != "-Wunknown-warning-option") {
      return;
    }
    DiagnosticsEngine::Level L = Engine.getDiagnosticLevel(UnknownGroup, Loc);
    if (L == DiagnosticsEngine::Warning && Engine.getWarningsAsErrors())
      L = DiagnosticsEngine::Error; // which `watch` has switched off
    To.Now.OfUnknown = L;
    Engine.setSeverity(UnknownGroup, diag::Severity::Warning, Loc);
  }

private:
  WarningPragmas &To;
  DiagnosticsEngine &Engine;
};

void WarningPragmas::watch(Preprocessor &PP) {
  DiagnosticsEngine &Engine = PP.getDiagnostics();
  Now.OfUnknown = Engine.getDiagnosticLevel(UnknownGroup, SourceLocation());
  Engine.setDiagnosticGroupWarningAsError("unknown-warning-option", false);
  Engine.setSeverity(UnknownGroup, diag::Severity::Warning, SourceLocation());
  PP.addPPCallbacks(std::make_unique<Callbacks>(*this, Engine));
}

/// The word before the name in 'clang diagnostic ignored "-Wamp-unused-view"'.
static std::optional<diag::Severity> severityBefore(SourceLocation Name,
                                                    const SourceManager &SM) {
  auto [File, Offset] = SM.getDecomposedSpellingLoc(Name);
  StringRef Before = SM.getBufferData(File).take_front(Offset).rtrim();
  size_t Start = Before.find_last_not_of("abcdefghijklmnopqrstuvwxyz");
  return llvm::StringSwitch<std::optional<diag::Severity>>(
             Before.substr(Start + 1))
      .Case("ignored", diag::Severity::Ignored)
      .Case("warning", diag::Severity::Warning)
      .Case("error", diag::Severity::Error)
      .Case("fatal", diag::Severity::Fatal)
      .Default(std::nullopt);
}

bool WarningPragmas::take(const Diagnostic &D, DiagnosticsEngine::Level &L) {
  if (D.getID() != UnknownGroup)
    return false;
  StringRef Name = D.getArgStdStr(0);
  std::optional<diag::Severity> S =
      severityBefore(D.getLocation(), D.getSourceManager());
  if (!Name.consume_front("-W") || !isOurs(Name) || !S) {
    L = Now.OfUnknown;
    return L == DiagnosticsEngine::Ignored;
  }
  Now.Set[Name.str()] = *S;
  Changes.push_back({D.getLocation(), Now.Set});
  return true;
}

std::optional<diag::Severity>
WarningPragmas::at(StringRef Name, SourceLocation Place,
                   const SourceManager &SM) const {
  for (auto C = Changes.rbegin(); C != Changes.rend(); ++C) {
    if (!SM.isBeforeInTranslationUnit(C->At, Place))
      continue;
    auto Found = C->Set.find(Name);
    if (Found == C->Set.end())
      Found = C->Set.find("everything");
    return Found == C->Set.end() ? std::nullopt : std::optional(Found->second);
  }
  return std::nullopt;
}

bool WarningPragmas::mention(StringRef Name) const {
  return llvm::any_of(Changes, [&](const Change &C) {
    return C.Set.count(Name) || C.Set.count("everything");
  });
}

} // namespace ampc
