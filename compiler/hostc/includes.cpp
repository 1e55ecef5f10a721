//===- includes.cpp - preprocessor lines of the emitted file --------------===//

#include "hostc/includes.h"
#include "hostc/hostc.h"
#include "hostc/report.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace ampc::hostc {

std::set<FileID> Includes::copied() const {
  std::set<FileID> Files = T.editedFiles();
  Files.insert(U.Sources.getMainFileID());
  for (bool Grew = true; Grew;) {
    Grew = false;
    std::set<const FileEntry *> Entries;
    for (FileID File : Files)
      if (File != U.Sources.getMainFileID())
        Entries.insert(U.Sources.getFileEntryForID(File));
    for (const Inclusion &I : U.Inclusions) {
      bool IsCopied = I.File.isValid() ? Files.count(I.File)
                                       : I.Entry && Entries.count(I.Entry);
      if (IsCopied)
        Grew |= Files.insert(U.Sources.getFileID(I.Hash)).second;
    }
  }
  return Files;
}

/// -include: Clang writes an #include into a buffer that is no file.
bool Includes::isFromCommandLine(const Inclusion &I) const {
  return !U.Sources.getFileEntryForID(U.Sources.getFileID(I.Hash));
}

//===----------------------------------------------------------------------===//
// Finding directives
//===----------------------------------------------------------------------===//

std::vector<Includes::Directive> Includes::directives(FileID File) {
  const SourceManager &SM = U.Sources;
  StringRef Buffer = SM.getBufferData(File);
  SourceLocation Start = SM.getLocForStartOfFile(File);

  // What #if left out, up to the line that ends it.
  std::vector<std::pair<unsigned, unsigned>> Skipped;
  for (SourceRange R : U.SkippedRanges) {
    if (SM.getFileID(R.getBegin()) != File)
      continue;
    unsigned Begin = SM.getFileOffset(R.getBegin());
    unsigned End = SM.getFileOffset(R.getEnd());
    End = unsigned(Buffer.take_front(End).rfind('\n') + 1);
    if (Begin < End)
      Skipped.push_back({Begin, End});
  }
  std::sort(Skipped.begin(), Skipped.end());

  std::vector<Directive> Found;
  auto NextSkipped = Skipped.begin();
  bool InDirective = false;
  auto MakeLexer = [&](unsigned Offset) {
    return std::make_unique<Lexer>(Start, U.Context.getLangOpts(),
                                   Buffer.begin(), Buffer.begin() + Offset,
                                   Buffer.end());
  };
  std::unique_ptr<Lexer> Raw = MakeLexer(0);
  for (;;) {
    Token Tok;
    Raw->LexFromRawLexer(Tok);
    if (Tok.is(tok::eof))
      break;
    unsigned Offset = SM.getFileOffset(Tok.getLocation());
    if (NextSkipped != Skipped.end() && Offset >= NextSkipped->first) {
      Found.push_back({NextSkipped->first, NextSkipped->second - 1, "if", "",
                       Tok.getLocation()});
      Raw = MakeLexer(NextSkipped->second);
      ++NextSkipped;
      InDirective = false;
      continue;
    }
    if (Tok.isAtStartOfLine()) {
      InDirective = Tok.is(tok::hash);
      if (InDirective)
        Found.push_back({Offset, Offset + 1, "", "", Tok.getLocation()});
      continue;
    }
    if (!InDirective)
      continue;
    Directive &D = Found.back();
    D.End = Offset + Tok.getLength();
    std::string Word = Tok.is(tok::raw_identifier)
                           ? Tok.getRawIdentifier().str()
                           : std::string();
    if (D.Name.empty())
      D.Name = Word;
    else if (D.Argument.empty())
      D.Argument = Word;
  }
  return Found;
}

//===----------------------------------------------------------------------===//
// Editing
//===----------------------------------------------------------------------===//

