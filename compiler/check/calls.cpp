//===- calls.cpp - rules S5, S7 to S10: who may call whom -----------------===//

#include "check/rules.h"
#include "frontend/builtins.h"
#include "frontend/formats.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace ampc::rules {
namespace {

/// What to write in amp code instead of a host function (rule F6).
StringRef insteadOf(const Checker &C, const FunctionDecl *F) {
  return llvm::StringSwitch<StringRef>(F->getName())
      .Cases("malloc", "calloc", "realloc", "free", "aligned_alloc",
             "__builtin_malloc", "__builtin_calloc",
             ": use a local array, 'tile_static' memory or a view")
      .Cases("printf", "__builtin_printf", "fprintf", "puts", "putchar", "fputs",
             ": write 'amp_printf'")
      .Cases("abort", "exit", "_Exit", "__assert_fail", "__assert_rtn",
             ": write 'amp_abort' or 'amp_errorf'")
      .Cases("memcpy", "memmove", "memset", "__builtin_memcpy",
             "__builtin_memset",
             ": assign structs as a whole, arrays in a loop")
      .Cases("setjmp", "_setjmp", "longjmp", "__sigsetjmp",
             ": write a loop or 'return'")
      .Case("parallel_for_each", ": a kernel cannot launch another kernel")
      .Cases("rand", "srand", "time", "clock",
             ": let the kernel capture the number")
      .Default(
          C.isUser(F) && !F->getBuiltinID()
              ? ": make it 'restrict(cpu, amp)', or do the work on the host"
              : ": do the work on the host");
}

/// The name that the user wrote: a macro's for the library's hidden functions.
std::string calledName(const Checker &C, const CallExpr *Call,
                       const FunctionDecl *F) {
  SourceLocation Loc = Call->getBeginLoc();
  if (isLibrary(F, C.SM) && Loc.isMacroID() &&
      F->getName().starts_with("amp_make"))
    return Lexer::getImmediateMacroName(Loc, C.SM, C.Context.getLangOpts())
        .str();
  return F->getName().str();
}

bool mayCallInAmp(const FunctionDecl *F, const SourceManager &SM) {
  return isAmp(F->getMostRecentDecl(), SM) || isStandardBuiltin(F, SM);
}

/// The clause that a user's function lacks, on each of its declarations.
void addClauses(Checker &C, Report &R, const FunctionDecl *F) {
  for (const FunctionDecl *D : F->redecls()) {
    FunctionTypeLoc Type = D->getFunctionTypeLoc();
    if (!C.isUser(D) || restrictionOf(D, C.SM).Written || !Type ||
        Type.getRParenLoc().isMacroID())
      return;
    R.insert(Lexer::getLocForEndOfToken(Type.getRParenLoc(), 0, C.SM,
                                        C.Context.getLangOpts()),
             " restrict(cpu, amp)");
  }
}

void checkFormats(Checker &C, const CallExpr *Call, const Body &B) {
  StringRef Name = libraryCallee(Call, C.SM);
  if (Name != "amp_printf" && Name != "amp_errorf")
    return;
  checkFormat(Call, C.Context, [&](const FormatProblem &P) {
    auto Error = [&](Message M, std::vector<std::string> Args) {
      Args.insert(Args.begin(), Name.str());
      C.error(M, P.At, std::move(Args)).in(B);
    };
    switch (P.K) {
    case FormatProblem::Kind::NotLiteral:
      return Error(Message::FormatLiteral, {});
    case FormatProblem::Kind::Conversion:
      return Error(Message::FormatConversion, {P.Spelling});
    case FormatProblem::Kind::Argument:
      if (!viewType(P.Got)) // rule V5
        Error(Message::FormatArgument,
              {P.Spelling, P.Wanted, C.typeName(P.Got)});
      return;
    case FormatProblem::Kind::TooFew:
      return Error(Message::FormatTooFew, {P.Spelling});
    case FormatProblem::Kind::TooMany:
      return Error(Message::FormatTooMany, {});
    case FormatProblem::Kind::Length:
      return Error(Message::FormatLength,
                   {std::to_string(MostFormatArguments)});
    }
  });
}

void checkCall(Checker &C, const CallExpr *Call, const Body &B) {
  const FunctionDecl *F = Call->getDirectCallee();
  SourceLocation Loc = Call->getBeginLoc();
  if (!F) {
    // A block that is called is rule S10's, a refused variable was reported.
    const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
    const auto *Ref = dyn_cast<DeclRefExpr>(Callee);
    if (isa<BlockExpr>(Callee) || (Ref && C.Refused.count(Ref->getDecl())))
      return;
    if (B.Amp)
      C.error(Message::IndirectCall, Loc).in(B).mark(Call->getSourceRange());
    return;
  }
  if (!F->getIdentifier())
    return;
  Restriction R = restrictionOf(F->getMostRecentDecl(), C.SM);
  std::string Name = calledName(C, Call, F);
  const FunctionDecl *Caller = B.function();
  if (!B.Amp) {
    if (R.Amp && !R.Cpu)
      C.error(Message::HostCallsAmp, Loc, {Name}).in(B).declared(F);
  } else if (!mayCallInAmp(F, C.SM)) {
    // alloca is not a call but a kind of variable: rule D2.
    if (F->getBuiltinID() && F->getName().contains("alloca"))
      return;
    std::string Hint = insteadOf(C, F).str();
    // Of Clang's own spellings, the ones that C has a name for.
    if (StringRef Plain = F->getName(); Plain.consume_front("__builtin_"))
      for (const NamedDecl *D :
           C.Context.getTranslationUnitDecl()->lookup(&C.Context.Idents.get(Plain)))
        if (const auto *Known = dyn_cast<FunctionDecl>(D))
          if (mayCallInAmp(Known, C.SM))
            Hint = (": write '" + Plain + "'").str();
    Report Error = B.Cpu && Caller
                       ? C.error(Message::BothCallsCpu, Loc,
                                 {Caller->getName().str(), Name, Hint})
                       : C.error(Message::CallsCpu, Loc, {Name, Hint});
    Error.in(B).declared(C.isUser(F) ? F : nullptr);
    addClauses(C, Error, F);
  } else if (!F->hasPrototype() && !F->getBuiltinID() &&
             Call->getNumArgs()) {
    C.error(Message::NoPrototype, Loc, {Name}).in(B).declared(F);
  } else if (B.Cpu && !Caller && R.Amp && !R.Cpu && C.isUser(F)) {
    C.error(Message::KernelCallsAmp, Loc, {Name}).in(B).declared(F);
  } else if (B.Cpu && Caller && R.Amp && !R.Cpu) {
    C.error(Message::BothCallsAmp, Loc, {Caller->getName().str(), Name})
        .in(B)
        .declared(F);
  }
}

//===----------------------------------------------------------------------===//
// S9: addresses of functions; S10: blocks
//===----------------------------------------------------------------------===//

class Uses {
public:
  Uses(Checker &C, const Body &B) : C(C), B(B) {}

