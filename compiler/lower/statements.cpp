// statements.cpp - statements, declarations, loops.
//
// Nested blocks are flattened: every variable is an object of its own, so C's
// scopes need no trace in KIR.
#include "lower/lowering.h"
#include "kir/progress.h"
#include "kir/walk.h"
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

kir::Expr *BodyLowering::refuse(SourceLocation At, const llvm::Twine &What) {
  Shared.refuse(At, What);
  return poison(loc(At));
}

kir::Expr *BodyLowering::unsupported(SourceLocation At,
                                     const llvm::Twine &What) {
  Shared.unsupported(At, What);
  return poison(loc(At));
}

/// C wants 127 levels of blocks; drivers get slow, or run out of stack, long
/// before SPIR-V's 1023.
static constexpr unsigned MaxDepth = 200;

bool BodyLowering::nest(SourceLocation At, llvm::function_ref<void()> Inner) {
  bool Fits = Depth < MaxDepth;
  if (!Fits)
    Shared.refuse(At, "statements or '?:' more than " + llvm::Twine(MaxDepth) +
                          " levels deep: move the inner ones into a function");
  ++Depth;
  if (Fits)
    Inner();
  --Depth;
  return Fits;
}

void BodyLowering::statement(const Stmt *S) {
  if (isa<IfStmt, WhileStmt, DoStmt, ForStmt, SwitchStmt>(S))
    nest(S->getBeginLoc(), [&] { statementHere(S); });
  else
    statementHere(S);
}

void BodyLowering::statementHere(const Stmt *S) {
  kir::at(M, loc(S));
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
  case Stmt::IfStmtClass:
    return ifStatement(cast<IfStmt>(S));
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
    Shared.refuse(S->getBeginLoc(),
                       "a case label inside another statement");
    return;
  default:
    if (const auto *E = dyn_cast<Expr>(S))
      return effect(E);
    Shared.refuse(S->getBeginLoc(), describe(S));
  }
}

void BodyLowering::jump(kir::Stmt *S, const Stmt *Source) {
  if ((isa<kir::Break>(S) && BreakInCondition) ||
      (isa<kir::Continue>(S) && ContinueInCondition))
    Shared.refuse(Source->getBeginLoc(),
                  "a 'break' or 'continue' that leaves the condition or step of "
                  "a loop (compilers disagree on which loop it means)");
  Out->push_back(S);
}

//===----------------------------------------------------------------------===//
// if ... else if ... else
//===----------------------------------------------------------------------===//

void BodyLowering::ifStatement(const IfStmt *S) {
  std::vector<const IfStmt *> Links;
  const Stmt *Last = S;
  while (const auto *Next = dyn_cast_or_null<IfStmt>(Last)) {
    Links.push_back(Next);
    Last = Next->getElse();
  }
  chain(
      Links.size(), [&](size_t I) { return condition(Links[I]->getCond()); },
      [&](size_t I) { statement(Links[I]->getThen()); },
      [&] {
        if (Last)
          statement(Last);
      },
      [&](size_t I) { return loc(Links[I]); });
}