// A quoted name is searched for beside the file that holds it: a copied
// header's have to be spelled from where the copy is.
std::string Includes::respelled(FileID In, const Inclusion &I) const {
  auto How = Spelled.find(In);
  if (I.Angled || How == Spelled.end() || !I.Entry)
    return "";
  StringRef Directory = llvm::sys::path::parent_path(How->second.first);
  if (Directory.empty() && !How->second.second)
    return "";
  OptionalFileEntryRef Includer = U.Sources.getFileEntryRefForID(In);
  if (!Includer)
    return "";
  SmallString<256> Beside = llvm::sys::path::parent_path(Includer->getName());
  llvm::sys::path::append(Beside, I.Spelling);
  SmallString<256> Real;
  if (llvm::sys::fs::real_path(Beside, Real) ||
      Real != I.Entry->tryGetRealPathName())
    return ""; // found through -I
  SmallString<256> Path = Directory;
  llvm::sys::path::append(Path, I.Spelling);
  return Path.str().str();
}

/// The lines to put in place of an #include of File.
std::string Includes::copyOf(FileID File, std::string Spelling, bool Angled) {
  Spelled[File] = {std::move(Spelling), Angled};
  edit(File);
  std::string Copy = T.render(File);
  if (!Copy.empty() && Copy.back() != '\n')
    Copy += '\n';
  return T.lineMarker(U.Sources.getLocForStartOfFile(File)) + Copy;
}

void Includes::editInclude(FileID File, const Directive &D) {
  for (const Inclusion &I : U.Inclusions) {
    if (I.Hash != D.Hash)
      continue;
    std::string New = respelled(File, I);
    bool FromAngled = Spelled.count(File) && Spelled[File].second;
    bool Angled = I.Angled || (!New.empty() && FromAngled);
    if (I.File.isValid() && Copied.count(I.File)) {
      std::string Copy = copyOf(I.File, New.empty() ? I.Spelling : New, Angled);
      std::string Back = T.lineMarker(D.Hash, 1);
      Back.pop_back(); // the directive's own new line follows
      T.replaceInFile(File, D.Begin, D.End, Copy + Back);
    } else if (I.File.isInvalid() && I.Entry && CopiedEntries.count(I.Entry)) {
      T.replaceInFile(File, D.Begin, D.End, "");
    } else if (!New.empty()) {
      T.replaceInFile(File, D.Begin, D.End,
                      Angled ? "#include <" + New + ">"
                             : "#include \"" + New + "\"");
    }
    return;
  }
}

void Includes::edit(FileID File) {
  for (const Directive &D : directives(File)) {
    bool IsConditional =
        llvm::StringSwitch<bool>(D.Name)
            .Cases("if", "ifdef", "ifndef", "elif", true)
            .Cases("elifdef", "elifndef", "else", "endif", true)
            .Default(false);
    bool IsSpent =
        D.Name == "warning" || // Clang has said it
        (D.Name == "pragma" && U.Sources.getBufferData(File)
                                      .slice(D.Begin, D.End)
                                      .contains("\"-Wamp-")) ||
        (D.Name == "pragma" && (D.Argument == "once" || D.Argument == "amp"));
    if (IsConditional || IsSpent)
      T.replaceInFile(File, D.Begin, D.End, "");
    else if (D.Name == "include" || D.Name == "include_next" ||
             D.Name == "import")
      editInclude(File, D);
  }
}

std::optional<std::string> Includes::emit() {
  FileID Main = U.Sources.getMainFileID();
  Copied = copied();
  for (FileID File : Copied)
    if (File != Main)
      CopiedEntries.insert(U.Sources.getFileEntryForID(File));
  std::string Notes, Text;
  for (const Inclusion &I : U.Inclusions) {
    bool IsCopied = Copied.count(I.File);
    // What -include names is read in its order, so here, too.
    if (!isFromCommandLine(I) || !I.Entry || !(IsCopied || !Text.empty()))
      continue;
    std::string Path = I.Entry->tryGetRealPathName().str();
    Notes +=
        CopiedIncludeNote.str() + I.Spelling + ": it is included here. */\n";
    Text += IsCopied ? copyOf(I.File, Path, false)
                     : "#include " + quoted(Path) + "\n";
  }
  edit(Main);
  std::string Body = T.render(Main);
  return Notes + Text + T.lineMarker(U.Sources.getLocForStartOfFile(Main)) +
         Body;
}

} // namespace ampc::hostc
