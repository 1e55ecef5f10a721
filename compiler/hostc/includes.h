//===- includes.h - preprocessor lines of the emitted file ----------------===//
//
// Clang has decided every #if, and the kernels were made from what it chose:
// the emitted text holds only that, without the conditional lines. A header
// with something to replace is copied into the file in place of its #include;
// the others are included as before.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_HOSTC_INCLUDES_H
#define AMPC_HOSTC_INCLUDES_H

#include "hostc/text.h"

namespace ampc::hostc {

class Includes {
public:
  Includes(Unit &U, Text &T) : U(U), T(T) {}

  /// The main file, and the headers that have to be copied because something
  /// in them, or in a header that they include, is edited.
  std::set<clang::FileID> copied() const;
  /// After Text::settle: the whole emitted file, or nothing and a diagnostic.
  std::optional<std::string> emit();

private:
  struct Directive {
    unsigned Begin, End;
    std::string Name, Argument; ///< `pragma`, `once`
    clang::SourceLocation Hash;
  };
  std::vector<Directive> directives(clang::FileID File);
  bool isFromCommandLine(const Inclusion &I) const;
  std::string copyOf(clang::FileID File, std::string Spelling, bool Angled);
  void edit(clang::FileID File);
  void editInclude(clang::FileID File, const Directive &D);
  std::string respelled(clang::FileID In, const Inclusion &I) const;

  Unit &U;
  Text &T;
  std::set<clang::FileID> Copied;
  std::set<const clang::FileEntry *> CopiedEntries;
  /// How a copied header was included, seen from the main file.
  std::map<clang::FileID, std::pair<std::string, bool>> Spelled;
};

} // namespace ampc::hostc

#endif
