//===- optimise.cpp - SPIRV-Tools: optimiser and validator ----------------===//

#include "spirv/optimise.h"
#include "spirv/limits.h"
#include "spirv/spirv.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <set>
#include <spirv-tools/libspirv.hpp>
#include <spirv-tools/optimizer.hpp>
#include <spirv/unified1/spirv.hpp11>
#include <unordered_map>

namespace ampc::spirv {

constexpr spv_target_env Target = SPV_ENV_VULKAN_1_2;

static spvtools::MessageConsumer collectInto(std::string &Text) {
  return [&Text](spv_message_level_t Level, const char *,
                 const spv_position_t &Position, const char *Message) {
    if (Level > SPV_MSG_ERROR)
      return;
    if (!Text.empty())
      Text += "\n";
    if (Position.index)
      Text += "word " + std::to_string(Position.index) + ": ";
    Text += Message;
  };
}

/// The words of code that the entry point, the last function, would have with
/// every call inlined. Callees stand before their callers.
static uint64_t inlinedSize(const std::vector<uint32_t> &Words) {
  constexpr size_t Header = 5;
  std::map<uint32_t, uint64_t> Sizes;
  uint32_t Current = 0;
  bool StaysFunction = false;
  for (size_t I = Header; I < Words.size(); I += Words[I] >> 16) {
    auto Op = spv::Op(Words[I] & 0xffff);
    if (Op == spv::Op::OpFunction)
      Current = Words[I + 2];
    if (Op == spv::Op::OpFunction)
      StaysFunction =
          Words[I + 3] & uint32_t(spv::FunctionControlMask::DontInline);
    if (!Current || StaysFunction)
      continue;
    Sizes[Current] += Words[I] >> 16;
    if (Op == spv::Op::OpFunctionCall)
      Sizes[Current] = llvm::SaturatingAdd(Sizes[Current], Sizes[Words[I + 3]]);
  }
  return Sizes[Current];
}

/// What the passes of SPIRV-Tools that do not scale would cost.
struct Costs {
  /// The SSA rewriter goes through all uses of a variable at each of them.
  uint64_t VariableUses = 0;
  /// Redundancy elimination copies a table of all values for each block.
  uint64_t BlockValues = 0;
  /// Elements are inserted into whole arrays or structs. SPIRV-Tools 2023.1
  /// crashes when it folds that for a null array.
  bool InsertsElements = false;
};

static Costs costsOf(const std::vector<uint32_t> &Words) {
  constexpr size_t Header = 5;
  Costs Result;
  std::unordered_map<uint32_t, uint64_t> Uses;
  std::set<uint32_t> VectorTypes;
  uint64_t Blocks = 0, Instructions = 0;
  for (size_t I = Header; I < Words.size(); I += Words[I] >> 16) {
    ++Instructions;
    switch (spv::Op(Words[I] & 0xffff)) {
    case spv::Op::OpLabel:
      ++Blocks;
      break;
    case spv::Op::OpTypeVector:
      VectorTypes.insert(Words[I + 1]);
      break;
    case spv::Op::OpCompositeInsert:
      Result.InsertsElements |= !VectorTypes.count(Words[I + 1]);
      break;
    case spv::Op::OpVariable:
      if (Words[I + 3] == uint32_t(spv::StorageClass::Function))
        Uses.try_emplace(Words[I + 2], 0);
      break;
    case spv::Op::OpLoad:
      if (auto Found = Uses.find(Words[I + 3]); Found != Uses.end())
        ++Found->second;
      break;
    case spv::Op::OpStore:
      if (auto Found = Uses.find(Words[I + 1]); Found != Uses.end())
        ++Found->second;
      break;
    default:
      break;
    }
  }
  for (auto [Variable, Count] : Uses)
    Result.VariableUses += Count * Count;
  Result.BlockValues = Blocks * Instructions;
  return Result;
}

/// Returns an error, or "".
static std::string run(spvtools::Optimizer &Opt, std::vector<uint32_t> &Words) {
  std::string Messages;
  Opt.SetMessageConsumer(collectInto(Messages));
  spvtools::OptimizerOptions Options;
  Options.set_run_validator(false);
  std::vector<uint32_t> Result;
  if (!Opt.Run(Words.data(), Words.size(), &Result, Options))
    return "spirv-opt failed: " + Messages;
  Words = std::move(Result);
  return "";
}

std::string optimise(std::vector<uint32_t> &Words, bool EarlyReturns) {
  // Calls within calls multiply. Drivers inline as well; beyond this size
  // spirv-opt would take many seconds.
  constexpr uint64_t InlineLimit = 100000;
  bool Inline = inlinedSize(Words) <= InlineLimit;

  // Dead branches go before merge-return, which goes before inlining; it
  // rewrites the kernel's own returns, too, so only where inlining needs it.
  spvtools::Optimizer First(Target);
  First.RegisterPass(spvtools::CreateDeadBranchElimPass());
  if (Inline && EarlyReturns)
    First.RegisterPass(spvtools::CreateMergeReturnPass());
  if (Inline)
    First.RegisterPass(spvtools::CreateInlineExhaustivePass())
        .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass());
  First
      .RegisterPass(spvtools::CreatePrivateToLocalPass())
      // Variables to values, as far as that is cheap.
      .RegisterPass(spvtools::CreateScalarReplacementPass(100))
      .RegisterPass(spvtools::CreateLocalAccessChainConvertPass())
      .RegisterPass(spvtools::CreateLocalSingleBlockLoadStoreElimPass())
      .RegisterPass(spvtools::CreateLocalSingleStoreElimPass())
      .RegisterPass(spvtools::CreateScalarReplacementPass(100));
  if (std::string Error = run(First, Words); !Error.empty())
    return Error;

