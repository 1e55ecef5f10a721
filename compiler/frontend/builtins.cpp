// builtins.cpp - looks functions up in builtins.def.
#include "frontend/builtins.h"
#include "frontend/dialect.h"
#include "llvm/ADT/StringSwitch.h"

namespace ampc {

static std::optional<Builtin> libraryBuiltin(llvm::StringRef Name) {
  return llvm::StringSwitch<std::optional<Builtin>>(Name)
#define AMPC_LIBRARY(NAME, MEANING) .Case(#NAME, Builtin::MEANING)
#include "frontend/builtins.def"
      .Default(std::nullopt);
}

static std::optional<Builtin> standardBuiltin(llvm::StringRef Name) {
  Name.consume_front("__builtin_");
  return llvm::StringSwitch<std::optional<Builtin>>(Name)
#define AMPC_STANDARD(NAME, MEANING) .Case(#NAME, Builtin::MEANING)
#include "frontend/builtins.def"
      .Default(std::nullopt);
}

bool isStandardBuiltin(const clang::FunctionDecl *F,
                       const clang::SourceManager &SM) {
  // Clang gives a builtin id to declarations that match the C library's.
  return F->getIdentifier() && F->getBuiltinID() && !F->isDefined() &&
         !restrictionOf(F, SM).Amp && standardBuiltin(F->getName());
}

std::optional<Builtin> builtinOf(const clang::FunctionDecl *F,
                                 const clang::SourceManager &SM) {
  if (!F->getIdentifier())
    return std::nullopt;
  if (isLibrary(F, SM))
    return libraryBuiltin(F->getName());
  if (isStandardBuiltin(F, SM))
    return standardBuiltin(F->getName());
  return std::nullopt;
}

} // namespace ampc
