//===- uniformity.cpp - rule B1: barriers under uniform flow --------------===//
//
// The pass over KIR finds them; here they are told in the user's terms.
//
//===----------------------------------------------------------------------===//

#include "kir/passes/uniformity.h"
#include "check/check.h"
#include "check/rules.h"

using namespace clang;

namespace ampc {

// The place in a file that lower's presumed position came from.
static SourceLocation locationOf(const Unit &U, const kir::Module &M,
                                 kir::Loc Where) {
  SourceManager &SM = U.Sources;
  if (!Where.Line || Where.File >= M.Files.size())
    return {};
  FileID Main = SM.getMainFileID();
  PresumedLoc Start = SM.getPresumedLoc(SM.getLocForStartOfFile(Main));
  if (Start.isValid() && M.Files[Where.File] == Start.getFilename())
    return SM.translateLineCol(Main, Where.Line, Where.Column);
  if (auto File = SM.getFileManager().getOptionalFileRef(M.Files[Where.File]))
    return SM.translateFileLineCol(&File->getFileEntry(), Where.Line,
                                   Where.Column);
  return {};
}

bool checkBarriersOf(Unit &U, const kir::Module &M) {
  using namespace rules;
  std::vector<kir::DivergentBarrier> Found = kir::findDivergentBarriers(M);
  for (const kir::DivergentBarrier &D : Found) {
    Finding F{D.Callee.empty() ? Message::BarrierDivergent
                               : Message::CallDivergent,
              locationOf(U, M, D.Where),
              {},
              {},
              {},
              {}};
    if (!D.Callee.empty())
      F.Args.push_back(D.Callee);
    for (const auto &Note : D.Notes)
      F.Notes.emplace_back(locationOf(U, M, Note.Where), Note.Text);
    emit(U, F);
  }
  return Found.empty();
}

} // namespace ampc
