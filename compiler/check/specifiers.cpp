//===- specifiers.cpp - rules S2 to S4: what clauses say and where --------===//
//
// Clang lets the annotation of include/amp.h's `restrict` stand nearly
// anywhere; its source position tells where the user put it.
//
//===----------------------------------------------------------------------===//

#include "check/rules.h"
#include "clang/AST/Attr.h"
#include "clang/AST/TypeLoc.h"

using namespace clang;

namespace ampc::rules {
namespace {

/// "cpu, amp", in that order and once each.
std::string wordsOf(bool Cpu, bool Amp) {
  return Cpu && Amp ? "cpu, amp" : Amp ? "amp" : "cpu";
}

std::string kindOf(const Decl *D) {
  std::string Kind = isa<ParmVarDecl>(D)       ? "a parameter"
                     : isa<VarDecl>(D)         ? "a variable"
                     : isa<FieldDecl>(D)       ? "a member"
                     : isa<TypedefNameDecl>(D) ? "a type that is no function"
                     : isa<RecordDecl>(D)      ? "a struct or union"
                     : isa<EnumDecl>(D)        ? "an enum"
                     : isa<EnumConstantDecl>(D) ? "an enumerator"
                                               : "this declaration";
  const auto *N = dyn_cast<NamedDecl>(D);
  if (N && N->getIdentifier())
    Kind += " ('" + N->getName().str() + "')";
  return Kind;
}

class Clauses {
public:
  explicit Clauses(Checker &C) : C(C) {}

  void decl(const Decl *D) {
    if (!C.isUser(D))
      return;
    for (const auto *A : D->specific_attrs<AnnotateAttr>())
      if (!A->isInherited())
        clause(D, A);
    if (const auto *R = dyn_cast<RecordDecl>(D)) {
      for (const Decl *Member : R->decls())
        decl(Member);
    } else if (const auto *E = dyn_cast<EnumDecl>(D)) {
      for (const EnumConstantDecl *Member : E->enumerators())
        decl(Member);
    } else if (const auto *F = dyn_cast<FunctionDecl>(D)) {
      for (const ParmVarDecl *P : F->parameters())
        decl(P);
      redeclaration(F);
      if (F->isThisDeclarationADefinition())
        inside(F->getBody());
    } else if (const auto *B = dyn_cast<BlockDecl>(D)) {
      for (const ParmVarDecl *P : B->parameters())
        decl(P);
      inside(B->getBody());
    }
  }

private:
  void inside(const Stmt *Root) {
    if (!Root)
      return;
    walk(C, Root, [&](const Stmt *S, Parents) {
      if (const auto *D = dyn_cast<DeclStmt>(S))
        for (const Decl *Declared : D->decls())
          decl(Declared);
      if (const auto *B = dyn_cast<BlockExpr>(S))
        decl(B->getBlockDecl());
      return true;
    });
  }

  void clause(const Decl *D, const AnnotateAttr *A) {
    StringRef Text = A->getAnnotation();
    if (!Text.consume_front("amp.restrict:"))
      return;
    SourceLocation Loc = C.SM.getExpansionLoc(A->getLocation());
    if (place(D, Loc, Text))
      words(Text, Loc);
    else if (const auto *F = dyn_cast<FunctionDecl>(D))
      Misplaced.insert(F->getCanonicalDecl());
  }

  bool place(const Decl *D, SourceLocation Loc, StringRef Text) {
    TypeLoc Type;
    std::string Name = "^";
    if (const auto *F = dyn_cast<FunctionDecl>(D)) {
      if (F->getTypeSourceInfo())
        Type = F->getTypeSourceInfo()->getTypeLoc();
      Name = F->getName().str();
    } else if (const auto *B = dyn_cast<BlockDecl>(D)) {
      if (B->getSignatureAsWritten())
        Type = B->getSignatureAsWritten()->getTypeLoc();
    } else if (const auto *T = dyn_cast<TypedefNameDecl>(D);
               T && T->getUnderlyingType()->isFunctionType()) {
      Type = T->getTypeSourceInfo()->getTypeLoc();
      Name = T->getName().str();
    } else {
      C.error(Message::ClauseOn, Loc, {kindOf(D)});
      return false;
    }
    FunctionTypeLoc Function = Type.isNull()
                                   ? FunctionTypeLoc()
                                   : Type.getAsAdjusted<FunctionTypeLoc>();
    // The last token that must come before the clause.
    SourceLocation Last = Function && Function.getRParenLoc().isValid()
                              ? Function.getRParenLoc()
                              : D->getLocation();
    if (!C.SM.isBeforeInTranslationUnit(Loc, C.SM.getExpansionLoc(Last)))
      return true;
    C.error(Message::ClauseBefore, Loc,
            {isa<BlockDecl>(D) ? "this block" : "'" + Name + "'", Name,
             Text.trim().str()});
    return false;
  }

  void words(StringRef Text, SourceLocation Loc) {
    SmallVector<StringRef, 4> Words;
    Text.split(Words, ',');
    if (Text.trim().empty()) {
      C.error(Message::ClauseEmpty, Loc);
      return;
    }
    for (StringRef Word : Words) {
      Word = Word.trim();
      if (Word == "cpu" || Word == "amp")
        continue;
      C.error(Message::ClauseWord, Loc, {Word.str()});
      return;
    }
  }

  // The first declaration sets what all the others must say.
  void redeclaration(const FunctionDecl *F) {
    const FunctionDecl *First = F->getFirstDecl();
    while (First && First->isImplicit())
      First = nextOf(F, First);
    if (!First || First == F || Mismatched.count(F->getFirstDecl()) ||
        Misplaced.count(F->getCanonicalDecl()))
      return;
    Restriction Before = written(First), Now = written(F);
    if (Before.Amp == Now.Amp && Before.Cpu == Now.Cpu)
      return;
    Mismatched.insert(F->getFirstDecl());
    C.error(Message::Redeclared, F->getLocation(),
            {F->getName().str(), wordsOf(Now.Cpu, Now.Amp),
             wordsOf(Before.Cpu, Before.Amp)})
        .note(First->getLocation(), "it was first declared here");
  }

  static const FunctionDecl *nextOf(const FunctionDecl *Any,
                                    const FunctionDecl *D) {
    for (const FunctionDecl *R : Any->redecls())
      if (R->getPreviousDecl() == D)
        return R;
    return nullptr;
  }

  Restriction written(const FunctionDecl *F) const {
    Restriction R = restrictionOf(F, C.SM);
    return R.Written ? R : Restriction();
  }

  Checker &C;
  llvm::DenseSet<const Decl *> Misplaced, Mismatched;
};

} // namespace

void checkClauses(Checker &C) {
  Clauses Walk(C);
  for (const Decl *D : C.Context.getTranslationUnitDecl()->decls())
    Walk.decl(D);
}

} // namespace ampc::rules
