//===- diagnostics.cpp - Clang's diagnostics in the dialect's terms -------===//

#include "frontend/diagnostics.h"
#include "frontend/dialect.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTDiagnostic.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>

using namespace clang;

namespace ampc {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static bool mentionsView(QualType T) {
  if (T.isNull())
    return false;
  T = T.getCanonicalType();
  if (viewType(T) || T.hasAddressSpace())
    return true;
  if (const auto *P = T->getAs<PointerType>())
    return mentionsView(P->getPointeeType());
  if (const auto *P = T->getAs<BlockPointerType>())
    return mentionsView(P->getPointeeType());
  if (const auto *A = dyn_cast<ArrayType>(T))
    return mentionsView(A->getElementType());
  if (const auto *F = T->getAs<FunctionProtoType>())
    return mentionsView(F->getReturnType()) ||
           llvm::any_of(F->param_types(), mentionsView);
  return false;
}

static void formatArgument(DiagnosticsEngine::ArgumentKind Kind, intptr_t Val,
                           StringRef Modifier, StringRef Argument,
                           ArrayRef<DiagnosticsEngine::ArgumentValue> Before,
                           SmallVectorImpl<char> &Output, void *Cookie,
                           ArrayRef<intptr_t> QualTypes) {
  intptr_t Type = Kind == DiagnosticsEngine::ak_qualtype ? Val : 0;
  if (Kind == DiagnosticsEngine::ak_qualtype_pair) {
    const auto *Pair = reinterpret_cast<TemplateDiffTypes *>(Val);
    if (!Pair->PrintTree)
      Type = Pair->PrintFromType ? Pair->FromType : Pair->ToType;
  }
  QualType T = QualType::getFromOpaquePtr(reinterpret_cast<void *>(Type));
  if (!Type || !mentionsView(T))
    return FormatASTNodeDiagnosticArgument(Kind, Val, Modifier, Argument,
                                           Before, Output, Cookie, QualTypes);
  std::string Name =
      "'" + dialectName(T, *static_cast<ASTContext *>(Cookie)) + "'";
  Output.append(Name.begin(), Name.end());
}

void printTypesAsDialect(ASTContext &C) {
  C.getDiagnostics().SetArgToStringFn(formatArgument, &C);
}

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
  for (const Record &R : std::exchange(Held, {}))
    report(R);
  Inner->EndSourceFile();
  if (Verifying)
    NumErrors = Inner->getNumErrors();
}

void DialectDiagnostics::HandleDiagnostic(DiagnosticsEngine::Level L,
                                          const Diagnostic &D) {
  if (!Holding) {
    DiagnosticConsumer::HandleDiagnostic(L, D);
    Errors += L >= DiagnosticsEngine::Error;
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
    default:
      break;
    }
  Held.push_back(std::move(R));
}

void DialectDiagnostics::report(const Record &R) { Engine.Report(R.D); }

