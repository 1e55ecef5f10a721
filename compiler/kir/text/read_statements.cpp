//===- read_statements.cpp - statements from text -------------------------===//

#include "kir/text/names.h"
#include "kir/text/reader.h"
#include "kir/walk.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace ampc::kir {

static constexpr unsigned MaxDepth = 20000; // of blocks in blocks

Expr *Reader::whole(Expr *(Reader::*Read)()) {
  Expr *E = (this->*Read)();
  if (E)
    walk(E, [&](const Expr *Node) {
      Places.push_back(&const_cast<Expr *>(Node)->Where);
    });
  return E;
}

bool Reader::endLine(Loc Outer) {
  std::vector<Loc> Read;
  const Token &T = peek();
  if (at(Token::Kind::Locations)) {
    if (IsSource)
      return fail(T, "locations need 'file' lines at the top of the text");
    if (std::optional<std::string> Wrong = Locations.read(next().Text, Read))
      return fail(T, *Wrong);
  }
  if (Read.empty())
    Read.push_back(Outer);
  if (!IsSource)
    for (size_t I = 0; I != Places.size(); ++I)
      *Places[I] = Read[std::min(I, Read.size() - 1)];
  Places.clear();
  if (at(Token::Kind::Newline))
    next();
  else if (!at(Token::Kind::End))
    return unexpected("the end of the line");
  return true;
}

bool Reader::body(Body &B) {
  while (!at("}") && !at("case") && !at("default")) {
    Stmt *S = stmt();
    if (!S)
      return false;
    B.push_back(S);
  }
  return true;
}

Stmt *Reader::stmt() {
  const Token &T = peek();
  ReadStmt Read = &Reader::nestedBlock;
  if (!at("{") && T.is(Token::Kind::Word))
    Read = stmtKeyword(T.Text);
  else if (!at("{"))
    Read = nullptr;
  if (Read) {
    next();
    if (++Depth > MaxDepth)
      return fail(T, "statements that are nested too deeply"), nullptr;
    Stmt *S = (this->*Read)(T);
    --Depth;
    return S;
  }
  Loc Where = locationOf(T);
  Places.push_back(&Where);
  Expr *E = wholeValue();
  if (!E || !endLine())
    return nullptr;
  Stmt *S = make<Eval>(T, E);
  S->Where = Where;
  return S;
}

Stmt *Reader::ended(Stmt *S) {
  Places.push_back(&S->Where);
  return endLine() ? S : nullptr;
}

/// The rest of a line that opens a block, the block, and the closing brace.
bool Reader::block(Body &B, Loc Outer) {
  return expect("{") && endLine(Outer) && body(B) && expect("}");
}

Stmt *Reader::nestedBlock(const Token &Begin) {
  auto *S = make<Block>(Begin, Body());
  Places.push_back(&S->Where);
  return endLine() && body(S->Stmts) && expect("}") && endLine() ? S : nullptr;
}

Stmt *Reader::declare(const Token &Begin) {
  Variable *V = variable(Storage::Local);
  if (!V)
    return nullptr;
  auto *S = make<Declare>(Begin, V, nullptr);
  Places = {&S->Where, &V->Where};
  if (skip("=") && !(S->Init = wholeValue()))
    return nullptr;
  return endLine() ? S : nullptr;
}

Stmt *Reader::store(const Token &Begin) {
  auto *S = make<Store>(Begin, nullptr, nullptr);
  Places.push_back(&S->Where);
  S->Place = wholePlace();
  if (!S->Place || !expect(",") || !(S->Value = wholeValue()))
    return nullptr;
  return endLine() ? S : nullptr;
}

Stmt *Reader::ifStmt(const Token &Begin) {
  auto *S = make<If>(Begin, nullptr, Body(), Body());
  Places.push_back(&S->Where);
  if (!expect("(") || !(S->Condition = wholeValue()) || !expect(")") ||
      !block(S->Then, Loc()))
    return nullptr;
  if (skip("else") && !block(S->Else, Loc()))
    return nullptr;
  return endLine() ? S : nullptr;
}

/// `prelude { ... }`, if it is there.
bool Reader::prelude(Body &B, Loc Outer) {
  return !skip("prelude") || block(B, Outer);
}

/// `(...)`, empty for "true".
bool Reader::condition(Expr *&E) {
  if (!expect("("))
    return false;
  if (skip(")"))
    return true;
  E = wholeValue();
  return E && expect(")");
}

Stmt *Reader::loop(const Token &Begin) {
  auto F = Begin.Text == "for" ? Loop::Form::For : Loop::Form::While;
  auto *S = make<Loop>(Begin, F, Body(), nullptr, Body(), Body());
  Places.push_back(&S->Where);
  if (!prelude(S->Prelude, Loc()) || !condition(S->Condition) ||
      !block(S->Stmts, S->Where))
    return nullptr;
  if (skip("step") && !block(S->Step, Loc()))
    return nullptr;
  return endLine() ? S : nullptr;
}

