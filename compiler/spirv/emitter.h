//===- emitter.h - one kernel and its functions as SPIR-V -----------------===//
//
// Walks KIR once and writes unoptimised, structured SPIR-V: every assignable
// variable is an OpVariable, there are no phis, and spirv-opt (optimise.h) does
// the rest. Split by subject:
//   places.cpp      variables, members, elements: where things stand
//   memory.cpp      leaves in physical storage buffers and in unions
//   views.cpp       the parts of views, only those that are needed
//   pointers.cpp    pointers, and variables that they may point into
//   values.cpp      values except arithmetic
//   arithmetic.cpp  operators and conversions
//   intrinsics.cpp  mathematical functions
//   exact.cpp       those that must be rounded correctly, and division
//   statements.cpp  structured control flow
//   reports.cpp     what work items tell the host
//   kernel.cpp      functions, the entry point, work-item numbering
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_SPIRV_EMITTER_H
#define AMPC_SPIRV_EMITTER_H

#include "kir/passes/points_to.h"
#include "kir/walk.h"
#include "spirv/arguments.h"
#include "spirv/constants.h"
#include "spirv/exact.h"
#include "spirv/narrow.h"
#include "llvm/ADT/SmallVector.h"
#include <array>

namespace ampc::spirv {

/// Which parts of a view are wanted, one bit each.
struct ViewNeed {
  static constexpr unsigned Address = 1;
  static constexpr unsigned stride(unsigned D) { return 2u << D; }
  static constexpr unsigned extent(unsigned D) { return 32u << D; }
  static unsigned element(unsigned Rank); ///< to address an element
  static unsigned all(unsigned Rank);
};

/// The parts of a view as values; those not asked for are 0.
struct ViewParts {
  Id Address = 0;
  std::array<Id, 4> Stride = {}, Extent = {}; ///< by dimension
};

/// Where something of type Ty stands.
struct Place {
  enum class Kind {
    Object,   ///< a variable of ours: Pointer, Indices, Class
    Words,    ///< bytes from Offset (+ Step steps) on, in an array of ints of
              ///< Unit bytes at Pointer: inside a union, or a variable with an
              ///< address
    Pointer,  ///< Step and Address + Offset in object number Object, one of
              ///< Targets
    Memory,   ///< Address + Offset, aligned to Align, in accelerator memory
    Capture,  ///< part Path of capture number Capture
    Constant, ///< Init, a part of the constant Var that Indices (and Offset)
              ///< lead to
  } K;
  const kir::Type *Ty;
  const kir::Variable *Var = nullptr; ///< null where no single variable is known
  Id Pointer = 0;
  spv::StorageClass Class = spv::StorageClass::Function;
  llvm::SmallVector<Id, 4> Indices;
  llvm::SmallVector<unsigned, 4> Targets; ///< PointsTo's numbers
  Id Address = 0, Step = 0, Object = 0;
  uint64_t Offset = 0, Align = 4;
  unsigned Unit = 4;
  unsigned Marks = 0; ///< Types::Marks
  unsigned Capture = 0;
  std::string Path;
  const kir::Expr *Init = nullptr;
};

class Emitter {
public:
  Emitter(const kir::Module &M, const kir::Kernel &K, const Options &O,
          bool Indirect)
      : M(M), K(K), O(O), Narrow(isNarrow(K)), T(W, O.Debug, Narrow),
        Args(W, T, Indirect), Points(K),
        Constants(M) {
    if (Narrow)
      TileStaticUnits = tileStaticUnits(K, Points);
  }

  /// Fills in everything but the optimised words.
  void run(Binary &Result);

  /// What this module cannot express, as "not supported yet: X", or empty.
  const std::string &error() const { return Error; }
  /// A function that is called returns from the middle of its body.
  bool hasEarlyReturns() const { return EarlyReturns; }

private:
  friend class ExactBuilder;

  // Instructions. emit() gives the result id.
  Id emit(spv::Op Op, Id Type, llvm::ArrayRef<uint32_t> Operands);
  void emitPlain(spv::Op Op, llvm::ArrayRef<uint32_t> Operands);
  Id emitFloat(spv::Op Op, Id Type, llvm::ArrayRef<uint32_t> Operands,
               bool Contract = false);
  Id emitExtended(Id Type, uint32_t Instruction, llvm::ArrayRef<Id> Operands);
  void startBlock(Id Label);
  /// Ends the current block; what follows until startBlock() is dead.
  void endBlock(spv::Op Op, llvm::ArrayRef<uint32_t> Operands);
  void branch(Id Label) { endBlock(spv::Op::OpBranch, {Label}); }
  void line(kir::Loc Where);
  Id functionVariable(Id ValueType);
  void unsupported(const std::string &What);

