//===- dialect.cpp - what Clang's AST means in AMP-C ----------------------===//

#include "frontend/dialect.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace ampc {

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

// include/amp.h gives array_view rank N the address space 100 + N, array
// rank N 200 + N, on the pointee.
static unsigned addressSpace(QualType Pointee) {
  LangAS AS = Pointee.getAddressSpace();
  return isTargetAddressSpace(AS) ? toTargetAddressSpace(AS) : 0;
}

std::optional<ViewType> viewType(QualType T) {
  const auto *Pointer =
      T.isNull() ? nullptr : T.getCanonicalType()->getAs<PointerType>();
  if (!Pointer)
    return std::nullopt;
  unsigned Space = addressSpace(Pointer->getPointeeType());
  bool IsArray = Space > 200;
  unsigned Rank = Space % 100;
  if (Space < 100 || Rank < 1 || Rank > 4)
    return std::nullopt;
  QualType Element = T->getPointeeType(); // keeps the user's spelling
  for (unsigned I = Rank; I > 1 && !Element->isVoidType(); --I) {
    if (!Element->isPointerType())
      return std::nullopt;
    Element = Element->getPointeeType();
  }
  QualType Plain = Element.getUnqualifiedType();
  if (Element.isConstQualified())
    Plain.addConst();
  if (Element.isVolatileQualified())
    Plain.addVolatile();
  return ViewType{Plain, Rank, IsArray};
}

bool containsView(QualType T) {
  if (viewType(T))
    return true;
  if (const auto *A = dyn_cast<ArrayType>(T.getCanonicalType()))
    return containsView(A->getElementType());
  const RecordDecl *R = T->getAsRecordDecl();
  if (!R || !(R = R->getDefinition()))
    return false;
  for (const FieldDecl *F : R->fields())
    if (containsView(F->getType()))
      return true;
  return false;
}

bool mentionsView(QualType T) {
  if (T.isNull())
    return false;
  T = T.getCanonicalType();
  if (viewType(T) || T.hasAddressSpace())
    return true;
  if (const auto *P = T->getAs<PointerType>())
    return mentionsView(P->getPointeeType());
  if (const auto *P = T->getAs<BlockPointerType>())
    return mentionsView(P->getPointeeType());
  if (const auto *A = dyn_cast<ArrayType>(T))
    return mentionsView(A->getElementType());
  if (const auto *F = T->getAs<FunctionProtoType>())
    return mentionsView(F->getReturnType()) ||
           llvm::any_of(F->param_types(), mentionsView);
  return false;
}

// Clang's own printing would show the address spaces of these: a declarator is
// written around Inner, as C does.
static std::string declare(QualType T, std::string Inner, const ASTContext &C) {
  const char *Space = Inner.empty() ? "" : " ";
  if (viewType(T) || !mentionsView(T))
    return dialectName(T, C) + Space + Inner;
  const Type *Canonical = T.getCanonicalType().getTypePtr();
  auto Pointer = [&](const char *Sign, QualType To) {
    Inner = Sign + std::string(T.isConstQualified() ? "const " : "") + Inner;
    if (To->isFunctionType() || To->isArrayType())
      Inner = "(" + Inner + ")";
    return declare(To, Inner, C);
  };
  if (const auto *P = dyn_cast<PointerType>(Canonical))
    return Pointer("*", P->getPointeeType());
  if (const auto *P = dyn_cast<BlockPointerType>(Canonical))
    return Pointer("^", P->getPointeeType());
  if (const auto *A = dyn_cast<ArrayType>(Canonical)) {
    const auto *Constant = dyn_cast<ConstantArrayType>(A);
    return declare(A->getElementType(),
                   Inner + "[" +
                       (Constant ? std::to_string(Constant->getZExtSize())
                                 : std::string()) +
                       "]",
                   C);
  }
  if (const auto *F = dyn_cast<FunctionProtoType>(Canonical)) {
    std::string Parameters;
    for (QualType P : F->param_types())
      Parameters += (Parameters.empty() ? "" : ", ") + declare(P, "", C);
    return declare(F->getReturnType(),
                   Inner + "(" + (Parameters.empty() ? "void" : Parameters) +
                       ")",
                   C);
  }
  return dialectName(T, C) + Space + Inner; // an element of a view
}

std::string dialectName(QualType T, const ASTContext &C) {
  if (auto V = viewType(T)) {
    std::string Name = V->IsArray ? "array(" : "array_view(";
    Name += dialectName(V->Element, C) + ", " + std::to_string(V->Rank) + ")";
    return T.isConstQualified() ? "const " + Name : Name;
  }
  bool IsElement = T.hasAddressSpace();
  if (!IsElement && mentionsView(T))
    return declare(T, "", C);
  if (const auto *P = dyn_cast<PointerType>(T.getCanonicalType()))
    if (!T->getAs<TypedefType>() && !P->getPointeeType()->isFunctionType() &&
        !P->getPointeeType()->isArrayType()) {
      std::string Name = dialectName(P->getPointeeType(), C);
      Name += Name.back() == '*' ? "*" : " *";
      return Name + (T.isConstQualified() ? "const" : "") +
             (T.isVolatileQualified() ? "volatile" : "");
    }
  // An element of a view carries the view's address space.
  Qualifiers Quals = T.getQualifiers();
  if (IsElement) {
    Quals.removeAddressSpace();
    T = C.getQualifiedType(T.getUnqualifiedType(), Quals);
  }
  if (isa<TypeOfType, TypeOfExprType>(T.getTypePtr()))
    T = T.getCanonicalType();
  // A short vector whose typedef's name is lost, after arithmetic say.
  if (const auto *V = dyn_cast<ExtVectorType>(T.getTypePtr())) {
    QualType Element = V->getElementType();
    return (Quals.hasConst() ? "const " : "") +
           (Element->isSpecificBuiltinType(BuiltinType::UInt)
                ? std::string("uint")
                : dialectName(Element, C)) +
           "_" + std::to_string(V->getNumElements());
  }
  PrintingPolicy Policy(C.getLangOpts());
  Policy.AnonymousTagLocations = false; // a note shows the place
  return T.getAsString(Policy);
}

