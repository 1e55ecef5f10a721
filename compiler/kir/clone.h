//===- clone.h - copies of KIR --------------------------------------------===//
//
// A pass that rewrites a body for one back end works on a copy. Variables that
// the copied statements declare, and those given to replace(), are copied too;
// all others are shared with the original.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_KIR_CLONE_H
#define AMPC_KIR_CLONE_H

#include "kir/kir.h"

namespace ampc::kir {

class Cloner {
public:
  explicit Cloner(Module &M) : M(M) {}

  /// From now on a copy refers to To where the original refers to From.
  void replace(const Variable *From, Variable *To) { Copies[From] = To; }

  Expr *expr(const Expr *E);
  Stmt *stmt(const Stmt *S);
  Body body(const Body &B);

private:
  std::vector<Expr *> exprs(const std::vector<Expr *> &Es);
  /// Null stays null.
  Expr *optional(const Expr *E) { return E ? expr(E) : nullptr; }

  Module &M;
  std::map<const Variable *, Variable *> Copies;
};

} // namespace ampc::kir

#endif
