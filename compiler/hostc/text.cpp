//===- text.cpp - the user's text with replacements -----------------------===//

#include "hostc/text.h"
#include "hostc/report.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace ampc::hostc {

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

void Text::replace(SourceRange R, Pieces New, bool IsStatement) {
  // Directives are not allowed between the parentheses of a macro use.
  IsStatement &= R.getBegin().isFileID() && R.getEnd().isFileID();
  Requests.push_back({Mode::Replace,
                      R,
                      std::move(New),
                      IsStatement,
                      unsigned(Requests.size()),
                      {}});
}

void Text::insertBefore(SourceLocation Token, std::string New) {
  Requests.push_back({Mode::Before,
                      Token,
                      {std::move(New)},
                      false,
                      unsigned(Requests.size()),
                      {}});
}

void Text::insertAfter(SourceLocation Token, std::string New) {
  Requests.push_back({Mode::After,
                      Token,
                      {std::move(New)},
                      false,
                      unsigned(Requests.size()),
                      {}});
}

void Text::rename(SourceLocation Body, std::string New) {
  Requests.push_back({Mode::Name,
                      Body,
                      {std::move(New)},
                      false,
                      unsigned(Requests.size()),
                      {}});
}

void Text::replaceInFile(FileID File, unsigned Begin, unsigned End,
                         std::string New) {
  TextRange At{{File, Begin, -1}, {File, End, -1}};
  if (!Settled) {
    Requests.push_back({Mode::Placed,
                        {},
                        {std::move(New)},
                        false,
                        unsigned(Requests.size()),
                        At});
    return;
  }
  Edits[File].push_back(
      {At, {{std::move(New), std::nullopt, false}}, false, false, 0, {}});
}

void Text::insertLinesBefore(SourceLocation Declaration, std::string Lines) {
  auto [File, Offset] =
      U.Sources.getDecomposedLoc(U.Sources.getExpansionLoc(Declaration));
  StringRef Before = U.Sources.getBufferData(File).take_front(Offset);
  size_t LineStart = Before.rfind('\n') + 1; // npos + 1 is 0
  if (Before.drop_front(LineStart).trim().empty())
    Offset = LineStart;
  else
    Lines.insert(0, "\n");
  Lines +=
      lineMarker(U.Sources.getLocForStartOfFile(File).getLocWithOffset(Offset));
  replaceInFile(File, Offset, Offset, std::move(Lines));
}

std::string Text::lineMarker(SourceLocation L, int Plus) const {
  PresumedLoc P = U.Sources.getPresumedLoc(L);
  return "#line " + std::to_string(int(P.getLine()) + Plus) + " " +
         quoted(P.getFilename()) + "\n";
}

//===----------------------------------------------------------------------===//
// Placing
//===----------------------------------------------------------------------===//

std::optional<Text::Edit> Text::place(const Request &R) {
  Edit E{R.At,          {}, R.IsStatement, R.How == Mode::After, R.Order,
         R.R.getBegin()};
  if (R.How != Mode::Placed) {
    std::optional<TextRange> At =
        R.How == Mode::Name ? M.resolveName(R.R.getBegin()) : M.resolve(R.R);
    if (!At)
      return std::nullopt;
    E.At = *At;
    if (R.How == Mode::Before)
      E.At.End = E.At.Begin;
    if (R.How == Mode::After)
      E.At.Begin = E.At.End;
  }
  bool AllPlaced = true;
  for (const Piece &P : R.New) {
    PlacedPiece Placed{P.New, std::nullopt, P.AsArgument};
    if (P.Kept.isValid()) {
      Placed.Kept = M.resolve(P.Kept);
      AllPlaced &= Placed.Kept.has_value();
    }
    E.New.push_back(std::move(Placed));
  }
  if (!AllPlaced)
    return std::nullopt;
  return E;
}

bool Text::keepsItself(const Edit &E) const {
  for (const PlacedPiece &P : E.New)
    if (P.Kept == E.At)
      return true;
  return false;
}

