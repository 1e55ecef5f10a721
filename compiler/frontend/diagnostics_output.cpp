//===- diagnostics_output.cpp - diagnostics for programs to read ----------===//

#include "frontend/diagnostics_output.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace clang;
using llvm::json::OStream;

namespace ampc {
namespace {

struct Rule {
  StringRef Id, Name, Text;
};

const Rule Rules[] = {
#define AMPC_RULE(ID, NAME, SECTION, TEXT) {#ID, NAME, TEXT},
#include "check/restrictions.def"
};

/// Lines and columns count from 1; columns count bytes, as the text form does,
/// and characters for SARIF. The end is behind the last character.
struct Region {
  std::string File;
  unsigned Line = 0, Column = 0, EndLine = 0, EndColumn = 0;
  unsigned Character = 0, EndCharacter = 0;
};

struct Fix {
  Region At;
  std::string Text;
};

struct Entry {
  DiagnosticsEngine::Level Level;
  std::string Message; ///< without the tag in brackets
  std::string Rule;    ///< "T1"; or the warning's flag "-Wamp-unused-view"
  std::string Name;    ///< "amp-types", for a rule
  std::optional<Region> Where;
  std::vector<Fix> Fixes;
  std::vector<Entry> Notes;
};

StringRef levelName(DiagnosticsEngine::Level L) {
  switch (L) {
  case DiagnosticsEngine::Fatal:
  case DiagnosticsEngine::Error:
    return "error";
  case DiagnosticsEngine::Warning:
    return "warning";
  default:
    return "note";
  }
}

class Documents : public DiagnosticConsumer {
public:
  Documents(bool Sarif, llvm::raw_ostream &OS) : Sarif(Sarif), OS(OS) {}

  void BeginSourceFile(const LangOptions &L, const Preprocessor *) override {
    Language = L;
  }

  void HandleDiagnostic(DiagnosticsEngine::Level L,
                        const Diagnostic &D) override {
    DiagnosticConsumer::HandleDiagnostic(L, D);
    if (L == DiagnosticsEngine::Ignored)
      return;
    Entry E = entry(L, D);
    if (L == DiagnosticsEngine::Note && !Entries.empty())
      Entries.back().Notes.push_back(std::move(E));
    else
      Entries.push_back(std::move(E));
  }

  void finish() override {
    OStream J(OS, 2);
    if (Sarif)
      writeSarif(J);
    else
      J.array([&] {
        for (const Entry &E : Entries)
          J.object([&] { writePlain(J, E); });
      });
    J.flush();
    OS << '\n';
  }

private:
  //---- Collecting ----------------------------------------------------------

  Entry entry(DiagnosticsEngine::Level L, const Diagnostic &D) {
    Entry E;
    E.Level = L;
    SmallString<256> Text;
    D.FormatDiagnostic(Text);
    E.Message = Text.str().str();
    splitTag(E);
    if (E.Rule.empty())
      if (StringRef Flag = DiagnosticIDs::getWarningOptionForDiag(D.getID());
          !Flag.empty() && L != DiagnosticsEngine::Note)
        E.Rule = ("-W" + Flag).str();
    if (!D.hasSourceManager() || D.getLocation().isInvalid())
      return E;
    const SourceManager &SM = D.getSourceManager();
    SourceLocation Loc = SM.getFileLoc(D.getLocation());
    E.Where = region(SM, CharSourceRange::getTokenRange(Loc, Loc));
    // The range that the caret's line would underline, if it holds the caret.
    for (const CharSourceRange &Range : D.getRanges()) {
      CharSourceRange InFile = Lexer::makeFileCharRange(Range, SM, Language);
      if (InFile.isValid() &&
          SM.getFileID(Loc) == SM.getFileID(InFile.getBegin()) &&
          !SM.isBeforeInTranslationUnit(Loc, InFile.getBegin()) &&
          SM.isBeforeInTranslationUnit(Loc, InFile.getEnd())) {
        E.Where = region(SM, InFile);
        break;
      }
    }
    for (const FixItHint &F : D.getFixItHints()) {
      CharSourceRange At =
          Lexer::makeFileCharRange(F.RemoveRange, SM, Language);
      if (!F.isNull() && At.isValid())
        E.Fixes.push_back({region(SM, At), F.CodeToInsert});
    }
    return E;
  }

