//===- warnings.cpp - what is legal and nearly always a mistake -----------===//
//
// Each warning has its own flag, -Wamp-...; all are on by default. Clang's
// table of flags is closed, so the flags are looked at here.
//
//===----------------------------------------------------------------------===//

#include "check/warnings.h"
#include "check/rules.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace ampc {

static const StringRef Names[] = {"amp-unused-view", "amp-double-promotion",
                                  "amp-tile-static-uninitialised",
                                  "amp-free-pending"};

bool isWarning(StringRef Name) { return llvm::is_contained(Names, Name); }

namespace rules {
namespace {

const VarDecl *variableOf(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

class Warnings {
public:
  explicit Warnings(Checker &C) : C(C) {}

  bool run() {
    for (const Body &B : C.Bodies) {
      if (B.Kernel)
        unusedViews(B);
      if (B.Amp) {
        promotions(B);
        uninitialised(B);
      } else {
        pendingFrees(B);
      }
    }
    return !AnyError;
  }

private:
  void warn(StringRef Name, SourceLocation Loc, std::string Text,
            const NamedDecl *Declared = nullptr, FixItHint Fix = {}) {
    bool On = true, IsError = C.U.Diags.getWarningsAsErrors();
    for (StringRef Flag : C.U.Warnings) {
      if (Flag == ("-W" + Name).str())
        On = true;
      else if (Flag == ("-Wno-" + Name).str())
        On = false;
      else if (Flag == ("-Werror=" + Name).str())
        On = IsError = true;
      else if (Flag == ("-Wno-error=" + Name).str())
        IsError = false;
    }
    if (!On || C.U.Diags.getIgnoreAllWarnings() ||
        C.SM.isInSystemHeader(C.SM.getExpansionLoc(Loc)))
      return;
    AnyError |= IsError;
    // A remark is what -Werror leaves alone, but it would not count: a warning
    // that is to stay one is reported with the general flag off.
    bool General = C.U.Diags.getWarningsAsErrors();
    C.U.Diags.setWarningsAsErrors(false);
    {
      unsigned ID = C.U.Diags.getDiagnosticIDs()->getCustomDiagID(
          IsError ? DiagnosticIDs::Error : DiagnosticIDs::Warning, "%0");
      DiagnosticBuilder D = C.U.Diags.Report(Loc, ID);
      D << Text + (IsError ? " [-Werror,-W" : " [-W") + Name.str() + "]";
      if (!Fix.isNull())
        D << Fix;
    }
    C.U.Diags.setWarningsAsErrors(General);
    if (Declared)
      C.U.Diags.Report(Declared->getLocation(),
                       C.U.Diags.getDiagnosticIDs()->getCustomDiagID(
                           DiagnosticIDs::Note, "%0"))
          << "'" + Declared->getName().str() + "' is declared here";
  }

  //---- amp-unused-view -----------------------------------------------------

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
        warn("amp-unused-view", Named.lookup(V),
             "the kernel captures '" + V->getName().str() +
                 "' but does not use it: its data are copied for nothing",
             V);
  }

  //---- amp-double-promotion ------------------------------------------------

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
      warn("amp-double-promotion", Literal->getLocation(),
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

  //---- amp-tile-static-uninitialised ---------------------------------------

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
        warn("amp-tile-static-uninitialised", U.Read->getLocation(),
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

  //---- amp-free-pending ----------------------------------------------------

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
        const VarDecl *Freed = variableOf(Call->getArg(0));
        for (const OpenView &V : Views)
          if (V.Pending && V.Memory == Freed && llvm::is_contained(P, V.Scope))
            warn("amp-free-pending", Call->getBeginLoc(),
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
            if (variableOf(Call->getArg(0)) == V.View)
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
    const VarDecl *Memory = variableOf(Call->getArg(0));
    return Memory && Memory->getType()->isPointerType() ? Memory : nullptr;
  }

  Checker &C;
  bool AnyError = false;
};

} // namespace

bool warn(Checker &C) { return Warnings(C).run(); }

} // namespace rules
} // namespace ampc
