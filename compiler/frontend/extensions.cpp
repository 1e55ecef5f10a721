//===- extensions.cpp - which types amp code has, by place ----------------===//

#include "frontend/extensions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace ampc {

namespace {

/// `#pragma amp extensions(1.2)`
class ExtensionsHandler : public PragmaHandler {
public:
  explicit ExtensionsHandler(Extensions &To)
      : PragmaHandler("extensions"), To(To) {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer,
                    Token &First) override {
    Token Open, Number, Close, End;
    PP.Lex(Open);
    if (Open.isNot(tok::eod))
      PP.Lex(Number);
    std::optional<Version> V;
    if (Open.is(tok::l_paren) && Number.is(tok::numeric_constant)) {
      V = versionOf(PP.getSpelling(Number));
      PP.Lex(Close);
      if (Close.isNot(tok::eod))
        PP.Lex(End); // never past the directive
      if (Close.isNot(tok::r_paren) || End.isNot(tok::eod))
        V = std::nullopt;
    }
    if (V)
      return To.change(Introducer.Loc, *V);
    DiagnosticsEngine &D = PP.getDiagnostics();
    D.Report(First.getLocation(),
             D.getCustomDiagID(DiagnosticsEngine::Error,
                               "'#pragma amp extensions' takes a version: "
                               "write '(1.0)', '(1.1)' or '(1.2)'"));
  }

private:
  Extensions &To;
};

} // namespace

void Extensions::watch(Preprocessor &PP) {
  PP.AddPragmaHandler("amp", new ExtensionsHandler(*this)); // PP's from now on
}

Version Extensions::at(SourceLocation Place, const SourceManager &SM) const {
  for (auto C = Changes.rbegin(); C != Changes.rend(); ++C)
    if (SM.isBeforeInTranslationUnit(C->At, Place))
      return C->V;
  return InFile;
}

} // namespace ampc
