//===- verifier.cpp - the invariants that kir.h states --------------------===//
//
// The first breach wins; later checks may rely on earlier ones.
//
//===----------------------------------------------------------------------===//

#include "kir/kir.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"
#include <algorithm>

using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace ampc::kir {

namespace {

class Verifier {
public:
  explicit Verifier(const Module &M) : M(M) {}
  std::optional<std::string> module();

private:
  bool fail(Loc Where, const std::string &What);
  bool check(bool Holds, Loc Where, const char *What) {
    return Holds || fail(Where, What);
  }
  /// The first sight of a node: it has exactly one parent.
  bool once(const void *Node, Loc Where) {
    return check(Seen.insert(Node).second, Where,
                 "node with more than one parent");
  }

  // Each returns whether all is well.
  bool expr(const Expr *E);
  bool place(const Expr *E);
  bool value(const Expr *E) {
    return check(E != nullptr, Here, "missing operand") && expr(E) &&
           check(!E->isPlace(), E->Where, "place used as a value");
  }
  bool valueOf(const Expr *E, const Type *Ty, const char *What) {
    return value(E) && check(E->Ty == Ty, E->Where, What);
  }
  bool integers(const std::vector<Expr *> &Es, size_t Count, const Expr *Owner);
  bool unary(const Unary *U);
  bool binary(const Binary *B);
  bool convert(const Convert *C);
  bool bitcast(const Bitcast *C);
  bool pointer(const Expr *E);
  bool construct(const Construct *C);
  bool swizzle(const Swizzle *S);
  bool call(const Call *C);
  bool section(const ViewSection *S);
  bool variable(const Variable *V, Loc Where);

  bool body(const Body &B);
  bool stmt(const Stmt *S);
  bool store(const Store *S);
  bool loop(const Loop *L);
  bool switchStmt(const Switch *S);
  bool constant(const Expr *E);

  const Module &M;
  std::optional<std::string> Breach;
  std::string Inside;
  Loc Here;
  llvm::SmallPtrSet<const void *, 32> Seen;
  llvm::SmallPtrSet<const Function *, 16> Done; ///< functions that may be called
  llvm::SmallPtrSet<const Variable *, 16> Known;
  const Type *Result = nullptr; ///< of the function; null in a kernel
  const Kernel *InKernel = nullptr;
  unsigned Loops = 0, Breakable = 0;
};

} // namespace

bool Verifier::fail(Loc Where, const std::string &What) {
  if (!Breach) {
    Breach = Inside + ": " + What;
    if (Where.Line)
      *Breach += " at " +
                 (Where.File < M.Files.size() ? M.Files[Where.File] : "?") +
                 ":" + std::to_string(Where.Line) + ":" +
                 std::to_string(Where.Column);
  }
  return false;
}

bool Verifier::variable(const Variable *V, Loc Where) {
  return check(Known.count(V), Where,
               "variable that this function does not know") &&
         check(V->Ty && !V->Ty->isVoid(), Where, "variable without a type");
}

bool Verifier::place(const Expr *E) {
  return check(E != nullptr, Here, "missing place") && expr(E) &&
         check(E->isPlace(), E->Where, "value used as a place");
}

bool Verifier::integers(const std::vector<Expr *> &Es, size_t Count,
                        const Expr *Owner) {
  return check(Es.size() == Count, Owner->Where,
               "wrong number of subscripts for the view's rank") &&
         std::all_of(Es.begin(), Es.end(), [&](const Expr *E) {
           return value(E) &&
                  check(E->Ty->isInt(), E->Where, "subscript is no integer");
         });
}

bool Verifier::unary(const Unary *U) {
  if (!value(U->Operand) ||
      !check(U->Ty == U->Operand->Ty, U->Where, "operand of another type"))
    return false;
  const Type *T = U->Ty->scalar();
  switch (U->Op) {
  case UnaryOp::Neg:
    return check(T->isInt() || T->isFloat(), U->Where, "negation of no number");
  case UnaryOp::BitNot:
    return check(T->isInt(), U->Where, "complement of no integer");
  case UnaryOp::LogicalNot:
    return check(T->isBool(), U->Where, "logical not of no bool");
  }
  return true;
}

bool Verifier::binary(const Binary *B) {
  if (!value(B->Left) || !value(B->Right))
    return false;
  const Type *T = B->Left->Ty->scalar();
  bool IsShift = B->Op == BinaryOp::Shl || B->Op == BinaryOp::Shr;
  bool IsBits = IsShift || B->Op == BinaryOp::And || B->Op == BinaryOp::Or ||
                B->Op == BinaryOp::Xor;
  if (IsShift) {
    if (!check(T->isInt() && B->Right->Ty->scalar()->isInt(), B->Where,
               "shift of no integers") ||
        !check(B->Left->Ty->Count == B->Right->Ty->Count, B->Where,
               "shift by another number of lanes"))
      return false;
  } else if (!check(B->Left->Ty == B->Right->Ty, B->Where,
                    "operands of different types")) {
    return false;
  }
  if (isComparison(B->Op) && T->isPointer())
    return check(B->Ty->isBool(), B->Where, "comparison that is no bool");
  if (isComparison(B->Op)) {
    bool Orders = B->Op != BinaryOp::Eq && B->Op != BinaryOp::Ne;
    return check(B->Ty->isBool(), B->Where, "comparison that is no bool") &&
           check(B->Left->Ty->isScalar(), B->Where, "comparison of no scalars") &&
           check(!Orders || !T->isBool(), B->Where, "order of bools");
  }
  return check(B->Ty == B->Left->Ty, B->Where, "result of another type") &&
         check(T->isInt() || T->isFloat() || T->isBool(), B->Where,
               "arithmetic on no numbers") &&
         check(!T->isBool() || (IsBits && !IsShift), B->Where,
               "arithmetic on bools") &&
         check(!T->isFloat() || (!IsBits && B->Op != BinaryOp::Rem), B->Where,
               "bit operation on floats");
}

bool Verifier::convert(const Convert *C) {
  if (!value(C->Operand))
    return false;
  const Type *To = C->Ty, *From = C->Operand->Ty;
  if (To->isView() || From->isView())
    return check(To->isView() && From->isView() &&
                     To->Element == From->Element && To->Rank == From->Rank &&
                     (To->ReadOnly || !From->ReadOnly),
                 C->Where, "conversion between views but to const");
  if (From->isPointer())
    return check(To->isPointer() || To->isBool(), C->Where,
                 "conversion of a pointer but to a pointer or bool");
  return check(To->scalar()->isScalar() && From->scalar()->isScalar(), C->Where,
               "conversion of no scalar or vector") &&
         check(To->isVector() == From->isVector() && To->Count == From->Count,
               C->Where, "conversion to another number of lanes");
}

/// The bits of a scalar's or vector's value; 0 for anything else.
static uint64_t bitsOf(const Type *T) {
  const Type *Scalar = T->scalar();
  bool HasBits = Scalar->isInt() || Scalar->isFloat();
  return HasBits ? Scalar->Width * (T->isVector() ? T->Count : 1) : 0;
}

bool Verifier::bitcast(const Bitcast *C) {
  return value(C->Operand) &&
         check(bitsOf(C->Ty) != 0 && bitsOf(C->Ty) == bitsOf(C->Operand->Ty),
               C->Where, "bits of another number");
}

/// Making a pointer, and arithmetic on pointers.
bool Verifier::pointer(const Expr *E) {
  if (auto *X = dyn_cast<AddressOf>(E))
    return place(X->Place) && check(E->Ty->isPointer() &&
                                        E->Ty->Element == X->Place->Ty &&
                                        !X->Place->Ty->isView(),
                                    E->Where, "address of another type");
  if (auto *X = dyn_cast<PointerAdd>(E))
    return value(X->Pointer) && value(X->Index) &&
           check(E->Ty == X->Pointer->Ty && E->Ty->isPointer() &&
                     X->Index->Ty->isInt(),
                 E->Where, "advance of no pointer or by no integer");
  auto *X = cast<PointerDifference>(E);
  return value(X->Left) && value(X->Right) &&
         check(X->Left->Ty->isPointer() && X->Left->Ty == X->Right->Ty &&
                   X->Left->Ty->Element->Size != 0,
               E->Where, "distance of no pointers to one type") &&
         check(E->Ty->isInt() && E->Ty->Width == 64, E->Where,
               "distance that is no int64");
}

bool Verifier::construct(const Construct *C) {
  const Type *T = C->Ty;
  if (!check(T->isVector() || T->isArray() || T->isStruct(), C->Where,
             "construction of no aggregate"))
    return false;
  size_t Wanted = !T->isStruct() ? T->Count
                  : T->IsUnion   ? std::min<size_t>(1, T->Fields.size())
                                 : T->Fields.size();
  if (!check(C->Parts.size() == Wanted, C->Where, "wrong number of parts"))
    return false;
  for (size_t I = 0; I != Wanted; ++I)
    if (!valueOf(C->Parts[I], T->isStruct() ? T->Fields[I].Ty : T->Element,
                 "part of another type"))
      return false;
  return true;
}

bool Verifier::swizzle(const Swizzle *S) {
  if (!value(S->Operand) ||
      !check(S->Operand->Ty->isVector(), S->Where, "lanes of no vector") ||
      !check(!S->Lanes.empty() && S->Lanes.size() <= 4, S->Where,
             "wrong number of lanes"))
    return false;
  for (unsigned Lane : S->Lanes)
    if (!check(Lane < S->Operand->Ty->Count, S->Where, "lane out of range"))
      return false;
  const Type *Element = S->Operand->Ty->Element;
  return check(S->Lanes.size() == 1
                   ? S->Ty == Element
                   : S->Ty->isVector() && S->Ty->Element == Element &&
                         S->Ty->Count == S->Lanes.size(),
               S->Where, "lanes of another type");
}

bool Verifier::call(const Call *C) {
  if (!check(Done.count(C->Callee), C->Where,
             "call of a function that does not stand before its caller") ||
      !check(C->Ty == C->Callee->Result, C->Where, "result of another type") ||
      !check(C->Args.size() == C->Callee->Params.size(), C->Where,
             "wrong number of arguments"))
    return false;
  for (size_t I = 0; I != C->Args.size(); ++I)
    if (!valueOf(C->Args[I], C->Callee->Params[I]->Ty,
                 "argument of another type"))
      return false;
  return true;
}

bool Verifier::section(const ViewSection *S) {
  return value(S->View) &&
         check(S->View->Ty->isView() && S->Ty == S->View->Ty, S->Where,
               "section of another type than its view") &&
         integers(S->Origin, S->Ty->Rank, S) &&
         (S->Extent.empty() || integers(S->Extent, S->Ty->Rank, S));
}

bool Verifier::expr(const Expr *E) {
  if (!once(E, E->Where) ||
      !check(E->Ty != nullptr, E->Where, "expression without a type"))
    return false;
  switch (E->K) {
  case Expr::Kind::VarRef:
    return variable(cast<VarRef>(E)->Var, E->Where) &&
           check(E->Ty == cast<VarRef>(E)->Var->Ty, E->Where,
                 "reference of another type than its variable");
  case Expr::Kind::Member: {
    auto *X = cast<Member>(E);
    return place(X->Base) &&
           check(X->Base->Ty->isStruct() &&
                     X->Field < X->Base->Ty->Fields.size(),
                 E->Where, "no such member");
  }
  case Expr::Kind::Element: {
    auto *X = cast<Element>(E);
    return place(X->Base) && value(X->Index) &&
           check(X->Base->Ty->isArray() || X->Base->Ty->isVector(), E->Where,
                 "element of no array or vector") &&
           check(X->Index->Ty->isInt(), E->Where, "subscript is no integer");
  }
  case Expr::Kind::ViewElement: {
    auto *X = cast<ViewElement>(E);
    return value(X->View) &&
           check(X->View->Ty->isView() && E->Ty == X->View->Ty->Element,
                 E->Where, "element of no view") &&
           integers(X->Subscripts, X->View->Ty->Rank, E);
  }
  case Expr::Kind::Deref: {
    auto *X = cast<Deref>(E);
    return value(X->Pointer) &&
           check(X->Pointer->Ty->isPointer() &&
                     !X->Pointer->Ty->Element->isVoid() &&
                     E->Ty == X->Pointer->Ty->Element,
                 E->Where, "place behind no pointer");
  }
  case Expr::Kind::IntConst:
    return check(E->Ty->isInt() && (E->Ty->Width == 64 ||
                                    cast<IntConst>(E)->Value <= 0xffffffffu),
                 E->Where, "integer constant wider than its type");
  case Expr::Kind::FloatConst:
    return check(E->Ty->isFloat() && (E->Ty->Width == 64 ||
                                      cast<FloatConst>(E)->Bits <= 0xffffffffu),
                 E->Where, "floating constant wider than its type");
  case Expr::Kind::BoolConst:
    return check(E->Ty->isBool(), E->Where, "bool constant of another type");
  case Expr::Kind::Zero:
    return check(!E->Ty->isVoid() && !E->Ty->isView(), E->Where,
                 "zero of void or of a view");
  case Expr::Kind::Load:
    return place(cast<Load>(E)->Place) &&
           check(E->Ty == cast<Load>(E)->Place->Ty, E->Where,
                 "load of another type");
  case Expr::Kind::Unary:
    return unary(cast<Unary>(E));
  case Expr::Kind::Binary:
    return binary(cast<Binary>(E));
  case Expr::Kind::Logical:
    return valueOf(cast<Logical>(E)->Left, M.boolType(), "operand is no bool") &&
           valueOf(cast<Logical>(E)->Right, M.boolType(), "operand is no bool");
  case Expr::Kind::Select:
    return valueOf(cast<Select>(E)->Condition, M.boolType(),
                   "condition is no bool") &&
           valueOf(cast<Select>(E)->True, E->Ty, "choice of another type") &&
           valueOf(cast<Select>(E)->False, E->Ty, "choice of another type");
  case Expr::Kind::Convert:
    return convert(cast<Convert>(E));
  case Expr::Kind::Bitcast:
    return bitcast(cast<Bitcast>(E));
  case Expr::Kind::Construct:
    return construct(cast<Construct>(E));
  case Expr::Kind::Swizzle:
    return swizzle(cast<Swizzle>(E));
  case Expr::Kind::Call:
    return call(cast<Call>(E));
  case Expr::Kind::Intrinsic: {
    auto *X = cast<Intrinsic>(E);
    static const unsigned Arity[] = {
#define AMPC_INTRINSIC(ID, NAME, ARITY) ARITY,
#include "kir/intrinsics.def"
    };
    if (!check(E->Ty->isFloat(), E->Where, "function of no float") ||
        !check(X->Args.size() == Arity[unsigned(X->Op)], E->Where,
               "wrong number of operands"))
      return false;
    return std::all_of(X->Args.begin(), X->Args.end(), [&](const Expr *Arg) {
      return valueOf(Arg, E->Ty, "operand of another type");
    });
  }
  case Expr::Kind::ViewExtent: {
    auto *X = cast<ViewExtent>(E);
    return value(X->View) &&
           check(X->View->Ty->isView() && X->Dimension < X->View->Ty->Rank,
                 E->Where, "extent of no dimension of a view") &&
           check(E->Ty->isInt() && E->Ty->Width == 32, E->Where,
                 "extent that is no int");
  }
  case Expr::Kind::ViewSection:
    return section(cast<ViewSection>(E));
  case Expr::Kind::ViewProject: {
    auto *X = cast<ViewProject>(E);
    if (!value(X->View) || !value(X->Index))
      return false;
    const Type *V = X->View->Ty;
    return check(X->Index->Ty->isInt(), E->Where, "subscript is no integer") &&
           check(V->isView() && V->Rank > 1 && E->Ty->isView() &&
                     E->Ty->Rank == V->Rank - 1 &&
                     E->Ty->Element == V->Element &&
                     E->Ty->ReadOnly == V->ReadOnly,
                 E->Where, "projection of another type");
  }
  case Expr::Kind::ViewReinterpret: {
    auto *X = cast<ViewReinterpret>(E);
    return value(X->View) &&
           check(X->View->Ty->isView() && X->View->Ty->Rank == 1 &&
                     E->Ty->isView() && E->Ty->Rank == 1 &&
                     (E->Ty->ReadOnly || !X->View->Ty->ReadOnly),
                 E->Where, "reinterpretation of no rank-1 view");
  }
  case Expr::Kind::ViewReshape: {
    auto *X = cast<ViewReshape>(E);
    return value(X->View) &&
           check(X->View->Ty->isView() && X->View->Ty->Rank == 1 &&
                     E->Ty->isView() &&
                     E->Ty->Element == X->View->Ty->Element &&
                     (E->Ty->ReadOnly || !X->View->Ty->ReadOnly),
                 E->Where, "another shape of no rank-1 view") &&
           integers(X->Extent, E->Ty->Rank, E);
  }
  case Expr::Kind::AddressOf:
  case Expr::Kind::PointerAdd:
  case Expr::Kind::PointerDifference:
    return pointer(E);
  }
  return true;
}

bool Verifier::body(const Body &B) {
  return std::all_of(B.begin(), B.end(),
                     [&](const Stmt *S) { return stmt(S); });
}

bool Verifier::store(const Store *S) {
  if (!place(S->Place) ||
      !valueOf(S->Value, S->Place->Ty, "value stored of another type"))
    return false;
  const Expr *Root = S->Place;
  for (;;) {
    if (auto *X = dyn_cast<Member>(Root))
      Root = X->Base;
    else if (auto *X = dyn_cast<Element>(Root))
      Root = X->Base;
    else
      break;
  }
  if (auto *V = dyn_cast<ViewElement>(Root))
    return check(!V->View->Ty->ReadOnly, S->Where,
                 "store through a view of const");
  if (isa<Deref>(Root))
    return true;
  Storage Class = cast<VarRef>(Root)->Var->Store;
  return check(Class != Storage::Capture && Class != Storage::Constant, S->Where,
               "store to what is never stored to");
}

bool Verifier::loop(const Loop *L) {
  if (!check(L->F != Loop::Form::Do || L->Step.empty(), L->Where,
             "do loop with a step"))
    return false;
  // Neither Prelude nor Step may leave the loop.
  unsigned OuterLoops = Loops, OuterBreakable = Breakable;
  Loops = Breakable = 0;
  if (!body(L->Prelude) || !body(L->Step))
    return false;
  Loops = OuterLoops + 1;
  Breakable = OuterBreakable + 1;
  bool Well = (!L->Condition || valueOf(L->Condition, M.boolType(),
                                        "condition is no bool")) &&
              body(L->Stmts);
  Loops = OuterLoops;
  Breakable = OuterBreakable;
  return Well;
}

bool Verifier::switchStmt(const Switch *S) {
  if (!value(S->Subject) ||
      !check(S->Subject->Ty->isInt() && S->Subject->Ty->Width == 32, S->Where,
             "switch over no int"))
    return false;
  llvm::SmallSet<uint64_t, 16> Values;
  unsigned Defaults = 0;
  ++Breakable;
  for (const Switch::Case &C : S->Cases) {
    Defaults += C.IsDefault;
    for (uint64_t Value : C.Values)
      if (!check(Value <= 0xffffffffu && Values.insert(Value).second, S->Where,
                 "case value that is too wide or not the first of its kind"))
        return false;
    if (!check(C.IsDefault || !C.Values.empty(), S->Where,
               "case without a value") ||
        !body(C.Stmts))
      return false;
  }
  --Breakable;
  return check(Defaults <= 1, S->Where, "switch with two defaults");
}

bool Verifier::stmt(const Stmt *S) {
  if (!check(S != nullptr, Here, "missing statement"))
    return false;
  Here = S->Where;
  if (!once(S, S->Where))
    return false;
  switch (S->K) {
  case Stmt::Kind::Declare: {
    auto *D = cast<Declare>(S);
    Known.insert(D->Var);
    return check(D->Var->Store == Storage::Local, S->Where,
                 "declaration of no local variable") &&
           variable(D->Var, S->Where) &&
           (!D->Init ||
            valueOf(D->Init, D->Var->Ty, "initialiser of another type"));
  }
  case Stmt::Kind::Store:
    return store(cast<Store>(S));
  case Stmt::Kind::Eval:
    return value(cast<Eval>(S)->Value);
  case Stmt::Kind::Block:
    return body(cast<Block>(S)->Stmts);
  case Stmt::Kind::If:
    return valueOf(cast<If>(S)->Condition, M.boolType(),
                   "condition is no bool") &&
           body(cast<If>(S)->Then) && body(cast<If>(S)->Else);
  case Stmt::Kind::Loop:
    return loop(cast<Loop>(S));
  case Stmt::Kind::Switch:
    return switchStmt(cast<Switch>(S));
  case Stmt::Kind::Break:
    return check(Breakable, S->Where, "break outside of a loop or switch");
  case Stmt::Kind::Continue:
    return check(Loops, S->Where, "continue outside of a loop");
  case Stmt::Kind::Return: {
    auto *R = cast<Return>(S);
    if (!Result || Result->isVoid())
      return check(!R->Value, S->Where, "return of a value from void");
    return check(R->Value, S->Where, "return without a value") &&
           valueOf(R->Value, Result, "return of another type");
  }
  case Stmt::Kind::Barrier:
    return check(!InKernel || InKernel->isTiled(), S->Where,
                 "barrier in a kernel that is not tiled");
  case Stmt::Kind::Fence:
    return true;
  }
  return true;
}

bool Verifier::constant(const Expr *E) {
  switch (E->K) {
  case Expr::Kind::IntConst:
  case Expr::Kind::FloatConst:
  case Expr::Kind::BoolConst:
  case Expr::Kind::Zero:
    return true;
  case Expr::Kind::Construct:
    return std::all_of(cast<Construct>(E)->Parts.begin(),
                       cast<Construct>(E)->Parts.end(),
                       [&](const Expr *Part) { return constant(Part); });
  default:
    return fail(E->Where, "initialiser that is not constant");
  }
}

std::optional<std::string> Verifier::module() {
  llvm::SmallPtrSet<const Variable *, 16> Globals;
  for (const Variable *G : M.Globals) {
    Inside = "global '" + G->Name + "'";
    bool IsConstant = G->Store == Storage::Constant;
    if (!check(IsConstant || G->Store == Storage::TileStatic, G->Where,
               "global of another storage class") ||
        !check(IsConstant == (G->Init != nullptr), G->Where,
               "constant without, or tile_static with, an initialiser"))
      return Breach;
    if (G->Init && (!valueOf(G->Init, G->Ty, "initialiser of another type") ||
                    !constant(G->Init)))
      return Breach;
    Globals.insert(G);
  }
  for (const auto &F : M.Functions) {
    Inside = "function '" + F->Name + "'";
    Known = Globals;
    for (const Variable *P : F->Params)
      Known.insert(P);
    Result = F->Result;
    if (!check(Result != nullptr, F->Where, "no result type") ||
        !body(F->Stmts))
      return Breach;
    Done.insert(F.get());
  }
  Result = nullptr;
  for (const auto &K : M.Kernels) {
    Inside = "kernel '" + K->Name + "'";
    InKernel = K.get();
    Known = Globals;
    for (const auto *Vars : {&K->Captures, &K->Indices})
      for (const Variable *V : *Vars)
        Known.insert(V);
    if (!check(K->Rank >= 1 && K->Rank <= 4, K->Where, "rank out of range") ||
        !check(K->Tile.empty() || (K->Tile.size() == K->Rank && K->Rank <= 3),
               K->Where, "tile of another rank") ||
        !check(K->Indices.size() <= 1 || K->Indices.size() == K->Rank, K->Where,
               "wrong number of index parameters") ||
        !body(K->Stmts))
      return Breach;
  }
  return Breach;
}

std::optional<std::string> verify(const Module &M) {
  return Verifier(M).module();
}

} // namespace ampc::kir
