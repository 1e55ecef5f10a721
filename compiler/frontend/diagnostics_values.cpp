//===- diagnostics_values.cpp - conversions, subscripts, members ----------===//
//
// What Clang says of them, in the dialect's terms.
//
//===----------------------------------------------------------------------===//

#include "frontend/diagnostics.h"
#include "frontend/dialect.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/DiagnosticSema.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace ampc {

/// What to write to get from one type to the other.
static std::string howToConvert(QualType From, QualType To) {
  auto FromView = viewType(From), ToView = viewType(To);
  if (FromView && ToView) {
    if (FromView->IsArray != ToView->IsArray)
      return ToView->IsArray ? ": a view is no array"
                             : "; use array_view_from_array(a)";
    return FromView->Rank != ToView->Rank
               ? ": the ranks differ"
               : ": a conversion of views can only add 'const'";
  }
  if (ToView) {
    std::string Lengths = "n";
    for (unsigned I = 1; I < ToView->Rank; ++I)
      Lengths += ", n" + std::to_string(I + 1);
    return std::string("; use ") +
           (ToView->IsArray ? "array_from" : "array_view_of") + "(p, " +
           Lengths + ")";
  }
  if (FromView && To->isArithmeticType()) {
    std::string Element = FromView->Rank == 1   ? "v[i]"
                          : FromView->Rank == 2 ? "v[i][j]"
                          : FromView->Rank == 3 ? "v[i][j][k]"
                                                : "v[i][j][k][l]";
    return ": an element of it is '" + Element + "'";
  }
  if (FromView && To->isPointerType() && FromView->Rank == 1)
    return "; in amp code write '(T *)&v[i]', on the host array_view_data(v)";
  if (isTileBarrier(To) && tiledIndexRank(From))
    return ": write 't.barrier'";
  if (tiledIndexRank(From))
    return ": write 't.global', 't.local' or 't.tile'";
  return "";
}

/// "v[i, j]" in a line, as "v[i][j]"; or nothing.
static std::string commaSubscript(StringRef Line) {
  for (size_t Open = 0; (Open = Line.find('[', Open)) != StringRef::npos;
       ++Open) {
    size_t Close = Line.find_first_of("[]", Open + 1);
    size_t Comma = Line.find(',', Open);
    if (Close == StringRef::npos || Comma > Close || Line[Close] == '[')
      continue;
    size_t Name = Open;
    while (Name && isAsciiIdentifierContinue(Line[Name - 1]))
      --Name;
    if (Name == Open)
      continue;
    return (Line.slice(Name, Comma).rtrim() + "][" +
            Line.slice(Comma + 1, Close + 1).ltrim())
        .str();
  }
  return "";
}

/// Initialising, assigning, passing or returning across views and others.
bool DialectDiagnostics::conversion(Record &R) {
  if (R.Types.size() < 2 || R.Numbers.empty())
    return false;
  enum { Assigning, Passing, Returning, Converting, Initializing };
  int64_t Action = R.Numbers[0];
  bool TargetFirst = Action == Assigning || Action == Initializing;
  QualType To = R.Types[TargetFirst ? 0 : 1], From = R.Types[TargetFirst];
  auto FromView = viewType(From), ToView = viewType(To);
  bool Tile = tiledIndexRank(From) || isTileBarrier(To);
  if (!FromView && !ToView && !Tile && !mentionsView(From) && !mentionsView(To))
    return false;
  std::string FromName = "'" + dialectName(From, *Context) + "'",
              ToName = "'" + dialectName(To, *Context) + "'";
  std::string Text;
  switch (Action) {
  case Assigning:
    Text = "cannot assign " + FromName + " to " + ToName;
    break;
  case Passing:
    Text = "cannot pass " + FromName + " to a parameter of type " + ToName;
    break;
  case Returning:
    Text = "cannot return " + FromName + " from a function with result type " +
           ToName;
    break;
  case Initializing:
    Text = "cannot initialise " + ToName + " with " + FromName;
    break;
  default:
    Text = "cannot convert " + FromName + " to " + ToName;
    break;
  }
  StringRef Rule =
      FromView && !ToView && To->isPointerType() && Action == Passing ? "V5"
      : FromView || ToView                                            ? "V2"
                                                                      : "";
  std::string Subscripts = commaSubscript(lineOf(R.D.getLocation()));
  if ((FromView || ToView) && !Subscripts.empty()) {
    say(R,
        Text + ": each dimension has a subscript of its own, '" + Subscripts +
            "'",
        Rule);
    return true;
  }
  if (ToView && Action == Assigning && From->isArithmeticType()) {
    say(R, Text + howToConvert(To, From), Rule);
    return true;
  }
  say(R, Text + howToConvert(From, To), Rule);
  return true;
}

