//===- lexer.cpp - the tokens of KIR text ---------------------------------===//

#include "kir/text/lexer.h"

using llvm::StringRef;

namespace ampc::kir {

namespace {

class Lexer {
public:
  explicit Lexer(StringRef Text) : Text(Text) {}
  std::vector<Token> run();

private:
  char peek(size_t Ahead = 0) const {
    return At + Ahead < Text.size() ? Text[At + Ahead] : '\0';
  }
  void add(Token::Kind K, size_t Begin) {
    Tokens.push_back({K, Text.slice(Begin, At), "", "", Line,
                      unsigned(Begin - LineBegin + 1)});
  }
  bool fail(size_t Begin, const char *What) {
    add(Token::Kind::Error, Begin);
    Tokens.back().Name = What;
    return false;
  }
  void endLine();
  bool token();
  bool sigil(Token::Kind K);
  bool string(std::string &Value);
  void number();
  void skipSuffix();
  void skipLine() { At = std::min(Text.find('\n', At), Text.size()); }
  void skipWord() {
    while (isWordCharacter(peek()))
      ++At;
  }

  StringRef Text;
  size_t At = 0, LineBegin = 0;
  unsigned Line = 1;
  std::vector<Token> Tokens;
};

} // namespace

void Lexer::endLine() {
  if (!Tokens.empty() && !Tokens.back().is(Token::Kind::Newline))
    add(Token::Kind::Newline, At);
}

/// At the opening quote.
bool Lexer::string(std::string &Value) {
  size_t Begin = At++;
  for (; peek() != '"'; ++At) {
    if (At == Text.size() || peek() == '\n')
      return fail(Begin, "a quote that is not closed");
    if (peek() != '\\') {
      Value += peek();
      continue;
    }
    ++At;
    if (peek() == '\\' || peek() == '"') {
      Value += peek();
    } else if (llvm::isHexDigit(peek()) && llvm::isHexDigit(peek(1))) {
      Value += char(llvm::hexFromNibbles(peek(), peek(1)));
      ++At;
    } else {
      return fail(Begin, "an escape that is not \\\\, \\\" or two hexadecimal "
                         "digits");
    }
  }
  ++At;
  return true;
}

/// ".1", ".1.2"
void Lexer::skipSuffix() {
  while (peek() == '.' && llvm::isDigit(peek(1)))
    for (++At; llvm::isDigit(peek());)
      ++At;
}

bool Lexer::sigil(Token::Kind K) {
  size_t Begin = At++;
  std::string Name;
  if (peek() == '"') {
    if (!string(Name))
      return false;
  } else {
    size_t Word = At;
    skipWord();
    if (At == Word)
      return fail(Begin, "a name without a letter");
    Name = Text.slice(Word, At).str();
  }
  size_t Suffix = At;
  skipSuffix();
  add(K, Begin);
  Tokens.back().Name = std::move(Name);
  Tokens.back().Suffix = Text.slice(Suffix, At);
  return true;
}

void Lexer::number() {
  size_t Begin = At++;
  bool IsHex = false;
  for (;; ++At) {
    char Before = llvm::toLower(Text[At - 1]);
    IsHex |= Before == 'x';
    bool AfterExponent = Before == 'p' || (Before == 'e' && !IsHex);
    bool IsSign = AfterExponent && (peek() == '+' || peek() == '-');
    if (!IsSign && !isWordCharacter(peek()) && peek() != '.')
      break;
  }
  add(Token::Kind::Number, Begin);
}

/// One token, not at the end; false after an error.
bool Lexer::token() {
  char C = peek();
  size_t Begin = At;
  if (C == '/' && peek(1) == '/') {
    skipLine();
    return true;
  }
  if (C == ';') {
    ++At;
    size_t Inside = At;
    skipLine();
    add(Token::Kind::Locations, Begin);
    Tokens.back().Text = Text.slice(Inside, At);
    return true;
  }
  if (C == '%')
    return sigil(Token::Kind::Local);
  if (C == '@' && !llvm::isDigit(peek(1))) // `@8` is an offset
    return sigil(Token::Kind::Global);
  if (C == '"') {
    std::string Value;
    if (!string(Value))
      return false;
    add(Token::Kind::String, Begin);
    Tokens.back().Name = std::move(Value);
    return true;
  }
  if (llvm::isDigit(C) ||
      (C == '-' && (llvm::isDigit(peek(1)) || peek(1) == 'i'))) {
    number();
    return true;
  }
  if (isWordCharacter(C)) {
    skipWord();
    skipSuffix();
    add(Token::Kind::Word, Begin);
    return true;
  }
  if (!StringRef("()[]{}<>,:=*.-@#").contains(C) || C == '\0')
    return fail(Begin, "a character that KIR text does not have");
  At += C == '-' && peek(1) == '>' ? 2 : 1;
  add(Token::Kind::Sign, Begin);
  if (C == '#' && llvm::isDigit(peek())) { // a field's number: `.#1.x`
    for (Begin = At; llvm::isDigit(peek());)
      ++At;
    add(Token::Kind::Number, Begin);
  }
  return true;
}

std::vector<Token> Lexer::run() {
  while (At < Text.size()) {
    char C = peek();
    if (C == '\n') {
      endLine();
      LineBegin = ++At;
      ++Line;
    } else if (C == ' ' || C == '\t' || C == '\r') {
      ++At;
    } else if (!token()) {
      return std::move(Tokens);
    }
  }
  endLine();
  add(Token::Kind::End, At);
  return std::move(Tokens);
}

std::vector<Token> tokenize(StringRef Text) { return Lexer(Text).run(); }

} // namespace ampc::kir
