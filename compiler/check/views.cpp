//===- views.cpp - rule V1: what views support ----------------------------===//
//
// To Clang a view is a pointer, so it lets through all that pointers can do.
// Here every operation on a view that is not on the list of rule V1 is refused,
// in host code as in amp code.
//
//===----------------------------------------------------------------------===//

#include "check/views.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace ampc::rules {

void Views::run() {
  unsetVariables();
  walk(C, B.Root, [&](const Stmt *S, Parents P) { return visit(S, P); });
}

bool Views::visit(const Stmt *S, Parents P) {
  if (const auto *Call = dyn_cast<CallExpr>(S))
    return call(Call);
  if (const auto *Cast = dyn_cast<CastExpr>(S))
    return conversion(Cast, P);
  if (const auto *Op = dyn_cast<UnaryOperator>(S))
    return unary(Op, P);
  if (const auto *Op = dyn_cast<BinaryOperator>(S))
    return binary(Op);
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(S))
    return !viewType(Sub->getRHS()->getType()) ||
           refuse(Sub, "'k[v]'", Sub->getRHS()->getType(), ": write 'v[k]'");
  if (const auto *M = dyn_cast<MemberExpr>(S))
    return !M->isArrow() || !viewType(M->getBase()->getType()) ||
           refuse(M, "'->'", M->getBase()->getType(), ": write 'v[0].member'");
  if (const auto *E = dyn_cast<AbstractConditionalOperator>(S)) {
    if (viewType(E->getCond()->getType()))
      return refuse(E, "a test", E->getCond()->getType());
    return !viewType(E->getType()) ||
           refuse(E, "'?:'", E->getType(), ": use 'if' and assignments");
  }
  if (const auto *E = dyn_cast<StmtExpr>(S))
    return !viewType(E->getType()) || inLibraryMacro(E) ||
           refuse(E, "a statement expression", E->getType());
  if (isa<AtomicExpr, AsmStmt, VAArgExpr>(S)) {
    for (const Stmt *Child : S->children())
      if (const auto *E = dyn_cast_or_null<Expr>(Child);
          E && viewType(E->IgnoreParenImpCasts()->getType()))
        return refuse(E, "this operation", E->IgnoreParenImpCasts()->getType());
    const auto *Arg = dyn_cast<VAArgExpr>(S);
    return !Arg || !viewType(Arg->getType()) ||
           refuse(Arg, "'va_arg'", Arg->getType());
  }
  const Expr *Condition = nullptr;
  if (const auto *If = dyn_cast<IfStmt>(S))
    Condition = If->getCond();
  else if (const auto *While = dyn_cast<WhileStmt>(S))
    Condition = While->getCond();
  else if (const auto *Do = dyn_cast<DoStmt>(S))
    Condition = Do->getCond();
  else if (const auto *For = dyn_cast<ForStmt>(S))
    Condition = For->getCond();
  if (Condition && viewType(Condition->getType())) {
    refuse(Condition, "a test", Condition->getType());
    ConditionRefused = Condition;
  }
  return S != ConditionRefused;
}

bool Views::refuse(const Expr *E, StringRef Operation, QualType View,
                   StringRef Hint) {
  C.error(Message::ViewOperation, E->getExprLoc(),
          {Operation.str(), "'" + C.typeName(View.getUnqualifiedType()) + "'",
           Hint.str()})
      .in(B)
      .mark(E->getSourceRange());
  return false;
}

bool Views::inLibraryMacro(const Expr *E) const {
  SourceLocation Loc = C.SM.getSpellingLoc(E->getBeginLoc());
  StringRef Name = E->getBeginLoc().isMacroID()
                       ? Lexer::getImmediateMacroName(E->getBeginLoc(), C.SM,
                                                      C.Context.getLangOpts())
                       : "";
  return Loc.isValid() && (Name == "at_2" || Name == "at_3" || Name == "at_4");
}

