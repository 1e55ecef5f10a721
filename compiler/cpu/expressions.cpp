//===- expressions.cpp - KIR expressions in C -----------------------------===//
//
// An operand is put in parentheses where C needs it, and where compilers ask
// for it: bit operations and shifts in and of anything but single terms.
//
//===----------------------------------------------------------------------===//

#include "cpu/printer.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

using namespace ampc::kir;
using llvm::dyn_cast;
using llvm::isa;

namespace ampc::cpu {

//---- constants -------------------------------------------------------------

static std::string intText(const IntConst *C) {
  const Type *Ty = C->Ty;
  uint64_t Bits = C->Value;
  if (Ty->Width < 64)
    Bits &= (uint64_t(1) << Ty->Width) - 1;
  if (!Ty->Signed) {
    std::string Digits = std::to_string(Bits);
    return Ty->Width == 64 ? "UINT64_C(" + Digits + ")"
           : Ty->Width == 32
               ? Digits + "u"
               : "(" +
                     std::string(Ty->Width == 8 ? "unsigned char"
                                                : "unsigned short") +
                     ")" + Digits;
  }
  int64_t Value = int64_t(Bits << (64 - Ty->Width)) >> (64 - Ty->Width);
  if (Ty->Width == 64)
    return Value == INT64_MIN ? "(-INT64_C(9223372036854775807) - 1)"
                              : "INT64_C(" + std::to_string(Value) + ")";
  if (Ty->Width < 32)
    return std::string(Ty->Width == 8 ? "(signed char)" : "(short)") +
           std::to_string(Value);
  return Value == INT32_MIN ? "(-2147483647 - 1)" : std::to_string(Value);
}

std::string floatText(const FloatConst *C) {
  bool Double = C->Ty->Width == 64;
  llvm::APFloat Value(Double ? llvm::APFloat::IEEEdouble()
                             : llvm::APFloat::IEEEsingle(),
                      llvm::APInt(Double ? 64 : 32, C->Bits));
  std::string Suffix = Double ? "" : "f";
  if (Value.isInfinity())
    return std::string(Value.isNegative() ? "-" : "") + "__builtin_inf" +
           Suffix + "()";
  if (Value.isNaN()) {
    uint64_t Payload = C->Bits & ((uint64_t(1) << (Double ? 51 : 22)) -
                                  1); // but the quiet bit
    return std::string(Value.isNegative() ? "-" : "") + "__builtin_nan" +
           Suffix + "(\"" + (Payload ? "0x" + llvm::utohexstr(Payload) : "") +
           "\")";
  }
  // The shortest decimal that reads back as the same bits.
  for (unsigned Digits : {6u, 9u, 15u, 17u}) {
    llvm::SmallString<32> Text;
    Value.toString(Text, Digits, /*FormatMaxPadding=*/6,
                   /*TruncateZero=*/true);
    llvm::APFloat Back(Value.getSemantics());
    auto Status =
        Back.convertFromString(Text, llvm::APFloat::rmNearestTiesToEven);
    if (!Status) {
      llvm::consumeError(Status.takeError());
      break;
    }
    if (!Back.bitwiseIsEqual(Value))
      continue;
    std::string S(Text.str());
    if (S.find_first_of(".eE") == std::string::npos)
      S += ".0";
    return S + Suffix;
  }
  llvm::SmallString<40> Hex;
  Hex.resize(40);
  Hex.resize(Value.convertToHexString(Hex.data(), 0, false,
                                      llvm::APFloat::rmNearestTiesToEven));
  return std::string(Hex.str()) + Suffix;
}

//---- places ----------------------------------------------------------------

/// t.local[1], and t.local where that is an int.
std::optional<Printer::Piece> Printer::indexLane(const Expr *E) {
  uint64_t Lane = 0;
  if (auto *At = dyn_cast<Element>(E)) {
    auto *Number = dyn_cast<IntConst>(At->Index);
    if (!Number)
      return std::nullopt;
    Lane = Number->Value;
    E = At->Base;
  } else if (!E->Ty->isInt()) {
    return std::nullopt;
  }
  auto *Field = dyn_cast<Member>(E);
  auto *Of = dyn_cast<VarRef>(Field ? Field->Base : E);
  auto Known = Of ? IndexLanes.find(Of->Var) : IndexLanes.end();
  if (Known == IndexLanes.end())
    return std::nullopt;
  auto Lanes =
      Known->second.find(Field ? Of->Ty->Fields[Field->Field].Name : "");
  if (Lanes == Known->second.end() || Lane >= Lanes->second.size())
    return std::nullopt;
  const std::string &Text = Lanes->second[Lane];
  return Piece{Text, Text.find(' ') == std::string::npos ? Binding::Postfix
                     : Text.find('+') == std::string::npos
                         ? Binding::Multiplicative
                         : Binding::Additive};
}

Printer::Piece Printer::place(const Expr *E) {
  if (std::optional<Piece> Lane = indexLane(E))
    return *Lane;
  switch (E->K) {
  case Expr::Kind::VarRef: {
    const Variable *V = llvm::cast<VarRef>(E)->Var;
    auto Known = Spelling.find(V);
    if (Known != Spelling.end())
      return Known->second;
    auto Constant = N.Constants.find(V);
    if (Constant != N.Constants.end())
      return {Constant->second, Binding::Postfix};
    unsupported("variable '" + V->Name + "' out of its scope");
    return {V->Name, Binding::Postfix};
  }
  case Expr::Kind::Member: {
    auto *X = llvm::cast<Member>(E);
    std::string Field = Types::field(X->Base->Ty, X->Field);
    if (auto *D = dyn_cast<Deref>(X->Base))
      return {expr(D->Pointer, Binding::Postfix) + "->" + Field,
              Binding::Postfix};
    T.name(X->Base->Ty); // its definition comes before
    return {expr(X->Base, Binding::Postfix) + "." + Field, Binding::Postfix};
  }
  case Expr::Kind::Element: {
    auto *X = llvm::cast<Element>(E);
    return {expr(X->Base, Binding::Postfix) + "[" + expr(X->Index) + "]",
            Binding::Postfix};
  }
  case Expr::Kind::ViewElement: {
    auto *X = llvm::cast<ViewElement>(E);
    std::string Rank = std::to_string(X->View->Ty->Rank);
    std::string S = isa<Load>(X->View)
                        ? "AMPC_AT_" + Rank + "("
                        : "AMPC_AT_OF(AMPC_AT_" + Rank + ", " + Rank + ", ";
    S += T.name(E->Ty) + ", " + expr(X->View);
    for (const Expr *I : X->Subscripts)
      S += ", " + expr(I);
    return {S + ")", Binding::Postfix};
  }
  case Expr::Kind::Deref: {
    const Expr *P = llvm::cast<Deref>(E)->Pointer;
    if (auto *Add = dyn_cast<PointerAdd>(P))
      return {expr(Add->Pointer, Binding::Postfix) + "[" + expr(Add->Index) +
                  "]",
              Binding::Postfix};
    return {"*" + expr(P, Binding::Unary), Binding::Unary};
  }
  default:
    llvm_unreachable("not a place");
  }
}

std::string Printer::address(const Expr *Place) {
  if (auto *D = dyn_cast<Deref>(Place))
    return expr(D->Pointer, Binding::Unary);
  return "&" + expr(Place, Binding::Unary);
}

//---- values ----------------------------------------------------------------

std::string Printer::expr(const Expr *E, Binding Least) {
  Piece P = piece(E);
  return P.B < Least ? "(" + P.Text + ")" : P.Text;
}

std::string Printer::list(const std::vector<Expr *> &Es) {
  std::string S;
  for (const Expr *E : Es)
    S += (S.empty() ? "" : ", ") + expr(E);
  return S;
}

/// A C array of 64-bit numbers.
std::string Printer::wideList(const std::vector<Expr *> &Es) {
  return "(const int64_t[]){" + list(Es) + "}";
}

std::string Printer::castTo(const Type *To, const Expr *E) {
  return "(" + T.name(To) + ")" + expr(E, Binding::Unary);
}

Printer::Piece Printer::vectorDivision(const Binary *E) {
  std::string Name = T.name(E->Ty), Lanes;
  for (unsigned I = 0; I != E->Ty->Count; ++I) {
    std::string Lane = "[" + std::to_string(I) + "]";
    Lanes += (I ? ", ampc_n" : "ampc_n") + Lane +
             (E->Op == BinaryOp::Div ? " / " : " % ") + "ampc_d" + Lane;
  }
  return {"__extension__ ({ const " + Name + " ampc_n = " + expr(E->Left) +
              ", ampc_d = " + expr(E->Right) + "; (" + Name + "){" + Lanes +
              "}; })",
          Binding::Postfix};
}

/// Counts are taken modulo the width of what is shifted.
Printer::Piece Printer::shift(const Binary *E) {
  const Type *Scalar = E->Left->Ty->scalar();
  uint64_t Mask = Scalar->Width - 1;
  std::string Count = expr(E->Right, Binding::Unary);
  auto *Known = dyn_cast<IntConst>(E->Right);
  if (Known && Known->Value <= Mask)
    Count = std::to_string(Known->Value);
  else
    Count = "(" + Count + " & " + std::to_string(Mask) +
            (E->Right->Ty->scalar()->Signed ? ")" : "u)");
  return {expr(E->Left, Binding::Unary) +
              (E->Op == BinaryOp::Shl ? " << " : " >> ") + Count,
          Binding::Shift};
}

Printer::Piece Printer::binary(const Binary *E) {
  auto Make = [&](const char *Sign, Binding Own, Binding Left, Binding Right) {
    return Piece{expr(E->Left, Left) + " " + Sign + " " + expr(E->Right, Right),
                 Own};
  };
  using B = Binding;
  bool IntegerVector = E->Ty->isVector() && !E->Ty->Element->isFloat();
  switch (E->Op) {
  case BinaryOp::Add:
    return Make("+", B::Additive, B::Additive, B::Multiplicative);
  case BinaryOp::Sub:
    return Make("-", B::Additive, B::Additive, B::Multiplicative);
  case BinaryOp::Mul:
    return Make("*", B::Multiplicative, B::Multiplicative, B::Unary);
  case BinaryOp::Div:
  case BinaryOp::Rem:
    if (IntegerVector && E->Ty->Count == 3) // gcc's has a fourth lane
      return vectorDivision(E);
    return Make(E->Op == BinaryOp::Div ? "/" : "%", B::Multiplicative,
                B::Multiplicative, B::Unary);
  case BinaryOp::Shl:
  case BinaryOp::Shr:
    return shift(E);
  case BinaryOp::And:
    return Make("&", B::BitAnd, B::Unary, B::Unary);
  case BinaryOp::Or:
    return Make("|", B::BitOr, B::Unary, B::Unary);
  case BinaryOp::Xor:
    return Make("^", B::BitXor, B::Unary, B::Unary);
  case BinaryOp::Eq:
    return Make("==", B::Equality, B::Additive, B::Additive);
  case BinaryOp::Ne:
    return Make("!=", B::Equality, B::Additive, B::Additive);
  case BinaryOp::Lt:
    return Make("<", B::Relational, B::Additive, B::Additive);
  case BinaryOp::Le:
    return Make("<=", B::Relational, B::Additive, B::Additive);
  case BinaryOp::Gt:
    return Make(">", B::Relational, B::Additive, B::Additive);
  case BinaryOp::Ge:
    return Make(">=", B::Relational, B::Additive, B::Additive);
  }
  llvm_unreachable("every operator is above");
}

/// The array at Place, which C cannot name as a value, element by element.
std::string Printer::elements(const std::string &Place, const Type *Array) {
  std::string S;
  for (uint64_t I = 0; I != Array->Count; ++I) {
    std::string Element = Place + "[" + std::to_string(I) + "]";
    S += (I ? ", " : "") + (Array->Element->isArray()
                                ? elements(Element, Array->Element)
                                : Element);
  }
  return "{" + S + "}";
}

std::string Printer::initialiser(const Expr *E) {
  if (auto *C = dyn_cast<Construct>(E)) {
    std::string S;
    if (C->Field)
      return "{." + Types::field(E->Ty, C->Field) + " = " +
             initialiser(C->Parts[0]) + "}";
    for (const Expr *Part : C->Parts)
      S += (S.empty() ? "" : ", ") + initialiser(Part);
    return "{" + (S.empty() ? "0" : S) + "}";
  }
  if (isa<Zero>(E) && (E->Ty->isStruct() || E->Ty->isArray() ||
                       E->Ty->isVector() || E->Ty->isView()))
    return "{0}";
  if (E->Ty->isArray())
    return elements(expr(E, Binding::Postfix), E->Ty);
  return expr(E);
}

Printer::Piece Printer::construct(const Construct *E) {
  return {"(" + T.name(E->Ty) + ")" + initialiser(E), Binding::Postfix};
}

Printer::Piece Printer::swizzle(const Swizzle *E) {
  auto Lane = [](const std::string &Of, unsigned I) {
    return Of + "[" + std::to_string(I) + "]";
  };
  if (E->Lanes.size() == 1)
    return {Lane(expr(E->Operand, Binding::Postfix), E->Lanes[0]),
            Binding::Postfix};
  std::string Lanes;
  for (unsigned I : E->Lanes)
    Lanes += (Lanes.empty() ? "" : ", ") + Lane("ampc_lanes", I);
  return {"__extension__ ({ const " + T.name(E->Operand->Ty) +
              " ampc_lanes = " + expr(E->Operand) + "; (" + T.name(E->Ty) +
              "){" + Lanes + "}; })",
          Binding::Postfix};
}

Printer::Piece Printer::call(const Call *E) {
  auto Name = N.Functions.find(E->Callee);
  if (Name == N.Functions.end()) {
    unsupported("calling '" + E->Callee->Name + "' here");
    return {"0", Binding::Postfix};
  }
  std::string S = list(E->Args);
  auto Shared = N.TileStatic.find(E->Callee);
  if (Shared != N.TileStatic.end())
    for (const Variable *V : Shared->second) {
      VarRef Ref(const_cast<Variable *>(V), E->Where);
      S += (S.empty() ? "" : ", ") + ("&" + expr(&Ref, Binding::Unary));
    }
  return {Name->second + "(" + S + ")", Binding::Postfix};
}

Printer::Piece Printer::section(const ViewSection *E) {
  std::string Size = "sizeof(" + T.name(E->Ty->Element) + ")";
  return {"ampc_part_" + std::to_string(E->Ty->Rank) + "(" + expr(E->View) +
              ", " + Size + ", " + wideList(E->Origin) + ", " +
              (E->Extent.empty() ? "NULL" : wideList(E->Extent)) + ")",
          Binding::Postfix};
}

static const char *intrinsicName(IntrinsicOp Op) {
  if (Op == IntrinsicOp::FastSqrt)
    return "sqrt";
  switch (Op) {
#define AMPC_INTRINSIC(ID, NAME, ARITY)                                        \
  case IntrinsicOp::ID:                                                        \
    return NAME;
#include "kir/intrinsics.def"
  }
  llvm_unreachable("every intrinsic is above");
}

std::optional<bool> Printer::knownCondition(const Expr *E) const {
  auto At = Conditions.find(E);
  if (At == Conditions.end() || At->second.size() != 1)
    return std::nullopt;
  return At->second == "1";
}

Printer::Piece Printer::piece(const Expr *E) {
  if (auto At = Conditions.find(E); At != Conditions.end())
    return {At->second, Binding::Postfix};
  switch (E->K) {
  case Expr::Kind::VarRef:
  case Expr::Kind::Member:
  case Expr::Kind::Element:
  case Expr::Kind::ViewElement:
  case Expr::Kind::Deref:
    return place(E);
  case Expr::Kind::Load:
    return place(llvm::cast<Load>(E)->Place);
  case Expr::Kind::IntConst: {
    std::string S = intText(llvm::cast<IntConst>(E));
    bool IsCast = S[0] == '(' && S.back() != ')';
    return {S, S[0] == '-' || IsCast ? Binding::Unary : Binding::Postfix};
  }
  case Expr::Kind::FloatConst: {
    std::string S = floatText(llvm::cast<FloatConst>(E));
    return {S, S[0] == '-' ? Binding::Unary : Binding::Postfix};
  }
  case Expr::Kind::BoolConst:
    return {llvm::cast<BoolConst>(E)->Value ? "1" : "0", Binding::Postfix};
  case Expr::Kind::Zero:
    if (E->Ty->isScalar() || E->Ty->isPointer())
      return {"(" + T.name(E->Ty) + ")0", Binding::Unary};
    return {"(" + T.name(E->Ty) + "){0}", Binding::Postfix};
  case Expr::Kind::Unary: {
    auto *X = llvm::cast<Unary>(E);
    const char *Sign = X->Op == UnaryOp::Neg      ? "-"
                       : X->Op == UnaryOp::BitNot ? "~"
                                                  : "!";
    std::string Operand = expr(X->Operand, Binding::Unary);
    if (Operand[0] == '-')
      Operand = "(" + Operand + ")";
    return {Sign + Operand, Binding::Unary};
  }
  case Expr::Kind::Binary:
    return binary(llvm::cast<Binary>(E));
  case Expr::Kind::Logical: {
    auto *X = llvm::cast<Logical>(E);
    Binding Own = X->IsAnd ? Binding::LogicalAnd : Binding::LogicalOr;
    auto Operand = [&](const Expr *Side) {
      auto *Same = dyn_cast<Logical>(Side);
      return expr(Side,
                  Same && Same->IsAnd == X->IsAnd ? Own : Binding::Equality);
    };
    return {Operand(X->Left) + (X->IsAnd ? " && " : " || ") + Operand(X->Right),
            Own};
  }
  case Expr::Kind::Select: {
    auto *X = llvm::cast<Select>(E);
    if (std::optional<bool> Known = knownCondition(X->Condition))
      return piece(*Known ? X->True : X->False);
    return {expr(X->Condition, Binding::LogicalOr) + " ? " +
                expr(X->True, Binding::LogicalOr) + " : " +
                expr(X->False, Binding::LogicalOr),
            Binding::Conditional};
  }
  case Expr::Kind::Convert: {
    auto *X = llvm::cast<Convert>(E);
    if (E->Ty->isView())
      return piece(X->Operand);
    if (E->Ty->isVector())
      return {"__builtin_convertvector(" + expr(X->Operand) + ", " +
                  T.name(E->Ty) + ")",
              Binding::Postfix};
    return {castTo(E->Ty, X->Operand), Binding::Unary};
  }
  case Expr::Kind::Bitcast: {
    auto *X = llvm::cast<Bitcast>(E);
    return {"((union { " + T.declare(X->Operand->Ty, "from") + "; " +
                T.declare(E->Ty, "to") + "; }){" + expr(X->Operand) + "}).to",
            Binding::Postfix};
  }
  case Expr::Kind::Construct:
    return construct(llvm::cast<Construct>(E));
  case Expr::Kind::Swizzle:
    return swizzle(llvm::cast<Swizzle>(E));
  case Expr::Kind::Call:
    return call(llvm::cast<Call>(E));
  case Expr::Kind::Intrinsic: {
    auto *X = llvm::cast<Intrinsic>(E);
    return {std::string("__builtin_") + intrinsicName(X->Op) +
                (E->Ty->Width == 64 ? "(" : "f(") + list(X->Args) + ")",
            Binding::Postfix};
  }
  case Expr::Kind::ViewExtent: {
    auto *X = llvm::cast<ViewExtent>(E);
    return {expr(X->View, Binding::Postfix) + ".extent[" +
                std::to_string(X->Dimension) + "]",
            Binding::Postfix};
  }
  case Expr::Kind::ViewSection:
    return section(llvm::cast<ViewSection>(E));
  case Expr::Kind::ViewProject: {
    auto *X = llvm::cast<ViewProject>(E);
    return {"ampc_project_" + std::to_string(X->View->Ty->Rank) + "(" +
                expr(X->View) + ", " + expr(X->Index) + ")",
            Binding::Postfix};
  }
  case Expr::Kind::ViewReinterpret: {
    auto *X = llvm::cast<ViewReinterpret>(E);
    return {"ampc_retyped(" + expr(X->View) + ", sizeof(" +
                T.name(X->View->Ty->Element) + "), sizeof(" +
                T.name(E->Ty->Element) + "))",
            Binding::Postfix};
  }
  case Expr::Kind::ViewReshape: {
    auto *X = llvm::cast<ViewReshape>(E);
    return {"ampc_shaped_" + std::to_string(E->Ty->Rank) + "(" + expr(X->View) +
                ", sizeof(" + T.name(E->Ty->Element) + "), " +
                wideList(X->Extent) + ")",
            Binding::Postfix};
  }
  case Expr::Kind::AddressOf:
    return {"(" + T.name(E->Ty) + ")" +
                address(llvm::cast<AddressOf>(E)->Place),
            Binding::Unary};
  case Expr::Kind::PointerAdd: {
    auto *X = llvm::cast<PointerAdd>(E);
    return {expr(X->Pointer, Binding::Additive) + " + " +
                expr(X->Index, Binding::Multiplicative),
            Binding::Additive};
  }
  case Expr::Kind::PointerDifference: {
    auto *X = llvm::cast<PointerDifference>(E);
    return {"(" + T.name(E->Ty) + ")(" + expr(X->Left, Binding::Additive) +
                " - " + expr(X->Right, Binding::Multiplicative) + ")",
            Binding::Unary};
  }
  }
  llvm_unreachable("every kind of expression is above");
}

} // namespace ampc::cpu
