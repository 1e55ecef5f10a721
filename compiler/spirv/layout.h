//===- layout.h - SPIR-V types for KIR types ------------------------------===//
//
// A KIR type has up to three SPIR-V types, one per layout rule:
//   value   no decorations; what instructions compute with and what Function
//           and Private variables hold. bool is OpTypeBool, an int of 8 or 16
//           bits a word that is extended by its sign, a union an array of 32-bit
//           words, a view a struct {u64 address, u64 strides but the last, u32
//           extents}, a pointer a struct {u32 object, u32 step, u64 address}.
//   tile    what Workgroup variables hold. The same but in narrow kernels
//           (narrow.h): there bool and ints have their sizes in memory, and a
//           union is an array of units as small as its smallest scalar.
//   memory  the host's layout, byte for byte, in explicit offsets and strides.
//           bool is a 32-bit word of which only the first byte counts. Arrays
//           among the push constants need it; in narrow kernels they are words
//           if there are smaller scalars in them. Buffers are accessed leaf by
//           leaf (a leaf is a scalar or short vector).
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_SPIRV_LAYOUT_H
#define AMPC_SPIRV_LAYOUT_H

#include "kir/kir.h"
#include "spirv/writer.h"

namespace ampc::spirv {

inline bool isLeaf(const kir::Type *T) { return T->isScalar() || T->isVector(); }

/// Where a view's parts stand in its value struct.
inline unsigned strideMember(unsigned Dimension) { return 1 + Dimension; }
inline unsigned extentMember(unsigned Rank, unsigned Dimension) {
  return Rank + Dimension;
}

class Types {
public:
  Types(ModuleWriter &W, bool Debug, bool Narrow)
      : W(W), Debug(Debug), Narrow(Narrow) {}

  Id value(const kir::Type *T);
  Id tile(const kir::Type *T);
  Id view(unsigned Rank);
  Id pointer();
  Id memory(const kir::Type *T);

  /// The kernel is narrow, and T holds a scalar of less than 32 bits.
  bool hasNarrowPart(const kir::Type *T) const;
  /// Bytes that a scalar takes in memory.
  uint64_t size(const kir::Type *Scalar) const {
    return Scalar->isBool() && !Narrow ? 4 : Scalar->Size;
  }
  /// The alignment that the scalar block layout asks for.
  uint64_t scalarAlign(const kir::Type *T) const;
  /// Bytes of an element of the array that a union is in a Workgroup variable.
  unsigned tileUnit(const kir::Type *Union) const;

  /// A block that wraps one leaf, so that accesses through it can be marked.
  enum Marks : unsigned { None = 0, NonWritable = 1, Coherent = 2 };
  Id markedBlock(Id Leaf, unsigned Marks);

private:
  ModuleWriter &W;
  bool Debug, Narrow;
  std::map<const kir::Type *, Id> Values, Tiles, Memories;
  std::map<unsigned, Id> Views;
  Id Pointer = 0;
  std::map<std::pair<Id, unsigned>, Id> Blocks;
};

} // namespace ampc::spirv

#endif
