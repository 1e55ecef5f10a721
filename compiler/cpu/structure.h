//===- structure.h - a body as what runs once and what runs per work item -===//
//
// Fission. A normalised body becomes a tree: the control flow around barriers,
// which the whole tile takes together, and between it the runs of statements
// that every work item executes on its own, one loop over the tile each.
//
// A variable is one of
//   Local    all its uses are in one such loop: a variable there
//   Uniform  all work items always give it the same value: one variable for
//            the tile; assignments to it stand outside of the loops
//   Remade   used in several loops, but set once and cheap to compute from what
//            never changes: computed again in each loop
//   Across   anything else: an array with an element for each work item
//
// A loop that all work items go through together, and that has no loop in it,
// stays outside of the loops over the tile too, barrier or not: its body then
// is a loop over neighbouring work items, which host compilers vectorise.
//
// Conditions of the control flow are evaluated with the first work item's
// variables: rule B1 says that it speaks for all.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_CPU_STRUCTURE_H
#define AMPC_CPU_STRUCTURE_H

#include "kir/kir.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>

namespace ampc::cpu {

struct Part {
  enum class Kind {
    Items,   ///< Stmts, for every work item
    Uniform, ///< Stmts is one assignment or declaration, once for the tile
    If,      ///< Condition, First, Second
    Loop,  ///< of form F: First is the prelude, Second the body, Third the step
    Block, ///< First
    Break,
  };
  Kind K;
  kir::Loc Where;
  kir::Body Stmts;
  kir::Expr *Condition = nullptr;
  kir::Loop::Form F = kir::Loop::Form::While;
  std::vector<Part> First, Second, Third;
  std::vector<const kir::Declare *> Remade; ///< Items: comes before Stmts
  std::set<const kir::Variable *> Uses;     ///< Items: all it names
  std::set<const kir::Variable *> Stores;   ///< Items: all it may change
};

struct Structure {
  std::vector<Part> Parts;
  std::set<const kir::Variable *> Uniform, Across;
  /// Variables that the control flow itself names.
  std::set<const kir::Variable *> Outside;
};

Structure structure(const kir::Body &Normalised);
/// The structure of a body without barriers.
Structure unsplit(const kir::Body &B);

/// Whether a Break in S, in no loop or switch within it, leaves the loop that S
/// stands in.
bool leavesLoop(const kir::Stmt *S);

/// Calls F for each list of statements directly in S.
void forEachBody(kir::Stmt *S, llvm::function_ref<void(kir::Body &)> F);

} // namespace ampc::cpu

#endif
