//===- views.cpp - the parts of views -------------------------------------===//
//
// A view is worked on in parts, and only the parts that the use needs are
// computed: a subscript wants the address and the strides, extent_of wants one
// extent. Addresses are 64-bit integers; subscripts are widened by their sign.
//
//===----------------------------------------------------------------------===//

#include "spirv/emitter.h"
#include <algorithm>

using namespace ampc::kir;
using llvm::cast;
using llvm::dyn_cast;

namespace ampc::spirv {

unsigned ViewNeed::element(unsigned Rank) {
  unsigned Need = Address;
  for (unsigned D = 0; D + 1 < Rank; ++D)
    Need |= stride(D);
  return Need;
}

unsigned ViewNeed::all(unsigned Rank) {
  unsigned Need = element(Rank);
  for (unsigned D = 0; D != Rank; ++D)
    Need |= extent(D);
  return Need;
}

Id Emitter::widenIndex(Id Index, const Type *Ty) {
  if (Ty->Width == 64)
    return Index;
  if (const uint64_t *Known = W.constantValue(Index))
    return u64(Ty->Signed ? uint64_t(int64_t(int32_t(*Known))) : *Known);
  return emit(Ty->Signed ? spv::Op::OpSConvert : spv::Op::OpUConvert,
              W.intType(64), {Index});
}

/// Address + Index * Stride.
Id Emitter::displace(Id Address, Id Index, const Type *IndexType, Id Stride) {
  Id Wide = widenIndex(Index, IndexType);
  const uint64_t *I = W.constantValue(Wide), *S = W.constantValue(Stride);
  if (I && *I == 0)
    return Address;
  Id Distance = I && S  ? u64(*I * *S)
                : I && *I == 1 ? Stride
                : S && *S == 1 ? Wide
                               : emit(spv::Op::OpIMul, W.intType(64),
                                      {Wide, Stride});
  return emit(spv::Op::OpIAdd, W.intType(64), {Address, Distance});
}

/// The parts of the view that a place holds.
ViewParts Emitter::viewAt(const Place &P, unsigned Need) {
  unsigned Rank = P.Ty->Rank;
  ViewParts Parts;
  if (P.K == Place::Kind::Capture) {
    if (Need & ViewNeed::Address)
      Parts.Address = Args.viewAddress(P.Capture, P.Path);
    for (unsigned D = 0; D != Rank; ++D) {
      if (Need & ViewNeed::stride(D) && D + 1 < Rank)
        Parts.Stride[D] = Args.viewStride(P.Capture, P.Path, D);
      if (Need & ViewNeed::extent(D))
        Parts.Extent[D] = Args.viewExtent(P.Capture, P.Path, D);
    }
    return Parts;
  }
  if (P.K == Place::Kind::Words)
    return viewAmongWords(P, Need);
  if (P.K == Place::Kind::Pointer)
    return partsOf(loadBehindPointer(P), Rank, Need);
  if (P.Var && P.Var->Store == Storage::Param)
    ParamNeeds[P.Var] |= P.Var->Ty->isView() ? Need : ~0u;
  auto Member = [&](unsigned Number, Id Type) {
    Id Pointer = emit(spv::Op::OpAccessChain, W.pointerType(P.Class, Type),
                      {pointerTo(P), u32(Number)});
    return emit(spv::Op::OpLoad, Type, {Pointer});
  };
  if (Need & ViewNeed::Address)
    Parts.Address = Member(0, W.intType(64));
  for (unsigned D = 0; D != Rank; ++D) {
    if (Need & ViewNeed::stride(D) && D + 1 < Rank)
      Parts.Stride[D] = Member(strideMember(D), W.intType(64));
    if (Need & ViewNeed::extent(D))
      Parts.Extent[D] = Member(extentMember(Rank, D), W.intType(32));
  }
  return Parts;
}

Id Emitter::packView(const Type *Ty, const ViewParts &Parts) {
  llvm::SmallVector<Id, 8> Members;
  auto Add = [&](Id Part, unsigned Width) {
    Members.push_back(Part ? Part : W.undef(W.intType(Width)));
  };
  Add(Parts.Address, 64);
  for (unsigned D = 0; D + 1 < Ty->Rank; ++D)
    Add(Parts.Stride[D], 64);
  for (unsigned D = 0; D != Ty->Rank; ++D)
    Add(Parts.Extent[D], 32);
  return emit(spv::Op::OpCompositeConstruct, T.view(Ty->Rank), Members);
}

ViewParts Emitter::view(const Expr *E, unsigned Need) {
  unsigned Rank = E->Ty->Rank;
  switch (E->K) {
  case Expr::Kind::Load:
    return viewAt(place(cast<Load>(E)->Place), Need);
  case Expr::Kind::Convert:
    return view(cast<Convert>(E)->Operand, Need);
  case Expr::Kind::ViewProject: {
    auto *P = cast<ViewProject>(E);
    // Dimension d of the result is dimension d + 1 of the operand.
    unsigned Inner = 0;
    if (Need & ViewNeed::Address)
      Inner |= ViewNeed::Address | ViewNeed::stride(0);
    for (unsigned D = 0; D != Rank; ++D) {
      if (Need & ViewNeed::stride(D) && D + 1 < Rank)
        Inner |= ViewNeed::stride(D + 1);
      if (Need & ViewNeed::extent(D))
        Inner |= ViewNeed::extent(D + 1);
    }
    ViewParts Whole = view(P->View, Inner), Parts;
    Id Index = value(P->Index);
    if (Need & ViewNeed::Address)
      Parts.Address =
          displace(Whole.Address, Index, P->Index->Ty, Whole.Stride[0]);
    for (unsigned D = 0; D != Rank; ++D) {
      Parts.Stride[D] = Whole.Stride[D + 1];
      Parts.Extent[D] = Whole.Extent[D + 1];
    }
    return Parts;
  }
  case Expr::Kind::ViewSection: {
    auto *S = cast<ViewSection>(E);
    unsigned Inner = Need;
    if (Need & ViewNeed::Address)
      Inner |= ViewNeed::element(Rank);
    if (!S->Extent.empty())
      Inner &= ViewNeed::element(Rank);
    ViewParts Parts = view(S->View, Inner);
    Id ElementSize = u64(E->Ty->Element->Size);
    for (unsigned D = 0; D != Rank; ++D) {
      Id Origin = value(S->Origin[D]);
      const Type *OriginType = S->Origin[D]->Ty;
      if (Need & ViewNeed::Address)
        Parts.Address = displace(Parts.Address, Origin, OriginType,
                                 D + 1 < Rank ? Parts.Stride[D] : ElementSize);
      if (!S->Extent.empty()) {
        Parts.Extent[D] = value(S->Extent[D]);
        if (S->Extent[D]->Ty->Width == 64)
          Parts.Extent[D] =
              emit(spv::Op::OpUConvert, W.intType(32), {Parts.Extent[D]});
      } else if (Need & ViewNeed::extent(D)) {
        if (OriginType->Width == 64)
          Origin = emit(spv::Op::OpUConvert, W.intType(32), {Origin});
        Parts.Extent[D] =
            emit(spv::Op::OpISub, W.intType(32), {Parts.Extent[D], Origin});
      }
    }
    return Parts;
  }
  case Expr::Kind::ViewReinterpret: {
    auto *R = cast<ViewReinterpret>(E);
    ViewParts Parts = view(R->View, Need);
    uint64_t From = R->View->Ty->Element->Size, To = E->Ty->Element->Size;
    if (!(Need & ViewNeed::extent(0)) || From == To)
      return Parts;
    Id Long = W.intType(64);
    Id Count = emit(spv::Op::OpUConvert, Long, {Parts.Extent[0]});
    Id Bytes = emit(spv::Op::OpIMul, Long, {Count, u64(From)});
    Id Whole = emit(spv::Op::OpUDiv, Long, {Bytes, u64(To)});
    Parts.Extent[0] = emit(spv::Op::OpUConvert, W.intType(32), {Whole});
    return Parts;
  }
  case Expr::Kind::ViewReshape: {
    auto *R = cast<ViewReshape>(E);
    ViewParts Parts = view(R->View, Need & ViewNeed::Address);
    for (unsigned D = 0; D != Rank; ++D) {
      Parts.Extent[D] = value(R->Extent[D]);
      if (R->Extent[D]->Ty->Width == 64)
        Parts.Extent[D] =
            emit(spv::Op::OpUConvert, W.intType(32), {Parts.Extent[D]});
    }
    Id Stride = u64(E->Ty->Element->Size), Long = W.intType(64);
    for (unsigned D = Rank - 1; D-- != 0;) {
      Id Count = emit(spv::Op::OpUConvert, Long, {Parts.Extent[D + 1]});
      Stride = emit(spv::Op::OpIMul, Long, {Stride, Count});
      Parts.Stride[D] = Stride;
    }
    return Parts;
  }
  default:
    break;
  }
  // A call or a choice: a value whose parts are taken out.
  return partsOf(value(E), Rank, Need);
}

/// The parts of a view that is a value.
ViewParts Emitter::partsOf(Id Whole, unsigned Rank, unsigned Need) {
  ViewParts Parts;
  auto Extract = [&](unsigned Member, Id Type) {
    return emit(spv::Op::OpCompositeExtract, Type, {Whole, Member});
  };
  if (Need & ViewNeed::Address)
    Parts.Address = Extract(0, W.intType(64));
  for (unsigned D = 0; D != Rank; ++D) {
    if (Need & ViewNeed::stride(D) && D + 1 < Rank)
      Parts.Stride[D] = Extract(strideMember(D), W.intType(64));
    if (Need & ViewNeed::extent(D))
      Parts.Extent[D] = Extract(extentMember(Rank, D), W.intType(32));
  }
  return Parts;
}

// Inside an object that pointers may lead to: the address, the strides, the
// extents, as words.

ViewParts Emitter::viewAmongWords(const Place &P, unsigned Need) {
  unsigned Rank = P.Ty->Rank;
  ViewParts Parts;
  auto Long = [&](unsigned I) {
    Id Pair = emit(spv::Op::OpCompositeConstruct, W.vectorType(W.intType(32), 2),
                   {loadInt(P, I * 8, 4), loadInt(P, I * 8 + 4, 4)});
    return emit(spv::Op::OpBitcast, W.intType(64), {Pair});
  };
  if (Need & ViewNeed::Address)
    Parts.Address = Long(0);
  for (unsigned D = 0; D != Rank; ++D) {
    if (Need & ViewNeed::stride(D) && D + 1 < Rank)
      Parts.Stride[D] = Long(1 + D);
    if (Need & ViewNeed::extent(D))
      Parts.Extent[D] = loadInt(P, Rank * 8 + D * 4, 4);
  }
  return Parts;
}

void Emitter::storeViewAmongWords(const Place &P, Id View) {
  unsigned Rank = P.Ty->Rank;
  ViewParts Parts = partsOf(View, Rank, ViewNeed::all(Rank));
  auto StoreLong = [&](unsigned I, Id Value) {
    Id Int = W.intType(32);
    Id Pair = emit(spv::Op::OpBitcast, W.vectorType(Int, 2), {Value});
    for (uint32_t Half : {0, 1})
      storeInt(P, I * 8 + Half * 4, 4,
               emit(spv::Op::OpCompositeExtract, Int, {Pair, Half}));
  };
  StoreLong(0, Parts.Address);
  for (unsigned D = 0; D + 1 < Rank; ++D)
    StoreLong(1 + D, Parts.Stride[D]);
  for (unsigned D = 0; D != Rank; ++D)
    storeInt(P, Rank * 8 + D * 4, 4, Parts.Extent[D]);
}

Place Emitter::viewElement(const ViewElement *E) {
  const Type *V = E->View->Ty;
  unsigned Need = ViewNeed::element(V->Rank);
  for (unsigned D = 0; D + 1 < V->Rank; ++D)
    if (auto *Literal = dyn_cast<IntConst>(E->Subscripts[D]))
      if (Literal->Value == 0) // displace() will not look at the stride
        Need &= ~ViewNeed::stride(D);
  ViewParts Parts = view(E->View, Need);
  Place P;
  P.K = Place::Kind::Memory;
  P.Ty = V->Element;
  P.Align = V->Element->Align;
  P.Marks = (V->ReadOnly ? Types::NonWritable : Types::None) |
            (SharesMemory ? Types::Coherent : Types::None);
  P.Address = Parts.Address;
  for (unsigned D = 0; D != V->Rank; ++D)
    P.Address = displace(P.Address, value(E->Subscripts[D]),
                         E->Subscripts[D]->Ty,
                         D + 1 < V->Rank ? Parts.Stride[D]
                                         : u64(V->Element->Size));
  return P;
}

} // namespace ampc::spirv
