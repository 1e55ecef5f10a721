//===- reports.cpp - what kernels tell the host ---------------------------===//

#include "kir/reports.h"
#include "kir/walk.h"

using llvm::dyn_cast;

namespace ampc::kir {

Report *Module::report(bool Fails, std::string Format,
                       std::vector<Expr *> Args, Loc Where) {
  auto *R = make<Report>(unsigned(Reports.size()), Fails, std::move(Format),
                         std::move(Args), Where);
  Reports.push_back(R);
  return R;
}

void numberReports(Module &M) {
  std::vector<const Report *> InOrder;
  auto Number = [&](const Body &B) {
    walk(
        B, [](const Expr *) {},
        [&](const Stmt *S) {
          if (auto *R = dyn_cast<Report>(S)) {
            const_cast<Report *>(R)->Number = InOrder.size();
            InOrder.push_back(R);
          }
        });
  };
  for (const std::unique_ptr<Function> &F : M.Functions)
    Number(F->Stmts);
  for (const std::unique_ptr<Kernel> &K : M.Kernels)
    Number(K->Stmts);
  M.Reports = std::move(InOrder);
}

std::string argumentKinds(const Report *R) {
  std::string Kinds;
  for (const Expr *Arg : R->Args) {
    bool IsWide = Arg->Ty->Width == 64;
    if (Arg->Ty->isFloat())
      Kinds += IsWide ? 'd' : 'f';
    else if (Arg->Ty->Signed)
      Kinds += IsWide ? 'l' : 'i';
    else
      Kinds += IsWide ? 'L' : 'u';
  }
  return Kinds;
}

static bool reportsItself(const Body &B) {
  bool Found = false;
  walk(
      B, [](const Expr *) {},
      [&](const Stmt *S) { Found |= S->K == Stmt::Kind::Report; });
  return Found;
}

bool reports(const Body &B) {
  if (reportsItself(B))
    return true;
  for (const Function *F : reachableFunctions(B))
    if (reportsItself(F->Stmts))
      return true;
  return false;
}

} // namespace ampc::kir
