//===- kernel.cpp - functions, the entry point, work-item numbering -------===//
//
// Groups are numbered g = x + X * (y + Y * z) in 64 bits, so that the runtime
// may spread any number of them over a grid.
//   untiled  linear = g * size + local.x, size from specialisation constant 0;
//            split by the domain's extents, last dimension fastest
//   tiled    g is split by the tile counts; the work group's x is the tile's
//            last dimension
// Work items and tiles beyond the domain do nothing. A domain has fewer than
// 2^32 work items (rule C3), so that below the bounds test 32 bits suffice.
//
//===----------------------------------------------------------------------===//

#include "kir/progress.h"
#include "spirv/emitter.h"
#include "spirv/optimise.h"
#include "spirv/sharing.h"

using namespace ampc::kir;
using llvm::cast;
using llvm::dyn_cast;
using spv::Op;

namespace ampc::spirv {

// Instructions.

Id Emitter::emit(Op Which, Id Type, llvm::ArrayRef<uint32_t> Operands) {
  Words All{Type, W.newId()};
  All.insert(All.end(), Operands.begin(), Operands.end());
  append(Code, Which, All);
  return All[1];
}

/// An arithmetic instruction on floats that must stay as it is written. Where it
/// may be contracted the decoration goes when spirv-opt, which would fold by
/// looser rules than contraction, has run: allowContraction().
Id Emitter::emitFloat(Op Which, Id Type, llvm::ArrayRef<uint32_t> Operands,
                      bool Contract) {
  Id Result = emit(Which, Type, Operands);
  W.decorate(Result, spv::Decoration::NoContraction);
  if (Contract)
    W.decorateString(Result, spv::Decoration::UserSemantic, ContractMark);
  return Result;
}

void Emitter::emitPlain(Op Which, llvm::ArrayRef<uint32_t> Operands) {
  append(Code, Which, Operands);
}

void Emitter::startBlock(Id Label) {
  append(Code, Op::OpLabel, {Label});
  BlockStart = Code.size();
  Dead = false;
  LastLine = Loc();
}

void Emitter::endBlock(Op Which, llvm::ArrayRef<uint32_t> Operands) {
  append(Code, Which, Operands);
  Dead = true;
}

void Emitter::line(Loc Where) {
  if (!O.Debug || !Where.Line || Where.File >= M.Files.size() ||
      (Where.File == LastLine.File && Where.Line == LastLine.Line &&
       Where.Column == LastLine.Column))
    return;
  LastLine = Where;
  append(Code, Op::OpLine,
         {W.string(M.Files[Where.File]), Where.Line, Where.Column});
}

Id Emitter::functionVariable(Id ValueType) {
  Id Result = W.newId();
  append(Variables, Op::OpVariable,
         {W.pointerType(spv::StorageClass::Function, ValueType), Result,
          word(spv::StorageClass::Function)});
  return Result;
}

void Emitter::unsupported(const std::string &What) {
  if (Error.empty())
    Error = "not supported yet: " + What;
}

// Functions.

void Emitter::writeFunction(Id Function, Id Type, Id Result,
                            const Words &Params, const Words &Prologue) {
  Words &Out = W.functions();
  append(Out, Op::OpFunction, {Result, Function, 0, Type});
  Out.insert(Out.end(), Params.begin(), Params.end());
  append(Out, Op::OpLabel, {W.newId()});
  for (const Words *Part : std::initializer_list<const Words *>{
           &Variables, &Prologue, &Code})
    Out.insert(Out.end(), Part->begin(), Part->end());
  append(Out, Op::OpFunctionEnd, {});
  Variables.clear();
  Code.clear();
  Locals.clear();
  ParamNeeds.clear();
  Dead = false;
  LastLine = Loc();
}

void Emitter::function(const Function *F) {
  Inside Here("function", F->Name);
  Words Params;
  std::vector<Id> ParamTypes;
  for (const Variable *Param : F->Params) {
    Id Type = T.value(Param->Ty), Incoming = W.newId();
    ParamTypes.push_back(Type);
    append(Params, Op::OpFunctionParameter, {Type, Incoming});
    store(variablePlace(Param), Incoming);
  }
  statements(F->Stmts);
  Id Result = T.value(F->Result);
  if (!Dead && F->Result->isVoid())
    endBlock(Op::OpReturn, {});
  else if (!Dead) // C: undefined only if the caller looks at the result
    endBlock(Op::OpReturnValue, {W.undef(Result)});

  EmittedFunction &E = Emitted[F];
  E.Function = W.newId();
  for (const Variable *Param : F->Params)
    E.Needs.push_back(ParamNeeds[Param]);
  if (O.Debug)
    W.name(E.Function, F->Name);
  writeFunction(E.Function, W.functionType(Result, ParamTypes), Result, Params,
                {});
}

// The kernel.

Id Emitter::builtin(spv::BuiltIn Which) {
  Id Type = W.vectorType(W.intType(32), 3);
  Id &Variable = Builtins[Which];
  if (!Variable) {
    Variable = W.globalVariable(spv::StorageClass::Input, Type);
    W.decorate(Variable, spv::Decoration::BuiltIn, {uint32_t(Which)});
  }
  return emit(Op::OpLoad, Type, {Variable});
}

/// The runtime's grids: AMPC_GRID_COLUMNS and _ROWS in ampc/kernel.h.
constexpr uint32_t GridColumns = 4096, GridRows = 32768;

/// 32 bits are enough: the runtime's grids have at most 2^32 work items
/// (untiled) or groups (tiled). NumWorkgroups would make every dispatch dearer:
/// NVIDIA's driver has to put it into memory.
Id Emitter::groupNumber() {
  Id Group = builtin(spv::BuiltIn::WorkgroupId), Int = W.intType(32);
  auto Lane = [&](uint32_t I) {
    return emit(Op::OpCompositeExtract, Int, {Group, I});
  };
  Id Layer = emit(Op::OpIMul, Int, {Lane(2), u32(GridRows)});
  Id Row = emit(Op::OpIAdd, Int, {Layer, Lane(1)});
  Id First = emit(Op::OpIMul, Int, {Row, u32(GridColumns)});
  return emit(Op::OpIAdd, Int, {First, Lane(0)});
}

Id Emitter::indexValue(llvm::ArrayRef<Id> Lanes) {
  if (Lanes.size() == 1)
    return Lanes[0];
  return emit(Op::OpCompositeConstruct,
              W.vectorType(W.intType(32), Lanes.size()), Lanes);
}

/// if (Condition) Then, and the kernel's end.
void Emitter::guarded(Id Condition, llvm::function_ref<void()> Then) {
  Id Inside = W.newId(), End = W.newId();
  emitPlain(Op::OpSelectionMerge, {End, 0});
  endBlock(Op::OpBranchConditional, {Condition, Inside, End});
  startBlock(Inside);
  Then();
  if (!Dead)
    branch(End);
  startBlock(End);
  endBlock(Op::OpReturn, {});
}

/// The size of a domain, which fits 32 bits: the runtime refuses others.
Id Emitter::product(llvm::ArrayRef<Id> Factors) {
  Id Result = Factors[0];
  for (Id Factor : Factors.drop_front())
    Result = emit(Op::OpIMul, W.intType(32), {Result, Factor});
  return Result;
}

/// The digits of Number to the bases Extents, the last one varying fastest.
llvm::SmallVector<Id, 4> Emitter::split(Id Number, llvm::ArrayRef<Id> Extents) {
  Id Int = W.intType(32);
  llvm::SmallVector<Id, 4> Digits(Extents.size());
  for (size_t D = Extents.size() - 1; D != 0; --D) {
    Id Quotient = emit(Op::OpUDiv, Int, {Number, Extents[D]});
    Id Whole = emit(Op::OpIMul, Int, {Quotient, Extents[D]});
    Digits[D] = emit(Op::OpISub, Int, {Number, Whole});
    Number = Quotient;
  }
  Digits[0] = Number;
  return Digits;
}

void Emitter::untiled() {
  // 64 until the runtime specialises it.
  Id Size = W.specConstantInt(SpecGroupSize, 64), Int = W.intType(32);
  W.executionMode(spv::ExecutionMode::LocalSize, {64, 1, 1});
  Id GroupSize = W.specConstantComposite(W.vectorType(Int, 3),
                                         {Size, u32(1), u32(1)});
  W.decorate(GroupSize, spv::Decoration::BuiltIn,
             {uint32_t(spv::BuiltIn::WorkgroupSize)});

  Id Group = groupNumber();
  Id Local = emit(Op::OpCompositeExtract, Int,
                  {builtin(spv::BuiltIn::LocalInvocationId), 0});
  Id First = emit(Op::OpIMul, Int, {Group, Size});
  Id Linear = emit(Op::OpIAdd, Int, {First, Local});

  llvm::SmallVector<Id, 4> Extents;
  for (unsigned D = 0; D != K.Rank; ++D)
    Extents.push_back(Args.domainExtent(D));
  Id Inside =
      emit(Op::OpULessThan, W.boolType(), {Linear, product(Extents)});
  guarded(Inside, [&] {
    llvm::SmallVector<Id, 4> Index = split(Linear, Extents);
    auto Bind = [&](const Variable *Var, Id Value) {
      store(variablePlace(Var), Value);
    };
    if (K.Indices.size() == K.Rank)
      for (unsigned D = 0; D != K.Rank; ++D)
        Bind(K.Indices[D], Index[D]);
    else if (!K.Indices.empty())
      Bind(K.Indices[0], indexValue(Index));
    startReports(Index);
    copyCaptures();
    statements(K.Stmts);
  });
}

void Emitter::tiled() {
  Id Int = W.intType(32);
  unsigned Last = K.Rank - 1;
  auto Size = [&](unsigned FromLast) {
    return FromLast < K.Rank ? K.Tile[Last - FromLast] : 1;
  };
  W.executionMode(spv::ExecutionMode::LocalSize, {Size(0), Size(1), Size(2)});

  Id Group = groupNumber();
  llvm::SmallVector<Id, 4> Counts;
  for (unsigned D = 0; D != K.Rank; ++D) {
    Id Extent = Args.domainExtent(D);
    Counts.push_back(K.Tile[D] == 1
                         ? Extent
                         : emit(Op::OpUDiv, Int, {Extent, u32(K.Tile[D])}));
  }
  Id Inside = emit(Op::OpULessThan, W.boolType(), {Group, product(Counts)});
  Id LocalId = builtin(spv::BuiltIn::LocalInvocationId);
  guarded(Inside, [&] {
    llvm::SmallVector<Id, 4> Tile = split(Group, Counts), Local, Origin,
                             Global;
    for (unsigned D = 0; D != K.Rank; ++D) {
      Local.push_back(
          emit(Op::OpCompositeExtract, Int, {LocalId, Last - D}));
      Origin.push_back(emit(Op::OpIMul, Int, {Tile[D], u32(K.Tile[D])}));
      Global.push_back(emit(Op::OpIAdd, Int, {Origin[D], Local[D]}));
    }
    for (const Variable *Index : K.Indices) {
      llvm::SmallVector<Id, 5> Fields;
      for (const Type::Field &F : Index->Ty->Fields)
        Fields.push_back(F.Name == "global"        ? indexValue(Global)
                         : F.Name == "local"       ? indexValue(Local)
                         : F.Name == "tile"        ? indexValue(Tile)
                         : F.Name == "tile_origin" ? indexValue(Origin)
                                                   : zero(F.Ty));
      Id Value =
          emit(Op::OpCompositeConstruct, T.value(Index->Ty), Fields);
      store(variablePlace(Index), Value);
    }
    startReports(Global);
    copyCaptures();
    statements(K.Stmts);
  });
}

/// C's floats: infinities, NaNs and the sign of zero count (NVIDIA's driver
/// else takes x == x for true), so do denormals, and results are rounded to
/// nearest even. The runtime drops what a device does not know.
void Emitter::ieeeFloats() {
  for (unsigned Width : {32u, 64u}) {
    if (!W.usesFloat(Width))
      continue;
    W.capability(spv::Capability::SignedZeroInfNanPreserve);
    W.capability(spv::Capability::DenormPreserve);
    W.capability(spv::Capability::RoundingModeRTE);
    W.executionMode(spv::ExecutionMode::SignedZeroInfNanPreserve, {Width});
    W.executionMode(spv::ExecutionMode::DenormPreserve, {Width});
    W.executionMode(spv::ExecutionMode::RoundingModeRTE, {Width});
  }
}

void Emitter::run(Binary &Result) {
  W.capability(spv::Capability::Shader);
  W.capability(spv::Capability::PhysicalStorageBufferAddresses);
  if (O.Debug && K.Where.File < M.Files.size())
    W.source(W.string(M.Files[K.Where.File]));
  SharesMemory = sharesAcceleratorMemory(K);
  declareReports();
  for (const Function *F : reachableFunctions(K.Stmts))
    function(F);

  InKernel = true;
  {
    Inside Here("kernel", K.Name);
    if (K.isTiled())
      tiled();
    else
      untiled();
  }
  ieeeFloats();
  limitInlining();
  Args.layOut(Result);
  Words Prologue = Args.prologue(O.Debug, K);
  Id Main = W.newId(), Void = W.voidType();
  if (O.Debug)
    W.name(Main, K.Name);
  writeFunction(Main, W.functionType(Void, {}), Void, {}, Prologue);

  Result.Words = W.finish(Main);
  Result.UsesDouble = W.hasCapability(spv::Capability::Float64);
  Result.UsesInt8 = W.hasCapability(spv::Capability::StorageBuffer8BitAccess);
  Result.UsesInt16 = W.hasCapability(spv::Capability::StorageBuffer16BitAccess);
  Result.UsesTileInt8 = W.hasCapability(spv::Capability::Int8);
  Result.UsesTileInt16 = W.hasCapability(spv::Capability::Int16);
  Result.TileStaticBytes = TileStaticBytes;
}

} // namespace ampc::spirv
