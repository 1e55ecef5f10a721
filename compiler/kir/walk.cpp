//===- walk.cpp - visiting every node of KIR ------------------------------===//

#include "kir/walk.h"
#include "llvm/ADT/SmallPtrSet.h"

using llvm::cast;
using llvm::dyn_cast;

namespace ampc::kir {

static void walkAll(const std::vector<Expr *> &Es, ExprVisitor OnExpr) {
  for (const Expr *E : Es)
    walk(E, OnExpr);
}

void walk(const Expr *E, ExprVisitor OnExpr) {
  switch (E->K) {
  case Expr::Kind::VarRef:
  case Expr::Kind::IntConst:
  case Expr::Kind::FloatConst:
  case Expr::Kind::BoolConst:
  case Expr::Kind::Zero:
    break;
  case Expr::Kind::Member:
    walk(cast<Member>(E)->Base, OnExpr);
    break;
  case Expr::Kind::Element:
    walk(cast<Element>(E)->Base, OnExpr);
    walk(cast<Element>(E)->Index, OnExpr);
    break;
  case Expr::Kind::ViewElement:
    walk(cast<ViewElement>(E)->View, OnExpr);
    walkAll(cast<ViewElement>(E)->Subscripts, OnExpr);
    break;
  case Expr::Kind::Deref:
    walk(cast<Deref>(E)->Pointer, OnExpr);
    break;
  case Expr::Kind::Load:
    walk(cast<Load>(E)->Place, OnExpr);
    break;
  case Expr::Kind::Unary:
    walk(cast<Unary>(E)->Operand, OnExpr);
    break;
  case Expr::Kind::Binary:
    walk(cast<Binary>(E)->Left, OnExpr);
    walk(cast<Binary>(E)->Right, OnExpr);
    break;
  case Expr::Kind::Logical:
    walk(cast<Logical>(E)->Left, OnExpr);
    walk(cast<Logical>(E)->Right, OnExpr);
    break;
  case Expr::Kind::Select:
    walk(cast<Select>(E)->Condition, OnExpr);
    walk(cast<Select>(E)->True, OnExpr);
    walk(cast<Select>(E)->False, OnExpr);
    break;
  case Expr::Kind::Convert:
    walk(cast<Convert>(E)->Operand, OnExpr);
    break;
  case Expr::Kind::Bitcast:
    walk(cast<Bitcast>(E)->Operand, OnExpr);
    break;
  case Expr::Kind::Construct:
    walkAll(cast<Construct>(E)->Parts, OnExpr);
    break;
  case Expr::Kind::Swizzle:
    walk(cast<Swizzle>(E)->Operand, OnExpr);
    break;
  case Expr::Kind::Call:
    walkAll(cast<Call>(E)->Args, OnExpr);
    break;
  case Expr::Kind::Intrinsic:
    walkAll(cast<Intrinsic>(E)->Args, OnExpr);
    break;
  case Expr::Kind::ViewExtent:
    walk(cast<ViewExtent>(E)->View, OnExpr);
    break;
  case Expr::Kind::ViewSection:
    walk(cast<ViewSection>(E)->View, OnExpr);
    walkAll(cast<ViewSection>(E)->Origin, OnExpr);
    walkAll(cast<ViewSection>(E)->Extent, OnExpr);
    break;
  case Expr::Kind::ViewProject:
    walk(cast<ViewProject>(E)->View, OnExpr);
    walk(cast<ViewProject>(E)->Index, OnExpr);
    break;
  case Expr::Kind::ViewReinterpret:
    walk(cast<ViewReinterpret>(E)->View, OnExpr);
    break;
  case Expr::Kind::ViewReshape:
    walk(cast<ViewReshape>(E)->View, OnExpr);
    walkAll(cast<ViewReshape>(E)->Extent, OnExpr);
    break;
  case Expr::Kind::AddressOf:
    walk(cast<AddressOf>(E)->Place, OnExpr);
    break;
  case Expr::Kind::PointerAdd:
    walk(cast<PointerAdd>(E)->Pointer, OnExpr);
    walk(cast<PointerAdd>(E)->Index, OnExpr);
    break;
  case Expr::Kind::PointerDifference:
    walk(cast<PointerDifference>(E)->Left, OnExpr);
    walk(cast<PointerDifference>(E)->Right, OnExpr);
    break;
  }
  OnExpr(E);
}

static void walkStmt(const Stmt *S, ExprVisitor OnExpr, StmtVisitor OnStmt) {
  OnStmt(S);
  switch (S->K) {
  case Stmt::Kind::Declare:
    if (const Expr *Init = cast<Declare>(S)->Init)
      walk(Init, OnExpr);
    break;
  case Stmt::Kind::Store:
    walk(cast<Store>(S)->Place, OnExpr);
    walk(cast<Store>(S)->Value, OnExpr);
    break;
  case Stmt::Kind::Eval:
    walk(cast<Eval>(S)->Value, OnExpr);
    break;
  case Stmt::Kind::Block:
    walk(cast<Block>(S)->Stmts, OnExpr, OnStmt);
    break;
  case Stmt::Kind::If:
    walk(cast<If>(S)->Condition, OnExpr);
    walk(cast<If>(S)->Then, OnExpr, OnStmt);
    walk(cast<If>(S)->Else, OnExpr, OnStmt);
    break;
  case Stmt::Kind::Loop: {
    auto *L = cast<Loop>(S);
    walk(L->Prelude, OnExpr, OnStmt);
    if (L->Condition)
      walk(L->Condition, OnExpr);
    walk(L->Stmts, OnExpr, OnStmt);
    walk(L->Step, OnExpr, OnStmt);
    break;
  }
  case Stmt::Kind::Switch:
    walk(cast<Switch>(S)->Subject, OnExpr);
    for (const Switch::Case &C : cast<Switch>(S)->Cases)
      walk(C.Stmts, OnExpr, OnStmt);
    break;
  case Stmt::Kind::Return:
    if (const Expr *Value = cast<Return>(S)->Value)
      walk(Value, OnExpr);
    break;
  case Stmt::Kind::Report:
    walkAll(cast<Report>(S)->Args, OnExpr);
    break;
  case Stmt::Kind::Break:
  case Stmt::Kind::Continue:
  case Stmt::Kind::Barrier:
  case Stmt::Kind::Fence:
    break;
  }
}

void walk(const Body &B, ExprVisitor OnExpr, StmtVisitor OnStmt) {
  for (const Stmt *S : B)
    walkStmt(S, OnExpr, OnStmt);
}

static void reach(const Body &B, llvm::SmallPtrSetImpl<const Function *> &Seen,
                  std::vector<const Function *> &Order) {
  walk(
      B,
      [&](const Expr *E) {
        auto *C = dyn_cast<Call>(E);
        if (!C || !Seen.insert(C->Callee).second)
          return;
        reach(C->Callee->Stmts, Seen, Order);
        Order.push_back(C->Callee);
      },
      [](const Stmt *) {});
}

std::vector<const Function *> reachableFunctions(const Body &B) {
  llvm::SmallPtrSet<const Function *, 8> Seen;
  std::vector<const Function *> Order;
  reach(B, Seen, Order);
  return Order;
}

bool containsBarrier(const Body &B) {
  bool Found = false;
  auto IgnoreExpr = [](const Expr *) {};
  auto OnStmt = [&](const Stmt *S) { Found |= S->K == Stmt::Kind::Barrier; };
  walk(B, IgnoreExpr, OnStmt);
  for (const Function *F : reachableFunctions(B))
    walk(F->Stmts, IgnoreExpr, OnStmt);
  return Found;
}

} // namespace ampc::kir
