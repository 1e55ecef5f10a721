//===- sharing.cpp - do work items of a tile exchange data through views? -===//
//
// Follows the code in the order in which it may run, with flags that are only
// ever set: branches one after the other, loops twice, callees in place. So
// break, continue and return need no attention.
//
// A load whose value is stored to tile_static memory at once is finished before
// any barrier that orders that memory, and does not count as "loaded before".
//
//===----------------------------------------------------------------------===//

#include "spirv/sharing.h"
#include "kir/walk.h"

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
  bool Found = false;

private:
  void stmt(const Stmt *S);
  void expr(const Expr *E, bool UsedAtOnce = false);
  void storeTo(const Expr *Place);
  void order(Fenced Memory);

  bool Loaded = false, Stored = false; ///< so far
  bool LoadOrdered = false, StoreOrdered = false; ///< and then a barrier
};

} // namespace

/// The variable or view element that a place is part of.
static const Expr *rootOf(const Expr *Place) {
  for (;;) {
    if (auto *X = dyn_cast<Member>(Place))
      Place = X->Base;
    else if (auto *X = dyn_cast<Element>(Place))
      Place = X->Base;
    else
      return Place;
  }
}

void Sharing::order(Fenced Memory) {
  if (Memory == Fenced::TileStatic)
    return;
  LoadOrdered |= Loaded;
  StoreOrdered |= Stored;
}

void Sharing::expr(const Expr *E, bool UsedAtOnce) {
  walk(E, [&](const Expr *Part) {
    if (auto *C = dyn_cast<Call>(Part))
      return body(C->Callee->Stmts);
    auto *L = dyn_cast<Load>(Part);
    if (!L || !llvm::isa<ViewElement>(rootOf(L->Place)))
      return;
    Found |= StoreOrdered;
    Loaded |= !UsedAtOnce;
  });
}

void Sharing::storeTo(const Expr *Place) {
  expr(Place);
  if (!llvm::isa<ViewElement>(rootOf(Place)))
    return;
  Found |= LoadOrdered || StoreOrdered;
  Stored = true;
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
    for (int Round = 0; Round != 2; ++Round) {
      body(L->Prelude);
      if (L->Condition)
        expr(L->Condition);
      body(L->Stmts);
      body(L->Step);
    }
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
  case Stmt::Kind::Break:
  case Stmt::Kind::Continue:
    break;
  }
}

bool sharesAcceleratorMemory(const Kernel &K) {
  Sharing S;
  S.body(K.Stmts);
  return S.Found;
}

} // namespace ampc::spirv
