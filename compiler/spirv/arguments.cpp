//===- arguments.cpp - the argument block of a kernel ---------------------===//

#include "spirv/arguments.h"
#include "spirv/narrow.h"
#include <algorithm>
#include <tuple>

namespace ampc::spirv {

using Kind = Argument::Kind;

Id Arguments::request(Argument A, const kir::Type *Ty, bool InPlace) {
  for (const Piece &P : Pieces)
    if (P.A.K == A.K && P.A.Capture == A.Capture && P.A.Path == A.Path &&
        P.A.Dimension == A.Dimension)
      return P.Result;
  Pieces.push_back({std::move(A), W.newId(), Ty, InPlace});
  return Pieces.back().Result;
}

static Argument argument(Kind K, unsigned Capture, const std::string &Path,
                         unsigned Dimension, uint64_t Size) {
  Argument A;
  A.K = K;
  A.Capture = Capture;
  A.Path = Path;
  A.Dimension = Dimension;
  A.Size = Size;
  return A;
}

Id Arguments::viewAddress(unsigned Capture, const std::string &Path) {
  return request(argument(Kind::ViewAddress, Capture, Path, 0, 8), nullptr,
                 false);
}

Id Arguments::viewStride(unsigned Capture, const std::string &Path,
                         unsigned Dimension) {
  return request(argument(Kind::ViewStride, Capture, Path, Dimension, 8),
                 nullptr, false);
}

Id Arguments::viewExtent(unsigned Capture, const std::string &Path,
                         unsigned Dimension) {
  return request(argument(Kind::ViewExtent, Capture, Path, Dimension, 4),
                 nullptr, false);
}

Id Arguments::domainExtent(unsigned Dimension) {
  return request(argument(Kind::DomainExtent, 0, "", Dimension, 4), nullptr,
                 false);
}

Id Arguments::constants() {
  return request(argument(Kind::Constants, 0, "", 0, 8), nullptr, false);
}

Id Arguments::reports() {
  return request(argument(Kind::Reports, 0, "", 0, 8), nullptr, false);
}

Id Arguments::leaf(unsigned Capture, const std::string &Path,
                   const kir::Type *Ty) {
  // Three lanes take the room of four on the host, but are twelve bytes.
  uint64_t Size = Ty->isVector() ? Ty->Element->Size * Ty->Count : Ty->Size;
  return request(argument(Kind::Bytes, Capture, Path, 0, Size), Ty, false);
}

Id Arguments::object(unsigned Capture, const std::string &Path,
                     const kir::Type *Ty) {
  return request(argument(Kind::Bytes, Capture, Path, 0, Ty->Size), Ty, true);
}

Id Arguments::pieceType(const Piece &P) {
  switch (P.A.K) {
  case Kind::ViewAddress:
  case Kind::ViewStride:
  case Kind::Constants:
  case Kind::Reports:
    return W.intType(64);
  case Kind::ViewExtent:
  case Kind::DomainExtent:
    return W.intType(32);
  case Kind::Bytes:
    break;
  }
  return isPartOfWord(P) ? W.intType(32) : T.memory(P.Ty);
}

/// A bool or narrow int that is loaded as the word that it begins.
bool Arguments::isPartOfWord(const Piece &P) const {
  return P.A.K == Kind::Bytes && (P.Ty->isBool() || isNarrow(P.Ty));
}

uint64_t Arguments::alignOf(const Piece &P) const {
  return P.A.K == Kind::Bytes ? std::max<uint64_t>(T.scalarAlign(P.Ty), 4)
                              : P.A.Size;
}

void Arguments::layOut(Binary &Result) {
  auto Rank = [](const Piece &P) {
    switch (P.A.K) {
    case Kind::ViewAddress:
    case Kind::Constants:
    case Kind::Reports:
      return 0;
    case Kind::ViewStride:
      return 1;
    case Kind::DomainExtent:
      return 2;
    case Kind::ViewExtent:
      return 3;
    case Kind::Bytes:
      return 4;
    }
    return 5;
  };
  std::stable_sort(Pieces.begin(), Pieces.end(),
                   [&](const Piece &A, const Piece &B) {
                     return std::make_tuple(Rank(A), A.A.Capture, A.A.Path,
                                            A.A.Dimension) <
                            std::make_tuple(Rank(B), B.A.Capture, B.A.Path,
                                            B.A.Dimension);
                   });
  uint64_t End = 0;
  for (Piece &P : Pieces) {
    uint64_t Align = alignOf(P);
    P.A.Offset = (End + Align - 1) / Align * Align;
    // What is read as part of a word takes the room of one.
    End = P.A.Offset + std::max<uint64_t>(P.A.Size, 4);
    Result.Arguments.push_back(P.A);
  }
  Result.ArgumentBytes = (End + 3) / 4 * 4;
  Result.Indirect = Indirect;
}

/// Loads a piece.
void Arguments::load(Words &Code, Id Pointer, const Piece &P, Id Aligned) {
  Id Result = isPartOfWord(P) ? W.newId() : P.Result;
  Words Operands{pieceType(P), Result, Pointer};
  if (Aligned) {
    Operands.push_back(uint32_t(spv::MemoryAccessMask::Aligned));
    Operands.push_back(Aligned);
  }
  append(Code, spv::Op::OpLoad, Operands);
  if (!isPartOfWord(P))
    return;
  Id Int = W.intType(32), Part = W.newId();
  if (P.Ty->isBool()) {
    append(Code, spv::Op::OpBitwiseAnd,
           {Int, Part, Result, W.constantInt(32, 0xff)});
    append(Code, spv::Op::OpINotEqual,
           {W.boolType(), P.Result, Part, W.constantInt(32, 0)});
  } else if (P.Ty->Signed) {
    Id Rest = W.constantInt(32, 32 - P.Ty->Width);
    append(Code, spv::Op::OpShiftLeftLogical, {Int, Part, Result, Rest});
    append(Code, spv::Op::OpShiftRightArithmetic, {Int, P.Result, Part, Rest});
  } else {
    append(Code, spv::Op::OpBitwiseAnd,
           {Int, P.Result, Result,
            W.constantInt(32, (1u << P.Ty->Width) - 1)});
  }
}

static std::string nameOf(const Argument &A, const kir::Kernel &K) {
  std::string Dimension = std::to_string(A.Dimension);
  switch (A.K) {
  case Kind::DomainExtent:
    return "domain.extent" + Dimension;
  case Kind::Constants:
    return "constants.address";
  case Kind::Reports:
    return "reports.address";
  case Kind::ViewAddress:
  case Kind::ViewStride:
  case Kind::ViewExtent:
  case Kind::Bytes:
    break;
  }
  std::string Name = K.Captures[A.Capture]->Name + A.Path;
  if (A.K == Kind::ViewAddress)
    Name += ".address";
  else if (A.K != Kind::Bytes)
    Name += (A.K == Kind::ViewStride ? ".stride" : ".extent") + Dimension;
  return Name;
}

Words Arguments::prologue(bool Debug, const kir::Kernel &K) {
  Words Code;
  if (Pieces.empty())
    return Code;
  std::vector<Id> Members;
  if (Indirect)
    Members.push_back(W.intType(64));
  else
    for (const Piece &P : Pieces)
      Members.push_back(pieceType(P));
  Id Block = W.newStructType(Members);
  W.decorate(Block, spv::Decoration::Block);
  for (size_t I = 0; I != Members.size(); ++I)
    W.decorateMember(Block, I, spv::Decoration::Offset,
                     {Indirect ? 0 : uint32_t(Pieces[I].A.Offset)});
  Id Variable = W.globalVariable(spv::StorageClass::PushConstant, Block);
  if (Debug) {
    W.name(Block, "arguments");
    for (size_t I = 0; !Indirect && I != Pieces.size(); ++I)
      W.nameMember(Block, I, nameOf(Pieces[I].A, K));
  }

  auto MemberPointer = [&](unsigned Index, Id Type, Id Result) {
    append(Code, spv::Op::OpAccessChain,
           {W.pointerType(spv::StorageClass::PushConstant, Type), Result,
            Variable, W.constantInt(32, Index)});
    return Result;
  };
  if (!Indirect) {
    for (size_t I = 0; I != Pieces.size(); ++I) {
      const Piece &P = Pieces[I];
      Id Pointer =
          MemberPointer(I, Members[I], P.InPlace ? P.Result : W.newId());
      if (!P.InPlace)
        load(Code, Pointer, P, 0);
    }
    return Code;
  }

  Id Word64 = W.intType(64), Base = W.newId();
  append(Code, spv::Op::OpLoad,
         {Word64, Base, MemberPointer(0, Word64, W.newId())});
  for (const Piece &P : Pieces) {
    Id Address = P.InPlace ? P.Result : W.newId();
    append(Code, spv::Op::OpIAdd,
           {Word64, Address, Base, W.constantInt(64, P.A.Offset)});
    if (P.InPlace)
      continue;
    Id ReadOnly = T.markedBlock(pieceType(P), Types::NonWritable);
    Id BlockPointer = W.newId(), Pointer = W.newId();
    spv::StorageClass Class = spv::StorageClass::PhysicalStorageBuffer;
    append(Code, spv::Op::OpBitcast,
           {W.pointerType(Class, ReadOnly), BlockPointer, Address});
    append(Code, spv::Op::OpAccessChain,
           {W.pointerType(Class, pieceType(P)), Pointer, BlockPointer,
            W.constantInt(32, 0)});
    load(Code, Pointer, P, alignOf(P));
  }
  return Code;
}

} // namespace ampc::spirv