  void run() {
    walk(C, B.Root, [&](const Stmt *S, Parents P) {
      if (const auto *Call = dyn_cast<CallExpr>(S)) {
        checkCall(C, Call, B);
        if (B.Amp)
          checkFormats(C, Call, B);
        Callees.insert(Call->getCallee()->IgnoreParenImpCasts());
        if (!B.Amp && libraryCallee(Call, C.SM) == "parallel_for_each")
          launch(Call);
      } else if (isa<AtomicExpr>(S)) {
        if (B.Amp)
          C.error(Message::HostAtomic, S->getBeginLoc()).in(B);
      } else if (const auto *E = dyn_cast<DeclRefExpr>(S)) {
        if (const auto *F = dyn_cast<FunctionDecl>(E->getDecl()))
          if (!Callees.count(E))
            address(E, F, P);
      } else if (const auto *Block = dyn_cast<BlockExpr>(S)) {
        Blocks.push_back(Block);
      }
      return true;
    });
    for (const BlockExpr *Block : Blocks)
      if (!Known.count(Block) && !inAmpCall(Block))
        C.error(Message::BlockElsewhere, Block->getBeginLoc()).in(B);
  }

private:
  void address(const DeclRefExpr *E, const FunctionDecl *F, Parents P) {
    // A call like (*f)(x) has its callee below an operator.
    Restriction R = restrictionOf(F->getMostRecentDecl(), C.SM);
    for (const Stmt *Parent : llvm::reverse(P)) {
      if (isa<ParenExpr, ImplicitCastExpr, UnaryOperator>(Parent))
        continue;
      const auto *Call = dyn_cast<CallExpr>(Parent);
      if (!B.Amp && Call && Call->getDirectCallee() == F &&
          !llvm::is_contained(Call->arguments(), E->IgnoreParens()))
        if (calleeHolds(Call, E))
          return;
      break;
    }
    if (B.Amp)
      C.error(Message::AmpAddress, E->getLocation(), {F->getName().str()})
          .in(B);
    else if (R.Amp && !R.Cpu)
      C.error(Message::HostAddress, E->getLocation(), {F->getName().str()})
          .in(B)
          .declared(F);
  }