// A place that holds a whole view: a variable, a member, an element of a C
// array, but never something inside accelerator memory.
bool Views::isWholeView(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
    return !viewType(Sub->getBase()->getType());
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return Op->getOpcode() == UO_Deref &&
           !viewType(Op->getSubExpr()->getType());
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return M->isArrow() ? !viewType(M->getBase()->getType())
                        : !inElement(M->getBase());
  return isa<DeclRefExpr, CompoundLiteralExpr>(E);
}

// E lies in an element of a view: v[k], v[k].m, v[k].a[j], (*v).m, at_2(v, i).
bool Views::inElement(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E))
    return Cast->getCastKind() == CK_ArrayToPointerDecay &&
           inElement(Cast->getSubExpr());
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
    return viewType(Sub->getBase()->getType()) || inElement(Sub->getBase());
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return Op->getOpcode() == UO_Deref && viewType(Op->getSubExpr()->getType());
  if (const auto *V = dyn_cast<ExtVectorElementExpr>(E))
    return inElement(V->getBase());
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return M->isArrow() ? viewType(M->getBase()->getType()).has_value()
                        : inElement(M->getBase());
  return false;
}

bool Views::unary(const UnaryOperator *Op, Parents P) {
  const Expr *Of = Op->getSubExpr();
  if (Op->getOpcode() == UO_AddrOf)
    return addressOf(Op, Of->IgnoreParens(), P);
  if (!viewType(Of->getType()) || Op->getOpcode() == UO_Deref ||
      Op->getOpcode() == UO_Extension)
    return true;
  if (Op->getOpcode() == UO_LNot)
    return refuse(Op, "'!'", Of->getType());
  return refuse(Op,
                "'" + UnaryOperator::getOpcodeStr(Op->getOpcode()).str() + "'",
                Of->getType(), Op->isIncrementOp() ? ": write 'v += 1'" : "");
}

bool Views::addressOf(const UnaryOperator *Op, const Expr *Of, Parents P) {
  if (viewType(Of->getType()) && inElement(Of))
    return refuse(Op, "'&' of a part", Of->getType(),
                  ": '&v[k]' is a view only where v has rank 1");
  if (viewType(Of->getType()))
    return !B.Amp || refuse(Op, "'&'", Of->getType());
  if (!inElement(Of))
    return true;
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(Of))
    if (viewType(Sub->getBase()->getType()) && !isDecay(Sub->getBase()))
      return true;
  if (const auto *Deref = dyn_cast<UnaryOperator>(Of))
    return isa<StmtExpr>(Deref->getSubExpr()->IgnoreParenImpCasts()) ||
           refuse(Op, "'&*'", Deref->getSubExpr()->getType(),
                  ": write the view itself");
  // A part of an element: for atomics, and under a cast to a pointer.
  while (!P.empty() && isa<ParenExpr, ImplicitCastExpr>(P.back()))
    P = P.drop_back();
  const Stmt *User = P.empty() ? nullptr : P.back();
  if (const auto *Call = dyn_cast_or_null<CallExpr>(User))
    if (libraryCallee(Call, C.SM).starts_with("amp_atomic_"))
      return true;
  if (const auto *Cast = dyn_cast_or_null<CStyleCastExpr>(User))
    if (!viewType(Cast->getType()))
      return true;
  C.error(Message::ViewOfMember, Op->getOperatorLoc())
      .in(B)
      .mark(Op->getSourceRange());
  return false;
}

bool Views::isDecay(const Expr *E) {
  const auto *Cast = dyn_cast<ImplicitCastExpr>(E->IgnoreParens());
  return Cast && Cast->getCastKind() == CK_ArrayToPointerDecay;
}