  // Constants.
  Id u32(uint64_t Value) { return W.constantInt(32, Value); }
  Id u64(uint64_t Value) { return W.constantInt(64, Value); }
  Id splat(const kir::Type *Ty, Id Scalar);
  Id constant(const kir::Expr *E); ///< of a constant tree
  Id zero(const kir::Type *Ty);

  // places.cpp
  Place place(const kir::Expr *E, bool ForAddress = false);
  Place variablePlace(const kir::Variable *Var);
  Place member(Place P, unsigned Field);
  Place element(Place P, const kir::Expr *Index);
  Place element(Place P, uint64_t Index);
  Place asObject(const Place &P);
  Place asMemory(const Place &P);
  Place copyOf(const Place &P);
  Place wordsOf(const Place &P);
  Id loadUnionWord(const Place &P, uint64_t I);
  void storeUnionWord(const Place &P, uint64_t I, Id Word);
  bool isStoredNarrow(const Place &P) const;
  Id pointerTo(const Place &P);
  Id load(const Place &P);
  void store(const Place &P, Id Value);
  unsigned captureNumber(const kir::Variable *Var) const;

  // pointers.cpp
  Place objectPlace(const kir::Variable *Var);
  Id zeroWords(const kir::Type *Ty);
  static uint64_t objectSize(const kir::Type *Ty);
  static uint64_t fieldOffset(const kir::Type *Ty, unsigned Field);
  void copyCaptures();
  Id constantsAddress();
  Id makePointer(Id Object, Id Step, Id Address);
  Id objectOf(Id Pointer);
  Id stepOf(Id Pointer);
  Id displaceStep(Id Step, Id Index, const kir::Type *IndexType, uint64_t Size);
  Id addressIn(Id Pointer);
  Id addressOf(const kir::AddressOf *E);
  Id pointerAdd(const kir::PointerAdd *E);
  Id pointerDifference(const kir::PointerDifference *E);
  Id comparePointers(const kir::Binary *E);
  Id isNotNull(Id Pointer);
  Place behindPointer(const kir::Deref *E);
  Place inTarget(const Place &P, unsigned Number);
  void inEachTarget(const Place &P,
                    llvm::function_ref<void(const Place &)> Use);
  Id loadBehindPointer(const Place &P);

  // memory.cpp
  Id loadLeaf(const Place &P);
  void storeLeaf(const Place &P, Id Value);
  Id memoryPointer(const Place &P, uint64_t Offset, Id Type,
                   bool IsSmall = false);
  uint32_t memoryAlign(const Place &P) const;
  Id intOf(uint64_t Bytes);
  Id unitPointer(const Place &P, uint64_t Offset);
  Id bitsBelow(const Place &P, uint64_t Offset);
  Id loadInt(const Place &P, uint64_t Offset, unsigned Bytes);
  void storeInt(const Place &P, uint64_t Offset, unsigned Bytes, Id Value);
  bool needsInts(const Place &P) const;
  Id fromWords(const kir::Type *Leaf, llvm::ArrayRef<Id> Words);
  void toWords(const kir::Type *Leaf, Id Value, llvm::SmallVectorImpl<Id> &To);

  // views.cpp
  ViewParts view(const kir::Expr *E, unsigned Need);
  ViewParts viewAt(const Place &P, unsigned Need);
  Id packView(const kir::Type *Ty, const ViewParts &Parts);
  ViewParts partsOf(Id View, unsigned Rank, unsigned Need);
  ViewParts viewAmongWords(const Place &P, unsigned Need);
  void storeViewAmongWords(const Place &P, Id View);
  Place viewElement(const kir::ViewElement *E);
  Id displace(Id Address, Id Index, const kir::Type *IndexType, Id Stride);

  // values.cpp
  Id value(const kir::Expr *E);
  Id construct(const kir::Construct *E);
  Id call(const kir::Call *E);
  Id choose(const kir::Type *Ty, Id Condition,
            llvm::function_ref<Id()> True, llvm::function_ref<Id()> False);
  Id widenIndex(Id Index, const kir::Type *Ty);

  // arithmetic.cpp
  Id widen(Id Word, const kir::Type *Ty);
  Id unary(const kir::Unary *E);
  Id binary(const kir::Binary *E);
  Id shift(const kir::Binary *E);
  Id divide(const kir::Binary *E, Id Left, Id Right);
  Id convert(const kir::Type *To, const kir::Type *From, Id Value);

