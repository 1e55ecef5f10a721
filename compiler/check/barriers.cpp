//===- barriers.cpp - rules B3 and V4: where barriers come from -----------===//

#include "check/rules.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace ampc::rules {
namespace {

bool isWait(StringRef Name) { return Name.starts_with("tile_barrier_wait"); }

/// "tile_barrier" or "tiled index" when T is or holds a barrier of the library.
const char *barrierKind(QualType T) {
  return isTileBarrier(T)    ? "tile_barrier"
         : tiledIndexRank(T) ? "tiled index"
                             : nullptr;
}

//===----------------------------------------------------------------------===//
// V4
//===----------------------------------------------------------------------===//

void checkVariable(Checker &C, const VarDecl *V, const Body *B) {
  const char *Kind = barrierKind(V->getType());
  QualType Element = V->getType();
  if (const auto *A = C.Context.getAsArrayType(Element)) {
    Element = C.Context.getBaseElementType(A);
    if (barrierKind(Element))
      C.error(Message::BarrierMember, V->getLocation(),
              {"'" + V->getName().str() + "'", C.typeName(Element)});
    return;
  }
  if (!Kind || isa<ParmVarDecl>(V))
    return;
  const Expr *Init =
      V->getInit() ? V->getInit()->IgnoreParenImpCasts() : nullptr;
  if (Init && !isa<InitListExpr>(Init))
    return;
  Report R = C.error(Message::BarrierMade, V->getLocation(),
                     {"'" + V->getName().str() + "'", Kind});
  if (B)
    R.in(*B);
}

void checkSources(Checker &C, const Body &B) {
  if (const auto *V = dyn_cast<VarDecl>(B.Owner))
    checkVariable(C, V, &B);
  walk(C, B.Root, [&](const Stmt *S, Parents) {
    if (const auto *D = dyn_cast<DeclStmt>(S)) {
      for (const Decl *Declared : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(Declared))
          checkVariable(C, V, &B);
    } else if (const auto *L = dyn_cast<CompoundLiteralExpr>(S)) {
      if (const char *Kind = barrierKind(L->getType()))
        C.error(Message::BarrierMade, L->getBeginLoc(),
                {"this compound literal", Kind})
            .in(B);
    } else if (const auto *M = dyn_cast<MemberExpr>(S)) {
      if (isTileBarrier(M->getBase()->getType()) ||
          (M->isArrow() &&
           isTileBarrier(M->getBase()->getType()->getPointeeType())))
        C.error(Message::BarrierOpened, M->getMemberLoc()).in(B);
    } else if (const auto *Op = dyn_cast<BinaryOperator>(S)) {
      // The position of a work item is the kernel's to know, not to set.
      if (Op->isAssignmentOp())
        if (const auto *M = dyn_cast<MemberExpr>(Op->getLHS()->IgnoreParens()))
          if (isTileBarrier(M->getType()))
            C.error(Message::BarrierMember, M->getMemberLoc(),
                    {"'" + M->getMemberDecl()->getName().str() + "'",
                     "tile_barrier"})
                .in(B);
    }
    return true;
  });
}

//===----------------------------------------------------------------------===//
// B3
//===----------------------------------------------------------------------===//

/// The first wait that B executes itself.
const CallExpr *waitIn(const Checker &C, const Body &B) {
  const CallExpr *Found = nullptr;
  walk(C, B.Root, [&](const Stmt *S, Parents) {
    const auto *Call = dyn_cast<CallExpr>(S);
    if (Call && !Found && isWait(libraryCallee(Call, C.SM)))
      Found = Call;
    return !Found;
  });
  return Found;
}

class Waits {
public:
  explicit Waits(Checker &C) : C(C) {}

  void untiled(const Body &K) {
    walk(C, K.Root, [&](const Stmt *S, Parents) {
      const auto *Call = dyn_cast<CallExpr>(S);
      if (Call && isWait(libraryCallee(Call, C.SM)))
        C.error(Message::BarrierUntiled, Call->getBeginLoc(),
                {"'" + Call->getDirectCallee()->getName().str() + "'"})
            .in(K)
            .tiled(K);
      return true;
    });
    for (const AmpCall &Call : K.Calls) {
      if (!Call.Target)
        continue;
      std::vector<std::pair<SourceLocation, std::string>> Steps;
      llvm::DenseSet<const Body *> Seen;
      if (!reaches(*Call.Target, Seen, Steps))
        continue;
      Report R = C.error(Message::BarrierUntiled, Call.Call->getBeginLoc(),
                         {"'" + Call.Callee->getName().str() + "'"});
      R.in(K);
      for (auto &[Loc, Text] : llvm::reverse(Steps))
        R.note(Loc, Text);
      R.tiled(K);
    }
  }

private:
  // Steps: innermost first.
  bool reaches(const Body &B, llvm::DenseSet<const Body *> &Seen,
               std::vector<std::pair<SourceLocation, std::string>> &Steps) {
    if (!Seen.insert(&B).second)
      return false;
    if (const CallExpr *Wait = waitIn(C, B)) {
      Steps.emplace_back(Wait->getBeginLoc(), B.name() + " waits here");
      return true;
    }
    for (const AmpCall &Call : B.Calls)
      if (Call.Target && reaches(*Call.Target, Seen, Steps)) {
        Steps.emplace_back(Call.Call->getBeginLoc(), B.name() + " calls " +
                                                         Call.Target->name() +
                                                         " here");
        return true;
      }
    return false;
  }

  Checker &C;
};

} // namespace

void checkBarriers(Checker &C) {
  Waits Find(C);
  for (const Body &B : C.Bodies)
    if (B.Kernel && B.Kernel->Tile.empty()) {
      const auto *D = cast<BlockDecl>(B.Owner);
      if (D->getNumParams() != 1 ||
          !tiledIndexRank(D->getParamDecl(0)->getType()))
        Find.untiled(B);
    }
  for (const Decl *D : C.Context.getTranslationUnitDecl()->decls())
    if (const auto *V = dyn_cast<VarDecl>(D); V && C.isUser(V) && !V->getInit())
      checkVariable(C, V, nullptr);
  for (const Body &B : C.Bodies)
    checkSources(C, B);
}

} // namespace ampc::rules
