//===- jumps.cpp - which scopes a goto or switch enters past their start --===//

#include "hostc/jumps.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace ampc::hostc {

Jumps::Jumps(const Stmt *FunctionBody) {
  number(FunctionBody);
  for (auto [From, Label] : Gotos)
    Found.push_back({From, Labels[Label]});
  for (const LabelDecl *Label : Addressed)
    for (unsigned From : IndirectGotos)
      Found.push_back({From, Labels[Label]});
}

void Jumps::number(const Stmt *S) {
  if (!S)
    return;
  unsigned Number = ++Count;
  if (const auto *L = dyn_cast<LabelStmt>(S))
    Labels[L->getDecl()] = Number;
  else if (const auto *G = dyn_cast<GotoStmt>(S))
    Gotos.push_back({Number, G->getLabel()});
  else if (const auto *A = dyn_cast<AddrLabelExpr>(S))
    Addressed.push_back(A->getLabel());
  else if (isa<IndirectGotoStmt>(S))
    IndirectGotos.push_back(Number);
  else if (isa<SwitchCase>(S) && !Switches.empty())
    Found.push_back({Switches.back(), Number});

  bool IsSwitch = isa<SwitchStmt>(S);
  if (IsSwitch)
    Switches.push_back(Number);
  for (const Stmt *Child : S->children())
    number(Child);
  if (IsSwitch)
    Switches.pop_back();
  Intervals[S] = {Number, Count};
}

Jumps::Interval Jumps::inside(const Stmt *S) const {
  auto Found = Intervals.find(S);
  return Found == Intervals.end() ? Interval{0, 0} : Found->second;
}

Jumps::Interval Jumps::after(const Stmt *S, const Stmt *Block) const {
  return {inside(S).End, inside(Block).End};
}

bool Jumps::enter(Interval I) const {
  for (const Jump &J : Found)
    if (I.contains(J.To) && !I.contains(J.From))
      return true;
  return false;
}

} // namespace ampc::hostc
