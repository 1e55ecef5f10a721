//===- warnings_arithmetic.cpp - double by accident, slow divisions, loops
//-===//

#include "check/warner.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace ampc::rules {
namespace {

class ArithmeticWarnings {
public:
  explicit ArithmeticWarnings(Warner &W) : W(W), C(W.C) {}

  void run() {
    for (const Body &B : C.Bodies) {
      if (!B.Amp)
        continue;
      promotions(B);
      if (W.isOn(Warning::SignedDivision))
        divisions(B);
      if (W.isOn(Warning::IterationLimit))
        iterations(B.Root);
    }
  }

private:
  //---- double-promotion ----------------------------------------------------

  /// The double literal that makes a calculation with a float one in double.
  const FloatingLiteral *doubleLiteral(const Expr *E) const {
    E = E->IgnoreParens();
    if (const auto *Op = dyn_cast<UnaryOperator>(E))
      if (Op->getOpcode() == UO_Minus || Op->getOpcode() == UO_Plus)
        E = Op->getSubExpr()->IgnoreParens();
    const auto *L = dyn_cast<FloatingLiteral>(E);
    return L && L->getType()->isSpecificBuiltinType(BuiltinType::Double)
               ? L
               : nullptr;
  }

  static bool isFloat(const Expr *E) {
    const auto *Cast = dyn_cast<ImplicitCastExpr>(E->IgnoreParens());
    QualType T = Cast && Cast->getCastKind() == CK_FloatingCast
                     ? Cast->getSubExpr()->getType()
                     : E->getType();
    return T->isSpecificBuiltinType(BuiltinType::Float);
  }

  void promotions(const Body &B) {
    walk(C, B.Root, [&](const Stmt *S, Parents) {
      const auto *Op = dyn_cast<BinaryOperator>(S);
      if (!Op || Op->getOpcode() == BO_Assign || Op->getOpcode() == BO_Comma)
        return true;
      const Expr *L = Op->getLHS(), *R = Op->getRHS();
      const FloatingLiteral *Literal = isFloat(L)   ? doubleLiteral(R)
                                       : isFloat(R) ? doubleLiteral(L)
                                                    : nullptr;
      if (!Literal)
        return true;
      CharSourceRange Text = Lexer::makeFileCharRange(
          CharSourceRange::getTokenRange(Literal->getSourceRange()), C.SM,
          C.Context.getLangOpts());
      std::string Written =
          Text.isValid()
              ? Lexer::getSourceText(Text, C.SM, C.Context.getLangOpts()).str()
              : "the literal";
      W.warn(Warning::DoublePromotion, Literal->getLocation(),
             "'" + Written +
                 "' is a double, so the float is calculated with in "
                 "double: write '" +
                 Written + "f'",
             nullptr,
             Text.isValid() && !Text.getEnd().isMacroID()
                 ? FixItHint::CreateInsertion(Text.getEnd(), "f")
                 : FixItHint());
      return true;
    });
  }

  //---- signed-division -----------------------------------------------------

  void divisions(const Body &B) {
    walk(C, B.Root, [&](const Stmt *S, Parents P) {
      const auto *Op = dyn_cast<BinaryOperator>(S);
      if (!Op)
        return true;
      bool Divides =
          Op->getOpcode() == BO_Div || Op->getOpcode() == BO_DivAssign;
      bool Remains =
          Op->getOpcode() == BO_Rem || Op->getOpcode() == BO_RemAssign;
      bool InLoop = llvm::any_of(P, [](const Stmt *Outer) {
        return isa<ForStmt, WhileStmt, DoStmt>(Outer);
      });
      QualType T = Op->getRHS()->getType();
      if ((!Divides && !Remains) || !InLoop || !T->isSignedIntegerType() ||
          Op->getRHS()->isEvaluatable(C.Context))
        return true;
      W.warn(Warning::SignedDivision, Op->getOperatorLoc(),
             std::string("a signed ") + (Divides ? "division" : "remainder") +
                 " by what is not a constant, in a loop: an unsigned one is "
                 "faster, where neither side is negative");
      return true;
    });
  }

  //---- iteration-limit -----------------------------------------------------

  static constexpr uint64_t Limit = 65535;

  /// How many iterations S takes at most, all loops in it together; more than
  /// the limit is reported, once, and counts for nothing around.
  uint64_t iterations(const Stmt *S) {
    if (!S)
      return 0;
    uint64_t Total = 0;
    for (const Stmt *Child : S->children())
      Total = std::min(Total + iterations(Child), Limit + 1);
    if (!isa<ForStmt, WhileStmt, DoStmt>(S)) {
      if (Total > Limit) {
        W.warn(Warning::IterationLimit, S->getBeginLoc(),
               "the loops here take more than 65,535 iterations together: "
               "lavapipe ends a work item that passes them");
        return 0;
      }
      return Total;
    }
    std::optional<uint64_t> Times = tripCount(S);
    if (Times && *Times * (Total + 1) <= Limit)
      return *Times * (Total + 1);
    W.warn(Warning::IterationLimit, S->getBeginLoc(),
           Times ? "this loop takes " + std::to_string(*Times * (Total + 1)) +
                       " iterations, with those in it: lavapipe ends a work "
                       "item that passes 65,535"
                 : "nothing bounds the iterations of this loop at compile "
                   "time: lavapipe ends a work item that passes 65,535");
    return 0;
  }

