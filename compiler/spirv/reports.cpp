//===- reports.cpp - what work items tell the host ------------------------===//
//
// Records in the buffer that kir/reports.h describes. Work items take room by
// an atomic addition; the one that sets the failure word writes its record. All
// else of the buffer is read by the host when the kernel has ended.
//
//===----------------------------------------------------------------------===//

#include "kir/reports.h"
#include "spirv/emitter.h"

using namespace ampc::kir;
using spv::Op;

namespace ampc::spirv {

/// Kernel arguments and indices are known in the entry point: two variables
/// bring what reports need into functions.
void Emitter::declareReports() {
  if (!reports(K.Stmts))
    return;
  Id Int = W.intType(32);
  ReportsVariable =
      W.globalVariable(spv::StorageClass::Private, W.intType(64));
  ItemVariable = W.globalVariable(spv::StorageClass::Private,
                                  W.vectorType(Int, ReportRank));
  if (O.Debug) {
    W.name(ReportsVariable, "reports");
    W.name(ItemVariable, "work_item");
  }
}

/// In the entry point, where the work item's index is known.
void Emitter::startReports(llvm::ArrayRef<Id> Index) {
  if (!ReportsVariable)
    return;
  llvm::SmallVector<Id, ReportRank> Item(Index.begin(), Index.end());
  Item.resize(ReportRank, u32(0));
  emitPlain(Op::OpStore, {ReportsVariable, Args.reports()});
  emitPlain(Op::OpStore,
            {ItemVariable, emit(Op::OpCompositeConstruct,
                                W.vectorType(W.intType(32), ReportRank), Item)});
}

/// A pointer to the word that stands so many bytes behind an address.
Id Emitter::wordPointer(Id Address, uint64_t Offset) {
  if (Offset)
    Address = emit(Op::OpIAdd, W.intType(64), {Address, u64(Offset)});
  return emit(Op::OpBitcast,
              W.pointerType(spv::StorageClass::PhysicalStorageBuffer,
                            W.intType(32)),
              {Address});
}

void Emitter::storeRecord(Id Address, llvm::ArrayRef<Id> Record) {
  for (size_t I = 0; I != Record.size(); ++I)
    emitPlain(Op::OpStore, {wordPointer(Address, 4 * I), Record[I],
                            uint32_t(spv::MemoryAccessMask::Aligned), 4});
}

void Emitter::either(Id Condition, llvm::function_ref<void()> Then,
                     llvm::function_ref<void()> Else) {
  Id ThenBlock = W.newId(), ElseBlock = W.newId(), Merge = W.newId();
  emitPlain(Op::OpSelectionMerge, {Merge, 0});
  endBlock(Op::OpBranchConditional, {Condition, ThenBlock, ElseBlock});
  startBlock(ThenBlock);
  Then();
  branch(Merge);
  startBlock(ElseBlock);
  Else();
  branch(Merge);
  startBlock(Merge);
}

void Emitter::report(const Report *R) {
  Id Int = W.intType(32), Bool = W.boolType();
  Id Scope = u32(uint32_t(spv::Scope::Device)), Relaxed = u32(0);
  llvm::SmallVector<Id, 16> Record{u32(R->Number)};
  if (R->Fails) {
    Id Item = emit(Op::OpLoad, W.vectorType(Int, ReportRank), {ItemVariable});
    for (unsigned D = 0; D != ReportRank; ++D)
      Record.push_back(emit(Op::OpCompositeExtract, Int, {Item, D}));
  }
  for (const Expr *Arg : R->Args)
    toWords(Arg->Ty, value(Arg), Record);
  Id Buffer = emit(Op::OpLoad, W.intType(64), {ReportsVariable});
  auto Pointer = [&](ReportWord At) { return wordPointer(Buffer, 4 * At); };

  if (R->Fails) {
    Id Before = emit(Op::OpAtomicCompareExchange, Int,
                     {Pointer(ReportFailed), Scope, Relaxed, Relaxed, u32(1),
                      u32(0)});
    return either(
        emit(Op::OpIEqual, Bool, {Before, u32(0)}),
        [&] {
          storeRecord(
              emit(Op::OpIAdd, W.intType(64), {Buffer, u64(4 * ReportFailure)}),
              Record);
        },
        [] {});
  }

  // Nobody adds once the buffer is full, so that the count does not overflow.
  Id Lost = Pointer(ReportLost), Taken = functionVariable(Int);
  Id Size = u32(Record.size());
  Id Capacity = emit(Op::OpLoad, Int,
                     {Pointer(ReportCapacity),
                      uint32_t(spv::MemoryAccessMask::Aligned), 4});
  Id Used = emit(Op::OpAtomicLoad, Int, {Pointer(ReportUsed), Scope, Relaxed});
  emitPlain(Op::OpStore, {Taken, Capacity});
  either(
      emit(Op::OpULessThan, Bool, {Used, Capacity}),
      [&] {
        emitPlain(Op::OpStore,
                  {Taken, emit(Op::OpAtomicIAdd, Int,
                               {Pointer(ReportUsed), Scope, Relaxed, Size})});
      },
      [] {});
  Id Start = emit(Op::OpLoad, Int, {Taken});
  Id End = emit(Op::OpIAdd, Int, {Start, Size});
  either(
      emit(Op::OpULessThanEqual, Bool, {End, Capacity}),
      [&] {
        Id Offset = emit(Op::OpUConvert, W.intType(64), {Start});
        Offset = emit(Op::OpIMul, W.intType(64), {Offset, u64(4)});
        Id Address = emit(Op::OpIAdd, W.intType(64),
                          {Buffer, u64(4 * ReportRecords)});
        storeRecord(emit(Op::OpIAdd, W.intType(64), {Address, Offset}), Record);
      },
      [&] {
        emit(Op::OpAtomicIAdd, Int, {Lost, Scope, Relaxed, u32(1)});
      });
}

} // namespace ampc::spirv
