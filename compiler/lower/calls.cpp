// calls.cpp - calls of amp functions, and what the known functions mean.
#include "frontend/formats.h"
#include "lower/lowering.h"
#include "lower/trees.h"
#include "spirv/spirv.h"

using namespace clang;

namespace ampc {

kir::Expr *BodyLowering::call(const CallExpr *E) {
  const FunctionDecl *F = E->getDirectCallee();
  if (!F)
    return refuse(E->getExprLoc(), "calls through pointers");
  if (std::optional<Builtin> B = builtinOf(F, Shared.U.Sources))
    return builtin(E, *B);
  if (isLibrary(F, Shared.U.Sources))
    return unsupported(E->getExprLoc(),
                       "'" + libraryName(F->getName()) + "' in amp code");
  kir::Function *Callee = Shared.function(F, E->getExprLoc());
  std::vector<kir::Expr *> Args;
  for (const Expr *A : E->arguments())
    Args.push_back(value(A));
  if (!Callee || Args.size() != Callee->Params.size())
    return poison(loc(E));
  UsesDouble |= Shared.usesDouble(Callee);
  return M.make<kir::Call>(Callee, Callee->Result, std::move(Args), loc(E));
}

kir::Expr *BodyLowering::math(const CallExpr *E, Builtin B) {
  auto Op = static_cast<kir::IntrinsicOp>(B);
  const kir::Type *Ty = type(E);
  std::vector<kir::Expr *> Args;
  for (const Expr *A : E->arguments())
    Args.push_back(value(A));
  if (!Ty->isFloat() || !spirv::supports(Op, Ty))
    return unsupported(E->getExprLoc(), "'" + E->getDirectCallee()->getName() +
                                            "' of " + kir::toString(Ty) +
                                            " in amp code");
  return M.make<kir::Intrinsic>(Op, Ty, std::move(Args), loc(E));
}

/// isnan and the like: 1 or 0.
kir::Expr *BodyLowering::classified(const CallExpr *E, Builtin B,
                                    kir::Expr *X) {
  kir::Loc W = loc(E);
  const kir::Type *Ty = X->Ty;
  if (!Ty->isFloat())
    return unsupported(E->getExprLoc(), "'" + E->getDirectCallee()->getName() +
                                            "' of " + kir::toString(Ty) +
                                            " in amp code");
  if (B == Builtin::SignBit) {
    const kir::Type *Bits = M.intType(Ty->Width, true);
    kir::Expr *IsLess = binary(kir::BinaryOp::Lt,
                               M.make<kir::Bitcast>(Bits, X, W),
                               intConst(0, W, Bits), W);
    return convert(type(E), IsLess);
  }
  if (B == Builtin::IsNan) {
    X = reusable(X);
    return convert(type(E), binary(kir::BinaryOp::Ne, X, clone(M, X), W));
  }
  uint64_t Infinity = Ty->Width == 32 ? 0x7f800000u : 0x7ff0000000000000u;
  if (B == Builtin::IsInfSign) { // glibc's isinf tells them apart
    X = reusable(X);
    uint64_t Sign = uint64_t(1) << (Ty->Width - 1);
    auto Is = [&](kir::Expr *Operand, uint64_t Bits) {
      return convert(type(E),
                     binary(kir::BinaryOp::Eq, Operand,
                            M.make<kir::FloatConst>(Ty, Bits, W), W));
    };
    return binary(kir::BinaryOp::Sub, Is(X, Infinity),
                  Is(clone(M, X), Infinity | Sign), W);
  }
  kir::Expr *Magnitude = M.make<kir::Intrinsic>(
      kir::IntrinsicOp::Fabs, Ty, std::vector<kir::Expr *>{X}, W);
  return convert(type(E), binary(B == Builtin::IsInf ? kir::BinaryOp::Eq
                                                     : kir::BinaryOp::Lt,
                                 Magnitude,
                                 M.make<kir::FloatConst>(Ty, Infinity, W), W));
}

kir::Expr *BodyLowering::conjunction(std::vector<kir::Expr *> Terms,
                                     kir::Loc W) {
  kir::Expr *All = Terms.front();
  for (size_t I = 1; I < Terms.size(); ++I)
    All = M.make<kir::Logical>(true, All, Terms[I], W);
  return All;
}

/// amp_printf, amp_errorf, amp_abort. check has compared format and arguments.
kir::Expr *BodyLowering::report(const CallExpr *E, Builtin B) {
  std::optional<std::string> Format =
      B == Builtin::Abort ? "amp_abort was called" : formatOf(E);
  std::vector<kir::Expr *> Args;
  for (unsigned I = 1; I < E->getNumArgs(); ++I) {
    kir::Expr *Arg = value(unpromoted(E->getArg(I)));
    if (Arg->Ty->isBool() || (Arg->Ty->isInt() && Arg->Ty->Width < 32))
      Arg = convert(intType(), Arg);
    UsesDouble |= Arg->Ty->isFloat() && Arg->Ty->Width == 64;
    Args.push_back(Arg);
  }
  if (Format)
    Out->push_back(
        M.report(B != Builtin::Printf, *Format, std::move(Args), loc(E)));
  return nullptr;
}

kir::Expr *BodyLowering::builtin(const CallExpr *E, Builtin B) {
  if (B <= Builtin::LastMath)
    return math(E, B);
  kir::Loc W = loc(E);
  auto Wait = [&](bool IsBarrier, kir::Fenced Memory) -> kir::Expr * {
    effect(E->getArg(0));
    if (IsBarrier)
      emit<kir::Barrier>(Memory, W);
    else
      emit<kir::Fence>(Memory, W);
    return nullptr;
  };
  switch (B) {
  case Builtin::BarrierAll:
    return Wait(true, kir::Fenced::All);
  case Builtin::BarrierGlobal:
    return Wait(true, kir::Fenced::Global);
  case Builtin::BarrierTileStatic:
    return Wait(true, kir::Fenced::TileStatic);
  case Builtin::FenceAll:
    return Wait(false, kir::Fenced::All);
  case Builtin::FenceGlobal:
    return Wait(false, kir::Fenced::Global);
  case Builtin::FenceTileStatic:
    return Wait(false, kir::Fenced::TileStatic);
  case Builtin::Printf:
  case Builtin::Errorf:
  case Builtin::Abort:
    return report(E, B);
  default:
    break;
  }

  std::vector<kir::Expr *> Args;
  for (const Expr *A : E->arguments())
    Args.push_back(value(A));
  switch (B) {
  case Builtin::IsNan:
  case Builtin::IsInf:
  case Builtin::IsInfSign:
  case Builtin::IsFinite:
  case Builtin::SignBit:
    return classified(E, B, Args[0]);
  case Builtin::Abs: {
    kir::Expr *X = reusable(Args[0]);
    kir::Expr *IsLess =
        binary(kir::BinaryOp::Lt, clone(M, X), intConst(0, W, X->Ty), W);
    kir::Expr *Minus =
        M.make<kir::Unary>(kir::UnaryOp::Neg, clone(M, X), W);
    return M.make<kir::Select>(IsLess, Minus, X, W);
  }
  case Builtin::MakeIndex:
    if (Args.size() == 1)
      return Args[0];
    return M.make<kir::Construct>(type(E), std::move(Args), W);
  case Builtin::ExtentSize: {
    const kir::Type *Unsigned = M.intType(32, false);
    kir::Expr *Product = nullptr;
    for (kir::Expr *L : lanes(Args[0])) {
      L = convert(Unsigned, L);
      Product = Product ? binary(kir::BinaryOp::Mul, Product, L, W) : L;
    }
    return Product;
  }
  case Builtin::IndexEqual: {
    std::vector<kir::Expr *> L = lanes(Args[0]), R = lanes(Args[1]), Terms;
    for (size_t I = 0; I != L.size() && I != R.size(); ++I)
      Terms.push_back(binary(kir::BinaryOp::Eq, L[I], R[I], W));
    return conjunction(std::move(Terms), W);
  }
  case Builtin::ExtentContains: {
    std::vector<kir::Expr *> Lengths = lanes(Args[0]), Is = lanes(Args[1]);
    std::vector<kir::Expr *> Terms;
    for (size_t I = 0; I != Lengths.size() && I != Is.size(); ++I) {
      kir::Expr *Index = reusable(Is[I]);
      Terms.push_back(
          binary(kir::BinaryOp::Ge, Index, intConst(0, W, Index->Ty), W));
      Terms.push_back(
          binary(kir::BinaryOp::Lt, clone(M, Index), Lengths[I], W));
    }
    return conjunction(std::move(Terms), W);
  }
  case Builtin::ExtentOf: {
    if (!Args[0]->Ty->isView())
      return poison(W);
    if (Args[0]->Ty->Rank == 1)
      return M.make<kir::ViewExtent>(intType(), Args[0], 0u, W);
    kir::Expr *View = reusable(Args[0]);
    std::vector<kir::Expr *> Parts;
    for (unsigned I = 0; I != View->Ty->Rank; ++I)
      Parts.push_back(
          M.make<kir::ViewExtent>(intType(), I ? clone(M, View) : View, I, W));
    return M.make<kir::Construct>(type(E), std::move(Parts), W);
  }
  case Builtin::Section:
    return section(Args[0], lanes(Args[1]), lanes(Args[2]), W);
  case Builtin::SectionFrom:
    return section(Args[0], lanes(Args[1]), {}, W);
  case Builtin::SectionTo: {
    std::vector<kir::Expr *> Extent = lanes(Args[1]), Origin;
    for (size_t I = 0; I != Extent.size(); ++I)
      Origin.push_back(intConst(0, W));
    return section(Args[0], std::move(Origin), std::move(Extent), W);
  }
  default:
    return poison(W);
  }
}

} // namespace ampc
