//===- warnings_tile_static.cpp - tile_static memory used carelessly ------===//
//
// Read before it is written; written by several work items at once. Simple
// cases only: what is not understood is not warned of.
//
//===----------------------------------------------------------------------===//

#include "check/warner.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace ampc::rules {
namespace {

const VarDecl *tileStaticOf(const Expr *E) {
  while (true) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
      E = Sub->getBase();
    else if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow())
      E = M->getBase();
    else if (const auto *V = dyn_cast<ExtVectorElementExpr>(E))
      E = V->getBase();
    else
      break;
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return V && isTileStatic(V) ? V : nullptr;
}

//===----------------------------------------------------------------------===//
// What values depend on
//===----------------------------------------------------------------------===//

/// The dimensions of the position in the tile that a value depends on, a bit
/// each; or that it comes from memory or a call, so that nothing is known.
using Mask = unsigned;
constexpr Mask Unknown = 8, AllDimensions = 7;

class Dependence {
public:
  Dependence(Checker &C, const Body &B) : C(C) {
    // What a variable is ever set to, whatever the order.
    bool Changed;
    do {
      Changed = false;
      walk(C, B.Root, [&](const Stmt *S, Parents P) {
        auto Set = [&](const VarDecl *V, Mask M) {
          if (!V)
            return;
          // Which value it gets may be decided by a condition, too.
          for (const Stmt *Outer : P)
            M |= condition(Outer);
          Mask &Old = Variables[V];
          Changed |= (Old | M) != Old;
          Old |= M;
        };
        if (const auto *D = dyn_cast<DeclStmt>(S)) {
          for (const Decl *Declared : D->decls())
            if (const auto *V = dyn_cast<VarDecl>(Declared); V && V->getInit())
              Set(V, of(V->getInit()));
        } else if (const auto *Op = dyn_cast<BinaryOperator>(S)) {
          if (Op->isAssignmentOp())
            Set(root(Op->getLHS()), of(Op->getRHS()));
        } else if (const auto *Op = dyn_cast<UnaryOperator>(S)) {
          if (Op->getOpcode() == UO_AddrOf)
            Set(root(Op->getSubExpr()), Unknown);
        }
        return true;
      });
    } while (Changed);
  }

  Mask of(const Stmt *S) const {
    if (!S)
      return 0;
    if (const auto *M = dyn_cast<MemberExpr>(S))
      if (auto Rank = tiledIndexRank(M->getBase()->getType())) {
        StringRef Name = M->getMemberDecl()->getName();
        return Name == "local" || Name == "global" ? (1u << *Rank) - 1 : 0;
      }
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(S)) {
      Expr::EvalResult At;
      if (!Sub->getIdx()->isValueDependent() &&
          Sub->getIdx()->EvaluateAsInt(At, C.Context))
        if (Mask One = component(Sub->getBase(), At.Val.getInt().getExtValue()))
          return One;
      QualType Base = Sub->getBase()->IgnoreParenImpCasts()->getType();
      Mask Index = of(Sub->getIdx());
      if (viewType(Base) || tileStaticOf(Sub))
        return Index ? Index | Unknown : tileStaticOf(Sub) ? Unknown : 0;
      return Index | of(Sub->getBase());
    }
    if (const auto *Lane = dyn_cast<ExtVectorElementExpr>(S)) {
      size_t N = StringRef("xyzw").find(Lane->getAccessor().getName());
      if (Lane->getAccessor().getLength() == 1 && N != StringRef::npos)
        if (Mask One = component(Lane->getBase(), N))
          return One;
    }
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) {
      const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
      if (!V || viewType(V->getType()))
        return 0;
      return isTileStatic(V) ? Unknown : Variables.lookup(V);
    }
    if (isa<UnaryExprOrTypeTraitExpr>(S))
      return 0;
    Mask M = 0;
    if (const auto *Call = dyn_cast<CallExpr>(S)) {
      StringRef Name = libraryCallee(Call, C.SM);
      if (Name == "extent_of")
        return 0;
      if (!Name.starts_with("make_"))
        M = Unknown;
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(S))
      if (Op->getOpcode() == UO_Deref)
        M = Unknown;
    for (const Stmt *Child : S->children())
      M |= of(Child);
    return M;
  }

  /// The condition that S puts on what stands in it.
  Mask condition(const Stmt *S) const {
    if (const auto *If = dyn_cast<IfStmt>(S))
      return of(If->getCond());
    if (const auto *For = dyn_cast<ForStmt>(S))
      return of(For->getCond());
    if (const auto *While = dyn_cast<WhileStmt>(S))
      return of(While->getCond());
    if (const auto *Do = dyn_cast<DoStmt>(S))
      return of(Do->getCond());
    if (const auto *Switch = dyn_cast<SwitchStmt>(S))
      return of(Switch->getCond());
    if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(S))
      return of(Choice->getCond());
    if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->isLogicalOp())
      return of(Op->getLHS());
    return 0;
  }

