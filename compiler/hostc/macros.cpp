//===- macros.cpp - from the AST's locations to places in the text --------===//

#include "hostc/macros.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace ampc::hostc {

Macros::Macros(Unit &U) : U(U), SM(U.Sources) {}

//===----------------------------------------------------------------------===//
// One expansion
//===----------------------------------------------------------------------===//

bool Macros::isArgument(SourceLocation L) { return SM.isMacroArgExpansion(L); }

// Clang gives the tokens of one macro use's body one file id; an argument's
// tokens point to the parameter they replace, in that body.
FileID Macros::instance(SourceLocation L) {
  if (isArgument(L))
    return SM.getFileID(SM.getImmediateExpansionRange(L).getBegin());
  return SM.getFileID(L);
}

SourceLocation Macros::useBegin(FileID Instance) {
  return SM.getSLocEntry(Instance).getExpansion().getExpansionLocStart();
}

SourceLocation Macros::useEnd(FileID Instance) {
  return SM.getSLocEntry(Instance).getExpansion().getExpansionLocEnd();
}

bool Macros::isLibrary(FileID Instance) {
  const SrcMgr::ExpansionInfo &Info = SM.getSLocEntry(Instance).getExpansion();
  SourceLocation Spelled = SM.getSpellingLoc(Info.getSpellingLoc());
  if (SM.isWrittenInScratchSpace(Spelled)) { // pasted by a macro's body
    SourceLocation By = Info.getExpansionLocStart();
    return By.isMacroID() && isLibrary(instance(By));
  }
  return isLibraryFile(SM.getFilename(Spelled));
}

bool Macros::isFolded(FileID Instance) {
  auto Known = Folded.find(Instance);
  if (Known != Folded.end())
    return Known->second;
  const SrcMgr::ExpansionInfo &Info = SM.getSLocEntry(Instance).getExpansion();
  SourceLocation Spelled = SM.getSpellingLoc(Info.getSpellingLoc());
  bool Is = isLibrary(Instance);
  if (!Is && SM.isWrittenInScratchSpace(Spelled)) {
    SourceLocation By = Info.getExpansionLocStart();
    Is = By.isMacroID() && isFolded(instance(By));
  } else if (!Is) {
    Is = SM.isInSystemHeader(Spelled) && Info.isFunctionMacroExpansion();
  }
  return Folded[Instance] = Is;
}

// Expanded itself, or used within an expanded use.
bool Macros::isExpanded(FileID Instance) {
  for (const Use &E : Uses)
    if (E.Instance == Instance)
      return true;
  SourceLocation L = useSite(Instance).getBegin();
  return L.isMacroID() && isExpanded(instance(L));
}

// The text in which a macro is used: a file, an expanded use, or the body of a
// macro that is not expanded. A use that is written as a whole in an argument
// stands where the argument does; one whose name alone is passed to a macro
// stands in that macro's body.
SourceRange Macros::useSite(FileID Instance) {
  SourceLocation B = useBegin(Instance), E = useEnd(Instance);
  while (B.isMacroID()) {
    FileID Of = instance(B);
    if (isArgument(B) && (isFolded(Of) || !isExpanded(Of))) {
      SourceLocation Parameter = SM.getImmediateExpansionRange(B).getBegin();
      bool IsWhole = isArgument(E) &&
                     SM.getImmediateExpansionRange(E).getBegin() == Parameter;
      B = IsWhole ? SM.getImmediateSpellingLoc(B) : Parameter;
      E = IsWhole ? SM.getImmediateSpellingLoc(E) : Parameter;
    } else if (!isArgument(B) && isFolded(Of)) {
      B = useBegin(Of);
      E = useEnd(Of);
    } else {
      break;
    }
  }
  return {B, E};
}