// Outer edits first. One text that a macro puts into several places is asked
// to change several times: alike, or the macro's use has to be expanded.
bool Text::sortAndMerge(std::vector<Edit> &Edits) {
  std::stable_sort(
      Edits.begin(), Edits.end(), [](const Edit &A, const Edit &B) {
        if (!(A.At.Begin == B.At.Begin))
          return A.At.Begin < B.At.Begin;
        bool InsertA = A.At.Begin == A.At.End, InsertB = B.At.Begin == B.At.End;
        if (InsertA != InsertB)
          return InsertA;
        if (!(A.At.End == B.At.End))
          return B.At.End < A.At.End;
        return A.Order < B.Order;
      });
  bool Agree = true;
  std::vector<Edit> Merged;
  for (Edit &E : Edits) {
    bool Same = false;
    for (auto I = Merged.rbegin(); I != Merged.rend() && I->At == E.At; ++I) {
      if (I->New == E.New) {
        // Two loops that end with one token each need their brace.
        Same |= !(E.IsAfter && I->Asked == E.Asked);
      } else if (!(E.At.Begin == E.At.End) && !keepsItself(*I)) {
        Agree = false;
        M.expandAround(I->Asked);
        M.expandAround(E.Asked);
      }
    }
    if (!Same)
      Merged.push_back(std::move(E));
  }
  Edits = std::move(Merged);
  return Agree;
}

bool Text::settle() {
  std::map<FileID, std::vector<Edit>> Placed;
  do { // every round may find more uses that must be expanded
    Placed.clear();
    for (const Request &R : Requests)
      if (std::optional<Edit> E = place(R))
        Placed[E->At.Begin.File].push_back(std::move(*E));
    if (M.moreToExpand())
      continue;
    for (auto &[File, List] : Placed) {
      std::vector<Edit> InFile;
      for (const Edit &E : List)
        if (E.At.Begin.Token < 0 && E.At.End.Token < 0)
          InFile.push_back(E);
      sortAndMerge(InFile);
    }
    if (!M.moreToExpand())
      break;
  } while (true);
  M.expandAll();
  Settled = true;

  bool Ok = true;
  for (const Request &R : Requests) {
    if (std::optional<Edit> E = place(R)) {
      Edits[E->At.Begin.File].push_back(std::move(*E));
    } else {
      Ok = false;
      notSupported(U, R.R.getBegin(),
                   "this use of an AMP-C construct in a macro");
    }
  }
  for (auto &[File, List] : Edits)
    if (!sortAndMerge(List)) {
      Ok = false;
      notSupported(U, List.front().Asked,
                   "a macro that both reads and writes its argument");
    }
  return Ok;
}

std::set<FileID> Text::editedFiles() const {
  std::set<FileID> Files;
  for (const Request &R : Requests) {
    SourceLocation L = R.R.getBegin();
    Files.insert(R.How == Mode::Placed
                     ? R.At.Begin.File
                     : U.Sources.getFileID(U.Sources.getFileLoc(L)));
  }
  return Files;
}

//===----------------------------------------------------------------------===//
// Rendering
//===----------------------------------------------------------------------===//

void Text::copyFile(FileID File, unsigned From, unsigned To, Output &Out) {
  StringRef Rest = U.Sources.getBufferData(File).slice(From, To);
  while (!Rest.empty()) {
    size_t Line = Out.NeedsLine ? Rest.find('\n') : StringRef::npos;
    // Code behind the statement must not count as the line where that began.
    size_t Code = Out.NeedsLine ? Rest.find_first_not_of(" \t\r;)}") : 0;
    if (Code < Line && Out.NeedsLine && !Rest.substr(Code).starts_with("//") &&
        !Rest.substr(Code).starts_with("/*")) {
      Out.Text += Rest.take_front(Code);
      Rest = Rest.drop_front(Code);
      Out.Text +=
          "\n" +
          lineMarker(U.Sources.getLocForStartOfFile(File).getLocWithOffset(
              To - Rest.size()));
      Out.NeedsLine = false;
      continue;
    }
    if (Line == StringRef::npos) {
      Out.Text += Rest;
      return;
    }
    Out.Text += Rest.take_front(Line + 1);
    Rest = Rest.drop_front(Line + 1);
    Out.Text +=
        lineMarker(U.Sources.getLocForStartOfFile(File).getLocWithOffset(
            To - Rest.size()));
    Out.NeedsLine = false;
  }
}

// Two tokens side by side that would become one.
static bool wouldMerge(const std::string &Before, StringRef After) {
  if (Before.empty() || After.empty())
    return false;
  char A = Before.back(), B = After.front();
  auto IsWord = [](char C) { return isalnum(C) || C == '_'; };
  if ((IsWord(A) && IsWord(B)) || (A == '.' && isdigit(B)) ||
      (isdigit(A) && B == '.'))
    return true;
  return strchr("+-&|<>=/*#%^!:", A) && strchr("+-&|<>=/*#%^!:", B);
}

