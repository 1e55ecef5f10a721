//===- uniformity.cpp - rule B1: barriers under uniform flow --------------===//
//
// The pass over KIR finds them; here they are told in the user's terms.
//
//===----------------------------------------------------------------------===//

#include "kir/passes/uniformity.h"
#include "check/check.h"
#include "check/rules.h"
#include "kir/walk.h"
#include "llvm/Support/WithColor.h"

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

// From a function down to a barrier that it executes, a step for each call.
static void wayToBarrier(const kir::Function &F,
                         std::vector<kir::DivergentBarrier::Note> &Steps) {
  const kir::Stmt *Barrier = nullptr;
  const kir::Call *Call = nullptr;
  kir::walk(
      F.Stmts,
      [&](const kir::Expr *E) {
        const auto *C = llvm::dyn_cast<kir::Call>(E);
        if (C && !Call && kir::containsBarrier(C->Callee->Stmts))
          Call = C;
      },
      [&](const kir::Stmt *S) {
        if (!Barrier && llvm::isa<kir::Barrier>(S))
          Barrier = S;
      });
  if (Barrier)
    Steps.push_back({Barrier->Where, "'" + F.Name + "' waits here"});
  else if (Call) {
    Steps.push_back({Call->Where, "'" + F.Name + "' calls '" +
                                      Call->Callee->Name + "' here"});
    wayToBarrier(*Call->Callee, Steps);
  }
}

// A condition at the call is to blame: the notes lead on to the barrier.
static std::vector<kir::DivergentBarrier>
divergentBarriers(const kir::Module &M) {
  std::vector<kir::DivergentBarrier> Found = kir::findDivergentBarriers(M);
  for (kir::DivergentBarrier &D : Found) {
    bool Told = llvm::any_of(D.Notes, [](const auto &N) {
      return llvm::StringRef(N.Text).contains("in the way");
    });
    for (const auto &F : M.Functions)
      if (F->Name == D.Callee && !Told)
        wayToBarrier(*F, D.Notes);
  }
  return Found;
}

void refuseKernel(Unit &U, const kir::Module &M, const kir::Kernel &K,
                  StringRef Why) {
  U.Diags.Report(locationOf(U, M, K.Where),
                 U.Diags.getDiagnosticIDs()->getCustomDiagID(
                     DiagnosticIDs::Error, "kernel '%0': %1"))
      << K.Name << Why;
}

bool checkBarriersOf(Unit &U, const kir::Module &M) {
  using namespace rules;
  std::vector<kir::DivergentBarrier> Found = divergentBarriers(M);
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

static llvm::raw_ostream &at(const kir::Module &M, kir::Loc Where,
                             llvm::raw_ostream &OS) {
  if (Where.Line && Where.File < M.Files.size())
    OS << M.Files[Where.File] << ':' << Where.Line << ':' << Where.Column
       << ": ";
  return OS;
}

bool checkBarriersOf(const kir::Module &M, llvm::raw_ostream &OS) {
  using namespace rules;
  std::vector<kir::DivergentBarrier> Found = divergentBarriers(M);
  for (const kir::DivergentBarrier &D : Found) {
    std::string Text = sentence(D.Callee.empty() ? Message::BarrierDivergent
                                                 : Message::CallDivergent);
    if (size_t Hole = Text.find("%0"); Hole != std::string::npos)
      Text.replace(Hole, 2, D.Callee);
    llvm::WithColor::error(at(M, D.Where, OS)) << Text << '\n';
    for (const auto &Note : D.Notes)
      llvm::WithColor::note(at(M, Note.Where, OS)) << Note.Text << '\n';
  }
  return Found.empty();
}

} // namespace ampc
