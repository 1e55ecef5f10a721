//===- builtins.h - functions that the compiler itself knows --------------===//
//
// The table builtins.def as a query. check asks which host functions amp code
// may call, lower what a call means.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_FRONTEND_BUILTINS_H
#define AMPC_FRONTEND_BUILTINS_H

#include "clang/AST/Decl.h"
#include <optional>

namespace ampc {

/// What a known function does. The mathematical ones stand in the order of
/// kir::IntrinsicOp.
enum class Builtin {
#define AMPC_INTRINSIC(ID, NAME, ARITY) ID,
#include "kir/intrinsics.def"
  LastMath = Fdim,
  IsNan, IsInf, IsInfSign, IsFinite, SignBit, Abs,
  MakeIndex, ExtentSize, IndexEqual, ExtentContains, ExtentOf,
  Section, SectionFrom, SectionTo, Reinterpret, ViewAs,
  BarrierAll, BarrierGlobal, BarrierTileStatic,
  FenceAll, FenceGlobal, FenceTileStatic,
  Printf, Errorf, Abort,
};

/// The meaning of F when it is a known library or <math.h> function: not one
/// that the user defines, nor a static one.
std::optional<Builtin> builtinOf(const clang::FunctionDecl *F,
                                 const clang::SourceManager &SM);

/// F is a host function (no clause) of <math.h> that amp code may call.
bool isStandardBuiltin(const clang::FunctionDecl *F,
                              const clang::SourceManager &SM);

} // namespace ampc

#endif
