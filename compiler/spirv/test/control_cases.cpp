//===- control_cases.cpp - loops, switches, returns, barriers -------------===//

#include "spirv/test/cases.h"

namespace ampc::test {

namespace {
/// A kernel with `int *out` and a local `sum` that it stores at the end.
struct Summing {
  Builder &B;
  Variable *Out, *Sum;

  Summing(Builder &B, const char *Name) : B(B) {
    B.kernel(Name, 1);
    Out = B.capture("out", B.view(B.Int, 1));
    Sum = B.var("sum", B.Int);
    B.K->Stmts = {B.declare(Sum, B.i(0))};
  }
  Expr *index() { return B.get(B.K->Indices[0]); }
  Stmt *add(Expr *Value) { return B.set(Sum, B.add(B.get(Sum), Value)); }
  void body(std::vector<Stmt *> Stmts) {
    B.K->Stmts.insert(B.K->Stmts.end(), Stmts.begin(), Stmts.end());
    B.K->Stmts.push_back(B.store(B.in(Out, {index()}), B.get(Sum)));
  }
};
} // namespace

/// while (n < 10 && out[n] != 7) ++n: the check takes several blocks.
static void longCondition(Builder &B) {
  Summing S(B, "long_condition");
  Expr *Element = B.load(B.in(S.Out, {B.get(S.Sum)}));
  Expr *Right = B.binary(BinaryOp::Ne, Element, B.i(7));
  Expr *Condition = B.M.make<Logical>(true, B.lt(B.get(S.Sum), B.i(10)), Right,
                                      B.at(2));
  S.body({B.loop(Loop::Form::While, {}, Condition, {S.add(B.i(1))})});
}

/// for (k = 0; k < 8; ++k) switch (k) { case 1: case 4: continue; case 2: sum
/// += 1; default: sum += 10; case 5: sum += 100; break; case 6: return; }
static void switchInLoop(Builder &B) {
  Summing S(B, "switch_in_loop");
  Variable *K = B.var("k", B.Int);
  std::vector<Switch::Case> Cases = {
      {{1, 4}, false, {B.goOn()}},
      {{2}, false, {S.add(B.i(1))}},
      {{}, true, {S.add(B.i(10))}},
      {{5}, false, {S.add(B.i(100)), B.breakOut(), S.add(B.i(1000))}},
      {{6}, false, {B.ret()}}};
  S.body({B.declare(K, B.i(0)),
          B.loop(Loop::Form::For, {}, B.lt(B.get(K), B.i(8)),
                 {B.switchOn(B.get(K), std::move(Cases))},
                 {B.set(K, B.add(B.get(K), B.i(1)))})});
}

/// for (;;) {}: the merge block exists all the same.
static void endless(Builder &B) {
  Summing S(B, "endless");
  S.body({B.loop(Loop::Form::For, {}, nullptr, {S.add(B.i(1))})});
}

/// for (;;) { if (sum > 9) break; if (sum & 1) { sum += 3; continue; } ++sum; }
static void breakAndContinue(Builder &B) {
  Summing S(B, "break_and_continue");
  Expr *Odd = B.convert(B.Bool, B.binary(BinaryOp::And, B.get(S.Sum), B.i(1)));
  S.body({B.loop(
      Loop::Form::For, {}, nullptr,
      {B.ifThen(B.binary(BinaryOp::Gt, B.get(S.Sum), B.i(9)), {B.breakOut()}),
       B.ifThen(Odd, {S.add(B.i(3)), B.goOn()}), S.add(B.i(1))})});
}

/// do { if (sum == 3) continue; sum += 2; } while (sum < 9 && out[sum] < 1);
static void doWhile(Builder &B) {
  Summing S(B, "do_while");
  Expr *Element = B.load(B.in(S.Out, {B.get(S.Sum)}));
  Expr *Condition =
      B.M.make<Logical>(true, B.lt(B.get(S.Sum), B.i(9)),
                        B.lt(Element, B.i(1)), B.at(2));
  S.body({B.loop(Loop::Form::Do, {}, Condition,
                 {B.ifThen(B.eq(B.get(S.Sum), B.i(3)), {B.goOn()}),
                  S.add(B.i(2))})});
}

/// A loop that its body always leaves.
static void leavesAtOnce(Builder &B) {
  Summing S(B, "leaves_at_once");
  S.body({B.loop(Loop::Form::Do, {}, B.b(true),
                 {S.add(B.i(1)), B.breakOut(), S.add(B.i(5))})});
}

static void bothReturn(Builder &B) {
  Summing S(B, "both_return");
  Stmt *Zero = B.store(B.in(S.Out, {S.index()}), B.i(0));
  Stmt *One = B.store(B.in(S.Out, {S.index()}), B.i(1));
  S.body({B.ifThen(B.lt(S.index(), B.i(3)), {Zero, B.ret()}, {One, B.ret()})});
}

static void switchOfDefault(Builder &B) {
  Summing S(B, "switch_of_default");
  std::vector<Switch::Case> Only = {{{}, true, {S.add(B.i(1)), B.ret()}}};
  S.body({B.switchOn(S.index(), {}), B.switchOn(S.index(), std::move(Only))});
}

/// clamp(x) { if (x < 0) return 0; for (;;) { if (x < 9) return x; x -= 9; } }
static void earlyReturn(Builder &B) {
  Variable *X = B.var("x", B.Int, Storage::Param);
  Stmt *Inner = B.loop(
      Loop::Form::For, {}, nullptr,
      {B.ifThen(B.lt(B.get(X), B.i(9)), {B.ret(B.get(X))}),
       B.set(X, B.binary(BinaryOp::Sub, B.get(X), B.i(9)))});
  Function *Clamp =
      B.function("clamp", B.Int, {X},
                 {B.ifThen(B.lt(B.get(X), B.i(0)), {B.ret(B.i(0))}), Inner});
  Summing S(B, "early_return");
  S.body({S.add(B.call(Clamp, {S.index()}))});
}

/// A call in the step and in the condition of a loop, and one in the other.
static void callsInLoop(Builder &B) {
  Variable *X = B.var("x", B.Int, Storage::Param),
           *Y = B.var("y", B.Int, Storage::Param);
  Function *Next = B.function(
      "next", B.Int, {X},
      {B.ifThen(B.lt(B.get(X), B.i(4)), {B.ret(B.add(B.get(X), B.i(1)))}),
       B.ret(B.add(B.get(X), B.i(2)))});
  Function *Twice = B.function("twice", B.Int, {Y},
                               {B.ret(B.call(Next, {B.call(Next, {B.get(Y)})}))});
  Summing S(B, "calls_in_loop");
  Variable *K = B.var("k", B.Int);
  S.body({B.declare(K, B.i(0)),
          B.loop(Loop::Form::For, {},
                 B.lt(B.call(Twice, {B.get(K)}), B.i(30)), {S.add(B.get(K))},
                 {B.set(K, B.call(Next, {B.get(K)}))})});
}

/// cond ? out[i] : out[i + 1]: only one of the two is loaded.
static void chosenLoad(Builder &B) {
  Summing S(B, "chosen_load");
  Expr *A = B.load(B.in(S.Out, {S.index()}));
  Expr *C = B.load(B.in(S.Out, {B.add(S.index(), B.i(1))}));
  S.body({S.add(B.M.make<Select>(B.lt(S.index(), B.i(5)), A, C, B.at(2)))});
}

/// i < 5 ? i : 5: cheap enough for both.
static void chosenValue(Builder &B) {
  Summing S(B, "chosen_value");
  S.body({S.add(B.M.make<Select>(B.lt(S.index(), B.i(5)), S.index(), B.i(5),
                                 B.at(2)))});
}

/// A tile of 4 x 8 with tile_static memory; Step gets a barrier where asked.
static void tiled(Builder &B, bool BarrierInStep, Fenced Memory) {
  B.kernel("tiled", 2);
  B.tile({4, 8});
  Variable *In = B.capture("in", B.view(B.Float, 2, true)),
           *Out = B.capture("out", B.view(B.Float, 2));
  const Type *Row = B.M.arrayType(B.Float, 8);
  Variable *Shared = B.global("shared", B.M.arrayType(Row, 4),
                              Storage::TileStatic);
  Variable *Total = B.var("total", B.Float), *K = B.var("k", B.Int);
  Variable *Index = B.K->Indices[0];
  auto Lane = [&](unsigned Field, unsigned D) {
    return B.load(B.element(B.member(B.ref(Index), Field), B.i(D)));
  };
  auto Mine = [&] {
    return B.element(B.element(B.ref(Shared), Lane(1, 0)), Lane(1, 1));
  };
  Body Step = {B.set(K, B.add(B.get(K), B.i(1)))};
  Body Inner = {B.ifThen(B.eq(B.get(K), B.i(2)), {B.goOn()}),
                B.set(Total, B.add(B.get(Total),
                                   B.load(B.element(B.element(B.ref(Shared),
                                                              B.get(K)),
                                                    Lane(1, 1)))))};
  if (BarrierInStep)
    Step.push_back(B.barrier(Memory));
  B.K->Stmts = {B.store(Mine(), B.load(B.in(In, {Lane(0, 0), Lane(0, 1)}))),
                B.barrier(Memory),
                B.declare(Total, B.f(0)),
                B.declare(K, B.i(0)),
                B.loop(Loop::Form::For, {}, B.lt(B.get(K), B.i(4)), Inner, Step),
                B.store(B.in(Out, {Lane(0, 0), Lane(0, 1)}), B.get(Total))};
}

static void barrier(Builder &B) { tiled(B, false, Fenced::TileStatic); }
static void barrierInStep(Builder &B) { tiled(B, true, Fenced::All); }

/// do { sum += 1; if (sum == 2) continue; } while (meet(), sum < 4)
static void barrierInCondition(Builder &B) {
  Function *Meet = B.function("meet", B.Void, {}, {B.barrier(Fenced::Global)});
  Summing S(B, "barrier_in_condition");
  B.tile({16});
  Variable *Index = B.K->Indices[0];
  B.K->Stmts.push_back(
      B.loop(Loop::Form::Do,
             {B.M.make<Eval>(B.call(Meet, {}), B.at(3))},
             B.lt(B.get(S.Sum), B.i(4)),
             {S.add(B.i(1)),
              B.ifThen(B.eq(B.get(S.Sum), B.i(2)), {B.goOn()})}));
  Expr *Global = B.load(B.member(B.ref(Index), 0));
  B.K->Stmts.push_back(B.store(B.in(S.Out, {Global}), B.get(S.Sum)));
}

const Case ControlCases[] = {{"long-condition", longCondition},
                             {"switch-in-loop", switchInLoop},
                             {"endless", endless},
                             {"break-and-continue", breakAndContinue},
                             {"do-while", doWhile},
                             {"leaves-at-once", leavesAtOnce},
                             {"both-return", bothReturn},
                             {"switch-of-default", switchOfDefault},
                             {"early-return", earlyReturn},
                             {"calls-in-loop", callsInLoop},
                             {"chosen-load", chosenLoad},
                             {"chosen-value", chosenValue},
                             {"barrier", barrier},
                             {"barrier-in-step", barrierInStep},
                             {"barrier-in-condition", barrierInCondition},
                             {nullptr, nullptr}};

} // namespace ampc::test
