//===- cpu.h - kernels for the CPU accelerator ----------------------------===//
//
// Takes a verified KIR module; gives, for one kernel at a time, the C function
// that runs a range of its work items (ampc/kernel.h, ampc/cpu.h) and what has
// to stand before it: types, constant tables, the functions that it calls.
// Each of these is given once, with the first kernel that needs it, so the text
// of the kernels has to stay in the order of the calls. The module's kernels
// and functions are left alone; copies of their parts are added to it.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_CPU_CPU_H
#define AMPC_CPU_CPU_H

#include "kir/kir.h"
#include <functional>

namespace ampc::cpu {

struct Options {
  bool Lines = false;    ///< #line directives, for debuggers and sanitizers
  bool CutsLoops = true; ///< where conditions on a work item's place change
  /// Sees each kernel with barriers and its normalised body (normalise.h).
  std::function<void(const kir::Kernel &, kir::Body &)> Normalised;
};

struct Code {
  std::string Text;
  std::string Function; ///< its name, an ampc_cpu_function
  uint64_t TileStaticBytes = 0;
  uint64_t ArenaBytes = 0; ///< what it wants at `arena`
};

class Backend {
public:
  Backend(kir::Module &M, const Options &O);
  ~Backend();
  /// Nothing, with a reason that begins with "not supported yet", for what has
  /// no translation.
  std::optional<Code> emit(const kir::Kernel &K, std::string &Error);

private:
  struct State;
  std::unique_ptr<State> S;
};

} // namespace ampc::cpu

#endif
