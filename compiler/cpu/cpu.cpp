//===- cpu.cpp - kernels for the CPU accelerator --------------------------===//
//
// What a file has once: constant tables, and the functions that kernels call.
//
//===----------------------------------------------------------------------===//

#include "cpu/cpu.h"
#include "cpu/kernel.h"
#include "cpu/normalise.h"
#include "cpu/printer.h"
#include "cpu/structure.h"
#include "kir/progress.h"
#include "kir/walk.h"
#include "llvm/ADT/StringExtras.h"

using namespace ampc::kir;
using llvm::dyn_cast;

namespace ampc::cpu {

//---- contraction -----------------------------------------------------------

static bool isSum(const Binary *B) {
  return B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub;
}

/// The product that E, a term of a sum, is or is the negative of; or null.
static const Binary *productIn(const Expr *E) {
  while (auto *U = dyn_cast<Unary>(E))
    E = U->Operand;
  auto *B = dyn_cast<Binary>(E);
  return B && B->Op == BinaryOp::Mul ? B : nullptr;
}

namespace {
/// How the sums and products of some text may be contracted.
struct Contraction {
  bool All = true;    ///< each of them may
  bool Within = true; ///< each sum with each product that is its term
  bool Terms = true;  ///< each product is a term of a sum

  void add(const Body &B);
};
} // namespace

void Contraction::add(const Body &B) {
  size_t Products = 0, Summed = 0;
  walk(
      B,
      [&](const Expr *E) {
        auto *X = dyn_cast<Binary>(E);
        if (!X || !X->Ty->scalar()->isFloat())
          return;
        if (X->Op == BinaryOp::Mul)
          ++Products;
        else if (!isSum(X))
          return;
        All &= X->Contract;
        if (isSum(X))
          for (const Expr *Term : {X->Left, X->Right})
            if (const Binary *Product = productIn(Term)) {
              ++Summed;
              Within &= X->Contract && Product->Contract;
            }
      },
      [](const Stmt *) {});
  Terms &= Products == Summed;
}

/// A function's text between what makes host compilers contract no more than
/// KIR allows. Around all kernels that is: within an expression.
static std::string contracted(const Body &B, const std::string &Text) {
  Contraction C;
  C.add(B);
  if (C.Within && (!C.All || C.Terms))
    return Text;
  return (C.All ? "AMPC_CONTRACT_FAST\n" : "AMPC_CONTRACT_OFF\n") + Text +
         "AMPC_CONTRACT_END\n";
}

/// Larger functions, with what is inlined into them, are not inlined: gcc
/// inlines what has one call whatever its size, and takes minutes over loops
/// around that.
constexpr uint64_t MostInlined = 2000;

struct Backend::State {
  State(Module &M, const Options &O) : M(M), O(O), T(Before) {
    for (const auto &F : M.Functions)
      Contracts.add(F->Stmts);
    for (const auto &K : M.Kernels)
      Contracts.add(K->Stmts);
  }

  Module &M;
  const Options O;
  std::string Before; ///< definitions that the next text needs
  Types T;
  Names N;
  std::set<std::string> Taken;
  Contraction Contracts; ///< of the whole module
  std::map<const Function *, uint64_t> Inlined; ///< what a call adds, in nodes

