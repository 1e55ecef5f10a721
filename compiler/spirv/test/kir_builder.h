//===- kir_builder.h - KIR by hand, for tests -----------------------------===//
//
// Short names for making nodes, so that a test's kernel reads like its text.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_SPIRV_TEST_KIR_BUILDER_H
#define AMPC_SPIRV_TEST_KIR_BUILDER_H

#include "kir/kir.h"
#include <cstring>

namespace ampc::test {

using namespace ampc::kir;

struct Builder {
  Module M;
  Kernel *K = nullptr;
  const Type *Int = M.intType(), *Unsigned = M.intType(32, false),
             *Long = M.intType(64), *Float = M.floatType(),
             *Double = M.floatType(64), *Bool = M.boolType(),
             *Void = M.voidType();

  Builder() { M.Files.push_back("test.ampc"); }

  /// A kernel whose indices are `Rank` ints.
  Kernel *kernel(const char *Name, unsigned Rank) {
    M.Kernels.push_back(std::make_unique<Kernel>());
    K = M.Kernels.back().get();
    K->Name = Name;
    K->Symbol = std::string("ampc_") + Name;
    K->Host = "main";
    K->Rank = Rank;
    K->Where = at(1);
    for (unsigned D = 0; D != Rank; ++D)
      K->Indices.push_back(var(std::string(1, "ijkl"[D]), Int, Storage::Index));
    return K;
  }
  /// Makes the kernel tiled, its index one tiled_index.
  void tile(std::vector<unsigned> Extents) {
    const Type *Index = Extents.size() == 1
                            ? Int
                            : M.vectorType(Int, Extents.size());
    const Type *Barrier =
        structure("tile_barrier", {{"opaque", Int}});
    K->Indices = {var("t",
                      structure("tiled_index", {{"global", Index},
                                                {"local", Index},
                                                {"tile", Index},
                                                {"tile_origin", Index},
                                                {"barrier", Barrier}}),
                      Storage::Index)};
    K->Tile = std::move(Extents);
  }
  Loc at(unsigned Line) { return {0, Line, 1}; }
  Variable *var(std::string Name, const Type *Ty,
                Storage Store = Storage::Local) {
    auto *V = M.make<Variable>();
    V->Name = std::move(Name);
    V->Ty = Ty;
    V->Store = Store;
    V->Where = at(1);
    return V;
  }
  Variable *capture(std::string Name, const Type *Ty) {
    K->Captures.push_back(var(std::move(Name), Ty, Storage::Capture));
    return K->Captures.back();
  }
  Variable *global(std::string Name, const Type *Ty, Storage Store) {
    M.Globals.push_back(var(std::move(Name), Ty, Store));
    return M.Globals.back();
  }
  const Type *view(const Type *Element, unsigned Rank, bool ReadOnly = false) {
    return M.viewType(Element, Rank, ReadOnly);
  }
  const Type *
  structure(std::string Name,
            std::vector<std::pair<std::string, const Type *>> Fields,
            bool IsUnion = false, bool Packed = false) {
    Type S;
    S.K = Type::Kind::Struct;
    S.Name = std::move(Name);
    S.IsUnion = IsUnion;
    for (auto &[Field, Ty] : Fields) {
      uint64_t Align = Packed ? 4 : Ty->Align;
      uint64_t Offset = IsUnion ? 0 : (S.Size + Align - 1) / Align * Align;
      S.Fields.push_back({Field, Ty, Offset});
      S.Size = std::max(S.Size, Offset + Ty->Size);
      S.Align = std::max(S.Align, Align);
    }
    S.Size = (S.Size + S.Align - 1) / S.Align * S.Align;
    return M.addStruct(std::move(S));
  }
  Function *function(std::string Name, const Type *Result,
                     std::vector<Variable *> Params, Body Stmts) {
    M.Functions.push_back(std::make_unique<Function>());
    Function *F = M.Functions.back().get();
    F->Name = std::move(Name);
    F->Result = Result;
    F->Params = std::move(Params);
    F->Stmts = std::move(Stmts);
    F->Where = at(1);
    return F;
  }

