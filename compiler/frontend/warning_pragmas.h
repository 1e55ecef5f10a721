//===- warning_pragmas.h - #pragma clang diagnostic for -Wamp-... ---------===//
//
// Clang's table of warning groups is closed: of a pragma that names one of
// AMP-C's warnings it says "unknown warning group", and that is where the
// pragma is found. So this diagnostic is kept switched on, whatever the user
// wants of it, and what he wants is done here.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_FRONTEND_WARNING_PRAGMAS_H
#define AMPC_FRONTEND_WARNING_PRAGMAS_H

#include "clang/Basic/Diagnostic.h"
#include <map>
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
} // namespace clang

namespace ampc {

class WarningPragmas {
public:
  /// Notes the pragmas that PP meets; this object must outlive it.
  void watch(clang::Preprocessor &PP);
  /// Whether D is Clang's word on a pragma of ours, which nobody else need see.
  /// Else L becomes what the user wants of D.
  bool take(const clang::Diagnostic &D, clang::DiagnosticsEngine::Level &L);

  /// What the last pragma before Place makes of -WNAME, if there is any.
  std::optional<clang::diag::Severity>
  at(llvm::StringRef Name, clang::SourceLocation Place,
     const clang::SourceManager &SM) const;
  /// Whether some pragma speaks of -WNAME.
  bool mention(llvm::StringRef Name) const;

private:
  class Callbacks;
  /// By name, "amp-unused-view"; "everything" for the names not in it.
  using Severities = std::map<std::string, clang::diag::Severity, std::less<>>;
  struct State {
    Severities Set;
    clang::DiagnosticsEngine::Level OfUnknown; ///< unknown groups, to the user
  };
  struct Change {
    clang::SourceLocation At;
    Severities Set;
  };

  State Now;
  std::vector<State> Stack;    ///< of `push`
  std::vector<Change> Changes; ///< in the order of the source
};

} // namespace ampc

#endif
