//===- points_to.h - which objects can a pointer point into? --------------===//
//
// For one kernel and the functions that it reaches: the variables whose address
// is taken, numbered from 1, and for each pointer the set of those that it may
// point into. Number 0 is accelerator memory (and the null pointer). Pointers
// stand in variables and results only (rule T3), so the sets follow assignments
// and calls, whatever their order. The pass changes nothing.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_KIR_PASSES_POINTS_TO_H
#define AMPC_KIR_PASSES_POINTS_TO_H

#include "kir/kir.h"
#include <set>

namespace ampc::kir {

class PointsTo {
public:
  using Set = std::set<unsigned>;

  explicit PointsTo(const Kernel &K);

  /// Where the value of a pointer may lead; a null pointer leads nowhere.
  Set of(const Expr *Pointer) const;

  /// The number of a variable whose address is taken in this kernel, or 0.
  unsigned number(const Variable *V) const;
  const Variable *object(unsigned Number) const { return Objects[Number - 1]; }

  /// For people: a line for each pointer of K and the functions it reaches.
  void print(const Kernel &K, llvm::raw_ostream &OS) const;

private:
  void body(const Body &B, const Function *In);
  void flow(Set &To, const Set &From);

  std::vector<const Variable *> Objects;
  std::map<const Variable *, unsigned> Numbers;
  std::map<const Variable *, Set> Variables;
  std::map<const Function *, Set> Results;
  bool Changed = false;
};

/// The variable, element of a view or target of a pointer that Place is part of.
const Expr *rootOf(const Expr *Place);

/// The variable that a place is part of; null if it is in a view or behind a
/// pointer.
Variable *rootVariable(const Expr *Place);

} // namespace ampc::kir

#endif
