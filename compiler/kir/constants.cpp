//===- constants.cpp - constants as bytes ---------------------------------===//

#include "kir/constants.h"

using llvm::cast;

namespace ampc::kir {

static void writeInt(uint64_t Value, unsigned Bytes, uint8_t *To) {
  for (unsigned I = 0; I != Bytes; ++I)
    To[I] = uint8_t(Value >> (8 * I));
}

/// Bytes from the start of an object of type Ty to its part number I.
static uint64_t partOffset(const Type *Ty, uint64_t I) {
  return Ty->isStruct() ? Ty->Fields[I].Offset : I * Ty->Element->Size;
}

void writeConstant(const Expr *Constant, uint8_t *To) {
  switch (Constant->K) {
  case Expr::Kind::IntConst:
    return writeInt(cast<IntConst>(Constant)->Value, Constant->Ty->Size, To);
  case Expr::Kind::FloatConst:
    return writeInt(cast<FloatConst>(Constant)->Bits, Constant->Ty->Size, To);
  case Expr::Kind::BoolConst:
    To[0] = cast<BoolConst>(Constant)->Value;
    return;
  case Expr::Kind::Construct: {
    const std::vector<Expr *> &Parts = cast<Construct>(Constant)->Parts;
    for (size_t I = 0; I != Parts.size(); ++I)
      writeConstant(Parts[I], To + partOffset(Constant->Ty, I));
    return;
  }
  default:
    return; // Zero
  }
}

} // namespace ampc::kir
