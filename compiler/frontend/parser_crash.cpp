//===- parser_crash.cpp - when Clang's parser crashes ---------------------===//

#include "frontend/parser_crash.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Lex/Token.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include <algorithm>

using namespace clang;

namespace ampc {

void LastNames::see(const Token &T) {
  if (AfterName)
    Names[0].Called = T.is(tok::l_paren);
  AfterName = T.is(tok::identifier);
  if (!AfterName)
    return;
  std::rotate(Names, Names + Kept - 1, Names + Kept);
  Names[0] = {T.getIdentifierInfo(), T.getLocation(), false};
}

const FunctionDecl *LastNames::function(ASTContext &C,
                                        SourceLocation &At) const {
  for (const Name &N : Names) {
    if (!N.Text || N.Called)
      continue;
    for (const NamedDecl *D : C.getTranslationUnitDecl()->lookup(N.Text))
      if (const auto *F = dyn_cast<FunctionDecl>(D)) {
        At = N.At;
        return F;
      }
  }
  return nullptr;
}

int signalIn(llvm::function_ref<void()> Work) {
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext Context;
  bool Good = Context.RunSafely(Work);
  llvm::CrashRecoveryContext::Disable();
  constexpr int SignalBase = 128;
  return Good ? 0 : Context.RetCode - SignalBase;
}

} // namespace ampc