  std::string unique(const std::string &Prefix, const std::string &Name);
  void constant(const Variable *V, std::string &Error);
  void function(const Function *F, std::string &Error);
  bool isTooLarge(const Function *F);
  void dependencies(const Body &B, std::string &Error);
  std::vector<const Variable *> sharedBy(const Body &B);
};

std::string Backend::State::unique(const std::string &Prefix,
                                   const std::string &Name) {
  std::string Plain = Prefix + Name;
  for (char &C : Plain)
    if (!llvm::isAlnum(C) && C != '_' && C != '$' && !(C & 0x80))
      C = '_';
  std::string Result = Plain;
  for (unsigned I = 1; !Taken.insert(Result).second; ++I)
    Result = Plain + "_" + std::to_string(I);
  return Result;
}

void Backend::State::constant(const Variable *V, std::string &Error) {
  auto [At, New] = N.Constants.try_emplace(V);
  if (!New)
    return;
  At->second = unique("ampc_constant_", V->Name);
  Printer P(M, T, N, false);
  std::string Init = V->Init ? P.initialiser(V->Init) : "{0}";
  Before +=
      "static const " + T.declare(V->Ty, At->second) + " = " + Init + ";\n";
  if (Error.empty())
    Error = P.Error;
}

/// The tile_static variables that running B may touch.
std::vector<const Variable *> Backend::State::sharedBy(const Body &B) {
  std::vector<const Variable *> Result;
  auto Add = [&](const Variable *V) {
    if (std::find(Result.begin(), Result.end(), V) == Result.end())
      Result.push_back(V);
  };
  auto Ignore = [](const Stmt *) {};
  auto Collect = [&](const Expr *E) {
    auto *Ref = dyn_cast<VarRef>(E);
    if (Ref && Ref->Var->Store == Storage::TileStatic)
      Add(Ref->Var);
  };
  walk(B, Collect, Ignore);
  for (const Function *F : reachableFunctions(B))
    walk(F->Stmts, Collect, Ignore);
  return Result;
}

void Backend::State::dependencies(const Body &B, std::string &Error) {
  auto Ignore = [](const Stmt *) {};
  auto Constants = [&](const Expr *E) {
    auto *Ref = dyn_cast<VarRef>(E);
    if (Ref && Ref->Var->Store == Storage::Constant)
      constant(Ref->Var, Error);
  };
  std::vector<const Function *> Functions = reachableFunctions(B);
  for (const Function *F : Functions)
    walk(F->Stmts, Constants, Ignore);
  walk(B, Constants, Ignore);
  for (const Function *F : Functions)
    function(F, Error);
}

/// Callees are asked about before their callers.
bool Backend::State::isTooLarge(const Function *F) {
  uint64_t Size = 0;
  walk(
      F->Stmts,
      [&](const Expr *E) {
        auto *C = dyn_cast<Call>(E);
        Size += C ? Inlined[C->Callee] : 1;
      },
      [](const Stmt *) {});
  bool TooLarge = Size > MostInlined;
  Inlined[F] = TooLarge ? 1 : Size;
  return TooLarge;
}

void Backend::State::function(const Function *F, std::string &Error) {
  auto [At, New] = N.Functions.try_emplace(F);
  if (!New)
    return;
  Inside Here("function", F->Name);
  At->second = unique("ampc_cpu_", F->Name);
  std::vector<const Variable *> Shared = sharedBy(F->Stmts);
  if (!Shared.empty())
    N.TileStatic[F] = Shared;

  Printer P(M, T, N, O.Lines);
  P.enter();
  std::string Params;
  for (const Variable *V : F->Params)
    Params += (Params.empty() ? "" : ", ") + T.declare(V->Ty, P.name(V));
  for (const Variable *V : Shared) {
    std::string Name = P.name(V);
    Params +=
        (Params.empty() ? "" : ", ") + T.declare(V->Ty, "(*" + Name + ")");
    P.call(V, "(*" + Name + ")", Binding::Postfix);
  }
  P.locate(F->Where);
  P.open((isTooLarge(F) ? "static __attribute__((noinline)) "
                        : "static inline ") +
         T.declare(F->Result, At->second + "(" +
                                  (Params.empty() ? "void" : Params) + ")"));
  P.body(F->Stmts);
  P.close();
  P.leave();
  Before += contracted(F->Stmts, P.Text);
  if (Error.empty())
    Error = P.Error;
}

Backend::Backend(Module &M, const Options &O)
    : S(std::make_unique<State>(M, O)) {}
Backend::~Backend() = default;

std::optional<Code> Backend::emit(const Kernel &K, std::string &Error) {
  Inside Here("kernel", K.Name);
  Error.clear();
  Body Normal;
  Structure Split;
  if (containsBarrier(K.Stmts)) {
    Normal = normalise(S->M, K);
    if (S->O.Normalised)
      S->O.Normalised(K, Normal);
    Split = structure(Normal);
  } else {
    Normal = K.Stmts;
    Split = unsplit(Normal);
  }
  S->dependencies(Normal, Error);
  Printer P(S->M, S->T, S->N, S->O.Lines);
  Code Result;
  printKernel(K, Split, S->sharedBy(Normal), S->O.CutsLoops, P, S->T, Result);
  if (Error.empty())
    Error = P.Error;
  if (!Error.empty())
    return std::nullopt;
  // gcc has one rule for all: it inlines only what has its caller's options.
  Result.Text =
      (S->Contracts.All ? "AMPC_KERNEL_BEGIN_FAST\n" : "AMPC_KERNEL_BEGIN\n") +
      S->Before + contracted(Normal, P.Text) + "AMPC_KERNEL_END\n";
  S->Before.clear();
  return Result;
}

} // namespace ampc::cpu
