//===- clone.cpp - copies of KIR ------------------------------------------===//

#include "kir/clone.h"

using llvm::cast;

namespace ampc::kir {

std::vector<Expr *> Cloner::exprs(const std::vector<Expr *> &Es) {
  std::vector<Expr *> Result;
  for (const Expr *E : Es)
    Result.push_back(expr(E));
  return Result;
}

Expr *Cloner::expr(const Expr *E) {
  Loc At = E->Where;
  switch (E->K) {
  case Expr::Kind::VarRef: {
    Variable *V = cast<VarRef>(E)->Var;
    auto Copy = Copies.find(V);
    return M.make<VarRef>(Copy == Copies.end() ? V : Copy->second, At);
  }
  case Expr::Kind::Member: {
    auto *X = cast<Member>(E);
    return M.make<Member>(expr(X->Base), X->Field, At);
  }
  case Expr::Kind::Element: {
    auto *X = cast<Element>(E);
    return M.make<Element>(expr(X->Base), expr(X->Index), At);
  }
  case Expr::Kind::ViewElement: {
    auto *X = cast<ViewElement>(E);
    return M.make<ViewElement>(expr(X->View), exprs(X->Subscripts), At);
  }
  case Expr::Kind::Deref:
    return M.make<Deref>(expr(cast<Deref>(E)->Pointer), At);
  case Expr::Kind::IntConst:
    return M.make<IntConst>(E->Ty, cast<IntConst>(E)->Value, At);
  case Expr::Kind::FloatConst:
    return M.make<FloatConst>(E->Ty, cast<FloatConst>(E)->Bits, At);
  case Expr::Kind::BoolConst:
    return M.make<BoolConst>(E->Ty, cast<BoolConst>(E)->Value, At);
  case Expr::Kind::Zero:
    return M.make<Zero>(E->Ty, At);
  case Expr::Kind::Load:
    return M.make<Load>(expr(cast<Load>(E)->Place), At);
  case Expr::Kind::Unary: {
    auto *X = cast<Unary>(E);
    auto *Copy = M.make<Unary>(X->Op, expr(X->Operand), At);
    Copy->Contract = X->Contract;
    return Copy;
  }
  case Expr::Kind::Binary: {
    auto *X = cast<Binary>(E);
    auto *Copy =
        M.make<Binary>(X->Op, E->Ty, expr(X->Left), expr(X->Right), At);
    Copy->Contract = X->Contract;
    return Copy;
  }
  case Expr::Kind::Logical: {
    auto *X = cast<Logical>(E);
    return M.make<Logical>(X->IsAnd, expr(X->Left), expr(X->Right), At);
  }
  case Expr::Kind::Select: {
    auto *X = cast<Select>(E);
    return M.make<Select>(expr(X->Condition), expr(X->True), expr(X->False),
                          At);
  }
  case Expr::Kind::Convert:
    return M.make<Convert>(E->Ty, expr(cast<Convert>(E)->Operand), At);
  case Expr::Kind::Bitcast:
    return M.make<Bitcast>(E->Ty, expr(cast<Bitcast>(E)->Operand), At);
  case Expr::Kind::Construct:
    return M.make<Construct>(E->Ty, exprs(cast<Construct>(E)->Parts), At,
                             cast<Construct>(E)->Field);
  case Expr::Kind::Swizzle: {
    auto *X = cast<Swizzle>(E);
    return M.make<Swizzle>(E->Ty, expr(X->Operand), X->Lanes, At);
  }
  case Expr::Kind::Call: {
    auto *X = cast<Call>(E);
    return M.make<Call>(X->Callee, E->Ty, exprs(X->Args), At);
  }
  case Expr::Kind::Intrinsic: {
    auto *X = cast<Intrinsic>(E);
    return M.make<Intrinsic>(X->Op, E->Ty, exprs(X->Args), At);
  }
  case Expr::Kind::ViewExtent: {
    auto *X = cast<ViewExtent>(E);
    return M.make<ViewExtent>(E->Ty, expr(X->View), X->Dimension, At);
  }
  case Expr::Kind::ViewSection: {
    auto *X = cast<ViewSection>(E);
    return M.make<ViewSection>(expr(X->View), exprs(X->Origin),
                               exprs(X->Extent), At);
  }
  case Expr::Kind::ViewProject: {
    auto *X = cast<ViewProject>(E);
    return M.make<ViewProject>(E->Ty, expr(X->View), expr(X->Index), At);
  }
  case Expr::Kind::ViewReinterpret:
    return M.make<ViewReinterpret>(E->Ty, expr(cast<ViewReinterpret>(E)->View),
                                   At);
  case Expr::Kind::ViewReshape: {
    auto *X = cast<ViewReshape>(E);
    return M.make<ViewReshape>(E->Ty, expr(X->View), exprs(X->Extent), At);
  }
  case Expr::Kind::AddressOf:
    return M.make<AddressOf>(E->Ty, expr(cast<AddressOf>(E)->Place), At);
  case Expr::Kind::PointerAdd: {
    auto *X = cast<PointerAdd>(E);
    return M.make<PointerAdd>(expr(X->Pointer), expr(X->Index), At);
  }
  case Expr::Kind::PointerDifference: {
    auto *X = cast<PointerDifference>(E);
    return M.make<PointerDifference>(E->Ty, expr(X->Left), expr(X->Right), At);
  }
  }
  llvm_unreachable("every kind of expression is above");
}

Stmt *Cloner::stmt(const Stmt *S) {
  Loc At = S->Where;
  switch (S->K) {
  case Stmt::Kind::Declare: {
    auto *X = cast<Declare>(S);
    Expr *Init = optional(X->Init); // does not see the variable
    Variable *Copy = M.make<Variable>(*X->Var);
    Copies[X->Var] = Copy;
    return M.make<Declare>(Copy, Init, At);
  }
  case Stmt::Kind::Store: {
    auto *X = cast<Store>(S);
    return M.make<Store>(expr(X->Place), expr(X->Value), At);
  }
  case Stmt::Kind::Eval:
    return M.make<Eval>(expr(cast<Eval>(S)->Value), At);
  case Stmt::Kind::Block:
    return M.make<Block>(body(cast<Block>(S)->Stmts), At);
  case Stmt::Kind::If: {
    auto *X = cast<If>(S);
    return M.make<If>(expr(X->Condition), body(X->Then), body(X->Else), At);
  }
  case Stmt::Kind::Loop: {
    auto *X = cast<Loop>(S);
    // In the order in which C scopes the variables: a do loop's prelude comes
    // after its body.
    Body Prelude, Stmts, Step;
    Expr *Condition = nullptr;
    auto Head = [&] {
      Prelude = body(X->Prelude);
      Condition = optional(X->Condition);
    };
    if (X->F != Loop::Form::Do)
      Head();
    Stmts = body(X->Stmts);
    Step = body(X->Step);
    if (X->F == Loop::Form::Do)
      Head();
    return M.make<Loop>(X->F, std::move(Prelude), Condition, std::move(Stmts),
                        std::move(Step), At);
  }
  case Stmt::Kind::Switch: {
    auto *X = cast<Switch>(S);
    Expr *Subject = expr(X->Subject);
    std::vector<Switch::Case> Cases;
    for (const Switch::Case &C : X->Cases)
      Cases.push_back({C.Values, C.IsDefault, body(C.Stmts)});
    return M.make<Switch>(Subject, std::move(Cases), At);
  }
  case Stmt::Kind::Break:
    return M.make<Break>(At);
  case Stmt::Kind::Continue:
    return M.make<Continue>(At);
  case Stmt::Kind::Return:
    return M.make<Return>(optional(cast<Return>(S)->Value), At);
  case Stmt::Kind::Barrier:
    return M.make<Barrier>(cast<Barrier>(S)->Memory, At);
  case Stmt::Kind::Fence:
    return M.make<Fence>(cast<Fence>(S)->Memory, At);
  case Stmt::Kind::Report: {
    auto *R = cast<Report>(S);
    std::vector<Expr *> Args;
    for (const Expr *Arg : R->Args)
      Args.push_back(expr(Arg));
    return M.make<Report>(R->Number, R->Fails, R->Format, std::move(Args), At);
  }
  }
  llvm_unreachable("every kind of statement is above");
}

Body Cloner::body(const Body &B) {
  Body Result;
  for (const Stmt *S : B)
    Result.push_back(stmt(S));
  return Result;
}

} // namespace ampc::kir
