//===- narrow.cpp - scalars of less than 32 bits in memory ----------------===//

#include "spirv/narrow.h"
#include "kir/walk.h"
#include <algorithm>
#include <set>

using namespace ampc::kir;
using llvm::dyn_cast;

namespace ampc::spirv {

namespace {

/// Looks for a type in which something is not made of aligned words.
class Search {
public:
  bool type(const Type *T) {
    if (!T || !Seen.insert(T).second)
      return false;
    if (isNarrow(T))
      return true;
    // A lone bool or a struct that begins with one is padded to a word, but not
    // as an element.
    if ((T->isArray() || T->isView()) && T->Element->Size % 4)
      return true;
    for (const Type::Field &F : T->Fields)
      if (F.Offset % 4 || type(F.Ty))
        return true;
    return type(T->Element);
  }

private:
  std::set<const Type *> Seen;
};

} // namespace

static void eachExpression(const Kernel &K, ExprVisitor Visit) {
  auto IgnoreStmt = [](const Stmt *) {};
  for (const Function *F : reachableFunctions(K.Stmts))
    walk(F->Stmts, Visit, IgnoreStmt);
  walk(K.Stmts, Visit, IgnoreStmt);
}

bool isNarrow(const Kernel &K) {
  Search S;
  bool Found = false;
  eachExpression(K, [&](const Expr *E) { Found = Found || S.type(E->Ty); });
  return Found;
}

unsigned smallestScalar(const Type *T) {
  if (T->isVector() || T->isArray())
    return smallestScalar(T->Element);
  if (T->isScalar())
    return std::min<uint64_t>(T->Size, 4);
  unsigned Smallest = 4;
  for (const Type::Field &F : T->Fields)
    Smallest = std::min(Smallest, smallestScalar(F.Ty));
  return Smallest;
}

unsigned largestScalar(const Type *T) {
  if (T->isVector() || T->isArray())
    return largestScalar(T->Element);
  if (T->isScalar())
    return std::min<uint64_t>(T->Size, 4);
  unsigned Largest = T->isStruct() ? 1 : 4;
  for (const Type::Field &F : T->Fields)
    Largest = std::max(Largest, largestScalar(F.Ty));
  return Largest;
}

std::map<const Variable *, unsigned> tileStaticUnits(const Kernel &K,
                                                     const PointsTo &Points) {
  std::map<const Variable *, unsigned> Units;
  auto Note = [&](const Variable *V, const Type *Accessed) {
    if (V->Store != Storage::TileStatic)
      return;
    unsigned &Unit = Units.try_emplace(V, smallestScalar(V->Ty)).first->second;
    Unit = std::min(Unit, smallestScalar(Accessed));
  };
  eachExpression(K, [&](const Expr *E) {
    if (auto *V = dyn_cast<VarRef>(E); V && Points.number(V->Var))
      Note(V->Var, V->Ty);
    auto *D = dyn_cast<Deref>(E);
    if (!D)
      return;
    for (unsigned Number : Points.of(D->Pointer))
      if (Number)
        Note(Points.object(Number), D->Ty);
  });
  return Units;
}

} // namespace ampc::spirv
