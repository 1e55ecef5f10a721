// describe.cpp - names of AST nodes for people.
#include "lower/lowering.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace ampc {

std::string describe(const Stmt *S) {
  switch (S->getStmtClass()) {
  case Stmt::GotoStmtClass:
  case Stmt::IndirectGotoStmtClass:
    return "goto";
  case Stmt::LabelStmtClass:
  case Stmt::AddrLabelExprClass:
    return "labels";
  case Stmt::GCCAsmStmtClass:
  case Stmt::MSAsmStmtClass:
    return "inline assembly";
  case Stmt::StringLiteralClass:
  case Stmt::PredefinedExprClass:
  case Stmt::ObjCStringLiteralClass:
    return "string literals";
  case Stmt::BlockExprClass:
    return "block literals";
  case Stmt::VAArgExprClass:
    return "variable argument lists";
  case Stmt::ImaginaryLiteralClass:
    return "complex numbers";
  case Stmt::AtomicExprClass:
    return "atomic builtins";
  case Stmt::ShuffleVectorExprClass:
    return "vector shuffles";
  case Stmt::DesignatedInitUpdateExprClass:
    return "overriding part of an initialised struct";
  case Stmt::UnaryExprOrTypeTraitExprClass:
    return "the size of a variable-length array";
  case Stmt::CapturedStmtClass:
    return "captured statements";
  default:
    return std::string("the construct ") + S->getStmtClassName();
  }
}

std::string libraryName(llvm::StringRef Function) {
  return llvm::StringSwitch<std::string>(Function)
      .Case("amp_section", "array_view_section")
      .Case("amp_section_from", "array_view_section_from")
      .Case("amp_section_to", "array_view_section_to")
      .Case("amp_reinterpret", "array_view_reinterpret_as")
      .Case("amp_view_as", "array_view_view_as")
      .Case("amp_make_view", "array_view_of")
      .Case("amp_make_array", "array_new")
      .Default(Function.str());
}

} // namespace ampc
