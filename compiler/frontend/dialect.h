//===- dialect.h - what Clang's AST means in AMP-C ------------------------===//
//
// Pure queries on types and declarations: which pointer is a view, which
// struct is a tiled_index, what a clause says. No state; everything that reads
// the AST (check, lower, hostc) asks here, so that the encoding chosen by
// include/amp.h is known in one place.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_FRONTEND_DIALECT_H
#define AMPC_FRONTEND_DIALECT_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Type.h"
#include <optional>
#include <string>
#include <vector>

namespace ampc {

/// An array_view(T, N) or array(T, N).
struct ViewType {
  clang::QualType Element; ///< with its const, without the address space
  unsigned Rank;           ///< 1..4
  bool IsArray;            ///< array(T, N)
  bool isConst() const { return Element.isConstQualified(); }
};
std::optional<ViewType> viewType(clang::QualType T);
/// A view, or a struct or array (at any depth) that holds one.
bool containsView(clang::QualType T);
/// A view, an element of one, or a type that is written with one: a pointer to
/// views, a function that takes some.
bool mentionsView(clang::QualType T);

/// "array_view(const float, 2)", "index_3", "struct node": T as the user wrote
/// or could write it, never with address spaces.
std::string dialectName(clang::QualType T, const clang::ASTContext &C);

/// Rank of index_N / extent_N by typedef name (2..4; index_1 is int).
std::optional<unsigned> indexRank(clang::QualType T);
/// Rank of tiled_index_N (1..3).
std::optional<unsigned> tiledIndexRank(clang::QualType T);
/// Rank of tiled_extent_N (1..3).
std::optional<unsigned> tiledExtentRank(clang::QualType T);
bool isTileBarrier(clang::QualType T);
/// The constants of tiled_index(D0, ...) on a parameter or local; empty if the
/// declaration has none.
std::vector<unsigned> tileDimensions(const clang::ValueDecl *D);
bool isTileStatic(const clang::VarDecl *D);

/// A restriction clause. No clause means cpu.
struct Restriction {
  bool Cpu = true, Amp = false;
  bool Written = false; ///< on this very declaration, not inherited
  std::string Text;     ///< what stands between the parentheses
  clang::SourceRange Range; ///< of `restrict(...)` as spelled
};
Restriction restrictionOf(const clang::Decl *FunctionOrBlock,
                          const clang::SourceManager &SM);
inline bool isAmp(const clang::Decl *D, const clang::SourceManager &SM) {
  return restrictionOf(D, SM).Amp;
}

/// One of ampcc's own headers (amp.h, amp_math.h, ampc/dialect.h, ...).
bool isLibraryFile(llvm::StringRef Path);
/// Declared in one of them.
bool isLibrary(const clang::Decl *D, const clang::SourceManager &SM);
/// The name of the library function that E calls, or "".
llvm::StringRef libraryCallee(const clang::CallExpr *E,
                              const clang::SourceManager &SM);

} // namespace ampc

#endif
