//===- spirv.cpp - KIR to SPIR-V: emit, optimise, validate ----------------===//

#include "spirv/spirv.h"
#include "spirv/emitter.h"
#include "spirv/limits.h"
#include "spirv/optimise.h"

namespace ampc::spirv {

/// Vulkan guarantees this much for push constants.
constexpr uint64_t PushConstantBytes = 128;

/// A second, about (limits.h).
constexpr uint64_t ValidationLimit = 8000000;

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
    Size Final = sizeOf(Result.Words);
    // Inlining adds up the nesting of caller and callee.
    if (!Final.Excess.empty() && O.Optimise) {
      Result.Words = std::move(Plain);
      Final = sizeOf(Result.Words);
    }
    if (!Final.Excess.empty()) {
      Error = "not supported yet: a kernel beyond SPIR-V's limits (" +
              Final.Excess + ")";
      return std::nullopt;
    }
    // Of the final words only. Those that would take it many seconds go
    // unchecked: what they consist of has been checked in smaller kernels.
    if (Error.empty() && Final.ValidationSteps <= ValidationLimit)
      Error = validate(Result.Words);
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
