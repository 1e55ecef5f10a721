//===- optimise.h - SPIRV-Tools: optimiser and validator ------------------===//
//
// Works on finished modules. Uses only what SPIRV-Tools 2023.1 and later have.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_SPIRV_OPTIMISE_H
#define AMPC_SPIRV_OPTIMISE_H

#include <cstdint>
#include <string>
#include <vector>

namespace ampc::spirv {

/// Inlines what it can and removes what is not used. EarlyReturns: some callee
/// returns from the middle of its body. Returns an error, or "".
std::string optimise(std::vector<uint32_t> &Words, bool EarlyReturns);

/// Checks a module against Vulkan 1.2 with scalar block layout. Returns the
/// validator's complaint, or "".
std::string validate(const std::vector<uint32_t> &Words);

/// The user semantic of arithmetic that may be contracted. spirv-opt copies it
/// with the instruction, and does not unite two that differ in it.
constexpr const char *ContractMark = "contract";

/// Takes the marks away, and NoContraction from what they mark.
void allowContraction(std::vector<uint32_t> &Words);

} // namespace ampc::spirv

#endif
