//===- memory_cases.cpp - layouts, bools, unions, constant tables ---------===//

#include "spirv/test/cases.h"

namespace ampc::test {

static Expr *index(Builder &B) { return B.get(B.K->Indices[0]); }

/// struct { _Bool on; int n; } copied, then read and written by member.
static void boolInStruct(Builder &B) {
  B.kernel("bool_in_struct", 1);
  const Type *Flagged = B.structure("flagged", {{"on", B.Bool}, {"n", B.Int}});
  Variable *In = B.capture("in", B.view(Flagged, 1, true)),
           *Out = B.capture("out", B.view(Flagged, 1)),
           *Invert = B.capture("invert", B.Bool), *Copy = B.var("copy", Flagged);
  Expr *On = B.load(B.member(B.ref(Copy), 0));
  B.K->Stmts = {
      B.declare(Copy, B.load(B.in(In, {index(B)}))),
      B.store(B.member(B.ref(Copy), 0),
              B.binary(BinaryOp::Xor, On, B.get(Invert))),
      B.store(B.in(Out, {index(B)}), B.get(Copy))};
}

/// struct { float_4 a; float_3 b; float_2 c; double d[2]; }, whole and in part.
static void alignments(Builder &B) {
  B.kernel("alignments", 1);
  const Type *S = B.structure("mixed", {{"a", B.M.vectorType(B.Float, 4)},
                                        {"b", B.M.vectorType(B.Float, 3)},
                                        {"c", B.M.vectorType(B.Float, 2)},
                                        {"d", B.M.arrayType(B.Double, 2)}});
  Variable *In = B.capture("in", B.view(S, 1, true)),
           *Out = B.capture("out", B.view(S, 1));
  Expr *Lane = B.load(B.element(B.member(B.in(In, {index(B)}), 0), B.i(2)));
  Expr *Chosen =
      B.element(B.member(B.in(Out, {index(B)}), 1), B.binary(BinaryOp::And, index(B), B.i(1)));
  B.K->Stmts = {B.store(B.in(Out, {index(B)}), B.load(B.in(In, {index(B)}))),
                B.store(Chosen, Lane)};
}

/// A double at offset 4 of a packed struct moves as two words.
static void packedDouble(Builder &B) {
  B.kernel("packed_double", 1);
  const Type *S = B.structure("packed", {{"n", B.Int}, {"d", B.Double}}, false,
                              /*Packed=*/true);
  Variable *V = B.capture("v", B.view(S, 1));
  Expr *Old = B.load(B.member(B.in(V, {index(B)}), 1));
  Expr *One = B.M.make<FloatConst>(B.Double, 0x3ff0000000000000u, B.at(2));
  B.K->Stmts = {B.store(B.member(B.in(V, {index(B)}), 1), B.add(Old, One))};
}

/// union { float f; unsigned u; double d; } in a local and in memory.
static void unions(Builder &B) {
  B.kernel("unions", 1);
  const Type *U = B.structure(
      "bits", {{"f", B.Float}, {"u", B.Unsigned}, {"d", B.Double}}, true);
  Variable *V = B.capture("v", B.view(U, 1)), *Given = B.capture("given", U),
           *Local = B.var("local", U);
  Expr *Bits = B.load(B.member(B.ref(Local), 1));
  B.K->Stmts = {
      B.declare(Local, B.construct(U, {B.f(1)})),
      B.store(B.member(B.ref(Local), 1),
              B.add(Bits, B.load(B.member(B.ref(Given), 1)))),
      B.store(B.member(B.in(V, {index(B)}), 0),
              B.load(B.member(B.ref(Local), 0))),
      B.store(B.in(V, {B.i(0)}), B.get(Local)),
      B.store(B.in(V, {B.i(1)}), B.get(Given)),
      B.store(B.ref(Local), B.load(B.in(V, {B.i(2)}))),
      B.store(B.member(B.in(V, {B.i(3)}), 2),
              B.load(B.member(B.ref(Local), 2)))};
}

/// A small table with a run-time subscript and with a constant one.
static void table(Builder &B) {
  B.kernel("table", 1);
  const Type *Row = B.M.arrayType(B.Int, 2), *All = B.M.arrayType(Row, 2);
  Variable *Table = B.global("table", All, Storage::Constant);
  Table->Init = B.construct(All, {B.construct(Row, {B.i(1), B.i(2)}),
                                  B.M.make<Zero>(Row, B.at(2))});
  Variable *Out = B.capture("out", B.view(B.Int, 1));
  Expr *Fixed =
      B.load(B.element(B.element(B.ref(Table), B.i(0)), B.i(1)));
  Expr *Chosen = B.load(
      B.element(B.element(B.ref(Table), index(B)), B.i(1)));
  B.K->Stmts = {B.store(B.in(Out, {index(B)}), B.add(Fixed, Chosen))};
}

static void fixedTable(Builder &B) {
  B.kernel("fixed_table", 1);
  const Type *All = B.M.arrayType(B.Int, 3);
  Variable *Table = B.global("table", All, Storage::Constant);
  Table->Init = B.construct(All, {B.i(11), B.i(22), B.i(33)});
  Variable *Out = B.capture("out", B.view(B.Int, 1));
  B.K->Stmts = {B.store(B.in(Out, {index(B)}),
                        B.load(B.element(B.ref(Table), B.i(1))))};
}

/// A local array and struct, subscripted at run time.
static void localArray(Builder &B) {
  B.kernel("local_array", 1);
  const Type *Pair = B.structure("pair", {{"a", B.Int}, {"b", B.Float}}),
             *All = B.M.arrayType(Pair, 5);
  Variable *Local = B.var("local", All);
  Variable *Out = B.capture("out", B.view(Pair, 1));
  B.K->Stmts = {
      B.declare(Local, B.M.make<Zero>(All, B.at(2))),
      B.store(B.member(B.element(B.ref(Local), index(B)), 1), B.f(2)),
      B.store(B.in(Out, {index(B)}),
              B.load(B.element(B.ref(Local), B.add(index(B), B.i(1)))))};
}

/// bool in tile_static memory is no word.
static void sharedBool(Builder &B) {
  B.kernel("shared_bool", 1);
  B.tile({32});
  Variable *Flag = B.global("flag", B.Bool, Storage::TileStatic);
  Variable *Out = B.capture("out", B.view(B.Int, 1));
  Variable *Index = B.K->Indices[0];
  Expr *Local = B.load(B.member(B.ref(Index), 1));
  B.K->Stmts = {
      B.ifThen(B.eq(Local, B.i(0)), {B.set(Flag, B.b(true))}), B.barrier(),
      B.store(B.in(Out, {B.load(B.member(B.ref(Index), 0))}),
              B.convert(B.Int, B.get(Flag)))};
}

/// Work items exchange values through a view: its accesses are coherent.
static void exchange(Builder &B) {
  B.kernel("exchange", 1);
  B.tile({64});
  Variable *V = B.capture("v", B.view(B.Int, 1)),
           *Given = B.capture("given", B.view(B.Int, 1, true));
  Variable *Index = B.K->Indices[0];
  auto Global = [&] { return B.load(B.member(B.ref(Index), 0)); };
  B.K->Stmts = {
      B.store(B.in(V, {Global()}), B.load(B.in(Given, {Global()}))),
      B.barrier(Fenced::Global),
      B.store(B.in(V, {Global()}),
              B.load(B.in(V, {B.binary(BinaryOp::Xor, Global(), B.i(1))})))};
}

/// x = given[g]; barrier; v[g ^ 1] = x. The two views may be one.
static void loadThenStore(Builder &B) {
  B.kernel("load_then_store", 1);
  B.tile({64});
  Variable *V = B.capture("v", B.view(B.Int, 1)),
           *Given = B.capture("given", B.view(B.Int, 1, true)),
           *X = B.var("x", B.Int), *Index = B.K->Indices[0];
  auto Global = [&] { return B.load(B.member(B.ref(Index), 0)); };
  B.K->Stmts = {
      B.declare(X, B.load(B.in(Given, {Global()}))), B.barrier(),
      B.store(B.in(V, {B.binary(BinaryOp::Xor, Global(), B.i(1))}),
              B.get(X))};
}

/// for (k = 0; k < 3; ++k) { x += given[g ^ k]; v[g] = x; barrier; }
static void storeThenLoadInLoop(Builder &B) {
  B.kernel("store_then_load", 1);
  B.tile({64});
  Variable *V = B.capture("v", B.view(B.Int, 1)),
           *Given = B.capture("given", B.view(B.Int, 1, true)),
           *X = B.var("x", B.Int), *K = B.var("k", B.Int),
           *Index = B.K->Indices[0];
  auto Global = [&] { return B.load(B.member(B.ref(Index), 0)); };
  Expr *Other = B.load(
      B.in(Given, {B.binary(BinaryOp::Xor, Global(), B.get(K))}));
  B.K->Stmts = {B.declare(X, B.i(0)), B.declare(K, B.i(0)),
                B.loop(Loop::Form::For, {}, B.lt(B.get(K), B.i(3)),
                       {B.set(X, B.add(B.get(X), Other)),
                        B.store(B.in(V, {Global()}), B.get(X)), B.barrier()},
                       {B.set(K, B.add(B.get(K), B.i(1)))})};
}

const Case MemoryCases[] = {{"bool-in-struct", boolInStruct},
                            {"alignments", alignments},
                            {"packed-double", packedDouble},
                            {"unions", unions},
                            {"table", table},
                            {"fixed-table", fixedTable},
                            {"local-array", localArray},
                            {"shared-bool", sharedBool},
                            {"exchange", exchange},
                            {"load-then-store", loadThenStore},
                            {"store-then-load-in-loop", storeThenLoadInLoop},
                            {nullptr, nullptr}};

} // namespace ampc::test
