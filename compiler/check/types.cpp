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

/// The version whose amp code has a scalar type; nothing: none.
std::optional<Version> versionWith(const BuiltinType *B) {
  switch (B->getKind()) {
  case BuiltinType::Void:
  case BuiltinType::Bool:
  case BuiltinType::Int:
  case BuiltinType::UInt:
  case BuiltinType::Float:
  case BuiltinType::Double:
    return Version::V1_0;
  case BuiltinType::Char_S:
  case BuiltinType::Char_U:
  case BuiltinType::SChar:
  case BuiltinType::UChar:
  case BuiltinType::Short:
  case BuiltinType::UShort:
    return Version::V1_1;
  case BuiltinType::Long:
  case BuiltinType::ULong:
  case BuiltinType::LongLong:
  case BuiltinType::ULongLong:
    return Version::V1_2;
  default:
    return std::nullopt;
  }
}

bool isShortVector(const VectorType *V) {
  const auto *Element = V->getElementType()->getAs<BuiltinType>();
  return isa<ExtVectorType>(V) && V->getNumElements() >= 2 &&
         V->getNumElements() <= 4 && Element &&
         versionWith(Element) == Version::V1_0 && !Element->isBooleanType();
}

std::string scalarsOf(Version V) {
  switch (V) {
  case Version::V1_0:
    return "_Bool, int, unsigned, float, double, enums of int or unsigned";
  case Version::V1_1:
    return "_Bool, integers of 8, 16 and 32 bits and their enums, float, double";
  case Version::V1_2:
    return "_Bool, integers of 8 to 64 bits and their enums, float, double";
  }
  llvm_unreachable("every version is above");
}

/// Bytes of the largest scalar in T, at most 4: what its address must be a
/// multiple of.
uint64_t unitOf(QualType T, const ASTContext &C) {
  if (const auto *A = C.getAsConstantArrayType(T))
    return unitOf(A->getElementType(), C);
  if (const auto *V = T->getAs<VectorType>())
    return unitOf(V->getElementType(), C);
  const RecordDecl *R = T->getAsRecordDecl();
  if (!R)
    return std::min<uint64_t>(C.getTypeSizeInChars(T).getQuantity(), 4);
  uint64_t Unit = 1;
  for (const FieldDecl *F : R->fields())
    Unit = std::max(Unit, unitOf(F->getType(), C));
  return Unit;
}

} // namespace

std::string Checker::wayOut(std::optional<Version> Needed, Version V) {
  if (!Needed || *Needed <= V)
    return "";
  std::string Text = versionText(*Needed);
  return "; '#pragma amp extensions(" + Text +
         ")' above, or -famp-extensions=" + Text + ", adds it";
}

std::optional<TypeFault> Checker::typeFault(QualType T, SourceLocation At) {
  return objectFault(T, false, types(At));
}

