//===- ownership.cpp - which variables close what they opened -------------===//
//
// dialect.md section 5, "Closing". The source's handle is remembered, not the
// variable: swapping views is safe, and sections of an opened view own it too.
//
//===----------------------------------------------------------------------===//

#include "hostc/host.h"
#include "hostc/report.h"

using namespace clang;

namespace ampc::hostc {

//===----------------------------------------------------------------------===//
// What an initialiser opens
//===----------------------------------------------------------------------===//

Host::Opening Host::openingOf(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  while (const auto *C = dyn_cast<CStyleCastExpr>(E))
    E = C->getSubExpr()->IgnoreParenImpCasts();
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    StringRef Library = libraryCallee(C, U.Sources);
    if (Library == "amp_make_view")
      return Opening::Own;
    if (Library.starts_with("amp_section") || Library == "amp_reinterpret" ||
        Library == "amp_view_as")
      return openingOf(C->getArg(0));
    if (!Library.empty())
      return Opening::None;
    Taken.insert(C);
    return Opening::Adopt;
  }
  if (std::optional<Access> A = accessOf(E))
    return openingOf(A->Base);
  if (const auto *O = dyn_cast<UnaryOperator>(E))
    return O->getOpcode() == UO_AddrOf ? openingOf(O->getSubExpr())
                                       : Opening::None;
  if (const auto *O = dyn_cast<BinaryOperator>(E)) {
    if (O->getOpcode() == BO_Comma)
      return openingOf(O->getRHS());
    bool Moves = O->getOpcode() == BO_Add || O->getOpcode() == BO_Sub;
    return !Moves                             ? Opening::None
           : viewType(O->getLHS()->getType()) ? openingOf(O->getLHS())
                                              : openingOf(O->getRHS());
  }
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return openingOf(M->getBase()) == Opening::Adopt && !M->isArrow()
               ? Opening::Adopt
               : Opening::None;
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    Opening True = openingOf(C->getTrueExpr());
    Opening False = openingOf(C->getFalseExpr());
    if (True == False)
      return True;
    giveOpened(C);
    return Opening::Adopt; // what was not handed over is left alone
  }
  if (const auto *S = dyn_cast<StmtExpr>(E)) {
    const CompoundStmt *Block = S->getSubStmt();
    const auto *Last =
        Block->body_empty() ? nullptr : dyn_cast<Expr>(Block->body_back());
    return Last ? openingOf(Last) : Opening::None;
  }
  return Opening::None;
}

// What E opens on some paths only, or deep inside a value: handed over there,
// so that the variable can adopt it. True if there may be any.
bool Host::giveOpened(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    bool InTrue = giveOpened(C->getTrueExpr());
    return giveOpened(C->getFalseExpr()) || InTrue;
  }
  if (std::optional<ViewType> V = viewType(E->getType())) {
    Opening How = V->IsArray ? Opening::None : openingOf(E);
    if (How == Opening::Own)
      T.replace(E->getSourceRange(),
                {"ampc_give_" + std::to_string(V->Rank) + "(",
                 E->getSourceRange(), ")"});
    return How != Opening::None;
  }
  if (!containsView(E->getType()))
    return false;
  if (const auto *L = dyn_cast<CompoundLiteralExpr>(E))
    return giveOpened(L->getInitializer());
  if (const auto *O = dyn_cast<BinaryOperator>(E))
    return O->getOpcode() == BO_Comma && giveOpened(O->getRHS());
  if (const auto *List = dyn_cast<InitListExpr>(E)) {
    bool Any = false;
    if (!List->isSemanticForm() && List->getSemanticForm())
      List = List->getSemanticForm();
    for (const Expr *Init : List->inits())
      Any |= Init && giveOpened(Init);
    return Any;
  }
  return openingOf(E) == Opening::Adopt;
}

// Paths of all views in an object. Arrays close by array_free alone.
std::vector<std::string> Host::viewPaths(QualType Ty, const std::string &Path) {
  if (std::optional<ViewType> V = viewType(Ty))
    return V->IsArray ? std::vector<std::string>{} : std::vector{Path};
  std::vector<std::string> Paths;
  auto Add = [&](QualType Part, const std::string &PartPath) {
    for (std::string &P : viewPaths(Part, PartPath))
      Paths.push_back(std::move(P));
  };
  if (const ConstantArrayType *A = U.Context.getAsConstantArrayType(Ty)) {
    if (containsView(A->getElementType()))
      for (uint64_t I = 0; I < A->getZExtSize(); ++I)
        Add(A->getElementType(), Path + "[" + std::to_string(I) + "]");
  } else if (const RecordDecl *R = Ty->getAsRecordDecl();
             R && (R = R->getDefinition())) {
    for (const FieldDecl *F : R->fields())
      Add(F->getType(), F->isAnonymousStructOrUnion()
                            ? Path
                            : Path + "." + F->getName().str());
  }
  return Paths;
}

