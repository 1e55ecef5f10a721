//===- views.h - one body's operations on views ---------------------------===//

#ifndef AMPC_CHECK_VIEWS_H
#define AMPC_CHECK_VIEWS_H

#include "check/rules.h"

namespace ampc::rules {

/// Goes through a body once; what is refused is not looked into further, so
/// that one mistake is one error. Each of the functions says whether to go on.
class Views {
public:
  Views(Checker &C, const Body &B) : C(C), B(B) {}
  void run();

private:
  // Operations (V1): views.cpp.
  bool visit(const clang::Stmt *S, Parents P);
  bool refuse(const clang::Expr *E, llvm::StringRef Operation,
              clang::QualType View, llvm::StringRef Hint = "");
  bool inLibraryMacro(const clang::Expr *E) const;
  static bool isWholeView(const clang::Expr *E);
  static bool inElement(const clang::Expr *E);
  bool unary(const clang::UnaryOperator *Op, Parents P);
  bool addressOf(const clang::UnaryOperator *Op, const clang::Expr *Of,
                 Parents P);
  static bool isDecay(const clang::Expr *E);
  bool binary(const clang::BinaryOperator *Op);
  void unsetVariables();

  // Conversions and arguments (V2, V3, V5, C2): view_conversions.cpp.
  bool conversion(const clang::CastExpr *E, Parents P);
  bool pointerToView(const clang::CastExpr *E);
  static bool keepsConst(clang::QualType From, clang::QualType To);
  bool sameElement(clang::QualType A, clang::QualType B) const;
  bool isMadeHere(const clang::Expr *E) const;
  bool constLost(const clang::CastExpr *E, const ViewType &From,
                 clang::QualType ToType, std::vector<std::string> Names);
  bool fromLibrary(const clang::CastExpr *E, const ViewType &To,
                   std::vector<std::string> Names);
  bool decay(const clang::CastExpr *E, Parents P);
  bool call(const clang::CallExpr *Call);
  bool rows(const clang::CallExpr *Call);

  Checker &C;
  const Body &B;
  const clang::Stmt *ConditionRefused = nullptr;
};

} // namespace ampc::rules

#endif
