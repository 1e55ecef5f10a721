//===- warnings.cpp - the flags of AMP-C's own warnings -------------------===//

#include "check/warnings.h"
#include "check/warner.h"

using namespace clang;

namespace ampc {
namespace {

struct Row {
  StringRef Name;
  bool On;
  StringRef Text;
};

constexpr bool On = true, Off = false;
const Row Rows[] = {
#define AMPC_WARNING(KEY, NAME, DEFAULT, TEXT) {NAME, DEFAULT, TEXT},
#include "check/warnings.def"
};

} // namespace

bool isWarning(StringRef Name) {
  return Name.consume_front("amp-") &&
         llvm::any_of(Rows, [&](const Row &R) { return R.Name == Name; });
}

void printWarnings(llvm::raw_ostream &OS) {
  OS << "AMP-C's own warnings. -Wamp-NAME switches one on, -Wno-amp-NAME off;\n"
        "-Werror=amp-NAME makes it an error, -Wno-error=amp-NAME keeps it a\n"
        "warning under -Werror.\n\n";
  for (const Row &R : Rows)
    OS << "  -Wamp-" << R.Name << (R.On ? " (on)\n" : " (off)\n") << "      "
       << R.Text << '\n';
}

namespace rules {

const VarDecl *namedVariable(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

bool Warner::isOn(Warning W) const {
  return stateOf(W).On ||
         C.U.Pragmas.mention(("amp-" + Rows[size_t(W)].Name).str());
}

// The last flag on the command line counts, a pragma above it more.
Warner::State Warner::stateOf(Warning W, SourceLocation At) const {
  const Row &R = Rows[size_t(W)];
  std::string Name = ("amp-" + R.Name).str();
  State S{R.On, C.U.Diags.getWarningsAsErrors()};
  for (StringRef Flag : C.U.Warnings) {
    if (Flag == "-W" + Name)
      S.On = true;
    else if (Flag == "-Wno-" + Name)
      S.On = false;
    else if (Flag == "-Werror=" + Name)
      S.On = S.IsError = true;
    else if (Flag == "-Wno-error=" + Name)
      S.IsError = false;
  }
  if (auto Set = At.isValid() ? C.U.Pragmas.at(Name, At, C.SM)
                              : std::nullopt) {
    S.On = *Set != diag::Severity::Ignored;
    S.IsError |= *Set >= diag::Severity::Error;
  }
  S.On &= !C.U.Diags.getIgnoreAllWarnings();
  return S;
}

bool Warner::finish() {
  llvm::stable_sort(Items, [&](const Item &A, const Item &B) {
    return C.SM.isBeforeInTranslationUnit(A.Loc, B.Loc);
  });
  bool Good = true;
  for (const Item &I : Items)
    Good &= report(I);
  return Good;
}

/// False for an error.
bool Warner::report(const Item &I) {
  State S = stateOf(I.W, I.Loc);
  if (!S.On || C.SM.isInSystemHeader(C.SM.getExpansionLoc(I.Loc)))
    return true;
  DiagnosticsEngine &Diags = C.U.Diags;
  // -Werror would make an error of any warning, also of one that is to stay
  // one.
  bool General = Diags.getWarningsAsErrors();
  Diags.setWarningsAsErrors(false);
  {
    DiagnosticBuilder D = Diags.Report(
        I.Loc,
        Diags.getDiagnosticIDs()->getCustomDiagID(
            S.IsError ? DiagnosticIDs::Error : DiagnosticIDs::Warning, "%0"));
    D << I.Text + (S.IsError ? " [-Werror,-Wamp-" : " [-Wamp-") +
             Rows[size_t(I.W)].Name.str() + "]";
    if (!I.Fix.isNull())
      D << I.Fix;
  }
  Diags.setWarningsAsErrors(General);
  if (I.Declared)
    Diags.Report(
        I.Declared->getLocation(),
        Diags.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::Note, "%0"))
        << "'" + I.Declared->getName().str() + "' is declared here";
  return !S.IsError;
}

bool warn(Checker &C) {
  Warner W(C);
  warnViews(W);
  warnTileStatic(W);
  warnArithmetic(W);
  return W.finish();
}

} // namespace rules
} // namespace ampc
