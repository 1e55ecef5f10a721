//===- diagnostics.cpp - Clang's diagnostics in the dialect's terms -------===//
//
// Holding back, choosing who rewords what, and what the handlers need. They
// are in diagnostics_values.cpp, _calls.cpp and _syntax.cpp.
//
//===----------------------------------------------------------------------===//

#include "frontend/diagnostics.h"
#include "frontend/dialect.h"
#include "frontend/warning_pragmas.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Lex/LexDiagnostic.h"
#include "clang/Lex/Lexer.h"
#include <map>
#include <set>

using namespace clang;

namespace ampc {

//===----------------------------------------------------------------------===//
// Holding back and reporting
//===----------------------------------------------------------------------===//

DialectDiagnostics &DialectDiagnostics::install(DiagnosticsEngine &Engine,
                                                bool Verifying) {
  auto *New = new DialectDiagnostics(Engine, Engine.takeClient(), Verifying);
  Engine.setClient(New, /*ShouldOwnClient=*/true);
  return *New;
}

void DialectDiagnostics::BeginSourceFile(const LangOptions &L,
                                         const Preprocessor *P) {
  Inner->BeginSourceFile(L, P);
  Holding = P != nullptr;
}

void DialectDiagnostics::EndSourceFile() {
  // Without a translation unit there is nothing to reword.
  Holding = false;
  report(std::exchange(Held, {}));
  Inner->EndSourceFile();
  if (Verifying)
    NumErrors = Inner->getNumErrors();
}

void DialectDiagnostics::HandleDiagnostic(DiagnosticsEngine::Level L,
                                          const Diagnostic &D) {
  if (Holding && Pragmas && Pragmas->take(D, L))
    return;
  if (!Holding) {
    DiagnosticConsumer::HandleDiagnostic(L, D);
    return Inner->HandleDiagnostic(L, D);
  }
  Record R{StoredDiagnostic(L, D), {}, {}, {}};
  for (unsigned I = 0; I != D.getNumArgs(); ++I)
    switch (D.getArgKind(I)) {
    case DiagnosticsEngine::ak_qualtype:
      R.Types.push_back(
          QualType::getFromOpaquePtr(reinterpret_cast<void *>(D.getRawArg(I))));
      break;
    case DiagnosticsEngine::ak_sint:
      R.Numbers.push_back(D.getArgSInt(I));
      break;
    case DiagnosticsEngine::ak_uint:
      R.Numbers.push_back(D.getArgUInt(I));
      break;
    case DiagnosticsEngine::ak_declarationname:
      R.Name =
          DeclarationName::getFromOpaqueInteger(D.getRawArg(I)).getAsString();
      break;
    case DiagnosticsEngine::ak_identifierinfo:
      R.Name = reinterpret_cast<const IdentifierInfo *>(D.getRawArg(I))
                   ->getName()
                   .str();
      break;
    case DiagnosticsEngine::ak_nameddecl:
      if (const auto *N = reinterpret_cast<const NamedDecl *>(D.getRawArg(I)))
        R.Name = N->getNameAsString();
      break;
    default:
      break;
    }
  Held.push_back(std::move(R));
}

void DialectDiagnostics::report(const Records &All) {
  for (const Record &R : All)
    Engine.Report(R.D);
}

static bool isError(const StoredDiagnostic &D) {
  return D.getLevel() >= DiagnosticsEngine::Error;
}

bool DialectDiagnostics::parsed(ASTContext &C) {
  Context = &C;
  Records All = std::exchange(Held, {});
  reword(All);
  if (llvm::none_of(All, [](const Record &R) { return isError(R.D); })) {
    Pending = std::move(All);
    return true;
  }
  dropConsequences(All);
  Holding = false;
  report(All);
  return false;
}

void DialectDiagnostics::checked() {
  Records All = std::exchange(Pending, {});
  llvm::move(std::exchange(Held, {}), std::back_inserter(All));
  dropConsequences(All);
  Holding = false;
  report(All);
}

/// "w" in "array_view<int, 1> w = v;".
static std::string declaredOn(StringRef Line) {
  StringRef Before = Line.take_front(Line.find_first_of("=;")).rtrim();
  size_t Start = Before.size();
  while (Start && isAsciiIdentifierContinue(Before[Start - 1]))
    --Start;
  return Before.substr(Start).str();
}

/// What follows from an error on the same line: Clang's warnings, and all else
/// where the line is not AMP-C at all. A name that is not declared is missing
/// once in a function, however often it is used.
void DialectDiagnostics::dropConsequences(Records &All) {
  SourceManager &SM = Context->getSourceManager();
  using Line = std::pair<FileID, unsigned>;
  auto LineOf = [&](SourceLocation Loc) {
    Loc = SM.getExpansionLoc(Loc);
    return Line(SM.getFileID(Loc), SM.getExpansionLineNumber(Loc));
  };
  std::set<Line> Faulty;
  std::map<Line, const Record *> Taken;
  for (const Record &R : All) {
    if (R.D.getLocation().isInvalid() || !isError(R.D))
      continue;
    Faulty.insert(LineOf(R.D.getLocation()));
    if (R.TakesLine)
      Taken.try_emplace(LineOf(R.D.getLocation()), &R);
  }
  std::set<std::pair<const FunctionDecl *, std::string>> Missing;
  // What such a line would declare is missing from there on.
  for (const auto &[At, R] : Taken)
    Missing.insert({functionAt(R->D.getLocation()),
                    declaredOn(lineOf(R->D.getLocation()))});
  Records Kept;
  bool Dropping = false; // its notes go with a diagnostic
  for (Record &R : All) {
    if (R.D.getLevel() == DiagnosticsEngine::Note) {
      if (!Dropping)
        Kept.push_back(std::move(R));
      continue;
    }
    Dropping = false;
    if (R.D.getLocation().isValid()) {
      Line At = LineOf(R.D.getLocation());
      if (isError(R.D)) {
        auto By = Taken.find(At);
        Dropping = By != Taken.end() && By->second != &R;
        if ((R.D.getID() == diag::err_undeclared_var_use ||
             R.D.getID() == diag::err_undeclared_var_use_suggest) &&
            !Dropping)
          Dropping =
              !Missing.insert({functionAt(R.D.getLocation()), R.Name}).second;
      } else {
        // The dialect's own warnings have messages of their own.
        Dropping = Faulty.count(At) && R.D.getID() < diag::DIAG_UPPER_LIMIT;
      }
    }
    if (!Dropping)
      Kept.push_back(std::move(R));
  }
  All = std::move(Kept);
}

//===----------------------------------------------------------------------===//
// Tools of the trade
//===----------------------------------------------------------------------===//

static StringRef ruleName(StringRef Id) {
#define AMPC_RULE(ID, NAME, SECTION, TEXT)                                     \
  if (Id == #ID)                                                               \
    return NAME;
#include "check/restrictions.def"
  return "";
}

void DialectDiagnostics::say(Record &R, std::string Text, StringRef Rule) {
  if (!Rule.empty())
    Text += (" [" + Rule + " " + ruleName(Rule) + "]").str();
  // An error of the dialect is none that a flag of Clang's makes a warning.
  unsigned ID = R.D.getID();
  if (isError(R.D) && !DiagnosticIDs::getWarningOptionForDiag(ID).empty())
    ID = Engine.getCustomDiagID(DiagnosticsEngine::Error, "%0");
  R.D = StoredDiagnostic(R.D.getLevel(), ID, Text, R.D.getLocation(),
                         R.D.getRanges(), R.D.getFixIts());
}

DialectDiagnostics::Record DialectDiagnostics::note(const Record &At,
                                                    std::string Text) {
  return {
      StoredDiagnostic(DiagnosticsEngine::Note,
                       Engine.getCustomDiagID(DiagnosticsEngine::Note, "%0"),
                       Text, At.D.getLocation(), {}, {}),
      {},
      {},
      {}};
}

DialectDiagnostics::Record DialectDiagnostics::declaredHere(const VarDecl *V) {
  Record At;
  At.D.setLocation(
      FullSourceLoc(V->getLocation(), Context->getSourceManager()));
  return note(At, "'" + V->getName().str() + "' is declared here");
}

bool DialectDiagnostics::inLibrary(SourceLocation Loc) const {
  SourceManager &SM = Context->getSourceManager();
  return Loc.isValid() && isLibraryFile(SM.getFilename(SM.getSpellingLoc(Loc)));
}

/// The source text of a range of R, as the user wrote it.
std::string DialectDiagnostics::textOf(const Record &R, unsigned I) const {
  if (I >= R.D.range_size())
    return "";
  SourceManager &SM = Context->getSourceManager();
  CharSourceRange Range =
      Lexer::makeFileCharRange(R.D.getRanges()[I], SM, Context->getLangOpts());
  if (Range.isInvalid())
    Range = SM.getExpansionRange(R.D.getRanges()[I]);
  return Lexer::getSourceText(Range, SM, Context->getLangOpts()).str();
}

std::string DialectDiagnostics::tokenAt(SourceLocation Loc) const {
  SourceManager &SM = Context->getSourceManager();
  SmallString<32> Buffer;
  return Lexer::getSpelling(SM.getFileLoc(Loc), Buffer, SM,
                            Context->getLangOpts())
      .str();
}

SourceLocation DialectDiagnostics::tokenAfter(SourceLocation Loc) const {
  SourceManager &SM = Context->getSourceManager();
  auto Next =
      Lexer::findNextToken(SM.getFileLoc(Loc), SM, Context->getLangOpts());
  return Next ? Next->getLocation() : SourceLocation();
}

StringRef DialectDiagnostics::lineOf(SourceLocation Loc) const {
  SourceManager &SM = Context->getSourceManager();
  auto [File, Offset] = SM.getDecomposedExpansionLoc(Loc);
  StringRef Buffer = SM.getBufferData(File);
  return Buffer.substr(Buffer.take_front(Offset).rfind('\n') + 1)
      .split('\n')
      .first;
}

std::string DialectDiagnostics::libraryMacro(SourceLocation Loc) const {
  if (!Loc.isMacroID() || !inLibrary(Loc))
    return "";
  SourceManager &SM = Context->getSourceManager();
  return tokenAt(SM.getExpansionLoc(Loc));
}

std::vector<std::string> identifiersIn(StringRef Text, const LangOptions &L) {
  std::vector<std::string> Names;
  std::string Copy = Text.str();
  Lexer Lex(SourceLocation(), L, Copy.c_str(), Copy.c_str(),
            Copy.c_str() + Copy.size());
  for (Token T; !Lex.LexFromRawLexer(T) || T.isNot(tok::eof);)
    if (T.is(tok::raw_identifier))
      Names.push_back(T.getRawIdentifier().str());
    else if (T.is(tok::eof))
      break;
  return Names;
}

/// The function whose text Loc stands in.
const FunctionDecl *DialectDiagnostics::functionAt(SourceLocation Loc) const {
  SourceManager &SM = Context->getSourceManager();
  Loc = SM.getFileLoc(Loc);
  for (const Decl *D : Context->getTranslationUnitDecl()->decls()) {
    const auto *F = dyn_cast<FunctionDecl>(D);
    if (F && F->getBody() &&
        SM.isPointWithin(Loc, SM.getFileLoc(F->getBeginLoc()),
                         SM.getFileLoc(F->getEndLoc())))
      return F;
  }
  return nullptr;
}

/// The variable that Name means at a place, by name and position.
const VarDecl *DialectDiagnostics::variable(StringRef Name,
                                            SourceLocation At) const {
  SourceManager &SM = Context->getSourceManager();
  At = SM.getFileLoc(At);
  const VarDecl *Best = nullptr;
  auto Look = [&](const DeclContext *In, auto &Look) -> void {
    for (const Decl *D : In->decls()) {
      const auto *V = dyn_cast<VarDecl>(D);
      if (V && V->getIdentifier() && V->getName() == Name &&
          SM.isBeforeInTranslationUnit(SM.getFileLoc(V->getLocation()), At))
        Best = V;
      const auto *B = dyn_cast<BlockDecl>(D);
      if (B && B->getBody() &&
          SM.isPointWithin(At, SM.getFileLoc(B->getCaretLocation()),
                           SM.getFileLoc(B->getBody()->getEndLoc())))
        Look(B, Look);
    }
  };
  Look(Context->getTranslationUnitDecl(), Look);
  if (const FunctionDecl *F = functionAt(At))
    Look(F, Look);
  return Best;
}

int DialectDiagnostics::rankOf(StringRef Text, SourceLocation At) const {
  size_t Name = 0;
  while (Name < Text.size() && isAsciiIdentifierContinue(Text[Name]))
    ++Name;
  const VarDecl *V = variable(Text.take_front(Name), At);
  auto View = V ? viewType(V->getType()) : std::nullopt;
  if (!View)
    return -1;
  int Rank = View->Rank;
  for (StringRef Rest = Text.substr(Name).trim(); !Rest.empty();
       Rest = Rest.trim(), --Rank) {
    int Depth = 0;
    size_t End = 0;
    do {
      Depth += Rest[End] == '[' ? 1 : Rest[End] == ']' ? -1 : 0;
      ++End;
    } while (Depth > 0 && End < Rest.size());
    if (Rest[0] != '[' || Depth)
      return -1;
    Rest = Rest.substr(End);
  }
  return Rank < 0 ? -1 : Rank;
}

/// What stands in a macro of the library is the user's call of it.
void DialectDiagnostics::outOfLibraryMacros(Record &R) {
  SourceLocation Loc = R.D.getLocation();
  if (!Loc.isMacroID() || !inLibrary(Loc))
    return;
  SourceManager &SM = Context->getSourceManager();
  std::vector<CharSourceRange> Ranges;
  for (const CharSourceRange &Range : R.D.getRanges())
    if (auto InFile =
            Lexer::makeFileCharRange(Range, SM, Context->getLangOpts());
        InFile.isValid())
      Ranges.push_back(InFile);
  R.D = StoredDiagnostic(R.D.getLevel(), R.D.getID(), R.D.getMessage(),
                         FullSourceLoc(SM.getExpansionLoc(Loc), SM), Ranges,
                         R.D.getFixIts());
}

//===----------------------------------------------------------------------===//
// Who rewords what
//===----------------------------------------------------------------------===//

void DialectDiagnostics::reword(Records &All) {
  if (missingHeader(All))
    return;
  Records Kept;
  for (size_t I = 0; I != All.size();) {
    Record R = std::move(All[I]);
    Records Notes;
    for (++I; I != All.size() && All[I].D.getLevel() == DiagnosticsEngine::Note;
         ++I)
      Notes.push_back(std::move(All[I]));
    if (!reword(R, Notes))
      continue;
    outOfLibraryMacros(R);
    Kept.push_back(std::move(R));
    for (Record &N : Notes)
      Kept.push_back(std::move(N));
  }
  All = std::move(Kept);
}

/// False when it is to be left out.
bool DialectDiagnostics::reword(Record &R, Records &Notes) {
  switch (R.D.getID()) {
  case diag::ext_typecheck_convert_discards_qualifiers:
  case diag::ext_nested_pointer_qualifier_mismatch:
    // Rule V2 decides where views lose their const.
    return !llvm::any_of(R.Types, mentionsView);
  case diag::ext_typecheck_convert_incompatible_pointer:
    // Rules V2 and V3 speak of conversions between views.
    return !(R.Types.size() > 1 && viewType(R.Types[0]) &&
             viewType(R.Types[1]));
  case diag::warn_format_conversion_argument_type_mismatch:
  case diag::warn_format_conversion_argument_type_mismatch_confusion:
  case diag::warn_format_conversion_argument_type_mismatch_pedantic:
    // Rule V5 speaks of views as arguments.
    return llvm::none_of(R.Types, [](QualType T) { return viewType(T); });
  case diag::err_falloff_nonvoid_block:
  case diag::err_maybe_falloff_nonvoid_block:
    // A kernel that returns something is refused as such.
    return false;
  case diag::err_typecheck_incompatible_address_space:
  case diag::err_typecheck_incompatible_nested_address_space:
  case diag::err_typecheck_convert_incompatible:
  case diag::err_typecheck_convert_int_pointer:
  case diag::err_typecheck_convert_pointer_int:
  case diag::ext_typecheck_convert_int_pointer:
  case diag::ext_typecheck_convert_pointer_int:
    if (conversion(R))
      llvm::erase_if(
          Notes, [&](const Record &N) { return inLibrary(N.D.getLocation()); });
    return true;
  case diag::err_typecheck_assign_const:
    constWrite(R, Notes);
    return true;
  case diag::err_block_decl_ref_not_modifiable_lvalue:
  case diag::err_ref_array_type:
  case diag::err_ref_vm_type:
    capture(R, Notes);
    return true;
  case diag::err_as_qualified_auto_decl:
    say(R,
        "'__typeof__' of a view's element keeps that it is accelerator "
        "memory, where no variable can be; use '__typeof_unqual__' or "
        "'__auto_type'",
        "V1");
    return true;
  case diag::err_vla_decl_has_static_storage:
    if (StringRef(lineOf(R.D.getLocation())).contains("tile_static"))
      say(R,
          "'" + tokenAt(R.D.getLocation()) +
              "' is an array of variable length: in amp code the length must "
              "be a constant",
          "D2");
    return true;
  case diag::err_typecheck_subscript_not_integer:
    subscript(R);
    return true;
  case diag::err_typecheck_subscript_value:
    subscripted(R);
    return true;
  case diag::err_typecheck_member_reference_struct_union:
  case diag::err_no_member:
  case diag::err_no_member_suggest:
    member(R);
    return true;
  case diag::err_typecheck_statement_requires_scalar:
    if (!R.Types.empty() && R.Types[0]->isExtVectorType())
      say(R, "a vector is no condition, and comparing two gives one: write "
             "'index_equal(i, j)', or compare their components");
    return true;
  case diag::err_ovl_no_viable_function_in_call:
    if (!Notes.empty() && inLibrary(Notes.front().D.getLocation()))
      noMatch(R, Notes);
    return true;
  case diag::err_attribute_argument_n_type:
    if (tokenAt(Context->getSourceManager().getExpansionLoc(
            R.D.getLocation())) == "tiled_index") {
      Notes.clear();
      say(R,
          "the lengths in 'tiled_index(...)' must be constants: literals, "
          "enumerators or macros; write the same in 'tile(e, ...)'",
          "L5");
    }
    return true;
  case diag::err_undeclared_var_use:
  case diag::err_undeclared_var_use_suggest:
    if (foreignSyntax(R))
      Notes.clear();
    else
      unknownType(R, Notes);
    return true;
  case diag::err_typecheck_call_not_function:
    called(R);
    return true;
  default:
    break;
  }
  if (!isError(R.D) || R.D.getLocation().isInvalid())
    return true;
  if (foreignSyntax(R)) {
    Notes.clear();
    return true;
  }
  std::string Macro = libraryMacro(R.D.getLocation());
  if (R.D.getID() == diag::ext_implicit_function_decl_c99)
    called(R);
  // AMP_VIEW_5 is made of the rank that the user wrote.
  if (Macro.empty() && StringRef(R.Name).starts_with("AMP_") &&
      R.D.getLocation().isMacroID())
    Macro =
        tokenAt(Context->getSourceManager().getExpansionLoc(R.D.getLocation()));
  if (Macro.empty() && R.D.getID() == diag::err_too_few_args_in_macro_invoc &&
      !Notes.empty() && inLibrary(Notes.front().D.getLocation()))
    Macro = tokenAt(Notes.front().D.getLocation());
  if (!Macro.empty())
    libraryMacroMisused(R, Notes, Macro);
  return true;
}

} // namespace ampc