void DialectDiagnostics::flush(ASTContext &C) {
  Holding = false;
  Context = &C;
  Records All = std::exchange(Held, {});
  reword(All);
  for (const Record &R : All)
    report(R);
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
  R.D = StoredDiagnostic(R.D.getLevel(), R.D.getID(), Text, R.D.getLocation(),
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

/// The identifiers in a piece of source text.
static std::vector<std::string> identifiersIn(StringRef Text,
                                              const LangOptions &L) {
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

/// The variable that Name means at a place, by name and position.
const VarDecl *DialectDiagnostics::variable(StringRef Name,
                                            SourceLocation At) const {
  SourceManager &SM = Context->getSourceManager();
  At = SM.getFileLoc(At);
  const VarDecl *Best = nullptr;
  auto Look = [&](const DeclContext *In) {
    for (const Decl *D : In->decls()) {
      const auto *V = dyn_cast<VarDecl>(D);
      if (V && V->getIdentifier() && V->getName() == Name &&
          SM.isBeforeInTranslationUnit(SM.getFileLoc(V->getLocation()), At))
        Best = V;
    }
  };
  const TranslationUnitDecl *Unit = Context->getTranslationUnitDecl();
  Look(Unit);
  for (const Decl *D : Unit->decls()) {
    const auto *F = dyn_cast<FunctionDecl>(D);
    if (F && F->getBody() &&
        SM.isPointWithin(At, SM.getFileLoc(F->getBeginLoc()),
                         SM.getFileLoc(F->getEndLoc())))
      Look(F);
  }
  return Best;
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
// Rewording
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
    bool Keep = true;
    switch (R.D.getID()) {
    case diag::ext_typecheck_convert_discards_qualifiers:
    case diag::ext_nested_pointer_qualifier_mismatch:
      // Rule V2 decides where views lose their const.
      Keep = !llvm::any_of(R.Types, mentionsView);
      break;
    case diag::err_typecheck_incompatible_address_space:
    case diag::err_typecheck_incompatible_nested_address_space:
      conversion(R);
      break;
    case diag::err_typecheck_assign_const:
      constWrite(R, Notes);
      break;
    case diag::err_block_decl_ref_not_modifiable_lvalue:
    case diag::err_ref_array_type:
      capture(R, Notes);
      break;
    case diag::err_as_qualified_auto_decl:
      say(R,
          "'__typeof__' of a view's element keeps that it is accelerator "
          "memory, where no variable can be; use '__typeof_unqual__' or "
          "'__auto_type'",
          "V1");
      break;
    case diag::err_typecheck_subscript_not_integer:
      subscript(R);
      break;
    case diag::err_ovl_no_viable_function_in_call:
      if (!Notes.empty() && inLibrary(Notes.front().D.getLocation()))
        noMatch(R, Notes);
      break;
    default:
      break;
    }
    if (!Keep)
      continue;
    outOfLibraryMacros(R);
    Kept.push_back(std::move(R));
    for (Record &N : Notes)
      Kept.push_back(std::move(N));
  }
  All = std::move(Kept);
}

/// Everything that follows from a missing <amp.h> is one mistake.
bool DialectDiagnostics::missingHeader(Records &All) {
  if (Context->Idents.get("array_view").hasMacroDefinition())
    return false;
  SourceManager &SM = Context->getSourceManager();
  auto IsDialect = [](StringRef Name) {
    return llvm::StringSwitch<bool>(Name)
        .Cases("array_view", "parallel_for_each", "tiled_index", "tile_static",
               "array_view_of", "extent_of", "array_new", "array_from", true)
        .Cases("index_1", "index_2", "index_3", "index_4", true)
        .Cases("extent_1", "extent_2", "extent_3", "extent_4", true)
        .Cases("int_2", "float_2", "float_3", "float_4", "tile_barrier", true)
        .Default(false);
  };
  for (size_t I = 0; I != All.size(); ++I) {
    Record &R = All[I];
    if (R.D.getLevel() < DiagnosticsEngine::Error ||
        R.D.getLocation().isInvalid())
      continue;
    std::pair<FileID, unsigned> At =
        SM.getDecomposedExpansionLoc(R.D.getLocation());
    StringRef Buffer = SM.getBufferData(At.first);
    size_t Start = Buffer.take_front(At.second).rfind('\n') + 1;
    StringRef Line = Buffer.substr(Start).split('\n').first;
    std::vector<std::string> Names =
        identifiersIn(Line, Context->getLangOpts());
    auto Name = llvm::find_if(Names, IsDialect);
    bool Clause =
        Line.contains("restrict(amp)") || Line.contains("restrict(cpu");
    if (Name == Names.end() && !Clause)
      continue;
    std::string What = Name == Names.end() ? "restrict(...)" : *Name;
    size_t Column = Line.find(Name == Names.end() ? "restrict(" : What);
    R.D = StoredDiagnostic(
        DiagnosticsEngine::Error, R.D.getID(),
        "'" + What +
            "' is declared in <amp.h>, which this file does not "
            "include: write '#include <amp.h>' at its top",
        FullSourceLoc(SM.getComposedLoc(At.first, Start + Column), SM), {},
        FixItHint::CreateInsertion(SM.getLocForStartOfFile(At.first),
                                   "#include <amp.h>\n"));
    All.resize(I + 1);
    return true;
  }
  return false;
}

/// Initialising, assigning, passing or returning across views and pointers.
bool DialectDiagnostics::conversion(Record &R) {
  if (R.Types.size() < 2 || R.Numbers.empty())
    return false;
  enum { Assigning, Passing, Returning, Converting, Initializing };
  int64_t Action = R.Numbers[0];
  bool TargetFirst = Action == Assigning || Action == Initializing;
  QualType To = R.Types[TargetFirst ? 0 : 1], From = R.Types[TargetFirst];
  auto FromView = viewType(From), ToView = viewType(To);
  std::string FromName = "'" + dialectName(From, *Context) + "'",
              ToName = "'" + dialectName(To, *Context) + "'";
  std::string Text;
  switch (Action) {
  case Assigning:
    Text = "cannot assign " + FromName + " to " + ToName;
    break;
  case Passing:
    Text = "cannot pass " + FromName + " to a parameter of type " + ToName;
    break;
  case Returning:
    Text = "cannot return " + FromName + " from a function with result type " +
           ToName;
    break;
  case Initializing:
    Text = "cannot initialise " + ToName + " with " + FromName;
    break;
  default:
    Text = "cannot convert " + FromName + " to " + ToName;
    break;
  }
  StringRef Rule = "V2";
  if (ToView && !FromView) {
    std::string Lengths = "n";
    for (unsigned I = 1; I < ToView->Rank; ++I)
      Lengths += ", n" + std::to_string(I + 1);
    Text += std::string("; use ") +
            (ToView->IsArray ? "array_from" : "array_view_of") + "(p, " +
            Lengths + ")";
  } else if (FromView && !ToView) {
    if (Action == Passing)
      Rule = "V5";
    if (FromView->Rank == 1)
      Text += "; in amp code write '(T *)&v[i]', on the host array_view_data(v)";
  } else if (FromView && ToView) {
    if (FromView->IsArray != ToView->IsArray)
      Text += ToView->IsArray ? ": a view is no array" : "; use section(...)";
    else if (FromView->Rank != ToView->Rank)
      Text += ": the ranks differ";
    else
      Text += ": a conversion of views can only add 'const'";
  }
  say(R, Text, Rule);
  return true;
}

/// Writing to an element of a view of const.
void DialectDiagnostics::constWrite(Record &R, Records &Notes) {
  std::string Target = textOf(R, 0);
  for (const std::string &Name :
       identifiersIn(Target, Context->getLangOpts())) {
    const VarDecl *V = variable(Name, R.D.getLocation());
    auto View = V ? viewType(V->getType()) : std::nullopt;
    if (!View || !View->isConst())
      continue;
    ViewType Writable = *View;
    QualType Element = View->Element;
    Element.removeLocalConst();
    say(R,
        "cannot write to '" + Target + "': '" + Name + "' is an '" +
            dialectName(V->getType().getUnqualifiedType(), *Context) +
            "'; declare it '" + (Writable.IsArray ? "array(" : "array_view(") +
            dialectName(Element, *Context) + ", " + std::to_string(View->Rank) +
            ")'",
        "C2");
    Notes.clear();
    Notes.push_back(declaredHere(V));
    return;
  }
}

/// Assigning to a captured variable; capturing an array.
void DialectDiagnostics::capture(Record &R, Records &Notes) {
  bool IsArray = R.D.getID() == diag::err_ref_array_type;
  SourceManager &SM = Context->getSourceManager();
  std::string Text = textOf(R, 0);
  if (IsArray || Text.empty()) {
    SmallString<32> Buffer;
    Text = Lexer::getSpelling(SM.getFileLoc(R.D.getLocation()), Buffer, SM,
                              Context->getLangOpts())
               .str();
  }
  std::vector<std::string> Names = identifiersIn(Text, Context->getLangOpts());
  if (Names.empty())
    return;
  const std::string &Name = Names.front();
  if (IsArray)
    say(R,
        "a kernel cannot capture '" + Name +
            "', an array: make a view of it, as in 'array_view_of(" + Name +
            ", n)', or put it into a struct",
        "C1");
  else
    say(R,
        "'" + Name +
            "' is captured by value by the kernel; assign to a local copy, or "
            "write results through a view",
        "C1");
  Notes.clear();
  if (const VarDecl *V = variable(Name, R.D.getLocation()))
    Notes.push_back(declaredHere(V));
}

/// v[i] with an index_N.
void DialectDiagnostics::subscript(Record &R) {
  std::string Text = textOf(R, 0);
  std::vector<std::string> Names = identifiersIn(Text, Context->getLangOpts());
  if (Names.size() != 1 || Names[0] != Text)
    return;
  const VarDecl *V = variable(Text, R.D.getLocation());
  // A kernel's parameter is found in its block only; its name must do.
  auto Rank = V ? indexRank(V->getType()) : std::nullopt;
  std::string At = Rank ? "at_" + std::to_string(*Rank) : "at_N";
  say(R, "a subscript is an 'int', and '" + Text +
             "' is not: with an index_N "
             "write '" +
             At + "(v, " + Text + ")'");
}

//===----------------------------------------------------------------------===//
// Calls of the library that fit no overload
//===----------------------------------------------------------------------===//

static std::string rankOf(unsigned Rank) {
  return "rank " + std::to_string(Rank);
}

/// How a kernel for a domain begins.
static std::string kernelFor(unsigned Rank, bool Tiled) {
  std::string N = std::to_string(Rank);
  if (Tiled)
    return "^(tiled_index(" +
           std::string(Rank == 1   ? "a"
                       : Rank == 2 ? "a, b"
                                   : "a, b, c") +
           ") t) restrict(amp)";
  return "^(index_" + N + " i) restrict(amp)";
}

std::string DialectDiagnostics::launchMismatch(QualType Domain, QualType Kernel,
                                               std::string &Note) {
  if (!Domain.isNull() && !tiledExtentRank(Domain) && !indexRank(Domain) &&
      !Domain->isIntegerType())
    return "the domain of parallel_for_each is an extent_N or a tiled extent, "
           "not '" +
           dialectName(Domain, *Context) + "'";
  if (Kernel.isNull())
    return "";
  const auto *Block = Kernel->getAs<BlockPointerType>();
  const auto *F =
      Block ? Block->getPointeeType()->getAs<FunctionProtoType>() : nullptr;
  if (!F)
    return "the last argument of parallel_for_each is the kernel, a block "
           "literal, not '" +
           dialectName(Kernel, *Context) + "'";
  if (!F->getReturnType()->isVoidType())
    return "a kernel returns nothing, but this one returns '" +
           dialectName(F->getReturnType(), *Context) + "'";
  if (Domain.isNull())
    return "";
  auto DomainTiled = tiledExtentRank(Domain);
  unsigned Rank = DomainTiled ? *DomainTiled : indexRank(Domain).value_or(1);
  Note = "a kernel for this domain begins '" +
         kernelFor(Rank, DomainTiled.has_value()) + "'";
  if (F->getNumParams() == 0)
    return "the kernel takes no index, but its domain has " + rankOf(Rank);
  QualType First = F->getParamType(0);
  auto KernelTiled = tiledIndexRank(First);
  if (KernelTiled && !DomainTiled) {
    Note = "make a tiled domain with 'tile(e, ...)'";
    return "the kernel takes a tiled index, but the domain is not tiled";
  }
  if (DomainTiled && !KernelTiled)
    return "the domain is tiled, but the kernel takes '" +
           dialectName(First, *Context) + "'";
  unsigned KernelRank =
      KernelTiled ? *KernelTiled : indexRank(First).value_or(F->getNumParams());
  if (!KernelTiled && !indexRank(First) && !First->isIntegerType())
    return "the kernel takes '" + dialectName(First, *Context) +
           "', which is no index";
  return "the domain has " + rankOf(Rank) +
         ", but the kernel takes an index of " + rankOf(KernelRank);
}

void DialectDiagnostics::noMatch(Record &R, Records &Notes) {
  // The arguments that some candidate could not take, by position.
  std::map<int64_t, QualType> Given;
  std::string Why;
  for (const Record &N : Notes) {
    if (N.Types.size() >= 2 && N.Numbers.size() >= 4) {
      Given.emplace(N.Numbers[3], N.Types[0]);
      auto Wanted = viewType(N.Types[1]);
      if (Why.empty())
        Why = "argument " + std::to_string(N.Numbers[3]) + " is '" +
              dialectName(N.Types[0], *Context) + "', not " +
              (Wanted && Wanted->Element->isVoidType()
                   ? std::string(Wanted->IsArray ? "an array" : "a view") +
                         " of " + rankOf(Wanted->Rank)
                   : "'" + dialectName(N.Types[1], *Context) + "'");
    } else if (Why.empty()) {
      Why = N.D.getMessage().rsplit(": ").second.str();
    }
  }
  SourceManager &SM = Context->getSourceManager();
  std::string Name = R.Name, Text, Note;
  if (Name == "parallel_for_each" && !Given.empty()) {
    QualType Kernel, Domain;
    for (auto [Position, T] : Given)
      (T->isBlockPointerType() ? Kernel : Domain) = T;
    Text = launchMismatch(Domain, Kernel, Note);
  }
  SourceLocation Loc = R.D.getLocation();
  if (Loc.isMacroID() && inLibrary(Loc)) {
    StringRef Macro =
        Lexer::getImmediateMacroName(Loc, SM, Context->getLangOpts());
    if (!Macro.empty())
      Name = Macro.str();
  }
  bool Launch = !Text.empty();
  if (!Launch) {
    Note = Why;
    bool One = Given.size() == 1 && Notes.size() > 1;
    Text = One ? "'" + Name + "' cannot take '" +
                     dialectName(Given.begin()->second, *Context) + "'"
               : "'" + Name + "' cannot be called with these arguments";
    if (One && Given.begin()->second->isPointerType() &&
        !viewType(Given.begin()->second)) {
      Text += ": make a view of the memory with 'array_view_of(p, n)'";
      Note.clear();
    }
  }
  say(R, Text, Launch ? "C3" : "");
  outOfLibraryMacros(R);
  Notes.clear();
  if (!Note.empty())
    Notes.push_back(note(R, Note));
}

} // namespace ampc