  std::optional<int64_t> constant(const Expr *E) const {
    Expr::EvalResult Value;
    if (!E || !E->EvaluateAsInt(Value, C.Context))
      return std::nullopt;
    return Value.Val.getInt().getExtValue();
  }

  /// for (k = A; k < B; k += S) and its like, with constants, where the body
  /// leaves k alone; at most 2^32.
  std::optional<uint64_t> tripCount(const Stmt *S) const {
    const auto *For = dyn_cast<ForStmt>(S);
    if (!For || !For->getInit() || !For->getCond() || !For->getInc())
      return std::nullopt;
    const VarDecl *K = nullptr;
    std::optional<int64_t> From;
    if (const auto *D = dyn_cast<DeclStmt>(For->getInit());
        D && D->isSingleDecl()) {
      K = dyn_cast<VarDecl>(D->getSingleDecl());
      From = K ? constant(K->getInit()) : std::nullopt;
    } else if (const auto *Set = dyn_cast<BinaryOperator>(For->getInit());
               Set && Set->getOpcode() == BO_Assign) {
      K = namedVariable(Set->getLHS());
      From = constant(Set->getRHS());
    }
    const auto *Test = dyn_cast<BinaryOperator>(For->getCond()->IgnoreParens());
    if (!K || !From || !Test || !Test->isRelationalOp() ||
        namedVariable(Test->getLHS()) != K || isSet(K, For->getBody()))
      return std::nullopt;
    std::optional<int64_t> To = constant(Test->getRHS());
    if (!To)
      return std::nullopt;
    bool Up = Test->getOpcode() == BO_LT || Test->getOpcode() == BO_LE;
    if (Test->getOpcode() == BO_LE)
      ++*To;
    else if (Test->getOpcode() == BO_GE)
      --*To;
    auto Next = step(For->getInc(), K);
    if (!Next)
      return std::nullopt;
    auto [Kind, By] = *Next;
    uint64_t Times = 0;
    if (Kind == Adds) {
      if (By == 0 || (By > 0) != Up)
        return std::nullopt;
      int64_t Distance = Up ? *To - *From : *From - *To, Step = std::abs(By);
      Times = Distance <= 0 ? 0 : (Distance + Step - 1) / Step;
    } else {
      // Multiplied or divided: few, but only towards the bound.
      if (By < 2 || (Kind == Multiplies) != Up || *From <= 0 || *To < 0)
        return std::nullopt;
      for (int64_t N = *From; Up ? N < *To : N > *To; ++Times)
        N = Kind == Multiplies ? N * By : N / By;
    }
    return std::min<uint64_t>(Times, uint64_t(1) << 32);
  }

  enum StepKind { Adds, Multiplies, Divides };

  std::optional<std::pair<StepKind, int64_t>> step(const Expr *E,
                                                   const VarDecl *K) const {
    E = E->IgnoreParens();
    if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
      if (!Op->isIncrementDecrementOp() || namedVariable(Op->getSubExpr()) != K)
        return std::nullopt;
      return std::pair(Adds, int64_t(Op->isIncrementOp() ? 1 : -1));
    }
    const auto *Op = dyn_cast<BinaryOperator>(E);
    std::optional<int64_t> By = Op ? constant(Op->getRHS()) : std::nullopt;
    if (!By || namedVariable(Op->getLHS()) != K)
      return std::nullopt;
    switch (Op->getOpcode()) {
    case BO_AddAssign:
      return std::pair(Adds, *By);
    case BO_SubAssign:
      return std::pair(Adds, -*By);
    case BO_MulAssign:
      return std::pair(Multiplies, *By);
    case BO_DivAssign:
      return std::pair(Divides, *By);
    case BO_ShlAssign:
      return std::pair(Multiplies, int64_t(1) << (*By & 31));
    case BO_ShrAssign:
      return std::pair(Divides, int64_t(1) << (*By & 31));
    default:
      return std::nullopt;
    }
  }

  /// Is K assigned to, or its address taken?
  bool isSet(const VarDecl *K, const Stmt *Body) const {
    bool Found = false;
    walk(C, Body, [&](const Stmt *S, Parents P) {
      const auto *Use = dyn_cast<DeclRefExpr>(S);
      if (Use && Use->getDecl() == K) {
        const auto *Cast = dyn_cast_or_null<CastExpr>(parentOf(P));
        Found |= !Cast || Cast->getCastKind() != CK_LValueToRValue;
      }
      return true;
    });
    return Found;
  }

  Warner &W;
  Checker &C;
};

} // namespace

void warnArithmetic(Warner &W) { ArithmeticWarnings(W).run(); }

} // namespace ampc::rules
