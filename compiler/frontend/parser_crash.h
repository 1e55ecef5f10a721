//===- parser_crash.h - when Clang's parser crashes -----------------------===//
//
// Clang 19 crashes on the name of a function where a pointer with an address
// space is needed, `view = f;` say, and at times after a syntax error. The
// first gets an error at the name; after other errors, these are shown.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_FRONTEND_PARSER_CRASH_H
#define AMPC_FRONTEND_PARSER_CRASH_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <utility>

namespace clang {
class ASTContext;
class FunctionDecl;
class IdentifierInfo;
class Token;
} // namespace clang

namespace ampc {

/// Remembers the last names that the parser read.
class LastNames {
public:
  /// T is the next token that the parser gets.
  void see(const clang::Token &T);
  /// The last of them that names a function and does not call it.
  const clang::FunctionDecl *function(clang::ASTContext &C,
                                      clang::SourceLocation &At) const;

private:
  struct Name {
    clang::IdentifierInfo *Text = nullptr;
    clang::SourceLocation At;
    bool Called = false; ///< "(" follows
  };
  static constexpr unsigned Kept = 4; // the parser looks ahead
  Name Names[Kept];                   // the last one first
  bool AfterName = false;
};

/// Runs Work. Gives the number of the signal that ended it, or 0. What Work
/// was doing then is left as it was.
int signalIn(llvm::function_ref<void()> Work);

} // namespace ampc

#endif
