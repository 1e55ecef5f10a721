//===- declarations.cpp - rules D1 to D3 and F1 to F5 ---------------------===//
//
// What amp code may declare, which globals it may read, and which of C's
// statements and literals it lacks.
//
//===----------------------------------------------------------------------===//

#include "check/rules.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace ampc::rules {
namespace {

class Declarations {
public:
  Declarations(Checker &C, const Body &B) : C(C), B(B) {}

  void run() {
    walk(C, B.Root, [&](const Stmt *S, Parents P) {
      visit(S, P);
      return true;
    });
  }

private:
  void visit(const Stmt *S, Parents P) {
    if (const auto *D = dyn_cast<DeclStmt>(S)) {
      for (const Decl *Declared : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(Declared))
          local(V);
        else if (const auto *T = dyn_cast<TypedefNameDecl>(Declared))
          if (T->getUnderlyingType()->isVariablyModifiedType())
            C.error(Message::VariableType, T->getLocation()).in(B);
    } else if (const auto *E = dyn_cast<UnaryExprOrTypeTraitExpr>(S)) {
      // The length of a type that is named here would be evaluated.
      if (E->isArgumentType() &&
          E->getArgumentType()->isVariablyModifiedType() &&
          !E->getArgumentType()->getAs<TypedefType>())
        at(Message::VariableType, S);
    } else if (const auto *E = dyn_cast<DeclRefExpr>(S)) {
      if (const auto *V = dyn_cast<VarDecl>(E->getDecl()))
        if (V->hasGlobalStorage() && !isTileStatic(V))
          global(E, V, P);
    } else if (const auto *Call = dyn_cast<CallExpr>(S)) {
      const FunctionDecl *F = Call->getDirectCallee();
      if (F && F->getBuiltinID() && F->getIdentifier() &&
          F->getName().contains("alloca"))
        at(Message::Alloca, S, {F->getName().str()});
    } else if (isa<VAArgExpr>(S)) {
      at(Message::VaArg, S);
    } else if (isa<GotoStmt, IndirectGotoStmt>(S)) {
      at(Message::Jump, S, {"'goto'"});
    } else if (isa<LabelStmt>(S)) {
      // The jump to it is the mistake, where there is one.
      if (!hasJump())
        at(Message::Jump, S, {"labels"});
    } else if (isa<AddrLabelExpr>(S)) {
      at(Message::Jump, S, {"addresses of labels"});
    } else if (isa<AsmStmt>(S)) {
      at(Message::Assembly, S);
    } else if (isa<SwitchCase>(S)) {
      caseLabel(S, P);
    } else if (const auto *E = dyn_cast<Expr>(S)) {
      literal(E, P);
      pointer(E);
    }
  }

  void at(Message M, const Stmt *S, std::vector<std::string> Args = {}) {
    C.error(M, S->getBeginLoc(), std::move(Args)).in(B);
  }

  //---- D2, D3 -----------------------------------------------------------

  void local(const VarDecl *V) {
    if (V->getType()->isVariablyModifiedType())
      C.error(Message::VariableArray, V->getLocation(), {V->getName().str()})
          .in(B);
    if (V->hasAttr<CleanupAttr>())
      C.error(Message::Cleanup, V->getLocation(), {V->getName().str()}).in(B);
    if (V->hasAttr<AsmLabelAttr>())
      C.error(Message::Assembly, V->getAttr<AsmLabelAttr>()->getLocation())
          .in(B);
    if (isTileStatic(V))
      return;
    const char *Word = V->getTSCSpec() != TSCS_unspecified ? "_Thread_local"
                       : V->getStorageClass() == SC_Extern ? "extern"
                       : V->getStorageClass() == SC_Static ? "static"
                                                           : nullptr;
    if (!Word)
      return;
    // A constant table that is called static costs nothing.
    bool Constant =
        V->getStorageClass() == SC_Static && V->getType().isConstant(C.Context);
    if (!Constant)
      C.error(Message::LocalStorage, V->getLocation(),
              {V->getName().str(), Word,
               V->getStorageClass() == SC_Static
                   ? ", or 'static const' with a constant initialiser"
                   : ""})
          .in(B);
  }

