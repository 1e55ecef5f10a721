//===- extensions.h - which types amp code has, by place ------------------===//
//
// C++ AMP v1.2 plans how its language may grow (section 13.2). AMP-C follows
// the rows on integers: version 1.1 adds integers of 8 and 16 bits, and bool as
// a member and element; version 1.2 adds integers of 64 bits. -famp-extensions=
// says what holds in the whole file; `#pragma amp extensions(1.2)`, what holds
// from there on. It is the place of amp code that counts, not that of the types
// it uses.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_FRONTEND_EXTENSIONS_H
#define AMPC_FRONTEND_EXTENSIONS_H

#include "frontend/version.h"
#include "clang/Basic/SourceLocation.h"
#include <vector>

namespace clang {
class Preprocessor;
class SourceManager;
} // namespace clang

namespace ampc {

class Extensions {
public:
  explicit Extensions(Version InFile = Version::V1_0) : InFile(InFile) {}

  /// Notes the pragmas that PP meets; this object must outlive it.
  void watch(clang::Preprocessor &PP);
  void change(clang::SourceLocation At, Version V) {
    Changes.push_back({At, V});
  }
  Version at(clang::SourceLocation Place, const clang::SourceManager &SM) const;

private:
  struct Change {
    clang::SourceLocation At;
    Version V;
  };
  Version InFile;
  std::vector<Change> Changes; ///< in the order of the source
};

} // namespace ampc

#endif
