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
class Preprocessor;
class VarDecl;
} // namespace clang

namespace ampc {

/// Prints the types in the diagnostics of C's engine with dialectName.
void printTypesAsDialect(clang::ASTContext &C);

class DialectDiagnostics : public clang::DiagnosticConsumer {
public:
  /// Takes over from the consumer that Engine has. Verifying: that consumer
  /// compares with expected-error comments, and its own verdict counts.
  static DialectDiagnostics &install(clang::DiagnosticsEngine &Engine,
                                     bool Verifying);

  /// Reports what was held back; from here on nothing is held back any more.
  void flush(clang::ASTContext &C);
  /// Whether an error was reported, or would be but for -verify.
  bool sawError() const { return Errors != 0; }

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
  };
  using Records = std::vector<Record>;

  DialectDiagnostics(clang::DiagnosticsEngine &Engine,
                     std::unique_ptr<clang::DiagnosticConsumer> Inner,
                     bool Verifying)
      : Engine(Engine), Inner(std::move(Inner)), Verifying(Verifying) {}

  void report(const Record &R);
  void reword(Records &All);
  bool missingHeader(Records &All);
  void outOfLibraryMacros(Record &R);
  bool conversion(Record &R);
  void constWrite(Record &R, Records &Notes);
  void capture(Record &R, Records &Notes);
  void subscript(Record &R);
  void noMatch(Record &R, Records &Notes);
  std::string launchMismatch(clang::QualType Domain, clang::QualType Kernel,
                             std::string &Note);
  void say(Record &R, std::string Text, llvm::StringRef Rule = "");
  Record note(const Record &At, std::string Text);
  Record declaredHere(const clang::VarDecl *V);
  bool inLibrary(clang::SourceLocation Loc) const;
  std::string textOf(const Record &R, unsigned Range) const;
  const clang::VarDecl *variable(llvm::StringRef Name,
                                 clang::SourceLocation At) const;

  clang::DiagnosticsEngine &Engine;
  std::unique_ptr<clang::DiagnosticConsumer> Inner;
  const bool Verifying;
  clang::ASTContext *Context = nullptr;
  bool Holding = false;
  unsigned Errors = 0;
  Records Held;
};

} // namespace ampc

#endif
