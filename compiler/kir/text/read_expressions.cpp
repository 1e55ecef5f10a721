//===- read_expressions.cpp - values and places from text -----------------===//

#include "kir/text/names.h"
#include "kir/text/reader.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Error.h"

using llvm::APFloat;
using llvm::StringRef;

namespace ampc::kir {

/// Deeper texts are taken for mistakes rather than for programs.
static constexpr unsigned MaxDepth = 100000;

//===----------------------------------------------------------------------===//
// Names, subscripts, members
//===----------------------------------------------------------------------===//

Expr *Reader::asValue(Expr *E) {
  if (!E || E->K != Expr::Kind::VarRef)
    return E;
  auto *L = M.make<Load>(E, E->Where);
  Result.Positions[L] = Result.Positions[E];
  return L;
}

Expr *Reader::expr() {
  const Token &T = peek();
  if (skip("*")) {
    Expr *Pointer = operandValue();
    if (!Pointer)
      return nullptr;
    if (!Pointer->Ty->isPointer())
      return fail(T, "'*' of what is no pointer"), nullptr;
    return make<Deref>(T, Pointer);
  }
  if (!T.is(Token::Kind::Word))
    return operand();
  // Operators may have dots in their names: `fgt.ord`.
  std::string Name = T.Text.str();
  size_t Words = 1;
  for (; peek(Words).is(".") && peek(Words + 1).is(Token::Kind::Word);
       Words += 2)
    Name += "." + peek(Words + 1).Text.str();
  if (ReadExpr Read = exprKeyword(Name)) {
    At += Words;
    return (this->*Read)(T);
  }
  if (std::optional<UnaryOp> Op = unaryNamed(Name)) {
    At += Words;
    return unary(T, *Op);
  }
  if (std::optional<BinaryOp> Op = binaryNamed(Name)) {
    At += Words;
    return binary(T, *Op);
  }
  return operand();
}

Expr *Reader::operand() {
  if (++Depth > MaxDepth)
    return fail(peek(), "an expression that is nested too deeply"), nullptr;
  Expr *E = suffix(primary());
  --Depth;
  return E;
}

bool Reader::operandValues(llvm::MutableArrayRef<Expr *> To) {
  for (size_t I = 0; I != To.size(); ++I)
    if ((I && !expect(",")) || !(To[I] = operandValue()))
      return false;
  return true;
}

bool Reader::list(std::vector<Expr *> &To, StringRef Close) {
  if (skip(Close))
    return true;
  do {
    Expr *E = value();
    if (!E)
      return false;
    To.push_back(E);
  } while (skip(","));
  return expect(Close);
}

Expr *Reader::primary() {
  const Token &T = peek();
  if (skip("(")) {
    Expr *E = expr();
    return E && expect(")") ? E : nullptr;
  }
  if (at(Token::Kind::Local) || at(Token::Kind::Global))
    return variableName(next());
  if (at(Token::Kind::Number))
    return constant(next());
  if (!at(Token::Kind::Word))
    return unexpected("an expression"), nullptr;
  if (at("true") || at("false"))
    return make<BoolConst>(T, M.boolType(), next().Text == "true");
  if (at("inf") || at("infd"))
    return infinity(T, next().Text);
  if (at("nan"))
    return nan(next());
  if (at("zero"))
    return zero(next());
  if (std::optional<IntrinsicOp> Op = intrinsicNamed(T.Text))
    return intrinsic(next(), *Op);
  return construct(T);
}

Expr *Reader::variableName(const Token &T) {
  auto &Names = T.is(Token::Kind::Local) ? Locals : Globals;
  auto Known = Names.find(T.Text);
  if (Known == Names.end())
    return fail(T, "no variable '" + T.Text + "' is declared above"), nullptr;
  return make<VarRef>(T, Known->second);
}

Expr *Reader::suffix(Expr *E) {
  while (E) {
    if (at("["))
      E = subscript(E);
    else if (at("."))
      E = selection(E);
    else
      break;
  }
  return E;
}

/// `[i]` behind a place, `[i][j]` behind a view of rank 2.
Expr *Reader::subscript(Expr *E) {
  const Token &T = peek();
  const Type *Ty = E->Ty;
  bool IsView = Ty->isView();
  if (!IsView && !Ty->isArray() && !Ty->isVector())
    return fail(T, "subscript of '" + toString(Ty) + "'"), nullptr;
  std::vector<Expr *> Subscripts;
  do {
    next();
    Expr *Index = value();
    if (!Index || !expect("]"))
      return nullptr;
    Subscripts.push_back(Index);
  } while (IsView && at("[") && Subscripts.size() < Ty->Rank);
  if (IsView)
    return make<ViewElement>(T, asValue(E), std::move(Subscripts));
  return make<Element>(T, E, Subscripts[0]);
}

/// `name` or `#number`
std::optional<unsigned> Reader::field(const Type *Struct) {
  const Token &T = peek();
  if (skip("#")) {
    std::optional<uint64_t> Field = number("the number of a field");
    if (!Field)
      return std::nullopt;
    if (*Field >= Struct->Fields.size())
      return fail(T, "no such field in '" + toString(Struct) + "'"),
             std::nullopt;
    return unsigned(*Field);
  }
  std::optional<std::string> Name = name("the name of a field");
  if (!Name)
    return std::nullopt;
  for (unsigned I = 0; I != Struct->Fields.size(); ++I)
    if (Struct->Fields[I].Name == *Name)
      return I;
  return fail(T, "no field '" + *Name + "' in '" + toString(Struct) + "'"),
         std::nullopt;
}

/// `.field` of a struct, `.xyzw` of a vector.
Expr *Reader::selection(Expr *E) {
  next();
  const Token &T = peek();
  const Type *Ty = E->Ty;
  if (Ty->isStruct()) {
    std::optional<unsigned> Field = field(Ty);
    return Field ? make<Member>(T, E, *Field) : nullptr;
  }
  if (!Ty->isVector() || !at(Token::Kind::Word))
    return fail(T, "part of '" + toString(Ty) + "'"), nullptr;
  std::vector<unsigned> Lanes;
  for (char C : next().Text) {
    size_t Lane = StringRef("xyzw").find(C);
    if (Lane == StringRef::npos)
      return fail(T, "lanes are called x, y, z and w"), nullptr;
    Lanes.push_back(Lane);
  }
  if (Lanes.size() > 4)
    return fail(T, "more than four lanes"), nullptr;
  const Type *To =
      Lanes.size() == 1 ? Ty->Element : M.vectorType(Ty->Element, Lanes.size());
  return make<Swizzle>(T, To, asValue(E), std::move(Lanes));
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Expr *Reader::constant(const Token &T) {
  StringRef Text = T.Text;
  if (Text.starts_with("-inf"))
    return infinity(T, Text);
  bool IsHex = Text.starts_with("0x") || Text.starts_with("-0x");
  bool IsFloat = Text.contains('.') || Text.contains('p') ||
                 (!IsHex && Text.contains('e'));
  return IsFloat ? floatConstant(T, Text) : intConstant(T);
}

Expr *Reader::intConstant(const Token &T) {
  static const struct {
    StringRef Suffix;
    unsigned Width;
    bool Signed;
  } Kinds[] = {{"ub", 8, false}, {"b", 8, true},    {"uh", 16, false},
               {"h", 16, true},  {"ul", 64, false}, {"l", 64, true},
               {"u", 32, false}, {"", 32, true}};
  const auto *Kind = llvm::find_if(
      Kinds, [&](const auto &K) { return T.Text.ends_with(K.Suffix); });
  StringRef Digits = T.Text.drop_back(Kind->Suffix.size());
  bool IsNegative = Digits.consume_front("-");
  uint64_t Value;
  if (Digits.getAsInteger(Digits.starts_with("0x") ? 0 : 10, Value))
    return fail(T, "'" + T.Text + "' is no number"), nullptr;
  uint64_t Mask = ~uint64_t(0) >> (64 - Kind->Width);
  uint64_t Largest = Kind->Signed ? (Mask >> 1) + IsNegative : Mask;
  if (Value > Largest || (IsNegative && !Kind->Signed))
    return fail(T, "'" + T.Text + "' does not fit its type"), nullptr;
  return make<IntConst>(T, M.intType(Kind->Width, Kind->Signed),
                        (IsNegative ? -Value : Value) & Mask);
}

/// A double ends in d.
Expr *Reader::floatConstant(const Token &T, StringRef Text) {
  bool IsDouble = Text.consume_back("d");
  APFloat Value(IsDouble ? APFloat::IEEEdouble() : APFloat::IEEEsingle());
  auto Status = Value.convertFromString(Text, APFloat::rmNearestTiesToEven);
  if (!Status) {
    llvm::consumeError(Status.takeError());
    return fail(T, "'" + T.Text + "' is no number"), nullptr;
  }
  if (*Status & APFloat::opOverflow)
    return fail(T, "'" + T.Text + "' is too large for its type"), nullptr;
  return make<FloatConst>(T, M.floatType(IsDouble ? 64 : 32),
                          Value.bitcastToAPInt().getZExtValue());
}

Expr *Reader::infinity(const Token &T, StringRef Text) {
  bool IsNegative = Text.consume_front("-");
  if (Text != "inf" && Text != "infd")
    return fail(T, "'" + T.Text + "' is no number"), nullptr;
  bool IsDouble = Text == "infd";
  const auto &Semantics =
      IsDouble ? APFloat::IEEEdouble() : APFloat::IEEEsingle();
  return make<FloatConst>(
      T, M.floatType(IsDouble ? 64 : 32),
      APFloat::getInf(Semantics, IsNegative).bitcastToAPInt().getZExtValue());
}

/// `nan(0x7fc00000)`, `nan(0x7ff8000000000000)d`
Expr *Reader::nan(const Token &T) {
  if (!expect("("))
    return nullptr;
  const Token &Number = peek();
  uint64_t Bits;
  if (!at(Token::Kind::Number) || next().Text.getAsInteger(0, Bits))
    return fail(Number, "the bits of a NaN are missing"), nullptr;
  if (!expect(")"))
    return nullptr;
  unsigned Width = skip("d") ? 64 : 32;
  if (Width == 32 && Bits > ~uint32_t(0))
    return fail(Number, "more than 32 bits"), nullptr;
  const auto &Semantics =
      Width == 64 ? APFloat::IEEEdouble() : APFloat::IEEEsingle();
  if (!APFloat(Semantics, llvm::APInt(Width, Bits)).isNaN())
    return fail(Number, "these are not the bits of a NaN"), nullptr;
  return make<FloatConst>(T, M.floatType(Width), Bits);
}

Expr *Reader::zero(const Token &T) {
  if (!expect("<"))
    return nullptr;
  const Type *Ty = type();
  return Ty && expect(">") ? make<Zero>(T, Ty) : nullptr;
}

/// `float_2{%x, %y}`, of a union `union word{.real = %x}`
Expr *Reader::construct(const Token &T) {
  const Type *Ty = type();
  std::vector<Expr *> Parts;
  if (!Ty || !expect("{"))
    return nullptr;
  std::optional<unsigned> Field = 0;
  if (Ty->isStruct() && Ty->IsUnion && skip("."))
    if (Field = field(Ty); !Field || !expect("="))
      return nullptr;
  if (!list(Parts, "}"))
    return nullptr;
  auto *Made = make<Construct>(T, Ty, std::move(Parts));
  Made->Field = *Field;
  return Made;
}

//===----------------------------------------------------------------------===//
// Operators and functions
//===----------------------------------------------------------------------===//

/// Whether an operator's name says the same as its operands' type.
bool Reader::fits(const Token &T, StringRef Name, StringRef Right,
                  const Type *Operand) {
  return Name == Right ||
         fail(T, "operator '" + Name + "' on '" + toString(Operand) +
                     "', where it is called '" + Right + "'");
}

/// From a token to the last one read: an operator's name.
static std::string spelling(const Token &First, const Token &Last) {
  return std::string(First.Text.begin(), Last.Text.end());
}

Expr *Reader::unary(const Token &T, UnaryOp Op) {
  std::string Name = spelling(T, Tokens[At - 1]);
  bool Contract = skip("contract");
  Expr *E = operandValue();
  if (!E || !fits(T, Name, nameOf(Op, E->Ty), E->Ty))
    return nullptr;
  auto *Made = make<Unary>(T, Op, E);
  Made->Contract = Contract;
  return Made;
}

Expr *Reader::binary(const Token &T, BinaryOp Op) {
  std::string Name = spelling(T, Tokens[At - 1]);
  bool Contract = skip("contract");
  Expr *Es[2];
  if (!operandValues(Es))
    return nullptr;
  const Type *Left = Es[0]->Ty;
  if (!fits(T, Name, nameOf(Op, Left), Left))
    return nullptr;
  auto *Made = make<Binary>(T, Op, isComparison(Op) ? M.boolType() : Left,
                            Es[0], Es[1]);
  Made->Contract = Contract;
  return Made;
}

Expr *Reader::intrinsic(const Token &T, IntrinsicOp Op) {
  std::vector<Expr *> Args;
  if (!expect("(") || !list(Args, ")"))
    return nullptr;
  if (Args.empty())
    return fail(T, "'" + T.Text + "' without operands"), nullptr;
  const Type *Ty = Args[0]->Ty;
  return make<Intrinsic>(T, Op, Ty, std::move(Args));
}

Expr *Reader::load(const Token &T) {
  Expr *Place = expr();
  return Place ? make<Load>(T, Place) : nullptr;
}

Expr *Reader::logical(const Token &T, bool IsAnd) {
  Expr *Es[2];
  return operandValues(Es) ? make<Logical>(T, IsAnd, Es[0], Es[1]) : nullptr;
}

Expr *Reader::select(const Token &T) {
  Expr *Es[3];
  return operandValues(Es) ? make<Select>(T, Es[0], Es[1], Es[2]) : nullptr;
}

const Type *Reader::targetType() { return expect("to") ? type() : nullptr; }

Expr *Reader::convert(const Token &T) {
  Expr *E = operandValue();
  const Type *Ty = E ? targetType() : nullptr;
  return Ty ? make<Convert>(T, Ty, E) : nullptr;
}

Expr *Reader::bitcast(const Token &T) {
  Expr *E = operandValue();
  const Type *Ty = E ? targetType() : nullptr;
  return Ty ? make<Bitcast>(T, Ty, E) : nullptr;
}

Expr *Reader::call(const Token &T) {
  const Token &Name = peek();
  if (!at(Token::Kind::Global))
    return unexpected("the name of a function"), nullptr;
  auto Callee = Functions.find(next().Text);
  if (Callee == Functions.end())
    return fail(Name, "no function '" + Name.Text + "' stands above"), nullptr;
  std::vector<Expr *> Args;
  if (!expect("(") || !list(Args, ")"))
    return nullptr;
  return make<Call>(T, Callee->second, Callee->second->Result, std::move(Args));
}

//===----------------------------------------------------------------------===//
// Views and pointers
//===----------------------------------------------------------------------===//

Expr *Reader::viewValue() {
  const Token &T = peek();
  Expr *E = operandValue();
  if (E && !E->Ty->isView())
    return fail(T, "'" + toString(E->Ty) + "' is no view"), nullptr;
  return E;
}

Expr *Reader::extent(const Token &T) {
  Expr *View = viewValue();
  if (!View || !expect(","))
    return nullptr;
  std::optional<uint64_t> Dimension = number("a dimension");
  return Dimension
             ? make<ViewExtent>(T, M.intType(), View,
                                unsigned(std::min<uint64_t>(*Dimension, ~0u)))
             : nullptr;
}

/// `section %v from (...)`, `section %v from (...) extent (...)`
Expr *Reader::section(const Token &T) {
  Expr *View = viewValue();
  std::vector<Expr *> Origin, Extent;
  if (!View || !expect("from") || !expect("(") || !list(Origin, ")"))
    return nullptr;
  if (skip("extent") && (!expect("(") || !list(Extent, ")")))
    return nullptr;
  return make<ViewSection>(T, View, std::move(Origin), std::move(Extent));
}

/// `project %v[%i]`: the base ends before the last subscript.
Expr *Reader::project(const Token &T) {
  const Token &Base = peek();
  Expr *View = asValue(primary());
  if (!View)
    return nullptr;
  const Type *Ty = View->Ty;
  if (!Ty->isView() || Ty->Rank < 2)
    return fail(Base, "projection of '" + toString(Ty) + "'"), nullptr;
  if (!expect("["))
    return nullptr;
  Expr *Index = value();
  if (!Index || !expect("]"))
    return nullptr;
  return make<ViewProject>(
      T, M.viewType(Ty->Element, Ty->Rank - 1, Ty->ReadOnly), View, Index);
}

Expr *Reader::reinterpret(const Token &T) {
  Expr *View = operandValue();
  const Type *Ty = View ? targetType() : nullptr;
  return Ty ? make<ViewReinterpret>(T, Ty, View) : nullptr;
}

/// `reshape %v extent (...) to view<float, 2>`
Expr *Reader::reshape(const Token &T) {
  Expr *View = operandValue();
  std::vector<Expr *> Extent;
  if (!View || !expect("extent") || !expect("(") || !list(Extent, ")"))
    return nullptr;
  const Type *Ty = targetType();
  return Ty ? make<ViewReshape>(T, Ty, View, std::move(Extent)) : nullptr;
}

Expr *Reader::address(const Token &T) {
  Expr *Place = expr();
  return Place ? make<AddressOf>(T, M.pointerType(Place->Ty), Place) : nullptr;
}

Expr *Reader::advance(const Token &T) {
  Expr *Es[2];
  return operandValues(Es) ? make<PointerAdd>(T, Es[0], Es[1]) : nullptr;
}

Expr *Reader::distance(const Token &T) {
  Expr *Es[2];
  return operandValues(Es)
             ? make<PointerDifference>(T, M.intType(64), Es[0], Es[1])
             : nullptr;
}

Reader::ReadExpr Reader::exprKeyword(StringRef Word) {
  return llvm::StringSwitch<ReadExpr>(Word)
      .Case("load", &Reader::load)
      .Case("logical.and", &Reader::logicalAnd)
      .Case("logical.or", &Reader::logicalOr)
      .Case("select", &Reader::select)
      .Case("convert", &Reader::convert)
      .Case("bitcast", &Reader::bitcast)
      .Case("call", &Reader::call)
      .Case("extent", &Reader::extent)
      .Case("section", &Reader::section)
      .Case("project", &Reader::project)
      .Case("reinterpret", &Reader::reinterpret)
      .Case("reshape", &Reader::reshape)
      .Case("address", &Reader::address)
      .Case("advance", &Reader::advance)
      .Case("distance", &Reader::distance)
      .Default(nullptr);
}

} // namespace ampc::kir
