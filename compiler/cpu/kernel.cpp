//===- kernel.cpp - the C function of one kernel --------------------------===//

#include "cpu/kernel_printer.h"
#include "kir/passes/points_to.h"
#include "kir/reports.h"
#include "kir/walk.h"
#include "llvm/ADT/StringExtras.h"

using namespace ampc::kir;
using llvm::dyn_cast;

namespace ampc::cpu {

bool isAssigned(const Body &B, const Variable *V) {
  bool Found = V->AddressTaken;
  walk(
      B, [](const Expr *) {},
      [&](const Stmt *S) {
        auto *A = dyn_cast<Store>(S);
        Found |= A && rootVariable(A->Place) == V;
      });
  return Found;
}

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

/// Declares the kernel's indices, but for those that Place already names.
void KernelPrinter::untiledIndices(const Strings &Place) {
  if (K.Indices.size() == K.Rank) {
    for (unsigned D = 0; D != K.Rank; ++D)
      if (Place[D] == number(D))
        P.line("int " + P.name(K.Indices[D]) + " = " + Place[D] + ";");
  } else if (!K.Indices.empty()) {
    const Variable *V = K.Indices[0];
    P.line(T.declare(V->Ty, P.name(V)) + " = {" + llvm::join(Place, ", ") +
           "};");
    if (!isAssigned(K.Stmts, V))
      P.IndexLanes[V][""] = Place;
  }
}

void KernelPrinter::untiled() {
  const Body &B = S.Parts[0].Stmts;
  unsigned Last = K.Rank - 1;
  Strings Place(K.Rank);
  for (unsigned D = 0; D != K.Rank; ++D)
    Place[D] =
        D == Last ? number(D) : "ampc_row.index[" + std::to_string(D) + "]";
  std::string From = "(int)ampc_begin", To = "(int)ampc_end";
  if (K.Rank > 1) {
    std::string Rank = std::to_string(K.Rank);
    P.line("struct ampc_row ampc_row = ampc_first_row(ampc_domain, " + Rank +
           ", ampc_begin, ampc_end);");
    P.open("do");
    From = "ampc_row.index[" + std::to_string(Last) + "]";
    To = "ampc_row.end";
    // Outer indices do not change along the row.
    for (unsigned D = 0; D != Last; ++D) {
      std::string Name = number(D);
      bool Own = K.Indices.size() == K.Rank && !isAssigned(B, K.Indices[D]);
      if (Own)
        Name = P.name(K.Indices[D]);
      P.line("const int " + Name + " = " + Place[D] + ";");
      Place[D] = Name;
    }
  } else {
    P.line("(void)ampc_domain;");
  }
  // The loop counts with the kernel's own index where that only reads it.
  bool Direct = K.Indices.size() == K.Rank && !isAssigned(B, K.Indices.back());
  if (Direct)
    Place[Last] = P.name(K.Indices.back());
  P.line("const int ampc_stop = " + To + ";");
  Returns = true;
  row({Place[Last], From, "ampc_stop", B, {}, Place}, [&] {
    untiledIndices(Place);
    P.body(B);
  });
  if (K.Rank > 1)
    P.close(" while (ampc_next_row(&ampc_row, ampc_domain, " +
            std::to_string(K.Rank) + "));");
}

//---- all of it -------------------------------------------------------------

void KernelPrinter::print() {
  Result.Function = K.Symbol + "_cpu";
  P.enter();
  P.locate(K.Where);
  P.line("static void " + Result.Function +
         "(const void *ampc_captures, const struct ampc_domain *ampc_domain,");
  P.open("        uint64_t ampc_begin, uint64_t ampc_end, void *ampc_arena)");
  captures();
  if (reports(K.Stmts))
    P.line("ampc_kernel_begin(ampc_domain);");
  P.line("(void)ampc_arena;");
  if (K.isTiled())
    tiled();
  else
    untiled();
  P.close();
  P.leave();
}

void printKernel(const Kernel &K, const Structure &Split,
                 const std::vector<const Variable *> &Shared, bool CutsLoops,
                 Printer &P, Types &T, Code &Result) {
  KernelPrinter(K, Split, Shared, CutsLoops, P, T, Result).print();
}

} // namespace ampc::cpu
