//===- views.cpp - subscripts, projections and library macros on the host -===//

#include "hostc/host.h"
#include "hostc/report.h"

using namespace clang;

namespace ampc::hostc {

//===----------------------------------------------------------------------===//
// Subscripts
//===----------------------------------------------------------------------===//

// To Clang, an array member of an element decays to what looks like a view.
static bool isView(const Expr *E) {
  const auto *C = dyn_cast<ImplicitCastExpr>(E->IgnoreParens());
  bool Decays = C && C->getCastKind() == CK_ArrayToPointerDecay;
  return !Decays && viewType(E->getType());
}

// v[i]..[k] or *v, as long a chain as the text spells without parentheses.
std::optional<Host::Access> Host::accessOf(const Expr *E) {
  Access A;
  const Expr *At = E;
  for (;;) {
    At = At->IgnoreImpCasts();
    if (libraryNode(At).isValid())
      break;
    const auto *S = dyn_cast<ArraySubscriptExpr>(At);
    const auto *O = dyn_cast<UnaryOperator>(At);
    if (S && isView(S->getBase())) {
      A.Subscripts.push_back(S->getIdx());
      At = S->getBase();
    } else if (O && O->getOpcode() == UO_Deref && isView(O->getSubExpr())) {
      A.Subscripts.push_back(nullptr);
      At = O->getSubExpr();
    } else {
      break;
    }
  }
  if (A.Subscripts.empty())
    return std::nullopt;
  std::reverse(A.Subscripts.begin(), A.Subscripts.end());
  A.Base = At;
  std::optional<ViewType> V = viewType(At->getType());
  A.Rank = V ? V->Rank : 0;
  return A;
}

// An element of a view, or a part of one that lies in the element itself.
bool Host::namesElement(const Expr *E) {
  for (;;) {
    E = E->IgnoreParens();
    if (const auto *C = dyn_cast<ImplicitCastExpr>(E)) {
      if (C->getCastKind() == CK_LValueToRValue)
        return false;
      E = C->getSubExpr();
    } else if (std::optional<Access> A = accessOf(E)) {
      return A->Subscripts.size() == A->Rank;
    } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
      if (M->isArrow())
        return false;
      E = M->getBase();
    } else if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      E = S->getBase();
    } else if (const auto *S = dyn_cast<ExtVectorElementExpr>(E)) {
      E = S->getBase();
    } else {
      FileID Macro = libraryNode(E);
      return Macro.isValid() &&
             StringRef(T.macros().useName(Macro)).starts_with("at_");
    }
  }
}

// The view that the first Count subscripts leave.
Pieces Host::projection(const Access &A, size_t Count) {
  Pieces New;
  for (size_t I = Count; I > 0; --I)
    New.push_back("ampc_project_" + std::to_string(A.Rank - I + 1) + "(");
  New.push_back({A.Base->getSourceRange(), true});
  for (size_t I = 0; I < Count; ++I) {
    New.push_back(", ");
    if (A.Subscripts[I])
      New.push_back({A.Subscripts[I]->getSourceRange(), true});
    else
      New.push_back("0");
    New.push_back(")");
  }
  return New;
}

void Host::visitAccess(const Expr *E, const Access &A, Use How) {
  if (A.Subscripts.size() < A.Rank) {
    T.replace(E->getSourceRange(), projection(A, A.Subscripts.size()));
  } else {
    Pieces New;
    New.push_back(std::string(How.IsPostfixOperand ? "(" : "") +
                  (How.IsWritten ? "*AMPC_WRITE(" : "*AMPC_READ(") +
                  typeText(E->getType()) + ", ");
    New.push_back({A.Base->getSourceRange(), true});
    for (const Expr *Subscript : A.Subscripts) {
      New.push_back(", ");
      if (Subscript)
        New.push_back({Subscript->getSourceRange(), true});
      else
        New.push_back("0");
    }
    New.push_back(How.IsPostfixOperand ? "))" : ")");
    T.replace(E->getSourceRange(), std::move(New));
  }
  visit(A.Base);
  for (const Expr *Subscript : A.Subscripts)
    visit(Subscript);
}

// &v[k]: the rank 1 view that starts there.
void Host::visitAddress(const UnaryOperator *E, const Access &A) {
  if (A.Subscripts.size() < A.Rank)
    refuse(E->getOperatorLoc(), "the address of a projection");
  Pieces New = {"ampc_offset("};
  size_t Last = A.Subscripts.size() - 1;
  for (Piece &P : projection(A, Last))
    New.push_back(std::move(P));
  New.push_back(", ");
  if (A.Subscripts[Last])
    New.push_back({A.Subscripts[Last]->getSourceRange(), true});
  else
    New.push_back("0");
  New.push_back(")");
  T.replace(E->getSourceRange(), std::move(New));
  visit(A.Base);
  for (const Expr *Subscript : A.Subscripts)
    visit(Subscript);
}

