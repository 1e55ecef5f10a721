//===- spirv.h - KIR to SPIR-V --------------------------------------------===//
//
// Takes a verified KIR module; gives one optimised, validated SPIR-V 1.5
// module (Vulkan 1.2) per kernel and the layout of its argument block. The KIR
// is left alone.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_SPIRV_SPIRV_H
#define AMPC_SPIRV_SPIRV_H

#include "kir/kir.h"

namespace ampc::spirv {

/// One piece of a kernel's argument block, in the terms of ampc/kernel.h.
struct Argument {
  enum class Kind { ViewAddress, ViewStride, ViewExtent, DomainExtent, Bytes, Constants,
                    Reports };
  Kind K;
  unsigned Capture = 0;   ///< index into Kernel::Captures (not DomainExtent)
  std::string Path;       ///< C designator inside the capture: "", ".p.v", "[2]"
  unsigned Dimension = 0; ///< ViewStride, ViewExtent, DomainExtent
  uint64_t Source = 0;    ///< Bytes: byte offset inside the object Path names
  uint64_t Offset = 0;    ///< in the block
  uint64_t Size = 0;      ///< bytes
};

struct Binary {
  std::vector<uint32_t> Words;
  std::vector<Argument> Arguments; ///< by Offset
  uint64_t ArgumentBytes = 0;
  /// The block does not fit 128 bytes of push constants: the only push
  /// constant is the 64-bit address of a buffer that holds it.
  bool Indirect = false;
  bool UsesDouble = false;
  bool UsesInt8 = false, UsesInt16 = false; ///< in accelerator memory
  bool UsesTileInt8 = false, UsesTileInt16 = false; ///< in tile_static
  uint64_t TileStaticBytes = 0;
};

struct Options {
  bool Debug = false;       ///< OpName, OpLine, OpSource
  bool Optimise = true;     ///< false at -O0: only what correctness needs
  /// -famp-fast-division: the device's own / and square root.
  bool FastDivision = false;
};

/// Emits one kernel. On failure (a module that does not validate: a bug of
/// ours) returns nothing and puts the validator's words and the disassembly
/// into Error.
std::optional<Binary> emit(const kir::Module &M, const kir::Kernel &K,
                           const Options &O, std::string &Error);

/// Whether SPIR-V has this function for this type: GLSL.std.450 knows sin, cos,
/// exp, log and pow for 32-bit floats only.
bool supports(kir::IntrinsicOp Op, const kir::Type *Ty);

/// What the buffer of constants holds that Argument::Kind::Constants is the
/// address of; the kernels of a module share it.
std::vector<uint32_t> constantWords(const kir::Module &M);

/// Assembly text, with friendly names where the module has any.
std::string disassemble(const std::vector<uint32_t> &Words);

} // namespace ampc::spirv

#endif