  /// "... [T1 amp-types]", "... [-Wamp-unused-view]": the tag apart.
  static void splitTag(Entry &E) {
    StringRef Text = E.Message;
    size_t Open = Text.rfind(" [");
    if (Open == StringRef::npos || !Text.ends_with("]"))
      return;
    StringRef Tag = Text.substr(Open + 2).drop_back();
    Tag.consume_front("-Werror,");
    bool IsFlag = Tag.starts_with("-Wamp-");
    auto [Id, Name] = Tag.split(' ');
    if (!IsFlag && llvm::none_of(Rules, [Id = Id, Name = Name](const Rule &R) {
          return R.Id == Id && R.Name == Name;
        }))
      return;
    E.Rule = (IsFlag ? Tag : Id).str();
    E.Name = IsFlag ? "" : Name.str();
    E.Message = Text.take_front(Open).str();
  }

  Region region(const SourceManager &SM, CharSourceRange R) {
    SourceLocation Begin = R.getBegin(), End = R.getEnd();
    if (R.isTokenRange())
      End = Lexer::getLocForEndOfToken(End, 0, SM, Language);
    if (End.isInvalid() || SM.getFileID(Begin) != SM.getFileID(End))
      End = Begin;
    PresumedLoc From = SM.getPresumedLoc(Begin), To = SM.getPresumedLoc(End);
    Region Out;
    if (From.isInvalid() || To.isInvalid())
      return Out;
    Out.File = From.getFilename();
    Out.Line = From.getLine();
    Out.Column = From.getColumn();
    Out.EndLine = To.getLine();
    Out.EndColumn = To.getColumn();
    Out.Character = character(SM, Begin);
    Out.EndCharacter = character(SM, End);
    return Out;
  }

  /// The column in characters.
  static unsigned character(const SourceManager &SM, SourceLocation Loc) {
    auto [File, Offset] = SM.getDecomposedLoc(Loc);
    StringRef Before = SM.getBufferData(File).take_front(Offset);
    Before = Before.substr(Before.rfind('\n') + 1);
    return 1 + llvm::count_if(Before, [](char C) {
             return (static_cast<unsigned char>(C) & 0xC0) != 0x80;
           });
  }

  //---- The plain form ------------------------------------------------------

  static void place(OStream &J, StringRef Key, unsigned Line, unsigned Column) {
    J.attributeObject(Key, [&] {
      J.attribute("line", Line);
      J.attribute("column", Column);
    });
  }

  static void where(OStream &J, const Region &R) {
    J.attribute("file", utf8(R.File));
    place(J, "start", R.Line, R.Column);
    place(J, "end", R.EndLine, R.EndColumn);
  }

  /// JSON is UTF-8; source text and file names may be anything.
  static std::string utf8(StringRef Text) {
    return llvm::json::isUTF8(Text) ? Text.str() : llvm::json::fixUTF8(Text);
  }

  void writePlain(OStream &J, const Entry &E) {
    J.attribute("level", levelName(E.Level));
    if (!E.Rule.empty())
      J.attribute("rule", E.Rule);
    if (!E.Name.empty())
      J.attribute("name", E.Name);
    J.attribute("message", utf8(E.Message));
    if (E.Where)
      J.attributeObject("location", [&] { where(J, *E.Where); });
    J.attributeArray("fixits", [&] {
      for (const Fix &F : E.Fixes)
        J.object([&] {
          where(J, F.At);
          J.attribute("text", utf8(F.Text));
        });
    });
    if (E.Level == DiagnosticsEngine::Note)
      return;
    J.attributeArray("notes", [&] {
      for (const Entry &N : E.Notes)
        J.object([&] { writePlain(J, N); });
    });
  }

