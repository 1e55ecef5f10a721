//===- diagnostics_syntax.cpp - what does not parse as AMP-C --------------===//
//
// C++ AMP's syntax, macros of the library used in a way they do not allow, a
// header that is missing.
//
//===----------------------------------------------------------------------===//

#include "frontend/diagnostics.h"
#include "frontend/dialect.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace ampc {

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

/// "array_view<float, 1>" in a line, as AMP-C writes it; or nothing.
static std::optional<std::pair<std::string, std::string>>
templateIn(StringRef Line) {
  for (StringRef Name : {"array_view", "array", "tiled_index", "tiled_extent",
                         "index", "extent"})
    for (size_t At = 0; (At = Line.find(Name, At)) != StringRef::npos; ++At) {
      StringRef Rest = Line.substr(At + Name.size());
      if ((At && isAsciiIdentifierContinue(Line[At - 1])) ||
          !Rest.ltrim().starts_with("<"))
        continue;
      size_t End = Rest.find('>');
      StringRef Inside = Rest.take_front(End).ltrim().substr(1).trim();
      if (End == StringRef::npos || Inside.contains(';'))
        continue;
      std::string Written = (Name + "<" + Inside + ">").str();
      if (Name == "array_view" || Name == "array")
        return std::pair(Written, (Name + "(" + Inside +
                                   (Inside.contains(',') ? ")" : ", 1)"))
                                      .str());
      if (Name == "tiled_index")
        return std::pair(Written, ("tiled_index(" + Inside + ")").str());
      return std::pair(Written, (Name + "_" + Inside).str());
    }
  return std::nullopt;
}

/// C++'s templates and lambdas. The rest of the line is not AMP-C either.
bool DialectDiagnostics::foreignSyntax(Record &R) {
  if (!R.D.getLocation().isValid() || R.D.getLevel() < DiagnosticsEngine::Error)
    return false;
  StringRef Line = lineOf(R.D.getLocation());
  if (auto Found = templateIn(Line)) {
    say(R, "AMP-C has no templates: write '" + Found->second +
               "' for C++ AMP's '" + Found->first + "'");
    R.TakesLine = true;
    return true;
  }
  if (R.D.getID() == diag::err_ident_list_in_fn_declaration &&
      (Line.contains("array_view(") || Line.contains("array("))) {
    say(R, "AMP-C has no constructors: initialise with '= array_view_of(p, n)' "
           "or '= array_from(p, n)'");
    R.TakesLine = true;
    return true;
  }
  if (R.D.getID() == diag::ext_missing_type_specifier &&
      llvm::is_contained(identifiersIn(Line, Context->getLangOpts()), "auto")) {
    say(R, "C's 'auto' is no type: write '__auto_type " +
               tokenAt(R.D.getLocation()) + "', or the type itself");
    R.TakesLine = true;
    return true;
  }
  if (R.D.getID() == diag::err_expected_expression &&
      tokenAt(R.D.getLocation()) == "[") {
    unsigned Column =
        Context->getSourceManager().getExpansionColumnNumber(R.D.getLocation());
    StringRef Intro = Line.substr(Column - 1);
    size_t Close = Intro.find(']');
    if (Close == StringRef::npos ||
        !Intro.substr(Close + 1).ltrim().starts_with("("))
      return false;
    say(R, "a kernel is a block literal, not a lambda: write '^' instead of '" +
               Intro.take_front(Close + 1).str() + "'");
    R.TakesLine = true;
    return true;
  }
  return false;
}

