//===- vectors.cpp - short vectors in both host compilers' terms ----------===//
//
// gcc has vectors without swizzles, without broadcast in initialisers, without
// ! && || ?:, and with four lanes where the dialect has three: the fourth must
// not divide. What gcc lacks is spelled lane by lane, for both compilers alike.
//
//===----------------------------------------------------------------------===//

#include "hostc/host.h"
#include "hostc/report.h"

using namespace clang;

namespace ampc::hostc {

std::optional<std::string> Host::vectorName(QualType T) {
  const auto *V = T->getAs<VectorType>();
  const auto *Lane = V ? V->getElementType()->getAs<BuiltinType>() : nullptr;
  if (!Lane || V->getNumElements() < 2 || V->getNumElements() > 4)
    return std::nullopt;
  std::string Count = "_" + std::to_string(V->getNumElements());
  switch (Lane->getKind()) {
  case BuiltinType::Int:
    return "int" + Count;
  case BuiltinType::UInt:
    return "uint" + Count;
  case BuiltinType::Float:
    return "float" + Count;
  case BuiltinType::Double:
    return "double" + Count;
  case BuiltinType::Long: // what doubles compare to
    return "ampc_long" + Count;
  default:
    return std::nullopt;
  }
}

static std::string subscript(unsigned Lane) {
  return "[" + std::to_string(Lane) + "]";
}

/// "name[2], name[0]"
static std::string listed(StringRef Name, ArrayRef<uint32_t> Lanes) {
  std::string List;
  for (uint32_t Lane : Lanes)
    List += (List.empty() ? "" : ", ") + Name.str() + subscript(Lane);
  return List;
}

static unsigned lanes(const Expr *E) {
  return E->getType()->castAs<VectorType>()->getNumElements();
}

/// A variable or a member of one: reading its name twice is as good as once.
static bool isPlain(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return !M->isArrow() && isPlain(M->getBase());
  return isa<DeclRefExpr>(E);
}

//===----------------------------------------------------------------------===//
// Swizzles
//===----------------------------------------------------------------------===//

// v.zyx.x is v.z.
Host::Lanes Host::lanesOf(const ExtVectorElementExpr *E) {
  Lanes L{E->getBase(), E->isArrow(), {}};
  E->getEncodedElementAccess(L.Numbers);
  while (!L.IsArrow) {
    const Expr *Base = L.Vector->IgnoreParens();
    const auto *Load = dyn_cast<ImplicitCastExpr>(Base);
    if (Load && Load->getCastKind() == CK_LValueToRValue)
      Base = Load->getSubExpr()->IgnoreParens();
    const auto *Inner = dyn_cast<ExtVectorElementExpr>(Base);
    if (!Inner)
      break;
    SmallVector<uint32_t, 4> Of;
    Inner->getEncodedElementAccess(Of);
    for (uint32_t &Lane : L.Numbers)
      Lane = Of[Lane];
    L.Vector = Inner->getBase();
    L.IsArrow = Inner->isArrow();
  }
  return L;
}

// v.x is v[0]; v.yx evaluates v once.
void Host::visitSwizzle(const ExtVectorElementExpr *E, Use How) {
  Lanes L = lanesOf(E);
  SourceRange Base = L.Vector->getSourceRange();
  if (L.Numbers.size() == 1) {
    std::string Lane = subscript(L.Numbers[0]);
    T.replace(E->getSourceRange(),
              L.IsArrow ? Pieces{"(*", Base, ")" + Lane} : Pieces{Base, Lane});
    return visit(L.Vector, {How.IsWritten && !L.IsArrow, !L.IsArrow});
  }
  if (std::optional<std::string> Name = vectorName(E->getType()))
    T.replace(
        E->getSourceRange(),
        {L.IsArrow ? "__extension__ ({ const __auto_type ampc_lanes = *("
                   : "__extension__ ({ const __auto_type ampc_lanes = (",
         Base,
         "); (" + *Name + "){" + listed("ampc_lanes", L.Numbers) + "}; })"});
  visit(L.Vector);
}

static const Expr *splatScalar(const Expr *E) {
  const auto *C = dyn_cast<CastExpr>(E->IgnoreParens());
  return C && C->getCastKind() == CK_VectorSplat ? C->getSubExpr() : nullptr;
}

// v.xy = w.yx and v.xy += w: every lane of v on its own, after w is evaluated.
// So are v /= w and v %= w in place, for the lanes that there are.
bool Host::visitLanesAssignment(const BinaryOperator *E, Use How) {
  const Expr *To = E->getLHS()->IgnoreParens();
  std::optional<std::string> Name = vectorName(To->getType());
  if (!E->isAssignmentOp() || !Name)
    return false;
  Lanes L{To, false, {}};
  if (const auto *Swizzle = dyn_cast<ExtVectorElementExpr>(To)) {
    L = lanesOf(Swizzle);
  } else if ((E->getOpcode() == BO_DivAssign ||
              E->getOpcode() == BO_RemAssign) &&
             lanes(To) == 3 && (*Name)[0] != 'f' && (*Name)[0] != 'd') {
    L.Numbers = {0, 1, 2};
  } else {
    return false;
  }

  SourceRange Vector = L.Vector->getSourceRange();
  bool ByName = !L.IsArrow && isPlain(L.Vector);
  // The value first: it may launch a kernel that moves v.
  const Expr *Scalar = splatScalar(E->getRHS());
  const Expr *Value = Scalar ? Scalar : E->getRHS();
  Pieces New = {"__extension__ ({ const " +
                    (Scalar ? typeText(Scalar->getType())
                            : vectorName(Value->getType()).value_or(*Name)) +
                    " ampc_from = ",
                Value->getSourceRange(), "; "};
  if (!ByName)
    New.insert(New.end(), {L.IsArrow ? "__auto_type ampc_to = ("
                                     : "__auto_type ampc_to = &(",
                           Vector, "); "});
  std::string Operator = " " + E->getOpcodeStr().str() + " ampc_from";
  for (unsigned I = 0; I < L.Numbers.size(); ++I) {
    New.push_back(ByName ? Piece(Vector) : Piece("(*ampc_to)"));
    New.push_back(subscript(L.Numbers[I]) + Operator +
                  (Scalar ? "; " : subscript(I) + "; "));
  }
  if (!How.IsDiscarded) {
    New.push_back("(" + *Name + "){");
    for (unsigned I = 0; I < L.Numbers.size(); ++I) {
      New.push_back(ByName ? Piece(Vector) : Piece("(*ampc_to)"));
      New.push_back(subscript(L.Numbers[I]) +
                    (I + 1 < L.Numbers.size() ? ", " : "}; "));
    }
  }
  New.push_back("})");
  T.replace(E->getSourceRange(), std::move(New));
  visit(L.Vector, {!L.IsArrow, false});
  visit(Value);
  return true;
}

//===----------------------------------------------------------------------===//
// Scalars among vectors
//===----------------------------------------------------------------------===//

// A scalar that initialises or is cast to a vector.
void Host::visitSplat(const CastExpr *E) {
  const Expr *Scalar = E->getSubExpr();
  std::optional<std::string> Name = vectorName(E->getType());
  if (!Name)
    return visit(Scalar);
  if (Scalar->isEvaluatable(U.Context)) { // a static initialiser, perhaps
    bool IsGuarded = E->getBeginLoc().isMacroID(); // commas for a macro
    Pieces New = {(IsGuarded ? "((" : "(") + *Name + "){"};
    for (unsigned I = 0; I < lanes(E); ++I) {
      New.push_back(Scalar->getSourceRange());
      New.push_back(I + 1 < lanes(E) ? ", " : "}");
    }
    if (IsGuarded)
      New.push_back(")");
    T.replace(E->getSourceRange(), std::move(New));
    return visit(Scalar);
  }
  std::string List = "ampc_lane";
  for (unsigned I = 1; I < lanes(E); ++I)
    List += ", ampc_lane";
  T.replace(E->getSourceRange(),
            {"__extension__ ({ const " + typeText(Scalar->getType()) +
                 " ampc_lane = (",
             Scalar->getSourceRange(), "); (" + *Name + "){" + List + "}; })"});
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

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

// / and % on three integer lanes; && and ||, which evaluate both sides.
bool Host::visitVectorBinary(const BinaryOperator *E) {
  std::optional<std::string> Name = vectorName(E->getType());
  if (!Name)
    return false;
  const auto *Lane = E->getType()->castAs<VectorType>();
  bool Divides = (E->getOpcode() == BO_Div || E->getOpcode() == BO_Rem) &&
                 lanes(E) == 3 && Lane->getElementType()->isIntegerType();
  if (!Divides && !E->isLogicalOp())
    return false;
  std::string Sign = E->getOpcodeStr().str(), List;
  for (unsigned I = 0; I < lanes(E); ++I) {
    std::string N =
        "ampc_l" + subscript(I) + " " + Sign + " ampc_r" + subscript(I);
    List += (I ? ", " : "") + (Divides ? N : "-(" + N + ")");
  }
  const Expr *L = E->getLHS(), *R = E->getRHS();
  auto Declared = [&](const Expr *Operand) {
    return Divides ? *Name : vectorName(Operand->getType()).value_or(*Name);
  };
  T.replace(E->getSourceRange(),
            {"__extension__ ({ const " + Declared(L) + " ampc_l = ",
             L->getSourceRange(), "; const " + Declared(R) + " ampc_r = ",
             R->getSourceRange(), "; (" + *Name + "){" + List + "}; })"});
  visit(L);
  visit(R);
  return true;
}

bool Host::visitVectorNot(const UnaryOperator *E) {
  const Expr *Operand = E->getSubExpr();
  const auto *V = Operand->getType()->getAs<VectorType>();
  if (E->getOpcode() != UO_LNot || !V || !vectorName(Operand->getType()))
    return false;
  T.replace(E->getSourceRange(),
            {"((", Operand->getSourceRange(),
             ") == (" + typeText(V->getElementType()) + ")0)"});
  visit(Operand);
  return true;
}

// c ? a : b with a vector c picks lane by lane; both a and b are evaluated.
bool Host::visitVectorSelect(const ConditionalOperator *E) {
  std::optional<std::string> Name = vectorName(E->getType());
  std::optional<std::string> Mask = vectorName(E->getCond()->getType());
  if (!Name || !Mask)
    return false;
  std::string List;
  for (unsigned I = 0; I < lanes(E); ++I)
    List += (I ? ", ampc_if" : "ampc_if") + subscript(I) + " ? ampc_then" +
            subscript(I) + " : ampc_else" + subscript(I);
  T.replace(
      E->getSourceRange(),
      {"__extension__ ({ const " + *Mask + " ampc_if = ",
       E->getCond()->getSourceRange(),
       "; const " + *Name + " ampc_then = ", E->getTrueExpr()->getSourceRange(),
       ", ampc_else = ", E->getFalseExpr()->getSourceRange(),
       "; (" + *Name + "){" + List + "}; })"});
  for (const Stmt *Child : E->children())
    visit(Child);
  return true;
}

// gcc shuffles only to a power of two of lanes.
bool Host::visitShuffle(const ShuffleVectorExpr *E) {
  std::optional<std::string> Name = vectorName(E->getType());
  if (!Name || E->getNumSubExprs() < 3)
    return false;
  const Expr *A = const_cast<ShuffleVectorExpr *>(E)->getExpr(0);
  const Expr *B = const_cast<ShuffleVectorExpr *>(E)->getExpr(1);
  std::string List;
  for (unsigned I = 0; I < lanes(E); ++I) {
    int64_t Lane = E->getShuffleMaskIdx(U.Context, I).getSExtValue();
    bool FromB = Lane >= lanes(A); // -1: any lane
    List += (I ? ", " : "") + std::string(FromB ? "ampc_b" : "ampc_a") +
            subscript(FromB      ? Lane - lanes(A)
                      : Lane < 0 ? 0
                                 : Lane);
  }
  T.replace(
      E->getSourceRange(),
      {"__extension__ ({ const __auto_type ampc_a = ", A->getSourceRange(),
       "; const __auto_type ampc_b = ", B->getSourceRange(),
       "; (void)ampc_a; (void)ampc_b; (" + *Name + "){" + List + "}; })"});
  visit(A);
  visit(B);
  return true;
}

} // namespace ampc::hostc
