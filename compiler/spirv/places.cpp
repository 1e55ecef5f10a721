//===- places.cpp - variables, members and elements -----------------------===//
//
// A place is followed symbolically (Place) for as long as its parts are known,
// so that a member of a captured struct costs exactly the bytes of that member,
// and becomes an access chain or an address when it is loaded or stored.
//
//===----------------------------------------------------------------------===//

#include "spirv/emitter.h"
#include <algorithm>

using namespace ampc::kir;
using llvm::cast;
using llvm::dyn_cast;

namespace ampc::spirv {

unsigned Emitter::captureNumber(const Variable *Var) const {
  return std::find(K.Captures.begin(), K.Captures.end(), Var) -
         K.Captures.begin();
}

/// What is known of the alignment of an address that is Offset bytes further.
static uint64_t alignAt(uint64_t Align, uint64_t Offset) {
  return Offset ? std::min(Align, Offset & -Offset) : Align;
}

Place Emitter::variablePlace(const Variable *Var) {
  // Captures and constants do not change: their originals serve, too.
  if (Points.number(Var) && Var->Store != Storage::Capture &&
      Var->Store != Storage::Constant)
    return objectPlace(Var);
  Place P;
  P.Ty = Var->Ty;
  P.Var = Var;
  P.K = Place::Kind::Object;
  switch (Var->Store) {
  case Storage::Local:
  case Storage::Param:
  case Storage::Index: {
    Id &Known = Locals[Var];
    if (!Known) {
      Known = functionVariable(T.value(Var->Ty));
      if (O.Debug)
        W.name(Known, Var->Name);
    }
    P.Pointer = Known;
    break;
  }
  case Storage::Capture:
    P.K = Place::Kind::Capture;
    P.Capture = captureNumber(Var);
    break;
  case Storage::TileStatic: {
    P.Class = spv::StorageClass::Workgroup;
    Id &Known = Globals[Var];
    if (!Known) {
      Known = W.globalVariable(P.Class, T.tile(Var->Ty));
      TileStaticBytes += Var->Ty->Size;
      if (O.Debug)
        W.name(Known, Var->Name);
    }
    P.Pointer = Known;
    break;
  }
  case Storage::Constant:
    P.K = Place::Kind::Constant;
    P.Init = Var->Init;
    break;
  }
  return P;
}

/// A constant as a variable, because a subscript is not constant; anything else
/// as it is.
Place Emitter::asObject(const Place &P) {
  if (P.K != Place::Kind::Constant)
    return P;
  Place Result;
  Result.Ty = P.Ty;
  if (std::optional<uint64_t> Start = Constants.offset(P.Var)) {
    Result.K = Place::Kind::Memory;
    Result.Address = constantsAddress();
    Result.Offset = *Start + P.Offset;
    Result.Align = alignAt(16, Result.Offset);
    Result.Marks = Types::NonWritable;
    return Result;
  }
  // An initialised variable is copied into every work item's own memory.
  Result.K = Place::Kind::Object;
  Result.Class = spv::StorageClass::Private;
  Result.Indices = P.Indices;
  Id &Known = Globals[P.Var];
  if (!Known) {
    Known = W.globalVariable(Result.Class, T.value(P.Var->Ty),
                             constant(P.Var->Init));
    W.decorate(Known, spv::Decoration::NonWritable);
    if (O.Debug)
      W.name(Known, P.Var->Name);
  }
  Result.Pointer = Known;
  return Result;
}

/// Part I of an initialiser; null where it is not spelled out.
static const Expr *partOf(const Expr *Init, uint64_t I) {
  auto *C = Init ? dyn_cast<Construct>(Init) : nullptr;
  return C && I < C->Parts.size() ? C->Parts[I] : nullptr;
}

Place Emitter::copyOf(const Place &P) {
  Place Copy;
  Copy.K = Place::Kind::Object;
  Copy.Ty = P.Ty;
  Copy.Pointer = functionVariable(T.value(P.Ty));
  emitPlain(spv::Op::OpStore, {Copy.Pointer, load(P)});
  return Copy;
}

/// The union at P as an array of words, or smaller units.
Place Emitter::wordsOf(const Place &P) {
  Place Result;
  Result.K = Place::Kind::Words;
  Result.Ty = P.Ty;
  Result.Class = P.Class;
  Result.Pointer = pointerTo(P);
  if (P.Class == spv::StorageClass::Workgroup)
    Result.Unit = T.tileUnit(P.Ty);
  return Result;
}

/// An array or union inside a capture, as the object in memory that it is there.
Place Emitter::asMemory(const Place &P) {
  if (P.K != Place::Kind::Capture)
    return P;
  Place Result;
  Result.Ty = P.Ty;
  Id Object = Args.object(P.Capture, P.Path, P.Ty);
  if (Args.isIndirect()) {
    Result.K = Place::Kind::Memory;
    Result.Address = Object;
    Result.Align = std::max<uint64_t>(T.scalarAlign(P.Ty), 4);
    Result.Marks = Types::NonWritable;
  } else {
    Result.K = T.hasNarrowPart(P.Ty) ? Place::Kind::Words : Place::Kind::Object;
    Result.Class = spv::StorageClass::PushConstant;
    Result.Pointer = Object;
  }
  return Result;
}

Place Emitter::member(Place P, unsigned Field) {
  const Type::Field &F = P.Ty->Fields[Field];
  if (P.Ty->IsUnion)
    P = asMemory(P);
  if (P.Ty->IsUnion)
    P = asObject(P);
  if (P.K == Place::Kind::Object && P.Ty->IsUnion)
    P = wordsOf(P);
  uint64_t Offset = fieldOffset(P.Ty, Field);
  P.Ty = F.Ty;
  switch (P.K) {
  case Place::Kind::Object:
    P.Indices.push_back(u32(Field));
    break;
  case Place::Kind::Words:
  case Place::Kind::Memory:
  case Place::Kind::Pointer:
    P.Offset += Offset;
    P.Align = alignAt(P.Align, Offset);
    break;
  case Place::Kind::Capture:
    // Members of an anonymous struct are named without it in C.
    if (!F.Name.empty())
      P.Path += "." + F.Name;
    break;
  case Place::Kind::Constant:
    P.Indices.push_back(u32(Field));
    P.Offset += F.Offset;
    P.Init = partOf(P.Init, Field);
    break;
  }
  return P;
}

Place Emitter::element(Place P, uint64_t Index) {
  const Type *Element = P.Ty->Element;
  if (P.K == Place::Kind::Capture && holdsView(P.Ty))
    P.Path += "[" + std::to_string(Index) + "]";
  else if (P.K == Place::Kind::Capture)
    P = P.Ty->isArray() ? asMemory(P) : copyOf(P);
  switch (P.K) {
  case Place::Kind::Object:
    P.Indices.push_back(u32(Index));
    break;
  case Place::Kind::Words:
  case Place::Kind::Memory:
  case Place::Kind::Pointer:
    P.Offset += Index * objectSize(Element);
    P.Align = alignAt(P.Align, Index * objectSize(Element));
    break;
  case Place::Kind::Capture:
    break;
  case Place::Kind::Constant:
    P.Indices.push_back(u32(Index));
    P.Offset += Index * Element->Size;
    P.Init = partOf(P.Init, Index);
    break;
  }
  P.Ty = Element;
  return P;
}

Place Emitter::element(Place P, const Expr *Index) {
  // Out of range is undefined in C, but must not lead the constant path astray.
  if (auto *Literal = dyn_cast<IntConst>(Index))
    if (Literal->Value < P.Ty->Count)
      return element(std::move(P), Literal->Value);

  // A lane of a captured vector, or one of several captured views, chosen at
  // run time: from a copy of them all.
  if (P.K == Place::Kind::Capture && (P.Ty->isVector() || holdsView(P.Ty)))
    P = copyOf(P);
  P = asObject(asMemory(P));
  P.Ty = P.Ty->Element;
  if (P.K == Place::Kind::Object) {
    // No object of ours is so large that an index needs more than 32 bits.
    Id Position = value(Index);
    if (Index->Ty->Width == 64 && !W.constantValue(Position))
      Position = emit(spv::Op::OpUConvert, W.intType(32), {Position});
    P.Indices.push_back(Position);
    return P;
  }
  uint64_t Size = objectSize(P.Ty);
  P.Align = alignAt(P.Align, Size);
  Id Position = value(Index);
  if (P.K != Place::Kind::Words)
    P.Address = displace(P.Address, Position, Index->Ty, u64(Size));
  if (P.K != Place::Kind::Memory)
    P.Step = displaceStep(P.Step, Position, Index->Ty, Size);
  return P;
}

/// ForAddress: where a pointer to the place leads.
Place Emitter::place(const Expr *E, bool ForAddress) {
  switch (E->K) {
  case Expr::Kind::VarRef:
    if (!ForAddress)
      return variablePlace(cast<VarRef>(E)->Var);
    if (cast<VarRef>(E)->Var->Store == Storage::Constant)
      return asObject(variablePlace(cast<VarRef>(E)->Var));
    return objectPlace(cast<VarRef>(E)->Var);
  case Expr::Kind::Member:
    return member(place(cast<Member>(E)->Base, ForAddress),
                  cast<Member>(E)->Field);
  case Expr::Kind::Element:
    return element(place(cast<Element>(E)->Base, ForAddress),
                   cast<Element>(E)->Index);
  case Expr::Kind::Deref:
    return behindPointer(cast<Deref>(E));
  default:
    return viewElement(cast<ViewElement>(E));
  }
}

/// A pointer to an Object's value, in its own layout.
Id Emitter::pointerTo(const Place &P) {
  if (P.Indices.empty())
    return P.Pointer;
  Id Type = P.Class == spv::StorageClass::PushConstant ? T.memory(P.Ty)
            : P.Class == spv::StorageClass::Workgroup  ? T.tile(P.Ty)
                                                       : T.value(P.Ty);
  Words Operands{P.Pointer};
  Operands.insert(Operands.end(), P.Indices.begin(), P.Indices.end());
  return emit(spv::Op::OpAccessChain, W.pointerType(P.Class, Type), Operands);
}

/// A variable whose layout is not that of its value.
bool Emitter::isStoredNarrow(const Place &P) const {
  return P.K == Place::Kind::Object &&
         P.Class == spv::StorageClass::Workgroup && T.hasNarrowPart(P.Ty);
}

Id Emitter::load(const Place &P) {
  if (P.Ty->isView())
    return packView(P.Ty, viewAt(P, ViewNeed::all(P.Ty->Rank)));
  switch (P.K) {
  case Place::Kind::Constant:
    if (P.Init && !holdsUnion(P.Ty))
      return constant(P.Init);
    return load(asObject(P));
  case Place::Kind::Object:
    if (isStoredNarrow(P)) {
      if (!isLeaf(P.Ty))
        break;
      Id Narrow = emit(spv::Op::OpLoad, T.tile(P.Ty), {pointerTo(P)});
      return fromWords(
          P.Ty, {emit(spv::Op::OpUConvert, W.intType(32), {Narrow})});
    }
    if (P.Class != spv::StorageClass::PushConstant)
      return emit(spv::Op::OpLoad, T.value(P.Ty), {pointerTo(P)});
    break;
  case Place::Kind::Capture:
    if (isLeaf(P.Ty))
      return Args.leaf(P.Capture, P.Path, P.Ty);
    break;
  case Place::Kind::Pointer:
    return loadBehindPointer(P);
  case Place::Kind::Words:
  case Place::Kind::Memory:
    break;
  }
  if (isLeaf(P.Ty))
    return loadLeaf(P);

  // Layouts differ: member by member.
  llvm::SmallVector<Id, 16> Parts;
  if (P.Ty->isArray()) {
    for (uint64_t I = 0; I != P.Ty->Count; ++I)
      Parts.push_back(load(element(P, I)));
  } else if (P.Ty->IsUnion) {
    Place Union = asObject(asMemory(P));
    if (Union.K == Place::Kind::Object)
      Union = wordsOf(Union);
    for (uint64_t I = 0; I != (P.Ty->Size + 3) / 4; ++I)
      Parts.push_back(loadUnionWord(Union, I));
  } else {
    for (unsigned I = 0; I != P.Ty->Fields.size(); ++I)
      Parts.push_back(load(member(P, I)));
  }
  return emit(spv::Op::OpCompositeConstruct, T.value(P.Ty), Parts);
}

void Emitter::store(const Place &P, Id Value) {
  if (P.K == Place::Kind::Object && !isStoredNarrow(P)) {
    emitPlain(spv::Op::OpStore, {pointerTo(P), Value});
    return;
  }
  if (P.K == Place::Kind::Object && isLeaf(P.Ty)) {
    llvm::SmallVector<Id, 1> Word;
    toWords(P.Ty, Value, Word);
    Id Narrow = emit(spv::Op::OpUConvert, T.tile(P.Ty), {Word[0]});
    emitPlain(spv::Op::OpStore, {pointerTo(P), Narrow});
    return;
  }
  if (P.K == Place::Kind::Pointer) {
    inEachTarget(P, [&](const Place &Target) { store(Target, Value); });
    return;
  }
  if (isLeaf(P.Ty)) {
    storeLeaf(P, Value);
    return;
  }
  if (P.Ty->isView())
    return storeViewAmongWords(P, Value);
  auto Part = [&](uint64_t I, Id Type) {
    return emit(spv::Op::OpCompositeExtract, Type, {Value, uint32_t(I)});
  };
  if (P.Ty->isArray()) {
    for (uint64_t I = 0; I != P.Ty->Count; ++I)
      store(element(P, I), Part(I, T.value(P.Ty->Element)));
  } else if (P.Ty->IsUnion) {
    Place Union = P.K == Place::Kind::Object ? wordsOf(P) : P;
    for (uint64_t I = 0; I != (P.Ty->Size + 3) / 4; ++I)
      storeUnionWord(Union, I, Part(I, W.intType(32)));
  } else {
    for (unsigned I = 0; I != P.Ty->Fields.size(); ++I)
      store(member(P, I), Part(I, T.value(P.Ty->Fields[I].Ty)));
  }
}

} // namespace ampc::spirv
