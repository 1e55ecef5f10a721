//===- vectors.cpp - short vectors in both host compilers' terms ----------===//
//
// gcc has vectors without swizzles, without broadcast in initialisers, and with
// four lanes where the dialect has three: the fourth must not divide.
//
//===----------------------------------------------------------------------===//

#include "hostc/host.h"
#include "hostc/report.h"

using namespace clang;

namespace ampc::hostc {

std::string Host::vectorName(const Expr *E) {
  const auto *V = E->getType()->getAs<VectorType>();
  const auto *Lane = V ? V->getElementType()->getAs<BuiltinType>() : nullptr;
  std::string Count = V ? "_" + std::to_string(V->getNumElements()) : "";
  if (V && Lane && V->getNumElements() >= 2 && V->getNumElements() <= 4) {
    if (Lane->getKind() == BuiltinType::Int)
      return "int" + Count;
    if (Lane->getKind() == BuiltinType::UInt)
      return "uint" + Count;
    if (Lane->getKind() == BuiltinType::Float)
      return "float" + Count;
    if (Lane->getKind() == BuiltinType::Double)
      return "double" + Count;
  }
  refuse(E->getBeginLoc(), "this vector type on the host");
  return "int" + Count;
}

// v.x is v[0]; v.yx evaluates v once.
void Host::visitSwizzle(const ExtVectorElementExpr *E, Use How) {
  SmallVector<uint32_t, 4> Lanes;
  E->getEncodedElementAccess(Lanes);
  SourceRange Base = E->getBase()->getSourceRange();
  if (Lanes.size() == 1) {
    std::string Lane = "[" + std::to_string(Lanes[0]) + "]";
    T.replace(E->getSourceRange(), E->isArrow() ? Pieces{"(*", Base, ")" + Lane}
                                                : Pieces{Base, Lane});
    return visit(E->getBase(), {How.IsWritten && !E->isArrow(), true});
  }
  if (How.IsWritten)
    refuse(E->getAccessorLoc(), "assigning to several lanes by name");
  std::string Picked;
  for (uint32_t Lane : Lanes)
    Picked += std::string(Picked.empty() ? "" : ", ") + "ampc_lanes[" +
              std::to_string(Lane) + "]";
  T.replace(E->getSourceRange(),
            {E->isArrow() ? "__extension__ ({ const __auto_type ampc_lanes = *("
                          : "__extension__ ({ const __auto_type ampc_lanes = (",
             Base, "); (" + vectorName(E) + "){" + Picked + "}; })"});
  visit(E->getBase());
}

// A scalar that initialises or is cast to a vector.
void Host::visitSplat(const CastExpr *E) {
  const Expr *Scalar = E->getSubExpr();
  const auto *V = E->getType()->castAs<VectorType>();
  std::string Lanes = "ampc_lane";
  for (unsigned I = 1; I < V->getNumElements(); ++I)
    Lanes += ", ampc_lane";
  T.replace(E->getSourceRange(),
            {"__extension__ ({ const " + typeText(V->getElementType()) +
                 " ampc_lane = (",
             Scalar->getSourceRange(),
             "); (" + vectorName(E) + "){" + Lanes + "}; })"});
  visit(Scalar);
}

// Of a binary operator: both compilers broadcast a scalar there, but gcc does
// not convert it.
void Host::visitVectorOperand(const Expr *E) {
  const auto *Splat = dyn_cast<ImplicitCastExpr>(E);
  if (!Splat || Splat->getCastKind() != CK_VectorSplat)
    return visit(E);
  const Expr *Scalar = Splat->getSubExpr();
  const Expr *Written = Scalar->IgnoreImpCasts();
  if (!U.Context.hasSameUnqualifiedType(Scalar->getType(), Written->getType()))
    T.replace(Written->getSourceRange(),
              {"((" + typeText(Scalar->getType()) + ")(",
               Written->getSourceRange(), "))"});
  visit(Written);
}

bool Host::visitDivision(const BinaryOperator *E) {
  BinaryOperatorKind Op = E->getOpcode();
  const auto *V = E->getType()->getAs<VectorType>();
  bool Divides =
      Op == BO_Div || Op == BO_Rem || Op == BO_DivAssign || Op == BO_RemAssign;
  if (!V || !Divides || V->getNumElements() != 3 ||
      !V->getElementType()->isIntegerType() ||
      E->getRHS()->IgnoreParenImpCasts()->getType()->isScalarType())
    return false;
  if (E->isAssignmentOp())
    refuse(E->getOperatorLoc(), "dividing a vector of three in place");
  std::string Sign = Op == BO_Div ? "/" : "%", Lanes;
  for (int I = 0; I < 3; ++I) {
    std::string Lane = "[" + std::to_string(I) + "]";
    Lanes += (I ? ", ampc_n" : "ampc_n") + Lane + " " + Sign + " ampc_d" + Lane;
  }
  std::string Name = vectorName(E);
  T.replace(E->getSourceRange(),
            {"__extension__ ({ const " + Name + " ampc_n = ",
             E->getLHS()->getSourceRange(),
             ", ampc_d = ", E->getRHS()->getSourceRange(),
             "; (" + Name + "){" + Lanes + "}; })"});
  visit(E->getLHS());
  visit(E->getRHS());
  return true;
}

} // namespace ampc::hostc