  // intrinsics.cpp
  Id intrinsic(const kir::Intrinsic *E);
  Id power(const kir::Type *Ty, Id X, Id Y);

  Id magnitude(const kir::Type *Ty, Id X);
  Id difference(const kir::Type *Ty, Id X, Id Y);
  Id fdim(const kir::Type *Ty, Id X, Id Y);
  Id round(const kir::Type *Ty, Id X);
  Id copysign(const kir::Type *Ty, Id Magnitude, Id Sign);

  // exact.cpp
  Id exact(Exact Which, const kir::Type *Ty, llvm::ArrayRef<Id> Args);
  Id exactFunction(Exact Which, unsigned Width);
  void limitInlining();
  struct ExactFunction {
    Id Function = 0;
    size_t Control = 0; ///< where its function control stands
    unsigned Calls = 0;
  };
  std::map<std::pair<Exact, unsigned>, ExactFunction> ExactFunctions;

  // statements.cpp
  void statements(const kir::Body &B);
  void statement(const kir::Stmt *S);
  void ifStatement(const kir::If *S);
  void loop(const kir::Loop *S);
  void guardLoop(Id Merge);
  void switchStatement(const kir::Switch *S);
  void returnStatement(const kir::Return *S);
  void barrier(kir::Fenced Memory, bool Control);

  // reports.cpp
  void declareReports();
  void startReports(llvm::ArrayRef<Id> Index);
  Id wordPointer(Id Address, uint64_t Offset);
  void storeRecord(Id Address, llvm::ArrayRef<Id> Record);
  void either(Id Condition, llvm::function_ref<void()> Then,
              llvm::function_ref<void()> Else);
  void report(const kir::Report *R);
  Id ReportsVariable = 0; ///< the buffer's address; 0: the kernel reports nothing
  Id ItemVariable = 0;    ///< the work item's index

  // kernel.cpp
  void function(const kir::Function *F);
  void untiled();
  void tiled();
  void ieeeFloats();
  Id groupNumber();
  Id product(llvm::ArrayRef<Id> Factors);
  llvm::SmallVector<Id, 4> split(Id Number, llvm::ArrayRef<Id> Extents);
  Id builtin(spv::BuiltIn Which);
  std::map<spv::BuiltIn, Id> Builtins;
  Id indexValue(llvm::ArrayRef<Id> Lanes);
  void guarded(Id Condition, llvm::function_ref<void()> Then);
  void writeFunction(Id Function, Id Type, Id Result, const Words &Params,
                     const Words &Prologue);

  const kir::Module &M;
  const kir::Kernel &K;
  const Options &O;
  const bool Narrow; ///< narrow.h
  ModuleWriter W;
  Types T;
  Arguments Args;
  kir::PointsTo Points;
  /// The bytes that a step of a pointer to one of our own objects takes.
  unsigned stepBytes() const { return Narrow ? 1 : 4; }
  std::map<const kir::Variable *, unsigned> TileStaticUnits;
  ConstantBuffer Constants;
  /// Holds the buffer's address for functions; 0: none needs it.
  Id ConstantsVariable = 0;
  std::string Error;
  bool EarlyReturns = false;
  uint64_t TileStaticBytes = 0;
  /// Work items of a tile exchange data through views (sharing.h).
  bool SharesMemory = false;

  struct EmittedFunction {
    Id Function;
    std::vector<unsigned> Needs; ///< per parameter: of a view, what is used
  };
  std::map<const kir::Function *, EmittedFunction> Emitted;
  std::map<const kir::Variable *, Id> Globals; ///< tile_static, Constant
  std::map<const kir::Variable *, Id> Objects; ///< whose address is taken

  // The function being written.
  struct LoopTargets {
    Id Break, Continue;             ///< Continue 0: a switch
    const kir::Loop *Tail;          ///< has a tail to run before each continue
    bool BreakUsed = false, ContinueUsed = false;
  };
  void continueLoop(size_t Loop);
  Words Variables, Code;
  size_t BlockStart = 0; ///< the current block, in Code
  bool Dead = false; ///< the current block has ended
  kir::Loc LastLine;
  std::map<const kir::Variable *, Id> Locals;
  std::map<const kir::Variable *, unsigned> ParamNeeds;
  std::vector<LoopTargets> Targets;
  bool InKernel = false;
  unsigned Depth = 0; ///< of nested statement lists
};

} // namespace ampc::spirv

#endif
