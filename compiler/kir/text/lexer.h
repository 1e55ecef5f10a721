//===- lexer.h - the tokens of KIR text -----------------------------------===//
#ifndef AMPC_KIR_TEXT_LEXER_H
#define AMPC_KIR_TEXT_LEXER_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace ampc::kir {

struct Token {
  enum class Kind {
    End,
    Newline,   ///< ends every line that is not empty
    Locations, ///< `; ...` up to the end of the line; Text without the `;`
    Word,      ///< keyword, operator, type, field
    Local,     ///< %name, Name without the sigil
    Global,    ///< @name
    Number,    ///< begins with a digit or `-`
    String,    ///< "...", Name what it stands for
    Sign,      ///< one character, or ->
    Error,     ///< Name says what is wrong
  } K;
  llvm::StringRef Text;
  std::string Name;
  /// Local, Global: the ".1" that tells this name from others.
  llvm::StringRef Suffix;
  unsigned Line = 0, Column = 0;

  bool is(Kind Other) const { return K == Other; }
  /// A word or sign with this spelling.
  bool is(llvm::StringRef Spelling) const {
    return (K == Kind::Word || K == Kind::Sign) && Text == Spelling;
  }
};

inline bool isWordCharacter(char C) {
  return llvm::isAlnum(C) || C == '_' || C == '$' || (unsigned char)C >= 0x80;
}

/// All tokens of a text, which must outlive them; the last is End or Error.
/// `//` begins a comment. Lines that hold nothing else are left out.
std::vector<Token> tokenize(llvm::StringRef Text);

} // namespace ampc::kir

#endif
