//===- report.cpp - hostc's diagnostics and small text helpers ------------===//

#include "hostc/report.h"
#include "clang/Basic/Diagnostic.h"

namespace ampc::hostc {

void notSupported(Unit &U, clang::SourceLocation L, llvm::StringRef What) {
  unsigned Id = U.Diags.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                        "not supported yet: %0");
  U.Diags.Report(L, Id) << What;
}

std::string quoted(llvm::StringRef S) {
  std::string Q = "\"";
  for (char C : S) {
    if (C == '"' || C == '\\')
      Q += '\\';
    Q += C;
  }
  return Q + "\"";
}

} // namespace ampc::hostc
