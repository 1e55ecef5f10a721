//===- progress.h - what the compiler is at, should it crash --------------===//
//
// The phases that go through kernels leave word of the function and statement
// they are at. The driver puts the record where it outlives a crash.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_KIR_PROGRESS_H
#define AMPC_KIR_PROGRESS_H

#include "kir/kir.h"

namespace ampc::kir {

struct Progress {
  char Inside[256] = ""; ///< "kernel 'scale.0'"; empty: nothing to be named
  char File[512] = "";
  unsigned FileNumber = ~0u; ///< File's, in Module::Files
  unsigned Line = 0, Column = 0; ///< Line 0: no place
  unsigned TrapLine = 0; ///< for tests: die when this line is reached; 0: never
};

/// The record in use; the driver may put another in its place.
extern Progress *progress;

void reach(const Module &M, Loc Where);

/// The work goes on at this place.
inline void at(const Module &M, Loc Where) {
  if (Where.Line)
    reach(M, Where);
}

/// For as long as it lives, the work is inside of something with a name.
class Inside {
public:
  Inside(const char *Kind, llvm::StringRef Name);
  ~Inside() { *progress = Outer; }
  Inside(const Inside &) = delete;
  Inside &operator=(const Inside &) = delete;

private:
  const Progress Outer;
};

} // namespace ampc::kir

#endif