  static bool calleeHolds(const CallExpr *Call, const DeclRefExpr *E) {
    const Expr *Callee = Call->getCallee();
    while (true) {
      Callee = Callee->IgnoreParenImpCasts();
      if (const auto *Op = dyn_cast<UnaryOperator>(Callee))
        Callee = Op->getSubExpr();
      else
        return Callee == E;
    }
  }

  void launch(const CallExpr *Call) {
    if (!Call->getNumArgs())
      return;
    const Expr *Arg =
        Call->getArg(Call->getNumArgs() - 1)->IgnoreParenImpCasts();
    if (const auto *Block = dyn_cast<BlockExpr>(Arg)) {
      if (!B.function())
        return; // in a global initialiser: refused as a block elsewhere
      Known.insert(Block);
      // A clause with neither word in it is S2's business.
      Restriction R = restrictionOf(Block->getBlockDecl(), C.SM);
      if (R.Cpu && !R.Amp)
        C.error(Message::BlockNotAmp, Block->getCaretLocation()).in(B);
      return;
    }
    const auto *Ref = dyn_cast<DeclRefExpr>(Arg);
    const auto *Variable = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (Variable && Variable->getAnyInitializer())
      if (const auto *Stored = dyn_cast<BlockExpr>(
              Variable->getAnyInitializer()->IgnoreParenImpCasts()))
        Known.insert(Stored); // its use is the mistake
    C.error(Message::NotLiteral, Arg->getBeginLoc(),
            {Variable ? "'" + Variable->getName().str() + "'"
                      : std::string("an expression")})
        .in(B)
        .declared(Variable);
  }

  // In amp code a launch is refused as a call already.
  bool inAmpCall(const BlockExpr *Block) const {
    if (!B.Amp)
      return false;
    for (const Launch &L : C.U.Launches)
      if (L.Block == Block)
        return true;
    return false;
  }

  Checker &C;
  const Body &B;
  llvm::DenseSet<const Expr *> Callees;
  llvm::DenseSet<const BlockExpr *> Known;
  std::vector<const BlockExpr *> Blocks;
};

//===----------------------------------------------------------------------===//
// S7: bodies; S8: recursion
//===----------------------------------------------------------------------===//

void checkVisible(Checker &C, const Body &B) {
  if (!B.Reached)
    return;
  for (const AmpCall &Call : B.Calls)
    if (!Call.Target)
      C.error(Message::NoBody, Call.Call->getBeginLoc(),
              {Call.Callee->getName().str()})
          .in(B)
          .declared(Call.Callee);
}

class Cycles {
public:
  explicit Cycles(Checker &C) : C(C) {}

  void visit(const Body &B) {
    if (!Done.insert(&B).second)
      return;
    OnPath[&B] = Path.size();
    for (const AmpCall &Call : B.Calls) {
      if (!Call.Target)
        continue;
      Path.push_back({&B, &Call});
      auto At = OnPath.find(Call.Target);
      if (At != OnPath.end())
        report(At->second);
      else
        visit(*Call.Target);
      Path.pop_back();
    }
    OnPath.erase(&B);
  }

private:
  struct Step {
    const Body *From;
    const AmpCall *Call;
  };

  // The cycle is Path[From..]; it is told from the function that stands first
  // in the source.
  void report(size_t From) {
    std::vector<Step> Cycle(Path.begin() + From, Path.end());
    auto Earlier = [&](const Step &A, const Step &B) {
      return C.SM.isBeforeInTranslationUnit(A.From->Owner->getLocation(),
                                            B.From->Owner->getLocation());
    };
    std::rotate(Cycle.begin(),
                std::min_element(Cycle.begin(), Cycle.end(), Earlier),
                Cycle.end());
    std::string Text = Cycle.front().From->name();
    for (const Step &S : Cycle)
      Text += (&S == &Cycle.front() ? " calls " : ", which calls ") +
              S.Call->Target->name();
    if (Cycle.size() == 1)
      Text = Cycle.front().From->name() + " calls itself";
    Report R = C.error(Message::Recursion,
                       Cycle.front().From->Owner->getLocation(), {Text});
    R.in(*Cycle.front().From);
    for (const Step &S : Cycle)
      R.note(S.Call->Call->getBeginLoc(),
             S.From->name() + " calls " + S.Call->Target->name() + " here");
  }

  Checker &C;
  std::vector<Step> Path;
  llvm::DenseMap<const Body *, size_t> OnPath;
  llvm::DenseSet<const Body *> Done;
};

} // namespace

void checkCalls(Checker &C) {
  Cycles Find(C);
  for (const Body &B : C.Bodies) {
    Uses(C, B).run();
    if (B.Amp) {
      checkVisible(C, B);
      Find.visit(B);
    }
  }
}

} // namespace ampc::rules
