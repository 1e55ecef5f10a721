//===- reader.h - KIR from text -------------------------------------------===//
//
// Reads what print() writes, and the same by hand. A text that has no `file`
// line has no source behind it: its nodes then have their positions in the text
// itself as locations. What comes out need not be well-formed: verify() it.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_KIR_READER_H
#define AMPC_KIR_READER_H

#include "kir/kir.h"
#include "llvm/ADT/DenseMap.h"

namespace ampc::kir {

struct TextPosition {
  unsigned Line = 0, Column = 0;
};

struct TextError {
  TextPosition Where;
  std::string What;
};

/// A module with the places in the text where its expressions, statements,
/// functions, kernels and variables begin.
struct TextModule {
  std::unique_ptr<Module> M = std::make_unique<Module>();
  llvm::DenseMap<const void *, TextPosition> Positions;
};

/// File is the text's name. The first mistake in the text ends the reading.
std::optional<TextModule> read(llvm::StringRef File, llvm::StringRef Text,
                               TextError &Error);

} // namespace ampc::kir

#endif
