//===- layout.h - SPIR-V types for KIR types ------------------------------===//
//
// A KIR type has up to two SPIR-V types, one per layout rule:
//   value   no decorations; what instructions compute with and what Function,
//           Workgroup and Private variables hold. bool is OpTypeBool, a union
//           an array of 32-bit words, a view a struct {u64 address, u64 strides
//           but the last, u32 extents}, a pointer a struct {u32 object, u32
//           word, u64 address}.
//   memory  the host's layout, byte for byte, in explicit offsets and strides.
//           bool is a 32-bit word of which only the first byte counts. Arrays
//           among the push constants need it; buffers are accessed leaf by leaf
//           (a leaf is a scalar or short vector).
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_SPIRV_LAYOUT_H
#define AMPC_SPIRV_LAYOUT_H

#include "kir/kir.h"
#include "spirv/writer.h"

namespace ampc::spirv {

inline bool isLeaf(const kir::Type *T) { return T->isScalar() || T->isVector(); }

/// The alignment that the scalar block layout asks for.
uint64_t scalarAlign(const kir::Type *T);

/// Where a view's parts stand in its value struct.
inline unsigned strideMember(unsigned Dimension) { return 1 + Dimension; }
inline unsigned extentMember(unsigned Rank, unsigned Dimension) {
  return Rank + Dimension;
}

class Types {
public:
  Types(ModuleWriter &W, bool Debug) : W(W), Debug(Debug) {}

  Id value(const kir::Type *T);
  Id view(unsigned Rank);
  Id pointer();
  Id memory(const kir::Type *T);

  /// A block that wraps one leaf, so that accesses through it can be marked.
  enum Marks : unsigned { None = 0, NonWritable = 1, Coherent = 2 };
  Id markedBlock(Id Leaf, unsigned Marks);

private:
  ModuleWriter &W;
  bool Debug;
  std::map<const kir::Type *, Id> Values, Memories;
  std::map<unsigned, Id> Views;
  Id Pointer = 0;
  std::map<std::pair<Id, unsigned>, Id> Blocks;
};

} // namespace ampc::spirv

#endif