void Host::collectOpened(QualType Ty, const Expr *Init, const std::string &Path,
                         std::vector<Opened> &Out) {
  if (!Init || isa<ImplicitValueInitExpr>(Init) || !containsView(Ty))
    return;
  if (std::optional<ViewType> V = viewType(Ty)) {
    Opening How = V->IsArray ? Opening::None : openingOf(Init);
    if (How != Opening::None)
      Out.push_back({Path, How});
    return;
  }
  const Expr *Plain = Init->IgnoreParenImpCasts();
  if (const auto *L = dyn_cast<CompoundLiteralExpr>(Plain))
    Plain = L->getInitializer();
  if (const auto *List = dyn_cast<InitListExpr>(Plain)) {
    if (!List->isSemanticForm() && List->getSemanticForm())
      List = List->getSemanticForm();
    if (const ArrayType *A = U.Context.getAsArrayType(Ty)) {
      for (unsigned I = 0; I < List->getNumInits(); ++I)
        collectOpened(A->getElementType(), List->getInit(I),
                      Path + "[" + std::to_string(I) + "]", Out);
    } else if (const RecordDecl *R = Ty->getAsRecordDecl();
               R && !R->isUnion()) {
      unsigned I = 0;
      for (const FieldDecl *F : R->getDefinition()->fields()) {
        if (F->isUnnamedBitField() || I >= List->getNumInits())
          continue;
        collectOpened(F->getType(), List->getInit(I++),
                      F->isAnonymousStructOrUnion()
                          ? Path
                          : Path + "." + F->getName().str(),
                      Out);
      }
    }
    return;
  }
  if (giveOpened(Plain))
    for (std::string &P : viewPaths(Ty, Path))
      Out.push_back({std::move(P), Opening::Adopt});
}

//===----------------------------------------------------------------------===//
// Owners
//===----------------------------------------------------------------------===//

std::string Host::ownerId(const VarDecl *V, const std::string &Path) {
  std::string Id = V->getName().str();
  for (char C : Path)
    if (isalnum(C) || C == '_')
      Id += C;
    else if (C == '.' || C == '[')
      Id += '_';
  auto IsTaken = [&](const std::string &Name) {
    for (const Owner &O : Owners)
      if (O.Id == Name)
        return true;
    return false;
  };
  std::string Unique = Id;
  for (unsigned N = 2; IsTaken(Unique); ++N)
    Unique = Id + "_" + std::to_string(N);
  return Unique;
}

std::string Host::own(const VarDecl *V, Jumps::Interval Scope) {
  if (!V->hasLocalStorage() || !V->hasInit() || Blocks.empty())
    return "";
  std::vector<Opened> Opens;
  collectOpened(V->getType(), V->getInit(), "", Opens);
  if (Opens.empty())
    return "";

  // Nothing may jump past an owner's birth: if need be, it is born empty in
  // the nearest block that is entered only at its start.
  size_t Depth = Blocks.size();
  bool IsHoisted = Flow->enter(Scope);
  while (IsHoisted && Depth > 1 && Flow->enter(Flow->inside(Blocks[Depth - 1])))
    --Depth;

  std::string New;
  for (const Opened &O : Opens) {
    std::string Id = ownerId(V, O.Path), View = V->getName().str() + O.Path;
    std::string Own = "ampc_own_" + Id;
    std::string Handle = View + ".source, " + View + ".key";
    if (IsHoisted) {
      T.insertAfter(Blocks[Depth - 1]->getLBracLoc(),
                    " AMPC_OWNER(" + Id + ");");
      New += O.How == Opening::Own
                 ? " ampc_owner_set(&" + Own + ", " + Handle + ");"
                 : " ampc_owner_finish(&" + Own + "); " + Own +
                       " = ampc_adopt(" + Handle + ");";
    } else {
      std::string Macro = O.How == Opening::Own ? "AMPC_OWN" : "AMPC_ADOPT";
      New += Id == View ? " " + Macro + "(" + Id + ");"
                        : " " + Macro + "_AS(" + Id + ", " + View + ");";
    }
    auto At = Owners.end();
    while (At != Owners.begin() && (At - 1)->Depth > Depth)
      --At;
    Owners.insert(At, {Id, Depth});
  }
  return New;
}

// `return e`: what e holds of the owned, or opens itself, goes to the caller,
// if it takes it.
void Host::handOver(const Expr *Value) {
  std::string Calls;
  std::vector<Opened> Opens;
  collectOpened(Value->getType(), Value, "ampc_result", Opens);
  for (const Opened &O : Opens)
    if (O.How == Opening::Own)
      Calls += "ampc_hand_over(&(struct ampc_owner){" + O.Path + ".source, " +
               O.Path + ".key}, " + O.Path + ".source, " + O.Path + ".key); ";
  for (const std::string &Path : viewPaths(Value->getType(), "ampc_result"))
    for (const Owner &O : Owners)
      Calls += "ampc_hand_over(&ampc_own_" + O.Id + ", " + Path + ".source, " +
               Path + ".key); ";
  if (Calls.empty())
    return;
  const auto *Operator = dyn_cast<BinaryOperator>(Value);
  bool IsComma = Operator && Operator->getOpcode() == BO_Comma;
  T.replace(Value->getSourceRange(),
            {IsComma ? "__extension__ ({ const __auto_type ampc_result = ("
                     : "__extension__ ({ const __auto_type ampc_result = ",
             Value->getSourceRange(),
             (IsComma ? "); " : "; ") + Calls + "ampc_result; })"});
}

// A call whose result no variable is initialised with: what it hands over
// stays open, and is nobody's to adopt later.
void Host::leaveOpen(const CallExpr *E) {
  if (Taken.count(E) || !libraryCallee(E, U.Sources).empty())
    return;
  if (std::optional<ViewType> V = viewType(E->getType())) {
    if (!V->IsArray)
      T.replace(E->getSourceRange(),
                {"ampc_left_open_" + std::to_string(V->Rank) + "(",
                 E->getSourceRange(), ")"});
    return;
  }
  std::string Calls;
  for (const std::string &Path : viewPaths(E->getType(), "ampc_result"))
    Calls += "ampc_adopt(" + Path + ".source, " + Path + ".key); ";
  if (!Calls.empty())
    T.replace(E->getSourceRange(),
              {"__extension__ ({ const __auto_type ampc_result = ",
               E->getSourceRange(), "; " + Calls + "ampc_result; })"});
}

} // namespace ampc::hostc
