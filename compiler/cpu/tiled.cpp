//===- tiled.cpp - the C function of a kernel with tiles ------------------===//

#include "cpu/kernel_printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ampc::kir;
using llvm::dyn_cast;

namespace ampc::cpu {

/// More than this for one tile is not put on the stack of whoever runs it.
constexpr uint64_t MostOnStack = 64 << 10;
/// A larger variable that lives across barriers is not copied into and out of
/// each loop over the tile.
constexpr uint64_t MostCopied = 64;

bool KernelPrinter::isCopied(const Variable *V) const {
  return !V->AddressTaken && !V->Ty->isArray() && V->Ty->Size <= MostCopied;
}

/// A variable of the tile: tile_static, or an element for each work item.
void KernelPrinter::memory(const Variable *V, const std::string &Name,
                           const Type *Ty, bool InArena) {
  std::string Shape;
  uint64_t Bytes = Ty->isView() ? 64 : Ty->isPointer() ? 8 : Ty->Size;
  if (V->Store != Storage::TileStatic)
    for (unsigned Extent : K.Tile) {
      Shape += "[" + std::to_string(Extent) + "]";
      Bytes *= Extent;
    }
  if (!InArena)
    return P.line(T.declare(Ty, Name + Shape) + ";");
  uint64_t Align = 64, Offset = Result.ArenaBytes;
  // A pointer to the first row is subscripted as the array would be.
  size_t Row = Shape.find(']') + 1;
  P.line(T.declare(Ty, "(*const " + Name + ")" + Shape.substr(Row)) +
         " = (void *)((char *)ampc_arena + " + std::to_string(Offset) + ");");
  Result.ArenaBytes = (Offset + Bytes + Align - 1) / Align * Align;
}

/// t, of the work item at Local.
void KernelPrinter::index(const Variable *V, const Strings &Local) {
  std::map<std::string, std::vector<std::string>> Lanes;
  for (unsigned D = 0; D != K.Rank; ++D) {
    std::string Origin = tileOf(D) + " * " + std::to_string(K.Tile[D]);
    Lanes["global"].push_back(Origin + " + " + Local[D]);
    Lanes["local"].push_back(Local[D]);
    Lanes["tile"].push_back(tileOf(D));
    Lanes["tile_origin"].push_back(Origin);
  }
  std::string All;
  for (const Type::Field &F : V->Ty->Fields) {
    std::string Value = llvm::join(Lanes[F.Name], ", ");
    All += (All.empty() ? "" : ", ") +
           (F.Ty->isInt() ? Value : "{" + (Value.empty() ? "0" : Value) + "}");
  }
  if (!isAssigned(K.Stmts, V))
    P.IndexLanes[V] = std::move(Lanes);
  // Inside of a loop over the tile this hides the first work item's.
  auto [Name, New] = IndexNames.try_emplace(V);
  if (New)
    Name->second = P.fresh(V->Name);
  P.take(Name->second);
  P.call(V, Name->second, Binding::Postfix);
  P.line(T.declare(V->Ty, Name->second) + " = {" + All + "};");
}

/// What the control flow of the tile calls its variables.
void KernelPrinter::outside() {
  Strings First(K.Rank, "0");
  for (const auto &[V, Array] : Arrays)
    P.call(V, Array + subscripts(First), Binding::Postfix);
  for (const auto &[V, Name] : IndexNames) {
    P.call(V, Name, Binding::Postfix);
    P.IndexLanes.erase(V);
  }
}

/// One work item of a run, the one at Local.
void KernelPrinter::item(const Part &Run, const Strings &Local) {
  for (const Variable *V : K.Indices)
    if (Run.Uses.count(V))
      index(V, Local);
  std::set<const Variable *> Declared;
  for (const Stmt *Each : Run.Stmts)
    if (auto *D = dyn_cast<Declare>(Each))
      Declared.insert(D->Var);
  std::vector<const Variable *> Copied;
  for (const auto &[V, Array] : Arrays) {
    if (!Run.Uses.count(V))
      continue;
    if (!isCopied(V)) {
      P.Elsewhere.insert(V);
      P.call(V, Array + subscripts(Local), Binding::Postfix);
      continue;
    }
    Copied.push_back(V);
    if (!Declared.count(V)) // it comes with a value from before
      P.line(T.declare(V->Ty, P.name(V)) + " = " + Array + subscripts(Local) +
             ";");
  }
  for (const Declare *D : Run.Remade)
    P.declare(D->Var, D->Init);
  P.body(Run.Stmts);
  for (const Variable *V : Copied)
    if (Run.Stores.count(V)) {
      VarRef Ref(const_cast<Variable *>(V), V->Where);
      P.line(Arrays[V] + subscripts(Local) + " = " + P.expr(&Ref) + ";");
    }
}

void KernelPrinter::items(const Part &Run) {
  if (llvm::all_of(Run.Stmts, [](const Stmt *Each) {
        auto *D = dyn_cast<Declare>(Each);
        return D && !D->Init && !D->Var->Ty->isBool();
      }))
    return;
  // Not the first statement: a breakpoint there is for each work item.
  if (&Run != &S.Parts[0])
    P.locate(Run.Where);
  Strings Local;
  unsigned Last = K.Rank - 1;
  for (unsigned D = 0; D != K.Rank; ++D)
    Local.push_back(number(D));
  for (unsigned D = 0; D != Last; ++D)
    P.open("for (int " + Local[D] + " = 0; " + Local[D] + " < " +
           std::to_string(K.Tile[D]) + "; ++" + Local[D] + ")");
  row({Local[Last], "0", std::to_string(K.Tile[Last]), Run.Stmts, Run.Remade,
       Local},
      [&] { item(Run, Local); });
  for (unsigned D = 0; D != Last; ++D)
    P.close();
  outside();
}

void KernelPrinter::loop(const Part &L) {
  P.open("for (;;)");
  auto Head = [&] {
    parts(L.First);
    if (L.Condition)
      P.line("if (!" + P.expr(L.Condition, Binding::Unary) + ") break;");
  };
  if (L.F != Loop::Form::Do)
    Head();
  P.open("");
  parts(L.Second);
  P.close();
  parts(L.Third);
  if (L.F == Loop::Form::Do)
    Head();
  P.close();
}

void KernelPrinter::parts(const std::vector<Part> &Parts) {
  for (const Part &Each : Parts) {
    if (Each.K != Part::Kind::Items && Each.K != Part::Kind::Block)
      P.locate(Each.Where);
    switch (Each.K) {
    case Part::Kind::Items:
      items(Each);
      break;
    case Part::Kind::Uniform:
      P.stmt(Each.Stmts[0]);
      break;
    case Part::Kind::Block:
      P.open("");
      parts(Each.First);
      P.close();
      break;
    case Part::Kind::If:
      P.open("if (" + P.expr(Each.Condition, Binding::Comma) + ")");
      parts(Each.First);
      if (!Each.Second.empty()) {
        P.orElse();
        parts(Each.Second);
      }
      P.close();
      break;
    case Part::Kind::Loop:
      loop(Each);
      break;
    case Part::Kind::Break:
      P.line("break;");
      break;
    }
  }
}

void KernelPrinter::tiled() {
  for (unsigned D = 1; D < K.Rank; ++D)
    P.line("const uint64_t ampc_tiles_" + std::to_string(D) + " = (uint64_t)" +
           domain(D) + " / " + std::to_string(K.Tile[D]) + ";");
  if (K.Rank == 1)
    P.line("(void)ampc_domain;");
  P.open("for (uint64_t ampc_number = ampc_begin; ampc_number < ampc_end; "
         "++ampc_number)");
  std::string Number = "ampc_number";
  for (unsigned D = K.Rank; D-- != 0;) {
    std::string Count = "ampc_tiles_" + std::to_string(D);
    P.line("const int " + tileOf(D) + " = (int)(" +
           (D ? Number + " % " + Count : Number) + ");");
    Number += " / " + Count;
  }
  uint64_t Bytes = 0;
  for (const Variable *V : Shared) {
    Bytes += V->Ty->Size;
    memory(V, P.name(V), V->Ty, false);
  }
  Result.TileStaticBytes = Bytes;
  uint64_t Items = 1;
  for (unsigned Extent : K.Tile)
    Items *= Extent;
  for (const Variable *V : S.Across) {
    uint64_t Size = std::max<uint64_t>(V->Ty->Size, 8) * Items;
    bool InArena = (Bytes += Size) > MostOnStack;
    std::string Name = P.fresh(V->Name + "_items");
    memory(V, Name, V->Ty, InArena);
    Arrays[V] = Name;
  }
  for (const Variable *V : K.Indices)
    if (S.Outside.count(V))
      index(V, Strings(K.Rank, "0"));
  outside();
  Returns = S.Across.empty() && S.Parts.size() == 1;
  parts(S.Parts);
  P.close();
}

} // namespace ampc::cpu