/// Writing to an element of a view of const.
void DialectDiagnostics::constWrite(Record &R, Records &Notes) {
  std::string Target = textOf(R, 0);
  for (const std::string &Name :
       identifiersIn(Target, Context->getLangOpts())) {
    const VarDecl *V = variable(Name, R.D.getLocation());
    auto View = V ? viewType(V->getType()) : std::nullopt;
    if (!View || !View->isConst())
      continue;
    ViewType Writable = *View;
    QualType Element = View->Element;
    Element.removeLocalConst();
    say(R,
        "cannot write to '" + Target + "': '" + Name + "' is an '" +
            dialectName(V->getType().getUnqualifiedType(), *Context) +
            "'; declare it '" + (Writable.IsArray ? "array(" : "array_view(") +
            dialectName(Element, *Context) + ", " + std::to_string(View->Rank) +
            ")'",
        "C2");
    Notes.clear();
    Notes.push_back(declaredHere(V));
    return;
  }
}

/// Assigning to a captured variable; capturing an array.
void DialectDiagnostics::capture(Record &R, Records &Notes) {
  bool IsArray = R.D.getID() != diag::err_block_decl_ref_not_modifiable_lvalue;
  std::string Text = textOf(R, 0);
  if (IsArray || Text.empty())
    Text = tokenAt(R.D.getLocation());
  std::vector<std::string> Names = identifiersIn(Text, Context->getLangOpts());
  if (Names.empty())
    return;
  const std::string &Name = Names.front();
  if (IsArray)
    say(R,
        "a kernel cannot capture '" + Name +
            "', an array: make a view of it, as in 'array_view_of(" + Name +
            ", n)', or put it into a struct",
        "C1");
  else
    say(R,
        "'" + Name +
            "' is captured by value by the kernel: each work item has a copy "
            "of its own, which is constant",
        "C1");
  Notes.clear();
  if (const VarDecl *V = variable(Name, R.D.getLocation()))
    Notes.push_back(declaredHere(V));
  if (!IsArray) {
    Notes.push_back(note(
        R, "for a value that only this work item needs, copy it to a variable "
           "in the kernel and change that"));
    Notes.push_back(note(
        R, "for a result, let each work item write an element of a view of its "
           "own, as in 'r[i] = ...'; a sum or the like of them all is "
           "calculated from those afterwards, for example on the host"));
  }
}

/// A subscript that is no integer: an index_N, mostly.
void DialectDiagnostics::subscript(Record &R) {
  std::string Text = textOf(R, 0);
  if (Text.empty())
    return;
  const VarDecl *V = variable(Text, R.D.getLocation());
  if (V && V->getType()->isRealFloatingType()) {
    say(R, "a subscript is an 'int', and '" + Text + "' is a '" +
               dialectName(V->getType(), *Context) + "': write '(int)" + Text +
               "'");
    return;
  }
  // The view is what stands before the bracket.
  StringRef Line = lineOf(R.D.getLocation());
  StringRef Before = Line.take_front(Line.find("[" + Text)).rtrim();
  size_t Start = Before.size();
  while (Start && isAsciiIdentifierContinue(Before[Start - 1]))
    --Start;
  std::string View = Before.substr(Start).str();
  int Rank = rankOf(View, R.D.getLocation());
  auto IndexRank = V ? indexRank(V->getType()) : std::nullopt;
  std::string At = IndexRank  ? "at_" + std::to_string(*IndexRank)
                   : Rank > 1 ? "at_" + std::to_string(Rank)
                              : "at_N";
  say(R, "a subscript is an 'int', and '" + Text +
             "' is not: with an index_N write '" + At + "(" +
             (Rank > 0 ? View : "v") + ", " + Text + ")'");
}

