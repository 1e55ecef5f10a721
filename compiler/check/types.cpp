//===- types.cpp - rules T1 to T5: the types of amp code ------------------===//
//
// Objects are judged where amp code declares them, structs member by member;
// what is done with a refused object is not reported again.
//
//===----------------------------------------------------------------------===//

#include "check/rules.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace ampc::rules {

//===----------------------------------------------------------------------===//
// Judging a type
//===----------------------------------------------------------------------===//

namespace {

bool isAmpScalar(const BuiltinType *B) {
  switch (B->getKind()) {
  case BuiltinType::Void:
  case BuiltinType::Bool:
  case BuiltinType::Int:
  case BuiltinType::UInt:
  case BuiltinType::Float:
  case BuiltinType::Double:
    return true;
  default:
    return false;
  }
}

bool isShortVector(const VectorType *V) {
  const auto *Element = V->getElementType()->getAs<BuiltinType>();
  return isa<ExtVectorType>(V) && V->getNumElements() >= 2 &&
         V->getNumElements() <= 4 && Element && isAmpScalar(Element) &&
         !Element->isBooleanType();
}

} // namespace

std::optional<TypeFault> Checker::typeFault(QualType T) {
  return objectFault(T, false);
}

// Nested: inside a struct, union, array or view element.
std::optional<TypeFault> Checker::objectFault(QualType T, bool Nested) {
  auto Fault = [&](Message M, std::vector<std::string> More = {}) {
    More.insert(More.begin(), typeName(T));
    return TypeFault{M, "", std::move(More)};
  };
  if (T.isVolatileQualified() || T->isAtomicType())
    return Fault(Message::Volatile);

  auto ElementFault = [&](QualType Element) -> std::optional<TypeFault> {
    if (Element->isIncompleteType() || Element->isFunctionType())
      return Fault(Message::NotAmpType);
    CharUnits Size = Context.getTypeSizeInChars(Element);
    CharUnits Align = Context.getTypeAlignInChars(Element);
    if (Size.isZero() || Size.getQuantity() % 4 || Align.getQuantity() % 4)
      return TypeFault{Message::ElementSize,
                       "",
                       {typeName(Element), std::to_string(Size.getQuantity()),
                        std::to_string(Align.getQuantity())}};
    return std::nullopt;
  };

  if (auto View = viewType(T)) {
    if (View->Element->isVoidType())
      return std::nullopt;
    if (auto F = objectFault(View->Element, true)) {
      if (F->What.empty())
        F->What = "the element of " + typeName(T);
      return F;
    }
    return ElementFault(View->Element);
  }

  const Type *Canonical = T.getCanonicalType().getTypePtr();
  if (const auto *B = dyn_cast<BuiltinType>(Canonical))
    return isAmpScalar(B) ? std::nullopt
                          : std::optional(Fault(Message::NotAmpType));
  if (const auto *E = dyn_cast<EnumType>(Canonical)) {
    QualType Underlying = E->getDecl()->getIntegerType();
    if (Underlying.isNull())
      return Fault(Message::NotAmpType);
    const auto *B = Underlying->getAs<BuiltinType>();
    if (B &&
        (B->getKind() == BuiltinType::Int || B->getKind() == BuiltinType::UInt))
      return std::nullopt;
    return Fault(Message::NotAmpEnum, {typeName(Underlying)});
  }
  if (const auto *V = dyn_cast<VectorType>(Canonical))
    return isShortVector(V) ? std::nullopt
                            : std::optional(Fault(Message::NotAmpType));
  if (const auto *P = dyn_cast<PointerType>(Canonical)) {
    QualType Pointee = P->getPointeeType();
    if (Pointee->isFunctionType())
      return Fault(Message::PointerToFunction);
    if (Nested)
      return Fault(Message::PointerInside);
    if (Pointee->isPointerType() || Pointee->isBlockPointerType())
      return Fault(Message::PointerToPointer);
    auto F = objectFault(T->getPointeeType(), false);
    if (F && F->What.empty())
      F->What = "the target of '" + typeName(T) + "'";
    return F;
  }
  if (isa<VariableArrayType>(Canonical))
    return std::nullopt; // rule D2
  if (const auto *A = dyn_cast<ConstantArrayType>(Canonical)) {
    QualType Element = Context.getAsArrayType(T)->getElementType();
    if (auto F = objectFault(Element, true))
      return F;
    return containsView(A->getElementType()) ? std::nullopt
                                             : ElementFault(Element);
  }
  if (const RecordDecl *R = T->getAsRecordDecl())
    return recordFault(T, R->getDefinition());
  return Fault(Message::NotAmpType);
}