void Text::copy(Position From, Position To, Output &Out) {
  while (From < To) {
    const ExpandedUse *Use = M.nextUse(From.File, From.Offset);
    bool Reaches = Use && (Use->Begin < To.Offset ||
                           (Use->Begin == To.Offset && To.Token >= 0));
    if (!Reaches) {
      copyFile(From.File, From.Offset, To.Offset, Out);
      return;
    }
    if (From.Token < 0) {
      copyFile(From.File, From.Offset, Use->Begin, Out);
      From = {From.File, Use->Begin, 0};
    }
    bool EndsHere = To.Offset == Use->Begin;
    int Last = EndsHere ? To.Token : int(Use->Tokens.size());
    for (int I = From.Token; I < Last; ++I) {
      const ExpandedToken &T = Use->Tokens[I];
      if (I > 0 && (T.SpaceBefore || wouldMerge(Out.Text, T.Text)) &&
          !Out.Text.empty() && !isspace(Out.Text.back()))
        Out.Text += ' ';
      Out.Text += T.Text;
    }
    if (EndsHere)
      return;
    unsigned Lines = newlines({{From.File, Use->Begin}, {From.File, Use->End}});
    Out.Text.append(Lines, '\n');
    From = {From.File, Use->End, -1};
  }
}

unsigned Text::newlines(const TextRange &R) const {
  if (R.Begin.Token >= 0 && R.Begin.Offset == R.End.Offset)
    return 0;
  return U.Sources.getBufferData(R.Begin.File)
      .slice(R.Begin.Offset, R.End.Offset)
      .count('\n');
}

static std::string guarded(std::string Argument) {
  int Depth = 0;
  for (char C : Argument) {
    Depth += C == '(';
    Depth -= C == ')';
    if (C == ',' && Depth == 0)
      return "(" + Argument + ")";
  }
  return Argument;
}

void Text::renderEdit(size_t Number, Output &Out) {
  const Edit &E = (*Current)[Number];
  size_t Before = Out.Text.size();
  bool NeededLine = Out.NeedsLine;
  for (const PlacedPiece &P : E.New) {
    if (!P.Kept) {
      bool IsComment = !Out.Text.empty() && Out.Text.back() == '/' &&
                       StringRef(P.New).starts_with("*");
      Out.Text += IsComment ? " " + P.New : P.New;
    } else if (P.AsArgument) {
      Output Argument;
      renderRange(*P.Kept, Number + 1, Argument);
      Out.Text += guarded(std::move(Argument.Text));
    } else {
      renderRange(*P.Kept, Number + 1, Out);
    }
  }
  bool HasMarkers = E.Asked.isInvalid() && !E.New.front().New.empty();
  if (E.At.Begin == E.At.End || HasMarkers)
    return;
  unsigned Had = newlines(E.At);
  unsigned Has = StringRef(Out.Text).drop_front(Before).count('\n');
  if (Had == Has || (NeededLine && !Out.NeedsLine))
    return;
  if (E.IsStatement || Has > Had)
    Out.NeedsLine = true;
  else
    Out.Text.append(Had - Has, '\n');
}

// The white space that stood before the first token an edit replaces.
void Text::separate(const Edit &E, Output &Out) {
  Position At = E.At.Begin;
  if (At.Token <= 0 || E.At.Begin == E.At.End || Out.Text.empty() ||
      isspace(Out.Text.back()))
    return;
  const ExpandedUse *Use = M.nextUse(At.File, At.Offset);
  if (At.Token < int(Use->Tokens.size()) && Use->Tokens[At.Token].SpaceBefore)
    Out.Text += ' ';
}

void Text::renderRange(TextRange R, size_t First, Output &Out) {
  Position At = R.Begin;
  for (size_t I = First; Current && I < Current->size(); ++I) {
    const Edit &E = (*Current)[I];
    if (E.At.Begin < At)
      continue;
    if (!(E.At.Begin < R.End))
      break;
    if (R.End < E.At.End)
      continue;
    copy(At, E.At.Begin, Out);
    separate(E, Out);
    renderEdit(I, Out);
    At = E.At.End;
  }
  copy(At, R.End, Out);
}

std::string Text::render(FileID File) {
  auto Found = Edits.find(File);
  const std::vector<Edit> *Outer = Current;
  Current = nullptr;
  if (Found != Edits.end()) {
    sortAndMerge(Found->second);
    Current = &Found->second;
  }
  Output Out;
  StringRef Whole = U.Sources.getBufferData(File);
  // A byte order mark would stand behind the first #line.
  unsigned Begin = Whole.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  renderRange({{File, Begin, -1}, {File, unsigned(Whole.size()), -1}}, 0, Out);
  Current = Outer;
  return std::move(Out.Text);
}

} // namespace ampc::hostc
