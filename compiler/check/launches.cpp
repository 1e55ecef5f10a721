//===- launches.cpp - rules C1, L4, L5: captures and tiles ----------------===//

#include "check/rules.h"
#include "clang/AST/Attr.h"
#include <map>

using namespace clang;

namespace ampc::rules {
namespace {

//===----------------------------------------------------------------------===//
// C1
//===----------------------------------------------------------------------===//

SourceLocation firstUse(const Checker &C, const Body &B, const VarDecl *V) {
  SourceLocation Found;
  walk(C, B.Root, [&](const Stmt *S, Parents) {
    const auto *E = dyn_cast<DeclRefExpr>(S);
    if (E && E->getDecl() == V && Found.isInvalid())
      Found = E->getLocation();
    return Found.isInvalid();
  });
  return Found.isValid() ? Found : B.Kernel->Block->getCaretLocation();
}

void checkCapture(Checker &C, const Body &B,
                  const BlockDecl::Capture &Capture) {
  const VarDecl *V = Capture.getVariable();
  QualType T = V->getType();
  SourceLocation Loc = firstUse(C, B, V);
  std::string Name = V->getName().str();
  std::optional<Message> M;
  if (Capture.isByRef())
    M = Message::CaptureBlock;
  else if (T->isArrayType())
    M = Message::CaptureArray;
  else if (T->isAnyPointerType() && !viewType(T) && !T->isFunctionPointerType())
    M = Message::CapturePointer;
  if (M) {
    C.error(*M, Loc, {Name}).in(B).declared(V);
    return;
  }
  if (isTileBarrier(T) || tiledIndexRank(T))
    return; // rule V4, where it is declared
  if (auto F = C.typeFault(T, Loc)) {
    Report R = C.error(F->M, Loc, [&] {
      std::vector<std::string> Args = F->Args;
      Args.insert(Args.begin(), F->What.empty()
                                    ? "captured variable '" + Name + "'"
                                    : F->What);
      return Args;
    }());
    R.in(B);
    if (F->Member)
      R.note(F->Member->getLocation(), "the member is declared here");
    R.declared(V);
  }
}

//===----------------------------------------------------------------------===//
// L4, L5
//===----------------------------------------------------------------------===//

std::string times(ArrayRef<unsigned> Dims) {
  std::string Text;
  for (unsigned D : Dims)
    Text += (Text.empty() ? "" : " x ") + std::to_string(D);
  return Text;
}

/// Where the tile dimensions of a tiled_index(...) are written.
SourceLocation tileLocation(const ValueDecl *D, unsigned Dimension,
                            SourceLocation Else) {
  for (const auto *A : D->specific_attrs<AnnotateAttr>())
    if (A->getAnnotation() == "amp.tile" && Dimension < A->args_size())
      return (*(A->args_begin() + Dimension))->getBeginLoc();
  return Else;
}

/// Reports what rule L4 has against the tile that D says it is for.
void checkSize(Checker &C, const ValueDecl *D, const Body *B) {
  std::vector<unsigned> Dims = tileDimensions(D);
  auto Error = [&](Message M, unsigned At, std::vector<std::string> Args) {
    Report R =
        C.error(M, tileLocation(D, At, D->getLocation()), std::move(Args));
    if (B)
      R.in(*B);
  };
  uint64_t Threads = 1;
  for (unsigned I = 0; I != Dims.size(); ++I) {
    if (Dims[I] == 0)
      return Error(Message::TileDimension, I,
                   {std::to_string(I), "not positive", " and a constant"});
    Threads = std::min<uint64_t>(Threads * Dims[I], uint64_t(1) << 32);
  }
  if (Dims.empty())
    return;
  if (Dims.size() == 3 && Dims[0] > 64)
    return Error(Message::TileDepth, 0, {std::to_string(Dims[0])});
  if (Threads > 1024)
    Error(Message::TileThreads, 0,
          {times(Dims) + (Dims.size() == 1 ? ""
                          : Threads >> 32  ? " (more than 2^32)"
                                           : " = " + std::to_string(Threads)),
           Dims.size() == 1   ? "256"
           : Dims.size() == 2 ? "32 x 32"
                              : "8 x 8 x 16"});
}

/// The call of extent_tile that makes a domain, through pad and truncate.
const CallExpr *tileCall(const Checker &C, const Expr *E) {
  while (const auto *Call = dyn_cast<CallExpr>(E->IgnoreParenImpCasts())) {
    StringRef Name = libraryCallee(Call, C.SM);
    if (Name == "extent_tile")
      return Call;
    if ((Name != "tiled_extent_pad" && Name != "tiled_extent_truncate") ||
        Call->getNumArgs() != 1)
      return nullptr;
    E = Call->getArg(0);
  }
  return nullptr;
}

std::optional<int64_t> constantOf(const Expr *E, const ASTContext &C) {
  Expr::EvalResult Value;
  if (E->isValueDependent() || !E->EvaluateAsInt(Value, C))
    return std::nullopt;
  return Value.Val.getInt().getExtValue();
}

void checkLaunch(Checker &C, const Body &B) {
  const Launch &L = *B.Kernel;
  const BlockDecl *D = L.Block->getBlockDecl();
  // To Clang an int converts to a vector of as many equal ints as it takes.
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(L.Domain);
      Cast && Cast->getCastKind() == CK_VectorSplat) {
    C.error(Message::DomainRank, Cast->getExprLoc(), {std::to_string(L.Rank)})
        .in(B);
    return;
  }
  if (D->getNumParams() != 1)
    return checkDomain(C, B);
  const ParmVarDecl *Index = D->getParamDecl(0);
  std::optional<unsigned> Rank = tiledIndexRank(Index->getType());
  if (!Rank)
    return checkDomain(C, B);
  const CallExpr *Tile = tileCall(C, L.Domain);
  std::vector<unsigned> Launched;
  for (unsigned I = 1; Tile && I < Tile->getNumArgs(); ++I) {
    auto N = constantOf(Tile->getArg(I), C.Context);
    if (!N)
      break;
    if (*N < 1) {
      C.error(Message::TileDimension, Tile->getArg(I)->getBeginLoc(),
              {std::to_string(I - 1), std::to_string(*N), ""});
      return;
    }
    Launched.push_back(unsigned(*N));
  }
  if (L.Tile.empty()) {
    std::string Example = Launched.size() == *Rank
                              ? times(Launched)
                              : std::string(*Rank == 1   ? "256"
                                            : *Rank == 2 ? "16, 16"
                                                         : "4, 8, 8");
    for (size_t At; (At = Example.find(" x ")) != std::string::npos;)
      Example.replace(At, 3, ", ");
    C.error(Message::TileUnknown, Index->getLocation(),
            {Index->getName().str(), Example})
        .in(B);
    return;
  }
  if (Launched.size() == L.Tile.size() && Launched != L.Tile) {
    C.error(Message::TileLaunch, Tile->getBeginLoc(),
            {times(Launched), Index->getName().str(), times(L.Tile)})
        .note(Index->getLocation(), "the parameter is declared here");
    return;
  }
  checkDomain(C, B);
}

/// Which tiles a tiled index is known to be for: what its declaration says, or
/// what is handed to it.
class TileFlow {
public:
  using Dims = std::vector<unsigned>;

