//===- macros.h - from the AST's locations to places in the text ----------===//
//
// The emitted C keeps macro uses as they stand. A construct that a macro of the
// user's spells out in its body is the exception: that one use is expanded, its
// tokens become text that can be edited like a file's.
//
// Terms
//   folded macro   the library's, or a function-like one of a system header:
//                  stays a use by name, whatever happens to its arguments.
//   expanded use   a use of a user's macro that is replaced by its tokens; the
//                  macros used within it are, too, but for folded ones.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_HOSTC_MACROS_H
#define AMPC_HOSTC_MACROS_H

#include "frontend/frontend.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"
#include <map>
#include <optional>
#include <tuple>

namespace ampc::hostc {

/// The place before a character of a file, or (Token >= 0) before a token of
/// the expanded use that begins there.
struct Position {
  clang::FileID File;
  unsigned Offset = 0;
  int Token = -1;

  bool operator<(const Position &O) const {
    return std::tie(Offset, Token) < std::tie(O.Offset, O.Token);
  }
  bool operator==(const Position &O) const {
    return File == O.File && Offset == O.Offset && Token == O.Token;
  }
};

struct TextRange {
  Position Begin, End;
  bool operator==(const TextRange &O) const {
    return Begin == O.Begin && End == O.End;
  }
};

/// A token of an expanded use.
struct ExpandedToken {
  std::string Text;
  bool SpaceBefore;
};

struct ExpandedUse {
  clang::FileID File;
  unsigned Begin, End; ///< of the use in the file
  std::vector<ExpandedToken> Tokens;
};

class Macros {
public:
  explicit Macros(Unit &U);

  /// Where the tokens of an AST range stand. Nothing when a use must be
  /// expanded first (moreToExpand is true then) or the range cannot be edited.
  std::optional<TextRange> resolve(clang::SourceRange R);
  /// Asks for the outermost use of a user's macro around L to be expanded.
  void expandAround(clang::SourceLocation L);

  /// True once after new uses were found that must be expanded.
  bool moreToExpand();
  /// Expands the uses found; resolve is final from here on.
  void expandAll();

  /// The expanded use that begins at or after Offset, or null.
  const ExpandedUse *nextUse(clang::FileID File, unsigned Offset) const;

  /// The outermost use of a library macro whose body spells L; else invalid.
  clang::FileID libraryUse(clang::SourceLocation L);
  /// The macro's name, and where that stands.
  std::string useName(clang::FileID Use);
  /// Of the name alone, given a location in the body.
  std::optional<TextRange> resolveName(clang::SourceLocation InBody);

private:
  using Signature = std::vector<unsigned>;
  struct Use {
    clang::FileID Instance;
    ExpandedUse Text;
    std::map<Signature, int> Index; ///< from a token's origin to its number
  };

  bool isArgument(clang::SourceLocation L);
  clang::FileID instance(clang::SourceLocation L);
  clang::SourceLocation useBegin(clang::FileID Instance);
  clang::SourceLocation useEnd(clang::FileID Instance);
  bool isLibrary(clang::FileID Instance);
  bool isFolded(clang::FileID Instance);
  bool isExpanded(clang::FileID Instance);
  bool quotesArguments(clang::FileID Instance);
  bool isTerminal(clang::SourceLocation L);
  unsigned depth(clang::SourceLocation L);
  bool stepOut(clang::SourceLocation &L, bool AtEnd);
  clang::SourceRange useSite(clang::FileID Instance);
  clang::FileID useAround(clang::SourceLocation L);
  std::optional<Position> position(clang::SourceLocation L, bool AtEnd);
  void sign(clang::SourceLocation L, bool AtEnd, Signature &S);
  void expand(Use &U);
  std::vector<clang::Token> rawTokens(const ExpandedUse &U);
  std::vector<clang::MacroInfo *> restoreDefinitions(clang::SourceLocation At);

  Unit &U;
  clang::SourceManager &SM;
  std::vector<Use> Uses;
  std::map<clang::FileID, bool> Folded;
  bool More = false, Expanded = false;
};

} // namespace ampc::hostc

#endif
