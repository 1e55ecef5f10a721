//===- optimise.cpp - SPIRV-Tools: optimiser and validator ----------------===//

#include "spirv/optimise.h"
#include "spirv/spirv.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <spirv-tools/libspirv.hpp>
#include <spirv-tools/optimizer.hpp>
#include <spirv/unified1/spirv.hpp11>

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
  for (size_t I = Header; I < Words.size(); I += Words[I] >> 16) {
    auto Op = spv::Op(Words[I] & 0xffff);
    if (Op == spv::Op::OpFunction)
      Current = Words[I + 2];
    if (!Current)
      continue;
    Sizes[Current] += Words[I] >> 16;
    if (Op == spv::Op::OpFunctionCall)
      Sizes[Current] = llvm::SaturatingAdd(Sizes[Current], Sizes[Words[I + 3]]);
  }
  return Sizes[Current];
}

std::string optimise(std::vector<uint32_t> &Words, bool EarlyReturns) {
  // Calls within calls multiply. Drivers inline as well; beyond this size
  // spirv-opt would take many seconds.
  constexpr uint64_t InlineLimit = 100000;
  bool Inline = inlinedSize(Words) <= InlineLimit;

  spvtools::Optimizer Opt(Target);
  std::string Messages;
  Opt.SetMessageConsumer(collectInto(Messages));

  // Dead branches go before merge-return, which goes before inlining; it
  // rewrites the kernel's own returns, too, so only where inlining needs it.
  Opt.RegisterPass(spvtools::CreateDeadBranchElimPass());
  if (Inline && EarlyReturns)
    Opt.RegisterPass(spvtools::CreateMergeReturnPass());
  if (Inline)
    Opt.RegisterPass(spvtools::CreateInlineExhaustivePass())
        .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass());
  Opt.RegisterPass(spvtools::CreatePrivateToLocalPass())
      // Variables to values.
      .RegisterPass(spvtools::CreateScalarReplacementPass(100))
      .RegisterPass(spvtools::CreateLocalAccessChainConvertPass())
      .RegisterPass(spvtools::CreateLocalSingleBlockLoadStoreElimPass())
      .RegisterPass(spvtools::CreateLocalSingleStoreElimPass())
      .RegisterPass(spvtools::CreateScalarReplacementPass(100))
      .RegisterPass(spvtools::CreateSSARewritePass())
      .RegisterPass(spvtools::CreateAggressiveDCEPass())
      // Values to fewer values.
      .RegisterPass(spvtools::CreateCCPPass())
      .RegisterPass(spvtools::CreateDeadBranchElimPass())
      .RegisterPass(spvtools::CreateSimplificationPass())
      .RegisterPass(spvtools::CreateCopyPropagateArraysPass())
      .RegisterPass(spvtools::CreateVectorDCEPass())
      .RegisterPass(spvtools::CreateDeadInsertElimPass())
      .RegisterPass(spvtools::CreateRedundancyEliminationPass())
      .RegisterPass(spvtools::CreateSimplificationPass())
      .RegisterPass(spvtools::CreateBlockMergePass())
      .RegisterPass(spvtools::CreateAggressiveDCEPass())
      .RegisterPass(spvtools::CreateCompactIdsPass());

  spvtools::OptimizerOptions Options;
  Options.set_run_validator(false);
  std::vector<uint32_t> Result;
  if (!Opt.Run(Words.data(), Words.size(), &Result, Options))
    return "spirv-opt failed: " + Messages;
  Words = std::move(Result);
  return "";
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
  std::vector<uint32_t> Kept(Words.begin(), Words.begin() + Header);
  for (size_t I = Header; I < Words.size();) {
    size_t Count = Words[I] >> 16;
    bool Drop = (Words[I] & 0xffff) == uint32_t(spv::Op::OpDecorate) &&
                Words[I + 2] == uint32_t(spv::Decoration::NoContraction);
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