//===----------------------------------------------------------------------===//
// Macros of the library
//===----------------------------------------------------------------------===//

// The library macro that spells all of E, if one does.
FileID Host::libraryNode(const Expr *E) {
  SourceLocation Begin = E->getBeginLoc(), End = E->getEndLoc();
  if (!Begin.isMacroID() || !End.isMacroID())
    return FileID();
  FileID Macro = T.macros().libraryUse(Begin);
  if (Macro.isValid() && Macro == T.macros().libraryUse(End))
    return Macro;
  return FileID();
}

// The call of the function behind array_view_of and its kin.
static const CallExpr *makingCall(const Expr *E) {
  while (const auto *C = dyn_cast<CastExpr>(E->IgnoreParens()))
    E = C->getSubExpr();
  return dyn_cast<CallExpr>(E->IgnoreParens());
}

void Host::visitLibraryUse(const Expr *E, FileID Macro, Use How) {
  std::string Name = T.macros().useName(Macro);
  if (Name == "at_2" || Name == "at_3" || Name == "at_4")
    return visitLibraryAt(E, Name[3] - '0', How);
  if (Name == "array_view_data") {
    T.replace(E->getSourceRange(),
              {"((" + typeText(E->getType()) + ")", E->getSourceRange(), ")"});
  } else if (const CallExpr *Call = makingCall(E)) {
    StringRef Function = libraryCallee(Call, U.Sources);
    if (Function.starts_with("amp_make_") && Call->getNumArgs() > 0) {
      const Expr *Last = Call->getArg(Call->getNumArgs() - 1);
      if (std::optional<unsigned> Rank = indexRank(Last->getType()))
        T.rename(E->getBeginLoc(), Name + "_extent_" + std::to_string(*Rank));
    }
  }
  visitArguments(E, Macro);
}

// at_N(v, i) is *({ const index_N amp_i_ = (i); &(v)[amp_i_[0]]...; }).
void Host::visitLibraryAt(const Expr *E, unsigned Rank, Use How) {
  const auto *Star = dyn_cast<UnaryOperator>(E->IgnoreParenImpCasts());
  const auto *Block =
      Star ? dyn_cast<StmtExpr>(Star->getSubExpr()->IgnoreParenImpCasts())
           : nullptr;
  const DeclStmt *Declare =
      Block ? dyn_cast<DeclStmt>(Block->getSubStmt()->body_front()) : nullptr;
  const auto *Address =
      Block
          ? dyn_cast<UnaryOperator>(cast<Expr>(Block->getSubStmt()->body_back())
                                        ->IgnoreParenImpCasts())
          : nullptr;
  if (!Declare || !Address)
    return refuse(E->getBeginLoc(), "this use of at_N");
  const Expr *Index =
      cast<VarDecl>(Declare->getSingleDecl())->getInit()->IgnoreParenImpCasts();
  const Expr *View = Address->getSubExpr();
  while (const auto *S =
             dyn_cast<ArraySubscriptExpr>(View->IgnoreParenImpCasts()))
    View = S->getBase();
  View = View->IgnoreImpCasts();
  if (const auto *P = dyn_cast<ParenExpr>(View)) // the macro's own
    View = P->getSubExpr();
  T.replace(
      E->getSourceRange(),
      {std::string(How.IsPostfixOperand ? "(" : "") +
           (How.IsWritten ? "*AMPC_WRITE_AT(" : "*AMPC_READ_AT(") +
           typeText(E->getType()) + ", ",
       Piece(View->getSourceRange(), true), ", ",
       Piece(Index->getSourceRange(), true),
       ", " + std::to_string(Rank) + (How.IsPostfixOperand ? "))" : ")")});
  visit(View);
  visit(Index);
}

// What the user passed to the macro, wherever its body puts it.
void Host::visitArguments(const Stmt *S, FileID Macro) {
  auto VisitOne = [&](const Stmt *Child) {
    const auto *E = dyn_cast_or_null<Expr>(Child);
    if (E && libraryNode(E) != Macro)
      visit(E);
    else if (Child)
      visitArguments(Child, Macro);
  };
  if (const auto *Call = dyn_cast<CallExpr>(S)) {
    auto Found = Launches.find(Call);
    if (Found != Launches.end())
      return visitLaunch(U.Launches[Found->second]);
  }
  for (const Stmt *Child : S->children())
    VisitOne(Child);
}

} // namespace ampc::hostc
