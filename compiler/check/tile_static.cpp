//===- tile_static.cpp - rules L1 to L3: memory of a tile -----------------===//

#include "check/rules.h"
#include "clang/AST/Attr.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace ampc::rules {
namespace {

constexpr uint64_t MostBytes = 32768;

std::vector<const VarDecl *> variablesOf(const Checker &C, const Stmt *Root) {
  std::vector<const VarDecl *> Found;
  walk(C, Root, [&](const Stmt *S, Parents) {
    if (const auto *D = dyn_cast<DeclStmt>(S))
      for (const Decl *Declared : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(Declared))
          if (isTileStatic(V))
            Found.push_back(V);
    return true;
  });
  return Found;
}

/// The tiled index that B gets as a parameter, or null.
const ParmVarDecl *tiledIndexOf(const Body &B) {
  ArrayRef<ParmVarDecl *> Parameters =
      B.function() ? B.function()->parameters()
                   : cast<BlockDecl>(B.Owner)->parameters();
  for (const ParmVarDecl *P : Parameters)
    if (tiledIndexRank(P->getType()) && !P->getName().empty())
      return P;
  return nullptr;
}

/// How a scalar gets the value that its initialiser was to give it.
std::string assignment(const Checker &C, const VarDecl *V,
                       const ParmVarDecl *Tile) {
  CharSourceRange Written = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(V->getInit()->getSourceRange()), C.SM,
      C.Context.getLangOpts());
  std::string T = Tile->getName().str(), First = T + ".local";
  switch (*tiledIndexRank(Tile->getType())) {
  case 1:
    First += " == 0";
    break;
  case 2:
    First += "[0] + " + First + "[1] == 0";
    break;
  default:
    First = "index_equal(" + First + ", make_index(0, 0, 0))";
    break;
  }
  return "write 'if (" + First + ") " + V->getName().str() + " = " +
         Lexer::getSourceText(Written, C.SM, C.Context.getLangOpts()).str() +
         ";' and 'tile_barrier_wait(" + T + ".barrier);'";
}

void checkValue(Checker &C, const Body &B, const VarDecl *V) {
  std::string Name = V->getName().str();
  QualType T = V->getType();
  const char *Wrong = nullptr;
  if (containsView(T))
    Wrong = "a view, an array handle or anything that holds one";
  else if (T->isAnyPointerType())
    Wrong = "a pointer";
  if (Wrong)
    C.error(Message::TileStaticType, V->getLocation(), {Name, Wrong}).in(B);
  else if (V->getInit()) {
    Report R =
        C.error(Message::TileStaticInit, V->getInit()->getBeginLoc(), {Name});
    R.in(B).declared(V);
    const ParmVarDecl *Tile = tiledIndexOf(B);
    if (Tile && T->isScalarType() && !isa<InitListExpr>(V->getInit()))
      R.note(V->getInit()->getBeginLoc(), assignment(C, V, Tile));
  }
}

/// The tile_static variables of each body and of what it calls.
class Users {
public:
  explicit Users(Checker &C) : C(C) {
    for (const Body &B : C.Bodies)
      if (B.Amp)
        Own[&B] = variablesOf(C, B.Root);
  }

  void kernel(const Body &K) {
    if (K.Kernel->Tile.empty())
      untiled(K);
    size(K);
  }

  const std::vector<const VarDecl *> &own(const Body &B) { return Own[&B]; }

private:
  // The bodies that B reaches, each once, with the call that leads there.
  struct Way {
    const Body *To;
    const AmpCall *Call;
    const Way *From;
  };
  std::deque<Way> waysFrom(const Body &B) {
    std::deque<Way> Ways{{&B, nullptr, nullptr}};
    llvm::DenseSet<const Body *> Seen{&B};
    for (size_t I = 0; I != Ways.size(); ++I)
      for (const AmpCall &Call : Ways[I].To->Calls)
        if (Call.Target && Seen.insert(Call.Target).second)
          Ways.push_back({Call.Target, &Call, &Ways[I]});
    return Ways;
  }

  void untiled(const Body &K) {
    // A tiled_index without dimensions is rule L5's.
    const auto *D = cast<BlockDecl>(K.Owner);
    if (D->getNumParams() == 1 && tiledIndexRank(D->getParamDecl(0)->getType()))
      return;
    for (const VarDecl *V : own(K))
      C.error(Message::TileStaticUntiled, V->getLocation(),
              {V->getName().str()})
          .in(K)
          .tiled(K);
    std::deque<Way> Ways = waysFrom(K);
    for (const Way &W : Ways) {
      if (!W.Call || own(*W.To).empty())
        continue;
      const Way *First = &W;
      while (First->From->Call)
        First = First->From;
      Report R =
          C.error(Message::TileStaticCall, First->Call->Call->getBeginLoc(),
                  {First->Call->Callee->getName().str()});
      for (const Way *Step = &W; Step != First; Step = Step->From)
        R.note(Step->Call->Call->getBeginLoc(),
               Step->From->To->name() + " calls " + Step->To->name() + " here");
      R.declared(own(*W.To).front());
      R.tiled(K);
    }
  }

  void size(const Body &K) {
    uint64_t Total = 0;
    std::string Sum;
    std::vector<const VarDecl *> All;
    for (const Way &W : waysFrom(K))
      for (const VarDecl *V : own(*W.To)) {
        if (V->getType()->isIncompleteType() ||
            V->getType()->isVariablyModifiedType())
          continue;
        uint64_t Bytes =
            C.Context.getTypeSizeInChars(V->getType()).getQuantity();
        Total += Bytes;
        Sum += (Sum.empty() ? "" : " + ") + std::to_string(Bytes);
        All.push_back(V);
      }
    if (Total <= MostBytes)
      return;
    Report R =
        C.error(Message::TileStaticSize, K.Kernel->Block->getCaretLocation(),
                {K.Kernel->Name, Sum, std::to_string(Total)});
    for (const VarDecl *V : All)
      R.note(V->getLocation(),
             "'" + V->getName().str() + "' takes " +
                 std::to_string(
                     C.Context.getTypeSizeInChars(V->getType()).getQuantity()) +
                 " bytes");
  }

  Checker &C;
  llvm::DenseMap<const Body *, std::vector<const VarDecl *>> Own;
};

bool saysTileStatic(const Decl *D) {
  for (const auto *A : D->specific_attrs<AnnotateAttr>())
    if (A->getAnnotation() == "amp.tile_static" && !A->isInherited())
      return true;
  return false;
}

} // namespace

void checkTileStatic(Checker &C) {
  for (const Decl *D : C.Context.getTranslationUnitDecl()->decls())
    if (C.isUser(D) && saysTileStatic(D))
      C.error(Message::TileStaticGlobal, D->getLocation(),
              {cast<NamedDecl>(D)->getName().str()});

  Users Find(C);
  for (const Body &B : C.Bodies) {
    if (B.Cpu) {
      for (const VarDecl *V : variablesOf(C, B.Root))
        if (B.Kernel)
          C.error(Message::TileStaticBoth, V->getLocation(),
                  {V->getName().str()})
              .in(B);
        else
          C.error(Message::TileStaticHost, V->getLocation(),
                {V->getName().str(),
                 B.function() ? B.function()->getName().str() : "",
                 B.Amp ? "cpu, amp" : "cpu"})
            .in(B);
      continue;
    }
    for (const VarDecl *V : Find.own(B))
      checkValue(C, B, V);
    if (B.Kernel)
      Find.kernel(B);
  }
}

} // namespace ampc::rules
