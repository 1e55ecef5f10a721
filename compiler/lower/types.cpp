// types.cpp - Clang's types as KIR types, with the host's layout (rule T7).
#include "lower/lowering.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace ampc {

const kir::Type *ModuleLowering::type(QualType T, SourceLocation At) {
  T = T.getCanonicalType();
  if (std::optional<ViewType> V = viewType(T)) {
    if (V->Element->isVoidType()) {
      refuse(At, "a view of void");
      return M.intType();
    }
    return M.viewType(type(V->Element, At), V->Rank, V->isConst());
  }
  if (T.isVolatileQualified() || T->isAtomicType()) {
    refuse(At, "volatile and atomic objects");
    return M.intType();
  }
  T = T.getUnqualifiedType();
  if (T->isVoidType())
    return M.voidType();
  if (T->isBooleanType())
    return M.boolType();
  if (const auto *E = T->getAs<EnumType>()) {
    QualType Underlying = E->getDecl()->getIntegerType();
    if (Underlying.isNull()) { // incomplete: Clang has complained
      refuse(At, "an enum without a definition");
      return M.intType();
    }
    return type(Underlying, At);
  }
  if (T->isIntegerType() && !T->isBitIntType()) {
    uint64_t Width = Ctx.getTypeSize(T);
    if (Width == 8 || Width == 16 || Width == 32 || Width == 64)
      return M.intType(Width, T->isSignedIntegerType());
  }
  if (T->isSpecificBuiltinType(BuiltinType::Float))
    return M.floatType(32);
  if (T->isSpecificBuiltinType(BuiltinType::Double))
    return M.floatType(64);
  if (const auto *V = T->getAs<clang::VectorType>())
    if (V->getNumElements() >= 2 && V->getNumElements() <= 4) {
      const kir::Type *Lane = type(V->getElementType(), At);
      if (Lane->isInt() || Lane->isFloat())
        return M.vectorType(Lane, V->getNumElements());
    }
  if (const ConstantArrayType *A = Ctx.getAsConstantArrayType(T))
    if (A->getSize() != 0)
      return M.arrayType(type(A->getElementType(), At),
                         A->getSize().getZExtValue());
  if (const RecordDecl *R = T->getAsRecordDecl())
    if (R->getDefinition())
      return structType(R->getDefinition(), At);

  if (T->isPointerType() && !T->isFunctionPointerType())
    return M.pointerType(type(T->getPointeeType(), At));
  refuse(At, "the type '" + dialectName(T, Ctx) + "'");
  return M.intType();
}

const kir::Type *ModuleLowering::structType(const RecordDecl *R,
                                            SourceLocation At) {
  if (const kir::Type *Known = StructMap.lookup(R))
    return Known;
  const ASTRecordLayout &Layout = Ctx.getASTRecordLayout(R);
  kir::Type S;
  S.K = kir::Type::Kind::Struct;
  S.IsUnion = R->isUnion();
  S.Size = Layout.getSize().getQuantity();
  S.Align = Layout.getAlignment().getQuantity();
  llvm::StringRef Name = R->getName();
  if (const TypedefNameDecl *D = R->getTypedefNameForAnonDecl())
    Name = D->getName();
  S.Name = uniqueName(Name.empty() ? "anonymous" : Name, StructNames);
  for (const FieldDecl *F : R->fields()) {
    if (F->isBitField() || F->getType()->isIncompleteArrayType()) {
      refuse(At, "bit-fields and flexible array members");
      return M.intType();
    }
    S.Fields.push_back({F->getName().str(), type(F->getType(), At),
                        Layout.getFieldOffset(F->getFieldIndex()) / 8});
  }
  return StructMap[R] = M.addStruct(std::move(S));
}

} // namespace ampc
