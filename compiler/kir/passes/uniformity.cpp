//===- uniformity.cpp - barriers that not every work item reaches ---------===//
//
// Each kernel, and each function for each combination of uniform and varying
// arguments, is analysed on its own: starting from "all variables are uniform"
// the body is gone through until no variable turns varying any more. A variable
// is varying when it is ever given a varying value, or any value where the flow
// diverges. Variables of struct type are tracked field by field, so that
// t.tile stays uniform in a copy of t.
//
// Flow diverges below a varying condition; after a break, continue or return
// below one, as far as the jump reaches; and in the whole of a loop that work
// items may leave at different times. It comes together again behind the
// statement.
//
// For tile_static memory the pass follows the flow: a variable is settled from
// a barrier that orders it until the next store to it, and what is loaded from
// a settled variable at a uniform subscript is uniform (rule B2).
//
//===----------------------------------------------------------------------===//

#include "kir/passes/uniformity.h"
#include "kir/walk.h"
#include "llvm/ADT/SetOperations.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace ampc::kir {
namespace {

/// Why a value varies, or flow diverges.
struct Cause {
  Loc Where;
  std::string What; ///< "'t.local'", "an element of 'a'"
};
using Varying = std::optional<Cause>; ///< nothing: uniform

/// One entry per field of a struct, one for anything else.
using State = std::vector<Varying>;

size_t partsOf(const Type *T) {
  return T->isStruct() && !T->IsUnion && !T->Fields.empty() ? T->Fields.size()
                                                            : 1;
}

const Variable *rootOf(const Expr *Place) {
  while (true) {
    if (const auto *M = dyn_cast<Member>(Place))
      Place = M->Base;
    else if (const auto *E = dyn_cast<Element>(Place))
      Place = E->Base;
    else if (const auto *V = dyn_cast<VarRef>(Place))
      return V->Var;
    else
      return nullptr;
  }
}

/// "'t.local'": part I of a variable.
std::string partName(const Variable *V, size_t I) {
  if (partsOf(V->Ty) == 1)
    return "'" + V->Name + "'";
  return "'" + V->Name + "." + V->Ty->Fields[I].Name + "'";
}

/// A kernel's index: the tile and the barrier are the same for all its work
/// items, all else varies.
State indexState(const Variable *V) {
  State S(partsOf(V->Ty));
  for (size_t I = 0; I != S.size(); ++I) {
    const std::string &Field =
        S.size() > 1 ? V->Ty->Fields[I].Name : std::string();
    if (Field != "tile" && Field != "tile_origin" && Field != "barrier")
      S[I] = Cause{V->Where, partName(V, I)};
  }
  return S;
}

bool isTiledIndex(const Type *T) {
  return T->isStruct() && llvm::StringRef(T->Name).starts_with("tiled_index_");
}

/// The settled tile_static variables at one point; nothing: not reached.
using Settled = std::optional<std::set<const Variable *>>;

/// Makes A what holds on both of two ways to a point.
void meet(Settled &A, const Settled &B) {
  if (!A)
    A = B;
  else if (B)
    llvm::set_intersect(*A, *B);
}

/// What is known of a function for one combination of arguments.
struct Summary {
  Varying Result;
  Settled After; ///< when it returns
  bool HasBarrier = false;
  std::vector<DivergentBarrier> Found; ///< when it is called in uniform flow
};

class Analysis;

class Program {
public:
  explicit Program(const Module &M) : M(M) {
    for (const Variable *V : M.Globals)
      if (V->Store == Storage::TileStatic)
        TileStatic.insert(V);
  }

  const Summary &summaryOf(const Function &F, const std::vector<State> &Args,
                           const Settled &Before);
  std::vector<DivergentBarrier> run();
  void print(llvm::raw_ostream &OS);

  std::set<const Variable *> TileStatic; ///< all of the module

private:
  const Module &M;
  std::map<std::tuple<const Function *, std::vector<bool>, Settled>, Summary>
      Summaries;
};

/// One body under one assumption about its parameters.
class Analysis {
public:
  Analysis(Program &P, const Body &Stmts, Settled Before)
      : P(P), Stmts(Stmts), Before(std::move(Before)) {}