private:
  static const VarDecl *root(const Expr *E) {
    while (true) {
      E = E->IgnoreParenImpCasts();
      if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
        E = Sub->getBase();
      else if (const auto *M = dyn_cast<MemberExpr>(E))
        E = M->getBase();
      else if (const auto *V = dyn_cast<ExtVectorElementExpr>(E))
        E = V->getBase();
      else
        return namedVariable(E);
    }
  }

  /// t.local[N], t.global.y: that dimension alone.
  Mask component(const Expr *E, int64_t N) const {
    const auto *M = dyn_cast<MemberExpr>(E->IgnoreParenImpCasts());
    auto Rank = M ? tiledIndexRank(M->getBase()->getType()) : std::nullopt;
    return Rank && of(M) && N >= 0 && N < *Rank ? 1u << N : 0;
  }

  Checker &C;
  llvm::DenseMap<const VarDecl *, Mask> Variables;
};

//===----------------------------------------------------------------------===//
// The warnings
//===----------------------------------------------------------------------===//

class TileStaticWarnings {
public:
  explicit TileStaticWarnings(Warner &W) : W(W), C(W.C) {}

  void run() {
    for (const Body &B : C.Bodies) {
      if (!B.Amp)
        continue;
      uninitialised(B);
      if (W.isOn(Warning::TileStaticRace))
        races(B);
    }
  }

private:
  //---- tile-static-uninitialised -------------------------------------------

  /// What is known of the uses of a tile_static variable, in source order.
  struct Uses {
    const DeclRefExpr *Read = nullptr; ///< the first, before any store
    std::vector<const Stmt *> Loops;   ///< around it
    bool Known = true;                 ///< nothing else may have stored to it
  };

  void uninitialised(const Body &B) {
    llvm::MapVector<const VarDecl *, Uses> All;
    walk(C, B.Root, [&](const Stmt *S, Parents P) {
      const auto *Ref = dyn_cast<DeclRefExpr>(S);
      const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
      if (!V || !isTileStatic(V))
        return true;
      Uses &U = All[V];
      if (isRead(Ref, P)) {
        if (!U.Read && U.Known) {
          U.Read = Ref;
          for (const Stmt *Parent : P)
            if (isa<ForStmt, WhileStmt, DoStmt>(Parent))
              U.Loops.push_back(Parent);
        }
        return true;
      }
      // A store, or an address that leads to one: it comes first, or may in
      // the next iteration of a loop around both.
      if (!U.Read || llvm::any_of(U.Loops, [&](const Stmt *Loop) {
            return llvm::is_contained(P, Loop);
          }))
        U.Known = false;
      return true;
    });
    for (auto &[V, U] : All)
      if (U.Read && U.Known)
        W.warn(
            Warning::TileStaticUninitialised, U.Read->getLocation(),
            "'" + V->getName().str() +
                "' is read here before anything is stored to it: tile_static "
                "memory holds no defined value when a kernel starts",
            V);
  }

