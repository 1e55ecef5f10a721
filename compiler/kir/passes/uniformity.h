//===- uniformity.h - barriers that not every work item reaches -----------===//
//
// Rules B1 and B2: all work items of a tile must arrive at a barrier together,
// so the conditions on the way there must have one value in the whole tile.
// The pass changes nothing. What it cannot prove uniform it calls varying; in
// particular every load from a view, and from tile_static memory unless a
// barrier dominates it with no store to the variable in between.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_KIR_PASSES_UNIFORMITY_H
#define AMPC_KIR_PASSES_UNIFORMITY_H

#include "kir/kir.h"

namespace ampc::kir {

struct DivergentBarrier {
  struct Note {
    Loc Where;
    std::string Text;
  };
  Loc Where;          ///< of the barrier, or of the call that leads to it
  std::string Callee; ///< the function called there; empty: the barrier itself
  std::vector<Note> Notes; ///< which condition varies, and why
};

/// Each place once, in the order of the kernels.
std::vector<DivergentBarrier> findDivergentBarriers(const Module &M);

/// For people: which variables of the tiled kernels vary within a tile, and
/// what functions do that they call.
void printUniformity(const Module &M, llvm::raw_ostream &OS);

} // namespace ampc::kir

#endif