static StringRef usageOf(StringRef Macro) {
  return llvm::StringSwitch<StringRef>(Macro)
      .Case("array_view", "'array_view(T, N)', T the type of the elements, N "
                          "the rank, 1 to 4")
      .Case("array",
            "'array(T, N)', T the type of the elements, N the rank, 1 to 4")
      .Case("array_view_of", "'array_view_of(p, n)', p a pointer, with one "
                             "length for each dimension")
      .Case("array_view_new", "'array_view_new(T, n)', T the type of the "
                              "elements, with one length for each dimension")
      .Case("array_new", "'array_new(T, n)', T the type of the elements, with "
                         "one length for each dimension")
      .Case("array_from", "'array_from(p, n)', p a pointer, with one length "
                          "for each dimension")
      .Cases("array_new_on", "array_new_staging",
             "an accelerator view, the type of the elements, and one length "
             "for each dimension")
      .Case("array_new_access", "an accelerator view, an access type, the type "
                                "of the elements, and one length for each "
                                "dimension")
      .Case("array_view_section", "'array_view_section(v, origin, extent)'")
      .Cases("array_view_section_from", "array_view_section_to",
             "a view, and where the section begins or how long it is")
      .Case("array_view_reinterpret_as",
            "'array_view_reinterpret_as(T, v)', v of rank 1")
      .Case("array_view_view_as", "'array_view_view_as(v, n)', v of rank 1, "
                                  "with one length for each dimension")
      .Case("array_view_data", "'array_view_data(v)', v of rank 1")
      .Case("array_view_from_array", "'array_view_from_array(a)', a an array")
      .Cases("at_2", "at_3", "at_4",
             "a view of that rank and an index of that rank")
      .Case("tile", "'tile(e, d0)', an extent and one length for each of its "
                    "dimensions, at most three")
      .Case("tiled_index",
            "'tiled_index(d0)', with one constant for each dimension, at most "
            "three")
      .Default("");
}

/// "uint8_t b": a type where none is known, or a variable of that name.
void DialectDiagnostics::unknownType(Record &R, Records &Notes) {
  if (R.Name == "try" || R.Name == "throw" || R.Name == "new" ||
      R.Name == "delete") {
    say(R, "'" + R.Name + "' is C++; C, and so AMP-C, has no such thing");
    R.TakesLine = true;
    return;
  }
  if (!usageOf(R.Name).empty())
    return libraryMacroMisused(R, Notes, R.Name);
  SourceLocation Next = tokenAfter(R.D.getLocation());
  std::string After = Next.isValid() ? tokenAt(Next) : "";
  if (After.empty() || !isAsciiIdentifierStart(After[0]))
    return;
  StringRef Name = R.Name;
  std::string Header =
      llvm::StringSwitch<std::string>(Name)
          .Cases("uint8_t", "int8_t", "uint16_t", "int16_t", "<stdint.h>")
          .Cases("uint32_t", "int32_t", "uint64_t", "int64_t", "<stdint.h>")
          .Case("bool", "<stdbool.h>")
          .Cases("size_t", "ptrdiff_t", "<stddef.h>")
          .Case("FILE", "<stdio.h>")
          .Default("");
  say(R, "unknown type '" + R.Name + "'" +
             (Header.empty() ? "" : ": include " + Header));
  R.TakesLine = true;
}

/// An error inside a macro of the library: the user called it wrongly.
void DialectDiagnostics::libraryMacroMisused(Record &R, Records &Notes,
                                             std::string Macro) {
  if (Macro == "restrict") {
    say(R,
        "a restriction clause cannot stand here: it belongs after the "
        "parameter list of a function or a block literal, as in '(...) "
        "restrict(amp) { ... }'",
        "S3");
  } else if (Macro == "tile_static") {
    say(R,
        "'tile_static' cannot stand here: it belongs before a variable in a "
        "function or kernel that is 'restrict(amp)'",
        "L1");
  } else if (StringRef Usage = usageOf(Macro); !Usage.empty()) {
    say(R, "'" + Macro +
               (Usage.starts_with("'") ? "' is used as in " : "' takes ") +
               Usage.str());
    SourceManager &SM = Context->getSourceManager();
    R.D.setLocation(FullSourceLoc(SM.getExpansionLoc(R.D.getLocation()), SM));
  } else {
    return;
  }
  R.TakesLine = true;
  Notes.clear();
}

} // namespace ampc
