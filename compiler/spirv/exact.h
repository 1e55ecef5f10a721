//===- exact.h - functions rounded as IEEE 754 says, where devices are not ===//
//
// Vulkan's division may be 2.5 units in the last place off, its square root and
// reciprocal square root more, its Fma may round twice, and its remainder is of
// no use. C's are exact. A module that needs one holds it as a function of its
// own, once; two specialisation constants, which the runtime sets by what it
// knows of the driver, choose between the device's instruction and the
// function's own arithmetic.
//
// test/proofs/Inputs/exact.h has the same algorithms in C, proven there.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_SPIRV_EXACT_H
#define AMPC_SPIRV_EXACT_H

namespace ampc::spirv {

/// The functions. Those named Soft are the way of devices that know nothing
/// better, in integers: the others call them.
enum class Exact {
  Divide, Sqrt, Fma, Fmod, Remainder, Ldexp,
  SoftDivide, SoftSqrt, SoftFma,
};

/// Specialisation constants; the bools are false until the runtime says
/// otherwise.
enum SpecIds : unsigned {
  SpecGroupSize = 0,
  SpecIeeeDivision = 1, ///< OpFDiv and Sqrt are rounded correctly
  SpecFusedFma = 2,     ///< Fma rounds once
  SpecGuardLoops = 3,   ///< Emitter::guardLoop
};

} // namespace ampc::spirv

#endif
