//===- statements.cpp - KIR statements in C -------------------------------===//

#include "cpu/printer.h"
#include "kir/progress.h"
#include "kir/reports.h"
#include "llvm/ADT/StringExtras.h"

using namespace ampc::kir;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace ampc::cpu {

//---- names -----------------------------------------------------------------

void Printer::leave() { Scopes.pop_back(); }

/// C's keywords (a variable may have been called so by an earlier standard or
/// by a macro) and what the kernel's own code calls.
static bool isReserved(const std::string &Name) {
  static const std::set<std::string> Words = {
      "asm",     "inline", "restrict", "typeof",   "float_2",  "float_3",
      "int_2",   "int_3",  "uint_2",   "uint",     "float_4",  "int_4",
      "index_2", "sizeof", "NULL",     "double_2", "double_3", "double_4",
      "uint_3",  "uint_4", "int64_t",  "uint64_t", "index_3",  "index_4"};
  return Words.count(Name) != 0;
}

std::string Printer::fresh(const std::string &Like) {
  std::string Plain = Like.empty() ? "tmp" : Like;
  for (char &C : Plain)
    if (!llvm::isAlnum(C) && C != '_' && C != '$' && !(C & 0x80))
      C = '_';
  std::string Name = Plain;
  auto Visible = [&] {
    for (const std::set<std::string> &S : Scopes)
      if (S.count(Name))
        return true;
    return isReserved(Name);
  };
  for (unsigned I = 1; Visible(); ++I)
    Name = Plain + "_" + std::to_string(I);
  Scopes.back().insert(Name);
  return Name;
}

const std::string &Printer::name(const Variable *V) {
  return (Spelling[V] = {fresh(V->Name), Binding::Postfix}).Text;
}

void Printer::call(const Variable *V, std::string As, Binding B) {
  Spelling[V] = {std::move(As), B};
}

//---- text ------------------------------------------------------------------

std::string quotedText(llvm::StringRef S) {
  std::string Result = "\"";
  for (char C : S) {
    if (C == '"' || C == '\\')
      Result += '\\';
    Result += C;
  }
  return Result + "\"";
}

void Printer::line(const std::string &S) {
  if (Lines && Here.Line && (Here.File != Next.File || Here.Line != Next.Line))
    Text += "#line " + std::to_string(Here.Line) + " " +
            quotedText(M.Files[Here.File]) + "\n";
  Next = Here;
  ++Next.Line;
  Text.append(4 * Depth, ' ');
  Text += S + "\n";
}

void Printer::open(const std::string &Before) {
  line(Before.empty() ? "{" : Before + " {");
  ++Depth;
  enter();
}

void Printer::close(const std::string &After) {
  leave();
  --Depth;
  line("}" + After);
}

void Printer::orElse() {
  leave();
  --Depth;
  open("} else");
}

void Printer::locate(Loc Where) {
  if (Where.Line && Where.File < M.Files.size())
    Here = Where;
}

//---- simple statements -----------------------------------------------------

/// Arrays are no values in C: a copy is a memcpy.
void Printer::assignArray(const Expr *Place, const Expr *Value) {
  std::string To = expr(Place, Binding::Unary), Size = "sizeof " + To;
  if (isa<Zero>(Value)) {
    line("__builtin_memset(&" + To + ", 0, " + Size + ");");
    return;
  }
  if (auto *L = dyn_cast<Load>(Value)) {
    line("__builtin_memmove(&" + To + ", &" + expr(L->Place, Binding::Unary) +
         ", " + Size + ");");
    return;
  }
  open("");
  line("const " + T.declare(Value->Ty, "ampc_value") + " = " +
       initialiser(Value) + ";");
  line("__builtin_memcpy(&" + To + ", &ampc_value, " + Size + ");");
  close();
}

void Printer::assign(const Expr *Place, const Expr *Value) {
  if (Place->Ty->isArray())
    return assignArray(Place, Value);
  line(expr(Place, Binding::Unary) + " = " + expr(Value) + ";");
}

void Printer::declare(const Variable *V, const Expr *Init) {
  BoolConst False(V->Ty, false, V->Where);
  if (!Init && V->Ty->isBool()) // any other byte would be no value
    Init = &False;
  if (Elsewhere.count(V)) {
    VarRef To(const_cast<Variable *>(V), V->Where);
    if (Init)
      assign(&To, Init);
    return;
  }
  if (Init && V->Ty->isArray() && isa<Load>(Init)) {
    line(T.declare(V->Ty, name(V)) + ";");
    VarRef To(const_cast<Variable *>(V), Init->Where);
    return assignArray(&To, Init);
  }
  // The initialiser does not see the variable.
  std::string Value = Init ? " = " + initialiser(Init) : "";
  line(T.declare(V->Ty, name(V)) + Value + ";");
}

//---- loops -----------------------------------------------------------------

/// Of a for loop's step: expressions that a comma can join.
std::optional<std::string> Printer::inlineStep(const Body &Step) {
  std::string S;
  for (const Stmt *Each : Step) {
    auto *A = dyn_cast<Store>(Each);
    auto *E = dyn_cast<Eval>(Each);
    if (A ? A->Place->Ty->isArray() : !E)
      return std::nullopt;
    S += S.empty() ? "" : ", ";
    S += A ? expr(A->Place, Binding::Unary) + " = " + expr(A->Value)
           : expr(E->Value);
  }
  return S;
}

/// for (First; Condition; Step) where C can say it so.
bool Printer::plainFor(const Loop *L, const Declare *First) {
  if (!L->Prelude.empty() || (First && First->Var->Ty->isArray()))
    return false;
  for (const Stmt *S : L->Step)
    if (!isa<Store, Eval>(S) ||
        (isa<Store>(S) && cast<Store>(S)->Place->Ty->isArray()))
      return false;
  enter();
  std::string Head = "for (";
  if (First) {
    std::string Value = First->Init ? " = " + initialiser(First->Init) : "";
    Head += T.declare(First->Var->Ty, name(First->Var)) + Value;
  }
  Head += ";";
  if (L->Condition)
    Head += " " + expr(L->Condition, Binding::Comma);
  std::optional<std::string> Step = inlineStep(L->Step);
  Head += ";" + (Step->empty() ? "" : " " + *Step) + ")";
  ContinueLabels.emplace_back();
  open(Head);
  body(L->Stmts);
  close();
  ContinueLabels.pop_back();
  leave();
  return true;
}

void Printer::loop(const Loop *L, const Declare *First) {
  if (L->F == Loop::Form::While && L->Prelude.empty() && L->Step.empty()) {
    ContinueLabels.emplace_back();
    open("while (" + (L->Condition ? expr(L->Condition, Binding::Comma) : "1") +
         ")");
    body(L->Stmts);
    close();
    ContinueLabels.pop_back();
    return;
  }
  if (L->F == Loop::Form::Do && L->Prelude.empty() && L->Step.empty()) {
    ContinueLabels.emplace_back();
    open("do");
    body(L->Stmts);
    close(" while (" +
          (L->Condition ? expr(L->Condition, Binding::Comma) : "1") + ");");
    ContinueLabels.pop_back();
    return;
  }
  if (L->F != Loop::Form::Do && plainFor(L, First))
    return;

  // What C's loops cannot say: statements around the condition.
  if (First) {
    open("");
    declare(First->Var, First->Init);
  }
  auto Head = [&] {
    for (const Stmt *S : L->Prelude)
      stmt(S);
    if (L->Condition)
      line("if (!" + expr(L->Condition, Binding::Unary) + ") break;");
  };
  bool IsDo = L->F == Loop::Form::Do;
  bool ContinueIsTop = !IsDo && L->Step.empty();
  std::string Label =
      ContinueIsTop ? "" : "ampc_continue_" + std::to_string(++Labels);
  open("for (;;)");
  if (!IsDo)
    Head();
  ContinueLabels.push_back(Label);
  ContinueLabelUsed.push_back(false);
  open("");
  body(L->Stmts);
  close();
  ContinueLabels.pop_back();
  if (ContinueLabelUsed.back())
    line(Label + ":;");
  ContinueLabelUsed.pop_back();
  body(L->Step);
  if (IsDo)
    Head();
  close();
  if (First)
    close();
}

//---- statements ------------------------------------------------------------

void Printer::choice(const Switch *S) {
  open("switch (" + expr(S->Subject, Binding::Comma) + ")");
  for (const Switch::Case &C : S->Cases) {
    --Depth;
    for (uint64_t Value : C.Values) {
      IntConst Label(S->Subject->Ty, Value, S->Where);
      line("case " + expr(&Label) + ":");
    }
    if (C.IsDefault)
      line("default:");
    line("{");
    ++Depth;
    enter();
    for (const Stmt *Each : C.Stmts)
      stmt(Each);
    leave();
    --Depth;
    line("}");
    ++Depth;
  }
  close();
}

void Printer::body(const Body &B) {
  for (const Stmt *S : B)
    stmt(S);
}

void Printer::stmt(const Stmt *S) {
  at(M, S->Where);
  // { int k = 0; for (; ...) } is for (int k = 0; ...).
  if (auto *B = dyn_cast<Block>(S); B && B->Stmts.size() == 2)
    if (auto *First = dyn_cast<Declare>(B->Stmts[0]))
      if (auto *L = dyn_cast<Loop>(B->Stmts[1]); L && L->F == Loop::Form::For &&
                                                 L->Prelude.empty() &&
                                                 !First->Var->Ty->isArray()) {
        locate(First->Where);
        return loop(L, First);
      }
  if (!isa<Block>(S))
    locate(S->Where);
  switch (S->K) {
  case Stmt::Kind::Declare:
    return declare(cast<Declare>(S)->Var, cast<Declare>(S)->Init);
  case Stmt::Kind::Store:
    return assign(cast<Store>(S)->Place, cast<Store>(S)->Value);
  case Stmt::Kind::Eval:
    return line(expr(cast<Eval>(S)->Value, Binding::Comma) + ";");
  case Stmt::Kind::Block:
    open("");
    body(cast<Block>(S)->Stmts);
    return close();
  case Stmt::Kind::If: {
    auto *X = cast<If>(S);
    if (std::optional<bool> Known = knownCondition(X->Condition)) {
      const Body &Chosen = *Known ? X->Then : X->Else;
      if (Chosen.empty())
        return;
      open("");
      body(Chosen);
      return close();
    }
    open("if (" + expr(X->Condition, Binding::Comma) + ")");
    body(X->Then);
    if (!X->Else.empty()) {
      orElse();
      body(X->Else);
    }
    return close();
  }
  case Stmt::Kind::Loop:
    return loop(cast<Loop>(S), nullptr);
  case Stmt::Kind::Switch:
    return choice(cast<Switch>(S));
  case Stmt::Kind::Break:
    return line("break;");
  case Stmt::Kind::Continue:
    if (ContinueLabels.empty() || ContinueLabels.back().empty())
      return line("continue;");
    ContinueLabelUsed.back() = true;
    return line("goto " + ContinueLabels.back() + ";");
  case Stmt::Kind::Return: {
    const Expr *Value = cast<Return>(S)->Value;
    if (!ReturnLabel.empty()) {
      ReturnLabelUsed = true;
      return line("goto " + ReturnLabel + ";");
    }
    return line(Value ? "return " + expr(Value) + ";" : "return;");
  }
  case Stmt::Kind::Report: {
    auto *R = cast<Report>(S);
    std::string Kinds = argumentKinds(R);
    std::string Call = R->Fails ? "ampc_kernel_fail(" : "ampc_kernel_print(";
    Call += std::to_string(R->Number) + ", \"" + Kinds + "\"";
    for (size_t I = 0; I != Kinds.size(); ++I) {
      Call += Kinds[I] == 'l'   ? ", (long long)"
              : Kinds[I] == 'L' ? ", (unsigned long long)"
                                : ", ";
      Call += expr(R->Args[I], Kinds[I] == 'l' || Kinds[I] == 'L'
                                   ? Binding::Unary
                                   : Binding::Assignment);
    }
    return line(Call + ");");
  }
  case Stmt::Kind::Barrier:
  case Stmt::Kind::Fence:
    return; // one thread runs the whole tile
  }
  llvm_unreachable("every kind of statement is above");
}

} // namespace ampc::cpu
