//===- diagnostics.h - Clang's diagnostics in the dialect's terms ---------===//
//
// Clang takes a view for a pointer with an address space and a kernel for a
// block. What it has to say of a file is held back until the file is parsed,
// then reworded, or left out, and handed to the real consumer.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_FRONTEND_DIAGNOSTICS_H
#define AMPC_FRONTEND_DIAGNOSTICS_H

#include "clang/AST/Type.h"
#include "clang/Basic/Diagnostic.h"
#include <memory>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
class LangOptions;
class Preprocessor;
class VarDecl;
} // namespace clang

namespace ampc {

class WarningPragmas;

/// Prints the types in the diagnostics of C's engine with dialectName.
/// diagnostics_types.cpp
void printTypesAsDialect(clang::ASTContext &C);

class DialectDiagnostics : public clang::DiagnosticConsumer {
public:
  /// Takes over from the consumer that Engine has. Verifying: that consumer
  /// compares with expected-error comments, and its own verdict counts.
  static DialectDiagnostics &install(clang::DiagnosticsEngine &Engine,
                                     bool Verifying);

  /// Pragmas gets what Clang says of pragmas on AMP-C's warnings.
  void watch(WarningPragmas &P) { Pragmas = &P; }
  /// The file is parsed. True when Clang found no error; then what the checks
  /// report is held back, too, until `checked`.
  bool parsed(clang::ASTContext &C);
  /// The file will be parsed again: this parse has said nothing.
  void forget() { Held.clear(); }
  /// The checks are done: reports everything, without the warnings of Clang
  /// on lines that have an error.
  void checked();

  void BeginSourceFile(const clang::LangOptions &L,
                       const clang::Preprocessor *PP) override;
  void EndSourceFile() override;
  void finish() override { Inner->finish(); }
  bool IncludeInDiagnosticCounts() const override {
    return Inner->IncludeInDiagnosticCounts();
  }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level L,
                        const clang::Diagnostic &D) override;

private:
  struct Record {
    clang::StoredDiagnostic D;
    std::vector<clang::QualType> Types; ///< the arguments of D, by kind
    std::vector<int64_t> Numbers;
    std::string Name;
    /// What else is wrong on its line follows from it.
    bool TakesLine = false;
  };
  using Records = std::vector<Record>;

  DialectDiagnostics(clang::DiagnosticsEngine &Engine,
                     std::unique_ptr<clang::DiagnosticConsumer> Inner,
                     bool Verifying)
      : Engine(Engine), Inner(std::move(Inner)), Verifying(Verifying) {}

  // diagnostics.cpp
  void report(const Records &All);
  void reword(Records &All);
  bool reword(Record &R, Records &Notes);
  void dropConsequences(Records &All);
  void outOfLibraryMacros(Record &R);

  // What the handlers need.
  void say(Record &R, std::string Text, llvm::StringRef Rule = "");
  Record note(const Record &At, std::string Text);
  Record declaredHere(const clang::VarDecl *V);
  bool inLibrary(clang::SourceLocation Loc) const;
  std::string textOf(const Record &R, unsigned Range) const;
  std::string tokenAt(clang::SourceLocation Loc) const;
  clang::SourceLocation tokenAfter(clang::SourceLocation Loc) const;
  llvm::StringRef lineOf(clang::SourceLocation Loc) const;
  /// The macro of the library that the token at Loc comes from, if any.
  std::string libraryMacro(clang::SourceLocation Loc) const;
  const clang::FunctionDecl *functionAt(clang::SourceLocation Loc) const;
  const clang::VarDecl *variable(llvm::StringRef Name,
                                 clang::SourceLocation At) const;
  /// The rank of the view that Text names or makes with subscripts, less the
  /// subscripts; -1 when Text is no such thing.
  int rankOf(llvm::StringRef Text, clang::SourceLocation At) const;

  // Initialising, assigning, subscripts, members: diagnostics_values.cpp.
  bool conversion(Record &R);
  void constWrite(Record &R, Records &Notes);
  void capture(Record &R, Records &Notes);
  void subscript(Record &R);
  void subscripted(Record &R);
  void member(Record &R);
  void called(Record &R);

  // Calls of the library: diagnostics_calls.cpp.
  void noMatch(Record &R, Records &Notes);
  std::string launchMismatch(clang::QualType Domain, clang::QualType Kernel,
                             std::string &Note);

  // What does not parse: diagnostics_syntax.cpp.
  bool missingHeader(Records &All);
  bool foreignSyntax(Record &R);
  void libraryMacroMisused(Record &R, Records &Notes, std::string Macro);
  void unknownType(Record &R, Records &Notes);

  clang::DiagnosticsEngine &Engine;
  std::unique_ptr<clang::DiagnosticConsumer> Inner;
  const bool Verifying;
  WarningPragmas *Pragmas = nullptr;
  clang::ASTContext *Context = nullptr;
  bool Holding = false;
  Records Held;
  Records Pending; ///< Clang's warnings, while the checks run
};

/// The identifiers in a piece of source text.
std::vector<std::string> identifiersIn(llvm::StringRef Text,
                                       const clang::LangOptions &L);

} // namespace ampc

#endif
