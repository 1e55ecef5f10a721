//===- operands.cpp - the direct operands of an expression ----------------===//

#include "kir/operands.h"

using llvm::cast;

namespace ampc::kir {

std::vector<Expr **> operands(Expr *E) {
  std::vector<Expr **> Result;
  auto All = [&](std::vector<Expr *> &Es) {
    for (Expr *&Each : Es)
      Result.push_back(&Each);
  };
  switch (E->K) {
  case Expr::Kind::VarRef:
  case Expr::Kind::IntConst:
  case Expr::Kind::FloatConst:
  case Expr::Kind::BoolConst:
  case Expr::Kind::Zero:
    break;
  case Expr::Kind::Member:
    return {&cast<Member>(E)->Base};
  case Expr::Kind::Element:
    return {&cast<Element>(E)->Base, &cast<Element>(E)->Index};
  case Expr::Kind::ViewElement:
    Result = {&cast<ViewElement>(E)->View};
    All(cast<ViewElement>(E)->Subscripts);
    break;
  case Expr::Kind::Deref:
    return {&cast<Deref>(E)->Pointer};
  case Expr::Kind::Load:
    return {&cast<Load>(E)->Place};
  case Expr::Kind::Unary:
    return {&cast<Unary>(E)->Operand};
  case Expr::Kind::Binary:
    return {&cast<Binary>(E)->Left, &cast<Binary>(E)->Right};
  case Expr::Kind::Logical:
    return {&cast<Logical>(E)->Left, &cast<Logical>(E)->Right};
  case Expr::Kind::Select:
    return {&cast<Select>(E)->Condition, &cast<Select>(E)->True,
            &cast<Select>(E)->False};
  case Expr::Kind::Convert:
    return {&cast<Convert>(E)->Operand};
  case Expr::Kind::Bitcast:
    return {&cast<Bitcast>(E)->Operand};
  case Expr::Kind::Construct:
    All(cast<Construct>(E)->Parts);
    break;
  case Expr::Kind::Swizzle:
    return {&cast<Swizzle>(E)->Operand};
  case Expr::Kind::Call:
    All(cast<Call>(E)->Args);
    break;
  case Expr::Kind::Intrinsic:
    All(cast<Intrinsic>(E)->Args);
    break;
  case Expr::Kind::ViewExtent:
    return {&cast<ViewExtent>(E)->View};
  case Expr::Kind::ViewSection:
    Result = {&cast<ViewSection>(E)->View};
    All(cast<ViewSection>(E)->Origin);
    All(cast<ViewSection>(E)->Extent);
    break;
  case Expr::Kind::ViewProject:
    return {&cast<ViewProject>(E)->View, &cast<ViewProject>(E)->Index};
  case Expr::Kind::ViewReinterpret:
    return {&cast<ViewReinterpret>(E)->View};
  case Expr::Kind::ViewReshape:
    Result = {&cast<ViewReshape>(E)->View};
    All(cast<ViewReshape>(E)->Extent);
    break;
  case Expr::Kind::AddressOf:
    return {&cast<AddressOf>(E)->Place};
  case Expr::Kind::PointerAdd:
    return {&cast<PointerAdd>(E)->Pointer, &cast<PointerAdd>(E)->Index};
  case Expr::Kind::PointerDifference:
    return {&cast<PointerDifference>(E)->Left,
            &cast<PointerDifference>(E)->Right};
  }
  return Result;
}

} // namespace ampc::kir
