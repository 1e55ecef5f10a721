//===- locations.cpp - source locations in KIR text -----------------------===//

#include "kir/text/locations.h"
#include "kir/text/lexer.h"
#include "kir/text/names.h"
#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace ampc::kir {

static bool isPlainFile(StringRef Name) {
  return !Name.empty() && llvm::all_of(Name, [](char C) {
    return isWordCharacter(C) || StringRef("./+~@-").contains(C);
  });
}

bool LocationWriter::hasPlace(Loc L) const {
  return L.Line && L.File < M.Files.size();
}

void LocationWriter::one(Loc L, std::string &To) {
  bool IsFirst = To.empty();
  if (!IsFirst)
    To += ' ';
  if (!hasPlace(L))
    L = Loc();
  if (!IsFirst && L == Last) {
    To += '.';
    return;
  }
  bool SameLine = Last.Line && Last.File == L.File && Last.Line == L.Line;
  Last = L;
  if (!L.Line) {
    To += '-';
    return;
  }
  if (File != L.File) {
    const std::string &Name = M.Files[L.File];
    To += (isPlainFile(Name) ? Name : quoted(Name)) + ":";
    SameLine = false;
  }
  File = L.File;
  if (IsFirst || !SameLine)
    To += std::to_string(L.Line) + ":";
  To += std::to_string(L.Column);
}

std::string LocationWriter::write(llvm::ArrayRef<Loc> Locations) {
  std::string Text;
  for (Loc L : Locations)
    one(L, Text);
  while (StringRef(Text).ends_with(" ."))
    Text.resize(Text.size() - 2);
  return Text;
}

/// One location at the start of Text, which is taken off.
std::optional<std::string> LocationReader::one(StringRef &Text, Loc &L) {
  // Not the beginning of "./a.c" or "-a.c".
  StringRef First = Text.take_until([](char C) { return C == ' ' || C == '\t'; });
  if (First == "." || First == "-") {
    Text = Text.drop_front();
    L = First == "." ? Last : Loc();
    Last = L;
    return std::nullopt;
  }
  std::string Name;
  bool HasFile = Text.starts_with("\"");
  if (HasFile) {
    std::vector<Token> Tokens = tokenize(Text);
    if (!Tokens[0].is(Token::Kind::String))
      return Tokens[0].Name;
    Name = Tokens[0].Name;
    Text = Text.drop_front(Tokens[0].Text.size());
    if (!Text.consume_front(":"))
      return "a file without a line";
  }
  auto [Word, Rest] = Text.split(' ');
  Text = Text.drop_front(Word.size());
  llvm::SmallVector<StringRef, 3> Parts;
  Word.split(Parts, ':');
  if (!HasFile && Parts.size() == 3) {
    HasFile = true;
    Name = Parts.front().str();
    Parts.erase(Parts.begin());
  }
  unsigned Numbers[2] = {Last.Line, 0};
  size_t Count = Parts.size();
  bool Good = Count == 2 || (Count == 1 && !HasFile && Last.Line);
  for (size_t I = 0; Good && I != Count; ++I)
    Good = !Parts[I].getAsInteger(10, Numbers[2 - Count + I]);
  if (!Good || Numbers[0] == 0)
    return "'" + Word.str() + "' is no location";
  if (HasFile) {
    auto At = llvm::find(M.Files, Name);
    if (At == M.Files.end())
      return "no 'file' line names '" + Name + "'";
    File = At - M.Files.begin();
  }
  if (File >= M.Files.size())
    return "a location without a file";
  L = Last = {File, Numbers[0], Numbers[1]};
  return std::nullopt;
}

std::optional<std::string> LocationReader::read(StringRef Text,
                                                std::vector<Loc> &To) {
  for (Text = Text.trim(" \t\r"); !Text.empty(); Text = Text.ltrim(" \t")) {
    Loc L;
    if (std::optional<std::string> Wrong = one(Text, L))
      return Wrong;
    To.push_back(L);
    if (!Text.empty() && Text[0] != ' ' && Text[0] != '\t')
      return "locations need spaces between them";
  }
  return std::nullopt;
}

} // namespace ampc::kir
