//===- sharing.cpp - do work items of a tile exchange data through views? -===//
//
// Follows the code in the order in which it may run, with flags that are only
// ever set: branches one after the other, loops until no flag changes, callees
// in place. So break, continue and return need no attention.
//
// A load whose value is stored to tile_static memory at once is finished before
// any barrier that orders that memory, and does not count as "loaded before".
//
//===----------------------------------------------------------------------===//

#include "spirv/sharing.h"
#include "kir/passes/points_to.h"
#include "kir/walk.h"
#include <map>

using namespace ampc::kir;
using llvm::cast;
using llvm::dyn_cast;

namespace ampc::spirv {

namespace {

class Sharing {
public:
  void body(const Body &B) {
    for (const Stmt *S : B)
      stmt(S);
  }
  bool found() const { return Now.Found; }

private:
  /// What has happened so far; a barrier after it; the answer.
  struct State {
    bool Loaded = false, Stored = false;
    bool LoadOrdered = false, StoreOrdered = false;
    bool Found = false;
    unsigned bits() const {
      return Loaded | Stored << 1 | LoadOrdered << 2 | StoreOrdered << 3 |
             Found << 4;
    }
  };

  void call(const Function *F);
  void stmt(const Stmt *S);
  void expr(const Expr *E, bool UsedAtOnce = false);
  void storeTo(const Expr *Place);
  void order(Fenced Memory);

  State Now;
  /// What calling a function in a given state leads to: without it, calls in
  /// calls would be followed exponentially often.
  std::map<std::pair<const Function *, unsigned>, State> After;
};

} // namespace

/// Pointers may lead to accelerator memory.
static bool mayBeShared(const Expr *Root) {
  return llvm::isa<ViewElement, Deref>(Root);
}

void Sharing::order(Fenced Memory) {
  if (Memory == Fenced::TileStatic)
    return;
  Now.LoadOrdered |= Now.Loaded;
  Now.StoreOrdered |= Now.Stored;
}

void Sharing::call(const Function *F) {
  std::pair<const Function *, unsigned> Key(F, Now.bits());
  auto Known = After.find(Key);
  if (Known != After.end()) {
    Now = Known->second;
    return;
  }
  body(F->Stmts);
  After[Key] = Now;
}

void Sharing::expr(const Expr *E, bool UsedAtOnce) {
  walk(E, [&](const Expr *Part) {
    if (auto *C = dyn_cast<Call>(Part))
      return call(C->Callee);
    auto *L = dyn_cast<Load>(Part);
    if (!L || !mayBeShared(rootOf(L->Place)))
      return;
    Now.Found |= Now.StoreOrdered;
    Now.Loaded |= !UsedAtOnce;
  });
}

void Sharing::storeTo(const Expr *Place) {
  expr(Place);
  if (!mayBeShared(rootOf(Place)))
    return;
  Now.Found |= Now.LoadOrdered || Now.StoreOrdered;
  Now.Stored = true;
}

void Sharing::stmt(const Stmt *S) {
  switch (S->K) {
  case Stmt::Kind::Declare:
    if (const Expr *Init = cast<Declare>(S)->Init)
      expr(Init);
    break;
  case Stmt::Kind::Store: {
    auto *A = cast<Store>(S);
    auto *To = dyn_cast<VarRef>(rootOf(A->Place));
    expr(A->Value, To && To->Var->Store == Storage::TileStatic);
    storeTo(A->Place);
    break;
  }
  case Stmt::Kind::Eval:
    expr(cast<Eval>(S)->Value);
    break;
  case Stmt::Kind::Block:
    body(cast<Block>(S)->Stmts);
    break;
  case Stmt::Kind::If:
    expr(cast<If>(S)->Condition);
    body(cast<If>(S)->Then);
    body(cast<If>(S)->Else);
    break;
  case Stmt::Kind::Loop: {
    auto *L = cast<Loop>(S);
    unsigned Before;
    do { // flags are only ever set, so there are few rounds
      Before = Now.bits();
      body(L->Prelude);
      if (L->Condition)
        expr(L->Condition);
      body(L->Stmts);
      body(L->Step);
    } while (Now.bits() != Before);
    break;
  }
  case Stmt::Kind::Switch:
    expr(cast<Switch>(S)->Subject);
    for (const Switch::Case &C : cast<Switch>(S)->Cases)
      body(C.Stmts);
    break;
  case Stmt::Kind::Return:
    if (const Expr *Value = cast<Return>(S)->Value)
      expr(Value);
    break;
  case Stmt::Kind::Barrier:
    order(cast<Barrier>(S)->Memory);
    break;
  case Stmt::Kind::Fence:
    order(cast<Fence>(S)->Memory);
    break;
  case Stmt::Kind::Report:
    for (const Expr *Arg : cast<Report>(S)->Args)
      expr(Arg);
    break;
  case Stmt::Kind::Break:
  case Stmt::Kind::Continue:
    break;
  }
}

bool sharesAcceleratorMemory(const Kernel &K) {
  Sharing S;
  S.body(K.Stmts);
  return S.found();
}

} // namespace ampc::spirv