Stmt *Reader::doLoop(const Token &Begin) {
  auto *S = make<Loop>(Begin, Loop::Form::Do, Body(), nullptr, Body(), Body());
  Places.push_back(&S->Where);
  if (!block(S->Stmts, Loc()) || !prelude(S->Prelude, Loc()) ||
      !expect("while") || !condition(S->Condition))
    return nullptr;
  return endLine(S->Where) ? S : nullptr;
}

/// `case 1, 2, default:` or `default:`
bool Reader::caseLabels(Switch::Case &C, const Type *Subject) {
  bool HasValues = skip("case");
  do {
    if (at("default")) {
      next();
      C.IsDefault = true;
      break;
    }
    if (!HasValues)
      return unexpected("'case' or 'default'");
    const Token &T = peek();
    int64_t Value;
    uint64_t Bits;
    if (!at(Token::Kind::Number))
      return unexpected("a number");
    if (!next().Text.getAsInteger(10, Value))
      Bits = Value;
    else if (T.Text.getAsInteger(10, Bits))
      return fail(T, "'" + T.Text + "' is no number");
    if (Subject->isInt() && Subject->Width < 64)
      Bits &= (uint64_t(1) << Subject->Width) - 1;
    if (Subject->isInt() && integerText(Subject, Bits) != T.Text)
      return fail(T, "'" + T.Text + "' is no value of '" + toString(Subject) +
                         "'");
    C.Values.push_back(Bits);
  } while (skip(","));
  return expect(":") && endLine();
}

Stmt *Reader::switchStmt(const Token &Begin) {
  auto *S = make<Switch>(Begin, nullptr, std::vector<Switch::Case>());
  Places.push_back(&S->Where);
  if (!(S->Subject = wholeValue()) || !expect("{") || !endLine())
    return nullptr;
  while (!at("}")) {
    S->Cases.emplace_back();
    if (!caseLabels(S->Cases.back(), S->Subject->Ty) ||
        !body(S->Cases.back().Stmts))
      return nullptr;
  }
  next();
  return endLine() ? S : nullptr;
}

Stmt *Reader::breakStmt(const Token &Begin) {
  return ended(make<Break>(Begin));
}
Stmt *Reader::continueStmt(const Token &Begin) {
  return ended(make<Continue>(Begin));
}

Stmt *Reader::returnStmt(const Token &Begin) {
  auto *S = make<Return>(Begin, nullptr);
  Places.push_back(&S->Where);
  bool HasValue = !at(Token::Kind::Newline) && !at(Token::Kind::Locations) &&
                  !at(Token::Kind::End);
  if (HasValue && !(S->Value = wholeValue()))
    return nullptr;
  return endLine() ? S : nullptr;
}

std::optional<Fenced> Reader::memory() {
  std::optional<Fenced> Memory;
  if (at(Token::Kind::Word))
    Memory = memoryNamed(peek().Text);
  if (Memory)
    next();
  else
    unexpected("a kind of memory");
  return Memory;
}

Stmt *Reader::barrier(const Token &Begin) {
  std::optional<Fenced> Memory = memory();
  return Memory ? ended(make<Barrier>(Begin, *Memory)) : nullptr;
}
Stmt *Reader::fence(const Token &Begin) {
  std::optional<Fenced> Memory = memory();
  return Memory ? ended(make<Fence>(Begin, *Memory)) : nullptr;
}

Stmt *Reader::report(const Token &Begin) {
  bool Fails = skip("fail");
  if (!Fails && !expect("print"))
    return nullptr;
  if (!at(Token::Kind::String)) {
    unexpected("a format in quotes");
    return nullptr;
  }
  Report *S = M.report(Fails, next().Name, {}, locationOf(Begin));
  Result.Positions[S] = {Begin.Line, Begin.Column};
  Places.push_back(&S->Where);
  while (skip(",")) {
    Expr *Arg = wholeValue();
    if (!Arg)
      return nullptr;
    S->Args.push_back(Arg);
  }
  return endLine() ? S : nullptr;
}

Reader::ReadStmt Reader::stmtKeyword(StringRef Word) {
  return llvm::StringSwitch<ReadStmt>(Word)
      .Case("var", &Reader::declare)
      .Case("store", &Reader::store)
      .Case("if", &Reader::ifStmt)
      .Cases("for", "while", &Reader::loop)
      .Case("do", &Reader::doLoop)
      .Case("switch", &Reader::switchStmt)
      .Case("break", &Reader::breakStmt)
      .Case("continue", &Reader::continueStmt)
      .Case("return", &Reader::returnStmt)
      .Case("barrier", &Reader::barrier)
      .Case("fence", &Reader::fence)
      .Case("report", &Reader::report)
      .Default(nullptr);
}

} // namespace ampc::kir
