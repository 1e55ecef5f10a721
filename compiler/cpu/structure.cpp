//===- structure.cpp - fission --------------------------------------------===//

#include "cpu/structure.h"
#include "cpu/normalise.h"
#include "cpu/uniform.h"
#include "kir/operands.h"
#include "kir/passes/points_to.h"
#include "kir/walk.h"

using namespace ampc::kir;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace ampc::cpu {

void forEachBody(Stmt *S, llvm::function_ref<void(Body &)> F) {
  if (auto *X = dyn_cast<Block>(S)) {
    F(X->Stmts);
  } else if (auto *X = dyn_cast<If>(S)) {
    F(X->Then);
    F(X->Else);
  } else if (auto *X = dyn_cast<Loop>(S)) {
    F(X->Prelude);
    F(X->Stmts);
    F(X->Step);
  } else if (auto *X = dyn_cast<Switch>(S)) {
    for (Switch::Case &C : X->Cases)
      F(C.Stmts);
  }
}

bool leavesLoop(const Stmt *S) {
  if (isa<Break>(S))
    return true;
  if (isa<Loop, Switch>(S))
    return false;
  bool Found = false;
  forEachBody(const_cast<Stmt *>(S), [&](Body &B) {
    for (const Stmt *Each : B)
      Found |= leavesLoop(Each);
  });
  return Found;
}

namespace {

class Builder {
public:
  explicit Builder(const Body &B) : Whole(B), Varying(varyingVariables(B)) {
    findRemadeable();
  }

  Structure run();

private:
  using Variables = std::set<const Variable *>;

  std::vector<Part> parts(const Body &B, bool InLoop);
  bool storesUniform(const Stmt *S) const;
  bool demote(const Stmt *S);
  void part(Stmt *S, bool InLoop, std::vector<Part> &Out);
  bool isWorthSplitting(const Stmt *S) const;
  void findRemadeable();
  bool isRemadeable(const Expr *E) const;
  void remake(std::vector<Part> &Parts, const Variables &Remade);
  /// Where a variable is used: in how many runs, and outside of them.
  struct Use {
    std::set<const Part *> Runs;
    const Part *Declared = nullptr; ///< the run that declares it
    bool Outside = false;
  };
  void collect(std::vector<Part> &Parts, std::map<const Variable *, Use> &Uses);
  void collectOutside(const Expr *E, std::map<const Variable *, Use> &Uses);

  const Body &Whole;
  const Variables Varying;
  Variables Uniform; ///< chosen so far
  Variables Demoted; ///< uniform, but assigned where the tile cannot split
  std::vector<const Declare *> Remadeable; ///< in the order of the body
};

/// The variable whose value a statement changes, if it is no more than that.
const Variable *assigned(const Stmt *S) {
  if (auto *D = dyn_cast<Declare>(S))
    return D->Var;
  if (auto *A = dyn_cast<Store>(S))
    return rootVariable(A->Place);
  return nullptr;
}

bool Builder::storesUniform(const Stmt *S) const {
  bool Found = false;
  walk(
      Body{const_cast<Stmt *>(S)}, [](const Expr *) {},
      [&](const Stmt *Each) {
        const Variable *V = assigned(Each);
        Found |= V && Uniform.count(V);
      });
  return Found;
}

/// Before S is split because it assigns to uniform variables: gives up those
/// that are assigned in a switch, or in a loop with a Continue. True when there
/// were any.
bool Builder::demote(const Stmt *S) {
  bool Found = false;
  auto GiveUp = [&](const Stmt *In) {
    walk(
        Body{const_cast<Stmt *>(In)}, [](const Expr *) {},
        [&](const Stmt *Each) {
          const Variable *V = assigned(Each);
          if (!V || !Uniform.erase(V))
            return;
          Demoted.insert(V);
          Found = true;
        });
  };
  if (auto *L = dyn_cast<Loop>(S);
      L && !holdsBarrier(Body{const_cast<Loop *>(L)})) {
    bool Continues = false;
    walk(
        Body{const_cast<Loop *>(L)}, [](const Expr *) {},
        [&](const Stmt *Each) { Continues |= isa<Continue>(Each); });
    if (Continues)
      GiveUp(S);
  }
  if (isa<Switch>(S))
    GiveUp(S);
  forEachBody(const_cast<Stmt *>(S), [&](Body &B) {
    for (const Stmt *Each : B)
      if (storesUniform(Each))
        Found |= demote(Each);
  });
  return Found;
}

/// An innermost loop that all work items go through together, or control flow
/// of that kind around one.
bool Builder::isWorthSplitting(const Stmt *S) const {
  if (auto *X = dyn_cast<If>(S)) {
    if (varies(X->Condition, Varying))
      return false;
  } else if (auto *X = dyn_cast<Loop>(S)) {
    bool Simple = X->Prelude.empty() && X->Condition &&
                  !varies(X->Condition, Varying),
         Loops = false;
    walk(
        Body{const_cast<Loop *>(X)}, [](const Expr *) {},
        [&](const Stmt *Each) {
          Simple &= !isa<Break, Continue, Switch>(Each);
          Loops |= isa<Loop>(Each) && Each != S;
          auto *D = dyn_cast<Declare>(Each);
          Simple &= !D || !D->Var->Ty->isArray();
        });
    if (!Simple || !Loops)
      return Simple;
  } else if (!isa<Block>(S)) {
    return false;
  }
  bool Found = false;
  forEachBody(const_cast<Stmt *>(S), [&](Body &B) {
    for (const Stmt *Each : B)
      Found |= isWorthSplitting(Each);
  });
  return Found;
}

/// Cheap, and the same whenever it is evaluated.
bool Builder::isRemadeable(const Expr *E) const {
  switch (E->K) {
  case Expr::Kind::VarRef: {
    const Variable *V = cast<VarRef>(E)->Var;
    if (V->Store == Storage::Index || V->Store == Storage::Capture)
      return true;
    return llvm::any_of(Remadeable,
                        [&](const Declare *D) { return D->Var == V; });
  }
  case Expr::Kind::IntConst:
  case Expr::Kind::FloatConst:
  case Expr::Kind::BoolConst:
    return true;
  case Expr::Kind::Member:
  case Expr::Kind::Element:
  case Expr::Kind::Load:
  case Expr::Kind::Unary:
  case Expr::Kind::Binary:
  case Expr::Kind::Convert:
  case Expr::Kind::Construct:
  case Expr::Kind::Swizzle:
  case Expr::Kind::ViewExtent:
    for (Expr **Operand : operands(const_cast<Expr *>(E)))
      if (!isRemadeable(*Operand))
        return false;
    return true;
  default:
    return false;
  }
}

void Builder::findRemadeable() {
  Variables Stored;
  walk(
      Whole, [](const Expr *) {},
      [&](const Stmt *S) {
        if (auto *A = dyn_cast<Store>(S))
          Stored.insert(rootVariable(A->Place));
      });
  walk(
      Whole, [](const Expr *) {},
      [&](const Stmt *S) {
        auto *D = dyn_cast<Declare>(S);
        if (D && D->Init && !D->Var->AddressTaken && !Stored.count(D->Var) &&
            !D->Var->Ty->isArray() && !D->Var->Ty->isStruct() &&
            isRemadeable(D->Init))
          Remadeable.push_back(D);
      });
}

/// Puts what a run needs of the remade variables in front of it.
void Builder::remake(std::vector<Part> &Parts, const Variables &Remade) {
  for (Part &P : Parts) {
    remake(P.First, Remade);
    remake(P.Second, Remade);
    remake(P.Third, Remade);
    if (P.K != Part::Kind::Items)
      continue;
    Variables Declared;
    walk(
        P.Stmts, [](const Expr *) {},
        [&](const Stmt *S) {
          if (auto *D = dyn_cast<Declare>(S))
            Declared.insert(D->Var);
        });
    for (auto D = Remadeable.rbegin(); D != Remadeable.rend(); ++D) {
      if (!P.Uses.count((*D)->Var) || Declared.count((*D)->Var) ||
          !Remade.count((*D)->Var))
        continue;
      P.Remade.insert(P.Remade.begin(), *D);
      walk((*D)->Init, [&](const Expr *E) {
        if (auto *Ref = dyn_cast<VarRef>(E))
          P.Uses.insert(Ref->Var);
      });
    }
  }
}

void Builder::part(Stmt *S, bool InLoop, std::vector<Part> &Out) {
  auto Add = [&](Part::Kind K) -> Part & {
    Out.emplace_back();
    Out.back().K = K;
    Out.back().Where = S->Where;
    return Out.back();
  };
  const Variable *V = assigned(S);
  if (V && Uniform.count(V)) {
    Add(Part::Kind::Uniform).Stmts = {S};
    return;
  }
  bool IsBarrier = isa<Barrier>(S);
  bool Splits = holdsBarrier(Body{S}) || (InLoop && leavesLoop(S)) ||
                storesUniform(S) || isWorthSplitting(S);
  if (IsBarrier) {
    Add(Part::Kind::Items); // empty: what follows starts a loop of its own
    return;
  }
  if (!Splits) {
    if (Out.empty() || Out.back().K != Part::Kind::Items)
      Add(Part::Kind::Items);
    Out.back().Stmts.push_back(S);
    return;
  }
  if (auto *X = dyn_cast<Block>(S)) {
    std::vector<Part> First = parts(X->Stmts, InLoop);
    Add(Part::Kind::Block).First = std::move(First);
  } else if (auto *X = dyn_cast<If>(S)) {
    std::vector<Part> First = parts(X->Then, InLoop),
                      Second = parts(X->Else, InLoop);
    Part &P = Add(Part::Kind::If);
    P.Condition = X->Condition;
    P.First = std::move(First);
    P.Second = std::move(Second);
  } else if (auto *X = dyn_cast<Loop>(S)) {
    std::vector<Part> First = parts(X->Prelude, true),
                      Second = parts(X->Stmts, true),
                      Third = parts(X->Step, true);
    Part &P = Add(Part::Kind::Loop);
    P.Condition = X->Condition;
    P.F = X->F;
    P.First = std::move(First);
    P.Second = std::move(Second);
    P.Third = std::move(Third);
  } else {
    Add(Part::Kind::Break);
  }
}

std::vector<Part> Builder::parts(const Body &B, bool InLoop) {
  std::vector<Part> Out;
  for (Stmt *S : B)
    part(S, InLoop, Out);
  return Out;
}

void Builder::collectOutside(const Expr *E,
                             std::map<const Variable *, Use> &Uses) {
  if (E)
    walk(E, [&](const Expr *Each) {
      if (auto *Ref = dyn_cast<VarRef>(Each))
        Uses[Ref->Var].Outside = true;
    });
}

/// Fills in what each run uses and stores.
void fillIn(Part &P) {
  walk(
      P.Stmts,
      [&](const Expr *E) {
        if (auto *Ref = dyn_cast<VarRef>(E))
          P.Uses.insert(Ref->Var);
        if (auto *A = dyn_cast<AddressOf>(E))
          if (const Variable *V = rootVariable(A->Place))
            P.Stores.insert(V);
      },
      [&](const Stmt *S) {
        const Variable *V = assigned(S);
        if (!V)
          return;
        P.Uses.insert(V);
        auto *D = dyn_cast<Declare>(S);
        if (!D || D->Init || V->Ty->isBool())
          P.Stores.insert(V);
      });
}

void Builder::collect(std::vector<Part> &Parts,
                      std::map<const Variable *, Use> &Uses) {
  for (Part &P : Parts) {
    if (P.K == Part::Kind::Items) {
      fillIn(P);
      for (const Variable *V : P.Uses)
        Uses[V].Runs.insert(&P);
      walk(
          P.Stmts, [](const Expr *) {},
          [&](const Stmt *S) {
            if (auto *D = dyn_cast<Declare>(S))
              Uses[D->Var].Declared = &P;
          });
    } else if (P.K == Part::Kind::Uniform) {
      if (auto *D = dyn_cast<Declare>(P.Stmts[0])) {
        Uses[D->Var].Outside = true;
        collectOutside(D->Init, Uses);
      } else {
        collectOutside(cast<Store>(P.Stmts[0])->Place, Uses);
        collectOutside(cast<Store>(P.Stmts[0])->Value, Uses);
      }
    }
    collectOutside(P.Condition, Uses);
    collect(P.First, Uses);
    collect(P.Second, Uses);
    collect(P.Third, Uses);
  }
}

Structure Builder::run() {
  for (;;) {
    Structure Result;
    Variables Remade;
    for (const Declare *D : Remadeable)
      Remade.insert(D->Var);
    Result.Parts = parts(Whole, false);
    std::map<const Variable *, Use> Uses;
    collect(Result.Parts, Uses);
    bool Again = false;
    for (auto &[V, U] : Uses) {
      if (V->Store != Storage::Local && V->Store != Storage::Param) {
        if (U.Outside)
          Result.Outside.insert(V);
        continue;
      }
      if (Uniform.count(V)) {
        Result.Uniform.insert(V);
        Remade.erase(V);
        continue;
      }
      bool InOneRun = !U.Outside && U.Runs.size() == 1 && U.Declared;
      if (InOneRun)
        continue;
      if (!Varying.count(V) && !Demoted.count(V)) {
        Uniform.insert(V);
        Again = true;
      } else if (U.Outside || !Remade.count(V)) {
        Remade.erase(V);
        Result.Across.insert(V);
        if (U.Outside)
          Result.Outside.insert(V);
      }
    }
    for (const Stmt *S : Whole)
      Again |= demote(S);
    if (!Again) {
      remake(Result.Parts, Remade);
      return Result;
    }
  }
}

} // namespace

Structure structure(const Body &Normalised) {
  return Builder(Normalised).run();
}

Structure unsplit(const Body &B) {
  Structure Result;
  Result.Parts.emplace_back();
  Result.Parts[0].K = Part::Kind::Items;
  Result.Parts[0].Stmts = B;
  fillIn(Result.Parts[0]);
  return Result;
}

} // namespace ampc::cpu
