//===- check.cpp - runs the rule groups, reports what they find -----------===//

#include "check/check.h"
#include "check/rules.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/Stack.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace ampc {
namespace rules {

//===----------------------------------------------------------------------===//
// Bodies and the calls between them
//===----------------------------------------------------------------------===//

std::string Body::name() const {
  if (Kernel)
    return "kernel '" + Kernel->Name + "'";
  return "'" + cast<NamedDecl>(Owner)->getName().str() + "'";
}

Checker::Checker(Unit &U) : U(U), Context(U.Context), SM(U.Sources) {
  addBodies();
  linkCalls();
}

bool Checker::isUser(const Decl *D) const {
  return D->getLocation().isValid() && !isLibrary(D, SM) &&
         !SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation()));
}

void Checker::addBodies() {
  for (const Launch &L : U.Launches) {
    const BlockDecl *D = L.Block->getBlockDecl();
    if (isAmp(D, SM))
      Bodies.push_back(
          {D, D->getBody(), true, restrictionOf(D, SM).Cpu, &L, {}});
  }
  for (const FunctionDecl *F : U.AmpFunctions) {
    Bodies.push_back(
        {F, F->getBody(), true, restrictionOf(F, SM).Cpu, nullptr, {}});
    Functions[F->getCanonicalDecl()] = &Bodies.back();
  }
  for (const Decl *D : Context.getTranslationUnitDecl()->decls()) {
    if (!isUser(D))
      continue;
    const auto *F = dyn_cast<FunctionDecl>(D);
    if (F && F->isThisDeclarationADefinition() &&
        !Functions.count(F->getCanonicalDecl()))
      Bodies.push_back({F, F->getBody(), false, true, nullptr, {}});
    const auto *V = dyn_cast<VarDecl>(D);
    if (V && V->getInit())
      Bodies.push_back({V, V->getInit(), false, true, nullptr, {}});
  }
}

void Checker::linkCalls() {
  std::deque<Body *> Queue;
  for (Body &B : Bodies) {
    if (!B.Amp)
      continue;
    walk(*this, B.Root, [&](const Stmt *S, Parents) {
      const auto *Call = dyn_cast<CallExpr>(S);
      const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
      if (F && !isLibrary(F, SM) && isAmp(F->getMostRecentDecl(), SM))
        B.Calls.push_back({Call, F->getCanonicalDecl(), bodyOf(F)});
      return true;
    });
    if (B.Kernel) {
      B.Reached = true;
      Queue.push_back(&B);
    }
  }
  for (; !Queue.empty(); Queue.pop_front()) {
    Body *B = Queue.front();
    for (const AmpCall &Call : B->Calls) {
      Body *To = Functions.lookup(Call.Callee);
      if (!To || To->Reached)
        continue;
      To->Reached = true;
      To->Caller = B;
      To->CallerCall = Call.Call;
      Queue.push_back(To);
    }
  }
}

//===----------------------------------------------------------------------===//
// Walking code
//===----------------------------------------------------------------------===//

namespace {

class Walker {
public:
  Walker(const Checker &C,
         llvm::function_ref<bool(const Stmt *, Parents)> Visit)
      : C(C), Visit(Visit) {}

  void enter(const Stmt *S) {
    if (!S)
      return;
    // Deep nesting is the input's business, running out of stack would be ours.
    runWithSufficientStackSpace([] {}, [&] { enterHere(S); });
  }

private:
  void enterHere(const Stmt *S) {
    if (!Visit(S, Stack))
      return;
    Stack.push_back(S);
    children(S);
    Stack.pop_back();
  }

  void children(const Stmt *S) {
    if (isa<UnaryExprOrTypeTraitExpr, BlockExpr, OffsetOfExpr>(S))
      return;
    if (const auto *G = dyn_cast<GenericSelectionExpr>(S))
      return enter(G->getResultExpr());
    if (const auto *E = dyn_cast<ChooseExpr>(S))
      return enter(E->getChosenSubExpr());
    if (const auto *D = dyn_cast<DeclStmt>(S)) {
      for (const Decl *Declared : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(Declared))
          if (V->getInit() && !C.Refused.count(V))
            enter(V->getInit());
      return;
    }
    if (const auto *L = dyn_cast<InitListExpr>(S))
      if (const InitListExpr *Semantic =
              L->isSemanticForm() ? L : L->getSemanticForm())
        S = Semantic;
    for (const Stmt *Child : S->children())
      enter(Child);
  }

  const Checker &C;
  llvm::function_ref<bool(const Stmt *, Parents)> Visit;
  llvm::SmallVector<const Stmt *, 32> Stack;
};

} // namespace

void walk(const Checker &C, const Stmt *Root,
          llvm::function_ref<bool(const Stmt *, Parents)> Visit) {
  Walker(C, Visit).enter(Root);
}

