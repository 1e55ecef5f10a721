//===- checks.cpp - subscripts and divisions that are checked at run time -===//

#include "kir/passes/checks.h"
#include "kir/clone.h"
#include "kir/operands.h"
#include "kir/passes/check_maker.h"
#include "kir/passes/points_to.h"
#include "kir/progress.h"
#include "kir/walk.h"

using namespace llvm;

namespace ampc::kir {

namespace {

/// Rewrites bodies in place.
class Checking {
public:
  Checking(Module &M, Checks Which) : M(M), Which(Which), Make(M) {}

  void body(Body &B);
  void finish() { Make.finish(); }

private:
  void value(Expr *&E);
  void values(std::vector<Expr *> &Es) {
    for (Expr *&E : Es)
      value(E);
  }
  void operandsOf(Expr *E) {
    for (Expr **Operand : operands(E))
      value(*Operand);
  }
  /// The values in a place, and the subscripts of arrays. MayBePast: the place
  /// is not used, its address is taken.
  void place(Expr *Place, bool MayBePast = false);
  void address(AddressOf *A);
  void store(Stmt *&S);
  Expr *viewLoad(Load *L);

  Module &M;
  Checks Which;
  CheckMaker Make;
};

} // namespace

/// Whether a place is (a part of) an element of a view that can be handed to a
/// function or back.
static bool isPartOfElement(const Expr *Place) {
  return isa<ViewElement>(rootOf(Place)) && !Place->Ty->isArray();
}

static bool holdsCall(const Expr *E) {
  bool Found = false;
  walk(E, [&](const Expr *Part) { Found |= isa<Call>(Part); });
  return Found;
}

void Checking::place(Expr *Place, bool MayBePast) {
  if (auto *X = dyn_cast<Member>(Place))
    return place(X->Base);
  if (auto *X = dyn_cast<Element>(Place)) {
    std::string Of = nameOf(X->Base);
    place(X->Base);
    value(X->Index);
    if (Which.Bounds)
      X->Index = Make.index(X, Of, MayBePast);
    return;
  }
  operandsOf(Place);
}

void Checking::address(AddressOf *A) {
  place(A->Place, /*MayBePast=*/true);
  Expr *Root = A->Place;
  while (isa<Member, Element>(Root))
    Root = *operands(Root).front();
  auto *X = dyn_cast<ViewElement>(Root);
  // A call would be made twice.
  if (!Which.Bounds || !X || holdsCall(X->View))
    return;
  std::string Of = nameOfView(X->View);
  for (unsigned D = 0; D != X->Subscripts.size(); ++D)
    X->Subscripts[D] = Make.subscript(X, D, Of);
}

Expr *Checking::viewLoad(Load *L) {
  std::string Of = nameOfView(cast<ViewElement>(rootOf(L->Place))->View);
  place(L->Place);
  return Make.load(L, Of);
}

void Checking::value(Expr *&E) {
  switch (E->K) {
  case Expr::Kind::Load: {
    auto *L = cast<Load>(E);
    if (Which.Bounds && isPartOfElement(L->Place))
      E = viewLoad(L);
    else
      place(L->Place);
    return;
  }
  case Expr::Kind::AddressOf:
    return address(cast<AddressOf>(E));
  case Expr::Kind::ViewSection:
  case Expr::Kind::ViewProject:
  case Expr::Kind::ViewReshape: {
    std::string Of = nameOfView(*operands(E).front());
    operandsOf(E);
    if (Which.Bounds)
      E = Make.view(E, Of);
    return;
  }
  case Expr::Kind::Binary: {
    operandsOf(E);
    auto *X = cast<Binary>(E);
    bool Divides = X->Op == BinaryOp::Div || X->Op == BinaryOp::Rem;
    if (Which.Division && Divides && X->Ty->scalar()->isInt())
      E = Make.division(X);
    return;
  }
  default:
    return operandsOf(E);
  }
}

void Checking::store(Stmt *&S) {
  auto *A = cast<Store>(S);
  value(A->Value);
  if (!Which.Bounds || !isPartOfElement(A->Place))
    return place(A->Place);
  std::string Of = nameOfView(cast<ViewElement>(rootOf(A->Place))->View);
  place(A->Place);
  S = Make.store(A, Of);
}

void Checking::body(Body &B) {
  for (Stmt *&S : B) {
    at(M, S->Where);
    switch (S->K) {
    case Stmt::Kind::Declare:
      if (Expr *&Init = cast<Declare>(S)->Init)
        value(Init);
      break;
    case Stmt::Kind::Store:
      store(S);
      break;
    case Stmt::Kind::Eval:
      value(cast<Eval>(S)->Value);
      break;
    case Stmt::Kind::Block:
      body(cast<Block>(S)->Stmts);
      break;
    case Stmt::Kind::If:
      value(cast<If>(S)->Condition);
      body(cast<If>(S)->Then);
      body(cast<If>(S)->Else);
      break;
    case Stmt::Kind::Loop: {
      auto *L = cast<Loop>(S);
      body(L->Prelude);
      if (L->Condition)
        value(L->Condition);
      body(L->Stmts);
      body(L->Step);
      break;
    }
    case Stmt::Kind::Switch:
      value(cast<Switch>(S)->Subject);
      for (Switch::Case &C : cast<Switch>(S)->Cases)
        body(C.Stmts);
      break;
    case Stmt::Kind::Return:
      if (Expr *&Value = cast<Return>(S)->Value)
        value(Value);
      break;
    case Stmt::Kind::Report:
      values(cast<Report>(S)->Args);
      break;
    case Stmt::Kind::Break:
    case Stmt::Kind::Continue:
    case Stmt::Kind::Barrier:
    case Stmt::Kind::Fence:
      break;
    }
  }
}

void addChecks(Module &M, Checks Which) {
  if (!Which.Bounds && !Which.Division)
    return;
  Checking C(M, Which);
  for (const auto &F : M.Functions) {
    Inside Here("function", F->Name);
    C.body(F->Stmts);
  }
  for (const auto &K : M.Kernels) {
    Inside Here("kernel", K->Name);
    C.body(K->Stmts);
  }
  C.finish();
}

} // namespace ampc::kir
