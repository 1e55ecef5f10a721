//===- inline.cpp - calls of functions that synchronise -------------------===//

#include "cpu/inline.h"
#include "cpu/jumps.h"
#include "kir/clone.h"
#include "kir/operands.h"
#include "kir/passes/points_to.h"
#include "kir/walk.h"

using namespace ampc::kir;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace ampc::cpu {

namespace {

class Inliner {
public:
  explicit Inliner(Module &M) : M(M) {}
  void body(Body &B);

private:
  bool synchronises(const Function *F);
  bool mustGo(const Expr *E);
  void stmt(Stmt *S, Body &Out);
  void extract(Expr *&E, Body &Before);
  void branches(Expr *&E, Body &Before);
  void expand(Call *C, Variable *Result, Body &Out);
  Variable *temporary(const Type *Ty, Loc Where, Body &Out);
  Expr *load(Variable *V, Loc Where) {
    return M.make<Load>(M.make<VarRef>(V, Where), Where);
  }

  Module &M;
  std::map<const Function *, bool> Known;
};

bool Inliner::synchronises(const Function *F) {
  auto At = Known.find(F);
  if (At == Known.end())
    At = Known.emplace(F, containsBarrier(F->Stmts)).first;
  return At->second;
}

bool Inliner::mustGo(const Expr *E) {
  bool Found = false;
  walk(E, [&](const Expr *Part) {
    auto *C = dyn_cast<Call>(Part);
    Found |= C && synchronises(C->Callee);
  });
  return Found;
}

Variable *Inliner::temporary(const Type *Ty, Loc Where, Body &Out) {
  auto *V = M.make<Variable>();
  V->Name = "tmp";
  V->Ty = Ty;
  V->Where = Where;
  Out.push_back(M.make<Declare>(V, nullptr, Where));
  return V;
}

/// && || and ?: evaluate their later operands on a condition.
void Inliner::branches(Expr *&E, Body &Before) {
  Loc At = E->Where;
  Variable *V = temporary(E->Ty, At, Before);
  auto Arm = [&](Expr *Value) {
    Body B;
    extract(Value, B);
    B.push_back(M.make<Store>(M.make<VarRef>(V, At), Value, At));
    return B;
  };
  if (auto *S = dyn_cast<Select>(E)) {
    extract(S->Condition, Before);
    Body Then = Arm(S->True), Else = Arm(S->False);
    Before.push_back(
        M.make<If>(S->Condition, std::move(Then), std::move(Else), At));
  } else {
    auto *L = cast<Logical>(E);
    Body Left = Arm(L->Left);
    Before.insert(Before.end(), Left.begin(), Left.end());
    Expr *Goes = load(V, At);
    if (!L->IsAnd)
      Goes = M.make<Unary>(UnaryOp::LogicalNot, Goes, At);
    Before.push_back(M.make<If>(Goes, Arm(L->Right), Body(), At));
  }
  E = load(V, At);
}

/// Afterwards E calls nothing that synchronises; Before does it.
void Inliner::extract(Expr *&E, Body &Before) {
  if (!mustGo(E))
    return;
  if (isa<Select, Logical>(E))
    return branches(E, Before);
  for (Expr **Operand : operands(E))
    extract(*Operand, Before);
  auto *C = dyn_cast<Call>(E);
  if (!C || !synchronises(C->Callee))
    return;
  Variable *Result =
      C->Ty->isVoid() ? nullptr : temporary(C->Ty, C->Where, Before);
  expand(C, Result, Before);
  if (Result)
    E = load(Result, C->Where);
}

static bool isStored(const Body &B, const Variable *V) {
  bool Found = V->AddressTaken;
  walk(
      B, [](const Expr *) {},
      [&](const Stmt *S) {
        auto *A = dyn_cast<Store>(S);
        Found |= A && rootVariable(A->Place) == V;
      });
  return Found;
}

/// The arguments call nothing that synchronises.
void Inliner::expand(Call *C, Variable *Result, Body &Out) {
  const Function *F = C->Callee;
  Cloner Copy(M);
  Body Inside;
  for (size_t I = 0; I != F->Params.size(); ++I) {
    Variable *Param = F->Params[I];
    auto *L = dyn_cast<Load>(C->Args[I]);
    auto *From = L ? dyn_cast<VarRef>(L->Place) : nullptr;
    if (From && !isStored(F->Stmts, Param) &&
        (From->Var->Store == Storage::Capture ||
         From->Var->Store == Storage::Index)) {
      Copy.replace(Param, From->Var); // neither ever changes
      continue;
    }
    auto *V = M.make<Variable>(*Param);
    V->Store = Storage::Local;
    Copy.replace(Param, V);
    Inside.push_back(M.make<Declare>(V, C->Args[I], C->Where));
  }
  Body Callee = Copy.body(F->Stmts);
  removeReturns(M, Callee, Result);
  body(Callee);
  Inside.insert(Inside.end(), Callee.begin(), Callee.end());
  Out.push_back(M.make<Block>(std::move(Inside), C->Where));
}

void Inliner::stmt(Stmt *S, Body &Out) {
  switch (S->K) {
  case Stmt::Kind::Declare: {
    auto *D = cast<Declare>(S);
    auto *C = D->Init ? dyn_cast<Call>(D->Init) : nullptr;
    if (C && synchronises(C->Callee)) {
      for (Expr *&Arg : C->Args)
        extract(Arg, Out);
      Out.push_back(M.make<Declare>(D->Var, nullptr, D->Where));
      return expand(C, D->Var, Out);
    }
    if (D->Init)
      extract(D->Init, Out);
    break;
  }
  case Stmt::Kind::Store:
    extract(cast<Store>(S)->Place, Out);
    extract(cast<Store>(S)->Value, Out);
    break;
  case Stmt::Kind::Eval: {
    auto *E = cast<Eval>(S);
    auto *C = dyn_cast<Call>(E->Value);
    if (C && synchronises(C->Callee)) {
      for (Expr *&Arg : C->Args)
        extract(Arg, Out);
      return expand(C, nullptr, Out);
    }
    extract(E->Value, Out);
    break;
  }
  case Stmt::Kind::Block:
    body(cast<Block>(S)->Stmts);
    break;
  case Stmt::Kind::If:
    extract(cast<If>(S)->Condition, Out);
    body(cast<If>(S)->Then);
    body(cast<If>(S)->Else);
    break;
  case Stmt::Kind::Loop: {
    auto *L = cast<Loop>(S);
    body(L->Prelude);
    if (L->Condition)
      extract(L->Condition, L->Prelude);
    body(L->Stmts);
    body(L->Step);
    break;
  }
  case Stmt::Kind::Report:
    for (Expr *&Arg : cast<Report>(S)->Args)
      extract(Arg, Out);
    break;
  case Stmt::Kind::Switch:
    extract(cast<Switch>(S)->Subject, Out);
    for (Switch::Case &C : cast<Switch>(S)->Cases)
      body(C.Stmts);
    break;
  case Stmt::Kind::Return:
    if (cast<Return>(S)->Value)
      extract(cast<Return>(S)->Value, Out);
    break;
  default:
    break;
  }
  Out.push_back(S);
}

void Inliner::body(Body &B) {
  Body Out;
  for (Stmt *S : B)
    stmt(S, Out);
  B = std::move(Out);
}

} // namespace

void inlineSynchronising(Module &M, Body &B) { Inliner(M).body(B); }

} // namespace ampc::cpu