const Stmt *parentOf(Parents P) {
  while (!P.empty() && isa<ParenExpr>(P.back()))
    P = P.drop_back();
  return P.empty() ? nullptr : P.back();
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static StringRef textOf(Message M) {
  switch (M) {
#define AMPC_MESSAGE(ID, KEY, TEXT)                                            \
  case Message::KEY:                                                           \
    return TEXT " [" #ID;
#include "check/restrictions.def"
  }
  llvm_unreachable("every message has a text");
}

static StringRef ruleName(StringRef Id) {
#define AMPC_RULE(ID, NAME, SECTION, TEXT)                                     \
  if (Id == #ID)                                                               \
    return NAME;
#include "check/restrictions.def"
  llvm_unreachable("every message belongs to a rule");
}

Report &Report::declared(const NamedDecl *D) {
  if (D && D->getLocation().isValid() && D->getIdentifier() &&
      !D->isImplicit() && !isLibrary(D, C.SM))
    note(D->getLocation(), "'" + D->getName().str() + "' is declared here");
  return *this;
}

Report &Report::tiled(const Body &Kernel) {
  const Launch &L = *Kernel.Kernel;
  if (L.Rank > 3)
    return *this;
  const LangOptions &Language = C.Context.getLangOpts();
  CharSourceRange Written = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(L.Domain->getSourceRange()), C.SM,
      Language);
  std::string Domain =
      Written.isValid() ? Lexer::getSourceText(Written, C.SM, Language).str()
                        : "e";
  StringRef Lengths = L.Rank == 1 ? "64" : L.Rank == 2 ? "8, 8" : "4, 4, 4";
  note(L.Call->getBeginLoc(),
       ("with tiles this is 'parallel_for_each(tile(" + Domain + ", " +
        Lengths + "), ^(tiled_index(" + Lengths +
        ") t) restrict(amp) {'; a tile's lengths divide the domain's")
           .str());
  const auto *Block = cast<BlockDecl>(Kernel.Owner);
  std::string Index = Block->getNumParams() == 1
                          ? "'" + Block->getParamDecl(0)->getName().str() + "'"
                          : "the index";
  return note(L.Block->getCaretLocation(),
              "in such a kernel 't.global' takes the place of " + Index +
                  ", 't.local' is the place within the tile, and "
                  "'tile_barrier_wait(t.barrier)' waits for the tile");
}

Report::~Report() {
  if (!C.Places.insert(C.SM.getFileLoc(F.Loc).getRawEncoding()).second)
    return;
  if (F.Where)
    F.Where->Faulty = true;
  C.Findings.push_back(std::move(F));
}

std::string sentence(Message M) {
  StringRef Text = textOf(M);
  return (Text + " " + ruleName(Text.substr(Text.rfind('[') + 1)) + "]").str();
}

void emit(Unit &U, const Finding &F) {
  DiagnosticsEngine &D = U.Diags;
  std::string Full = sentence(F.M);
  // A fix far off stands at a note of its own.
  SourceManager &SM = U.Sources;
  auto IsHere = [&](const FixItHint &Fix) {
    SourceLocation At = Fix.RemoveRange.getBegin();
    return SM.getFileID(At) == SM.getFileID(SM.getFileLoc(F.Loc)) &&
           SM.getSpellingLineNumber(At) ==
               SM.getSpellingLineNumber(SM.getFileLoc(F.Loc));
  };
  {
    DiagnosticBuilder B = D.Report(F.Loc, D.getDiagnosticIDs()->getCustomDiagID(
                                              DiagnosticIDs::Error, Full));
    for (const std::string &A : F.Args)
      B << A;
    if (F.Range.isValid())
      B << F.Range;
    for (const FixItHint &Fix : F.Fixes)
      if (IsHere(Fix))
        B << Fix;
  }
  unsigned Note =
      D.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::Note, "%0");
  for (const auto &[Loc, NoteText] : F.Notes)
    D.Report(Loc, Note) << NoteText;
  for (const FixItHint &Fix : F.Fixes)
    if (!IsHere(Fix))
      D.Report(Fix.RemoveRange.getBegin(), Note)
          << ("add '" + StringRef(Fix.CodeToInsert).trim() + "' here").str()
          << Fix;
  for (const Body *B = F.Where; B && B->Caller; B = B->Caller)
    D.Report(B->CallerCall->getBeginLoc(), Note)
        << B->name() + " is called from " + B->Caller->name() + " here";
}

bool Checker::finish() {
  llvm::stable_sort(Findings, [&](const Finding &A, const Finding &B) {
    return SM.isBeforeInTranslationUnit(A.Loc, B.Loc);
  });
  for (const Finding &F : Findings)
    emit(U, F);
  return Findings.empty();
}

} // namespace rules

bool check(Unit &U) {
  using namespace rules;
  Checker C(U);
  // Types come first: what is declared wrongly is not looked at again.
  checkClauses(C);
  checkTypes(C);
  checkCalls(C);
  checkDeclarations(C);
  checkLaunches(C);
  checkTileStatic(C);
  checkBarriers(C);
  checkViews(C);
  checkRemaining(C);
  // A block that is used wrongly is the better message.
  if (C.foundNothing())
    checkOtherBlocks(C);
  return C.finish() && warn(C);
}

} // namespace ampc