/// A subscript on what has none.
void DialectDiagnostics::subscripted(Record &R) {
  std::string Text = textOf(R, 0);
  StringRef Base = Text;
  if (rankOf(Base, R.D.getLocation()) == 0) {
    size_t Bracket = Base.find('[');
    StringRef Name = Base.take_front(Bracket).trim();
    int Rank = rankOf(Name, R.D.getLocation());
    say(R, "'" + Text + "' is an element already: '" + Name.str() +
               "' has rank " + std::to_string(Rank) + ", so " +
               (Rank == 1 ? "one subscript is"
                          : std::to_string(Rank) + " subscripts are") +
               " all");
    return;
  }
  for (StringRef Member : {".global", ".local", ".tile", ".tile_origin"})
    if (Base.ends_with(Member)) {
      say(R, "'" + Text +
                 "' is an 'int' in rank 1: write it without a "
                 "subscript");
      return;
    }
}

/// C++ AMP's members are functions here.
void DialectDiagnostics::member(Record &R) {
  bool NoStruct =
      R.D.getID() == diag::err_typecheck_member_reference_struct_union;
  std::string Name = R.Name;
  if (NoStruct) {
    SourceLocation Loc = R.D.getLocation();
    Name = tokenAt(Loc);
    if (Name == "." || Name == "->")
      Name = tokenAt(tokenAfter(Loc));
  }
  std::string Of = textOf(R, 0);
  if (Of.empty() || !NoStruct)
    Of = "x";
  std::string Instead =
      llvm::StringSwitch<std::string>(Name)
          .Case("extent", "extent_of(" + Of + ")")
          .Case("size", "extent_size(" + Of + ")")
          .Case("contains", "extent_contains(" + Of + ", i)")
          .Case("tile", "tile(" + Of + ", ...)")
          .Case("pad", "tiled_extent_pad(" + Of + ")")
          .Case("truncate", "tiled_extent_truncate(" + Of + ")")
          .Case("section", "array_view_section(" + Of + ", origin, extent)")
          .Cases("synchronize", "refresh", "discard_data", "data",
                 "array_view_" + Name + "(" + Of + ")")
          .Case("copy_to", "amp_copy(" + Of + ", destination)")
          .Case("reinterpret_as", "array_view_reinterpret_as(T, " + Of + ")")
          .Case("view_as", "array_view_view_as(" + Of + ", n)")
          .Default("");
  if (StringRef(Name).starts_with("wait"))
    Instead = "tile_barrier_" + Name + "(t.barrier)";
  bool OfView = !R.Types.empty() && viewType(R.Types[0]);
  if (Instead.empty() && !OfView)
    return;
  std::string Text =
      R.Types.empty()
          ? "'" + Name + "' is no member here"
          : "'" + dialectName(R.Types[0].getUnqualifiedType(), *Context) +
                "' has no member '" + Name + "'";
  say(R, Text + (Instead.empty() ? std::string(": a view has none, its "
                                               "elements are 'v[i]'")
                                 : ": write '" + Instead + "'"));
}

/// v(i, j), C++ AMP's other subscript; and functions of other languages.
void DialectDiagnostics::called(Record &R) {
  if (R.Name.empty()) {
    auto View = R.Types.empty() ? std::nullopt : viewType(R.Types[0]);
    if (View)
      say(R, "'" + dialectName(R.Types[0].getUnqualifiedType(), *Context) +
                 "' is not a function: an element is " +
                 (View->Rank == 1 ? "'v[i]'"
                                  : "'at_" + std::to_string(View->Rank) +
                                        "(v, i)', or a subscript for each "
                                        "dimension, 'v[i][j]'"));
    return;
  }
  StringRef Instead =
      llvm::StringSwitch<StringRef>(R.Name)
          .Cases("barrier", "__syncthreads", "syncthreads",
                 "work_group_barrier", "tile_barrier_wait(t.barrier)")
          .Cases("atomicAdd", "atomic_add", "atomic_fetch_add",
                 "amp_atomic_fetch_add(&v[i], n)")
          .Case("atomic_inc", "amp_atomic_fetch_inc(&v[i])")
          .Case("copy", "amp_copy(source, destination)")
          .Default("");
  if (!Instead.empty())
    say(R,
        "there is no function '" + R.Name + "': write '" + Instead.str() + "'");
}

} // namespace ampc
