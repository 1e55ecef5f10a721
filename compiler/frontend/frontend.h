//===- frontend.h - runs Clang, finds the kernels -------------------------===//
//
// Takes a command line in Clang's terms and one input file; gives the parsed
// translation unit with its kernels and amp functions found. Clang's own
// errors are reported here. It judges nothing: that is check's work.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_FRONTEND_FRONTEND_H
#define AMPC_FRONTEND_FRONTEND_H

#include "frontend/dialect.h"
#include "frontend/extensions.h"
#include "frontend/warning_pragmas.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class BlockExpr;
class CallExpr;
class DiagnosticsEngine;
class MacroInfo;
class Preprocessor;
class SourceManager;
} // namespace clang

namespace ampc {

/// One parallel_for_each whose kernel is a block literal.
struct Launch {
  const clang::CallExpr *Call;
  const clang::BlockExpr *Block;
  const clang::FunctionDecl *Host;      ///< the function that launches
  const clang::Expr *Domain;            ///< extent_N or tiled_extent_N
  const clang::Expr *View = nullptr;    ///< the accelerator_view, if given
  unsigned Rank;                        ///< of the domain
  std::vector<unsigned> Tile;           ///< of the tiled_index; empty: untiled
  std::vector<const clang::VarDecl *> Captures; ///< in order of first use
  std::string Name;   ///< "scale.0"
  std::string Symbol; ///< "ampc_scale_0": unique in the file, stable
};

/// `#include` as the preprocessor saw it.
struct Inclusion {
  clang::SourceLocation Hash;
  clang::SourceRange Name; ///< the file name with its quotes or brackets
  std::string Spelling;    ///< without them
  bool Angled;
  clang::FileID File;      ///< invalid when skipped by a guard
  const clang::FileEntry *Entry;
};

/// Everything that later phases need of one parsed file.
struct Unit {
  clang::ASTContext &Context;
  clang::SourceManager &Sources;
  clang::Preprocessor &Preproc;
  clang::DiagnosticsEngine &Diags;
  std::string MainFile; ///< as given on the command line
  std::vector<Launch> Launches;
  /// Definitions of functions with `amp` in their clause, in source order.
  std::vector<const clang::FunctionDecl *> AmpFunctions;
  std::vector<Inclusion> Inclusions;
  std::vector<clang::SourceRange> SkippedRanges; ///< inactive preprocessor text
  std::vector<std::string> Warnings; ///< -Wamp-... and the like, in order
  Extensions Types = Extensions();   ///< which types amp code has
  WarningPragmas Pragmas = {};       ///< on -Wamp-...
};

enum class DiagnosticsFormat { Text, Json, Sarif };

struct FrontendOptions {
  std::string Input;
  std::string ClangPath;          ///< argv[0] for Clang's driver
  std::string ResourceDir;        ///< Clang's own headers
  std::string AmpIncludeDir;      ///< the directory of amp.h
  std::string Target;             ///< the host compiler's triple, or empty
  std::vector<std::string> Args;  ///< -I, -D, -std=, -W ...: Clang's spelling
  DiagnosticsFormat Format = DiagnosticsFormat::Text;
  Version Types = Version::V1_0;  ///< -famp-extensions=
};

/// Parses Input and, if Clang found no error, runs Then on the result while the
/// AST is alive. True when neither Clang nor Then reported an error.
bool parse(const FrontendOptions &O, llvm::function_ref<void(Unit &)> Then);

/// Preprocesses Input into OS (`ampcc -E`); -P, -C, -dM, -M and the like are in
/// Args. True when Clang reported no error.
bool preprocess(const FrontendOptions &O, llvm::raw_ostream &OS);

} // namespace ampc

#endif
