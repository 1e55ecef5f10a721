//===- progress.cpp - what the compiler is at, should it crash ------------===//

#include "kir/progress.h"
#include <cstdio>
#include <cstdlib>

namespace ampc::kir {

static Progress Unwatched;
Progress *progress = &Unwatched;

void reach(const Module &M, Loc Where) {
  if (Where.File >= M.Files.size())
    return;
  Progress &P = *progress;
  if (P.FileNumber != Where.File)
    snprintf(P.File, sizeof P.File, "%s", M.Files[Where.File].c_str());
  P.FileNumber = Where.File;
  P.Line = Where.Line;
  P.Column = Where.Column;
  if (P.Line == P.TrapLine)
    std::abort();
}

Inside::Inside(const char *Kind, llvm::StringRef Name) : Outer(*progress) {
  snprintf(progress->Inside, sizeof progress->Inside, "%s '%.*s'", Kind,
           int(std::min<size_t>(Name.size(), 200)), Name.data());
  progress->Line = 0;
}

} // namespace ampc::kir