/// Each link stands in the else of the one before. A long chain comes in
/// pieces, one behind the other, which do not nest:
///
///   rest = false
///   if (a) ... else if (b) ... else rest = true
///   if (rest) { if (c) ... else ... }
void BodyLowering::chain(size_t Count,
                         llvm::function_ref<kir::Expr *(size_t)> Condition,
                         llvm::function_ref<void(size_t)> Then,
                         llvm::function_ref<void()> Else,
                         llvm::function_ref<kir::Loc(size_t)> Where) {
  constexpr size_t Piece = 32, Longest = 64;
  kir::Variable *Rest = nullptr; // of the piece before
  for (size_t Begin = 0; Begin < Count;) {
    size_t End = Count - Begin > Longest ? Begin + Piece : Count;
    kir::Loc W = Where(Begin);
    kir::Variable *Next = nullptr;
    if (End < Count)
      Next = temporary(M.make<kir::BoolConst>(M.boolType(), false, W));
    std::function<void(size_t)> Link = [&](size_t I) {
      if (I < End) {
        kir::Expr *Test = Condition(I);
        kir::Body True = collect([&] { Then(I); });
        kir::Body False = collect([&] { Link(I + 1); });
        emit<kir::If>(Test, std::move(True), std::move(False), Where(I));
      } else if (Next) {
        emit<kir::Store>(M.make<kir::VarRef>(Next, W),
                         M.make<kir::BoolConst>(M.boolType(), true, W), W);
      } else {
        Else();
      }
    };
    if (Rest)
      emit<kir::If>(load(Rest, W), collect([&] { Link(Begin); }), kir::Body(),
                    W);
    else
      Link(Begin);
    Rest = Next;
    Begin = End;
  }
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
      Shared.refuse(D->getLocation(), "static variables");
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
  if (List && isStoredByElement(Ty) && !List->isStringLiteralInit()) {
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

/// A statement expression in a condition may return.
static bool returns(const kir::Body &B) {
  bool Found = false;
  kir::walk(
      B, [](const kir::Expr *) {},
      [&](const kir::Stmt *S) { Found |= isa<kir::Return>(S); });
  return Found;
}

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

  bool SavedBreak = BreakInCondition, SavedContinue = ContinueInCondition;
  BreakInCondition = ContinueInCondition = true;
  kir::Expr *Test = nullptr;
  kir::Body Prelude = collect([&] {
    if (Condition)
      Test = condition(Condition);
  });
  kir::Body StepStmts = collect([&] {
    if (Step)
      effect(Step);
  });
  // The body is a new place to jump from.
  BreakInCondition = ContinueInCondition = false;
  kir::Body Stmts = collect([&] { statement(Inner); });
  BreakInCondition = SavedBreak;
  ContinueInCondition = SavedContinue;

  if (const auto *C = dyn_cast_or_null<kir::BoolConst>(Test))
    if (C->Value && Prelude.empty())
      Test = nullptr;
  if (Form != kir::Loop::Form::Do && returns(Prelude)) {
    // The condition goes into the body, where a return is no different from
    // others: `continue` leads to the step, and from there to the body's start.
    kir::Loc W = loc(S);
    if (Test) {
      kir::Body Leave{M.make<kir::Break>(W)};
      Prelude.push_back(M.make<kir::If>(
          M.make<kir::Unary>(kir::UnaryOp::LogicalNot, Test, W),
          std::move(Leave), kir::Body(), W));
    }
    Prelude.insert(Prelude.end(), Stmts.begin(), Stmts.end());
    Stmts = std::move(Prelude);
    Prelude.clear();
    Test = nullptr;
  }
  emit<kir::Loop>(Form, std::move(Prelude), Test, std::move(Stmts),
                  std::move(StepStmts), loc(S));
}

//===----------------------------------------------------------------------===//
// switch
//===----------------------------------------------------------------------===//

/// The most values of a `case A ... B:` that are listed one by one.
static constexpr uint64_t MaxCaseRange = 1024;

void BodyLowering::switchStatement(const SwitchStmt *S) {
  kir::Expr *Subject = value(S->getCond());
  if (!Subject->Ty->isInt())
    return (void)poison(loc(S));
  std::vector<kir::Switch::Case> Cases;
  llvm::DenseSet<const SwitchCase *> Seen;
  // Long ranges, which their first values stand for.
  std::vector<std::pair<llvm::APSInt, llvm::APSInt>> Wide;
  auto bitsOf = [](const llvm::APSInt &V) {
    return V.extOrTrunc(64).getZExtValue();
  };
  bool SavedBreak = BreakInCondition;
  BreakInCondition = false;

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
      Wide.push_back({Low, High});
      Count = 0;
    }
    for (uint64_t I = 0; I <= Count; ++I)
      Case.Values.push_back((bitsOf(Low) + I) &
                            (Subject->Ty->Width == 64 ? ~uint64_t(0)
                                                      : 0xffffffffu));
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
      Shared.refuse(C->getBeginLoc(),
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
  BreakInCondition = SavedBreak;
  for (const auto &[Low, High] : Wide) {
    // No other label lies in the range: all of it may become its first value.
    kir::Loc W = loc(S);
    Subject = reusable(Subject);
    const kir::Type *Ty = Subject->Ty;
    kir::Expr *FromLow = binary(kir::BinaryOp::Ge, clone(M, Subject),
                                intConst(bitsOf(Low), W, Ty), W);
    kir::Expr *ToHigh = binary(kir::BinaryOp::Le, clone(M, Subject),
                               intConst(bitsOf(High), W, Ty), W);
    Subject = M.make<kir::Select>(
        M.make<kir::Logical>(true, FromLow, ToHigh, W),
        intConst(bitsOf(Low), W, Ty), Subject, W);
  }
  emit<kir::Switch>(Subject, std::move(Cases), loc(S));
}

} // namespace ampc