  explicit TileFlow(Checker &C) : C(C) {
    // What is handed on reaches a declaration through others.
    do {
      Changed = false;
      for (const Body &B : C.Bodies)
        if (B.Amp && (B.Kernel || B.Reached))
          each(B, [&](const ValueDecl *To, const Expr *E) { hand(To, E); });
    } while (Changed);
  }

  void check(const Body &B) {
    each(B, [&](const ValueDecl *To, const Expr *E) {
      Dims Want = tileDimensions(To);
      if (Want.empty())
        return;
      for (const Dims &Has : of(E))
        if (Has != Want) {
          C.error(Message::TileMismatch, E->getBeginLoc(),
                  {To->getName().str(), times(Want), times(Has)})
              .in(B)
              .declared(To);
          return;
        }
    });
  }

private:
  std::set<Dims> of(const Expr *E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    if (!Ref || !tiledIndexRank(Ref->getType()))
      return {};
    Dims Written = tileDimensions(Ref->getDecl());
    return Written.empty() ? Handed[Ref->getDecl()] : std::set<Dims>{Written};
  }

  void hand(const ValueDecl *To, const Expr *E) {
    if (tiledIndexRank(To->getType()) && tileDimensions(To).empty())
      for (const Dims &D : of(E))
        Changed |= Handed[To].insert(D).second;
  }

  /// Calls Visit for each tiled index or other value that gets another one.
  void each(const Body &B,
            llvm::function_ref<void(const ValueDecl *, const Expr *)> Visit) {
    walk(C, B.Root, [&](const Stmt *S, Parents) {
      if (const auto *D = dyn_cast<DeclStmt>(S)) {
        for (const Decl *Declared : D->decls())
          if (const auto *V = dyn_cast<VarDecl>(Declared); V && V->getInit())
            Visit(V, V->getInit());
      } else if (const auto *Op = dyn_cast<BinaryOperator>(S)) {
        if (Op->getOpcode() == BO_Assign)
          if (const auto *Ref =
                  dyn_cast<DeclRefExpr>(Op->getLHS()->IgnoreParens()))
            Visit(Ref->getDecl(), Op->getRHS());
      } else if (const auto *Call = dyn_cast<CallExpr>(S)) {
        const FunctionDecl *F = Call->getDirectCallee();
        const Body *To = F ? C.bodyOf(F) : nullptr;
        if (To && To->function())
          F = To->function();
        if (F)
          for (unsigned I = 0; I < F->getNumParams() && I < Call->getNumArgs();
               ++I)
            Visit(F->getParamDecl(I), Call->getArg(I));
      }
      return true;
    });
  }

  Checker &C;
  std::map<const ValueDecl *, std::set<Dims>> Handed;
  bool Changed = false;
};

void checkTiles(Checker &C, const Body &B) {
  if (const FunctionDecl *F = B.function())
    for (const ParmVarDecl *P : F->parameters())
      checkSize(C, P, &B);
  else
    for (const ParmVarDecl *P : cast<BlockDecl>(B.Owner)->parameters())
      checkSize(C, P, &B);
  walk(C, B.Root, [&](const Stmt *S, Parents) {
    if (const auto *D = dyn_cast<DeclStmt>(S))
      for (const Decl *Declared : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(Declared))
          checkSize(C, V, &B);
    return true;
  });
}

} // namespace

bool isGoodTile(ArrayRef<unsigned> Dims) {
  uint64_t Threads = 1;
  for (unsigned D : Dims)
    Threads = std::min<uint64_t>(Threads * D, 1025);
  return Threads && Threads <= 1024 && !(Dims.size() == 3 && Dims[0] > 64);
}

void checkLaunches(Checker &C) {
  TileFlow Tiles(C);
  for (const Body &B : C.Bodies) {
    if (!B.Amp)
      continue;
    checkTiles(C, B);
    Tiles.check(B);
    if (!B.Kernel)
      continue;
    checkLaunch(C, B);
    for (const BlockDecl::Capture &Capture :
         cast<BlockDecl>(B.Owner)->captures())
      checkCapture(C, B, Capture);
  }
}

} // namespace ampc::rules
