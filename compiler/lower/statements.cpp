// statements.cpp - statements, declarations, loops.
//
// Nested blocks are flattened: every variable is an object of its own, so C's
// scopes need no trace in KIR.
#include "lower/lowering.h"
#include "lower/trees.h"

using namespace clang;

namespace ampc {

kir::Variable *BodyLowering::bind(const VarDecl *D, kir::Storage Store) {
  auto *V = M.make<kir::Variable>();
  V->Name = D->getName().str();
  V->Ty = Shared.type(D->getType(), D->getLocation());
  V->Store = Store;
  V->Where = loc(D->getLocation());
  V->AddressTaken = Addressed.count(D);
  return Vars[D] = V;
}

kir::Loc BodyLowering::loc(const Stmt *S) { return loc(S->getBeginLoc()); }

kir::Expr *BodyLowering::poison(kir::Loc Where) {
  Shared.Failed = true;
  return M.make<kir::Zero>(intType(), Where);
}

kir::Expr *BodyLowering::unsupported(SourceLocation At,
                                     const llvm::Twine &What) {
  Shared.unsupported(At, What);
  return poison(loc(At));
}

void BodyLowering::statement(const Stmt *S) {
  switch (S->getStmtClass()) {
  case Stmt::CompoundStmtClass:
    for (const Stmt *Child : cast<CompoundStmt>(S)->body())
      statement(Child);
    return;
  case Stmt::NullStmtClass:
    return;
  case Stmt::AttributedStmtClass:
    return statement(cast<AttributedStmt>(S)->getSubStmt());
  case Stmt::DeclStmtClass:
    return declarations(cast<DeclStmt>(S));
  case Stmt::IfStmtClass: {
    const auto *I = cast<IfStmt>(S);
    kir::Expr *Condition = condition(I->getCond());
    kir::Body Then = collect([&] { statement(I->getThen()); });
    kir::Body Else = collect([&] {
      if (I->getElse())
        statement(I->getElse());
    });
    emit<kir::If>(Condition, std::move(Then), std::move(Else), loc(S));
    return;
  }
  case Stmt::WhileStmtClass:
  case Stmt::DoStmtClass:
  case Stmt::ForStmtClass:
    return loop(S);
  case Stmt::SwitchStmtClass:
    return switchStatement(cast<SwitchStmt>(S));
  case Stmt::BreakStmtClass:
    return jump(M.make<kir::Break>(loc(S)), S);
  case Stmt::ContinueStmtClass:
    return jump(M.make<kir::Continue>(loc(S)), S);
  case Stmt::ReturnStmtClass: {
    const Expr *E = cast<ReturnStmt>(S)->getRetValue();
    kir::Expr *Value = nullptr;
    if (E && E->getType()->isVoidType())
      effect(E);
    else if (E)
      Value = value(E);
    return jump(M.make<kir::Return>(Value, loc(S)), S);
  }
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
    Shared.unsupported(S->getBeginLoc(),
                       "a case label inside another statement");
    return;
  default:
    if (const auto *E = dyn_cast<Expr>(S))
      return effect(E);
    Shared.unsupported(S->getBeginLoc(), describe(S) + " in amp code");
  }
}

void BodyLowering::jump(kir::Stmt *S, const Stmt *Source) {
  if (InCondition)
    Shared.unsupported(Source->getBeginLoc(),
                       "leaving the condition or step of a loop from inside");
  Out->push_back(S);
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void BodyLowering::declarations(const DeclStmt *S) {
  for (const Decl *D : S->decls())
    if (const auto *V = dyn_cast<VarDecl>(D))
      local(V);
}

void BodyLowering::local(const VarDecl *D) {
  if (!D->isLocalVarDecl() || D->hasExternalStorage())
    return; // a use finds the global
  if (isTileStatic(D)) {
    Shared.tileStatic(D);
    return;
  }
  if (D->isStaticLocal()) {
    if (!D->getType().isConstant(Ctx))
      Shared.unsupported(D->getLocation(), "static variables in amp code");
    return; // a use finds the constant
  }
  kir::Loc W = loc(D->getLocation());
  const Expr *Init = D->getInit();
  if (!Init) {
    emit<kir::Declare>(bind(D, kir::Storage::Local), nullptr, W);
    return;
  }
  const kir::Type *Ty = Shared.type(D->getType(), D->getLocation());
  const auto *List = dyn_cast<InitListExpr>(Init->IgnoreParens());
  if (List && isStoredByElement(Ty)) {
    kir::Variable *V = bind(D, kir::Storage::Local);
    emit<kir::Declare>(V, M.make<kir::Zero>(Ty, W), W);
    storeElements(M.make<kir::VarRef>(V, W), List);
    return;
  }
  kir::Expr *Value = initialiser(Init, Ty);
  // at_N(v, i) names its index amp_i_; where that only copies a variable or a
  // member, the original serves.
  if (const auto *L = dyn_cast<kir::Load>(Value))
    if (D->getType().isConstQualified() && D->getName() == "amp_i_" &&
        isSmall(L->Place) && isStable(L)) {
      Aliases[D] = L->Place;
      return;
    }
  emit<kir::Declare>(bind(D, kir::Storage::Local), Value, W);
}

const Expr *BodyLowering::openStatementExpr(const StmtExpr *E) {
  const CompoundStmt *Block = E->getSubStmt();
  const Expr *Last = nullptr;
  if (!E->getType()->isVoidType() && !Block->body_empty())
    Last = dyn_cast<Expr>(Block->body_back());
  for (const Stmt *S : Block->body())
    if (S != Last)
      statement(S);
  return Last;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void BodyLowering::loop(const Stmt *S) {
  const Expr *Condition = nullptr, *Step = nullptr;
  const Stmt *Inner = nullptr;
  auto Form = kir::Loop::Form::For;
  if (const auto *W = dyn_cast<WhileStmt>(S)) {
    Form = kir::Loop::Form::While;
    Condition = W->getCond();
    Inner = W->getBody();
  } else if (const auto *D = dyn_cast<DoStmt>(S)) {
    Form = kir::Loop::Form::Do;
    Condition = D->getCond();
    Inner = D->getBody();
  } else {
    const auto *F = cast<ForStmt>(S);
    if (F->getInit())
      statement(F->getInit());
    Condition = F->getCond();
    Step = F->getInc();
    Inner = F->getBody();
  }

  bool SavedInCondition = InCondition;
  InCondition = true;
  kir::Expr *Test = nullptr;
  kir::Body Prelude = collect([&] {
    if (Condition)
      Test = condition(Condition);
  });
  kir::Body StepStmts = collect([&] {
    if (Step)
      effect(Step);
  });
  InCondition = false; // the body is a new place to jump from
  kir::Body Stmts = collect([&] { statement(Inner); });
  InCondition = SavedInCondition;

  if (const auto *C = dyn_cast_or_null<kir::BoolConst>(Test))
    if (C->Value && Prelude.empty())
      Test = nullptr;
  emit<kir::Loop>(Form, std::move(Prelude), Test, std::move(Stmts),
                  std::move(StepStmts), loc(S));
}

//===----------------------------------------------------------------------===//
// switch
//===----------------------------------------------------------------------===//

/// The most values that one `case A ... B:` may stand for.
static constexpr uint64_t MaxCaseRange = 1024;

void BodyLowering::switchStatement(const SwitchStmt *S) {
  kir::Expr *Subject = value(S->getCond());
  if (!Subject->Ty->isInt() || Subject->Ty->Width != 32) {
    unsupported(S->getCond()->getBeginLoc(), "switch on a 64-bit value");
    return;
  }
  std::vector<kir::Switch::Case> Cases;
  llvm::DenseSet<const SwitchCase *> Seen;

  auto AddLabel = [&](const SwitchCase *Label) {
    Seen.insert(Label);
    if (Cases.empty() || !Cases.back().Stmts.empty())
      Cases.emplace_back();
    kir::Switch::Case &Case = Cases.back();
    const auto *C = dyn_cast<CaseStmt>(Label);
    if (!C) {
      Case.IsDefault = true;
      return;
    }
    llvm::APSInt Low = C->getLHS()->EvaluateKnownConstInt(Ctx), High = Low;
    if (C->getRHS())
      High = C->getRHS()->EvaluateKnownConstInt(Ctx);
    if (High < Low) // an empty range (Clang warns)
      return;
    uint64_t Count = (High - Low).getZExtValue();
    if (Count >= MaxCaseRange) {
      unsupported(C->getBeginLoc(), "a case range of more than 1024 values");
      return;
    }
    for (uint64_t I = 0; I <= Count; ++I)
      Case.Values.push_back(uint32_t(Low.getZExtValue() + I));
  };

  // A variable declared among the cases lives in the whole switch.
  auto AddDeclaration = [&](const VarDecl *D) {
    if (!D->hasLocalStorage())
      return local(D);
    kir::Loc W = loc(D->getLocation());
    kir::Variable *V = bind(D, kir::Storage::Local);
    emit<kir::Declare>(V, nullptr, W);
    if (D->getInit() && !Cases.empty()) {
      kir::Body Stores = collect([&] {
        kir::Expr *Value = initialiser(D->getInit(), V->Ty);
        emit<kir::Store>(M.make<kir::VarRef>(V, W), Value, W);
      });
      kir::Body &To = Cases.back().Stmts;
      To.insert(To.end(), Stores.begin(), Stores.end());
    }
  };

  auto AddStatement = [&](const Stmt *Child) {
    while (const auto *Label = dyn_cast<SwitchCase>(Child)) {
      AddLabel(Label);
      Child = Label->getSubStmt();
    }
    if (const auto *D = dyn_cast<DeclStmt>(Child)) {
      for (const Decl *One : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(One))
          AddDeclaration(V);
      return;
    }
    if (Cases.empty())
      return; // before the first label: never reached
    kir::Body Stmts = collect([&] { statement(Child); });
    kir::Body &To = Cases.back().Stmts;
    To.insert(To.end(), Stmts.begin(), Stmts.end());
  };

  if (const auto *Block = dyn_cast<CompoundStmt>(S->getBody()))
    for (const Stmt *Child : Block->body())
      AddStatement(Child);
  else
    AddStatement(S->getBody());

  for (const SwitchCase *C = S->getSwitchCaseList(); C;
       C = C->getNextSwitchCase())
    if (!Seen.count(C))
      Shared.unsupported(C->getBeginLoc(),
                         "a case label inside another statement");

  // An empty range left a case without values: its statements are reached by
  // falling through only.
  for (size_t I = Cases.size(); I-- > 0;) {
    if (!Cases[I].Values.empty() || Cases[I].IsDefault)
      continue;
    if (I > 0)
      Cases[I - 1].Stmts.insert(Cases[I - 1].Stmts.end(),
                                Cases[I].Stmts.begin(), Cases[I].Stmts.end());
    Cases.erase(Cases.begin() + I);
  }
  emit<kir::Switch>(Subject, std::move(Cases), loc(S));
}

} // namespace ampc
