//===- guards.h - conditions on where a work item is ----------------------===//
//
// Kernels ask where they are: `x > 0 && x < n - 1`, `t.local < d`. Along a loop
// over neighbouring work items such a condition changes at a few places, which
// are known before the loop. There the loop is cut; in each piece the condition
// is a constant, and no branch is left that keeps host compilers from vectors.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_CPU_GUARDS_H
#define AMPC_CPU_GUARDS_H

#include "kir/kir.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ampc::cpu {

/// An integer along the loop: its counter, or nothing, plus what never changes.
struct Linear {
  bool Counts = false;
  std::string Rest = "0"; ///< C of 64 bits, a term or in parentheses
  unsigned Bits = 1;      ///< that Rest needs, its sign included
};

struct Guard {
  std::string Text; ///< C, as the counter `ampc_from` has it
  /// From these values of the counter on it may be another; 64-bit C.
  std::vector<std::string> Cuts;
  std::vector<const kir::Expr *> Uses; ///< expressions that it is the value of
};

/// What a place holds; nothing if that is unknown or may change. It is asked
/// for neither what B declares nor what Before does.
using LinearPlace =
    llvm::function_ref<std::optional<Linear>(const kir::Expr *)>;

/// The conditions in B that do change with the counter, the first ones first.
std::vector<Guard> findGuards(const kir::Body &B,
                              llvm::ArrayRef<const kir::Declare *> Before,
                              LinearPlace Place);

} // namespace ampc::cpu

#endif