std::optional<TypeFault> Checker::recordFault(QualType T, const RecordDecl *R) {
  if (!R || R->getLocation().isInvalid()) // Clang's own, such as va_list's
    return TypeFault{Message::NotAmpType, "", {typeName(T)}};
  if (isLibrary(R, SM) || CleanRecords.count(R))
    return std::nullopt;

  const ASTRecordLayout &Layout = Context.getASTRecordLayout(R);
  for (const FieldDecl *F : R->fields()) {
    std::string Of = " of '" + typeName(T) + "'";
    auto Named = [&](StringRef Path) {
      return (F->getName().empty() && Path.empty()
                  ? std::string("an unnamed member")
                  : "member '" + F->getName().str() +
                        (Path.empty() || F->getName().empty() ? "" : ".") +
                        Path.str() + "'") +
             Of;
    };
    if (F->isBitField())
      return TypeFault{Message::BitField, Named(""), {}, F};
    const ConstantArrayType *Array =
        Context.getAsConstantArrayType(F->getType());
    if (F->getType()->isIncompleteArrayType() || (Array && Array->isZeroSize()))
      return TypeFault{Message::FlexibleMember, Named(""), {}, F};
    if (isTileBarrier(F->getType()) || tiledIndexRank(F->getType()))
      return TypeFault{
          Message::BarrierMember, Named(""), {typeName(F->getType())}, F};
    if (R->isUnion() && containsView(F->getType()))
      return TypeFault{
          Message::ViewInUnion, Named(""), {typeName(F->getType())}, F};
    if (auto Fault = objectFault(F->getType(), true)) {
      // An inner "member 'next' of 'struct node'" becomes "member 'pos.next'".
      StringRef Inner = Fault->What;
      if (Inner.consume_front("member '"))
        Fault->What = Named(Inner.take_until([](char C) { return C == '\''; }));
      else if (Inner.empty() || !Fault->Member)
        Fault->What = Named("");
      if (!Fault->Member)
        Fault->Member = F;
      return Fault;
    }
    uint64_t Offset = Layout.getFieldOffset(F->getFieldIndex()) / 8;
    if (Offset % 4)
      return TypeFault{Message::MemberOffset,
                       Named(""),
                       {typeName(F->getType()), std::to_string(Offset)},
                       F};
  }
  CleanRecords.insert(R);
  return std::nullopt;
}

void Checker::refuseType(const TypeFault &F, std::string What,
                         SourceLocation Loc, const NamedDecl *Declared,
                         const Body &B) {
  if (Declared)
    Refused.insert(Declared);
  B.Faulty = true;
  if (F.Member && !FaultyMembers.insert(F.Member).second)
    return; // the member is the mistake, and it has been reported
  std::vector<std::string> Args = F.Args;
  Args.insert(Args.begin(), F.What.empty() ? What : F.What);
  Report R = error(F.M, Loc, std::move(Args));
  R.in(B);
  if (F.Member)
    R.note(F.Member->getLocation(), "the member is declared here");
  else if (Declared && Declared->getLocation() != Loc)
    R.declared(Declared);
}

//===----------------------------------------------------------------------===//
// What amp code declares and converts to
//===----------------------------------------------------------------------===//

