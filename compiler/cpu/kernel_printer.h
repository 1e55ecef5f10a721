//===- kernel_printer.h - the C function of one kernel --------------------===//
//
// Untiled, rank 2:                          Tiled, rank 1, a barrier in a loop:
//
//   captures into locals                      captures into locals
//   for each row of the range                 for each tile of the range {
//     for (int col = ...; ++col) {              tile_static variables, arrays
//       statements                              for (...) {
//       ampc_next:;                               for (int ampc_0 ...) { ... }
//     }                                           for (int ampc_0 ...) { ... }
//                                             } }
//
// Captures and indices are C locals whose address nobody has, so that stores
// through views do not make the compiler load them again. Loops over
// neighbouring work items are cut where a guard changes (guards.h).
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_CPU_KERNEL_PRINTER_H
#define AMPC_CPU_KERNEL_PRINTER_H

#include "cpu/guards.h"
#include "cpu/kernel.h"

namespace ampc::cpu {

bool isAssigned(const kir::Body &B, const kir::Variable *V);

class KernelPrinter {
public:
  KernelPrinter(const kir::Kernel &K, const Structure &S,
                const std::vector<const kir::Variable *> &Shared,
                bool CutsLoops, Printer &P, Types &T, Code &Result)
      : K(K), S(S), Shared(Shared), CutsLoops(CutsLoops), P(P), T(T),
        Result(Result) {}

  void print();

private:
  using Strings = std::vector<std::string>;

  // kernel.cpp
  void captures();
  std::string captured(const kir::Type *Ty, const std::string &Path);
  void untiled();
  void untiledIndices(const Strings &Place);

  // tiled.cpp
  void tiled();
  void memory(const kir::Variable *V, const std::string &Name,
              const kir::Type *Ty, bool InArena);
  void index(const kir::Variable *V, const Strings &Local);
  void parts(const std::vector<Part> &Parts);
  void loop(const Part &Loop);
  void items(const Part &Run);
  void item(const Part &Run, const Strings &Local);
  void outside();
  bool isCopied(const kir::Variable *V) const;

  // items.cpp
  /// The innermost loop, over the last dimension.
  struct Row {
    std::string Counter, From, To; ///< the counter's name, and its range
    const kir::Body &Stmts;
    llvm::ArrayRef<const kir::Declare *> Before; ///< of Stmts
    Strings Place; ///< of the work item, by dimension; the last is the counter
  };
  void row(const Row &R, llvm::function_ref<void()> Item);
  std::string workItem(const Row &R) const;
  void versions(const std::vector<Guard> &Guards, size_t First, size_t Count,
                llvm::function_ref<void()> Loop);
  std::optional<Linear> place(const Row &R, const kir::Expr *At);
  std::optional<Linear> indexPlace(const Row &R, const kir::Expr *At);

  std::string subscripts(const Strings &Local) const {
    std::string All;
    for (const std::string &L : Local)
      All += "[" + L + "]";
    return All;
  }
  std::string number(unsigned D) const { return "ampc_" + std::to_string(D); }
  std::string tileOf(unsigned D) const {
    return "ampc_tile_" + std::to_string(D);
  }
  std::string domain(unsigned D) const {
    return "ampc_domain->extent[" + std::to_string(D) + "]";
  }

  const kir::Kernel &K;
  const Structure &S;
  const std::vector<const kir::Variable *> &Shared;
  const bool CutsLoops;
  Printer &P;
  Types &T;
  Code &Result;
  bool Returns = false; ///< `return` ends a work item
  unsigned Nexts = 0;   ///< labels at the ends of work items
  std::map<const kir::Variable *, std::string> Arrays; ///< of Across variables
  std::map<const kir::Variable *, std::string> IndexNames;
};

} // namespace ampc::cpu

#endif
