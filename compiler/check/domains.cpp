//===- domains.cpp - rule C3: domains that are known at compile time ------===//
//
// What a constant domain would be refused for at run time is an error here:
// a length that is not positive, too many work items, a tile that does not
// divide. Known are constants, variables that are set once to one, extents of
// views that are opened with constant lengths, and what is made of these.
//
//===----------------------------------------------------------------------===//

#include "check/rules.h"
#include "clang/AST/Attr.h"

using namespace clang;

namespace ampc::rules {
namespace {

using Length = std::optional<int64_t>;
using Lengths = std::vector<Length>; // empty: nothing is known

class Domains {
public:
  Domains(Checker &C, const Body &Kernel) : C(C), K(Kernel) {}

  void check() {
    const Expr *Domain = K.Kernel->Domain;
    const CallExpr *Tile = nullptr;
    bool Pads = false, Truncates = false;
    while (const auto *Call = callOf(Domain)) {
      StringRef Name = libraryCallee(Call, C.SM);
      if (Name == "tiled_extent_pad" && Call->getNumArgs() == 1)
        Pads = true;
      else if (Name == "tiled_extent_truncate" && Call->getNumArgs() == 1)
        Truncates = true;
      else if (Name == "extent_tile" && Call->getNumArgs() > 1)
        Tile = Call;
      else
        break;
      Domain = Call->getArg(0);
      if (Tile)
        break;
    }
    Lengths Found = extent(Domain);
    uint64_t Size = 1;
    bool AllKnown = Found.size() == K.Kernel->Rank;
    for (unsigned I = 0; I != Found.size(); ++I) {
      if (!Found[I]) {
        AllKnown = false;
        continue;
      }
      int64_t N = *Found[I];
      if (N < 1)
        return error(Message::DomainLength, Domain,
                     {std::to_string(I), std::to_string(N)});
      if (Tile && I + 1 < Tile->getNumArgs()) {
        Length T = value(Tile->getArg(I + 1));
        if (!T && I < K.Kernel->Tile.size())
          T = K.Kernel->Tile[I]; // any other is an error at run time
        if (!isGoodTile(K.Kernel->Tile))
          T.reset(); // rule L4 speaks of it
        if (T && *T > 0 && N % *T) {
          if (!Pads && !Truncates)
            return error(
                Message::DomainTile, Domain,
                {std::to_string(I), std::to_string(N), std::to_string(*T)});
          // The outermost of the two is done last, but either divides.
          N = Pads ? (N / *T + 1) * *T : N / *T * *T;
          if (N < 1)
            return error(Message::DomainLength, K.Kernel->Domain,
                         {std::to_string(I), std::to_string(N)});
        }
      }
      Size = std::min<uint64_t>(Size * uint64_t(N), uint64_t(1) << 40);
    }
    if (AllKnown && Size > UINT32_MAX)
      error(Message::DomainSize, Domain,
            {Size >> 40 ? "more than 2^40" : std::to_string(Size)});
  }

private:
  void error(Message M, const Expr *At, std::vector<std::string> Args) {
    // Of a macro of the library, the user's call.
    C.error(M, C.SM.getFileLoc(At->getBeginLoc()), std::move(Args)).in(K);
  }

  static const CallExpr *callOf(const Expr *E) {
    return dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
  }

  Lengths list(ArrayRef<const Expr *> Values) {
    Lengths Found;
    for (const Expr *E : Values)
      Found.push_back(value(E));
    return Found;
  }

  /// The lengths that E, an extent, has.
  Lengths extent(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (E->getType()->isIntegerType())
      if (Length N = value(E))
        return {N};
    if (const auto *Literal = dyn_cast<CompoundLiteralExpr>(E))
      E = Literal->getInitializer();
    if (const auto *List = dyn_cast<InitListExpr>(E)) {
      Lengths Found;
      for (const Expr *Init : List->inits())
        Found.push_back(value(Init));
      if (Found.size() == K.Kernel->Rank)
        return Found;
      return {};
    }
    if (const VarDecl *V = onceSet(E); V && Following.insert(V).second) {
      Lengths Found = extent(V->getInit());
      Following.erase(V);
      return Found;
    }
    const CallExpr *Call = callOf(E);
    StringRef Name = Call ? libraryCallee(Call, C.SM) : "";
    SmallVector<const Expr *, 4> Args;
    if (Call)
      Args.append(Call->arg_begin(), Call->arg_end());
    if (Name == "make_extent")
      return list(Args);
    if (Name == "extent_of" && Args.size() == 1)
      return viewExtent(Args[0]);
    return {};
  }

  /// The lengths with which a view or array is opened.
  Lengths viewExtent(const Expr *E) {
    const VarDecl *V = onceSet(E->IgnoreParenCasts());
    const auto *Call =
        V ? dyn_cast<CallExpr>(V->getInit()->IgnoreParenCasts()) : nullptr;
    StringRef Name = Call ? libraryCallee(Call, C.SM) : "";
    unsigned First = Name == "amp_make_view" || Name == "amp_make_array" ? 2
                     : Name == "amp_make_array_on"                       ? 3
                     : Name == "amp_make_array_staging"                  ? 2
                                                                         : 0;
    if (!First || Call->getNumArgs() <= First)
      return {};
    if (!Call->getArg(First)->getType()->isIntegerType())
      return extent(Call->getArg(First));
    Lengths Found;
    for (unsigned I = First; I != Call->getNumArgs(); ++I)
      Found.push_back(value(Call->getArg(I)));
    return Found;
  }

  Length value(const Expr *E) {
    Expr::EvalResult Value;
    if (!E->isValueDependent() && E->EvaluateAsInt(Value, C.Context))
      return Value.Val.getInt().getExtValue();
    const VarDecl *V = onceSet(E->IgnoreParenImpCasts());
    if (!V || !V->getType()->isIntegerType() || !Following.insert(V).second)
      return std::nullopt;
    Length N = value(V->getInit());
    Following.erase(V);
    return N;
  }

  /// The local variable that E names, if nothing but its initialiser sets it.
  const VarDecl *onceSet(const Expr *E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!V || !V->hasLocalStorage() || !V->getInit() || isa<ParmVarDecl>(V) ||
        V->hasAttr<BlocksAttr>())
      return nullptr;
    bool Set = false;
    walk(C, K.Kernel->Host->getBody(), [&](const Stmt *S, Parents P) {
      const auto *Use = dyn_cast<DeclRefExpr>(S);
      if (Use && Use->getDecl() == V) {
        // Loaded, or part of what sizeof and macros name.
        const auto *Cast = dyn_cast_or_null<CastExpr>(parentOf(P));
        Set |= !Cast || Cast->getCastKind() != CK_LValueToRValue;
      }
      return true;
    });
    return Set ? nullptr : V;
  }

  Checker &C;
  const Body &K;
  llvm::DenseSet<const VarDecl *> Following; ///< int n = n; leads nowhere
};

} // namespace

void checkDomain(Checker &C, const Body &Kernel) { Domains(C, Kernel).check(); }

} // namespace ampc::rules
