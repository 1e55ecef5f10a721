//===- kernel.cpp - the C function of one kernel --------------------------===//
//
// Untiled, rank 2:                          Tiled, rank 1, a barrier in a loop:
//
//   captures into locals                      captures into locals
//   for each row of the range                 for each tile of the range {
//     for (int col = ...; ++col) {              tile_static variables, arrays
//       statements                              for (...) {
//       ampc_next:;                               for (int ampc_0 ...) { ... }
//     }                                           for (int ampc_0 ...) { ... }
//                                             } }
//
// Captures and indices are C locals whose address nobody has, so that stores
// through views do not make the compiler load them again.
//
//===----------------------------------------------------------------------===//

#include "cpu/kernel.h"
#include "kir/passes/points_to.h"
#include "kir/walk.h"
#include "llvm/ADT/StringExtras.h"

using namespace ampc::kir;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace ampc::cpu {

namespace {

/// More than this for one tile is not put on the stack of whoever runs it.
constexpr uint64_t MostOnStack = 64 << 10;
/// A larger variable that lives across barriers is not copied into and out of
/// each loop over the tile.
constexpr uint64_t MostCopied = 64;

static bool isAssigned(const Body &B, const Variable *V) {
  bool Found = V->AddressTaken;
  walk(
      B, [](const Expr *) {},
      [&](const Stmt *S) {
        auto *A = dyn_cast<Store>(S);
        Found |= A && rootVariable(A->Place) == V;
      });
  return Found;
}

class KernelPrinter {
public:
  KernelPrinter(const Kernel &K, const Structure &S,
                const std::vector<const Variable *> &Shared, Printer &P,
                Types &T, Code &Result)
      : K(K), S(S), Shared(Shared), P(P), T(T), Result(Result) {}

  void print();

private:
  void captures();
  std::string captured(const Type *Ty, const std::string &Path);
  void untiled();
  void tiled();
  void memory(const Variable *V, const std::string &Name, const Type *Ty,
              bool InArena);
  void index(const Variable *V, const std::vector<std::string> &Local);
  void parts(const std::vector<Part> &Parts);
  void loop(const Part &Loop);
  void items(const Part &Run);
  void outside();
  bool isCopied(const Variable *V) const {
    return !V->AddressTaken && !V->Ty->isArray() && V->Ty->Size <= MostCopied;
  }
  std::string subscripts(const std::vector<std::string> &Local) const {
    std::string All;
    for (const std::string &L : Local)
      All += "[" + L + "]";
    return All;
  }
  std::string number(unsigned D) const { return "ampc_" + std::to_string(D); }
  std::string tileOf(unsigned D) const {
    return "ampc_tile_" + std::to_string(D);
  }
  std::string domain(unsigned D) const {
    return "ampc_domain->extent[" + std::to_string(D) + "]";
  }

  const Kernel &K;
  const Structure &S;
  const std::vector<const Variable *> &Shared;
  Printer &P;
  Types &T;
  Code &Result;
  std::map<const Variable *, std::string> Arrays; ///< of Across variables
  std::map<const Variable *, std::string> IndexNames;
};

//---- captures --------------------------------------------------------------

/// The value of a capture's part, from the struct that the host filled. A
/// struct with views in it has another layout there than KIR's.
std::string KernelPrinter::captured(const Type *Ty, const std::string &Path) {
  if (!Ty->isStruct() && !Ty->isArray())
    return Path;
  if (!holdsView(Ty))
    return "*(const " + T.name(Ty) + " *)&" + Path;
  std::string Parts;
  auto Add = [&](const Type *Of, const std::string &At) {
    Parts += (Parts.empty() ? "" : ", ") + captured(Of, At);
  };
  if (Ty->isArray()) {
    for (uint64_t I = 0; I != Ty->Count; ++I)
      Add(Ty->Element, Path + "[" + std::to_string(I) + "]");
    return "{" + Parts + "}";
  }
  for (const Type::Field &F : Ty->Fields)
    Add(F.Ty, F.Name.empty() ? Path : Path + "." + F.Name);
  return "{" + Parts + "}";
}

void KernelPrinter::captures() {
  if (K.Captures.empty())
    return P.line("(void)ampc_captures;");
  P.line("const struct " + K.Symbol + " *const ampc_captured = ampc_captures;");
  for (const Variable *V : K.Captures) {
    std::string Value = captured(V->Ty, "ampc_captured->" + V->Name);
    P.line("const " + T.declare(V->Ty, P.name(V)) + " = " + Value + ";");
  }
}

//---- untiled ---------------------------------------------------------------

void KernelPrinter::untiled() {
  const Body &B = S.Parts[0].Stmts;
  unsigned Last = K.Rank - 1;
  std::vector<std::string> Names(K.Rank);
  for (unsigned D = 0; D != K.Rank; ++D)
    Names[D] =
        D == Last ? number(D) : "ampc_row.index[" + std::to_string(D) + "]";
  std::string From = "(int)ampc_begin", To = "(int)ampc_end";
  if (K.Rank > 1) {
    std::string Rank = std::to_string(K.Rank);
    P.line("struct ampc_row ampc_row = ampc_first_row(ampc_domain, " + Rank +
           ", ampc_begin, ampc_end);");
    P.open("do");
    From = "ampc_row.index[" + std::to_string(Last) + "]";
    To = "ampc_row.end";
  } else {
    P.line("(void)ampc_domain;");
  }
  bool Separate = K.Indices.size() == K.Rank;
  // Outer indices do not change along the row.
  for (unsigned D = 0; Separate && D != Last; ++D)
    if (!isAssigned(B, K.Indices[D])) {
      P.line("const int " + P.name(K.Indices[D]) + " = " + Names[D] + ";");
      Names[D].clear();
    }
  // The loop counts with the kernel's own index where that only reads it.
  bool Direct = (Separate || K.Rank == 1) && !K.Indices.empty() &&
                !isAssigned(B, K.Indices.back());
  std::string Counter = Direct ? P.name(K.Indices.back()) : Names[Last];
  P.line("const int ampc_stop = " + To + ";");
  P.open("for (int " + Counter + " = " + From + "; " + Counter +
         " < ampc_stop; ++" + Counter + ")");
  for (unsigned D = 0; Separate && D != K.Rank; ++D)
    if (!Names[D].empty() && !(Direct && D == Last))
      P.line("int " + P.name(K.Indices[D]) + " = " + Names[D] + ";");
  if (!Separate && !K.Indices.empty() && !Direct)
    P.line(T.declare(K.Indices[0]->Ty, P.name(K.Indices[0])) + " = " + [&] {
      if (K.Rank == 1)
        return Names[0];
      std::string All;
      for (const std::string &Each : Names)
        All += (All.empty() ? "" : ", ") + Each;
      return "{" + All + "}";
    }() + ";");
  P.ReturnLabel = "ampc_next";
  P.body(B);
  P.ReturnLabel.clear();
  if (P.ReturnLabelUsed)
    P.line("ampc_next:;");
  P.close();
  if (K.Rank > 1)
    P.close(" while (ampc_next_row(&ampc_row, ampc_domain, " +
            std::to_string(K.Rank) + "));");
}

//---- tiled -----------------------------------------------------------------

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
void KernelPrinter::index(const Variable *V,
                          const std::vector<std::string> &Local) {
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
  std::vector<std::string> First(K.Rank, "0");
  for (const auto &[V, Array] : Arrays)
    P.call(V, Array + subscripts(First), Binding::Postfix);
  for (const auto &[V, Name] : IndexNames) {
    P.call(V, Name, Binding::Postfix);
    P.IndexLanes.erase(V);
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
  std::vector<std::string> Local;
  for (unsigned D = 0; D != K.Rank; ++D) {
    Local.push_back(number(D));
    P.open(std::string(D + 1 == K.Rank ? "AMPC_WORK_ITEMS for (int "
                                       : "for (int ") +
           Local[D] + " = 0; " + Local[D] + " < " + std::to_string(K.Tile[D]) +
           "; ++" + Local[D] + ")");
  }
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
  if (P.ReturnLabelUsed)
    P.line("ampc_next:;");
  for (const Variable *V : Copied)
    if (Run.Stores.count(V)) {
      VarRef Ref(const_cast<Variable *>(V), V->Where);
      P.line(Arrays[V] + subscripts(Local) + " = " + P.expr(&Ref) + ";");
    }
  for (unsigned D = 0; D != K.Rank; ++D)
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
      P.close();
      if (!Each.Second.empty()) {
        P.open("else");
        parts(Each.Second);
        P.close();
      }
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
      index(V, std::vector<std::string>(K.Rank, "0"));
  outside();
  if (S.Across.empty() && S.Parts.size() == 1)
    P.ReturnLabel = "ampc_next";
  parts(S.Parts);
  P.ReturnLabel.clear();
  P.close();
}

void KernelPrinter::print() {
  Result.Function = K.Symbol + "_cpu";
  P.enter();
  P.locate(K.Where);
  P.line("static void " + Result.Function +
         "(const void *ampc_captures, const struct ampc_domain *ampc_domain,");
  P.open("        uint64_t ampc_begin, uint64_t ampc_end, void *ampc_arena)");
  captures();
  P.line("(void)ampc_arena;");
  if (K.isTiled())
    tiled();
  else
    untiled();
  P.close();
  P.leave();
}

} // namespace

void printKernel(const Kernel &K, const Structure &Split,
                 const std::vector<const Variable *> &Shared, Printer &P,
                 Types &T, Code &Result) {
  KernelPrinter(K, Split, Shared, P, T, Result).print();
}

} // namespace ampc::cpu
