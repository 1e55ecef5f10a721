//===- captures.cpp - the struct that takes a kernel's captures -----------===//
//
// It stands in front of the function that launches, where types that the
// function declares, and types without a name, cannot be written. The struct
// spells these once more, member by member: tables need the members' offsets.
//
//===----------------------------------------------------------------------===//

#include "hostc/host.h"
#include "clang/AST/Attr.h"

using namespace clang;

namespace ampc::hostc {

static bool isLocal(const Decl *D) {
  return D->getDeclContext()->isFunctionOrMethod();
}

// Without the typedefs that the function declares.
static QualType withoutLocalNames(QualType Ty, const ASTContext &Context) {
  for (;;) {
    const Type *P = Ty.getTypePtr();
    if (const auto *E = dyn_cast<ElaboratedType>(P))
      P = E->getNamedType().getTypePtr();
    const auto *Alias = dyn_cast<TypedefType>(P);
    if (isa<TagType>(P) || (Alias && !isLocal(Alias->getDecl())))
      return Ty;
    QualType Simpler = Ty.getSingleStepDesugaredType(Context);
    if (Simpler == Ty)
      return Ty;
    Ty = Simpler;
  }
}

bool Host::isKnownBefore(QualType Ty, const FunctionDecl *F) {
  if (viewType(Ty))
    return true; // one type to the host, whatever the elements are
  const RecordDecl *R = Ty->getAsRecordDecl();
  if (!R)
    return true;
  R = R->getDefinition();
  return !isLocal(R) &&
         (R->getIdentifier() || R->getTypedefNameForAnonDecl()) &&
         U.Sources.isBeforeInTranslationUnit(R->getLocation(),
                                             F->getBeginLoc());
}

template <typename Declaration>
static std::string layout(const Declaration *D, ASTContext &Context) {
  std::string Attributes;
  if (D->template hasAttr<PackedAttr>() ||
      D->template hasAttr<MaxFieldAlignmentAttr>())
    Attributes += " __attribute__((packed))";
  for (const auto *A : D->template specific_attrs<AlignedAttr>())
    Attributes += " __attribute__((aligned(" +
                  std::to_string(A->getAlignment(Context) / 8) + ")))";
  return Attributes;
}

std::string Host::recordBody(const RecordDecl *R, const FunctionDecl *F,
                             unsigned Indent) {
  R = R->getDefinition();
  std::string S = R->isUnion() ? "union {\n" : "struct {\n";
  for (const FieldDecl *M : R->fields())
    S += field(M->getType(),
               M->isAnonymousStructOrUnion() ? "" : M->getName().str(), F,
               Indent + 4) +
         layout(M, U.Context) + ";\n";
  return S + std::string(Indent, ' ') + "}" + layout(R, U.Context);
}

std::string Host::field(QualType Ty, std::string Name, const FunctionDecl *F,
                        unsigned Indent) {
  Ty = Ty.getUnqualifiedType();
  if (const auto *A = U.Context.getAsConstantArrayType(Ty))
    return field(A->getElementType(),
                 Name + "[" + std::to_string(A->getZExtSize()) + "]", F,
                 Indent);
  if (!Name.empty())
    Name = " " + Name;
  std::string Margin(Indent, ' ');
  if (!isKnownBefore(Ty, F))
    return Margin + recordBody(Ty->getAsRecordDecl(), F, Indent) + Name;
  if (std::optional<ViewType> V = viewType(Ty)) {
    const TagDecl *Tag = V->Element->getAsTagDecl();
    if (Tag && !Tag->getIdentifier() && !Tag->getTypedefNameForAnonDecl())
      return Margin + "struct ampc_view_" + std::to_string(V->Rank) + Name;
  }
  if (const auto *E = Ty->getAs<EnumType>(); E && isLocal(E->getDecl()))
    return Margin + typeText(E->getDecl()->getIntegerType()) + Name;
  Ty = withoutLocalNames(Ty, U.Context);
  bool IsBareVector = isa<VectorType>(Ty.getTypePtr());
  return Margin +
         (IsBareVector ? vectorName(Ty).value_or(typeText(Ty)) : typeText(Ty)) +
         Name;
}

std::string Host::captureStruct(const Launch &L) {
  if (L.Captures.empty())
    return "";
  std::string S = "struct " + L.Symbol + " {\n";
  for (const VarDecl *V : L.Captures)
    S += field(V->getType(), V->getName().str(), L.Host, 4) + ";\n";
  return S + "};\n";
}

} // namespace ampc::hostc