// Nested: inside a struct, union, array or view element.
std::optional<TypeFault> Checker::objectFault(QualType T, bool Nested,
                                              Version V) {
  auto Fault = [&](Message M, std::vector<std::string> More = {}) {
    More.insert(More.begin(), typeName(T));
    return TypeFault{M, "", std::move(More)};
  };
  auto NotAmp = [&](std::optional<Version> Needed = std::nullopt) {
    return Fault(Message::NotAmpType, {scalarsOf(V), wayOut(Needed, V)});
  };
  if (T.isVolatileQualified() || T->isAtomicType())
    return Fault(Message::Volatile);

  auto ElementFault = [&](QualType Element) -> std::optional<TypeFault> {
    if (Element->isIncompleteType() || Element->isFunctionType())
      return NotAmp();
    uint64_t Size = Context.getTypeSizeInChars(Element).getQuantity();
    uint64_t Align = Context.getTypeAlignInChars(Element).getQuantity();
    auto IsGood = [&](uint64_t Unit) {
      return Size && Size % Unit == 0 && Align % Unit == 0;
    };
    uint64_t Small = unitOf(Element, Context);
    if (IsGood(V == Version::V1_0 ? 4 : Small))
      return std::nullopt;
    std::vector<std::string> Args{typeName(Element), std::to_string(Size),
                                  std::to_string(Align)};
    if (V == Version::V1_0) {
      Args.push_back(IsGood(Small) ? wayOut(Version::V1_1, V) : "");
      return TypeFault{Message::ElementSize, "", Args};
    }
    Args.push_back(std::to_string(Small));
    return TypeFault{Message::ElementUnit, "", Args};
  };

  if (auto View = viewType(T)) {
    if (View->Element->isVoidType())
      return std::nullopt;
    if (auto F = objectFault(View->Element, true, V)) {
      if (F->What.empty())
        F->What = "the element of " + typeName(T);
      return F;
    }
    return ElementFault(View->Element);
  }

  const Type *Canonical = T.getCanonicalType().getTypePtr();
  if (const auto *B = dyn_cast<BuiltinType>(Canonical)) {
    std::optional<Version> Needed = versionWith(B);
    return Needed && *Needed <= V ? std::nullopt : std::optional(NotAmp(Needed));
  }
  if (const auto *E = dyn_cast<EnumType>(Canonical)) {
    QualType Underlying = E->getDecl()->getIntegerType();
    if (Underlying.isNull())
      return NotAmp();
    const auto *B = Underlying->getAs<BuiltinType>();
    std::optional<Version> Needed = B ? versionWith(B) : std::nullopt;
    if (Needed && *Needed <= V && !B->isBooleanType())
      return std::nullopt;
    return Fault(Message::NotAmpEnum,
                 {typeName(Underlying), V == Version::V1_0
                                            ? "'int' or 'unsigned'"
                                            : "its integers",
                  wayOut(Needed, V)});
  }
  if (const auto *Vector = dyn_cast<VectorType>(Canonical))
    return isShortVector(Vector) ? std::nullopt : std::optional(NotAmp());
  if (const auto *P = dyn_cast<PointerType>(Canonical)) {
    QualType Pointee = P->getPointeeType();
    if (Pointee->isFunctionType())
      return Fault(Message::PointerToFunction);
    if (Nested)
      return Fault(Message::PointerInside);
    if (Pointee->isPointerType() || Pointee->isBlockPointerType())
      return Fault(Message::PointerToPointer);
    auto F = objectFault(T->getPointeeType(), false, V);
    if (F && F->What.empty())
      F->What = "the target of '" + typeName(T) + "'";
    return F;
  }
  if (isa<VariableArrayType>(Canonical))
    return std::nullopt; // rule D2
  if (const auto *A = dyn_cast<ConstantArrayType>(Canonical)) {
    QualType Element = Context.getAsArrayType(T)->getElementType();
    if (auto F = objectFault(Element, true, V)) {
      if (F->What.empty() && F->M != Message::NotAmpEnum &&
          F->M != Message::ElementSize && F->M != Message::ElementUnit)
        F->Args[0] = typeName(T); // it is the array that is spoken of
      return F;
    }
    return containsView(A->getElementType()) ? std::nullopt
                                             : ElementFault(Element);
  }
  if (const RecordDecl *R = T->getAsRecordDecl())
    return recordFault(T, R->getDefinition(), V);
  return NotAmp();
}

