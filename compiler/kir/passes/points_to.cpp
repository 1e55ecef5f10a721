//===- points_to.cpp - which objects can a pointer point into? ------------===//

#include "kir/passes/points_to.h"
#include "kir/walk.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace ampc::kir {

const Expr *rootOf(const Expr *Place) {
  for (;;) {
    if (auto *X = dyn_cast<Member>(Place))
      Place = X->Base;
    else if (auto *X = dyn_cast<Element>(Place))
      Place = X->Base;
    else
      return Place;
  }
}

Variable *rootVariable(const Expr *Place) {
  auto *V = dyn_cast<VarRef>(rootOf(Place));
  return V ? V->Var : nullptr;
}

PointsTo::PointsTo(const Kernel &K) {
  std::vector<const Function *> Functions = reachableFunctions(K.Stmts);
  auto Collect = [&](const Expr *E) {
    auto *A = dyn_cast<AddressOf>(E);
    const Variable *V = A ? rootVariable(A->Place) : nullptr;
    // Constants stand in accelerator memory.
    if (V && V->Store != Storage::Constant &&
        Numbers.try_emplace(V, Objects.size() + 1).second)
      Objects.push_back(V);
  };
  auto IgnoreStmt = [](const Stmt *) {};
  for (const Function *F : Functions)
    walk(F->Stmts, Collect, IgnoreStmt);
  walk(K.Stmts, Collect, IgnoreStmt);
  do {
    Changed = false;
    for (const Function *F : Functions)
      body(F->Stmts, F);
    body(K.Stmts, nullptr);
  } while (Changed);
}

unsigned PointsTo::number(const Variable *V) const {
  auto Known = Numbers.find(V);
  return Known == Numbers.end() ? 0 : Known->second;
}

void PointsTo::flow(Set &To, const Set &From) {
  size_t Before = To.size();
  To.insert(From.begin(), From.end());
  Changed |= To.size() != Before;
}

void PointsTo::body(const Body &B, const Function *In) {
  auto OnExpr = [&](const Expr *E) {
    auto *C = dyn_cast<Call>(E);
    for (size_t I = 0; C && I != C->Args.size(); ++I)
      if (C->Args[I]->Ty->isPointer())
        flow(Variables[C->Callee->Params[I]], of(C->Args[I]));
  };
  auto OnStmt = [&](const Stmt *S) {
    if (auto *D = dyn_cast<Declare>(S); D && D->Init && D->Var->Ty->isPointer())
      flow(Variables[D->Var], of(D->Init));
    else if (auto *A = dyn_cast<Store>(S); A && A->Value->Ty->isPointer())
      flow(Variables[rootVariable(A->Place)], of(A->Value));
    else if (auto *R = dyn_cast<Return>(S);
             R && R->Value && R->Value->Ty->isPointer())
      flow(Results[In], of(R->Value));
  };
  walk(B, OnExpr, OnStmt);
}

PointsTo::Set PointsTo::of(const Expr *E) const {
  switch (E->K) {
  case Expr::Kind::AddressOf: {
    const Expr *Root = rootOf(cast<AddressOf>(E)->Place);
    if (auto *D = dyn_cast<Deref>(Root))
      return of(D->Pointer);
    auto *V = dyn_cast<VarRef>(Root);
    return {V ? number(V->Var) : 0};
  }
  case Expr::Kind::PointerAdd:
    return of(cast<PointerAdd>(E)->Pointer);
  case Expr::Kind::Convert:
    return of(cast<Convert>(E)->Operand);
  case Expr::Kind::Select: {
    Set Both = of(cast<Select>(E)->True);
    Set Other = of(cast<Select>(E)->False);
    Both.insert(Other.begin(), Other.end());
    return Both;
  }
  case Expr::Kind::Load: {
    auto Known = Variables.find(rootVariable(cast<Load>(E)->Place));
    return Known == Variables.end() ? Set() : Known->second;
  }
  case Expr::Kind::Call: {
    auto Known = Results.find(cast<Call>(E)->Callee);
    return Known == Results.end() ? Set() : Known->second;
  }
  default:
    return {}; // null
  }
}

void PointsTo::print(const Kernel &K, llvm::raw_ostream &OS) const {
  std::vector<const Function *> Functions = reachableFunctions(K.Stmts);
  // Which function's a local variable is.
  std::map<const Variable *, std::string> Owners;
  std::vector<const Variable *> Pointers;
  auto Add = [&](const Variable *V, llvm::StringRef Owner) {
    Owners[V] = Owner.str();
    if (V->Ty->isPointer())
      Pointers.push_back(V);
  };
  auto AddBody = [&](const Body &B, llvm::StringRef Owner) {
    walk(
        B, [](const Expr *) {},
        [&](const Stmt *S) {
          if (auto *D = dyn_cast<Declare>(S))
            Add(D->Var, Owner);
        });
  };
  for (const Function *F : Functions) {
    for (const Variable *P : F->Params)
      Add(P, F->Name);
    AddBody(F->Stmts, F->Name);
  }
  AddBody(K.Stmts, K.Name);

  auto Name = [&](const Variable *V) {
    auto Owner = Owners.find(V);
    return (Owner == Owners.end() ? "@" : Owner->second + ".") + V->Name;
  };
  auto Line = [&](const std::string &Pointer, const Set &Targets) {
    std::vector<std::string> Names;
    for (unsigned Number : Targets)
      Names.push_back(Number ? Name(object(Number)) : "accelerator memory");
    OS << "  " << Pointer << " -> "
       << (Names.empty() ? "nothing" : llvm::join(Names, ", ")) << '\n';
  };
  OS << "points_to of kernel " << K.Name << ":\n";
  for (const Variable *V : Pointers) {
    auto Known = Variables.find(V);
    Line(Name(V), Known == Variables.end() ? Set() : Known->second);
  }
  for (const Function *F : Functions)
    if (F->Result->isPointer()) {
      auto Known = Results.find(F);
      Line("result of " + F->Name,
           Known == Results.end() ? Set() : Known->second);
    }
}

} // namespace ampc::kir