bool Views::binary(const BinaryOperator *Op) {
  QualType L = Op->getLHS()->getType(), R = Op->getRHS()->getType();
  auto View = viewType(L);
  if (!View && !viewType(R))
    return true;
  if (Op->getOpcode() == BO_Assign)
    return !View || isWholeView(Op->getLHS()) ||
           refuse(Op, "assignment to a part", L,
                  ": assign its elements one by one, or use 'amp_copy'");
  QualType Any = View ? L : R;
  if (View && View->Rank == 1 && R->isIntegerType()) {
    if (Op->getOpcode() == BO_Add)
      return true;
    const auto *Ref = dyn_cast<DeclRefExpr>(Op->getLHS()->IgnoreParens());
    if (Op->getOpcode() == BO_AddAssign && Ref &&
        isa<VarDecl>(Ref->getDecl()) &&
        cast<VarDecl>(Ref->getDecl())->isLocalVarDeclOrParm())
      return true;
  }
  std::string Hint;
  if (Op->isAdditiveOp() && !View && L->isIntegerType())
    Hint = ": write 'v + k'";
  else if (Op->getOpcode() == BO_Add || Op->getOpcode() == BO_AddAssign)
    Hint = View && View->Rank > 1 ? ", and moved only where it has rank 1" : "";
  else if (Op->getOpcode() == BO_Sub || Op->getOpcode() == BO_SubAssign)
    Hint = R->isIntegerType() ? ": write 'v + -k'" : "";
  return refuse(Op, "'" + Op->getOpcodeStr().str() + "'", Any, Hint);
}

static const VarDecl *variableOf(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

// A local view that is read, though nothing in the function sets it; its own
// value is no initialiser.
void Views::unsetVariables() {
  llvm::DenseMap<const VarDecl *, SourceLocation> Unset;
  llvm::DenseSet<const Expr *> Targets;
  walk(C, B.Root, [&](const Stmt *S, Parents) {
    if (const auto *D = dyn_cast<DeclStmt>(S)) {
      for (const Decl *Declared : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(Declared))
          if (viewType(V->getType()) && V->hasLocalStorage() &&
              (!V->getInit() || variableOf(V->getInit()) == V))
            Unset[V];
      return true;
    }
    const Expr *Set = nullptr;
    if (const auto *Op = dyn_cast<BinaryOperator>(S))
      Set = Op->getOpcode() == BO_Assign ? Op->getLHS() : nullptr;
    else if (const auto *Op = dyn_cast<UnaryOperator>(S))
      Set = Op->getOpcode() == UO_AddrOf ? Op->getSubExpr() : nullptr;
    if (const auto *Ref =
            Set ? dyn_cast<DeclRefExpr>(Set->IgnoreParens()) : nullptr)
      if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl()))
        Unset.erase(V);
    return true;
  });
  if (Unset.empty())
    return;
  auto Read = [&](const Decl *D, SourceLocation Loc) {
    const auto *V = dyn_cast<VarDecl>(D);
    if (!V || !Unset.count(V))
      return;
    C.error(Message::ViewUnset, Loc, {V->getName().str()}).in(B).declared(V);
    Unset.erase(V);
  };
  walk(C, B.Root, [&](const Stmt *S, Parents) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
      Read(Ref->getDecl(), Ref->getLocation());
    if (const auto *Block = dyn_cast<BlockExpr>(S))
      for (const BlockDecl::Capture &Capture :
           Block->getBlockDecl()->captures())
        Read(Capture.getVariable(), Block->getCaretLocation());
    return true;
  });
}

namespace {

void checkUnion(Checker &C, const Decl *D) {
  const auto *R = dyn_cast<RecordDecl>(D);
  if (!R || !C.isUser(R))
    return;
  for (const Decl *Member : R->decls()) {
    const auto *F = dyn_cast<FieldDecl>(Member);
    if (F && R->isUnion() && containsView(F->getType()))
      C.error(Message::ViewInUnion, F->getLocation(),
              {"'" + F->getName().str() + "'",
               "'" + C.typeName(F->getType()) + "'"});
    checkUnion(C, Member);
  }
}

} // namespace

void checkViews(Checker &C) {
  for (const Decl *D : C.Context.getTranslationUnitDecl()->decls())
    checkUnion(C, D);
  for (const Body &B : C.Bodies) {
    walk(C, B.Root, [&](const Stmt *S, Parents) {
      if (const auto *D = dyn_cast<DeclStmt>(S))
        for (const Decl *Declared : D->decls())
          checkUnion(C, Declared);
      return true;
    });
    Views(C, B).run();
  }
}

} // namespace ampc::rules
