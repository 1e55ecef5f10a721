//===- warnings_views.cpp - views that are unused, freed or half written --===//

#include "check/warner.h"

using namespace clang;

namespace ampc::rules {
namespace {

class ViewWarnings {
public:
  explicit ViewWarnings(Warner &W) : W(W), C(W.C) {}

  void run() {
    for (const Body &B : C.Bodies) {
      if (B.Kernel)
        unusedViews(B);
      if (!B.Amp)
        pendingFrees(B);
      if (B.Cpu && W.isOn(Warning::DiscardIncomplete))
        discards(B);
    }
  }

private:
  //---- unused-view ---------------------------------------------------------

  void unusedViews(const Body &B) {
    llvm::DenseSet<const VarDecl *> Used;
    llvm::DenseMap<const VarDecl *, SourceLocation> Named;
    walk(C, B.Root, [&](const Stmt *S, Parents P) {
      const auto *Ref = dyn_cast<DeclRefExpr>(S);
      const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
      if (!V || !viewType(V->getType()))
        return true;
      Named.try_emplace(V, Ref->getLocation());
      const auto *Cast = dyn_cast_or_null<CastExpr>(parentOf(P));
      if (Cast && Cast->getCastKind() == CK_LValueToRValue)
        Cast = dyn_cast_or_null<CastExpr>(parentOf(P.drop_back()));
      if (!Cast || Cast->getCastKind() != CK_ToVoid)
        Used.insert(V);
      return true;
    });
    for (const VarDecl *V : B.Kernel->Captures)
      if (Named.count(V) && !Used.count(V))
        W.warn(Warning::UnusedView, Named.lookup(V),
               "the kernel captures '" + V->getName().str() +
                   "' but does not use it: its data are copied for nothing",
               V);
  }

  //---- free-pending --------------------------------------------------------

  struct OpenView {
    const VarDecl *View, *Memory;
    const Stmt *Scope;    ///< at whose end it is closed
    bool Pending = false; ///< a kernel has it that may write to it
  };

  void pendingFrees(const Body &B) {
    std::vector<OpenView> Views;
    walk(C, B.Root, [&](const Stmt *S, Parents P) {
      if (const auto *D = dyn_cast<DeclStmt>(S)) {
        for (const Decl *Declared : D->decls())
          if (const auto *V = dyn_cast<VarDecl>(Declared))
            if (const VarDecl *Memory = openedOn(V))
              Views.push_back({V, Memory, parentOf(P)});
        return true;
      }
      const auto *Call = dyn_cast<CallExpr>(S);
      const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
      if (!F || !F->getIdentifier())
        return true;
      if (F->getName() == "free" && Call->getNumArgs() == 1) {
        const VarDecl *Freed = namedVariable(Call->getArg(0));
        for (const OpenView &V : Views)
          if (V.Pending && V.Memory == Freed && llvm::is_contained(P, V.Scope))
            W.warn(
                Warning::FreePending, Call->getBeginLoc(),
                "'" + Freed->getName().str() + "' is freed while its view '" +
                    V.View->getName().str() +
                    "' may have results to write back: close the view first, "
                    "with 'array_view_close' or the end of its scope",
                V.View);
        return true;
      }
      StringRef Library = libraryCallee(Call, C.SM);
      if (Library == "parallel_for_each") {
        const auto *Block = dyn_cast<BlockExpr>(
            Call->getArg(Call->getNumArgs() - 1)->IgnoreParenImpCasts());
        for (OpenView &V : Views)
          if (Block)
            for (const BlockDecl::Capture &Capture :
                 Block->getBlockDecl()->captures())
              V.Pending |= Capture.getVariable() == V.View;
      } else if (!Library.empty() && Call->getNumArgs()) {
        // Whatever the library does to the view itself may end the wait.
        if (Library != "extent_of")
          for (OpenView &V : Views)
            if (namedVariable(Call->getArg(0)) == V.View)
              V.Pending = false;
      }
      return true;
    });
  }

  /// The pointer variable that a local writable view is opened on.
  const VarDecl *openedOn(const VarDecl *V) const {
    auto View = viewType(V->getType());
    if (!View || View->IsArray || View->isConst() || !V->getInit())
      return nullptr;
    const auto *Call = dyn_cast<CallExpr>(V->getInit()->IgnoreParenCasts());
    if (!Call || libraryCallee(Call, C.SM) != "amp_make_view" ||
        !Call->getNumArgs())
      return nullptr;
    const VarDecl *Memory = namedVariable(Call->getArg(0));
    return Memory && Memory->getType()->isPointerType() ? Memory : nullptr;
  }

  //---- discard-incomplete --------------------------------------------------

