//===- print_expressions.cpp - values and places as text ------------------===//

#include "kir/text/names.h"
#include "kir/text/printer.h"
#include "kir/walk.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <cstring>

using llvm::cast;

namespace ampc::kir {

void Printer::whole(const Expr *E) {
  walk(E, [&](const Expr *Node) { Places.push_back(Node->Where); });
  expr(E);
}

/// 5 is an int, 5u an unsigned; l, h and b mark 64, 16 and 8 bits.
void Printer::number(const IntConst *C) {
  unsigned Width = C->Ty->Width;
  OS << integerText(C->Ty, C->Value) << (C->Ty->Signed ? "" : "u")
     << (Width == 64 ? "l" : Width == 16 ? "h" : Width == 8 ? "b" : "");
}

/// Hexadecimal, so that no bit is lost; a double ends in d.
void Printer::number(const FloatConst *C) {
  bool IsDouble = C->Ty->Width == 64;
  double Value;
  if (IsDouble) {
    memcpy(&Value, &C->Bits, 8);
  } else {
    float Narrow;
    uint32_t Bits = C->Bits;
    memcpy(&Narrow, &Bits, 4);
    Value = Narrow;
  }
  if (std::isnan(Value))
    OS << "nan(" << llvm::format_hex(C->Bits, IsDouble ? 18 : 10) << ")";
  else if (std::isinf(Value))
    OS << (Value < 0 ? "-inf" : "inf");
  else
    OS << llvm::format("%a", Value);
  if (IsDouble)
    OS << "d";
}

void Printer::list(const std::vector<Expr *> &Es) {
  const char *Separator = "";
  for (const Expr *E : Es) {
    OS << Separator;
    expr(E);
    Separator = ", ";
  }
}

void Printer::subscripts(const std::vector<Expr *> &Es) {
  for (const Expr *E : Es) {
    OS << "[";
    expr(E);
    OS << "]";
  }
}

/// Whether the text of an expression can be an operand as it is.
static bool isAtom(const Expr *E) {
  switch (E->K) {
  case Expr::Kind::IntConst:
  case Expr::Kind::FloatConst:
  case Expr::Kind::BoolConst:
  case Expr::Kind::Zero:
  case Expr::Kind::Construct:
  case Expr::Kind::Intrinsic:
  case Expr::Kind::Swizzle:
    return true;
  case Expr::Kind::Load:
    return llvm::isa<VarRef>(cast<Load>(E)->Place);
  case Expr::Kind::Deref: // `(*%p).x`
    return false;
  default:
    return E->isPlace();
  }
}

void Printer::operand(const Expr *E) {
  bool Atom = isAtom(E);
  if (!Atom)
    OS << "(";
  expr(E);
  if (!Atom)
    OS << ")";
}

void Printer::operands(std::initializer_list<const Expr *> Es) {
  const char *Separator = "";
  for (const Expr *E : Es) {
    OS << Separator;
    operand(E);
    Separator = ", ";
  }
}

void Printer::expr(const Expr *E) {
  switch (E->K) {
  case Expr::Kind::VarRef:
    OS << nameOf(cast<VarRef>(E)->Var);
    break;
  case Expr::Kind::Member: {
    auto *X = cast<Member>(E);
    operand(X->Base);
    OS << "." << fieldName(X->Base->Ty, X->Field);
    break;
  }
  case Expr::Kind::Element:
    operand(cast<Element>(E)->Base);
    subscripts({cast<Element>(E)->Index});
    break;
  case Expr::Kind::ViewElement:
    operand(cast<ViewElement>(E)->View);
    subscripts(cast<ViewElement>(E)->Subscripts);
    break;
  case Expr::Kind::Deref:
    OS << "*";
    operand(cast<Deref>(E)->Pointer);
    break;
  case Expr::Kind::IntConst:
    number(cast<IntConst>(E));
    break;
  case Expr::Kind::FloatConst:
    number(cast<FloatConst>(E));
    break;
  case Expr::Kind::BoolConst:
    OS << (cast<BoolConst>(E)->Value ? "true" : "false");
    break;
  case Expr::Kind::Zero:
    OS << "zero<" << toString(E->Ty) << ">";
    break;
  case Expr::Kind::Load:
    if (!llvm::isa<VarRef>(cast<Load>(E)->Place))
      OS << "load ";
    expr(cast<Load>(E)->Place);
    break;
  case Expr::Kind::Unary:
    OS << kir::nameOf(cast<Unary>(E)->Op, E->Ty)
       << (cast<Unary>(E)->Contract ? " contract " : " ");
    operand(cast<Unary>(E)->Operand);
    break;
  case Expr::Kind::Binary: {
    auto *B = cast<Binary>(E);
    OS << kir::nameOf(B->Op, B->Left->Ty) << (B->Contract ? " contract " : " ");
    operands({B->Left, B->Right});
    break;
  }
  case Expr::Kind::Logical:
    OS << (cast<Logical>(E)->IsAnd ? "logical.and " : "logical.or ");
    operands({cast<Logical>(E)->Left, cast<Logical>(E)->Right});
    break;
  case Expr::Kind::Select: {
    auto *S = cast<Select>(E);
    OS << "select ";
    operands({S->Condition, S->True, S->False});
    break;
  }
  case Expr::Kind::Convert:
    OS << "convert ";
    operand(cast<Convert>(E)->Operand);
    OS << " to " << toString(E->Ty);
    break;
  case Expr::Kind::Bitcast:
    OS << "bitcast ";
    operand(cast<Bitcast>(E)->Operand);
    OS << " to " << toString(E->Ty);
    break;
  case Expr::Kind::Construct:
    OS << toString(E->Ty) << "{";
    if (unsigned Field = cast<Construct>(E)->Field)
      OS << "." << fieldName(E->Ty, Field) << " = ";
    list(cast<Construct>(E)->Parts);
    OS << "}";
    break;
  case Expr::Kind::Swizzle:
    operand(cast<Swizzle>(E)->Operand);
    OS << ".";
    for (unsigned Lane : cast<Swizzle>(E)->Lanes)
      OS << "xyzw"[Lane];
    break;
  case Expr::Kind::Call:
    OS << "call " << globalName(cast<Call>(E)->Callee->Name) << "(";
    list(cast<Call>(E)->Args);
    OS << ")";
    break;
  case Expr::Kind::Intrinsic:
    OS << kir::nameOf(cast<Intrinsic>(E)->Op) << "(";
    list(cast<Intrinsic>(E)->Args);
    OS << ")";
    break;
  case Expr::Kind::ViewExtent:
    OS << "extent ";
    operand(cast<ViewExtent>(E)->View);
    OS << ", " << cast<ViewExtent>(E)->Dimension;
    break;
  case Expr::Kind::ViewSection:
    OS << "section ";
    operand(cast<ViewSection>(E)->View);
    OS << " from (";
    list(cast<ViewSection>(E)->Origin);
    OS << ")";
    if (!cast<ViewSection>(E)->Extent.empty()) {
      OS << " extent (";
      list(cast<ViewSection>(E)->Extent);
      OS << ")";
    }
    break;
  case Expr::Kind::ViewProject:
    OS << "project ";
    operand(cast<ViewProject>(E)->View);
    subscripts({cast<ViewProject>(E)->Index});
    break;
  case Expr::Kind::ViewReinterpret:
    OS << "reinterpret ";
    operand(cast<ViewReinterpret>(E)->View);
    OS << " to " << toString(E->Ty);
    break;
  case Expr::Kind::ViewReshape:
    OS << "reshape ";
    operand(cast<ViewReshape>(E)->View);
    OS << " extent (";
    list(cast<ViewReshape>(E)->Extent);
    OS << ") to " << toString(E->Ty);
    break;
  case Expr::Kind::AddressOf:
    OS << "address ";
    expr(cast<AddressOf>(E)->Place);
    break;
  case Expr::Kind::PointerAdd:
    OS << "advance ";
    operands({cast<PointerAdd>(E)->Pointer, cast<PointerAdd>(E)->Index});
    break;
  case Expr::Kind::PointerDifference:
    OS << "distance ";
    operands(
        {cast<PointerDifference>(E)->Left, cast<PointerDifference>(E)->Right});
    break;
  }
}

} // namespace ampc::kir
