//===- statements.cpp - what must hold of statements ----------------------===//

#include "kir/passes/points_to.h"
#include "kir/reports.h"
#include "kir/verifier/verifier.h"
#include "llvm/ADT/SmallSet.h"
#include <algorithm>

using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace ampc::kir {

/// In the scope that is open.
bool Verifier::stmts(const Body &B) {
  return std::all_of(B.begin(), B.end(),
                     [&](const Stmt *S) { return stmt(S); });
}

/// In a scope of its own.
bool Verifier::body(const Body &B) {
  size_t Outer = InScope.size();
  bool Well = stmts(B);
  closeScope(Outer);
  return Well;
}

void Verifier::closeScope(size_t Outer) {
  for (; InScope.size() > Outer; InScope.pop_back())
    Known.erase(InScope.back());
}

bool Verifier::declare(const Declare *D) {
  const Variable *V = D->Var;
  if (!check(V && V->Store == Storage::Local, D,
             "declaration of no local variable") ||
      !once(V) || !type(V->Ty, D) ||
      !check(!V->Ty->isVoid(), D, "variable without a type"))
    return false;
  if (D->Init && !valueOf(D->Init, V->Ty, "initialiser of another type"))
    return false;
  Known.insert(V);
  InScope.push_back(V);
  return true;
}

bool Verifier::store(const Store *S) {
  if (!place(S->Place) ||
      !valueOf(S->Value, S->Place->Ty, "value stored of another type"))
    return false;
  const Expr *Root = rootOf(S->Place);
  if (auto *V = dyn_cast<ViewElement>(Root))
    return check(!V->View->Ty->ReadOnly, S, "store through a view of const");
  if (isa<Deref>(Root))
    return true;
  Storage Class = cast<VarRef>(Root)->Var->Store;
  return check(Class != Storage::Capture && Class != Storage::Constant, S,
               "store to what is never stored to");
}

bool Verifier::loop(const Loop *L) {
  if (!check(L->F != Loop::Form::Do || L->Step.empty(), L,
             "do loop with a step"))
    return false;
  // Neither Prelude nor Step may leave the loop.
  unsigned OuterLoops = Loops, OuterBreakable = Breakable;
  size_t OuterScope = InScope.size();
  Loops = Breakable = 0;
  // What the prelude declares is known in the whole loop.
  bool Well = stmts(L->Prelude) && body(L->Step);
  Loops = OuterLoops + 1;
  Breakable = OuterBreakable + 1;
  Near = L;
  Well = Well &&
         (!L->Condition ||
          valueOf(L->Condition, M.boolType(), "condition is no bool")) &&
         body(L->Stmts);
  closeScope(OuterScope);
  Loops = OuterLoops;
  Breakable = OuterBreakable;
  return Well;
}

bool Verifier::switchStmt(const Switch *S) {
  if (!value(S->Subject) ||
      !check(S->Subject->Ty->isInt() && !isNarrow(S->Subject->Ty), S,
             "switch over no int of 32 or 64 bits"))
    return false;
  llvm::SmallSet<uint64_t, 16> Values;
  unsigned Defaults = 0;
  ++Breakable;
  for (const Switch::Case &C : S->Cases) {
    Defaults += C.IsDefault;
    for (uint64_t Value : C.Values)
      if (!check(fits(Value, S->Subject->Ty) && Values.insert(Value).second, S,
                 "case value that is too wide or not the first of its kind"))
        return false;
    if (!check(C.IsDefault || !C.Values.empty(), S, "case without a value") ||
        !body(C.Stmts))
      return false;
  }
  --Breakable;
  return check(Defaults <= 1, S, "switch with two defaults");
}

bool Verifier::report(const Report *R) {
  if (!check(R->Number < M.Reports.size() &&
                 M.Reports[R->Number]->Format == R->Format &&
                 M.Reports[R->Number]->Fails == R->Fails,
             R, "report that the module's table does not have") ||
      !check(R->Args.size() <= MostReportArgs, R,
             "report of more values than a record holds"))
    return false;
  for (const Expr *Arg : R->Args)
    if (!value(Arg) ||
        !check((Arg->Ty->isInt() && !isNarrow(Arg->Ty)) || Arg->Ty->isFloat(),
               R, "report of no int of 32 or 64 bits and no float"))
      return false;
  return argumentKinds(M.Reports[R->Number]) == argumentKinds(R) ||
         check(false, R, "report of other values than the module's table says");
}

bool Verifier::stmt(const Stmt *S) {
  if (!check(S != nullptr, Near, "missing statement"))
    return false;
  Near = S;
  if (!once(S))
    return false;
  switch (S->K) {
  case Stmt::Kind::Declare:
    return declare(cast<Declare>(S));
  case Stmt::Kind::Store:
    return store(cast<Store>(S));
  case Stmt::Kind::Eval:
    return value(cast<Eval>(S)->Value);
  case Stmt::Kind::Block:
    return body(cast<Block>(S)->Stmts);
  case Stmt::Kind::If:
    return valueOf(cast<If>(S)->Condition, M.boolType(),
                   "condition is no bool") &&
           body(cast<If>(S)->Then) && body(cast<If>(S)->Else);
  case Stmt::Kind::Loop:
    return loop(cast<Loop>(S));
  case Stmt::Kind::Switch:
    return switchStmt(cast<Switch>(S));
  case Stmt::Kind::Break:
    return check(Breakable, S, "break outside of a loop or switch");
  case Stmt::Kind::Continue:
    return check(Loops, S, "continue outside of a loop");
  case Stmt::Kind::Return: {
    auto *R = cast<Return>(S);
    if (!Result || Result->isVoid())
      return check(!R->Value, S, "return of a value from void");
    return check(R->Value, S, "return without a value") &&
           valueOf(R->Value, Result, "return of another type");
  }
  case Stmt::Kind::Barrier:
  case Stmt::Kind::Fence:
    return true;
  case Stmt::Kind::Report:
    return report(cast<Report>(S));
  }
  return true;
}

} // namespace ampc::kir