std::optional<TypeFault> Checker::recordFault(QualType T, const RecordDecl *R,
                                              Version V) {
  if (!R || R->getLocation().isInvalid()) // Clang's own, such as va_list's
    return TypeFault{
        Message::NotAmpType, "", {typeName(T), scalarsOf(V), ""}};
  if (isLibrary(R, SM) || CleanRecords[int(V)].count(R))
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
    if (auto Fault = objectFault(F->getType(), true, V)) {
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
    uint64_t Small = unitOf(F->getType(), Context);
    std::vector<std::string> Args{typeName(F->getType()),
                                  std::to_string(Offset)};
    if (V == Version::V1_0 && Offset % 4) {
      Args.push_back(Offset % Small ? "" : wayOut(Version::V1_1, V));
      return TypeFault{Message::MemberOffset, Named(""), Args, F};
    }
    if (Offset % Small) {
      Args.push_back(std::to_string(Small));
      return TypeFault{Message::MemberUnit, Named(""), Args, F};
    }
  }
  CleanRecords[int(V)].insert(R);
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
  auto F = C.typeFault(T, V->getLocation());
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
    if (auto Fault = C.typeFault(F->getReturnType(), F->getLocation()))
      C.refuseType(*Fault, "the result of '" + F->getName().str() + "'",
                   F->getLocation(), nullptr, B);
    return;
  }
  for (const ParmVarDecl *P : cast<BlockDecl>(B.Owner)->parameters())
    checkVariable(C, P, B);
}

void checkCast(Checker &C, const ExplicitCastExpr *E, const Body &B) {
  QualType T = E->getType();
  // A pointer is no number of any type: rule F3.
  if (T->isVoidType() || E->getCastKind() == CK_PointerToIntegral)
    return;
  auto Refuse = [&](std::optional<Version> Needed) {
    Version V = C.types(E->getBeginLoc());
    C.error(Message::CastTo, E->getBeginLoc(),
            {C.typeName(T), scalarsOf(V), C.wayOut(Needed, V)})
        .in(B)
        .mark(E->getSourceRange());
  };
  // A 64-bit number that is made of constants alone is an intermediate.
  if (is64BitInteger(T, C.Context) &&
      C.types(E->getBeginLoc()) < Version::V1_2) {
    if (!isFoldable(E->getSubExpr(), C.Context))
      Refuse(Version::V1_2);
    return;
  }
  if (viewType(T))
    return; // rule V2 and the element's own declaration
  if (auto F = C.typeFault(T, E->getBeginLoc())) {
    const auto *Scalar = T->getAs<BuiltinType>();
    if (F->M == Message::NotAmpType && F->What.empty())
      Refuse(Scalar ? versionWith(Scalar) : std::nullopt);
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
      } else if (const auto *L = dyn_cast<CompoundLiteralExpr>(S)) {
        if (auto F = C.typeFault(L->getType(), L->getBeginLoc()))
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
          E->getType()->isFunctionType() || E->getType()->isPlaceholderType())
        return true;
      // What an initialiser list leaves out stands nowhere itself.
      SourceLocation At = E->getBeginLoc();
      for (size_t I = P.size(); At.isInvalid() && I-- != 0;)
        At = P[I]->getBeginLoc();
      const Stmt *Parent = parentOf(P);
      if (const auto *Call = dyn_cast_or_null<CallExpr>(Parent))
        if (Call->getCallee()->IgnoreParens() == E)
          return true;
      QualType T = E->getType().getUnqualifiedType();
      if (is64BitInteger(T, C.Context) || viewType(T))
        return true;
      if (const auto *Cast = dyn_cast<CastExpr>(E))
        if (!isa<FloatingLiteral>(E) && !C.typeFault(T, At) &&
            isFoldable(Cast->getSubExpr(), C.Context) && T->isArithmeticType())
          return false;
      // An array of views under a subscript.
      if (T->isPointerType() && viewType(T->getPointeeType()) && Parent)
        if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(Parent))
          if (const auto *Decay = dyn_cast<CastExpr>(E);
              Decay && Decay->getCastKind() == CK_ArrayToPointerDecay &&
              Sub->getBase()->IgnoreParens() == E)
            return true;
      if (T->isPointerType() && T->getPointeeType()->isCharType())
        return true; // a string's, judged by F5
      if (auto F = C.typeFault(T, At)) {
        C.refuseType(*F, "this expression", At, nullptr, B);
        return false;
      }
      return true;
    });
  }
}

} // namespace ampc::rules