namespace {

bool is64BitInteger(QualType T, const ASTContext &C) {
  return T->isIntegerType() && !T->isEnumeralType() && C.getTypeSize(T) == 64;
}

bool isFoldable(const Expr *E, const ASTContext &C) {
  return !E->isValueDependent() && E->isEvaluatable(C);
}

void checkVariable(Checker &C, const VarDecl *V, const Body &B) {
  QualType T = V->getType();
  auto F = C.typeFault(T);
  if (!F)
    return;
  std::string Kind = isa<ParmVarDecl>(V) ? "parameter" : "variable";
  std::string What = V->getName().empty()
                         ? "a " + Kind
                         : Kind + " '" + V->getName().str() + "'";
  C.refuseType(*F, What, V->getLocation(), V, B);
}

void checkSignature(Checker &C, const Body &B) {
  if (const FunctionDecl *F = B.function()) {
    for (const ParmVarDecl *P : F->parameters())
      checkVariable(C, P, B);
    if (auto Fault = C.typeFault(F->getReturnType()))
      C.refuseType(*Fault, "the result of '" + F->getName().str() + "'",
                   F->getLocation(), nullptr, B);
    return;
  }
  for (const ParmVarDecl *P : cast<BlockDecl>(B.Owner)->parameters())
    checkVariable(C, P, B);
}

void checkCast(Checker &C, const ExplicitCastExpr *E, const Body &B) {
  QualType T = E->getType();
  if (T->isVoidType())
    return;
  // A 64-bit number that is made of constants alone is an intermediate.
  if (is64BitInteger(T, C.Context)) {
    if (!isFoldable(E->getSubExpr(), C.Context))
      C.error(Message::CastTo, E->getBeginLoc(), {C.typeName(T)})
          .in(B)
          .mark(E->getSourceRange());
    return;
  }
  if (viewType(T))
    return; // rule V2 and the element's own declaration
  if (auto F = C.typeFault(T)) {
    if (F->M == Message::NotAmpType && F->What.empty())
      C.error(Message::CastTo, E->getBeginLoc(), {C.typeName(T)})
          .in(B)
          .mark(E->getSourceRange());
    else
      C.refuseType(*F, "this cast", E->getBeginLoc(), nullptr, B);
  }
}

} // namespace

void checkTypes(Checker &C) {
  for (const Body &B : C.Bodies) {
    if (!B.Amp)
      continue;
    checkSignature(C, B);
    walk(C, B.Root, [&](const Stmt *S, Parents) {
      if (const auto *D = dyn_cast<DeclStmt>(S)) {
        for (const Decl *Declared : D->decls())
          if (const auto *V = dyn_cast<VarDecl>(Declared))
            checkVariable(C, V, B);
      } else if (const auto *E = dyn_cast<ExplicitCastExpr>(S)) {
        checkCast(C, E, B);
      } else if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
        QualType T = Switch->getCond()->getType();
        if (is64BitInteger(T, C.Context))
          C.error(Message::CastTo, Switch->getCond()->getBeginLoc(),
                  {C.typeName(T)})
              .in(B)
              .mark(Switch->getCond()->getSourceRange());
      } else if (const auto *L = dyn_cast<CompoundLiteralExpr>(S)) {
        if (auto F = C.typeFault(L->getType()))
          C.refuseType(*F, "this compound literal", L->getBeginLoc(), nullptr,
                       B);
      }
      return true;
    });
  }
}

// The safety net: an expression of a type that lower does not know, where no
// declaration or cast was to blame. A constant under a cast is folded.
void checkRemaining(Checker &C) {
  for (const Body &B : C.Bodies) {
    if (!B.Amp || B.Faulty)
      continue;
    walk(C, B.Root, [&](const Stmt *S, Parents P) {
      const auto *E = dyn_cast<Expr>(S);
      if (!E || isa<StringLiteral, ParenExpr>(E) ||
          E->getType()->isFunctionType())
        return true;
      const Stmt *Parent = parentOf(P);
      if (const auto *Call = dyn_cast_or_null<CallExpr>(Parent))
        if (Call->getCallee()->IgnoreParens() == E)
          return true;
      QualType T = E->getType().getUnqualifiedType();
      if (is64BitInteger(T, C.Context) || viewType(T))
        return true;
      if (const auto *Cast = dyn_cast<CastExpr>(E))
        if (!isa<FloatingLiteral>(E) && !C.typeFault(T) &&
            isFoldable(Cast->getSubExpr(), C.Context) && T->isArithmeticType())
          return false;
      if (T->isPointerType() && T->getPointeeType()->isCharType())
        return true; // a string's, judged by F5
      if (auto F = C.typeFault(T)) {
        C.refuseType(*F, "this expression", E->getBeginLoc(), nullptr, B);
        return false;
      }
      return true;
    });
  }
}

} // namespace ampc::rules
