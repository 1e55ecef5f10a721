//===- printer.cpp - KIR as text ------------------------------------------===//
//
// One line per statement. Operators are named by what they do to which type
// (fadd, sdiv, ult, fne.unord), so that no signedness has to be guessed. A
// variable's value is its name; `load` marks every other access. Operands of
// operators that are not plain names or numbers stand in parentheses.
// `; file:line` follows where the line changes.
//
//===----------------------------------------------------------------------===//

#include "kir/kir.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using llvm::cast;
using llvm::dyn_cast;
using llvm::raw_ostream;

namespace ampc::kir {

namespace {

class Printer {
public:
  Printer(const Module &M, raw_ostream &Out) : M(M), Out(Out), OS(Line) {}
  void module();

private:
  // Lines are built in Line, so that comments can be lined up.
  void endLine(Loc Where = Loc(), const std::string &More = "");

  const std::string &nameOf(const Variable *V);
  void typed(const Variable *V);
  void structType(const Type *T);
  void collectStructs(const Type *T, std::vector<const Type *> &To);
  void function(const Function &F);
  void kernel(const Kernel &K);

  void expr(const Expr *E);
  void operand(const Expr *E);
  void list(const std::vector<Expr *> &Es);
  void number(const FloatConst *C);
  void subscripts(const std::vector<Expr *> &Es);

  void body(const Body &B);
  void stmt(const Stmt *S);
  void nested(const Body &B);
  void loop(const Loop *L);
  void switchStmt(const Switch *S);

