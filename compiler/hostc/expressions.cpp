//===- expressions.cpp - the walk over host expressions -------------------===//
//
// Goes down with one question: is what this expression names read or written?
// A written view element makes the accelerator's copy stale, a read does not.
//
//===----------------------------------------------------------------------===//

#include "hostc/host.h"
#include "hostc/report.h"

using namespace clang;

namespace ampc::hostc {

void Host::visitExpression(const Expr *E, Use How) {
  if (FileID Macro = libraryNode(E); Macro.isValid())
    return visitLibraryUse(E, Macro, How);

  if (const auto *P = dyn_cast<ParenExpr>(E))
    return visit(P->getSubExpr(), {How.IsWritten, false, How.IsDiscarded});
  if (const auto *C = dyn_cast<ImplicitCastExpr>(E)) {
    if (C->getCastKind() == CK_VectorSplat)
      return visitSplat(C);
    bool IsRead = C->getCastKind() == CK_LValueToRValue;
    return visit(C->getSubExpr(),
                 {How.IsWritten && !IsRead, How.IsPostfixOperand});
  }
  if (const auto *C = dyn_cast<CStyleCastExpr>(E))
    return visitCast(C, How);
  if (const auto *O = dyn_cast<UnaryOperator>(E))
    return visitUnary(O, How);
  if (const auto *O = dyn_cast<BinaryOperator>(E))
    return visitBinary(O, How);
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
    return visitSubscript(S, How);
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return visit(M->getBase(), {How.IsWritten && !M->isArrow(), true});
  if (const auto *S = dyn_cast<ExtVectorElementExpr>(E))
    return visitSwizzle(S, How);
  if (const auto *C = dyn_cast<CallExpr>(E))
    return visitCall(C);
  if (const auto *G = dyn_cast<GenericSelectionExpr>(E))
    return visitGeneric(G, How);
  if (const auto *R = dyn_cast<DeclRefExpr>(E)) {
    UsedByHost.insert(R->getDecl()->getCanonicalDecl());
    return;
  }
  if (const auto *S = dyn_cast<StmtExpr>(E))
    return visitBlock(S->getSubStmt(), !How.IsDiscarded);
  if (const auto *C = dyn_cast<ConditionalOperator>(E);
      C && visitVectorSelect(C))
    return;
  if (const auto *V = dyn_cast<ShuffleVectorExpr>(E); V && visitShuffle(V))
    return;
  if (const auto *C = dyn_cast<BinaryConditionalOperator>(E)) {
    visit(C->getCommon());
    return visit(C->getFalseExpr());
  }
  if (const auto *S = dyn_cast<UnaryExprOrTypeTraitExpr>(E)) {
    if (S->isArgumentType())
      visitType(S->getArgumentTypeInfo());
    else
      visit(S->getArgumentExpr());
    return;
  }
  if (isa<BlockExpr, OpaqueValueExpr>(E))
    return;
  if (const auto *L = dyn_cast<CompoundLiteralExpr>(E))
    visitType(L->getTypeSourceInfo());
  else if (const auto *A = dyn_cast<VAArgExpr>(E))
    visitType(A->getWrittenTypeInfo());
  for (const Stmt *Child : E->children())
    visit(Child);
}

void Host::visitUnary(const UnaryOperator *E, Use How) {
  if (visitVectorNot(E))
    return;
  if (std::optional<Access> A = accessOf(E))
    return visitAccess(E, *A, How);
  if (E->getOpcode() == UO_AddrOf) {
    const Expr *Operand = E->getSubExpr()->IgnoreParens();
    if (std::optional<Access> A = accessOf(Operand))
      return visitAddress(E, *A);
    return visit(E->getSubExpr(), {namesElement(Operand), false});
  }
  visit(E->getSubExpr(), {E->isIncrementDecrementOp(),
                          E->isIncrementDecrementOp() && E->isPostfix()});
}

// `v + k` and `v += k` on rank 1 views.
bool Host::visitViewArithmetic(const BinaryOperator *E) {
  BinaryOperatorKind Op = E->getOpcode();
  bool IsMinus = Op == BO_Sub || Op == BO_SubAssign;
  if (!IsMinus && Op != BO_Add && Op != BO_AddAssign)
    return false;
  std::optional<ViewType> V = viewType(E->getType());
  if (!V)
    return false;
  const Expr *View = E->getLHS(), *Count = E->getRHS();
  if (!viewType(View->getType()))
    std::swap(View, Count);
  Pieces New;
  if (E->isAssignmentOp()) {
    if (View->HasSideEffects(U.Context))
      refuse(E->getOperatorLoc(), "moving a view named with side effects");
    New = {View->getSourceRange(), " = "};
  }
  if (V->Rank != 1)
    refuse(E->getOperatorLoc(), "adding to a view of rank above 1");
  New.push_back("ampc_offset(");
  New.push_back({View->getSourceRange(), true});
  New.push_back(IsMinus ? ", -(" : ", ");
  New.push_back({Count->getSourceRange(), true});
  New.push_back(IsMinus ? "))" : ")");
  T.replace(E->getSourceRange(), std::move(New));
  visit(View);
  visit(Count);
  return true;
}

void Host::visitBinary(const BinaryOperator *E, Use How) {
  if (visitViewArithmetic(E) || visitLanesAssignment(E, How) ||
      visitVectorBinary(E))
    return;
  if (E->getOpcode() == BO_Comma) {
    visit(E->getLHS(), {false, false, true});
    return visit(E->getRHS(), {false, false, How.IsDiscarded});
  }
  if (!E->isAssignmentOp()) {
    visitVectorOperand(E->getLHS());
    return visitVectorOperand(E->getRHS());
  }
  // Compilers may find the element first, and what the right side does, a
  // launch perhaps, may move it.
  if (namesElement(E->getLHS()) && mayMoveData(E->getRHS()))
    T.replace(E->getSourceRange(),
              {"__extension__ ({ const " + typeText(E->getRHS()->getType()) +
                   " ampc_value = ",
               E->getRHS()->getSourceRange(), "; ",
               E->getLHS()->getSourceRange(),
               " " + E->getOpcodeStr().str() + " ampc_value; })"});
  visit(E->getLHS(), {true, false});
  if (E->getOpcode() == BO_Assign)
    visit(E->getRHS());
  else
    visitVectorOperand(E->getRHS());
}

// Calls what is not known to leave views where they are.
bool Host::mayMoveData(const Stmt *S) {
  if (const auto *C = dyn_cast_or_null<CallExpr>(S)) {
    const FunctionDecl *F = C->getDirectCallee();
    StringRef Library = libraryCallee(C, U.Sources);
    if (Library.empty() ? !F || (!F->getBuiltinID() &&
                                 !U.Sources.isInSystemHeader(F->getLocation()))
                        : !Library.starts_with("extent_") &&
                              !Library.starts_with("index_") &&
                              !Library.starts_with("make_"))
      return true;
  }
  if (!S || isa<BlockExpr>(S))
    return false;
  for (const Stmt *Child : S->children())
    if (mayMoveData(Child))
      return true;
  return false;
}

void Host::visitSubscript(const ArraySubscriptExpr *E, Use How) {
  if (std::optional<Access> A = accessOf(E))
    return visitAccess(E, *A, How);
  // What is subscripted is part of an element when it is a vector or an array
  // there, but not when a pointer leads away from it.
  bool IsPart = namesElement(E->getBase()->IgnoreImpCasts());
  visit(E->getBase(), {How.IsWritten && IsPart, true});
  visit(E->getIdx());
}

void Host::visitCast(const CStyleCastExpr *E, Use How) {
  const Expr *Operand = E->getSubExpr();
  QualType To = E->getType();
  if (E->getCastKind() == CK_VectorSplat)
    return visitSplat(E);
  if (E->getCastKind() == CK_ToVoid)
    return visit(Operand, {false, true, true});
  if (viewType(To)) { // views have no element type on the host
    T.replace({E->getLParenLoc(), E->getRParenLoc()}, {""});
    return visit(Operand, How);
  }
  visitType(E->getTypeInfoAsWritten());
  if (const auto *P = To->getAs<PointerType>()) {
    const auto *Address =
        dyn_cast<UnaryOperator>(Operand->IgnoreParenImpCasts());
    if (Address && Address->getOpcode() == UO_AddrOf &&
        namesElement(Address->getSubExpr()))
      return visit(Address->getSubExpr(),
                   {!P->getPointeeType().isConstQualified(), false});
  }
  visit(Operand);
}

void Host::visitGeneric(const GenericSelectionExpr *E, Use How) {
  auto DiffersOnHost = [](QualType T) {
    return containsView(T) || T->isVectorType();
  };
  bool IsResolved =
      E->isExprPredicate() && DiffersOnHost(E->getControllingExpr()->getType());
  for (const auto &A : E->associations())
    IsResolved |= A.getTypeSourceInfo() && DiffersOnHost(A.getType());
  if (!IsResolved) {
    for (const Stmt *Child : E->children())
      visit(Child, Child == E->getResultExpr() ? How : Use{});
    return;
  }
  // Views of two element types are one type to the host compiler, and vectors
  // of three and four are to gcc.
  T.replace(E->getSourceRange(),
            {"(", E->getResultExpr()->getSourceRange(), ")"});
  visit(E->getResultExpr(), {How.IsWritten, false});
}

// Overloaded on their arguments' rank in the dialect, named after it on the
// host.
static bool isNamedByRank(StringRef Function) {
  return Function == "extent_size" || Function == "extent_contains" ||
         Function == "index_equal";
}

void Host::visitCall(const CallExpr *E) {
  auto Found = Launches.find(E);
  if (Found != Launches.end())
    return visitLaunch(U.Launches[Found->second]);
  StringRef Library = libraryCallee(E, U.Sources);
  if (isNamedByRank(Library)) {
    QualType Domain = E->getDirectCallee()->getParamDecl(0)->getType();
    T.replace(
        E->getCallee()->getSourceRange(),
        {Library.str() + "_" + std::to_string(indexRank(Domain).value_or(1))});
  } else if (Library.starts_with("amp_atomic_")) {
    refuse(E->getBeginLoc(), "an atomic operation on the host");
  }
  leaveOpen(E);
  visit(E->getCallee());
  for (const Expr *Argument : E->arguments())
    visit(Argument);
}

} // namespace ampc::hostc
