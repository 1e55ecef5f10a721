//===- expressions.cpp - what must hold of values and places --------------===//

#include "kir/passes/points_to.h"
#include "kir/verifier/verifier.h"
#include <algorithm>

using llvm::cast;
using llvm::dyn_cast;

namespace ampc::kir {

bool Verifier::place(const Expr *E) {
  return check(E != nullptr, Near, "missing place") && expr(E) &&
         check(E->isPlace(), E, "value used as a place");
}

bool Verifier::value(const Expr *E) {
  return check(E != nullptr, Near, "missing operand") && expr(E) &&
         check(!E->isPlace(), E, "place used as a value");
}

bool Verifier::variable(const VarRef *E) {
  return check(E->Var && Known.count(E->Var), E,
               "variable that is not declared here") &&
         check(E->Ty == E->Var->Ty, E,
               "reference of another type than its variable");
}

bool Verifier::integers(const std::vector<Expr *> &Es, size_t Count,
                        const Expr *Owner) {
  return check(Es.size() == Count, Owner,
               "wrong number of subscripts for the view's rank") &&
         std::all_of(Es.begin(), Es.end(), [&](const Expr *E) {
           return value(E) &&
                  check(E->Ty->isInt(), E, "subscript is no integer");
         });
}

bool Verifier::unary(const Unary *U) {
  if (!value(U->Operand) ||
      !check(U->Ty == U->Operand->Ty, U, "operand of another type"))
    return false;
  const Type *T = U->Ty->scalar();
  if (!check(!isNarrow(T), U, "operator on a narrow integer") ||
      !check(!U->Contract || (U->Op == UnaryOp::Neg && T->isFloat()), U,
             "contraction of what is no sum or product of floats"))
    return false;
  switch (U->Op) {
  case UnaryOp::Neg:
    return check(T->isInt() || T->isFloat(), U, "negation of no number");
  case UnaryOp::BitNot:
    return check(T->isInt(), U, "complement of no integer");
  case UnaryOp::LogicalNot:
    return check(T->isBool(), U, "logical not of no bool");
  }
  return true;
}

bool Verifier::binary(const Binary *B) {
  if (!value(B->Left) || !value(B->Right))
    return false;
  const Type *T = B->Left->Ty->scalar();
  if (!check(!isNarrow(T) && !isNarrow(B->Right->Ty->scalar()), B,
             "operator on a narrow integer") ||
      !check(!B->Contract || (B->Op <= BinaryOp::Mul && T->isFloat()), B,
             "contraction of what is no sum or product of floats"))
    return false;
  bool IsShift = B->Op == BinaryOp::Shl || B->Op == BinaryOp::Shr;
  bool IsBits = IsShift || B->Op == BinaryOp::And || B->Op == BinaryOp::Or ||
                B->Op == BinaryOp::Xor;
  if (IsShift) {
    if (!check(T->isInt() && B->Right->Ty->scalar()->isInt(), B,
               "shift of no integers") ||
        !check(B->Left->Ty->Count == B->Right->Ty->Count, B,
               "shift by another number of lanes"))
      return false;
  } else if (!check(B->Left->Ty == B->Right->Ty, B,
                    "operands of different types")) {
    return false;
  }
  if (isComparison(B->Op) && T->isPointer())
    return check(B->Ty->isBool(), B, "comparison that is no bool");
  if (isComparison(B->Op)) {
    bool Orders = B->Op != BinaryOp::Eq && B->Op != BinaryOp::Ne;
    return check(B->Ty->isBool(), B, "comparison that is no bool") &&
           check(B->Left->Ty->isScalar(), B, "comparison of no scalars") &&
           check(!Orders || !T->isBool(), B, "order of bools");
  }
  return check(B->Ty == B->Left->Ty, B, "result of another type") &&
         check(T->isInt() || T->isFloat() || T->isBool(), B,
               "arithmetic on no numbers") &&
         check(!T->isBool() || (IsBits && !IsShift), B,
               "arithmetic on bools") &&
         check(!T->isFloat() || (!IsBits && B->Op != BinaryOp::Rem), B,
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
                 C, "conversion between views but to const");
  if (From->isPointer())
    return check(To->isPointer() || To->isBool(), C,
                 "conversion of a pointer but to a pointer or bool");
  return check(To->scalar()->isScalar() && From->scalar()->isScalar(), C,
               "conversion of no scalar or vector") &&
         check(To->isVector() == From->isVector() && To->Count == From->Count,
               C, "conversion to another number of lanes");
}

/// The bits of a scalar's or vector's value; 0 for anything else.
static uint64_t bitsOf(const Type *T) {
  const Type *Scalar = T->scalar();
  bool HasBits = Scalar->isInt() || Scalar->isFloat();
  return HasBits ? Scalar->Width * (T->isVector() ? T->Count : 1) : 0;
}

bool Verifier::bitcast(const Bitcast *C) {
  return value(C->Operand) &&
         check(bitsOf(C->Ty) != 0 && bitsOf(C->Ty) == bitsOf(C->Operand->Ty), C,
               "bits of another number");
}

bool Verifier::address(const AddressOf *E) {
  if (!place(E->Place) ||
      !check(E->Ty->isPointer() && E->Ty->Element == E->Place->Ty, E,
             "address of another type"))
    return false;
  auto *V = dyn_cast<VarRef>(rootOf(E->Place));
  return !V || check(V->Var->AddressTaken, E,
                     "address of a variable that is not address_taken");
}

bool Verifier::pointer(const Expr *E) {
  if (auto *X = dyn_cast<PointerAdd>(E))
    return value(X->Pointer) && value(X->Index) &&
           check(E->Ty == X->Pointer->Ty && E->Ty->isPointer() &&
                     X->Index->Ty->isInt(),
                 E, "advance of no pointer or by no integer");
  auto *X = cast<PointerDifference>(E);
  return value(X->Left) && value(X->Right) &&
         check(X->Left->Ty->isPointer() && X->Left->Ty == X->Right->Ty,
               E, "distance of no pointers to one type") &&
         check(E->Ty->isInt() && E->Ty->Width == 64, E,
               "distance that is no int64");
}

bool Verifier::construct(const Construct *C) {
  const Type *T = C->Ty;
  if (!check(T->isVector() || T->isArray() || T->isStruct(), C,
             "construction of no aggregate"))
    return false;
  size_t Wanted = !T->isStruct() ? T->Count
                  : T->IsUnion   ? std::min<size_t>(1, T->Fields.size())
                                 : T->Fields.size();
  if (!check(C->Parts.size() == Wanted, C, "wrong number of parts") ||
      !check(C->Field == 0 || (T->isStruct() && T->IsUnion &&
                               C->Field < T->Fields.size()),
             C, "construction from no field of a union"))
    return false;
  for (size_t I = 0; I != Wanted; ++I)
    if (!valueOf(C->Parts[I],
                 T->isStruct() ? T->Fields[I + C->Field].Ty : T->Element,
                 "part of another type"))
      return false;
  return true;
}

bool Verifier::swizzle(const Swizzle *S) {
  if (!value(S->Operand) ||
      !check(S->Operand->Ty->isVector(), S, "lanes of no vector") ||
      !check(!S->Lanes.empty() && S->Lanes.size() <= 4, S,
             "wrong number of lanes"))
    return false;
  for (unsigned Lane : S->Lanes)
    if (!check(Lane < S->Operand->Ty->Count, S, "lane out of range"))
      return false;
  const Type *Element = S->Operand->Ty->Element;
  return check(S->Lanes.size() == 1
                   ? S->Ty == Element
                   : S->Ty->isVector() && S->Ty->Element == Element &&
                         S->Ty->Count == S->Lanes.size(),
               S, "lanes of another type");
}

bool Verifier::call(const Call *C) {
  if (!check(Done.count(C->Callee), C,
             "call of a function that does not stand before its caller") ||
      !check(C->Ty == C->Callee->Result, C, "result of another type") ||
      !check(C->Args.size() == C->Callee->Params.size(), C,
             "wrong number of arguments"))
    return false;
  for (size_t I = 0; I != C->Args.size(); ++I)
    if (!valueOf(C->Args[I], C->Callee->Params[I]->Ty,
                 "argument of another type"))
      return false;
  return true;
}

bool Verifier::intrinsic(const Intrinsic *E) {
  static const unsigned Arity[] = {
#define AMPC_INTRINSIC(ID, NAME, ARITY) ARITY,
#include "kir/intrinsics.def"
  };
  if (!check(E->Ty->isFloat(), E, "function of no float") ||
      !check(E->Args.size() == Arity[unsigned(E->Op)], E,
             "wrong number of operands"))
    return false;
  return std::all_of(E->Args.begin(), E->Args.end(), [&](const Expr *Arg) {
    bool IsCount = E->Op == IntrinsicOp::Ldexp && Arg != E->Args[0];
    if (!IsCount)
      return valueOf(Arg, E->Ty, "operand of another type");
    return value(Arg) &&
           check(Arg->Ty->isInt() && Arg->Ty->Width == 32 && Arg->Ty->Signed,
                 Arg, "operand of another type");
  });
}

/// Views made from views.
bool Verifier::view(const Expr *E) {
  switch (E->K) {
  case Expr::Kind::ViewExtent: {
    auto *X = cast<ViewExtent>(E);
    return value(X->View) &&
           check(X->View->Ty->isView() && X->Dimension < X->View->Ty->Rank, E,
                 "extent of no dimension of a view") &&
           check(E->Ty->isInt() && E->Ty->Width == 32, E,
                 "extent that is no int");
  }
  case Expr::Kind::ViewSection: {
    auto *X = cast<ViewSection>(E);
    return value(X->View) &&
           check(X->View->Ty->isView() && E->Ty == X->View->Ty, E,
                 "section of another type than its view") &&
           integers(X->Origin, E->Ty->Rank, E) &&
           (X->Extent.empty() || integers(X->Extent, E->Ty->Rank, E));
  }
  case Expr::Kind::ViewProject: {
    auto *X = cast<ViewProject>(E);
    if (!value(X->View) || !value(X->Index))
      return false;
    const Type *V = X->View->Ty;
    return check(X->Index->Ty->isInt(), E, "subscript is no integer") &&
           check(V->isView() && V->Rank > 1 && E->Ty->isView() &&
                     E->Ty->Rank == V->Rank - 1 &&
                     E->Ty->Element == V->Element &&
                     E->Ty->ReadOnly == V->ReadOnly,
                 E, "projection of another type");
  }
  case Expr::Kind::ViewReinterpret: {
    auto *X = cast<ViewReinterpret>(E);
    return value(X->View) &&
           check(X->View->Ty->isView() && X->View->Ty->Rank == 1 &&
                     E->Ty->isView() && E->Ty->Rank == 1 &&
                     (E->Ty->ReadOnly || !X->View->Ty->ReadOnly),
                 E, "reinterpretation of no rank-1 view");
  }
  default: {
    auto *X = cast<ViewReshape>(E);
    return value(X->View) &&
           check(X->View->Ty->isView() && X->View->Ty->Rank == 1 &&
                     E->Ty->isView() &&
                     E->Ty->Element == X->View->Ty->Element &&
                     (E->Ty->ReadOnly || !X->View->Ty->ReadOnly),
                 E, "another shape of no rank-1 view") &&
           integers(X->Extent, E->Ty->Rank, E);
  }
  }
}

bool Verifier::expr(const Expr *E) {
  if (!once(E) || !type(E->Ty, E))
    return false;
  switch (E->K) {
  case Expr::Kind::VarRef:
    return variable(cast<VarRef>(E));
  case Expr::Kind::Member: {
    auto *X = cast<Member>(E);
    return place(X->Base) && check(X->Base->Ty->isStruct() &&
                                       X->Field < X->Base->Ty->Fields.size(),
                                   E, "no such member");
  }
  case Expr::Kind::Element: {
    auto *X = cast<Element>(E);
    return place(X->Base) && value(X->Index) &&
           check(X->Base->Ty->isArray() || X->Base->Ty->isVector(), E,
                 "element of no array or vector") &&
           check(X->Index->Ty->isInt(), E, "subscript is no integer");
  }
  case Expr::Kind::ViewElement: {
    auto *X = cast<ViewElement>(E);
    return value(X->View) &&
           check(X->View->Ty->isView() && E->Ty == X->View->Ty->Element, E,
                 "element of no view") &&
           integers(X->Subscripts, X->View->Ty->Rank, E);
  }
  case Expr::Kind::Deref: {
    auto *X = cast<Deref>(E);
    return value(X->Pointer) && check(X->Pointer->Ty->isPointer() &&
                                          !X->Pointer->Ty->Element->isVoid() &&
                                          E->Ty == X->Pointer->Ty->Element,
                                      E, "place behind no pointer");
  }
  case Expr::Kind::IntConst:
    return check(E->Ty->isInt() && fits(cast<IntConst>(E)->Value, E->Ty), E,
                 "integer constant wider than its type");
  case Expr::Kind::FloatConst:
    return check(E->Ty->isFloat() && (E->Ty->Width == 64 ||
                                      cast<FloatConst>(E)->Bits <= 0xffffffffu),
                 E, "floating constant wider than its type");
  case Expr::Kind::BoolConst:
    return check(E->Ty->isBool(), E, "bool constant of another type");
  case Expr::Kind::Zero:
    return check(!E->Ty->isVoid() && !holdsView(E->Ty), E,
                 "zero of void or of a view");
  case Expr::Kind::Load:
    return place(cast<Load>(E)->Place) &&
           check(E->Ty == cast<Load>(E)->Place->Ty, E, "load of another type");
  case Expr::Kind::Unary:
    return unary(cast<Unary>(E));
  case Expr::Kind::Binary:
    return binary(cast<Binary>(E));
  case Expr::Kind::Logical:
    return valueOf(cast<Logical>(E)->Left, M.boolType(),
                   "operand is no bool") &&
           valueOf(cast<Logical>(E)->Right, M.boolType(), "operand is no bool");
  case Expr::Kind::Select:
    return valueOf(cast<Select>(E)->Condition, M.boolType(),
                   "condition is no bool") &&
           valueOf(cast<Select>(E)->True, E->Ty, "choice of another type") &&
           valueOf(cast<Select>(E)->False, E->Ty, "choice of another type") &&
           check(!E->Ty->isVoid(), E, "choice of nothing");
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
  case Expr::Kind::Intrinsic:
    return intrinsic(cast<Intrinsic>(E));
  case Expr::Kind::ViewExtent:
  case Expr::Kind::ViewSection:
  case Expr::Kind::ViewProject:
  case Expr::Kind::ViewReinterpret:
  case Expr::Kind::ViewReshape:
    return view(E);
  case Expr::Kind::AddressOf:
    return address(cast<AddressOf>(E));
  case Expr::Kind::PointerAdd:
  case Expr::Kind::PointerDifference:
    return pointer(E);
  }
  return true;
}

} // namespace ampc::kir
