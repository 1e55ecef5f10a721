//===- declarations.cpp - functions and variables of the host text --------===//

#include "hostc/host.h"
#include "hostc/report.h"
#include "clang/AST/TypeLoc.h"

using namespace clang;

namespace ampc::hostc {

Host::Host(Unit &U, const kir::Module &M, const EmbeddedKernels &Kernels,
           Text &T)
    : U(U), M(M), Kernels(Kernels), ConstantWords(spirv::constantWords(M)),
      T(T) {
  for (size_t I = 0; I < U.Launches.size(); ++I)
    Launches[U.Launches[I].Call] = I;
}

void Host::refuse(SourceLocation L, StringRef What) {
  Ok = false;
  notSupported(U, L, What);
}

// A struct without a name gets one where it is defined.
std::string Host::typeText(QualType Ty) {
  const TagDecl *Tag = viewType(Ty) ? nullptr : Ty->getAsTagDecl();
  if (!Tag || Tag->getIdentifier() || Tag->getTypedefNameForAnonDecl())
    return dialectName(Ty.getUnqualifiedType(), U.Context);
  if (const auto *E = dyn_cast<EnumDecl>(Tag))
    return typeText(E->getIntegerType());
  const RecordDecl *R = cast<RecordDecl>(Tag)->getDefinition();
  std::string &Name = Tags[R];
  if (Name.empty()) {
    Name = "ampc_unnamed_" + std::to_string(Tags.size());
    T.insertBefore(R->getBraceRange().getBegin(), Name + " ");
  }
  return (R->isUnion() ? "union " : "struct ") + Name;
}

void Host::visitUnit() {
  for (const Decl *D : U.Context.getTranslationUnitDecl()->decls())
    if (D->getLocation().isValid() && !isLibrary(D, U.Sources))
      visitDeclaration(D);

  std::map<const FunctionDecl *, std::string> ByHost;
  if (!U.Launches.empty())
    ByHost[U.Launches.front().Host] = constants() + reports() + accelerators();
  for (size_t I = 0; I < U.Launches.size(); ++I)
    ByHost[U.Launches[I].Host] +=
        tables(U.Launches[I], kir::capturedViews(*M.Kernels[I]),
               Kernels.Binaries.empty() ? nullptr : &Kernels.Binaries[I],
               Kernels.Codes.empty() ? nullptr : &Kernels.Codes[I]);
  for (const Launch &L : U.Launches) {
    auto Tables = ByHost.find(L.Host);
    if (Tables == ByHost.end())
      continue; // made with the function's first kernel
    T.insertLinesBefore(L.Host->getBeginLoc(), std::move(Tables->second));
    ByHost.erase(Tables);
  }
}

void Host::visitDeclaration(const Decl *D) {
  if (const auto *F = dyn_cast<FunctionDecl>(D))
    visitFunction(F);
  else if (const auto *V = dyn_cast<VarDecl>(D))
    visitVariable(V);
  else if (const auto *N = dyn_cast<TypedefNameDecl>(D))
    visitType(N->getTypeSourceInfo());
  else if (const auto *R = dyn_cast<RecordDecl>(D))
    for (const Decl *Member : R->decls())
      visitDeclaration(Member);
  else if (const auto *M = dyn_cast<FieldDecl>(D))
    visitType(M->getTypeSourceInfo());
}

void Host::visitFunction(const FunctionDecl *F) {
  if (F->isImplicit())
    return;
  Restriction R = restrictionOf(F, U.Sources);
  if (R.Amp && !R.Cpu)
    return removeDeclaration(F);
  if (!F->isThisDeclarationADefinition() || !F->getBody())
    return;
  visitType(F->getTypeSourceInfo());
  Flow.emplace(F->getBody());
  Blocks.clear();
  Owners.clear();
  visit(F->getBody());
}

void Host::visitVariable(const VarDecl *V) {
  visitType(V->getTypeSourceInfo());
  visit(V->getInit());
}

void Host::visitType(const TypeSourceInfo *Type) {
  if (!Type)
    return;
  for (TypeLoc L = Type->getTypeLoc(); !L.isNull(); L = L.getNextTypeLoc()) {
    if (T.macros().libraryUse(L.getBeginLoc()).isValid())
      continue; // array_view(T, N) has no T on the host
    if (auto A = L.getAs<ArrayTypeLoc>())
      visit(A.getSizeExpr());
    else if (auto O = L.getAs<TypeOfExprTypeLoc>())
      visit(O.getUnderlyingExpr(), {/*IsWritten=*/true, false});
    else if (auto O = L.getAs<TypeOfTypeLoc>())
      visitType(O.getUnmodifiedTInfo());
    else if (auto F = L.getAs<FunctionTypeLoc>())
      for (const ParmVarDecl *P : F.getParams())
        visitType(P ? P->getTypeSourceInfo() : nullptr);
  }
}

// An amp-only function: kernels have it, the host must not see it. A prototype
// that a macro spells may stay: it declares what nobody calls.
void Host::removeDeclaration(const FunctionDecl *F) {
  if (F->isThisDeclarationADefinition())
    return T.replace(F->getSourceRange(), {""}, /*IsStatement=*/true);
  if (F->getEndLoc().isMacroID() && F->getBeginLoc().isMacroID()) {
    if (F->getStorageClass() == SC_Static)
      T.insertBefore(F->getBeginLoc(), "__attribute__((unused)) ");
    return;
  }
  for (const Decl *D : F->getDeclContext()->decls())
    if (D->getBeginLoc() == F->getBeginLoc() && restrictionOf(D, U.Sources).Cpu)
      refuse(F->getLocation(), "an amp-only function in a declaration with "
                               "others");
  T.replace({F->getBeginLoc(), semicolonAfter(F->getEndLoc())}, {""},
            /*IsStatement=*/true);
}

//===----------------------------------------------------------------------===//
// Unused on the host
//===----------------------------------------------------------------------===//

namespace {
/// Variables of all scopes, and functions.
class Declared : public RecursiveASTVisitor<Declared> {
public:
  std::vector<const DeclaratorDecl *> Found;
  bool TraverseBlockExpr(BlockExpr *) { return true; } // kernels are gone
  bool VisitFunctionDecl(FunctionDecl *F) {
    if (F->isThisDeclarationADefinition())
      Found.push_back(F);
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    if (!isa<ParmVarDecl>(V))
      Found.push_back(V);
    return true;
  }
};
} // namespace

void Host::markUnused(const std::set<FileID> &Copied) {
  Declared All;
  for (Decl *D : U.Context.getTranslationUnitDecl()->decls()) {
    const auto *F = dyn_cast<FunctionDecl>(D);
    if (D->getLocation().isInvalid() || isLibrary(D, U.Sources) ||
        (F && !restrictionOf(F, U.Sources).Cpu))
      continue;
    All.TraverseDecl(D);
  }
  for (const DeclaratorDecl *D : All.Found)
    markUnused(D, Copied);
}

void Host::markUnused(const DeclaratorDecl *D, const std::set<FileID> &Copied) {
  if (UsedByHost.count(D->getCanonicalDecl()) || D->hasAttr<UnusedAttr>() ||
      T.macros().libraryUse(D->getLocation()).isValid() ||
      (D->isExternallyVisible() && D->isDefinedOutsideFunctionOrMethod()))
    return;
  // Clang has warned already of what nobody uses in the main file.
  bool IsInMain =
      U.Sources.getFileID(U.Sources.getExpansionLoc(D->getLocation())) ==
      U.Sources.getMainFileID();
  bool IsCopied = Copied.count(
      U.Sources.getFileID(U.Sources.getExpansionLoc(D->getLocation())));
  bool IsInline =
      isa<FunctionDecl>(D) && cast<FunctionDecl>(D)->isInlineSpecified();
  bool UsedByKernels = D->isUsed() || D->isReferenced();
  if (IsInMain ? UsedByKernels : IsCopied || (UsedByKernels && !IsInline))
    T.insertBefore(D->getBeginLoc(), "__attribute__((unused)) ");
}

} // namespace ampc::hostc