// The macro has # or ## before or after a parameter: its argument's spelling
// matters.
bool Macros::quotesArguments(FileID Instance) {
  SourceLocation At = useBegin(Instance);
  const IdentifierInfo &Name =
      U.Preproc.getIdentifierTable().get(useName(Instance));
  const MacroInfo *Info =
      U.Preproc.getMacroDefinitionAtLoc(&Name, SM.getExpansionLoc(At))
          .getMacroInfo();
  if (!Info)
    return false;
  for (const Token &T : Info->tokens())
    if (T.isOneOf(tok::hash, tok::hashhash))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

bool Macros::isTerminal(SourceLocation L) {
  return L.isFileID() || (!isFolded(instance(L)) && isExpanded(instance(L)));
}

unsigned Macros::depth(SourceLocation L) {
  unsigned N = 0;
  for (; L.isMacroID(); L = SM.getImmediateExpansionRange(L).getBegin())
    ++N;
  return N;
}

// From a macro's first (last) token to the use it stands for.
bool Macros::stepOut(SourceLocation &L, bool AtEnd) {
  bool Anywhere = isFolded(instance(L));
  CharSourceRange Use = SM.getImmediateExpansionRange(L);
  SourceLocation Unused;
  bool AtEdge;
  if (AtEnd) {
    unsigned Length = Lexer::MeasureTokenLength(SM.getSpellingLoc(L), SM,
                                                U.Context.getLangOpts());
    AtEdge = SM.isAtEndOfImmediateMacroExpansion(L.getLocWithOffset(Length),
                                                 &Unused);
  } else {
    AtEdge = SM.isAtStartOfImmediateMacroExpansion(L, &Unused);
  }
  if (!Anywhere && !AtEdge) {
    expandAround(L);
    return false;
  }
  L = AtEnd ? Use.getEnd() : Use.getBegin();
  return true;
}

std::optional<TextRange> Macros::resolve(SourceRange R) {
  SourceLocation B = R.getBegin(), E = R.getEnd();
  if (B.isInvalid() || E.isInvalid())
    return std::nullopt;
  while (!isTerminal(B) || !isTerminal(E)) {
    bool StepB = !isTerminal(B), StepE = !isTerminal(E);
    if (StepB && StepE && isArgument(B) && isArgument(E) &&
        SM.getImmediateExpansionRange(B).getBegin() ==
            SM.getImmediateExpansionRange(E).getBegin()) {
      if (!isFolded(instance(B)) && quotesArguments(instance(B))) {
        expandAround(B);
        return std::nullopt;
      }
      B = SM.getImmediateSpellingLoc(B);
      E = SM.getImmediateSpellingLoc(E);
      continue;
    }
    unsigned DepthB = StepB ? depth(B) : 0, DepthE = StepE ? depth(E) : 0;
    if (StepB && DepthB >= DepthE && !stepOut(B, false))
      return std::nullopt;
    if (StepE && DepthE >= DepthB && !stepOut(E, true))
      return std::nullopt;
  }
  std::optional<Position> Begin = position(B, false), End = position(E, true);
  if (!Begin || !End || Begin->File != End->File || *End < *Begin)
    return std::nullopt;
  return TextRange{*Begin, *End};
}

// The use to expand so that L's token becomes text: the outermost one, but not
// beyond a macro that gets L in an argument.
FileID Macros::useAround(SourceLocation L) {
  if (isArgument(L))
    L = SM.getImmediateExpansionRange(L).getBegin();
  for (;;) {
    FileID Of = instance(L);
    SourceLocation Use = useSite(Of).getBegin();
    if (Use.isFileID())
      return isFolded(Of) ? FileID() : Of;
    L = isArgument(Use) ? SM.getImmediateExpansionRange(Use).getBegin() : Use;
  }
}

void Macros::expandAround(SourceLocation L) {
  if (Expanded || L.isFileID())
    return;
  FileID Instance = useAround(L);
  if (Instance.isInvalid() || isExpanded(Instance))
    return;
  SourceLocation Begin = useSite(Instance).getBegin();
  SourceLocation End = useSite(Instance).getEnd();
  if (Begin.isMacroID() || End.isMacroID() ||
      SM.getFileID(Begin) != SM.getFileID(End))
    return;
  unsigned Last = Lexer::MeasureTokenLength(End, SM, U.Context.getLangOpts());
  Uses.push_back({Instance,
                  {SM.getFileID(Begin),
                   SM.getFileOffset(Begin),
                   SM.getFileOffset(End) + Last,
                   {}},
                  {}});
  More = true;
}

bool Macros::moreToExpand() {
  bool Was = More;
  More = false;
  return Was;
}

std::optional<Position> Macros::position(SourceLocation L, bool AtEnd) {
  if (L.isFileID()) {
    auto [File, Offset] = SM.getDecomposedLoc(L);
    if (AtEnd)
      Offset += Lexer::MeasureTokenLength(L, SM, U.Context.getLangOpts());
    return Position{File, Offset, -1};
  }
  for (SourceLocation At = L;;) {
    FileID Of = instance(At);
    for (const Use &E : Uses) {
      if (E.Instance != Of)
        continue;
      if (!Expanded) // the numbers come later
        return Position{E.Text.File, E.Text.Begin, 0};
      Signature S;
      sign(L, AtEnd, S);
      auto Found = E.Index.find(S);
      if (Found == E.Index.end())
        return std::nullopt;
      return Position{E.Text.File, E.Text.Begin, Found->second + AtEnd};
    }
    At = useSite(Of).getBegin();
    if (At.isFileID())
      return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Expanding
//===----------------------------------------------------------------------===//

// Where a token comes from, level by level, in terms that the parse and a
// second expansion of the same use have in common.
void Macros::sign(SourceLocation L, bool AtEnd, Signature &S) {
  while (L.isMacroID() && isFolded(instance(L))) {
    if (isArgument(L))
      L = SM.getImmediateSpellingLoc(L);
    else
      L = AtEnd ? useEnd(instance(L)) : useBegin(instance(L));
  }
  if (L.isFileID()) {
    S.push_back(L.getRawEncoding());
    return;
  }
  if (isArgument(L)) {
    S.push_back(1);
    sign(SM.getImmediateExpansionRange(L).getBegin(), false, S);
    sign(SM.getImmediateSpellingLoc(L), AtEnd, S);
    return;
  }
  SourceLocation Spelled = SM.getImmediateSpellingLoc(L);
  S.push_back(2);
  S.push_back(SM.isWrittenInScratchSpace(Spelled) ? 0
                                                  : Spelled.getRawEncoding());
  sign(useBegin(instance(L)), false, S);
}

// The tokens of a use as the file spells them, without the preprocessor lines
// and the text that #if leaves out between a macro's parentheses.
std::vector<Token> Macros::rawTokens(const ExpandedUse &E) {
  StringRef Text = SM.getBufferData(E.File);
  Lexer Raw(SM.getLocForStartOfFile(E.File), U.Context.getLangOpts(),
            Text.begin(), Text.begin() + E.Begin, Text.end());
  auto IsSkipped = [&](SourceLocation L) {
    for (SourceRange R : U.SkippedRanges)
      if (SM.getFileID(R.getBegin()) == E.File &&
          !SM.isBeforeInTranslationUnit(L, R.getBegin()) &&
          SM.isBeforeInTranslationUnit(L, R.getEnd()))
        return true;
    return false;
  };
  std::vector<Token> Tokens;
  bool InDirective = false;
  for (;;) {
    Token T;
    Raw.LexFromRawLexer(T);
    if (T.is(tok::eof) || SM.getFileOffset(T.getLocation()) >= E.End)
      break;
    if (T.isAtStartOfLine())
      InDirective = T.is(tok::hash) && !Tokens.empty();
    if (InDirective || IsSkipped(T.getLocation()))
      continue;
    if (T.is(tok::raw_identifier))
      U.Preproc.LookUpIdentifierInfo(T);
    Tokens.push_back(T);
  }
  return Tokens;
}

// Makes the macros mean what they meant where the use stands. Those that were
// not defined there are disabled, and returned.
std::vector<MacroInfo *> Macros::restoreDefinitions(SourceLocation At) {
  std::vector<std::pair<IdentifierInfo *, MacroInfo *>> Changed;
  for (const auto &Entry : U.Preproc.macros(false)) {
    auto *Name = const_cast<IdentifierInfo *>(Entry.first);
    MacroInfo *Then =
        U.Preproc.getMacroDefinitionAtLoc(Name, At).getMacroInfo();
    MacroInfo *Now = U.Preproc.getMacroInfo(Name);
    if (Then != Now && (Then || Now))
      Changed.push_back({Name, Then});
  }
  std::vector<MacroInfo *> Disabled;
  for (auto [Name, Then] : Changed) {
    if (Then) {
      U.Preproc.appendDefMacroDirective(Name, Then);
    } else if (MacroInfo *Now = U.Preproc.getMacroInfo(Name);
               Now && Now->isEnabled()) {
      Now->DisableMacro();
      Disabled.push_back(Now);
    }
  }
  return Disabled;
}

void Macros::expand(Use &E) {
  std::vector<Token> Tokens = rawTokens(E.Text);
  Token Eof;
  Eof.startToken();
  Eof.setKind(tok::eof);
  Tokens.push_back(Eof);
  U.Preproc.EnterTokenStream(Tokens, /*DisableMacroExpansion=*/false,
                             /*IsReinject=*/false);
  for (;;) {
    Token T;
    U.Preproc.Lex(T);
    if (T.is(tok::eof))
      break;
    Signature S;
    sign(T.getLocation(), false, S);
    E.Index.emplace(std::move(S), int(E.Text.Tokens.size()));
    E.Text.Tokens.push_back(
        {U.Preproc.getSpelling(T), T.hasLeadingSpace() || T.isAtStartOfLine()});
  }
  U.Preproc.RemoveTopOfLexerStack();
}

void Macros::expandAll() {
  Expanded = true;
  if (Uses.empty())
    return;
  U.Diags.setSuppressAllDiagnostics(true); // all was said during the parse
  for (Use &E : Uses) {
    SourceLocation At =
        SM.getLocForStartOfFile(E.Text.File).getLocWithOffset(E.Text.Begin);
    std::vector<MacroInfo *> Disabled = restoreDefinitions(At);
    for (const auto &Entry : U.Preproc.macros(false)) {
      MacroInfo *Info = U.Preproc.getMacroInfo(Entry.first);
      if (!Info || !Info->isEnabled() || Info->isBuiltinMacro())
        continue;
      SourceLocation Defined = Info->getDefinitionLoc();
      if (isLibraryFile(SM.getFilename(Defined)) ||
          (SM.isInSystemHeader(Defined) && Info->isFunctionLike())) {
        Info->DisableMacro();
        Disabled.push_back(Info);
      }
    }
    expand(E);
    for (MacroInfo *Info : Disabled)
      Info->EnableMacro();
  }
  U.Diags.setSuppressAllDiagnostics(false);
}

const ExpandedUse *Macros::nextUse(FileID File, unsigned Offset) const {
  const ExpandedUse *Next = nullptr;
  for (const Use &E : Uses)
    if (E.Text.File == File && E.Text.Begin >= Offset &&
        (!Next || E.Text.Begin < Next->Begin ||
         (E.Text.Begin == Next->Begin && E.Text.End > Next->End)))
      Next = &E.Text;
  return Next;
}

//===----------------------------------------------------------------------===//
// The library's macros
//===----------------------------------------------------------------------===//

FileID Macros::libraryUse(SourceLocation L) {
  FileID Outermost;
  for (;;) {
    while (L.isMacroID() && isArgument(L))
      L = SM.getImmediateSpellingLoc(L);
    if (!L.isMacroID() || !isLibrary(instance(L)))
      return Outermost;
    Outermost = instance(L);
    L = useBegin(Outermost);
  }
}

std::string Macros::useName(FileID Use) {
  SourceLocation At = SM.getSpellingLoc(useBegin(Use));
  unsigned Length = Lexer::MeasureTokenLength(At, SM, U.Context.getLangOpts());
  return std::string(SM.getCharacterData(At), Length);
}

std::optional<TextRange> Macros::resolveName(SourceLocation InBody) {
  std::optional<TextRange> R = resolve({InBody, InBody});
  if (!R)
    return R;
  R->End = R->Begin;
  if (R->Begin.Token >= 0)
    ++R->End.Token;
  else
    R->End.Offset +=
        Lexer::MeasureTokenLength(SM.getLocForStartOfFile(R->Begin.File)
                                      .getLocWithOffset(R->Begin.Offset),
                                  SM, U.Context.getLangOpts());
  return R;
}

} // namespace ampc::hostc
