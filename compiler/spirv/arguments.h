//===- arguments.h - the argument block of a kernel -----------------------===//
//
// Collects the pieces of the captures that a kernel's code asks for, and only
// those. Each piece has its result id from the first request on; the code that
// loads it is written last, into the kernel's entry block, when all pieces are
// known and have got their offsets: addresses, strides, extents of the domain,
// extents of views, everything else.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_SPIRV_ARGUMENTS_H
#define AMPC_SPIRV_ARGUMENTS_H

#include "spirv/layout.h"
#include "spirv/spirv.h"

namespace ampc::spirv {

class Arguments {
public:
  Arguments(ModuleWriter &W, Types &T, bool Indirect)
      : W(W), T(T), Indirect(Indirect) {}

  Id viewAddress(unsigned Capture, const std::string &Path);
  Id viewStride(unsigned Capture, const std::string &Path, unsigned Dimension);
  Id viewExtent(unsigned Capture, const std::string &Path, unsigned Dimension);
  Id domainExtent(unsigned Dimension);
  /// The address of the module's buffer of constants.
  Id constants();
  /// The address of the launch's buffer of reports.
  Id reports();
  /// The value of a captured scalar or short vector.
  Id leaf(unsigned Capture, const std::string &Path, const kir::Type *Ty);
  /// A captured array or union: a pointer to its memory type among the push
  /// constants, or the address of it as an integer when the block is indirect.
  Id object(unsigned Capture, const std::string &Path, const kir::Type *Ty);

  bool isIndirect() const { return Indirect; }
  /// Fixes the offsets. Nothing may be asked for any more.
  void layOut(Binary &Result);
  /// The loads, after layOut().
  Words prologue(bool Debug, const kir::Kernel &K);

private:
  struct Piece {
    Argument A;
    Id Result;
    const kir::Type *Ty; ///< Bytes only
    bool InPlace;        ///< Bytes: not loaded, the id is where it stands
  };
  Id request(Argument A, const kir::Type *Ty, bool InPlace);
  Id pieceType(const Piece &P);
  bool isPartOfWord(const Piece &P) const;
  uint64_t alignOf(const Piece &P) const;
  void load(Words &Code, Id Pointer, const Piece &P, Id Aligned);

  ModuleWriter &W;
  Types &T;
  bool Indirect;
  std::vector<Piece> Pieces;
};

} // namespace ampc::spirv

#endif