//===----------------------------------------------------------------------===//
// Index, extent, tiling
//===----------------------------------------------------------------------===//

std::optional<unsigned> indexRank(QualType T) {
  const auto *V = T->getAs<ExtVectorType>();
  if (!V || !V->getElementType()->isSpecificBuiltinType(BuiltinType::Int) ||
      V->getNumElements() < 2 || V->getNumElements() > 4)
    return std::nullopt;
  return V->getNumElements();
}

// The typedef name under which a library struct is known: these structs have
// no tag.
static StringRef structName(QualType T) {
  const RecordDecl *R = T->getAsRecordDecl();
  if (!R)
    return "";
  if (const TypedefNameDecl *D = R->getTypedefNameForAnonDecl())
    return D->getName();
  return R->getName();
}

static bool isLibraryStruct(QualType T) {
  const RecordDecl *R = T->getAsRecordDecl();
  return R && isLibrary(R, R->getASTContext().getSourceManager());
}

static std::optional<unsigned> rankAfter(StringRef Name, StringRef Prefix) {
  unsigned Rank;
  if (!Name.consume_front(Prefix) || Name.getAsInteger(10, Rank))
    return std::nullopt;
  return Rank;
}

std::optional<unsigned> tiledIndexRank(QualType T) {
  return isLibraryStruct(T) ? rankAfter(structName(T), "tiled_index_")
                            : std::nullopt;
}

std::optional<unsigned> tiledExtentRank(QualType T) {
  return isLibraryStruct(T) ? rankAfter(structName(T), "tiled_extent_")
                            : std::nullopt;
}

bool isTileBarrier(QualType T) {
  return structName(T) == "tile_barrier" && isLibraryStruct(T);
}

std::vector<unsigned> tileDimensions(const ValueDecl *D) {
  std::vector<unsigned> Dims;
  for (const auto *A : D->specific_attrs<AnnotateAttr>()) {
    if (A->getAnnotation() != "amp.tile")
      continue;
    for (const Expr *E : A->args()) {
      Expr::EvalResult Value;
      if (!E->EvaluateAsInt(Value, D->getASTContext()))
        return {};
      // Out of range for unsigned: a number that rule L4 refuses.
      const llvm::APSInt &N = Value.Val.getInt();
      Dims.push_back(N.isNegative() || N.getActiveBits() > 31
                         ? 0
                         : unsigned(N.getZExtValue()));
    }
  }
  return Dims;
}

bool isTileStatic(const VarDecl *D) {
  for (const auto *A : D->specific_attrs<AnnotateAttr>())
    if (A->getAnnotation() == "amp.tile_static")
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Restriction clauses
//===----------------------------------------------------------------------===//

Restriction restrictionOf(const Decl *D, const SourceManager &SM) {
  Restriction R;
  bool Found = false, FoundWritten = false;
  for (const auto *A : D->specific_attrs<AnnotateAttr>()) {
    StringRef Text = A->getAnnotation();
    if (!Text.consume_front("amp.restrict:"))
      continue;
    bool Written = !A->isInherited();
    if (Found && FoundWritten && !Written)
      continue; // what stands here counts, not what came before
    if (!Found || (Written && !FoundWritten)) {
      R.Cpu = R.Amp = false;
      R.Text.clear();
    }
    Found = true;
    FoundWritten = R.Written = Written;
    SmallVector<StringRef, 4> Words;
    Text.split(Words, ',');
    for (StringRef Word : Words) {
      R.Cpu |= Word.trim() == "cpu";
      R.Amp |= Word.trim() == "amp";
    }
    R.Text += (R.Text.empty() ? "" : ", ") + Text.str();
    R.Range = SM.getExpansionRange(A->getRange()).getAsRange();
  }
  // `fn f;`: the clause of the function type fn is written on f, too.
  const TypedefType *Named = nullptr;
  if (const auto *F = dyn_cast<FunctionDecl>(D); F && F->getTypeSourceInfo())
    Named = F->getTypeSourceInfo()->getType()->getAs<TypedefType>();
  else if (const auto *T = dyn_cast<TypedefNameDecl>(D))
    Named = T->getUnderlyingType()->getAs<TypedefType>();
  if (Named && !FoundWritten) {
    Restriction OfType = restrictionOf(Named->getDecl(), SM);
    OfType.Range = {};
    if (OfType.Written)
      return OfType;
  }
  return R;
}

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

bool isLibraryFile(StringRef Path) {
  StringRef Folder =
      llvm::sys::path::filename(llvm::sys::path::parent_path(Path));
  return llvm::StringSwitch<bool>(llvm::sys::path::filename(Path))
      .Cases("amp.h", "amp_math.h", "amp_short_vectors.h", "amp_graphics.h",
             true)
      .Case("dialect.h", Folder == "ampc")
      .Default(false);
}

bool isLibrary(const Decl *D, const SourceManager &SM) {
  SourceLocation Loc = SM.getSpellingLoc(D->getLocation());
  if (D->getLocation().isMacroID())
    Loc = SM.getExpansionLoc(D->getLocation());
  return isLibraryFile(SM.getFilename(Loc));
}

StringRef libraryCallee(const CallExpr *E, const SourceManager &SM) {
  const FunctionDecl *F = E->getDirectCallee();
  return F && F->getIdentifier() && isLibrary(F, SM) ? F->getName() : "";
}

} // namespace ampc
