//===- locations.h - source locations in KIR text -------------------------===//
//
// A line of KIR text ends in the locations of what stands on it, in this order:
// the statement, function or kernel; variables that are declared; for every
// expression that the line holds as a whole, its nodes as walk() visits them.
//
//   store %x, fadd %y, 0x1p+0      ; add.ampc:7:5 . 9 11 13
//
// FILE:LINE:COLUMN, LINE:COLUMN (same file) or COLUMN (same line), each seen
// from the location before it; `.` is the one before it, `-` none at all. Dots
// at the end are left out. Without `-g` only the first is printed.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_KIR_TEXT_LOCATIONS_H
#define AMPC_KIR_TEXT_LOCATIONS_H

#include "kir/kir.h"

namespace ampc::kir {

class LocationWriter {
public:
  explicit LocationWriter(const Module &M) : M(M) {}
  /// The text of a line's locations, without the semicolon.
  std::string write(llvm::ArrayRef<Loc> Locations);
  /// Names the file at the next location again.
  void restart() { File = ~0u; }
  /// Is this a location at all?
  bool hasPlace(Loc L) const;

private:
  void one(Loc L, std::string &To);

  const Module &M;
  Loc Last;
  unsigned File = ~0u; ///< of the last location that had one
};

class LocationReader {
public:
  explicit LocationReader(const Module &M) : M(M) {}
  /// Appends the locations in Text. On a mistake, returns what it is.
  std::optional<std::string> read(llvm::StringRef Text, std::vector<Loc> &To);

private:
  std::optional<std::string> one(llvm::StringRef &Text, Loc &L);

  const Module &M;
  Loc Last;
  unsigned File = ~0u; ///< of the last location that had one
};

inline bool operator==(Loc A, Loc B) {
  return A.File == B.File && A.Line == B.Line && A.Column == B.Column;
}

} // namespace ampc::kir

#endif
