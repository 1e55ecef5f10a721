//===- spirv.cpp - KIR to SPIR-V: emit, optimise, validate ----------------===//

#include "spirv/spirv.h"
#include "spirv/emitter.h"
#include "spirv/optimise.h"

namespace ampc::spirv {

/// Vulkan guarantees this much for push constants.
constexpr uint64_t PushConstantBytes = 128;

std::optional<Binary> emit(const kir::Module &M, const kir::Kernel &K,
                           const Options &O, std::string &Error) {
  for (bool Indirect : {false, true}) {
    Emitter E(M, K, O, Indirect);
    Binary Result;
    E.run(Result);
    if (!E.error().empty()) {
      Error = E.error();
      return std::nullopt;
    }
    if (!Indirect && Result.ArgumentBytes > PushConstantBytes)
      continue;
    std::vector<uint32_t> Plain;
    if (O.Optimise) {
      Plain = Result.Words;
      Error = optimise(Result.Words, E.hasEarlyReturns());
    }
    // Of the final words only: for large kernels it takes its time.
    if (Error.empty() && !(Error = validate(Result.Words)).empty() &&
        isOnlyTooLarge(Result.Words)) {
      // Inlining adds up the nesting of caller and callee.
      if (O.Optimise) {
        Result.Words = std::move(Plain);
        Error = validate(Result.Words);
      }
      if (!Error.empty() && isOnlyTooLarge(Result.Words)) {
        Error = "not supported yet: a kernel beyond SPIR-V's limits (" +
                Error.substr(0, Error.find('\n')) + ")";
        return std::nullopt;
      }
    }
    if (!Error.empty()) {
      Error += "\n" + disassemble(Result.Words);
      return std::nullopt;
    }
    allowContraction(Result.Words);
    return Result;
  }
  return std::nullopt;
}

} // namespace ampc::spirv