  void set(const Variable *V, State S) { States[V] = std::move(S); }

  Summary run() {
    do {
      Changed = false;
      round();
    } while (Changed);
    Reporting = true;
    round();
    return std::move(S);
  }

  void print(const Variable *V, llvm::raw_ostream &OS) {
    const State &Parts = stateOf(V);
    for (size_t I = 0; I != Parts.size(); ++I)
      OS << "  " << partName(V, I) << ": "
         << (V->AddressTaken ? "varying: its address is taken"
             : Parts[I]      ? "varying: " + Parts[I]->What
                             : "uniform")
         << '\n';
  }

private:
  void round() {
    S.After = std::nullopt;
    Now = Before;
    list(Stmts, std::nullopt);
    meet(S.After, Now);
  }

  /// The jumps out of a statement that only some work items take.
  struct Jumps {
    Varying Break, Continue, Return;
    void add(const Jumps &J) {
      for (auto M : {&Jumps::Break, &Jumps::Continue, &Jumps::Return})
        if (!(this->*M))
          this->*M = J.*M;
    }
    Varying any() const { return Break ? Break : Continue ? Continue : Return; }
  };

  //---- variables ---------------------------------------------------------

  State &stateOf(const Variable *V) {
    auto [At, New] = States.try_emplace(V);
    if (New)
      At->second.resize(partsOf(V->Ty));
    return At->second;
  }

  void makeVarying(Varying &Old, const Varying &New) {
    if (Old || !New)
      return;
    Old = New;
    Changed = true;
  }

  void store(const Expr *Place, const Expr *Value, const Varying &Flow) {
    const Variable *V = rootOf(Place);
    if (V && V->Store == Storage::TileStatic && Now)
      Now->erase(V);
    if (Now && isBehindPointer(Place))
      Now->clear(); // it may be any variable
    if (!V || (V->Store != Storage::Local && V->Store != Storage::Param))
      return; // loads from views are varying
    State &Parts = stateOf(V);
    if (isa<VarRef>(Place))
      return assign(V, Parts, Value, Flow);
    Varying Why = Flow ? because(V, Flow) : because(V, value(Value));
    if (!Why)
      Why = because(V, subscripts(Place));
    // The outermost member that the place goes through.
    const Expr *E = Place;
    while (!isa<VarRef>(baseOf(E)))
      E = baseOf(E);
    if (const auto *M = dyn_cast<Member>(E); M && Parts.size() > 1)
      makeVarying(Parts[M->Field], Why);
    else
      for (Varying &Part : Parts)
        makeVarying(Part, Why);
  }

  static bool isBehindPointer(const Expr *Place) {
    while (isa<Member, Element>(Place))
      Place = baseOf(Place);
    return isa<Deref>(Place);
  }

  static const Expr *baseOf(const Expr *Place) {
    if (const auto *M = dyn_cast<Member>(Place))
      return M->Base;
    return cast<Element>(Place)->Base;
  }

  void assign(const Variable *V, State &Parts, const Expr *Value,
              const Varying &Flow) {
    for (size_t I = 0; I != Parts.size(); ++I)
      makeVarying(Parts[I],
                  because(V, Flow ? Flow : part(Value, I, Parts.size())));
  }

  // 'x' varies because of what it is given; the first link is enough to find
  // the others.
  static Varying because(const Variable *V, Varying Why) {
    if (Why && !V->Name.empty() &&
        Why->What.find(" (from ") == std::string::npos)
      Why->What = "'" + V->Name + "' (from " + Why->What + ")";
    return Why;
  }

  //---- values ------------------------------------------------------------

  /// Part I of Count of a value.
  Varying part(const Expr *E, size_t I, size_t Count) {
    if (Count > 1) {
      if (const auto *L = dyn_cast<Load>(E))
        if (const auto *V = dyn_cast<VarRef>(L->Place);
            V && tracked(V->Var) && stateOf(V->Var).size() == Count)
          return stateOf(V->Var)[I];
      if (const auto *C = dyn_cast<Construct>(E); C && C->Parts.size() == Count)
        return value(C->Parts[I]);
    }
    return value(E);
  }

  static bool tracked(const Variable *V) {
    return (V->Store == Storage::Local || V->Store == Storage::Param ||
            V->Store == Storage::Index) &&
           !V->AddressTaken;
  }

