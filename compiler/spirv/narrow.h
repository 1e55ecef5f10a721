//===- narrow.h - scalars of less than 32 bits in memory ------------------===//
//
// A value of type int8 or int16 is computed with as a 32-bit word that holds
// it, extended by its sign. Only memory knows its size. A kernel is narrow if
// it can meet such a scalar in memory, or a bool that other things stand close
// to; in every other kernel all memory consists of 32-bit words, the size of a
// bool is that of a word, and nothing depends on 8- and 16-bit features.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_SPIRV_NARROW_H
#define AMPC_SPIRV_NARROW_H

#include "kir/passes/points_to.h"

namespace ampc::spirv {

/// An int of 8 or 16 bits.
inline bool isNarrow(const kir::Type *T) { return T->isInt() && T->Width < 32; }

/// Bits of an int's value in registers.
inline unsigned valueWidth(const kir::Type *Int) {
  return isNarrow(Int) ? 32 : Int->Width;
}

bool isNarrow(const kir::Kernel &K);

/// Bytes of the smallest scalar anywhere in T, at most 4; a bool has one.
unsigned smallestScalar(const kir::Type *T);
/// Of the largest: T is aligned to so many (rules T4 and T5).
unsigned largestScalar(const kir::Type *T);

/// Bytes of the smallest scalar that a kernel may find or put in each
/// tile_static variable whose address is taken: work items that store to
/// neighbouring scalars must not meet in one unit of memory.
std::map<const kir::Variable *, unsigned>
tileStaticUnits(const kir::Kernel &K, const kir::PointsTo &Points);

} // namespace ampc::spirv

#endif
