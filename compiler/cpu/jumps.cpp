//===- jumps.cpp - conditions in place of jumps ---------------------------===//

#include "cpu/jumps.h"
#include "kir/walk.h"

using namespace ampc::kir;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace ampc::cpu {

namespace {

class Remover {
public:
  Remover(Module &M, Stmt::Kind Jump, Variable *Result)
      : M(M), Jump(Jump), Result(Result) {
    Flag = M.make<Variable>();
    Flag->Name = "left";
    Flag->Ty = M.boolType();
  }

  /// The flag lives from Where on.
  void run(Body &B) {
    if (!anyJumps(B))
      return;
    Loc Where = B.front()->Where;
    Flag->Where = Where;
    rewrite(B, /*InBreakable=*/false);
    if (!FlagRead)
      return dropFlag(B);
    B.insert(B.begin(),
             M.make<Declare>(Flag, M.make<BoolConst>(Flag->Ty, false, Where),
                             Where));
  }

  bool flagRead() const { return FlagRead; }
  Variable *Flag;

  Expr *flagClear(Loc Where) {
    FlagRead = true;
    return M.make<Unary>(UnaryOp::LogicalNot, loadFlag(Where), Where);
  }
  void rewrite(Body &B, bool InBreakable);
  void dropFlag(Body &B);

private:
  Expr *loadFlag(Loc Where) {
    FlagRead = true;
    return M.make<Load>(M.make<VarRef>(Flag, Where), Where);
  }
  bool jumps(const Stmt *S) const;
  bool anyJumps(const Body &B) const {
    for (const Stmt *S : B)
      if (jumps(S))
        return true;
    return false;
  }
  /// Whether running to the end of B is impossible.
  bool alwaysJumps(const Body &B) const {
    return !B.empty() && B.back()->K == Jump;
  }
  void leave(const Stmt *S, bool InBreakable, Body &Out);

  Module &M;
  const Stmt::Kind Jump;
  Variable *Result;
  bool FlagRead = false;
};

bool Remover::jumps(const Stmt *S) const {
  switch (S->K) {
  case Stmt::Kind::Block:
    return anyJumps(cast<Block>(S)->Stmts);
  case Stmt::Kind::If:
    return anyJumps(cast<If>(S)->Then) || anyJumps(cast<If>(S)->Else);
  case Stmt::Kind::Loop: // breaks and continues inside are the loop's own
    return Jump == Stmt::Kind::Return && anyJumps(cast<Loop>(S)->Stmts);
  case Stmt::Kind::Switch:
    if (Jump == Stmt::Kind::Break)
      return false;
    for (const Switch::Case &C : cast<Switch>(S)->Cases)
      if (anyJumps(C.Stmts))
        return true;
    return false;
  default:
    return S->K == Jump;
  }
}

void Remover::leave(const Stmt *S, bool InBreakable, Body &Out) {
  Loc At = S->Where;
  if (auto *R = dyn_cast<Return>(S); R && R->Value)
    Out.push_back(Result ? static_cast<Stmt *>(M.make<Store>(
                               M.make<VarRef>(Result, At), R->Value, At))
                         : M.make<Eval>(R->Value, At));
  Out.push_back(M.make<Store>(M.make<VarRef>(Flag, At),
                              M.make<BoolConst>(Flag->Ty, true, At), At));
  if (InBreakable)
    Out.push_back(M.make<Break>(At));
}

void Remover::rewrite(Body &B, bool InBreakable) {
  Body Out;
  for (size_t I = 0; I != B.size(); ++I) {
    Stmt *S = B[I];
    if (!jumps(S)) {
      Out.push_back(S);
      continue;
    }
    if (S->K == Jump) {
      leave(S, InBreakable, Out);
      break; // nothing gets past it
    }
    Body Rest(B.begin() + I + 1, B.end());
    if (auto *X = dyn_cast<If>(S); X && !InBreakable) {
      // One branch always leaves: the rest belongs to the other.
      if (alwaysJumps(X->Then) && !anyJumps(X->Else)) {
        X->Else.insert(X->Else.end(), Rest.begin(), Rest.end());
        Rest.clear();
      } else if (alwaysJumps(X->Else) && !anyJumps(X->Then)) {
        X->Then.insert(X->Then.end(), Rest.begin(), Rest.end());
        Rest.clear();
      }
    }
    bool Leaves = false; // with a Break of its own, which ends at S
    if (auto *X = dyn_cast<Block>(S)) {
      rewrite(X->Stmts, InBreakable);
    } else if (auto *X = dyn_cast<If>(S)) {
      rewrite(X->Then, InBreakable);
      rewrite(X->Else, InBreakable);
    } else if (auto *X = dyn_cast<Loop>(S)) {
      rewrite(X->Stmts, true);
      Leaves = true;
    } else {
      for (Switch::Case &C : cast<Switch>(S)->Cases)
        rewrite(C.Stmts, true);
      Leaves = true;
    }
    Out.push_back(S);
    if (InBreakable) {
      if (Leaves)
        Out.push_back(M.make<If>(loadFlag(S->Where),
                                 Body{M.make<Break>(S->Where)}, Body(),
                                 S->Where));
      continue;
    }
    if (Rest.empty())
      break;
    rewrite(Rest, false);
    Out.push_back(
        M.make<If>(flagClear(S->Where), std::move(Rest), Body(), S->Where));
    break;
  }
  B = std::move(Out);
}

void Remover::dropFlag(Body &B) {
  Body Out;
  for (Stmt *S : B) {
    auto *A = dyn_cast<Store>(S);
    auto *To = A ? dyn_cast<VarRef>(A->Place) : nullptr;
    if (To && To->Var == Flag)
      continue;
    if (auto *X = dyn_cast<Block>(S)) {
      dropFlag(X->Stmts);
    } else if (auto *X = dyn_cast<If>(S)) {
      dropFlag(X->Then);
      dropFlag(X->Else);
    } else if (auto *X = dyn_cast<Loop>(S)) {
      dropFlag(X->Stmts);
    } else if (auto *X = dyn_cast<Switch>(S)) {
      for (Switch::Case &C : X->Cases)
        dropFlag(C.Stmts);
    }
    Out.push_back(S);
  }
  B = std::move(Out);
}

} // namespace

void removeReturns(Module &M, Body &B, Variable *Result) {
  Remover(M, Stmt::Kind::Return, Result).run(B);
}

void removeContinues(Module &M, Body &B) {
  Remover(M, Stmt::Kind::Continue, nullptr).run(B);
}

//===----------------------------------------------------------------------===//
// switch (x) { case 1: A break; case 2: B default: C }   becomes
//
//   int which = x == 1 ? 0 : x == 2 ? 1 : 2;
//   bool left = false;
//   if (which <= 0)          { A  left = true; }
//   if (which <= 1 && !left) { B }
//   if (which <= 2 && !left) { C }
//===----------------------------------------------------------------------===//
Stmt *switchToIfs(Module &M, Switch *S) {
  Loc At = S->Where;
  const Type *Int = M.intType(), *Bool = M.boolType();
  auto Local = [&](const char *Name, const Type *Ty) {
    auto *V = M.make<Variable>();
    V->Name = Name;
    V->Ty = Ty;
    V->Where = At;
    return V;
  };
  auto Load = [&](Variable *V) {
    return M.make<kir::Load>(M.make<VarRef>(V, At), At);
  };
  auto Number = [&](uint64_t N) { return M.make<IntConst>(Int, N, At); };
  Variable *Subject = Local("subject", S->Subject->Ty);
  Variable *Which = Local("which", Int);
  size_t Count = S->Cases.size(), Default = Count;
  for (size_t I = 0; I != Count; ++I)
    if (S->Cases[I].IsDefault)
      Default = I;
  Expr *Choice = Number(Default);
  for (size_t I = Count; I-- != 0;)
    for (uint64_t Value : S->Cases[I].Values)
      Choice = M.make<Select>(
          M.make<Binary>(BinaryOp::Eq, Bool, Load(Subject),
                         M.make<IntConst>(Subject->Ty, Value, At), At),
          Number(I), Choice, At);
  Body Out{M.make<Declare>(Subject, S->Subject, At),
           M.make<Declare>(Which, Choice, At)};

  Remover Breaks(M, Stmt::Kind::Break, nullptr);
  Breaks.Flag->Where = At;
  size_t FlagAt = Out.size();
  for (size_t I = 0; I != S->Cases.size(); ++I) {
    Body &Stmts = S->Cases[I].Stmts;
    Breaks.rewrite(Stmts, false);
    if (Stmts.empty())
      continue;
    Expr *Condition =
        M.make<Binary>(BinaryOp::Le, Bool, Load(Which), Number(I), At);
    if (I != 0)
      Condition = M.make<Logical>(true, Condition, Breaks.flagClear(At), At);
    Out.push_back(M.make<If>(Condition, std::move(Stmts), Body(), At));
  }
  if (Breaks.flagRead())
    Out.insert(
        Out.begin() + FlagAt,
        M.make<Declare>(Breaks.Flag, M.make<BoolConst>(Bool, false, At), At));
  else
    Breaks.dropFlag(Out);
  return M.make<Block>(std::move(Out), At);
}

} // namespace ampc::cpu
