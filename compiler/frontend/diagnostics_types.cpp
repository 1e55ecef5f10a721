//===- diagnostics_types.cpp - types in diagnostics, as the user writes them
//-===//

#include "frontend/diagnostics.h"
#include "frontend/dialect.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTDiagnostic.h"

using namespace clang;

namespace ampc {

static void formatArgument(DiagnosticsEngine::ArgumentKind Kind, intptr_t Val,
                           StringRef Modifier, StringRef Argument,
                           ArrayRef<DiagnosticsEngine::ArgumentValue> Before,
                           SmallVectorImpl<char> &Output, void *Cookie,
                           ArrayRef<intptr_t> QualTypes) {
  intptr_t Type = Kind == DiagnosticsEngine::ak_qualtype ? Val : 0;
  if (Kind == DiagnosticsEngine::ak_qualtype_pair) {
    const auto *Pair = reinterpret_cast<TemplateDiffTypes *>(Val);
    if (!Pair->PrintTree)
      Type = Pair->PrintFromType ? Pair->FromType : Pair->ToType;
  }
  QualType T = QualType::getFromOpaquePtr(reinterpret_cast<void *>(Type));
  // Of a short vector Clang would add what it is to Clang.
  if (!Type || (!mentionsView(T) && !T->isExtVectorType()))
    return FormatASTNodeDiagnosticArgument(Kind, Val, Modifier, Argument,
                                           Before, Output, Cookie, QualTypes);
  std::string Name =
      "'" + dialectName(T, *static_cast<ASTContext *>(Cookie)) + "'";
  Output.append(Name.begin(), Name.end());
}

void printTypesAsDialect(ASTContext &C) {
  C.getDiagnostics().SetArgToStringFn(formatArgument, &C);
}

} // namespace ampc
