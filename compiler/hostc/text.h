//===- text.h - the user's text with replacements -------------------------===//
//
// Edits are asked for in the AST's terms, in any order, and may nest: the new
// text of an outer edit names the ranges that it keeps, and inner edits apply
// within them. What an outer edit does not keep is dropped with its edits.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_HOSTC_TEXT_H
#define AMPC_HOSTC_TEXT_H

#include "hostc/macros.h"
#include <set>

namespace ampc::hostc {

/// Part of a replacement: new text, or a range of the user's own.
struct Piece {
  std::string New;
  clang::SourceRange Kept;
  bool AsArgument = false; ///< Kept is a macro argument: guard its commas

  Piece(const char *New) : New(New) {}
  Piece(std::string New) : New(std::move(New)) {}
  Piece(clang::SourceRange Kept, bool AsArgument = false)
      : Kept(Kept), AsArgument(AsArgument) {}
};
using Pieces = std::vector<Piece>;

class Text {
public:
  Text(Unit &U) : U(U), M(U) {}

  /// In place of R. A statement may be followed by a #line marker.
  void replace(clang::SourceRange R, Pieces New, bool IsStatement = false);
  void insertBefore(clang::SourceLocation Token, std::string New);
  void insertAfter(clang::SourceLocation Token, std::string New);
  /// The name of a library macro whose body holds Body.
  void rename(clang::SourceLocation Body, std::string New);
  /// Lines for the front of a file-level declaration, outside any macro.
  void insertLinesBefore(clang::SourceLocation Declaration, std::string Lines);
  /// In place of the characters [Begin, End) of a file; after settle, too.
  void replaceInFile(clang::FileID File, unsigned Begin, unsigned End,
                     std::string New);

  /// Turns what was asked into places; false (and diagnostics) if some of it
  /// cannot be done.
  bool settle();
  /// Files that something was asked for.
  std::set<clang::FileID> editedFiles() const;
  std::string render(clang::FileID File);
  /// `#line N "file"\n` for the place.
  std::string lineMarker(clang::SourceLocation L, int Plus = 0) const;

  Macros &macros() { return M; }

private:
  enum class Mode { Replace, Before, After, Name, Placed };
  struct Request {
    Mode How;
    clang::SourceRange R;
    Pieces New;
    bool IsStatement;
    unsigned Order;
    TextRange At; ///< Placed
  };
  struct PlacedPiece {
    std::string New;
    std::optional<TextRange> Kept;
    bool AsArgument;
    bool operator==(const PlacedPiece &O) const {
      return New == O.New && Kept == O.Kept && AsArgument == O.AsArgument;
    }
  };
  struct Edit {
    TextRange At;
    std::vector<PlacedPiece> New;
    bool IsStatement, IsAfter;
    unsigned Order;
    clang::SourceLocation Asked; ///< where the AST has it
  };
  struct Output {
    std::string Text;
    bool NeedsLine = false; ///< a marker is due at the next new line
  };

  std::optional<Edit> place(const Request &R);
  bool sortAndMerge(std::vector<Edit> &Edits);
  bool keepsItself(const Edit &E) const;
  void renderRange(TextRange R, size_t First, Output &Out);
  void renderEdit(size_t Number, Output &Out);
  void separate(const Edit &E, Output &Out);
  void copy(Position From, Position To, Output &Out);
  void copyFile(clang::FileID File, unsigned From, unsigned To, Output &Out);
  unsigned newlines(const TextRange &R) const;

  Unit &U;
  Macros M;
  std::vector<Request> Requests;
  std::map<clang::FileID, std::vector<Edit>> Edits;
  bool Settled = false;
  const std::vector<Edit> *Current = nullptr; ///< of the file being rendered
};

} // namespace ampc::hostc

#endif
