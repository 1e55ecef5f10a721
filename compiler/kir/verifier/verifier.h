//===- verifier.h - the invariants that kir.h states ----------------------===//
//
// The first breach wins; later checks may rely on earlier ones.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_KIR_VERIFIER_VERIFIER_H
#define AMPC_KIR_VERIFIER_VERIFIER_H

#include "kir/kir.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace ampc::kir {

/// Without operators: C promotes it.
inline bool isNarrow(const Type *T) { return T->isInt() && T->Width < 32; }

inline bool fits(uint64_t Value, const Type *Int) {
  return Int->Width == 64 || Value >> Int->Width == 0;
}

class Verifier {
public:
  explicit Verifier(const Module &M) : M(M) {}
  std::optional<Breach> module();

private:
  /// Always false.
  template <typename T> bool fail(const T *Node, std::string What) {
    if (!First)
      First = Breach{Inside, std::move(What), Node, Node ? Node->Where : Loc(),
                     Near};
    return false;
  }
  template <typename T>
  bool check(bool Holds, const T *Node, const char *What) {
    return Holds || fail(Node, What);
  }
  /// The first sight of a node: it has exactly one parent.
  template <typename T> bool once(const T *Node) {
    return check(Seen.insert(Node).second, Node,
                 "node with more than one parent");
  }

  // Each returns whether all is well.
  template <typename T> bool type(const Type *Ty, const T *Owner);
  const char *faultOf(const Type *T);
  const char *faultOfStruct(const Type *T);
  bool global(const Variable *G);
  bool function(const Function &F);
  bool kernel(const Kernel &K);
  bool indices(const Kernel &K);
  bool constant(const Expr *E);

  bool expr(const Expr *E);
  bool place(const Expr *E);
  bool value(const Expr *E);
  bool valueOf(const Expr *E, const Type *Ty, const char *What) {
    return value(E) && check(E->Ty == Ty, E, What);
  }
  bool integers(const std::vector<Expr *> &Es, size_t Count, const Expr *Owner);
  bool variable(const VarRef *E);
  bool unary(const Unary *U);
  bool binary(const Binary *B);
  bool convert(const Convert *C);
  bool bitcast(const Bitcast *C);
  bool pointer(const Expr *E);
  bool address(const AddressOf *E);
  bool construct(const Construct *C);
  bool swizzle(const Swizzle *S);
  bool call(const Call *C);
  bool intrinsic(const Intrinsic *E);
  bool view(const Expr *E);

  bool body(const Body &B);
  bool stmts(const Body &B);
  /// Forgets what blocks have declared since InScope had Outer entries.
  void closeScope(size_t Outer);
  bool stmt(const Stmt *S);
  bool declare(const Declare *D);
  bool store(const Store *S);
  bool loop(const Loop *L);
  bool report(const Report *R);
  bool switchStmt(const Switch *S);

  const Module &M;
  std::optional<Breach> First;
  std::string Inside;
  const Stmt *Near = nullptr;
  llvm::SmallPtrSet<const void *, 32> Seen;
  llvm::SmallPtrSet<const Type *, 32> GoodTypes;
  llvm::SmallPtrSet<const Function *, 16>
      Done; ///< functions that may be called
  llvm::SmallPtrSet<const Variable *, 16> Known;
  std::vector<const Variable *> InScope; ///< those of Known that blocks declare
  const Type *Result = nullptr;          ///< of the function; null in a kernel
  unsigned Loops = 0, Breakable = 0;
};

template <typename T> bool Verifier::type(const Type *Ty, const T *Owner) {
  if (!Ty)
    return fail(Owner, "no type");
  if (GoodTypes.count(Ty))
    return true;
  if (const char *Fault = faultOf(Ty))
    return fail(Owner, std::string(Fault) + ": '" + toString(Ty) + "'");
  GoodTypes.insert(Ty);
  return true;
}

} // namespace ampc::kir

#endif