  State argument(const Expr *E, const Type *T) {
    State S(partsOf(T));
    for (size_t I = 0; I != S.size(); ++I)
      S[I] = part(E, I, S.size());
    return S;
  }

  Varying subscripts(const Expr *Place) {
    for (const Expr *E = Place; E && !isa<VarRef>(E);) {
      if (const auto *At = dyn_cast<Element>(E)) {
        if (Varying V = value(At->Index))
          return V;
        E = At->Base;
      } else if (const auto *M = dyn_cast<Member>(E)) {
        E = M->Base;
      } else {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  static std::string elementName(const Expr *Place) {
    if (isBehindPointer(Place))
      return "what a pointer points to";
    while (!isa<ViewElement>(Place))
      Place = baseOf(Place);
    if (const auto *L = dyn_cast<Load>(cast<ViewElement>(Place)->View))
      if (const Variable *V = rootOf(L->Place))
        return "an element of '" + V->Name + "'";
    return "an element of a view";
  }

  Varying load(const Expr *Place) {
    const Variable *V = rootOf(Place);
    if (!V)
      return Cause{Place->Where, elementName(Place)};
    if (V->Store == Storage::TileStatic && AllAlong && !AllAlong->count(V))
      return Cause{Place->Where, "'" + V->Name + "' in tile_static memory"};
    if (Varying Why = subscripts(Place))
      return Why;
    if (V->AddressTaken && V->Store != Storage::TileStatic &&
        V->Store != Storage::Constant)
      return Cause{Place->Where, "'" + V->Name + "', whose address is taken,"};
    if (!tracked(V))
      return std::nullopt; // captured, or constant
    State &Parts = stateOf(V);
    const Expr *E = Place;
    while (!isa<VarRef>(E) && !isa<VarRef>(baseOf(E)))
      E = baseOf(E);
    if (const auto *M = dyn_cast<Member>(E); M && Parts.size() > 1)
      return Parts[M->Field];
    for (const Varying &Part : Parts)
      if (Part)
        return Part;
    return std::nullopt;
  }

  /// Where a place is.
  Varying address(const Expr *Place) {
    if (Varying Why = subscripts(Place))
      return Why;
    while (isa<Member, Element>(Place))
      Place = baseOf(Place);
    if (const auto *D = dyn_cast<Deref>(Place))
      return value(D->Pointer);
    if (const auto *V = dyn_cast<ViewElement>(Place)) {
      if (Varying Why = value(V->View))
        return Why;
      return first(V->Subscripts);
    }
    return std::nullopt;
  }

  Varying first(llvm::ArrayRef<Expr *> Values) {
    for (const Expr *E : Values)
      if (Varying V = value(E))
        return V;
    return std::nullopt;
  }

  Varying value(const Expr *E) {
    switch (E->K) {
    case Expr::Kind::VarRef:
    case Expr::Kind::Member:
    case Expr::Kind::Element:
    case Expr::Kind::ViewElement:
    case Expr::Kind::Deref:
      return load(E);
    case Expr::Kind::Load:
      return load(cast<Load>(E)->Place);
    case Expr::Kind::IntConst:
    case Expr::Kind::FloatConst:
    case Expr::Kind::BoolConst:
    case Expr::Kind::Zero:
      return std::nullopt;
    case Expr::Kind::Unary:
      return value(cast<Unary>(E)->Operand);
    case Expr::Kind::Binary:
      return first({cast<Binary>(E)->Left, cast<Binary>(E)->Right});
    case Expr::Kind::Logical:
      return first({cast<Logical>(E)->Left, cast<Logical>(E)->Right});
    case Expr::Kind::Select: {
      const auto *S = cast<Select>(E);
      return first({S->Condition, S->True, S->False});
    }
    case Expr::Kind::Convert:
      return value(cast<Convert>(E)->Operand);
    case Expr::Kind::Bitcast:
      return value(cast<Bitcast>(E)->Operand);
    case Expr::Kind::Construct:
      return first(cast<Construct>(E)->Parts);
    case Expr::Kind::Swizzle:
      return value(cast<Swizzle>(E)->Operand);
    case Expr::Kind::Call: {
      const auto *C = cast<Call>(E);
      Varying Why = summary(C).Result;
      if (Why)
        return Cause{C->Where, "the result of '" + C->Callee->Name + "'"};
      return std::nullopt;
    }
    case Expr::Kind::Intrinsic:
      return first(cast<Intrinsic>(E)->Args);
    case Expr::Kind::ViewExtent:
      return value(cast<ViewExtent>(E)->View);
    case Expr::Kind::ViewSection: {
      const auto *V = cast<ViewSection>(E);
      if (Varying Why = value(V->View))
        return Why;
      if (Varying Why = first(V->Origin))
        return Why;
      return first(V->Extent);
    }
    case Expr::Kind::ViewProject:
      return first({cast<ViewProject>(E)->View, cast<ViewProject>(E)->Index});
    case Expr::Kind::ViewReinterpret:
      return value(cast<ViewReinterpret>(E)->View);
    case Expr::Kind::ViewReshape:
      if (Varying Why = value(cast<ViewReshape>(E)->View))
        return Why;
      return first(cast<ViewReshape>(E)->Extent);
    case Expr::Kind::AddressOf:
      return address(cast<AddressOf>(E)->Place);
    case Expr::Kind::PointerAdd:
      return first({cast<PointerAdd>(E)->Pointer, cast<PointerAdd>(E)->Index});
    case Expr::Kind::PointerDifference:
      return first({cast<PointerDifference>(E)->Left,
                    cast<PointerDifference>(E)->Right});
    }
    llvm_unreachable("every kind of expression is above");
  }

  std::vector<State> arguments(const Call *C) {
    std::vector<State> Args;
    for (size_t I = 0; I != C->Args.size(); ++I)
      Args.push_back(argument(C->Args[I], C->Callee->Params[I]->Ty));
    return Args;
  }

  const Summary &summary(const Call *C) {
    return P.summaryOf(*C->Callee, arguments(C), AllAlong);
  }

  //---- calls -------------------------------------------------------------

  /// Evaluates an expression: follows its calls, in order. Its loads may come
  /// before or after any of them.
  void evaluate(const Expr *E, const Varying &Flow) {
    AllAlong = Now;
    calls(E, Flow);
  }

  void calls(const Expr *E, const Varying &Flow) {
    switch (E->K) {
    case Expr::Kind::Member:
      return calls(cast<Member>(E)->Base, Flow);
    case Expr::Kind::Element:
      calls(cast<Element>(E)->Base, Flow);
      return calls(cast<Element>(E)->Index, Flow);
    case Expr::Kind::ViewElement:
      calls(cast<ViewElement>(E)->View, Flow);
      return calls(cast<ViewElement>(E)->Subscripts, Flow);
    case Expr::Kind::Load:
      return calls(cast<Load>(E)->Place, Flow);
    case Expr::Kind::Unary:
      return calls(cast<Unary>(E)->Operand, Flow);
    case Expr::Kind::Binary:
      calls(cast<Binary>(E)->Left, Flow);
      return calls(cast<Binary>(E)->Right, Flow);
    case Expr::Kind::Logical: {
      const auto *L = cast<Logical>(E);
      calls(L->Left, Flow);
      Settled Skipped = Now;
      calls(L->Right, Flow ? Flow : condition(L->Left));
      return meet(Now, Skipped);
    }
    case Expr::Kind::Select: {
      const auto *S = cast<Select>(E);
      calls(S->Condition, Flow);
      Varying Inner = Flow ? Flow : condition(S->Condition);
      Settled Chosen = Now;
      calls(S->True, Inner);
      std::swap(Chosen, Now);
      calls(S->False, Inner);
      return meet(Now, Chosen);
    }
    case Expr::Kind::Convert:
      return calls(cast<Convert>(E)->Operand, Flow);
    case Expr::Kind::Bitcast:
      return calls(cast<Bitcast>(E)->Operand, Flow);
    case Expr::Kind::Construct:
      return calls(cast<Construct>(E)->Parts, Flow);
    case Expr::Kind::Swizzle:
      return calls(cast<Swizzle>(E)->Operand, Flow);
    case Expr::Kind::Call:
      calls(cast<Call>(E)->Args, Flow);
      return call(cast<Call>(E), Flow);
    case Expr::Kind::Intrinsic:
      return calls(cast<Intrinsic>(E)->Args, Flow);
    case Expr::Kind::ViewExtent:
      return calls(cast<ViewExtent>(E)->View, Flow);
    case Expr::Kind::ViewSection:
      calls(cast<ViewSection>(E)->View, Flow);
      calls(cast<ViewSection>(E)->Origin, Flow);
      return calls(cast<ViewSection>(E)->Extent, Flow);
    case Expr::Kind::ViewProject:
      calls(cast<ViewProject>(E)->View, Flow);
      return calls(cast<ViewProject>(E)->Index, Flow);
    case Expr::Kind::Deref:
      return calls(cast<Deref>(E)->Pointer, Flow);
    case Expr::Kind::ViewReinterpret:
      return calls(cast<ViewReinterpret>(E)->View, Flow);
    case Expr::Kind::ViewReshape:
      calls(cast<ViewReshape>(E)->View, Flow);
      return calls(cast<ViewReshape>(E)->Extent, Flow);
    case Expr::Kind::AddressOf:
      return calls(cast<AddressOf>(E)->Place, Flow);
    case Expr::Kind::PointerAdd:
      calls(cast<PointerAdd>(E)->Pointer, Flow);
      return calls(cast<PointerAdd>(E)->Index, Flow);
    case Expr::Kind::PointerDifference:
      calls(cast<PointerDifference>(E)->Left, Flow);
      return calls(cast<PointerDifference>(E)->Right, Flow);
    default:
      return;
    }
  }

  void calls(llvm::ArrayRef<Expr *> Es, const Varying &Flow) {
    for (const Expr *E : Es)
      calls(E, Flow);
  }

  void call(const Call *C, const Varying &Flow) {
    const Summary &Callee = summary(C);
    S.HasBarrier |= Callee.HasBarrier;
    const Settled OnEntry = AllAlong;
    Now = P.summaryOf(*C->Callee, arguments(C), Now).After;
    meet(AllAlong, Now);
    if (!Reporting || !Callee.HasBarrier)
      return;
    if (Flow) {
      report(C->Where, C->Callee->Name, Flow);
      return;
    }
    if (Callee.Found.empty())
      return;
    // With uniform arguments it would do: then the call is to blame.
    std::vector<State> Uniform;
    for (const Variable *V : C->Callee->Params)
      Uniform.push_back(isTiledIndex(V->Ty) ? indexState(V)
                                            : State(partsOf(V->Ty)));
    const Summary &Best = P.summaryOf(*C->Callee, Uniform, OnEntry);
    if (!Best.Found.empty()) {
      S.Found.insert(S.Found.end(), Best.Found.begin(), Best.Found.end());
      return;
    }
    DivergentBarrier D = Callee.Found.front();
    D.Notes.insert(D.Notes.begin(), {D.Where, "this barrier is in the way"});
    D.Where = C->Where;
    D.Callee = C->Callee->Name;
    S.Found.push_back(std::move(D));
  }

  void report(Loc Where, std::string Callee, const Varying &Flow) {
    DivergentBarrier D{Where, std::move(Callee), {}};
    D.Notes.push_back({Flow->Where, "the flow depends on this condition: " +
                                        Flow->What + " varies within a tile"});
    if (llvm::StringRef(Flow->What).contains("in tile_static memory"))
      D.Notes.push_back({Flow->Where,
                         "tile_static memory holds the same for the whole tile "
                         "only if a barrier comes between the last store and "
                         "the load"});
    S.Found.push_back(std::move(D));
  }

  //---- statements --------------------------------------------------------

  /// The cause of divergence below a condition; it stands at the condition.
  Varying condition(const Expr *E) {
    Varying Why = value(E);
    if (Why)
      Why->Where = E->Where;
    return Why;
  }

  Jumps list(const Body &Stmts, Varying Flow) {
    Jumps All;
    for (const Stmt *S : Stmts) {
      All.add(statement(S, Flow));
      if (!Flow)
        Flow = All.any();
    }
    return All;
  }

  Jumps statement(const Stmt *St, const Varying &Flow) {
    switch (St->K) {
    case Stmt::Kind::Declare: {
      const auto *D = cast<Declare>(St);
      if (D->Init) {
        evaluate(D->Init, Flow);
        assign(D->Var, stateOf(D->Var), D->Init, Flow);
      }
      return {};
    }
    case Stmt::Kind::Store: {
      const auto *Set = cast<kir::Store>(St);
      evaluate(Set->Place, Flow);
      calls(Set->Value, Flow);
      store(Set->Place, Set->Value, Flow);
      return {};
    }
    case Stmt::Kind::Eval:
      evaluate(cast<Eval>(St)->Value, Flow);
      return {};
    case Stmt::Kind::Block:
      return list(cast<Block>(St)->Stmts, Flow);
    case Stmt::Kind::If: {
      const auto *If = cast<kir::If>(St);
      evaluate(If->Condition, Flow);
      Varying Inner = Flow ? Flow : condition(If->Condition);
      Settled Other = Now;
      Jumps J = list(If->Then, Inner);
      std::swap(Other, Now);
      J.add(list(If->Else, Inner));
      meet(Now, Other);
      return J;
    }
    case Stmt::Kind::Loop:
      return loop(cast<Loop>(St), Flow);
    case Stmt::Kind::Switch:
      return choice(cast<Switch>(St), Flow);
    case Stmt::Kind::Break: {
      Jumps J;
      J.Break = Flow;
      leave(*AtBreak);
      return J;
    }
    case Stmt::Kind::Continue: {
      Jumps J;
      J.Continue = Flow;
      leave(*AtContinue);
      return J;
    }
    case Stmt::Kind::Return: {
      const auto *R = cast<Return>(St);
      if (R->Value) {
        evaluate(R->Value, Flow);
        makeVarying(S.Result, Flow ? Flow : value(R->Value));
      }
      Jumps J;
      J.Return = Flow;
      leave(S.After);
      return J;
    }
    case Stmt::Kind::Barrier:
      S.HasBarrier = true;
      if (Now && cast<Barrier>(St)->Memory != Fenced::Global)
        Now = P.TileStatic;
      if (Reporting && Flow)
        report(St->Where, "", Flow);
      return {};
    case Stmt::Kind::Fence:
      return {};
    case Stmt::Kind::Report:
      for (const Expr *Arg : cast<Report>(St)->Args)
        evaluate(Arg, Flow);
      return {};
    }
    llvm_unreachable("every kind of statement is above");
  }

  /// A jump goes to where To is collected.
  void leave(Settled &To) {
    meet(To, Now);
    Now = std::nullopt;
  }

  Jumps loop(const Loop *L, const Varying &Flow) {
    // What one round finds out about a loop holds from its start in the next:
    // where it diverges, and what is settled when an iteration ends.
    auto &[Divergent, Repeated] = Loops[L];
    Varying Inner = Flow ? Flow : Divergent;
    if (Now)
      meet(Now, Repeated);
    Jumps J;
    Settled Left, Next;
    llvm::SaveAndRestore ToLeft(AtBreak, &Left), ToNext(AtContinue, &Next);
    auto Head = [&] {
      J.add(list(L->Prelude, Inner));
      if (L->Condition) {
        evaluate(L->Condition, Inner);
        makeVarying(Divergent, condition(L->Condition));
        meet(Left, Now);
      }
    };
    if (L->F != Loop::Form::Do)
      Head();
    J.add(list(L->Stmts, Inner));
    meet(Now, Next);
    J.add(list(L->Step, Inner));
    if (L->F == Loop::Form::Do)
      Head();
    const Settled Old = Repeated;
    meet(Repeated, Now);
    Changed |= Repeated != Old;
    Now = Left;
    makeVarying(Divergent, J.Break);
    makeVarying(Divergent, J.Return);
    J.Break = J.Continue = std::nullopt;
    return J;
  }

  Jumps choice(const Switch *Sw, const Varying &Flow) {
    evaluate(Sw->Subject, Flow);
    const Varying Inner = Flow ? Flow : condition(Sw->Subject);
    Jumps All;
    Varying Here = Inner;
    const Settled OnEntry = Now;
    Settled Left = OnEntry; // no case may fit
    llvm::SaveAndRestore ToLeft(AtBreak, &Left);
    Now = std::nullopt;
    for (const Switch::Case &C : Sw->Cases) {
      meet(Now, OnEntry);
      Jumps J = list(C.Stmts, Here);
      All.add(J);
      bool FallsThrough = C.Stmts.empty() || !(isa<Break>(C.Stmts.back()) ||
                                               isa<Continue>(C.Stmts.back()) ||
                                               isa<Return>(C.Stmts.back()));
      Here = FallsThrough ? (Here ? Here : J.any()) : Inner;
    }
    All.Break = std::nullopt;
    meet(Now, Left);
    return All;
  }

  Program &P;
  const Body &Stmts;
  const Settled Before;
  Settled Now;      ///< at the point that the analysis has got to
  Settled AllAlong; ///< all through the evaluation of the current expression
  Settled *AtBreak = nullptr, *AtContinue = nullptr; ///< where jumps lead
  std::map<const Variable *, State> States;
  std::map<const Loop *, std::pair<Varying, Settled>> Loops;
  bool Changed = false, Reporting = false;
  Summary S;
};

const Summary &Program::summaryOf(const Function &F,
                                  const std::vector<State> &Args,
                                  const Settled &Before) {
  std::vector<bool> Key;
  for (const State &Arg : Args)
    for (const Varying &Part : Arg)
      Key.push_back(Part.has_value());
  auto At = Summaries.find({&F, Key, Before});
  if (At != Summaries.end())
    return At->second;
  Analysis A(*this, F.Stmts, Before);
  for (size_t I = 0; I != F.Params.size(); ++I) {
    State S = Args[I];
    for (size_t Part = 0; Part != S.size(); ++Part)
      if (S[Part])
        S[Part]->What = partName(F.Params[I], Part);
    A.set(F.Params[I], std::move(S));
  }
  return Summaries[{&F, Key, Before}] = A.run();
}

std::vector<DivergentBarrier> Program::run() {
  std::vector<DivergentBarrier> All;
  std::set<std::tuple<unsigned, unsigned, unsigned>> Seen;
  for (const auto &K : M.Kernels) {
    if (!K->isTiled())
      continue; // without tiles there are no barriers (rule B3)
    Analysis A(*this, K->Stmts, std::set<const Variable *>());
    for (const Variable *V : K->Indices)
      A.set(V, indexState(V));
    for (DivergentBarrier &D : A.run().Found)
      if (Seen.insert({D.Where.File, D.Where.Line, D.Where.Column}).second)
        All.push_back(std::move(D));
  }
  return All;
}

void Program::print(llvm::raw_ostream &OS) {
  for (const auto &K : M.Kernels) {
    if (!K->isTiled())
      continue;
    Analysis A(*this, K->Stmts, std::set<const Variable *>());
    for (const Variable *V : K->Indices)
      A.set(V, indexState(V));
    A.run();
    OS << "uniformity of kernel " << K->Name << ":\n";
    for (const Variable *V : K->Indices)
      A.print(V, OS);
    walk(
        K->Stmts, [](const Expr *) {},
        [&](const Stmt *S) {
          if (auto *D = dyn_cast<Declare>(S))
            A.print(D->Var, OS);
        });
  }
  // By name: pointers have another order in every run.
  std::set<std::string> Lines;
  for (const auto &[Key, S] : Summaries) {
    const auto &[F, Args, Before] = Key;
    std::string Line = F->Name + "(";
    for (size_t I = 0; I != Args.size(); ++I)
      Line += std::string(I ? ", " : "") + (Args[I] ? "varying" : "uniform");
    Line += std::string(") is ") + (S.Result ? "varying" : "uniform");
    if (S.HasBarrier)
      Line += S.Found.empty() ? ", with a barrier" : ", with a divergent barrier";
    Lines.insert(Line);
  }
  for (const std::string &Line : Lines)
    OS << "function " << Line << '\n';
}

} // namespace

void printUniformity(const Module &M, llvm::raw_ostream &OS) {
  Program(M).print(OS);
}

std::vector<DivergentBarrier> findDivergentBarriers(const Module &M) {
  return Program(M).run();
}

} // namespace ampc::kir
