//===- view_cases.cpp - views and captures --------------------------------===//

#include "spirv/test/cases.h"

namespace ampc::test {

static Expr *index(Builder &B, unsigned D = 0) {
  return B.get(B.K->Indices[D]);
}

/// The program of example.md.
static void scale(Builder &B) {
  Variable *X = B.var("x", B.Float, Storage::Param);
  Function *Half =
      B.function("half", B.Float, {X},
                 {B.ret(B.binary(BinaryOp::Mul, B.get(X), B.f(.5f)))});
  B.kernel("scale.0", 2);
  Variable *A = B.capture("a", B.view(B.Float, 2, true)),
           *C = B.capture("c", B.view(B.Float, 2)),
           *Limit = B.capture("limit", B.Float);
  auto At = [&](Variable *V) { return B.in(V, {index(B, 0), index(B, 1)}); };
  B.K->Stmts = {B.ifThen(
      B.binary(BinaryOp::Gt, B.load(At(A)), B.get(Limit)),
      {B.store(At(C), B.call(Half, {B.load(At(A))}))})};
}

/// first(v) = v[0]: of the argument only the address is needed.
static void viewArgument(Builder &B) {
  Variable *V = B.var("v", B.view(B.Float, 2), Storage::Param);
  Function *First = B.function("first", B.Float, {V},
                               {B.ret(B.load(B.in(V, {B.i(0), B.i(0)})))});
  B.kernel("view_argument", 1);
  Variable *A = B.capture("a", B.view(B.Float, 2));
  B.K->Stmts = {B.store(B.in(A, {B.i(0), index(B)}),
                        B.call(First, {B.get(A)}))};
}

/// A section of a section, its extents, and a projection of it.
static void sections(Builder &B) {
  B.kernel("sections", 2);
  const Type *V3 = B.view(B.Int, 3), *V2 = B.view(B.Int, 2);
  Variable *A = B.capture("a", V3), *Local = B.var("local", V2);
  auto Origin = [&] {
    return std::vector<Expr *>{B.i(1), index(B, 0), B.i(2)};
  };
  Expr *All = B.M.make<ViewSection>(B.get(A), Origin(),
                                    std::vector<Expr *>{}, B.at(2));
  Expr *Part = B.M.make<ViewSection>(
      All, Origin(), std::vector<Expr *>{B.i(4), B.i(5), B.i(6)}, B.at(2));
  Expr *Plane = B.M.make<ViewProject>(V2, Part, B.i(3), B.at(2));
  Expr *Rows = B.M.make<ViewExtent>(B.Int, B.get(Local), 0u, B.at(2));
  Expr *Left = B.M.make<ViewExtent>(
      B.Int,
      B.M.make<ViewSection>(B.get(A), Origin(), std::vector<Expr *>{},
                            B.at(2)),
      1u, B.at(2));
  B.K->Stmts = {B.declare(Local, Plane),
                B.store(B.in(Local, {index(B, 0), index(B, 1)}),
                        B.add(Rows, Left))};
}

/// A view variable that is assigned in a loop, and one chosen by ?:.
static void chosenView(Builder &B) {
  B.kernel("chosen_view", 1);
  const Type *V = B.view(B.Int, 1);
  Variable *A = B.capture("a", V), *C = B.capture("b", V),
           *Local = B.var("local", V);
  auto Choice = [&] {
    return B.M.make<Select>(B.lt(index(B), B.i(7)), B.get(A), B.get(Local),
                            B.at(2));
  };
  B.K->Stmts = {
      B.declare(Local, B.get(C)),
      B.loop(Loop::Form::While, {},
             B.lt(B.load(B.in(Local, {B.i(0)})), B.i(3)),
             {B.set(Local, B.M.make<ViewSection>(
                               B.get(Local), std::vector<Expr *>{B.i(1)},
                               std::vector<Expr *>{}, B.at(2)))}),
      B.store(B.in(Choice(), {index(B)}), B.i(1))};
}

/// struct { view<int, 2> v; struct { float f; double d; } p; float w[3];
///          view<int, 1> several[2]; int unused; }
static void capturedStruct(Builder &B) {
  B.kernel("captured_struct", 1);
  const Type *Inner = B.structure("inner", {{"f", B.Float}, {"d", B.Double}});
  const Type *Outer = B.structure(
      "outer", {{"v", B.view(B.Int, 2)},
                {"p", Inner},
                {"w", B.M.arrayType(B.Float, 3)},
                {"several", B.M.arrayType(B.view(B.Int, 1), 2)},
                {"unused", B.Int}});
  Variable *S = B.capture("s", Outer);
  Expr *V = B.load(B.member(B.ref(S), 0));
  Expr *F = B.load(B.member(B.member(B.ref(S), 1), 0));
  Expr *Weight = B.load(B.element(B.member(B.ref(S), 2), index(B)));
  Expr *One = B.load(B.element(B.member(B.ref(S), 3), B.i(1)));
  Expr *Any = B.load(B.element(B.member(B.ref(S), 3), index(B)));
  B.K->Stmts = {
      B.store(B.in(V, {index(B), B.i(1)}), B.convert(B.Int, B.add(F, Weight))),
      B.store(B.in(One, {B.i(0)}), B.i(5)), B.store(B.in(Any, {B.i(2)}), B.i(6))};
}

/// More than 128 bytes of captures.
static void indirect(Builder &B) {
  B.kernel("indirect", 1);
  const Type *S = B.structure("many", {{"w", B.M.arrayType(B.Float, 40)},
                                       {"on", B.Bool},
                                       {"d", B.Double}});
  Variable *Many = B.capture("many", S), *Out = B.capture("out", B.view(B.Float, 1)),
           *Copy = B.var("copy", S);
  Expr *Weight = B.load(B.element(B.member(B.ref(Many), 0), index(B)));
  B.K->Stmts = {
      B.declare(Copy, B.get(Many)),
      B.ifThen(B.load(B.member(B.ref(Copy), 1)),
               {B.store(B.in(Out, {index(B)}), Weight)})};
}

/// A captured vector, whole and by lane.
static void capturedVector(Builder &B) {
  B.kernel("captured_vector", 4);
  const Type *Float3 = B.M.vectorType(B.Float, 3);
  Variable *A = B.capture("a", Float3), *V = B.capture("v", B.view(B.Float, 4));
  Expr *Lane = B.load(B.element(B.ref(A), index(B, 3)));
  Expr *X = B.M.make<Swizzle>(B.Float, B.get(A), std::vector<unsigned>{0},
                              B.at(2));
  B.K->Stmts = {B.store(
      B.in(V, {index(B, 0), index(B, 1), index(B, 2), index(B, 3)}),
      B.add(Lane, X))};
}

static void empty(Builder &B) { B.kernel("empty", 3); }

const Case ViewCases[] = {{"scale", scale},
                          {"view-argument", viewArgument},
                          {"sections", sections},
                          {"chosen-view", chosenView},
                          {"captured-struct", capturedStruct},
                          {"indirect", indirect},
                          {"captured-vector", capturedVector},
                          {"empty", empty},
                          {nullptr, nullptr}};

} // namespace ampc::test