  /// After a discard, the first use in the source that may write must be a
  /// launch that writes all, or a copy into the view.
  void discards(const Body &B) {
    llvm::DenseMap<const VarDecl *, const CallExpr *> Open;
    auto Warn = [&](const VarDecl *V, const CallExpr *At, StringRef Why) {
      W.warn(Warning::DiscardIncomplete, At->getBeginLoc(),
             "the data of '" + V->getName().str() + "' are discarded, but " +
                 Why.str() +
                 ": elements that are not written have no defined value",
             V);
    };
    walk(C, B.Root, [&](const Stmt *S, Parents) {
      const auto *Call = dyn_cast<CallExpr>(S);
      StringRef Name = Call ? libraryCallee(Call, C.SM) : "";
      if (Name == "array_view_discard_data" && Call->getNumArgs()) {
        if (const VarDecl *V = namedVariable(Call->getArg(0)))
          Open[V] = Call;
      } else if (Name == "amp_copy" && Call->getNumArgs() > 1) {
        Open.erase(namedVariable(Call->getArg(1)));
      } else if (Name == "parallel_for_each") {
        for (const Body &K : C.Bodies) {
          if (!K.Kernel || K.Kernel->Call != Call)
            continue;
          for (const VarDecl *V : K.Kernel->Captures) {
            auto At = Open.find(V);
            if (At == Open.end())
              continue;
            if (!writesAll(K, V))
              Warn(V, At->second,
                   "the next kernel is not seen to write every element");
            Open.erase(At);
          }
        }
      }
      return true;
    });
    for (auto [V, At] : Open)
      Warn(V, At, "no kernel that follows in this function writes them");
  }

  /// The domain is V's extent, and each work item stores to its own element
  /// whatever happens.
  bool writesAll(const Body &K, const VarDecl *V) const {
    const auto *Block = cast<BlockDecl>(K.Owner);
    const Expr *Domain = K.Kernel->Domain;
    if (const auto *Tile = dyn_cast<CallExpr>(Domain->IgnoreParenImpCasts());
        Tile && libraryCallee(Tile, C.SM) == "extent_tile")
      Domain = Tile->getArg(0);
    const auto *Of = dyn_cast<CallExpr>(Domain->IgnoreParenImpCasts());
    if (!Of || libraryCallee(Of, C.SM) != "extent_of" ||
        namedVariable(Of->getArg(0)) != V)
      return false;
    const auto *Body = dyn_cast<CompoundStmt>(K.Root);
    if (!Body)
      return false;
    for (const Stmt *S : Body->body()) {
      bool Returns = false;
      walk(C, S, [&](const Stmt *Inner, Parents) {
        Returns |= isa<ReturnStmt>(Inner);
        return !Returns;
      });
      if (Returns)
        return false;
      const auto *Op = dyn_cast<BinaryOperator>(S);
      if (Op && Op->getOpcode() == BO_Assign &&
          isOwnElement(Op->getLHS(), V, Block))
        return true;
    }
    return false;
  }

  /// v[i] for the kernel's index i; v[row][column]; at_2(v, i).
  bool isOwnElement(const Expr *E, const VarDecl *V,
                    const BlockDecl *Block) const {
    SmallVector<const Expr *, 4> Subscripts;
    E = E->IgnoreParens();
    if (const auto *Deref = dyn_cast<UnaryOperator>(E)) {
      // at_N: a statement expression with the index in a variable.
      const auto *At = dyn_cast<StmtExpr>(Deref->getSubExpr()->IgnoreParens());
      const auto *Index =
          At ? dyn_cast<DeclStmt>(At->getSubStmt()->body_front()) : nullptr;
      const auto *I =
          Index ? dyn_cast<VarDecl>(Index->getSingleDecl()) : nullptr;
      const auto *Address =
          At ? dyn_cast<UnaryOperator>(
                   cast<Expr>(At->getSubStmt()->body_back())->IgnoreParens())
             : nullptr;
      if (!I || !I->getInit() || !Address || !isWholeIndex(I->getInit(), Block))
        return false;
      const Expr *Base = Address->getSubExpr()->IgnoreParens();
      while (const auto *Sub = dyn_cast<ArraySubscriptExpr>(Base))
        Base = Sub->getBase()->IgnoreParenImpCasts();
      return namedVariable(Base) == V;
    }
    while (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
      Subscripts.insert(Subscripts.begin(), Sub->getIdx());
      E = Sub->getBase()->IgnoreParenImpCasts();
    }
    if (namedVariable(E) != V)
      return false;
    if (Subscripts.size() == 1)
      return isWholeIndex(Subscripts[0], Block);
    for (unsigned I = 0; I != Subscripts.size(); ++I) {
      if (Block->getNumParams() == Subscripts.size()
              ? namedVariable(Subscripts[I]) != Block->getParamDecl(I)
              : !isComponent(Subscripts[I], I, Block))
        return false;
    }
    return !Subscripts.empty();
  }

  /// i, or t.global.
  static bool isWholeIndex(const Expr *E, const BlockDecl *Block) {
    if (Block->getNumParams() != 1)
      return false;
    E = E->IgnoreParenImpCasts();
    if (const auto *M = dyn_cast<MemberExpr>(E)) {
      if (M->getMemberDecl()->getName() != "global")
        return false;
      E = M->getBase();
    }
    return namedVariable(E) == Block->getParamDecl(0);
  }

  /// i[N] or t.global[N].
  bool isComponent(const Expr *E, unsigned N, const BlockDecl *Block) const {
    E = E->IgnoreParenImpCasts();
    if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
      Expr::EvalResult At;
      return Sub->getIdx()->EvaluateAsInt(At, C.Context) &&
             At.Val.getInt() == N && isWholeIndex(Sub->getBase(), Block);
    }
    const auto *Lane = dyn_cast<ExtVectorElementExpr>(E);
    return Lane &&
           Lane->getAccessor().getName() == StringRef("xyzw").substr(N, 1) &&
           isWholeIndex(Lane->getBase(), Block);
  }

  Warner &W;
  Checker &C;
};

} // namespace

void warnViews(Warner &W) { ViewWarnings(W).run(); }

} // namespace ampc::rules
