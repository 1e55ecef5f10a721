//===- arithmetic_cases.cpp - operators, conversions, functions -----------===//

#include "spirv/test/cases.h"

namespace ampc::test {

/// out[i] = Value
static void finish(Builder &B, Expr *Value) {
  Variable *Out = B.capture("out", B.view(Value->Ty, 1));
  Expr *Place = B.in(Out, {B.get(B.K->Indices[0])});
  B.K->Stmts.push_back(B.store(Place, Value));
}

/// The current element of a fresh captured view.
static Expr *input(Builder &B, const char *Name, const Type *Ty) {
  Variable *In = B.capture(Name, B.view(Ty, 1, true));
  return B.load(B.in(In, {B.get(B.K->Indices[0])}));
}

static void remainder(Builder &B) {
  B.kernel("remainder", 1);
  Expr *A = input(B, "a", B.Int), *C = input(B, "b", B.Int);
  finish(B, B.binary(BinaryOp::Rem, A, C));
}

static void unsignedRemainder(Builder &B) {
  B.kernel("remainder", 1);
  Expr *A = input(B, "a", B.Unsigned), *C = input(B, "b", B.Unsigned);
  finish(B, B.binary(BinaryOp::Rem, A, C));
}

static void notEqual(Builder &B) {
  B.kernel("not_equal", 1);
  Expr *A = input(B, "a", B.Float), *C = input(B, "b", B.Float);
  finish(B, B.convert(B.Int, B.binary(BinaryOp::Ne, A, C)));
}

/// The left operand decides the mask, also where the count is wider.
static void shifts(Builder &B) {
  B.kernel("shifts", 1);
  Expr *Left = input(B, "a", B.Int), *Count = input(B, "n", B.Unsigned);
  Expr *Wide = B.convert(B.Long, input(B, "w", B.Int));
  Expr *Shl = B.binary(BinaryOp::Shl, Left, Count);
  Expr *ByWide = B.binary(BinaryOp::Shr, Shl, Wide);
  Expr *Const = B.binary(BinaryOp::Shl, ByWide, B.i(33));
  finish(B, Const);
}

static void toBool(Builder &B) {
  B.kernel("to_bool", 1);
  Expr *A = B.convert(B.Bool, input(B, "a", B.Float));
  Expr *C = B.convert(B.Bool, input(B, "b", B.Int));
  finish(B, B.convert(B.Float, B.binary(BinaryOp::Xor, A, C)));
}

static void conversions(Builder &B) {
  B.kernel("conversions", 1);
  Expr *A = B.convert(B.Unsigned, input(B, "a", B.Float));
  Expr *C = B.convert(B.Int, input(B, "b", B.Float));
  Expr *Sum = B.add(B.convert(B.Double, A), B.convert(B.Double, C));
  Expr *Wide = B.convert(B.Long, input(B, "c", B.Int));
  Expr *Other = B.convert(B.Long, input(B, "d", B.Unsigned));
  Expr *Narrow = B.convert(B.Int, B.binary(BinaryOp::Mul, Wide, Other));
  finish(B, B.convert(B.Float, B.add(Sum, B.convert(B.Double, Narrow))));
}

static void minimum(Builder &B) {
  B.kernel("minimum", 1);
  Expr *A = input(B, "a", B.Float), *C = input(B, "b", B.Float);
  Expr *Min = B.intrinsic(IntrinsicOp::Fmin, {A, C});
  finish(B, B.intrinsic(IntrinsicOp::Fmax, {Min, B.f(1)}));
}

static void logarithm(Builder &B) {
  B.kernel("logarithm", 1);
  finish(B, B.intrinsic(IntrinsicOp::Log10, {input(B, "a", B.Float)}));
}

static void power(Builder &B) {
  B.kernel("power", 1);
  Expr *A = input(B, "a", B.Float), *C = input(B, "b", B.Float);
  finish(B, B.intrinsic(IntrinsicOp::Pow, {A, C}));
}

static void doubleRoot(Builder &B) {
  B.kernel("double_root", 1);
  Expr *A = input(B, "a", B.Double);
  finish(B, B.intrinsic(IntrinsicOp::Sqrt, {A}));
}

/// a * b + c, and once more as a sum of -(a * b) that may be contracted: two
/// products of the same factors that are not one.
static void multiplyAdd(Builder &B) {
  B.kernel("multiply_add", 1);
  Expr *A = input(B, "a", B.Float), *C = input(B, "b", B.Float);
  Variable *Left = B.var("left", B.Float), *Right = B.var("right", B.Float);
  B.K->Stmts = {B.declare(Left, A), B.declare(Right, C)};
  auto Product = [&] {
    return B.M.make<Binary>(BinaryOp::Mul, B.Float, B.get(Left), B.get(Right),
                            B.at(2));
  };
  Expr *Sum = B.add(Product(), input(B, "c", B.Float));
  Binary *Contracted = Product();
  auto *Minus = B.M.make<Unary>(UnaryOp::Neg, Contracted, B.at(2));
  auto *Total = B.M.make<Binary>(BinaryOp::Add, B.Float, Minus, Sum, B.at(2));
  Contracted->Contract = Minus->Contract = Total->Contract = true;
  finish(B, Total);
}

/// (a * 2) * 3 and a / 3: spirv-opt's looser rules must not touch them.
static void noReassociation(Builder &B) {
  B.kernel("no_reassociation", 1);
  Expr *Twice = B.binary(BinaryOp::Mul, input(B, "a", B.Float), B.f(1.1f));
  Expr *Six = B.binary(BinaryOp::Mul, Twice, B.f(3));
  finish(B, B.binary(BinaryOp::Div, Six, B.f(7)));
}

static void vectors(Builder &B) {
  B.kernel("vectors", 1);
  const Type *Float4 = B.M.vectorType(B.Float, 4),
             *Float2 = B.M.vectorType(B.Float, 2);
  Expr *A = input(B, "a", Float4), *C = input(B, "b", Float4);
  Expr *Sum = B.add(A, C);
  Expr *Lanes = B.M.make<Swizzle>(Float2, Sum, std::vector<unsigned>{3, 0},
                                  B.at(2));
  finish(B, Lanes);
}

const Case ArithmeticCases[] = {
    {"remainder", remainder},
    {"unsigned-remainder", unsignedRemainder},
    {"not-equal", notEqual},
    {"shifts", shifts},
    {"to-bool", toBool},
    {"conversions", conversions},
    {"minimum", minimum},
    {"logarithm", logarithm},
    {"power", power},
    {"double-root", doubleRoot},
    {"multiply-add", multiplyAdd},
    {"no-reassociation", noReassociation},
    {"vectors", vectors},
    {nullptr, nullptr}};

} // namespace ampc::test
