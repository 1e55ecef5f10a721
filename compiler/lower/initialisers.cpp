// initialisers.cpp - initialiser lists and compound literals.
#include "lower/lowering.h"
#include "lower/trees.h"

using namespace clang;

namespace ampc {

bool BodyLowering::isStoredByElement(const kir::Type *T) {
  return T->isArray() && T->Count > 32;
}

/// An initialiser that leaves all bits zero, as Clang fills lists up or as
/// programs write `{0}`.
static bool isZero(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *List = dyn_cast<InitListExpr>(E))
    return llvm::all_of(List->inits(), isZero);
  if (const auto *I = dyn_cast<IntegerLiteral>(E))
    return I->getValue().isZero();
  if (const auto *F = dyn_cast<FloatingLiteral>(E))
    return F->getValue().isPosZero();
  return isa<ImplicitValueInitExpr>(E);
}

kir::Expr *BodyLowering::initialiser(const Expr *E, const kir::Type *T) {
  E = E->IgnoreParens();
  kir::Loc W = loc(E);
  if (const auto *L = dyn_cast<CompoundLiteralExpr>(E))
    return initialiser(L->getInitializer(), T); // GNU: array = (T[]){...}
  if (isa<ImplicitValueInitExpr>(E)) {
    if (containsView(E->getType()))
      return refuse(E->getBeginLoc(), "a view without an initialiser");
    return zero(T, W);
  }
  if (const auto *D = dyn_cast<DesignatedInitUpdateExpr>(E)) {
    kir::Variable *V = temporary(initialiser(D->getBase(), T));
    update(M.make<kir::VarRef>(V, W), D->getUpdater());
    return load(V, W);
  }
  if (const auto *String = dyn_cast<StringLiteral>(E); String && T->isArray())
    return stringInitialiser(String, T);
  const auto *List = dyn_cast<InitListExpr>(E);
  if (!List)
    return rounded(value(E));
  if (List->isTransparent() || List->isStringLiteralInit())
    return initialiser(List->getInit(0), T);
  if (T->isVector())
    return vectorInitialiser(List, T);
  if (T->isScalar() || T->isView() || T->isPointer()) // `int x = {1};`
    return List->getNumInits() == 1 ? initialiser(List->getInit(0), T)
                                    : zero(T, W);

  if (isZero(List)) {
    if (containsView(E->getType()))
      return refuse(E->getBeginLoc(), "a view without an initialiser");
    return zero(T, W);
  }
  if (isStoredByElement(T)) {
    kir::Variable *V = temporary(zero(T, W));
    storeElements(M.make<kir::VarRef>(V, W), List);
    return load(V, W);
  }
  if (T->isStruct() && T->IsUnion)
    return unionInitialiser(List, T);
  std::vector<kir::Expr *> Parts;
  for (unsigned I = 0; I != List->getNumInits(); ++I) {
    const kir::Type *Part = nullptr;
    if (T->isArray())
      Part = T->Element;
    else if (T->isStruct() && I < T->Fields.size())
      Part = T->Fields[I].Ty;
    else
      return poison(W);
    Parts.push_back(initialiser(List->getInit(I), Part));
  }
  while (T->isArray() && Parts.size() < T->Count)
    Parts.push_back(zero(T->Element, W));
  return M.make<kir::Construct>(T, std::move(Parts), W);
}

/// The characters that the array has room for; the rest of it is zero.
kir::Expr *BodyLowering::stringInitialiser(const StringLiteral *E,
                                           const kir::Type *T) {
  kir::Loc W = loc(E);
  std::vector<kir::Expr *> Parts;
  if (!T->Element->isInt())
    return poison(W);
  for (uint64_t I = 0; I != T->Count; ++I)
    Parts.push_back(
        intConst(I < E->getLength() ? E->getCodeUnit(I) : 0, W, T->Element));
  return M.make<kir::Construct>(T, std::move(Parts), W);
}