  // Values.
  Expr *i(int Value) { return M.make<IntConst>(Int, uint32_t(Value), at(2)); }
  Expr *u(unsigned V) { return M.make<IntConst>(Unsigned, V, at(2)); }
  Expr *f(float Value) {
    uint32_t Bits;
    memcpy(&Bits, &Value, 4);
    return M.make<FloatConst>(Float, Bits, at(2));
  }
  Expr *b(bool Value) { return M.make<BoolConst>(Bool, Value, at(2)); }
  Expr *ref(Variable *V) { return M.make<VarRef>(V, at(2)); }
  Expr *load(Expr *Place) { return M.make<Load>(Place, at(2)); }
  Expr *get(Variable *V) { return load(ref(V)); }
  Expr *member(Expr *Base, unsigned Field) {
    return M.make<Member>(Base, Field, at(2));
  }
  Expr *element(Expr *Base, Expr *Index) {
    return M.make<Element>(Base, Index, at(2));
  }
  /// A place in a view.
  Expr *in(Expr *View, std::vector<Expr *> Subscripts) {
    return M.make<ViewElement>(View, std::move(Subscripts), at(2));
  }
  Expr *in(Variable *View, std::vector<Expr *> Subscripts) {
    return in(get(View), std::move(Subscripts));
  }
  Expr *binary(BinaryOp Op, Expr *L, Expr *R) {
    return M.make<Binary>(Op, isComparison(Op) ? Bool : L->Ty, L, R, at(2));
  }
  Expr *add(Expr *L, Expr *R) { return binary(BinaryOp::Add, L, R); }
  Expr *lt(Expr *L, Expr *R) { return binary(BinaryOp::Lt, L, R); }
  Expr *eq(Expr *L, Expr *R) { return binary(BinaryOp::Eq, L, R); }
  Expr *convert(const Type *Ty, Expr *E) {
    return M.make<Convert>(Ty, E, at(2));
  }
  Expr *call(Function *F, std::vector<Expr *> Args) {
    return M.make<Call>(F, F->Result, std::move(Args), at(2));
  }
  Expr *intrinsic(IntrinsicOp Op, std::vector<Expr *> Args) {
    return M.make<Intrinsic>(Op, Args[0]->Ty, std::move(Args), at(2));
  }
  Expr *construct(const Type *Ty, std::vector<Expr *> Parts) {
    return M.make<Construct>(Ty, std::move(Parts), at(2));
  }

  // Statements.
  Stmt *declare(Variable *V, Expr *Init = nullptr) {
    return M.make<Declare>(V, Init, at(3));
  }
  Stmt *store(Expr *Place, Expr *Value) {
    return M.make<Store>(Place, Value, at(3));
  }
  Stmt *set(Variable *V, Expr *Value) { return store(ref(V), Value); }
  Stmt *ifThen(Expr *C, Body Then, Body Else = {}) {
    return M.make<If>(C, std::move(Then), std::move(Else), at(3));
  }
  Stmt *loop(Loop::Form F, Body Prelude, Expr *Condition, Body Stmts,
             Body Step = {}) {
    return M.make<Loop>(F, std::move(Prelude), Condition, std::move(Stmts),
                        std::move(Step), at(3));
  }
  Stmt *switchOn(Expr *Subject, std::vector<Switch::Case> Cases) {
    return M.make<Switch>(Subject, std::move(Cases), at(3));
  }
  Stmt *breakOut() { return M.make<Break>(at(3)); }
  Stmt *goOn() { return M.make<Continue>(at(3)); }
  Stmt *ret(Expr *Value = nullptr) { return M.make<Return>(Value, at(3)); }
  Stmt *barrier(Fenced Memory = Fenced::All) {
    return M.make<Barrier>(Memory, at(3));
  }
};

} // namespace ampc::test

#endif
