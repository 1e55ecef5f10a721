//===- items.cpp - loops over neighbouring work items ---------------------===//

#include "cpu/kernel_printer.h"
#include "kir/passes/points_to.h"
#include "kir/reports.h"
#include "kir/walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace ampc::kir;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace ampc::cpu {

namespace {

constexpr size_t MostGuards = 6;
/// A body is printed once for each combination of so many guards, if all of it
/// stays below so many expressions.
constexpr size_t MostVersions = 2, MostExpressions = 500;

bool holdsArray(const Type *T) {
  if (T->isArray() || T->IsUnion)
    return true;
  return llvm::any_of(T->Fields,
                      [](const Type::Field &F) { return holdsArray(F.Ty); });
}

/// Whether host compilers may keep what V holds in memory that all work items
/// of a loop share, one after the other.
bool mayStayInMemory(const Variable *V) {
  return V->AddressTaken || holdsArray(V->Ty);
}

/// Work items that run at the same time have no data races (rule B2 and the
/// model of memory), so those of one loop can be taken in any order, or several
/// at once. Not if a variable of theirs may have one place in memory for all.
bool areIndependent(const Body &B) {
  bool Good = true;
  auto Look = [&](const Expr *E) {
    auto *X = dyn_cast<Element>(E);
    const Variable *V =
        X && !isa<IntConst>(X->Index) ? rootVariable(X) : nullptr;
    Good &= !V || V->Store == Storage::TileStatic ||
            V->Store == Storage::Constant || V->Store == Storage::Capture;
    // These go through arrays in C.
    Good &= !isa<ViewSection, ViewProject, ViewReinterpret, ViewReshape>(E) &&
            !(isa<Construct, Call>(E) && holdsArray(E->Ty));
  };
  auto See = [&](const Stmt *S) {
    auto *D = dyn_cast<Declare>(S);
    Good &= !(D && mayStayInMemory(D->Var)) && !isa<Barrier, Fence>(S);
  };
  walk(B, Look, See);
  for (const Function *F : reachableFunctions(B)) {
    walk(F->Stmts, Look, See);
    for (const Variable *V : F->Params)
      Good &= !mayStayInMemory(V);
  }
  return Good;
}

size_t expressionsIn(const Body &B) {
  size_t Count = 0;
  walk(B, [&](const Expr *) { ++Count; }, [](const Stmt *) {});
  return Count;
}

} // namespace

/// A part of the index: an untiled kernel's own, or t's.
std::optional<Linear> KernelPrinter::indexPlace(const Row &R, const Expr *At) {
  uint64_t D = 0;
  const Expr *Of = At;
  if (auto *X = dyn_cast<Element>(At)) {
    auto *C = dyn_cast<IntConst>(X->Index);
    if (!C)
      return std::nullopt;
    D = C->Value;
    Of = X->Base;
  }
  auto *Field = dyn_cast<Member>(Of);
  auto *Ref = dyn_cast<VarRef>(Field ? Field->Base : Of);
  if (!Ref || Ref->Var->Store != Storage::Index ||
      isAssigned(K.Stmts, Ref->Var))
    return std::nullopt;
  if (!Field && K.Indices.size() == K.Rank)
    D = std::find(K.Indices.begin(), K.Indices.end(), Ref->Var) -
        K.Indices.begin();
  if (D >= K.Rank)
    return std::nullopt;
  auto Wide = [](const std::string &Text) { return "(int64_t)" + Text; };
  bool Counts = D + 1 == K.Rank;
  Linear Item{Counts, Counts ? "0" : Wide(R.Place[D]), 32};
  if (!Field)
    return Item;
  const std::string &Name = Field->Base->Ty->Fields[Field->Field].Name;
  std::string Tile = Wide(tileOf(D)),
              Origin = Tile + " * " + std::to_string(K.Tile[D]);
  if (Name == "local")
    return Item;
  if (Name == "tile")
    return Linear{false, Tile, 32};
  if (Name == "tile_origin")
    return Linear{false, "(" + Origin + ")", 32};
  if (Name == "global")
    return Linear{Counts,
                  "(" + Origin + (Counts ? "" : " + " + Item.Rest) + ")", 32};
  return std::nullopt;
}

