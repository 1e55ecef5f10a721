//===- statements.cpp - the walk over host statements ---------------------===//

#include "hostc/host.h"
#include "hostc/report.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace ampc::hostc {

void Host::visit(const Stmt *S, Use How) {
  if (!S)
    return;
  if (const auto *E = dyn_cast<Expr>(S))
    visitExpression(E, How);
  else
    visitStatement(S);
}

// An expression there is a statement: its value is nobody's.
static bool isBody(const Stmt *S, const Stmt *Child) {
  if (const auto *If = dyn_cast<IfStmt>(S))
    return Child == If->getThen() || Child == If->getElse();
  if (const auto *While = dyn_cast<WhileStmt>(S))
    return Child == While->getBody();
  if (const auto *Do = dyn_cast<DoStmt>(S))
    return Child == Do->getBody();
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    return Child == Switch->getBody();
  if (const auto *Case = dyn_cast<SwitchCase>(S))
    return Child == Case->getSubStmt();
  return isa<LabelStmt, AttributedStmt>(S);
}

void Host::visitStatement(const Stmt *S) {
  if (const auto *Block = dyn_cast<CompoundStmt>(S))
    return visitBlock(Block);
  if (const auto *For = dyn_cast<ForStmt>(S))
    return visitFor(For);
  if (const auto *Return = dyn_cast<ReturnStmt>(S))
    return visitReturn(Return);
  if (const auto *Declare = dyn_cast<DeclStmt>(S)) {
    std::string Owning;
    Jumps::Interval Scope =
        Blocks.empty() ? Jumps::Interval{0, 0} : Flow->after(S, Blocks.back());
    for (const Decl *D : Declare->decls()) {
      if (const auto *V = dyn_cast<VarDecl>(D))
        Owning += own(V, Scope);
      visitDeclaration(D);
    }
    if (!Owning.empty())
      T.insertAfter(S->getEndLoc(), Owning);
    return;
  }
  for (const Stmt *Child : S->children())
    visit(Child, {false, false, isBody(S, Child)});
}

void Host::visitBlock(const CompoundStmt *S, bool HasValue) {
  Blocks.push_back(S);
  for (const Stmt *Child : S->body())
    visit(Child, {false, false, !HasValue || Child != S->body_back()});
  while (!Owners.empty() && Owners.back().Depth >= Blocks.size())
    Owners.pop_back();
  Blocks.pop_back();
}

// A view in the first clause lives as long as the loop: the loop moves into a
// block with the declaration and its owner.
void Host::visitFor(const ForStmt *S) {
  size_t OwnersBefore = Owners.size();
  std::string Owning;
  if (const auto *Init = dyn_cast_or_null<DeclStmt>(S->getInit())) {
    for (const Decl *D : Init->decls()) {
      if (const auto *V = dyn_cast<VarDecl>(D))
        Owning += own(V, {Flow->inside(Init).End, Flow->inside(S).End});
      visitDeclaration(D);
    }
    if (!Owning.empty()) {
      T.replace({S->getForLoc(), Init->getEndLoc()},
                {"{ ", Init->getSourceRange(), Owning + " for (;"});
      T.insertAfter(endOfStatement(S), " }");
    }
  } else {
    visit(S->getInit(), {false, false, true});
  }
  visit(S->getCond());
  visit(S->getInc(), {false, false, true});
  visit(S->getBody(), {false, false, true});
  while (Owners.size() > OwnersBefore && Owners.back().Depth >= Blocks.size())
    Owners.pop_back();
}

void Host::visitReturn(const ReturnStmt *S) {
  const Expr *Value = S->getRetValue();
  if (!Value)
    return;
  if (containsView(Value->getType()))
    handOver(Value);
  visit(Value);
}

// The last token of a statement, its semicolon included.
SourceLocation Host::endOfStatement(const Stmt *S) {
  for (;;) {
    if (const auto *For = dyn_cast<ForStmt>(S))
      S = For->getBody();
    else if (const auto *While = dyn_cast<WhileStmt>(S))
      S = While->getBody();
    else if (const auto *If = dyn_cast<IfStmt>(S))
      S = If->getElse() ? If->getElse() : If->getThen();
    else if (const auto *Switch = dyn_cast<SwitchStmt>(S))
      S = Switch->getBody();
    else if (const auto *Label = dyn_cast<LabelStmt>(S))
      S = Label->getSubStmt();
    else if (const auto *Case = dyn_cast<SwitchCase>(S))
      S = Case->getSubStmt();
    else
      break;
  }
  if (isa<CompoundStmt, NullStmt>(S))
    return S->getEndLoc();
  return semicolonAfter(S->getEndLoc());
}

SourceLocation Host::semicolonAfter(SourceLocation L) {
  if (L.isMacroID()) {
    SourceLocation End;
    if (!Lexer::isAtEndOfMacroExpansion(L, U.Sources, U.Context.getLangOpts(),
                                        &End)) {
      refuse(L, "this statement in a macro (put it into braces)");
      return L;
    }
    L = End;
  }
  for (;;) {
    std::optional<Token> Next =
        Lexer::findNextToken(L, U.Sources, U.Context.getLangOpts());
    if (!Next || Next->is(tok::eof)) {
      refuse(L, "this statement (its end was not found)");
      return L;
    }
    L = Next->getLocation();
    if (Next->is(tok::semi))
      return L;
  }
}

} // namespace ampc::hostc
