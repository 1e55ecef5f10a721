//===- guards.cpp - conditions on where a work item is --------------------===//
//
// All is computed in 64 bits, in which 32-bit operands cannot overflow: a guard
// is evaluated where the kernel itself would perhaps not evaluate it.
//
//===----------------------------------------------------------------------===//

#include "cpu/guards.h"
#include "kir/operands.h"
#include "kir/passes/points_to.h"
#include "kir/walk.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace ampc::kir;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace ampc::cpu {

namespace {

constexpr unsigned MostBits = 60;

class Finder {
public:
  Finder(const Body &B, llvm::ArrayRef<const Declare *> Before,
         LinearPlace Place);
  void find(const Expr *E);
  std::vector<Guard> Found;

private:
  /// A condition: its C, and where it changes.
  struct Condition {
    std::string Text; ///< binds like a call
    std::vector<std::string> Cuts;
    bool Counts = false;
  };
  std::optional<Linear> linear(const Expr *E);
  std::optional<Linear> arithmetic(const Binary *E);
  std::optional<Condition> condition(const Expr *E);
  std::optional<Condition> comparison(const Binary *E);

  LinearPlace Place;
  /// Variables with one value, given where they are declared.
  std::map<const Variable *, const Expr *> Fixed;
};

Finder::Finder(const Body &B, llvm::ArrayRef<const Declare *> Before,
               LinearPlace Place)
    : Place(Place) {
  std::set<const Variable *> Stored;
  auto See = [&](const Stmt *S) {
    if (auto *A = dyn_cast<Store>(S))
      Stored.insert(rootVariable(A->Place));
    auto *D = dyn_cast<Declare>(S);
    if (D && D->Init && !D->Var->AddressTaken)
      Fixed[D->Var] = D->Init;
    else if (D)
      Stored.insert(D->Var);
  };
  for (const Declare *D : Before)
    See(D);
  walk(B, [](const Expr *) {}, See);
  for (const Variable *V : Stored)
    if (auto At = Fixed.find(V); At != Fixed.end())
      At->second = nullptr;
    else
      Fixed[V] = nullptr;
}

std::optional<Linear> Finder::arithmetic(const Binary *E) {
  if (!E->Ty->isInt() || !E->Ty->Signed)
    return std::nullopt; // an unsigned one wraps
  std::optional<Linear> L = linear(E->Left), R = linear(E->Right);
  if (!L || !R)
    return std::nullopt;
  Linear Result;
  const char *Sign;
  switch (E->Op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
    if (R->Counts && (L->Counts || E->Op == BinaryOp::Sub))
      return std::nullopt;
    Result.Counts = L->Counts || R->Counts;
    Result.Bits = std::max(L->Bits, R->Bits) + 1;
    Sign = E->Op == BinaryOp::Add ? " + " : " - ";
    break;
  case BinaryOp::Mul:
    if (L->Counts || R->Counts)
      return std::nullopt;
    Result.Bits = L->Bits + R->Bits;
    Sign = " * ";
    break;
  default:
    return std::nullopt;
  }
  if (Result.Bits > MostBits)
    return std::nullopt;
  Result.Rest = "(" + L->Rest + Sign + R->Rest + ")";
  return Result;
}

std::optional<Linear> Finder::linear(const Expr *E) {
  if (auto *C = dyn_cast<IntConst>(E)) {
    int64_t Value = int64_t(C->Value);
    if (E->Ty->Width < 64) {
      uint64_t Shift = 64 - E->Ty->Width;
      Value = E->Ty->Signed ? int64_t(C->Value << Shift) >> Shift
                            : int64_t(C->Value << Shift >> Shift);
    }
    if (Value != int32_t(Value))
      return std::nullopt;
    std::string Text = "INT64_C(" + std::to_string(std::abs(Value)) + ")";
    return Linear{false, Value < 0 ? "(-" + Text + ")" : Text, 32};
  }
  if (auto *X = dyn_cast<Convert>(E)) {
    if (!E->Ty->isInt() || !X->Operand->Ty->isInt())
      return std::nullopt;
    std::optional<Linear> Of = linear(X->Operand);
    // The counter itself is never negative.
    bool Keeps = E->Ty->Width > X->Operand->Ty->Width
                     ? E->Ty->Signed || !X->Operand->Ty->Signed
                     : Of && Of->Counts && Of->Rest == "0";
    return Keeps && E->Ty->Width >= 32 ? Of : std::nullopt;
  }
  if (auto *X = dyn_cast<Binary>(E))
    return arithmetic(X);
  const Expr *At = E;
  if (auto *L = dyn_cast<Load>(E))
    At = L->Place;
  else if (!isa<ViewExtent>(E))
    return std::nullopt;
  if (!E->Ty->isInt() || E->Ty->Width > 32)
    return std::nullopt;
  if (auto *Ref = dyn_cast<VarRef>(At)) {
    auto Known = Fixed.find(Ref->Var);
    if (Known != Fixed.end())
      return Known->second ? linear(Known->second) : std::nullopt;
  }
  return Place(At);
}

std::optional<Finder::Condition> Finder::comparison(const Binary *E) {
  if (!E->Left->Ty->isInt())
    return std::nullopt;
  std::optional<Linear> L = linear(E->Left), R = linear(E->Right);
  if (!L || !R || (L->Counts && R->Counts) ||
      std::max(L->Bits, R->Bits) >= MostBits)
    return std::nullopt;
  BinaryOp Op = E->Op;
  if (R->Counts) {
    std::swap(L, R);
    Op = Op == BinaryOp::Lt   ? BinaryOp::Gt
         : Op == BinaryOp::Le ? BinaryOp::Ge
         : Op == BinaryOp::Gt ? BinaryOp::Lt
         : Op == BinaryOp::Ge ? BinaryOp::Le
                              : Op;
  }
  const char *Sign = Op == BinaryOp::Lt   ? "<"
                     : Op == BinaryOp::Le ? "<="
                     : Op == BinaryOp::Gt ? ">"
                     : Op == BinaryOp::Ge ? ">="
                     : Op == BinaryOp::Eq ? "=="
                                          : "!=";
  Condition Result;
  std::string Bound = R->Rest;
  if (L->Counts && L->Rest != "0")
    Bound = "(" + R->Rest + " - " + L->Rest + ")";
  Result.Counts = L->Counts;
  Result.Text = "(" + (L->Counts ? "ampc_from" : L->Rest) + " " + Sign + " " +
                Bound + ")";
  if (!L->Counts)
    return Result;
  bool Equal = Op == BinaryOp::Eq || Op == BinaryOp::Ne;
  if (Equal || Op == BinaryOp::Lt || Op == BinaryOp::Ge)
    Result.Cuts.push_back(Bound);
  if (Equal || Op == BinaryOp::Le || Op == BinaryOp::Gt)
    Result.Cuts.push_back(Bound + " + 1");
  return Result;
}

std::optional<Finder::Condition> Finder::condition(const Expr *E) {
  if (auto *X = dyn_cast<Binary>(E); X && isComparison(X->Op))
    return comparison(X);
  if (auto *X = dyn_cast<Unary>(E); X && X->Op == UnaryOp::LogicalNot) {
    std::optional<Condition> Of = condition(X->Operand);
    if (Of)
      Of->Text = "(!" + Of->Text + ")";
    return Of;
  }
  if (auto *X = dyn_cast<Logical>(E)) {
    std::optional<Condition> L = condition(X->Left), R = condition(X->Right);
    if (!L || !R)
      return std::nullopt;
    L->Text = "(" + L->Text + (X->IsAnd ? " && " : " || ") + R->Text + ")";
    L->Cuts.insert(L->Cuts.end(), R->Cuts.begin(), R->Cuts.end());
    L->Counts |= R->Counts;
    return L;
  }
  return std::nullopt;
}

/// Of an expression and its parts, the largest that are conditions.
void Finder::find(const Expr *E) {
  if (E->Ty->isBool())
    if (std::optional<Condition> C = condition(E)) {
      if (!C->Counts)
        return;
      for (Guard &Known : Found)
        if (Known.Text == C->Text) {
          Known.Uses.push_back(E);
          return;
        }
      Found.push_back({C->Text, C->Cuts, {E}});
      return;
    }
  for (Expr **Operand : operands(const_cast<Expr *>(E)))
    find(*Operand);
}

/// The expressions of B that are part of no other.
std::vector<const Expr *> wholeExpressions(const Body &B) {
  std::vector<const Expr *> All;
  std::set<const Expr *> Parts;
  walk(
      B,
      [&](const Expr *E) {
        All.push_back(E);
        for (Expr **Operand : operands(const_cast<Expr *>(E)))
          Parts.insert(*Operand);
      },
      [](const Stmt *) {});
  llvm::erase_if(All, [&](const Expr *E) { return Parts.count(E) != 0; });
  return All;
}

} // namespace

std::vector<Guard> findGuards(const Body &B,
                              llvm::ArrayRef<const Declare *> Before,
                              LinearPlace Place) {
  Finder F(B, Before, Place);
  for (const Expr *E : wholeExpressions(B))
    F.find(E);
  return std::move(F.Found);
}

} // namespace ampc::cpu