  //---- SARIF ---------------------------------------------------------------

  static void text(OStream &J, StringRef Key, StringRef Text) {
    J.attributeObject(Key, [&] { J.attribute("text", utf8(Text)); });
  }

  static void artifact(OStream &J, const Region &R) {
    J.attributeObject("artifactLocation", [&] {
      std::string Uri;
      if (llvm::sys::path::is_absolute(R.File))
        Uri = "file://";
      for (unsigned char C : R.File)
        if (llvm::isAlnum(C) || StringRef("/._-~").contains(C))
          Uri += C;
        else
          Uri += "%" + llvm::utohexstr(C, false, 2);
      J.attribute("uri", Uri);
    });
  }

  static void region(OStream &J, StringRef Key, const Region &R) {
    J.attributeObject(Key, [&] {
      J.attribute("startLine", R.Line);
      J.attribute("startColumn", R.Character);
      J.attribute("endLine", R.EndLine);
      J.attribute("endColumn", R.EndCharacter);
    });
  }

  static void physical(OStream &J, const Region &R) {
    J.attributeObject("physicalLocation", [&] {
      artifact(J, R);
      region(J, "region", R);
    });
  }

  void fixes(OStream &J, const std::vector<Fix> &Fixes) {
    for (const Fix &F : Fixes)
      J.object([&] {
        artifact(J, F.At);
        J.attributeArray("replacements", [&] {
          J.object([&] {
            region(J, "deletedRegion", F.At);
            text(J, "insertedContent", F.Text);
          });
        });
      });
  }

  void result(OStream &J, const Entry &E) {
    if (!E.Rule.empty())
      J.attribute("ruleId", E.Rule);
    for (const Rule &R : Rules)
      if (R.Id == E.Rule)
        J.attribute("ruleIndex", int64_t(&R - Rules));
    J.attribute("level", levelName(E.Level));
    text(J, "message", E.Message);
    J.attributeArray("locations", [&] {
      if (E.Where)
        J.object([&] { physical(J, *E.Where); });
    });
    if (!E.Notes.empty())
      J.attributeArray("relatedLocations", [&] {
        for (const Entry &N : E.Notes)
          J.object([&] {
            text(J, "message", N.Message);
            if (N.Where)
              physical(J, *N.Where);
          });
      });
    bool Fixable =
        !E.Fixes.empty() ||
        llvm::any_of(E.Notes, [](const Entry &N) { return !N.Fixes.empty(); });
    if (Fixable)
      J.attributeArray("fixes", [&] {
        J.object([&] {
          J.attributeArray("artifactChanges", [&] {
            fixes(J, E.Fixes);
            for (const Entry &N : E.Notes)
              fixes(J, N.Fixes);
          });
        });
      });
  }

  void writeSarif(OStream &J) {
    J.object([&] {
      J.attribute("$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/"
                             "os/schemas/sarif-schema-2.1.0.json");
      J.attribute("version", "2.1.0");
      J.attributeArray("runs", [&] {
        J.object([&] {
          J.attributeObject("tool", [&] {
            J.attributeObject("driver", [&] {
              J.attribute("name", "ampcc");
              J.attributeArray("rules", [&] {
                for (const Rule &R : Rules)
                  J.object([&] {
                    J.attribute("id", R.Id);
                    J.attribute("name", R.Name);
                    text(J, "shortDescription", R.Text);
                  });
              });
            });
          });
          J.attribute("columnKind", "unicodeCodePoints");
          J.attributeArray("results", [&] {
            for (const Entry &E : Entries)
              J.object([&] { result(J, E); });
          });
        });
      });
    });
  }

  const bool Sarif;
  llvm::raw_ostream &OS;
  LangOptions Language;
  std::vector<Entry> Entries;
};

} // namespace

std::unique_ptr<DiagnosticConsumer> documentDiagnostics(bool Sarif,
                                                        llvm::raw_ostream &OS) {
  return std::make_unique<Documents>(Sarif, OS);
}

} // namespace ampc
