//===- view_conversions.cpp - rules V2, V3, V5, C2 -----------------------===//
//
// What views become: other views, pointers, arguments of functions.
//
//===----------------------------------------------------------------------===//

#include "check/views.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace ampc::rules {

static bool isVoidView(const ViewType &V) { return V.Element->isVoidType(); }

bool Views::conversion(const CastExpr *E, Parents P) {
  const Expr *Sub = E->getSubExpr();
  QualType FromType = Sub->getType(), ToType = E->getType();
  auto From = viewType(FromType), To = viewType(ToType);
  switch (E->getCastKind()) {
  case CK_LValueToRValue:
  case CK_ToVoid:
    return true;
  case CK_ArrayToPointerDecay:
    return !To || decay(E, P);
  case CK_NullToPointer:
  case CK_IntegralToPointer:
    return !To || refuse(E, "conversion from a number", ToType,
                         ": there is no null view");
  case CK_PointerToIntegral:
  case CK_PointerToBoolean:
    return !From || refuse(E, "conversion to a number", FromType);
  default:
    break;
  }
  if (!From && !To)
    return pointerToView(E);
  SourceLocation Loc = E->getExprLoc();
  std::vector<std::string> Names = {C.typeName(FromType.getUnqualifiedType()),
                                    C.typeName(ToType.getUnqualifiedType())};
  auto Error = [&](Message M) {
    C.error(M, Loc, Names).in(B).mark(E->getSourceRange());
    return false;
  };
  if (!From)
    return !FromType->isPointerType() || Error(Message::PointerToView);
  if (!To) {
    bool Explicit = isa<ExplicitCastExpr>(E);
    if (B.Amp && Explicit && ToType->isPointerType() && From->Rank == 1)
      return keepsConst(From->Element, ToType->getPointeeType()) ||
             constLost(E, *From, ToType, Names);
    return Error(Message::ViewToPointer);
  }
  if (isVoidView(*From))
    return fromLibrary(E, *To, Names);
  const auto *Call = dyn_cast_or_null<CallExpr>(parentOf(P));
  if (isVoidView(*To)) {
    bool ForLibrary = Call && !libraryCallee(Call, C.SM).empty();
    if (ForLibrary && From->Rank == To->Rank && From->IsArray == To->IsArray)
      return keepsConst(From->Element, To->Element) ||
             constLost(E, *From, ToType, Names);
  } else if (From->Rank == To->Rank && From->IsArray == To->IsArray &&
             sameElement(From->Element, To->Element)) {
    return keepsConst(From->Element, To->Element) ||
           constLost(E, *From, ToType, Names);
  }
  // A view of rows was refused as such.
  if (From->Element->isArrayType() && isMadeHere(Sub))
    return true;
  Names.push_back("");
  return Error(Message::ViewConversion);
}

// On the host views have addresses, and a pointer to one leads to a view of the
// same type; through 'void *' the program answers for it, as in C.
bool Views::pointerToView(const CastExpr *E) {
  QualType From = E->getSubExpr()->getType(), To = E->getType();
  if (!From->isPointerType() || !To->isPointerType())
    return true;
  From = From->getPointeeType(), To = To->getPointeeType();
  auto FromView = viewType(From), ToView = viewType(To);
  if ((!FromView && !ToView) || From->isVoidType() || To->isVoidType())
    return true;
  if (FromView && ToView && FromView->Rank == ToView->Rank &&
      FromView->IsArray == ToView->IsArray &&
      C.Context.hasSameType(FromView->Element, ToView->Element))
    return true;
  C.error(Message::ViewConversion, E->getExprLoc(),
          {C.typeName(E->getSubExpr()->getType()), C.typeName(E->getType()),
           ", and not through a pointer"})
      .in(B)
      .mark(E->getSourceRange());
  return false;
}

bool Views::keepsConst(QualType From, QualType To) {
  return !From.isConstQualified() || To.isConstQualified();
}

bool Views::sameElement(QualType A, QualType B) const {
  return C.Context.hasSameUnqualifiedType(A, B);
}

// array_view_of(...) and array_from(...), as include/amp.h spells them.
bool Views::isMadeHere(const Expr *E) const {
  const auto *Cast = dyn_cast<CStyleCastExpr>(E->IgnoreParenImpCasts());
  const auto *Call =
      Cast ? dyn_cast<CallExpr>(Cast->getSubExpr()->IgnoreParenImpCasts())
           : nullptr;
  return Call && libraryCallee(Call, C.SM).starts_with("amp_make_");
}

bool Views::constLost(const CastExpr *E, const ViewType &From, QualType ToType,
                      std::vector<std::string> Names) {
  auto To = viewType(ToType);
  bool Made = isMadeHere(E->getSubExpr());
  bool Destination = To && isVoidView(*To);
  Message M =
      Made || Destination ? Message::WritableView : Message::ViewConversion;
  if (Destination)
    Names[1] = C.typeName(ToType);
  Names.push_back(M == Message::WritableView
                      ? (From.IsArray ? "array(" : "array_view(") +
                            C.typeName(From.Element) + ", " +
                            std::to_string(From.Rank) + ")"
                      : ", never take it away");
  C.error(M, E->getExprLoc(), Names).in(B).mark(E->getSourceRange());
  return false;
}

