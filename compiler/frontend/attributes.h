//===- attributes.h - attributes that AMP-C leaves to its library ---------===//
//
// Some of Clang's attributes make types of their own: address spaces, which
// stand for views here, vectors with components, matrices, the pointers of
// OpenCL and Objective-C. A host compiler that does not know one ignores it,
// and the emitted C would mean something else than what was checked. So they
// are refused where the parser meets them, unless the text is the library's or
// the system's.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_FRONTEND_ATTRIBUTES_H
#define AMPC_FRONTEND_ATTRIBUTES_H

#include "llvm/ADT/DenseMap.h"

namespace clang {
class IdentifierInfo;
class Preprocessor;
class Token;
} // namespace clang

namespace ampc {

class RefusedAttributes {
public:
  /// Reports to PP's diagnostics; PP must outlive it.
  void watch(clang::Preprocessor &PP);
  /// T is the next token that the parser gets.
  void see(const clang::Token &T);

private:
  clang::Preprocessor *PP = nullptr;
  /// By name: what to write instead.
  llvm::DenseMap<const clang::IdentifierInfo *, const char *> Names;
  enum { Outside, Introduced, Inside } Where = Outside;
  unsigned Depth = 0;       ///< Inside: brackets open
  bool AfterSquare = false; ///< the last token was `[`
};

} // namespace ampc

#endif