  // Each a few tenths of a second. Drivers do the same for what stays.
  constexpr uint64_t VariableUsesLimit = 20000000, BlockValuesLimit = 30000000;
  // The SSA rewriter replaces the phis of all levels one by one.
  constexpr unsigned DepthLimit = 100;
  Costs C = costsOf(Words);
  spvtools::Optimizer Second(Target);
  if (C.VariableUses <= VariableUsesLimit && sizeOf(Words).Depth <= DepthLimit)
    Second.RegisterPass(spvtools::CreateSSARewritePass());
  Second.RegisterPass(spvtools::CreateAggressiveDCEPass());
  // Values to fewer values.
  if (!C.InsertsElements)
    Second.RegisterPass(spvtools::CreateCCPPass())
        .RegisterPass(spvtools::CreateDeadBranchElimPass())
        .RegisterPass(spvtools::CreateSimplificationPass());
  Second.RegisterPass(spvtools::CreateCopyPropagateArraysPass())
      .RegisterPass(spvtools::CreateVectorDCEPass())
      .RegisterPass(spvtools::CreateDeadInsertElimPass())
      .RegisterPass(C.BlockValues <= BlockValuesLimit
                        ? spvtools::CreateRedundancyEliminationPass()
                        : spvtools::CreateLocalRedundancyEliminationPass());
  if (!C.InsertsElements)
    Second.RegisterPass(spvtools::CreateSimplificationPass());
  Second.RegisterPass(spvtools::CreateBlockMergePass())
      .RegisterPass(spvtools::CreateAggressiveDCEPass())
      .RegisterPass(spvtools::CreateCompactIdsPass());
  return run(Second, Words);
}

std::string validate(const std::vector<uint32_t> &Words) {
  spvtools::SpirvTools Tools(Target);
  std::string Messages;
  Tools.SetMessageConsumer(collectInto(Messages));
  spvtools::ValidatorOptions Options;
  Options.SetScalarBlockLayout(true);
  if (Tools.Validate(Words.data(), Words.size(), Options))
    return "";
  return Messages.empty() ? "the module does not validate" : Messages;
}

void allowContraction(std::vector<uint32_t> &Words) {
  constexpr size_t Header = 5;
  auto IsMark = [&](size_t I) {
    return spv::Op(Words[I] & 0xffff) == spv::Op::OpDecorateString &&
           spv::Decoration(Words[I + 2]) == spv::Decoration::UserSemantic;
  };
  std::set<uint32_t> Marked;
  for (size_t I = Header; I < Words.size(); I += Words[I] >> 16)
    if (IsMark(I))
      Marked.insert(Words[I + 1]);
  std::vector<uint32_t> Kept(Words.begin(), Words.begin() + Header);
  for (size_t I = Header; I < Words.size();) {
    size_t Count = Words[I] >> 16;
    bool Drop = IsMark(I) ||
                (spv::Op(Words[I] & 0xffff) == spv::Op::OpDecorate &&
                 spv::Decoration(Words[I + 2]) ==
                     spv::Decoration::NoContraction &&
                 Marked.count(Words[I + 1]));
    if (!Drop)
      Kept.insert(Kept.end(), Words.begin() + I, Words.begin() + I + Count);
    I += Count;
  }
  Words = std::move(Kept);
}

std::string disassemble(const std::vector<uint32_t> &Words) {
  spvtools::SpirvTools Tools(Target);
  std::string Text;
  Tools.Disassemble(Words, &Text,
                    SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES |
                        SPV_BINARY_TO_TEXT_OPTION_INDENT |
                        SPV_BINARY_TO_TEXT_OPTION_NO_HEADER);
  return Text;
}

} // namespace ampc::spirv