// The library's functions return views of void, which take on the type that
// the macro or the declaration gives them.
bool Views::fromLibrary(const CastExpr *E, const ViewType &To,
                        std::vector<std::string> Names) {
  const auto *Call = dyn_cast<CallExpr>(E->getSubExpr()->IgnoreParenImpCasts());
  StringRef Name = Call ? libraryCallee(Call, C.SM) : "";
  if (Name.starts_with("amp_make_"))
    return true;
  auto Refuse = [&](StringRef Why) {
    Names.push_back(Why.str());
    C.error(Message::ViewConversion, E->getExprLoc(), Names)
        .in(B)
        .mark(E->getSourceRange());
    return false;
  };
  if (Name.empty() || !Call->getNumArgs())
    return Refuse("");
  QualType SourceType = Call->getArg(0)->IgnoreParenImpCasts()->getType();
  auto Source = viewType(SourceType);
  if (!Source)
    return true; // refused at the argument
  Names[0] = C.typeName(SourceType.getUnqualifiedType());
  if (Name != "amp_reinterpret" && !sameElement(Source->Element, To.Element))
    return Refuse("");
  if (!keepsConst(Source->Element, To.Element))
    return Refuse(", never take it away");
  return true;
}

// v[k].a becomes a pointer: fine below a subscript only.
bool Views::decay(const CastExpr *E, Parents P) {
  const Stmt *Parent = parentOf(P);
  if (const auto *Sub = dyn_cast_or_null<ArraySubscriptExpr>(Parent))
    if (Sub->getBase()->IgnoreParens() == E)
      return true;
  C.error(Message::ArrayMember, E->getExprLoc())
      .in(B)
      .mark(E->getSourceRange());
  return false;
}

//===--------------------------------------------------------------------===//
// V3, V5: arguments
//===--------------------------------------------------------------------===//

bool Views::call(const CallExpr *Call) {
  StringRef Library = libraryCallee(Call, C.SM);
  if (Library == "amp_make_view" || Library == "amp_make_array")
    return rows(Call);
  if (!Library.empty() && Library != "amp_printf" && Library != "amp_errorf")
    return true;
  const FunctionDecl *F = Call->getDirectCallee();
  const auto *Type = F ? F->getType()->getAs<FunctionProtoType>() : nullptr;
  if (!F)
    if (const auto *Pointer =
            Call->getCallee()->getType()->getAs<PointerType>())
      Type = Pointer->getPointeeType()->getAs<FunctionProtoType>();
  // Clang gives its builtins parameters in the argument's address space.
  bool Adapted = F && F->getBuiltinID() && Library.empty();
  for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
    const Expr *Arg = Call->getArg(I);
    QualType Given = Arg->IgnoreParenImpCasts()->getType();
    if (!viewType(Given) || isDecay(Arg))
      continue;
    bool Takes = Type && I < Type->getNumParams() &&
                 viewType(Type->getParamType(I)) && !Adapted;
    if (Takes)
      continue;
    CharSourceRange Text = Lexer::makeFileCharRange(
        CharSourceRange::getTokenRange(Arg->getSourceRange()), C.SM,
        C.Context.getLangOpts());
    Report R = C.error(
        Message::ViewArgument, Arg->getExprLoc(),
        {"'" + C.typeName(Given.getUnqualifiedType()) + "'",
         F && F->getIdentifier() ? F->getName().str() : "this function"});
    R.in(B).mark(Arg->getSourceRange());
    if (Text.isValid() && !B.Amp && viewType(Given)->Rank == 1)
      R.replace(Text,
                ("array_view_data(" +
                 Lexer::getSourceText(Text, C.SM, C.Context.getLangOpts()) +
                 ")")
                    .str());
    return false;
  }
  return true;
}

bool Views::rows(const CallExpr *Call) {
  if (!Call->getNumArgs())
    return true;
  const Expr *Arg = Call->getArg(0)->IgnoreParenCasts();
  QualType T = Call->getArg(0)->IgnoreParenImpCasts()->getType();
  QualType Element = T->isPointerType() ? T->getPointeeType()
                     : T->isArrayType()
                         ? C.Context.getAsArrayType(T)->getElementType()
                         : QualType();
  if (Element.isNull() || !Element->isArrayType())
    return true;
  CharSourceRange Text = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(Arg->getSourceRange()), C.SM,
      C.Context.getLangOpts());
  std::string Name =
      Lexer::getSourceText(Text, C.SM, C.Context.getLangOpts()).str();
  std::string Instead =
      "&" + (isa<DeclRefExpr, MemberExpr>(Arg) ? Name : "(" + Name + ")") +
      "[0]";
  for (QualType E = Element; E->isArrayType();
       E = C.Context.getAsArrayType(E)->getElementType())
    Instead += "[0]";
  Report R =
      C.error(Message::ViewOfRows,
              Text.getBegin().isValid() ? Text.getBegin() : Arg->getBeginLoc(),
              {Name, C.typeName(Element), Instead});
  R.in(B);
  if (Text.isValid())
    R.replace(Text, Instead);
  return true;
}

} // namespace ampc::rules