/// The named member of a union; the rest of it is zero.
kir::Expr *BodyLowering::unionInitialiser(const InitListExpr *E,
                                          const kir::Type *T) {
  kir::Loc W = loc(E);
  const FieldDecl *F = E->getInitializedFieldInUnion();
  if (!F || E->getNumInits() != 1)
    return zero(T, W);
  unsigned Field = F->getFieldIndex();
  if (Field >= T->Fields.size())
    return poison(W);
  kir::Expr *Value = initialiser(E->getInit(0), T->Fields[Field].Ty);
  if (Field == 0) {
    std::vector<kir::Expr *> Parts{Value};
    return M.make<kir::Construct>(T, std::move(Parts), W);
  }
  kir::Variable *V = temporary(zero(T, W));
  emit<kir::Store>(M.make<kir::Member>(M.make<kir::VarRef>(V, W), Field, W),
                   Value, W);
  return load(V, W);
}

/// `{.a = s, .a.x = 1}`: s is stored already; holes stay as they are.
void BodyLowering::update(kir::Expr *Place, const Expr *Init) {
  kir::Loc W = loc(Init);
  if (isa<NoInitExpr>(Init))
    return;
  const kir::Type *T = Place->Ty;
  const auto *List = dyn_cast<InitListExpr>(Init);
  if (!List || T->isVector() || T->isScalar() || T->isPointer() ||
      List->isTransparent()) {
    kir::Expr *Value = initialiser(Init, T);
    return emit<kir::Store>(Place, Value, W);
  }
  for (unsigned I = 0; I != List->getNumInits(); ++I) {
    unsigned Field = I;
    if (T->isStruct() && T->IsUnion)
      if (const FieldDecl *F = List->getInitializedFieldInUnion())
        Field = F->getFieldIndex();
    kir::Expr *Part = nullptr;
    if (T->isArray())
      Part = element(clone(M, Place), intConst(I, W), W);
    else if (T->isStruct() && Field < T->Fields.size())
      Part = M.make<kir::Member>(clone(M, Place), Field, W);
    else
      return (void)poison(W);
    update(Part, List->getInit(I));
  }
}

/// The elements of a vector's list are lanes or shorter vectors.
kir::Expr *BodyLowering::vectorInitialiser(const InitListExpr *E,
                                           const kir::Type *T) {
  kir::Loc W = loc(E);
  if (E->getNumInits() == 1 && E->getInit(0)->getType()->isVectorType() &&
      type(E->getInit(0)) == T)
    return initialiser(E->getInit(0), T);
  std::vector<kir::Expr *> Parts;
  for (const Expr *Init : E->inits()) {
    kir::Expr *V =
        isa<ImplicitValueInitExpr>(Init) ? zero(T->Element, W)
                                         : rounded(value(Init));
    for (kir::Expr *L : lanes(V))
      Parts.push_back(convert(T->Element, L));
  }
  while (Parts.size() < T->Count)
    Parts.push_back(zero(T->Element, W));
  if (Parts.size() > T->Count)
    return poison(W);
  return M.make<kir::Construct>(T, std::move(Parts), W);
}

void BodyLowering::storeElements(kir::Expr *Array, const InitListExpr *E) {
  for (unsigned I = 0; I != E->getNumInits(); ++I) {
    const Expr *Init = E->getInit(I);
    if (isZero(Init))
      continue; // as Array already is
    kir::Loc W = loc(Init);
    kir::Expr *Place = element(clone(M, Array), intConst(I, W), W);
    const auto *Inner = dyn_cast<InitListExpr>(Init);
    if (Inner && Place->Ty->isArray() && !Inner->isStringLiteralInit()) {
      storeElements(Place, Inner);
      continue;
    }
    kir::Expr *Value = initialiser(Init, Place->Ty);
    emit<kir::Store>(Place, Value, W);
  }
}

kir::Variable *BodyLowering::compoundLiteral(const CompoundLiteralExpr *E) {
  const Expr *Init = E->getInitializer();
  const kir::Type *T = type(E);
  return temporary(initialiser(Init, T));
}

} // namespace ampc