  /// The variable is loaded from, whole, by member or by subscript.
  static bool isRead(const Expr *E, Parents P) {
    for (const Stmt *Parent : llvm::reverse(P)) {
      if (const auto *Cast = dyn_cast<CastExpr>(Parent)) {
        if (Cast->getCastKind() == CK_LValueToRValue)
          return true;
        if (Cast->getCastKind() != CK_ArrayToPointerDecay)
          return false;
      } else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(Parent)) {
        if (Sub->getIdx() == E)
          return true;
      } else if (!isa<ParenExpr, MemberExpr, ExtVectorElementExpr>(Parent)) {
        return false;
      }
      E = cast<Expr>(Parent);
    }
    return false;
  }

  //---- tile-static-race ----------------------------------------------------

  /// The lengths of the tile in which B runs, if it says so.
  static std::vector<unsigned> tileOf(const Body &B) {
    if (B.Kernel)
      return B.Kernel->Tile;
    if (const FunctionDecl *F = B.function())
      for (const ParmVarDecl *P : F->parameters())
        if (tiledIndexRank(P->getType()))
          return tileDimensions(P);
    return {};
  }

  void races(const Body &B) {
    Mask Tile = 0;
    std::vector<unsigned> Lengths = tileOf(B);
    for (unsigned I = 0; I != Lengths.size(); ++I)
      Tile |= Lengths[I] > 1 ? 1u << I : 0;
    if (!Tile)
      return;
    Dependence Values(C, B);
    Mask Left = 0; // conditions under which some work items have left before
    walk(C, B.Root, [&](const Stmt *S, Parents P) {
      Mask Guards = Left;
      for (const Stmt *Outer : P)
        Guards |= Values.condition(Outer);
      if (isa<ReturnStmt, BreakStmt, ContinueStmt>(S))
        Left |= Guards;
      const Expr *Target = nullptr, *Value = nullptr;
      bool Reads = false, Idempotent = false;
      if (const auto *Op = dyn_cast<BinaryOperator>(S);
          Op && Op->isAssignmentOp()) {
        Target = Op->getLHS(), Value = Op->getRHS();
        Reads = Op->isCompoundAssignmentOp();
        Idempotent =
            Op->getOpcode() == BO_OrAssign || Op->getOpcode() == BO_AndAssign;
      } else if (const auto *Op = dyn_cast<UnaryOperator>(S);
                 Op && Op->isIncrementDecrementOp()) {
        Target = Op->getSubExpr();
        Reads = true;
      }
      const VarDecl *V = Target ? tileStaticOf(Target) : nullptr;
      if (!V)
        return true;
      Mask Stored = Value ? Values.of(Value) : 0, At = place(Target, Values);
      bool Varies = Reads ? !Idempotent || Stored : (Stored & AllDimensions);
      bool Alone = ((At | Guards) & Unknown) || !(Tile & ~(At | Guards));
      if (!Alone && (Varies || !Reads))
        W.warn(Warning::TileStaticRace, cast<Expr>(S)->getExprLoc(),
               "several work items of a tile write " + element(Target, V) +
                   " at the same time: let one do it, as in 'if (" +
                   (Lengths.size() == 1   ? "t.local == 0"
                    : Lengths.size() == 2 ? "t.local[0] + t.local[1] == 0"
                                          : "index_equal(t.local, "
                                            "make_index(0, 0, 0))") +
                   ")'" +
                   (Varies ? ", give each an element of its own, or use "
                             "'amp_atomic_fetch_add' and its like"
                           : ""),
               V);
      else if (At && !Guards)
        neighbour(B, S, Target, V, Lengths);
      return true;
    });
  }

  static std::string element(const Expr *Target, const VarDecl *V) {
    bool Whole = isa<DeclRefExpr>(Target->IgnoreParenImpCasts());
    return (Whole ? "'" : "one element of '") + V->getName().str() + "'";
  }

  /// What the subscripts of a place depend on.
  Mask place(const Expr *E, const Dependence &Values) const {
    Mask M = 0;
    while (true) {
      E = E->IgnoreParenImpCasts();
      if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
        M |= Values.of(Sub->getIdx());
        E = Sub->getBase();
      } else if (const auto *Member = dyn_cast<MemberExpr>(E)) {
        E = Member->getBase();
      } else if (const auto *Lane = dyn_cast<ExtVectorElementExpr>(E)) {
        E = Lane->getBase();
      } else {
        return M;
      }
    }
  }

  /// s[t.local] = a; s[t.local + 1] = b; with no barrier in between: the second
  /// is what another work item stores first.
  void neighbour(const Body &B, const Stmt *S, const Expr *Target,
                 const VarDecl *V, const std::vector<unsigned> &Lengths) {
    auto Here = offset(Target);
    if (!Here || Lengths.size() != 1)
      return;
    bool Reported = false;
    walk(C, B.Root, [&](const Stmt *Block, Parents) {
      const auto *List = dyn_cast<CompoundStmt>(Block);
      if (!List || Reported)
        return !Reported;
      bool IsStored = false; // s[t.local + Before], by what stands before
      int64_t Before = 0;
      for (const Stmt *Item : List->body()) {
        if (Item == S && IsStored) {
          int64_t Distance = std::abs(Before - *Here);
          if (Distance && Distance < int64_t(Lengths[0])) {
            Reported = true;
            W.warn(Warning::TileStaticRace, cast<Expr>(S)->getExprLoc(),
                   "this writes an element of '" + V->getName().str() +
                       "' that another work item of the tile writes, too, with "
                       "no barrier in between",
                   V);
          }
          return true;
        }
        const auto *Op = dyn_cast<BinaryOperator>(Item);
        if (Op && Op->getOpcode() == BO_Assign &&
            tileStaticOf(Op->getLHS()) == V) {
          auto At = offset(Op->getLHS());
          IsStored = At.has_value();
          Before = At.value_or(0);
        } else if (!isa<DeclStmt>(Item) && !Op) {
          IsStored = false; // a barrier, a call, another flow
        }
      }
      return true;
    });
  }

  /// c in s[t.local + c].
  std::optional<int64_t> offset(const Expr *Place) const {
    const auto *Sub =
        dyn_cast<ArraySubscriptExpr>(Place->IgnoreParenImpCasts());
    if (!Sub || !isa<DeclRefExpr>(Sub->getBase()->IgnoreParenImpCasts()))
      return std::nullopt;
    const Expr *At = Sub->getIdx()->IgnoreParenImpCasts();
    int64_t Offset = 0;
    if (const auto *Op = dyn_cast<BinaryOperator>(At);
        Op && Op->isAdditiveOp()) {
      Expr::EvalResult By;
      if (!Op->getRHS()->EvaluateAsInt(By, C.Context))
        return std::nullopt;
      Offset = By.Val.getInt().getExtValue();
      if (Op->getOpcode() == BO_Sub)
        Offset = -Offset;
      At = Op->getLHS()->IgnoreParenImpCasts();
    }
    const auto *M = dyn_cast<MemberExpr>(At);
    if (!M || !tiledIndexRank(M->getBase()->getType()) ||
        M->getMemberDecl()->getName() != "local")
      return std::nullopt;
    return Offset;
  }

  Warner &W;
  Checker &C;
};

} // namespace

void warnTileStatic(Warner &W) { TileStaticWarnings(W).run(); }

} // namespace ampc::rules