  const Module &M;
  raw_ostream &Out;
  std::string Line;
  llvm::raw_string_ostream OS;
  unsigned Indent = 0;
  Loc Last;
  std::map<const Variable *, std::string> Names;
  llvm::StringSet<> Taken;
};

} // namespace

void Printer::endLine(Loc Where, const std::string &More) {
  std::string Text = std::string(2 * Indent, ' ') + OS.str();
  Line.clear();
  constexpr size_t CommentColumn = 63;
  if (Where.Line && (Where.File != Last.File || Where.Line != Last.Line)) {
    Last = Where;
    Text.append(Text.size() < CommentColumn ? CommentColumn - Text.size() : 2,
                ' ');
    Text += "; " + (Where.File < M.Files.size() ? M.Files[Where.File] : "?") +
            ":" + std::to_string(Where.Line) + More;
  }
  Out << Text << "\n";
}

/// Names are unique within a function: a second %x is %x.1.
const std::string &Printer::nameOf(const Variable *V) {
  std::string &Name = Names[V];
  if (Name.empty()) {
    char Sigil =
        V->Store == Storage::TileStatic || V->Store == Storage::Constant ? '@'
                                                                         : '%';
    std::string Base = Sigil + (V->Name.empty() ? "unnamed" : V->Name);
    Name = Base;
    for (unsigned I = 1; !Taken.insert(Name).second; ++I)
      Name = Base + "." + std::to_string(I);
  }
  return Name;
}

void Printer::typed(const Variable *V) {
  OS << nameOf(V) << ": " << toString(V->Ty);
}

static const char *unaryName(const Unary *U) {
  switch (U->Op) {
  case UnaryOp::Neg:
    return U->Ty->scalar()->isFloat() ? "fneg" : "neg";
  case UnaryOp::BitNot:
    return "not";
  case UnaryOp::LogicalNot:
    return "logical.not";
  }
  return "?";
}

static std::string binaryName(const Binary *B) {
  const Type *T = B->Left->Ty->scalar();
  // Pointers compare like unsigned numbers.
  bool IsFloat = T->isFloat();
  auto Plain = [&](const char *Name) {
    return std::string(IsFloat ? "f" : "") + Name;
  };
  auto Signed = [&](const char *Name) {
    return std::string(IsFloat ? "f" : T->Signed ? "s" : "u") + Name;
  };
  auto Ordered = [&](const char *Name) {
    return Signed(Name) + (IsFloat ? ".ord" : "");
  };
  switch (B->Op) {
  case BinaryOp::Add:
    return Plain("add");
  case BinaryOp::Sub:
    return Plain("sub");
  case BinaryOp::Mul:
    return Plain("mul");
  case BinaryOp::Div:
    return Signed("div");
  case BinaryOp::Rem:
    return Signed("rem");
  case BinaryOp::Shl:
    return "shl";
  case BinaryOp::Shr:
    return T->Signed ? "ashr" : "lshr";
  case BinaryOp::And:
    return "and";
  case BinaryOp::Or:
    return "or";
  case BinaryOp::Xor:
    return "xor";
  case BinaryOp::Eq:
    return IsFloat ? "feq.ord" : "eq";
  case BinaryOp::Ne:
    return IsFloat ? "fne.unord" : "ne";
  case BinaryOp::Lt:
    return Ordered("lt");
  case BinaryOp::Le:
    return Ordered("le");
  case BinaryOp::Gt:
    return Ordered("gt");
  case BinaryOp::Ge:
    return Ordered("ge");
  }
  return "?";
}

static const char *intrinsicName(IntrinsicOp Op) {
  switch (Op) {
#define AMPC_INTRINSIC(ID, NAME, ARITY)                                        \
  case IntrinsicOp::ID:                                                        \
    return NAME;
#include "kir/intrinsics.def"
  }
  return "?";
}

static const char *memoryName(Fenced Memory) {
  switch (Memory) {
  case Fenced::All:
    return "all";
  case Fenced::Global:
    return "global";
  case Fenced::TileStatic:
    return "tile_static";
  }
  return "?";
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

void Printer::expr(const Expr *E) {
  switch (E->K) {
  case Expr::Kind::VarRef:
    OS << nameOf(cast<VarRef>(E)->Var);
    break;
  case Expr::Kind::Member: {
    auto *X = cast<Member>(E);
    operand(X->Base);
    const std::string &Name = X->Base->Ty->Fields[X->Field].Name;
    OS << ".";
    if (Name.empty())
      OS << X->Field;
    else
      OS << Name;
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
  case Expr::Kind::IntConst: {
    uint64_t Value = cast<IntConst>(E)->Value;
    if (E->Ty->Signed)
      OS << (E->Ty->Width == 32 ? int32_t(Value) : int64_t(Value));
    else
      OS << Value << "u";
    if (E->Ty->Width == 64)
      OS << "l";
    break;
  }
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
    OS << unaryName(cast<Unary>(E)) << " ";
    operand(cast<Unary>(E)->Operand);
    break;
  case Expr::Kind::Binary:
    OS << binaryName(cast<Binary>(E)) << " ";
    operand(cast<Binary>(E)->Left);
    OS << ", ";
    operand(cast<Binary>(E)->Right);
    break;
  case Expr::Kind::Logical:
    OS << (cast<Logical>(E)->IsAnd ? "logical.and " : "logical.or ");
    operand(cast<Logical>(E)->Left);
    OS << ", ";
    operand(cast<Logical>(E)->Right);
    break;
  case Expr::Kind::Select:
    OS << "select ";
    operand(cast<Select>(E)->Condition);
    OS << ", ";
    operand(cast<Select>(E)->True);
    OS << ", ";
    operand(cast<Select>(E)->False);
    break;
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
    OS << "call @" << cast<Call>(E)->Callee->Name << "(";
    list(cast<Call>(E)->Args);
    OS << ")";
    break;
  case Expr::Kind::Intrinsic:
    OS << intrinsicName(cast<Intrinsic>(E)->Op) << "(";
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
    OS << ")";
    break;
  case Expr::Kind::AddressOf:
    OS << "address ";
    expr(cast<AddressOf>(E)->Place);
    break;
  case Expr::Kind::PointerAdd:
    OS << "advance ";
    operand(cast<PointerAdd>(E)->Pointer);
    OS << ", ";
    operand(cast<PointerAdd>(E)->Index);
    break;
  case Expr::Kind::PointerDifference:
    OS << "distance ";
    operand(cast<PointerDifference>(E)->Left);
    OS << ", ";
    operand(cast<PointerDifference>(E)->Right);
    break;
  }
}

void Printer::body(const Body &B) {
  for (const Stmt *S : B)
    stmt(S);
}

void Printer::nested(const Body &B) {
  ++Indent;
  body(B);
  --Indent;
}

void Printer::loop(const Loop *L) {
  auto Condition = [&] {
    OS << "(";
    if (L->Condition)
      expr(L->Condition);
    else
      OS << "true";
    OS << ")";
  };
  auto Prelude = [&](Loc Where) {
    if (L->Prelude.empty())
      return;
    OS << "prelude {";
    endLine(Where);
    nested(L->Prelude);
    OS << "} ";
  };
  if (L->F == Loop::Form::Do) {
    OS << "do {";
    endLine(L->Where);
    nested(L->Stmts);
    OS << "} ";
    Prelude(Loc());
    OS << "while ";
    Condition();
    endLine();
    return;
  }
  OS << (L->F == Loop::Form::For ? "for " : "while ");
  Prelude(L->Where);
  Condition();
  OS << " {";
  endLine(L->Where);
  nested(L->Stmts);
  if (!L->Step.empty()) {
    OS << "} step {";
    endLine();
    nested(L->Step);
  }
  OS << "}";
  endLine();
}

void Printer::switchStmt(const Switch *S) {
  OS << "switch ";
  expr(S->Subject);
  OS << " {";
  endLine(S->Where);
  for (const Switch::Case &C : S->Cases) {
    const char *Separator = "case ";
    for (uint64_t Value : C.Values) {
      OS << Separator;
      if (S->Subject->Ty->Signed)
        OS << int32_t(Value);
      else
        OS << Value << "u";
      Separator = ", ";
    }
    if (C.IsDefault)
      OS << (C.Values.empty() ? "default" : ", default");
    OS << ":";
    endLine();
    nested(C.Stmts);
  }
  OS << "}";
  endLine();
}

void Printer::stmt(const Stmt *S) {
  switch (S->K) {
  case Stmt::Kind::Declare:
    OS << "var ";
    typed(cast<Declare>(S)->Var);
    if (const Expr *Init = cast<Declare>(S)->Init) {
      OS << " = ";
      expr(Init);
    }
    break;
  case Stmt::Kind::Store:
    OS << "store ";
    expr(cast<Store>(S)->Place);
    OS << ", ";
    expr(cast<Store>(S)->Value);
    break;
  case Stmt::Kind::Eval:
    expr(cast<Eval>(S)->Value);
    break;
  case Stmt::Kind::Block:
    OS << "{";
    endLine(S->Where);
    nested(cast<Block>(S)->Stmts);
    OS << "}";
    return endLine();
  case Stmt::Kind::If: {
    auto *I = cast<If>(S);
    OS << "if (";
    expr(I->Condition);
    OS << ") {";
    endLine(S->Where);
    nested(I->Then);
    if (!I->Else.empty()) {
      OS << "} else {";
      endLine();
      nested(I->Else);
    }
    OS << "}";
    return endLine();
  }
  case Stmt::Kind::Loop:
    return loop(cast<Loop>(S));
  case Stmt::Kind::Switch:
    return switchStmt(cast<Switch>(S));
  case Stmt::Kind::Break:
    OS << "break";
    break;
  case Stmt::Kind::Continue:
    OS << "continue";
    break;
  case Stmt::Kind::Return:
    OS << "return";
    if (const Expr *Value = cast<Return>(S)->Value) {
      OS << " ";
      expr(Value);
    }
    break;
  case Stmt::Kind::Barrier:
    OS << "barrier " << memoryName(cast<Barrier>(S)->Memory);
    break;
  case Stmt::Kind::Fence:
    OS << "fence " << memoryName(cast<Fence>(S)->Memory);
    break;
  }
  endLine(S->Where);
}

void Printer::function(const Function &F) {
  OS << "func @" << F.Name << "(";
  const char *Separator = "";
  for (const Variable *P : F.Params) {
    OS << Separator;
    typed(P);
    Separator = ", ";
  }
  OS << ") -> " << toString(F.Result) << " inline {";
  endLine(F.Where);
  nested(F.Stmts);
  OS << "}";
  endLine();
}

void Printer::kernel(const Kernel &K) {
  OS << "kernel @" << K.Name << " domain rank " << K.Rank;
  const char *Separator = " tile ";
  for (unsigned Extent : K.Tile) {
    OS << Separator << Extent;
    Separator = " x ";
  }
  OS << " {";
  endLine(K.Where, ", in " + K.Host + "()");
  ++Indent;
  for (const Variable *C : K.Captures) {
    OS << "capture ";
    typed(C);
    endLine();
  }
  Separator = "index ";
  for (const Variable *I : K.Indices) {
    OS << Separator;
    // Plain ints are what an index is when nothing else is said.
    if (I->Ty->isInt())
      OS << nameOf(I);
    else
      typed(I);
    Separator = ", ";
  }
  if (!K.Indices.empty())
    endLine();
  body(K.Stmts);
  --Indent;
  OS << "}";
  endLine();
}

void Printer::collectStructs(const Type *T, std::vector<const Type *> &To) {
  if (T->Element)
    collectStructs(T->Element, To);
  if (!T->isStruct() || std::find(To.begin(), To.end(), T) != To.end())
    return;
  for (const Type::Field &F : T->Fields)
    collectStructs(F.Ty, To);
  To.push_back(T);
}

void Printer::structType(const Type *T) {
  OS << toString(T) << " size " << T->Size << " align " << T->Align << " {";
  const char *Separator = " ";
  for (const Type::Field &F : T->Fields) {
    OS << Separator << F.Name << ": " << toString(F.Ty) << " @" << F.Offset;
    Separator = ", ";
  }
  OS << " }";
  endLine();
}

void Printer::module() {
  // The structs that variables name; others have no text that needs them.
  std::vector<const Type *> Structs;
  for (const Variable *G : M.Globals)
    collectStructs(G->Ty, Structs);
  for (const auto &F : M.Functions) {
    collectStructs(F->Result, Structs);
    for (const Variable *P : F->Params)
      collectStructs(P->Ty, Structs);
  }
  for (const auto &K : M.Kernels) {
    for (const Variable *C : K->Captures)
      collectStructs(C->Ty, Structs);
    for (const Variable *I : K->Indices)
      collectStructs(I->Ty, Structs);
  }
  for (const Type *T : Structs)
    structType(T);

  for (const Variable *G : M.Globals) {
    OS << (G->Store == Storage::TileStatic ? "tile_static " : "constant ");
    typed(G);
    if (G->Init) {
      OS << " = ";
      expr(G->Init);
    }
    endLine(G->Where);
  }
  std::map<const Variable *, std::string> GlobalNames = Names;
  llvm::StringSet<> GlobalTaken = Taken;
  auto Fresh = [&] {
    Names = GlobalNames;
    Taken = GlobalTaken;
    Last = Loc();
  };
  for (const auto &F : M.Functions) {
    Fresh();
    function(*F);
  }
  for (const auto &K : M.Kernels) {
    Fresh();
    kernel(*K);
  }
}

void print(const Module &M, raw_ostream &OS) { Printer(M, OS).module(); }

} // namespace ampc::kir
