//===- typeof.h - typeof of a view's element ------------------------------===//
//
// `__typeof__(v[i]) x = v[i];` is C that people write, but to Clang v[i] is in
// an address space, where no variable can be. Such a typeof has to mean the
// type without qualifiers, which Clang knows as __typeof_unqual__. Types are
// known only after the parse, so the file is parsed again, with the tokens that
// were found taken for the other keyword. Their text stays.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_FRONTEND_TYPEOF_H
#define AMPC_FRONTEND_TYPEOF_H

#include <set>

namespace clang {
class ASTContext;
class Token;
} // namespace clang

namespace ampc {

class ElementTypeofs {
public:
  /// T is the next token that the parser gets: at the places found so far,
  /// it becomes the keyword of the unqualified type.
  void see(const clang::Token &T) const;
  /// True if C has more of them.
  bool find(clang::ASTContext &C);

private:
  std::set<unsigned> Places; ///< encoded locations: two parses have the same
};

} // namespace ampc

#endif
