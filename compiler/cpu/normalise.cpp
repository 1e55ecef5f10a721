//===- normalise.cpp - barriers where fission wants them ------------------===//

#include "cpu/normalise.h"
#include "cpu/inline.h"
#include "cpu/jumps.h"
#include "cpu/structure.h"
#include "kir/clone.h"
#include "kir/passes/points_to.h"
#include "kir/walk.h"

using namespace ampc::kir;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace ampc::cpu {

/// Functions that change nothing but their own variables, and tell nobody, may
/// be called once for all work items.
static bool isPure(const Expr *E) {
  bool Pure = true;
  auto Ignore = [](const Expr *) {};
  std::vector<const Function *> Callees;
  walk(E, [&](const Expr *Part) {
    auto *C = dyn_cast<Call>(Part);
    if (!C)
      return;
    Callees.push_back(C->Callee);
    for (const Function *F : reachableFunctions(C->Callee->Stmts))
      Callees.push_back(F);
  });
  for (const Function *F : Callees)
    walk(F->Stmts, Ignore, [&](const Stmt *S) {
      if (auto *A = dyn_cast<Store>(S)) {
        const Variable *V = rootVariable(A->Place);
        Pure &= V && (V->Store == Storage::Local || V->Store == Storage::Param);
      } else {
        Pure &= !isa<Barrier, Report>(S);
      }
    });
  return Pure;
}

namespace {

class Normaliser {
public:
  explicit Normaliser(Module &M) : M(M) {}
  void switches(Body &B);
  void continues(Body &B);
  void conditions(Body &B, bool InLoop);

private:
  /// A variable with the condition's value, declared at the end of Out.
  void hoist(Expr *&Condition, Body &Out);
  Module &M;
};

void Normaliser::switches(Body &B) {
  for (Stmt *&S : B) {
    forEachBody(S, [&](Body &Inner) { switches(Inner); });
    auto *X = dyn_cast<Switch>(S);
    if (!X)
      continue;
    bool Barriers = false;
    for (const Switch::Case &C : X->Cases)
      Barriers |= holdsBarrier(C.Stmts);
    if (Barriers)
      S = switchToIfs(M, X);
  }
}

void Normaliser::continues(Body &B) {
  for (Stmt *S : B) {
    forEachBody(S, [&](Body &Inner) { continues(Inner); });
    auto *L = dyn_cast<Loop>(S);
    if (L && holdsBarrier(Body{L}))
      removeContinues(M, L->Stmts);
  }
}

void Normaliser::hoist(Expr *&Condition, Body &Out) {
  if (!Condition || isPure(Condition))
    return;
  auto *V = M.make<Variable>();
  V->Name = "tmp";
  V->Ty = M.boolType();
  V->Where = Condition->Where;
  Out.push_back(M.make<Declare>(V, Condition, Condition->Where));
  Condition =
      M.make<Load>(M.make<VarRef>(V, Condition->Where), Condition->Where);
}

/// Of statements that stay outside of the loops over work items.
void Normaliser::conditions(Body &B, bool InLoop) {
  Body Out;
  for (Stmt *S : B) {
    bool Splits = holdsBarrier(Body{S}) || (InLoop && leavesLoop(S));
    if (auto *X = dyn_cast<If>(S); X && Splits) {
      hoist(X->Condition, Out);
      conditions(X->Then, InLoop);
      conditions(X->Else, InLoop);
    } else if (auto *X = dyn_cast<Block>(S); X && Splits) {
      conditions(X->Stmts, InLoop);
    } else if (auto *X = dyn_cast<Loop>(S); X && Splits) {
      hoist(X->Condition, X->Prelude);
      conditions(X->Prelude, true);
      conditions(X->Stmts, true);
      conditions(X->Step, true);
    }
    Out.push_back(S);
  }
  B = std::move(Out);
}

bool isAssigned(const Body &B, const Variable *V) {
  bool Found = V->AddressTaken;
  walk(
      B, [](const Expr *) {},
      [&](const Stmt *S) {
        auto *A = dyn_cast<Store>(S);
        Found |= A && rootVariable(A->Place) == V;
      });
  return Found;
}

} // namespace

bool holdsBarrier(const Body &B) {
  bool Found = false;
  walk(
      B, [](const Expr *) {}, [&](const Stmt *S) { Found |= isa<Barrier>(S); });
  return Found;
}

Body normalise(Module &M, const Kernel &K) {
  Cloner Copy(M);
  Body B;
  for (Variable *Index : K.Indices) {
    if (!isAssigned(K.Stmts, Index))
      continue;
    // The kernel changes it: an ordinary variable that starts with its value.
    auto *V = M.make<Variable>(*Index);
    V->Store = Storage::Local;
    Copy.replace(Index, V);
    B.push_back(M.make<Declare>(
        V, M.make<Load>(M.make<VarRef>(Index, V->Where), V->Where), V->Where));
  }
  Body Rest = Copy.body(K.Stmts);
  B.insert(B.end(), Rest.begin(), Rest.end());
  inlineSynchronising(M, B);
  removeReturns(M, B, nullptr);
  Normaliser N(M);
  N.switches(B);
  N.continues(B);
  N.conditions(B, false);
  return B;
}

} // namespace ampc::cpu
