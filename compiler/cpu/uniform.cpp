//===- uniform.cpp - variables that are the same for a whole tile ---------===//
//
// From "nothing varies", the body is gone through until nothing more is found.
// Control flow around barriers is uniform (rule B1). Loads from memory, results
// of calls and pointers count as varying: that costs time, never correctness.
//
//===----------------------------------------------------------------------===//

#include "cpu/uniform.h"
#include "cpu/normalise.h"
#include "cpu/structure.h"
#include "kir/operands.h"
#include "kir/passes/points_to.h"
#include "kir/walk.h"

using namespace ampc::kir;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace ampc::cpu {

namespace {

class Analysis {
public:
  std::set<const Variable *> Varying;

  void run(const Body &B) {
    size_t Before;
    do {
      Before = Varying.size();
      list(B, false, false);
    } while (Varying.size() != Before);
  }

  bool varies(const Expr *E);

private:
  bool variesBelow(const Expr *E) {
    for (Expr **Operand : operands(const_cast<Expr *>(E)))
      if (varies(*Operand))
        return true;
    return false;
  }
  bool jumpsApart(const Body &B, bool Apart);
  void list(const Body &B, bool Apart, bool InLoop);
  void stmt(const Stmt *S, bool Apart, bool InLoop);
};

bool Analysis::varies(const Expr *E) {
  switch (E->K) {
  case Expr::Kind::VarRef: {
    const Variable *V = cast<VarRef>(E)->Var;
    switch (V->Store) {
    case Storage::Local:
    case Storage::Param:
      return V->AddressTaken || Varying.count(V);
    case Storage::Capture:
      return V->AddressTaken;
    case Storage::Constant:
      return false;
    case Storage::Index:
    case Storage::TileStatic:
      return true;
    }
    return true;
  }
  case Expr::Kind::Member: {
    auto *X = cast<Member>(E);
    auto *Base = dyn_cast<VarRef>(X->Base);
    if (Base && Base->Var->Store == Storage::Index) {
      const std::string &Name = X->Base->Ty->Fields[X->Field].Name;
      return Name != "tile" && Name != "tile_origin" && Name != "barrier";
    }
    return varies(X->Base);
  }
  case Expr::Kind::ViewElement:
  case Expr::Kind::Deref:
  case Expr::Kind::Call:
  case Expr::Kind::AddressOf:
    return true;
  case Expr::Kind::Element:
  case Expr::Kind::IntConst:
  case Expr::Kind::FloatConst:
  case Expr::Kind::BoolConst:
  case Expr::Kind::Zero:
  case Expr::Kind::Load:
  case Expr::Kind::Unary:
  case Expr::Kind::Binary:
  case Expr::Kind::Logical:
  case Expr::Kind::Select:
  case Expr::Kind::Convert:
  case Expr::Kind::Bitcast:
  case Expr::Kind::Construct:
  case Expr::Kind::Swizzle:
  case Expr::Kind::Intrinsic:
  case Expr::Kind::ViewExtent:
  case Expr::Kind::ViewSection:
  case Expr::Kind::ViewProject:
  case Expr::Kind::ViewReinterpret:
  case Expr::Kind::ViewReshape:
  case Expr::Kind::PointerAdd:
  case Expr::Kind::PointerDifference:
    return variesBelow(E);
  default:
    return true;
  }
}

/// Whether some Break or Continue in B, at any depth, depends on a varying
/// condition.
bool Analysis::jumpsApart(const Body &B, bool Apart) {
  for (const Stmt *S : B) {
    if (isa<Break, Continue>(S)) {
      if (Apart)
        return true;
      continue;
    }
    bool Inner = Apart;
    if (auto *X = dyn_cast<If>(S))
      Inner |= varies(X->Condition);
    else if (auto *X = dyn_cast<Switch>(S))
      Inner |= varies(X->Subject);
    else if (auto *X = dyn_cast<Loop>(S))
      Inner |= X->Condition && varies(X->Condition);
    bool Found = false;
    forEachBody(const_cast<Stmt *>(S),
                [&](Body &Part) { Found |= jumpsApart(Part, Inner); });
    if (Found)
      return true;
  }
  return false;
}

void Analysis::stmt(const Stmt *S, bool Apart, bool InLoop) {
  bool Splits =
      holdsBarrier(Body{const_cast<Stmt *>(S)}) || (InLoop && leavesLoop(S));
  switch (S->K) {
  case Stmt::Kind::Declare: {
    auto *D = cast<Declare>(S);
    if (D->Init && (Apart || varies(D->Init)))
      Varying.insert(D->Var);
    break;
  }
  case Stmt::Kind::Store: {
    auto *A = cast<Store>(S);
    const Variable *V = rootVariable(A->Place);
    if (V && (Apart || varies(A->Value) ||
              (!isa<VarRef>(A->Place) && variesBelow(A->Place))))
      Varying.insert(V);
    break;
  }
  case Stmt::Kind::Block:
    list(cast<Block>(S)->Stmts, Apart, InLoop);
    break;
  case Stmt::Kind::If: {
    auto *X = cast<If>(S);
    bool Inner = Apart || (!Splits && varies(X->Condition));
    list(X->Then, Inner, InLoop);
    list(X->Else, Inner, InLoop);
    break;
  }
  case Stmt::Kind::Loop: {
    auto *X = cast<Loop>(S);
    bool Inner = Apart;
    if (!Splits)
      Inner |=
          (X->Condition && varies(X->Condition)) || jumpsApart(X->Stmts, false);
    list(X->Prelude, Inner, Splits);
    list(X->Stmts, Inner, Splits);
    list(X->Step, Inner, Splits);
    break;
  }
  case Stmt::Kind::Switch: {
    auto *X = cast<Switch>(S);
    bool Inner = Apart || varies(X->Subject);
    for (const Switch::Case &C : X->Cases)
      Inner |= jumpsApart(C.Stmts, false);
    for (const Switch::Case &C : X->Cases)
      list(C.Stmts, Inner, false);
    break;
  }
  default:
    break;
  }
}

void Analysis::list(const Body &B, bool Apart, bool InLoop) {
  for (const Stmt *S : B)
    stmt(S, Apart, InLoop);
}

} // namespace

bool varies(const Expr *Value, const std::set<const Variable *> &Varying) {
  Analysis A;
  A.Varying = Varying;
  return A.varies(Value);
}

std::set<const Variable *> varyingVariables(const Body &Normalised) {
  Analysis A;
  A.run(Normalised);
  walk(
      Normalised, [](const Expr *) {},
      [&](const Stmt *S) {
        if (auto *D = dyn_cast<Declare>(S); D && D->Var->AddressTaken)
          A.Varying.insert(D->Var);
      });
  return std::move(A.Varying);
}

} // namespace ampc::cpu
