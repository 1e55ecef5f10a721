//===- limits.cpp - how large a module is, and how large it may be --------===//

#include "spirv/limits.h"
#include <algorithm>
#include <spirv/unified1/spirv.hpp11>
#include <unordered_map>

namespace ampc::spirv {
namespace {

struct Limit {
  const char *What;
  uint64_t Most;
};

constexpr Limit Nesting{"statements inside each other", 1023},
    Ids{"values", 0x3fffff}, Parameters{"parameters of a function", 255},
    Members{"members of a struct", 16383},
    StructDepth{"structs inside each other", 255},
    Locals{"local variables of a function", 524287},
    Globals{"variables outside of functions", 65535},
    Cases{"cases of a switch", 16383},
    Subscripts{"subscripts and members in one access", 255};

class Measure {
public:
  explicit Measure(Size &To) : To(To) {}

  void instruction(const uint32_t *Words, unsigned Count) {
    switch (spv::Op(*Words & 0xffff)) {
    case spv::Op::OpTypeStruct:
      see(Members, Count - 2);
      for (unsigned I = 2; I < Count; ++I)
        StructDepths[Words[1]] =
            std::max(StructDepths[Words[1]], StructDepths[Words[I]] + 1);
      see(StructDepth, StructDepths[Words[1]]);
      break;
    case spv::Op::OpTypeArray:
      StructDepths[Words[1]] = StructDepths[Words[2]];
      break;
    case spv::Op::OpTypeFunction:
      see(Parameters, Count - 3);
      break;
    case spv::Op::OpVariable:
      ++VariablesHere;
      see(InFunction ? Locals : Globals, VariablesHere);
      break;
    case spv::Op::OpFunction:
      InFunction = true;
      Chain = 0;
      Open.clear();
      Levels.clear();
      VariablesHere = 0;
      break;
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      see(Subscripts, Count - 4);
      break;
    case spv::Op::OpSwitch:
      see(Cases, (Count - 3) / 2);
      break;
    case spv::Op::OpSelectionMerge:
    case spv::Op::OpLoopMerge:
      Levels[Words[1]] = Open.size();
      Open.push_back({Words[1], Chain});
      To.Depth = std::max<unsigned>(To.Depth, Open.size());
      see(Nesting, Open.size());
      break;
    case spv::Op::OpLabel:
      label(Words[1]);
      break;
    default:
      break;
    }
  }

  /// A construct ends where its merge block stands. Of that and of the blocks
  /// inside, the head is the dominator.
  void label(uint32_t Block) {
    uint64_t Head = Open.empty() ? 0 : Open.back().Chain;
    if (auto Level = Levels.find(Block); Level != Levels.end()) {
      size_t Left = Level->second;
      Head = Open[Left].Chain;
      for (; Open.size() > Left; Open.pop_back())
        Levels.erase(Open.back().Merge);
    }
    Chain = Head + 1;
    To.ValidationSteps += Open.size() * Chain;
  }

  void see(const Limit &L, uint64_t Number) {
    if (Number > L.Most && To.Excess.empty())
      To.Excess =
          std::string("more than ") + std::to_string(L.Most) + " " + L.What;
  }

private:
  Size &To;
  bool InFunction = false;
  uint64_t VariablesHere = 0;
  struct Construct {
    uint32_t Merge;
    uint64_t Chain; ///< of its head
  };
  uint64_t Chain = 0;          ///< how many blocks dominate the current one
  std::vector<Construct> Open; ///< around the current block
  std::unordered_map<uint32_t, size_t> Levels; ///< where they stand in Open
  std::unordered_map<uint32_t, unsigned> StructDepths;
};

} // namespace

Size sizeOf(const std::vector<uint32_t> &Words) {
  constexpr size_t Header = 5, Bound = 3;
  Size Result;
  Measure M(Result);
  M.see(Ids, Words[Bound]);
  for (size_t I = Header; I < Words.size(); I += Words[I] >> 16)
    M.instruction(&Words[I], Words[I] >> 16);
  return Result;
}

} // namespace ampc::spirv