/// What does not change along the row, or counts with it.
std::optional<Linear> KernelPrinter::place(const Row &R, const Expr *At) {
  auto Known = [&](const Expr *E) {
    return Linear{false, "(int64_t)" + P.expr(E, Binding::Unary), 33};
  };
  if (auto *X = dyn_cast<ViewExtent>(At)) {
    auto *L = dyn_cast<Load>(X->View);
    auto *Ref = L ? dyn_cast<VarRef>(L->Place) : nullptr;
    if (Ref && Ref->Var->Store == Storage::Capture && !Ref->Var->AddressTaken)
      return Known(X);
    return std::nullopt;
  }
  if (auto *Ref = dyn_cast<VarRef>(At))
    if (const Variable *V = Ref->Var;
        !V->AddressTaken &&
        (V->Store == Storage::Capture || S.Uniform.count(V)))
      return Known(Ref);
  return indexPlace(R, At);
}

/// The loop once for each value of each of the first guards.
void KernelPrinter::versions(const std::vector<Guard> &Guards, size_t First,
                             size_t Count, llvm::function_ref<void()> Loop) {
  if (First == Count)
    return Loop();
  auto Version = [&](bool Value) {
    for (const Expr *Use : Guards[First].Uses)
      P.Conditions[Use] = Value ? "1" : "0";
    versions(Guards, First + 1, Count, Loop);
  };
  P.open("if (ampc_guard_" + std::to_string(First) + ")");
  Version(true);
  P.orElse();
  Version(false);
  P.close();
}

/// The index of the work item that a row is at, 0 where there is no dimension.
std::string KernelPrinter::workItem(const Row &R) const {
  std::string All;
  for (unsigned D = 0; D != ReportRank; ++D) {
    All += D ? ", " : "";
    if (D >= K.Rank)
      All += "0";
    else if (K.isTiled())
      All += tileOf(D) + " * " + std::to_string(K.Tile[D]) + " + " + R.Place[D];
    else
      All += R.Place[D];
  }
  return All;
}

void KernelPrinter::row(const Row &R, llvm::function_ref<void()> Item) {
  bool Reports = reports(K.Stmts);
  std::string Head =
      !Reports && areIndependent(R.Stmts) ? "AMPC_INDEPENDENT " : "";
  if (K.isTiled())
    Head += "AMPC_WORK_ITEMS ";
  auto Loop = [&](const std::string &From, const std::string &To) {
    P.open(Head + "for (int " + R.Counter + " = " + From + "; " + R.Counter +
           " < " + To + "; ++" + R.Counter + ")");
    if (Reports)
      P.line("ampc_kernel_item(" + workItem(R) + ");");
    if (Returns)
      P.ReturnLabel =
          "ampc_next" + (Nexts ? "_" + std::to_string(Nexts) : std::string());
    P.ReturnLabelUsed = false;
    Item();
    if (P.ReturnLabelUsed) {
      P.line(P.ReturnLabel + ":;");
      ++Nexts;
    }
    P.ReturnLabel.clear();
    P.close();
  };
  std::vector<Guard> Guards;
  if (CutsLoops)
    Guards = findGuards(R.Stmts, R.Before,
                        [&](const Expr *At) { return place(R, At); });
  if (Guards.size() > MostGuards)
    Guards.resize(MostGuards);
  if (Guards.empty())
    return Loop(R.From, R.To);

  P.open("");
  P.line("int ampc_from = " + R.From + ";");
  P.open("do");
  P.line("int ampc_to = " + R.To + ";");
  std::set<std::string> Cuts;
  for (const Guard &G : Guards)
    for (const std::string &Cut : G.Cuts)
      if (Cut != "INT64_C(0)" && Cuts.insert(Cut).second)
        P.line("ampc_to = ampc_cut(ampc_from, ampc_to, " + Cut + ");");
  for (size_t I = 0; I != Guards.size(); ++I) {
    std::string Name = "ampc_guard_" + std::to_string(I);
    P.line("const _Bool " + Name + " = " + Guards[I].Text + ";");
    for (const Expr *Use : Guards[I].Uses)
      P.Conditions[Use] = Name;
  }
  size_t Count = 0, Size = expressionsIn(R.Stmts);
  while (Count < std::min(MostVersions, Guards.size()) &&
         Size << (Count + 1) <= MostExpressions)
    ++Count;
  versions(Guards, 0, Count, [&] { Loop("ampc_from", "ampc_to"); });
  P.line("ampc_from = ampc_to;");
  P.close(" while (ampc_from < " + R.To + ");");
  P.close();
  P.Conditions.clear();
}

} // namespace ampc::cpu