  void global(const DeclRefExpr *E, const VarDecl *V, Parents P) {
    std::string Name = V->getName().str();
    if (C.Refused.count(V))
      return;
    auto Refuse = [&](Message M) {
      C.error(M, E->getLocation(), {Name}).in(B).declared(V);
    };
    if (containsView(V->getType()))
      return Refuse(Message::GlobalView);
    if (!V->getType().isConstant(C.Context) || V->getType()->isPointerType()) {
      // A static local of amp code was refused where it is declared.
      if (V->isStaticLocal() &&
          Decl::castFromDeclContext(V->getDeclContext()) == B.Owner)
        return;
      return Refuse(Message::GlobalWritable);
    }
    const Expr *Init = V->getAnyInitializer();
    if (!Init || !Init->isConstantInitializer(C.Context, false))
      return Refuse(Message::GlobalNoValue);
    if (auto F = C.typeFault(V->getType(), E->getLocation()))
      return C.refuseType(*F, "'" + Name + "'", E->getLocation(), V, B);
    // Scalars of integer type are values, as in C++ AMP; tables are objects.
    if (V->getType()->isIntegralOrEnumerationType() && !isRead(E, P))
      Refuse(Message::GlobalAddress);
  }

  // E is read as a value, by subscript and member down to a part of it.
  static bool isRead(const Expr *E, Parents P) {
    const Stmt *Place = E;
    for (const Stmt *Parent : llvm::reverse(P)) {
      if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Parent)) {
        if (Cast->getCastKind() == CK_LValueToRValue)
          return true;
        if (Cast->getCastKind() != CK_ArrayToPointerDecay &&
            Cast->getCastKind() != CK_NoOp)
          return false;
        Place = Parent;
        continue;
      }
      if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Parent)) {
        if (Subscript->getBase() != Place)
          return false;
      } else if (const auto *Member = dyn_cast<MemberExpr>(Parent)) {
        if (Member->isArrow())
          return false;
      } else if (!isa<ParenExpr, ExtVectorElementExpr, GenericSelectionExpr,
                      ChooseExpr>(Parent)) {
        // A discarded value ("n;") is no address either.
        return !isa<Expr>(Parent) && !isDecayed(Place);
      }
      Place = Parent;
      if (!cast<Expr>(Place)->isLValue() && !isDecayed(Place))
        return true;
    }
    return !isDecayed(Place);
  }

  static bool isDecayed(const Stmt *Place) {
    return cast<Expr>(Place)->getType()->isPointerType();
  }

  //---- F1, F2 -----------------------------------------------------------

  bool hasJump() {
    if (!Jumps) {
      Jumps = false;
      walk(C, B.Root, [&](const Stmt *S, Parents) {
        *Jumps |= isa<GotoStmt, IndirectGotoStmt, AddrLabelExpr>(S);
        return true;
      });
    }
    return *Jumps;
  }

  void caseLabel(const Stmt *S, Parents P) {
    // case 1: case 2: is a label in a label.
    while (!P.empty() && isa<SwitchCase, AttributedStmt>(P.back()))
      P = P.drop_back();
    if (P.size() && isa<SwitchStmt>(P.back()))
      return;
    if (P.size() >= 2 && isa<CompoundStmt>(P.back()) &&
        isa<SwitchStmt>(P[P.size() - 2]))
      return;
    at(Message::NestedCase, S);
  }

  //---- F3, F4, F5 -------------------------------------------------------

  void pointer(const Expr *E) {
    Version V = C.types(E->getBeginLoc());
    std::string WayOut = Checker::wayOut(Version::V1_1, V);
    auto OnBool = [&](const Expr *Operand) {
      if (V >= Version::V1_1)
        return false;
      QualType T = Operand->getType();
      return T->isPointerType() && !viewType(T) &&
             T->getPointeeType()->isBooleanType();
    };
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      QualType From = Cast->getSubExpr()->getType(), To = E->getType();
      if ((Cast->getCastKind() == CK_PointerToIntegral ||
           Cast->getCastKind() == CK_IntegralToPointer) &&
          !viewType(From) && !viewType(To))
        at(Message::PointerInteger, E, {C.typeName(From), C.typeName(To)});
    } else if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      if ((Op->isAdditiveOp() || Op->getOpcode() == BO_AddAssign ||
           Op->getOpcode() == BO_SubAssign) &&
          (OnBool(Op->getLHS()) || OnBool(Op->getRHS())))
        at(Message::BoolPointer, E,
           {C.typeName(OnBool(Op->getLHS()) ? Op->getLHS()->getType()
                                            : Op->getRHS()->getType()),
            WayOut});
    } else if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
      if (Op->isIncrementDecrementOp() && OnBool(Op->getSubExpr()))
        at(Message::BoolPointer, E,
           {C.typeName(Op->getSubExpr()->getType()), WayOut});
    } else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
      if (OnBool(Sub->getBase()) &&
          !isa<ImplicitCastExpr>(Sub->getBase()->IgnoreParens()))
        at(Message::BoolPointer, E,
           {C.typeName(Sub->getBase()->getType()), WayOut});
      else if (const auto *Cast =
                   dyn_cast<ImplicitCastExpr>(Sub->getBase()->IgnoreParens());
               Cast && OnBool(Cast) &&
               Cast->getCastKind() != CK_ArrayToPointerDecay)
        at(Message::BoolPointer, E, {C.typeName(Cast->getType()), WayOut});
    }
  }

  void literal(const Expr *E, Parents P) {
    if (const auto *I = dyn_cast<IntegerLiteral>(E)) {
      Version V = C.types(E->getBeginLoc());
      if (I->getValue().getActiveBits() > 32 && V < Version::V1_2)
        at(Message::IntegerSize, E,
           {llvm::toString(llvm::APInt(I->getValue()), 10, false),
            Checker::wayOut(Version::V1_2, V)});
    } else if (const auto *F = dyn_cast<FloatingLiteral>(E)) {
      // What is less than half of the least number would be read as 0.
      if (F->getValue().isInfinity() ||
          (F->getValue().isZero() && !F->isExact()))
        at(Message::FloatRange, E, {"this number", C.typeName(E->getType())});
    } else if (isa<StringLiteral, PredefinedExpr>(E)) {
      bool IsInitialiser = isa<StringLiteral>(E) &&
                           isa_and_nonnull<DeclStmt, InitListExpr>(parentOf(P)) &&
                           C.types(E->getBeginLoc()) >= Version::V1_1;
      if (!isFormat(P) && !IsInitialiser &&
          (P.empty() || !isa<PredefinedExpr>(P.back())))
        at(Message::String, E);
    }
  }

  bool isFormat(Parents P) const {
    for (size_t I = P.size(); I-- > 0;) {
      const auto *Call = dyn_cast<CallExpr>(P[I]);
      if (!Call) {
        if (!isa<ImplicitCastExpr, ParenExpr>(P[I]))
          return false;
        continue;
      }
      const FunctionDecl *F = Call->getDirectCallee();
      if (!F || !isAmp(F->getMostRecentDecl(), C.SM))
        return true; // the call itself is the mistake
      StringRef Name = libraryCallee(Call, C.SM);
      return (Name == "amp_printf" || Name == "amp_errorf") &&
             I + 1 < P.size() && Call->getNumArgs() &&
             Call->getArg(0) == P[I + 1];
    }
    return false;
  }

  Checker &C;
  const Body &B;
  std::optional<bool> Jumps;
};

} // namespace

void checkDeclarations(Checker &C) {
  for (const Decl *D : C.Context.getTranslationUnitDecl()->decls())
    if (const auto *F = dyn_cast<FunctionDecl>(D))
      if (F->isVariadic() && C.isUser(F) && isAmp(F, C.SM) && F->isFirstDecl())
        C.error(Message::Variadic, F->getLocation(), {F->getName().str()})
            .in(C.bodyOf(F));
  for (const Body &B : C.Bodies)
    if (B.Amp)
      Declarations(C, B).run();
}

} // namespace ampc::rules
