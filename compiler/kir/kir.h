//===- kir.h - the kernel IR ----------------------------------------------===//
//
// KIR is "C with every dialect question answered": structured, typed, and free
// of Clang. The front end lowers amp code to it once; every back end prints it.
//
// Terms
//   place       something that can be loaded from and stored to: a variable, a
//               member or element of a place, an element of a view, what a
//               pointer points to.
//   value       an expression without side effects other than those of the
//               calls in it. Assignment, ++ and short-circuit operands with
//               side effects are statements by the time they get here.
//   view        a value that names accelerator memory: address, byte strides of
//               all dimensions but the last (which is dense), extents.
//   pointer     a value that names a place in a variable of this work item or
//               tile, or in accelerator memory, or nothing (null). Pointers
//               stand in local variables, parameters and results only, and
//               never outlive what they point to.
//
// Every node carries the location it came from. A node belongs to exactly one
// parent, so passes may rewrite in place. All memory belongs to the Module.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_KIR_KIR_H
#define AMPC_KIR_KIR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Casting.h"
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace ampc::kir {

/// A source position; File indexes Module::Files, Line 0 means "none".
struct Loc {
  unsigned File = 0, Line = 0, Column = 0;
};

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Types are interned by the Module: equal types are one object.
class Type {
public:
  enum class Kind {
    Void, Bool, Int, Float, Vector, Array, Struct, View, Pointer,
  };

  struct Field {
    std::string Name;
    const Type *Ty;
    uint64_t Offset; ///< in bytes, the host's
  };

  Kind K;
  uint64_t Size = 0;  ///< bytes in host memory (rule T7); 0 for void, views, pointers
  uint64_t Align = 1; ///< bytes, the host's
  unsigned Width = 0; ///< Int: 8, 16, 32 or 64. Float: 32 or 64
  bool Signed = false;           ///< Int
  const Type *Element = nullptr; ///< Vector, Array, View, Pointer
  uint64_t Count = 0;            ///< Vector (2..4), Array
  unsigned Rank = 0;             ///< View: 1..4
  bool ReadOnly = false;         ///< View of const
  bool IsUnion = false;          ///< Struct: a C union
  std::string Name;              ///< Struct: a name for people, unique
  std::vector<Field> Fields;     ///< Struct

  bool isVoid() const { return K == Kind::Void; }
  bool isBool() const { return K == Kind::Bool; }
  bool isInt() const { return K == Kind::Int; }
  bool isFloat() const { return K == Kind::Float; }
  bool isVector() const { return K == Kind::Vector; }
  bool isArray() const { return K == Kind::Array; }
  bool isStruct() const { return K == Kind::Struct; }
  bool isView() const { return K == Kind::View; }
  bool isPointer() const { return K == Kind::Pointer; }
  bool isScalar() const { return isBool() || isInt() || isFloat(); }
  /// The element type of a vector, the type itself of a scalar.
  const Type *scalar() const { return isVector() ? Element : this; }
};

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

enum class Storage {
  Local,      ///< automatic variable of a function or kernel
  Param,      ///< parameter of a function; assignable, as in C
  Capture,    ///< captured by a kernel; never stored to
  Index,      ///< kernel parameter made from the work item's position
  TileStatic, ///< one object per tile; belongs to the Module
  Constant,   ///< const table or scalar with an initialiser; the Module's
};

class Expr;
class Function;

struct Variable {
  std::string Name; ///< the source's; printers make it unique
  const Type *Ty = nullptr;
  Storage Store = Storage::Local;
  Loc Where;
  Expr *Init = nullptr; ///< Constant only: a constant expression tree
  /// Some AddressOf may lead here: stores through pointers and calls may change
  /// it.
  bool AddressTaken = false;
};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

class Expr {
public:
  enum class Kind {
    // places
    VarRef, Member, Element, ViewElement, Deref,
    // values
    IntConst, FloatConst, BoolConst, Zero, Load, Unary, Binary, Logical,
    Select, Convert, Bitcast, Construct, Swizzle, Call, Intrinsic, ViewExtent,
    ViewSection, ViewProject, ViewReinterpret, ViewReshape, AddressOf,
    PointerAdd, PointerDifference,
  };
  const Kind K;
  const Type *Ty; ///< of a place: the type of what is stored there
  Loc Where;

  bool isPlace() const { return K <= Kind::Deref; }

protected:
  Expr(Kind K, const Type *Ty, Loc Where) : K(K), Ty(Ty), Where(Where) {}

public:
  virtual ~Expr() = default;
};

#define AMPC_KIR_CLASSOF(BASE, NAME)                                           \
  static bool classof(const BASE *N) { return N->K == Kind::NAME; }

/// A variable as a place.
class VarRef : public Expr {
public:
  Variable *Var;
  VarRef(Variable *Var, Loc Where)
      : Expr(Kind::VarRef, Var->Ty, Where), Var(Var) {}
  AMPC_KIR_CLASSOF(Expr, VarRef)
};

/// Base.field, Base a place of struct type.
class Member : public Expr {
public:
  Expr *Base;
  unsigned Field;
  Member(Expr *Base, unsigned Field, Loc Where)
      : Expr(Kind::Member, Base->Ty->Fields[Field].Ty, Where), Base(Base),
        Field(Field) {}
  AMPC_KIR_CLASSOF(Expr, Member)
};

/// Base[Index], Base a place of array or vector type; Index any integer value.
class Element : public Expr {
public:
  Expr *Base, *Index;
  Element(Expr *Base, Expr *Index, Loc Where)
      : Expr(Kind::Element, Base->Ty->Element, Where), Base(Base),
        Index(Index) {}
  AMPC_KIR_CLASSOF(Expr, Element)
};

/// View[i]..[k] with as many subscripts as the view has dimensions. View is a
/// value; subscripts are integer values, sign- or zero-extended to 64 bits.
class ViewElement : public Expr {
public:
  Expr *View;
  std::vector<Expr *> Subscripts;
  ViewElement(Expr *View, std::vector<Expr *> Subscripts, Loc Where)
      : Expr(Kind::ViewElement, View->Ty->Element, Where), View(View),
        Subscripts(std::move(Subscripts)) {}
  AMPC_KIR_CLASSOF(Expr, ViewElement)
};

/// What Pointer points to.
class Deref : public Expr {
public:
  Expr *Pointer;
  Deref(Expr *Pointer, Loc Where)
      : Expr(Kind::Deref, Pointer->Ty->Element, Where), Pointer(Pointer) {}
  AMPC_KIR_CLASSOF(Expr, Deref)
};

/// The value of an int type's bits in 64 bits, by the type's signedness.
uint64_t extended(const Type *Int, uint64_t Bits);

/// Value holds the bits, zero-extended from the type's width.
class IntConst : public Expr {
public:
  uint64_t Value;
  IntConst(const Type *Ty, uint64_t Value, Loc Where)
      : Expr(Kind::IntConst, Ty, Where), Value(Value) {}
  AMPC_KIR_CLASSOF(Expr, IntConst)
};

/// Bits are IEEE binary32 or binary64, by the type's width.
class FloatConst : public Expr {
public:
  uint64_t Bits;
  FloatConst(const Type *Ty, uint64_t Bits, Loc Where)
      : Expr(Kind::FloatConst, Ty, Where), Bits(Bits) {}
  AMPC_KIR_CLASSOF(Expr, FloatConst)
};

class BoolConst : public Expr {
public:
  bool Value;
  BoolConst(const Type *Ty, bool Value, Loc Where)
      : Expr(Kind::BoolConst, Ty, Where), Value(Value) {}
  AMPC_KIR_CLASSOF(Expr, BoolConst)
};

/// All bits zero, of any type but void and views; the null pointer.
class Zero : public Expr {
public:
  Zero(const Type *Ty, Loc Where) : Expr(Kind::Zero, Ty, Where) {}
  AMPC_KIR_CLASSOF(Expr, Zero)
};

/// The value now held by a place.
class Load : public Expr {
public:
  Expr *Place;
  Load(Expr *Place, Loc Where)
      : Expr(Kind::Load, Place->Ty, Where), Place(Place) {}
  AMPC_KIR_CLASSOF(Expr, Load)
};

enum class UnaryOp { Neg, BitNot, LogicalNot };

/// Neg on int, float and vectors of them; BitNot on int; LogicalNot on bool.
class Unary : public Expr {
public:
  UnaryOp Op;
  Expr *Operand;
  bool Contract = false; ///< see Binary; Neg on floats
  Unary(UnaryOp Op, Expr *Operand, Loc Where)
      : Expr(Kind::Unary, Operand->Ty, Where), Op(Op), Operand(Operand) {}
  AMPC_KIR_CLASSOF(Expr, Unary)
};

enum class BinaryOp {
  Add, Sub, Mul, Div, Rem, Shl, Shr, And, Or, Xor, // Ty = the left operand's
  Eq, Ne, Lt, Le, Gt, Ge,                          // Ty = bool (scalars only)
};
inline bool isComparison(BinaryOp Op) { return Op >= BinaryOp::Eq; }

/// Operands have one type, except that a shift's count may have another
/// integer type. Signedness and float-ness come from the operands' type. The
/// meaning is C's: wrapping signed arithmetic, shifts masked with the left
/// operand's width, Rem with the dividend's sign, Ne true for NaN. On bool,
/// only Eq, Ne, And, Or, Xor; on pointers, only comparisons. Ints of 8 and 16
/// bits have no operators: C promotes them.
class Binary : public Expr {
public:
  BinaryOp Op;
  Expr *Left, *Right;
  /// Add, Sub, Mul on floats: this may be contracted with another operation
  /// that may (a product and the sum it is a term of), so that both are rounded
  /// once. All others are rounded as they are written.
  bool Contract = false;
  Binary(BinaryOp Op, const Type *Ty, Expr *Left, Expr *Right, Loc Where)
      : Expr(Kind::Binary, Ty, Where), Op(Op), Left(Left), Right(Right) {}
  AMPC_KIR_CLASSOF(Expr, Binary)
};

/// Short-circuit && or ||; operands and result are bool.
class Logical : public Expr {
public:
  bool IsAnd;
  Expr *Left, *Right;
  Logical(bool IsAnd, Expr *Left, Expr *Right, Loc Where)
      : Expr(Kind::Logical, Left->Ty, Where), IsAnd(IsAnd), Left(Left),
        Right(Right) {}
  AMPC_KIR_CLASSOF(Expr, Logical)
};

/// Condition ? True : False; only the chosen operand is evaluated.
class Select : public Expr {
public:
  Expr *Condition, *True, *False;
  Select(Expr *Condition, Expr *True, Expr *False, Loc Where)
      : Expr(Kind::Select, True->Ty, Where), Condition(Condition), True(True),
        False(False) {}
  AMPC_KIR_CLASSOF(Expr, Select)
};

/// A C conversion between scalars, or lane by lane between vectors of one
/// length. To bool means != 0 (of a pointer: not null). A view converts to a
/// view of const, a pointer to any pointer.
class Convert : public Expr {
public:
  Expr *Operand;
  Convert(const Type *Ty, Expr *Operand, Loc Where)
      : Expr(Kind::Convert, Ty, Where), Operand(Operand) {}
  AMPC_KIR_CLASSOF(Expr, Convert)
};

/// The bits of a scalar or vector as another of the same size.
class Bitcast : public Expr {
public:
  Expr *Operand;
  Bitcast(const Type *Ty, Expr *Operand, Loc Where)
      : Expr(Kind::Bitcast, Ty, Where), Operand(Operand) {}
  AMPC_KIR_CLASSOF(Expr, Bitcast)
};

/// A vector, array or struct from one value per lane, element or field (a
/// union: one field, the rest of it is zero).
class Construct : public Expr {
public:
  std::vector<Expr *> Parts;
  unsigned Field; // of a union
  Construct(const Type *Ty, std::vector<Expr *> Parts, Loc Where,
            unsigned Field = 0)
      : Expr(Kind::Construct, Ty, Where), Parts(std::move(Parts)),
        Field(Field) {}
  AMPC_KIR_CLASSOF(Expr, Construct)
};

/// Lanes of a vector value: one lane gives a scalar, more give a vector.
class Swizzle : public Expr {
public:
  Expr *Operand;
  std::vector<unsigned> Lanes;
  Swizzle(const Type *Ty, Expr *Operand, std::vector<unsigned> Lanes, Loc Where)
      : Expr(Kind::Swizzle, Ty, Where), Operand(Operand),
        Lanes(std::move(Lanes)) {}
  AMPC_KIR_CLASSOF(Expr, Swizzle)
};

class Call : public Expr {
public:
  Function *Callee;
  std::vector<Expr *> Args;
  Call(Function *Callee, const Type *Ty, std::vector<Expr *> Args, Loc Where)
      : Expr(Kind::Call, Ty, Where), Callee(Callee), Args(std::move(Args)) {}
  AMPC_KIR_CLASSOF(Expr, Call)
};

enum class IntrinsicOp {
#define AMPC_INTRINSIC(ID, NAME, ARITY) ID,
#include "kir/intrinsics.def"
};

/// A mathematical function on floats or doubles, all operands of type Ty.
class Intrinsic : public Expr {
public:
  IntrinsicOp Op;
  std::vector<Expr *> Args;
  Intrinsic(IntrinsicOp Op, const Type *Ty, std::vector<Expr *> Args, Loc Where)
      : Expr(Kind::Intrinsic, Ty, Where), Op(Op), Args(std::move(Args)) {}
  AMPC_KIR_CLASSOF(Expr, Intrinsic)
};

/// The length of a view in one dimension, an int.
class ViewExtent : public Expr {
public:
  Expr *View;
  unsigned Dimension;
  ViewExtent(const Type *Int, Expr *View, unsigned Dimension, Loc Where)
      : Expr(Kind::ViewExtent, Int, Where), View(View), Dimension(Dimension) {}
  AMPC_KIR_CLASSOF(Expr, ViewExtent)
};

/// The part of a view that starts at Origin; same rank. Extent holds the new
/// lengths, or is empty for "all that is left" (the old ones minus Origin).
class ViewSection : public Expr {
public:
  Expr *View;
  std::vector<Expr *> Origin, Extent;
  ViewSection(Expr *View, std::vector<Expr *> Origin,
              std::vector<Expr *> Extent, Loc Where)
      : Expr(Kind::ViewSection, View->Ty, Where), View(View),
        Origin(std::move(Origin)), Extent(std::move(Extent)) {}
  AMPC_KIR_CLASSOF(Expr, ViewSection)
};

/// View[Index] of a view of rank 2..4: the view of rank N-1 (Ty).
class ViewProject : public Expr {
public:
  Expr *View, *Index;
  ViewProject(const Type *Ty, Expr *View, Expr *Index, Loc Where)
      : Expr(Kind::ViewProject, Ty, Where), View(View), Index(Index) {}
  AMPC_KIR_CLASSOF(Expr, ViewProject)
};

/// A rank-1 view's memory as elements of another type (Ty, of rank 1 too); what
/// does not fill a last element is left out.
class ViewReinterpret : public Expr {
public:
  Expr *View;
  ViewReinterpret(const Type *Ty, Expr *View, Loc Where)
      : Expr(Kind::ViewReinterpret, Ty, Where), View(View) {}
  AMPC_KIR_CLASSOF(Expr, ViewReinterpret)
};

/// A rank-1 view's elements as a dense view (Ty) with these lengths.
class ViewReshape : public Expr {
public:
  Expr *View;
  std::vector<Expr *> Extent;
  ViewReshape(const Type *Ty, Expr *View, std::vector<Expr *> Extent, Loc Where)
      : Expr(Kind::ViewReshape, Ty, Where), View(View),
        Extent(std::move(Extent)) {}
  AMPC_KIR_CLASSOF(Expr, ViewReshape)
};

/// A pointer (Ty) to Place.
class AddressOf : public Expr {
public:
  Expr *Place;
  AddressOf(const Type *Ty, Expr *Place, Loc Where)
      : Expr(Kind::AddressOf, Ty, Where), Place(Place) {}
  AMPC_KIR_CLASSOF(Expr, AddressOf)
};

/// Pointer, Index elements further on (of void: bytes); Index is any integer
/// value.
class PointerAdd : public Expr {
public:
  Expr *Pointer, *Index;
  PointerAdd(Expr *Pointer, Expr *Index, Loc Where)
      : Expr(Kind::PointerAdd, Pointer->Ty, Where), Pointer(Pointer),
        Index(Index) {}
  AMPC_KIR_CLASSOF(Expr, PointerAdd)
};

/// How many elements (of void: bytes) Left is beyond Right, two pointers of one
/// type; an int64.
class PointerDifference : public Expr {
public:
  Expr *Left, *Right;
  PointerDifference(const Type *Int64, Expr *Left, Expr *Right, Loc Where)
      : Expr(Kind::PointerDifference, Int64, Where), Left(Left), Right(Right) {}
  AMPC_KIR_CLASSOF(Expr, PointerDifference)
};

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

class Stmt {
public:
  enum class Kind {
    Declare, Store, Eval, Block, If, Loop, Switch, Break, Continue, Return,
    Barrier, Fence, Report,
  };
  const Kind K;
  Loc Where;
  virtual ~Stmt() = default;

protected:
  Stmt(Kind K, Loc Where) : K(K), Where(Where) {}
};

using Body = std::vector<Stmt *>;

/// A local variable comes to life; without Init its value is undefined. It is
/// known until the end of the body that the statement stands in; what a loop's
/// Prelude declares, in the whole loop.
class Declare : public Stmt {
public:
  Variable *Var;
  Expr *Init; ///< may be null
  Declare(Variable *Var, Expr *Init, Loc Where)
      : Stmt(Kind::Declare, Where), Var(Var), Init(Init) {}
  AMPC_KIR_CLASSOF(Stmt, Declare)
};

class Store : public Stmt {
public:
  Expr *Place, *Value;
  Store(Expr *Place, Expr *Value, Loc Where)
      : Stmt(Kind::Store, Where), Place(Place), Value(Value) {}
  AMPC_KIR_CLASSOF(Stmt, Store)
};

/// Evaluates a value (a call) and drops it.
class Eval : public Stmt {
public:
  Expr *Value;
  Eval(Expr *Value, Loc Where) : Stmt(Kind::Eval, Where), Value(Value) {}
  AMPC_KIR_CLASSOF(Stmt, Eval)
};

class Block : public Stmt {
public:
  Body Stmts;
  Block(Body Stmts, Loc Where)
      : Stmt(Kind::Block, Where), Stmts(std::move(Stmts)) {}
  AMPC_KIR_CLASSOF(Stmt, Block)
};

class If : public Stmt {
public:
  Expr *Condition;
  Body Then, Else;
  If(Expr *Condition, Body Then, Body Else, Loc Where)
      : Stmt(Kind::If, Where), Condition(Condition), Then(std::move(Then)),
        Else(std::move(Else)) {}
  AMPC_KIR_CLASSOF(Stmt, If)
};

/// All of C's loops. One iteration of a while or for loop is: Prelude,
/// Condition (false leaves), Stmts, Step. Of a do loop: Stmts, Step (always
/// empty), Prelude, Condition. Prelude holds what the condition needs to have
/// happened; it and Step contain no Break or Continue of this loop, but may
/// Return (Prelude: of a do loop only). A null Condition means true.
/// `continue` goes to Step (for, while) or to Prelude (do).
class Loop : public Stmt {
public:
  enum class Form { While, For, Do } F;
  Body Prelude;
  Expr *Condition;
  Body Stmts, Step;
  Loop(Form F, Body Prelude, Expr *Condition, Body Stmts, Body Step, Loc Where)
      : Stmt(Kind::Loop, Where), F(F), Prelude(std::move(Prelude)),
        Condition(Condition), Stmts(std::move(Stmts)), Step(std::move(Step)) {}
  AMPC_KIR_CLASSOF(Stmt, Loop)
};

/// Cases are in source order; one falls through to the next unless it ends in
/// break, continue or return.
class Switch : public Stmt {
public:
  struct Case {
    std::vector<uint64_t> Values; ///< bits in Subject's type; no duplicates
    bool IsDefault = false;
    Body Stmts;
  };
  Expr *Subject; ///< an int value of 32 or 64 bits
  std::vector<Case> Cases;
  Switch(Expr *Subject, std::vector<Case> Cases, Loc Where)
      : Stmt(Kind::Switch, Where), Subject(Subject), Cases(std::move(Cases)) {}
  AMPC_KIR_CLASSOF(Stmt, Switch)
};

/// Leaves the innermost Loop or Switch.
class Break : public Stmt {
public:
  explicit Break(Loc Where) : Stmt(Kind::Break, Where) {}
  AMPC_KIR_CLASSOF(Stmt, Break)
};

/// Goes on with the innermost Loop.
class Continue : public Stmt {
public:
  explicit Continue(Loc Where) : Stmt(Kind::Continue, Where) {}
  AMPC_KIR_CLASSOF(Stmt, Continue)
};

class Return : public Stmt {
public:
  Expr *Value; ///< null in void functions and kernels
  Return(Expr *Value, Loc Where) : Stmt(Kind::Return, Where), Value(Value) {}
  AMPC_KIR_CLASSOF(Stmt, Return)
};

/// Which memory a barrier or fence orders, within the tile.
enum class Fenced { All, Global, TileStatic };

/// Every work item of the tile arrives before any goes on.
class Barrier : public Stmt {
public:
  Fenced Memory;
  Barrier(Fenced Memory, Loc Where)
      : Stmt(Kind::Barrier, Where), Memory(Memory) {}
  AMPC_KIR_CLASSOF(Stmt, Barrier)
};

class Fence : public Stmt {
public:
  Fenced Memory;
  Fence(Fenced Memory, Loc Where) : Stmt(Kind::Fence, Where), Memory(Memory) {}
  AMPC_KIR_CLASSOF(Stmt, Fence)
};

/// Tells the host something: a text to print, or why the launch fails (the work
/// item goes on). Format is printf's; Args are ints of 32 or 64 bits and floats,
/// one per conversion or `*`. Made by Module::report(); reports.h says more.
class Report : public Stmt {
public:
  unsigned Number; ///< in Module::Reports; copies share it
  bool Fails;
  std::string Format;
  std::vector<Expr *> Args;
  Report(unsigned Number, bool Fails, std::string Format,
         std::vector<Expr *> Args, Loc Where)
      : Stmt(Kind::Report, Where), Number(Number), Fails(Fails),
        Format(std::move(Format)), Args(std::move(Args)) {}
  AMPC_KIR_CLASSOF(Stmt, Report)
};

//===----------------------------------------------------------------------===//
// Functions, kernels, modules
//===----------------------------------------------------------------------===//

/// An amp function: no kernel, called from kernels and other functions.
class Function {
public:
  std::string Name; ///< unique in the module
  const Type *Result = nullptr;
  std::vector<Variable *> Params;
  Body Stmts;
  Loc Where;
};

/// The block of one parallel_for_each.
///
/// Indices are the block's parameters: Rank ints; or one index_N, which is an
/// int (rank 1) or an int vector; or, tiled, one struct with the fields
/// global, local, tile, tile_origin (each like index_N) and barrier (a struct
/// of one int that is never read).
class Kernel {
public:
  std::string Name;   ///< "scale.0": host function and number, for people
  std::string Symbol; ///< "ampc_scale_0": prefix of the emitted C names
  std::string Host;   ///< the host function's name
  unsigned Rank = 1;  ///< of the compute domain, 1..4
  std::vector<unsigned> Tile; ///< tile extents, dimension 0 first; or empty
  std::vector<Variable *> Captures, Indices;
  Body Stmts;
  Loc Where; ///< of the launch
  bool UsesDouble = false;

  bool isTiled() const { return !Tile.empty(); }
};

/// All amp code of one translation unit.
class Module {
public:
  std::vector<std::string> Files; ///< as given on the command line
  std::vector<std::unique_ptr<Function>> Functions; ///< callees first
  std::vector<std::unique_ptr<Kernel>> Kernels;
  std::vector<Variable *> Globals; ///< TileStatic and Constant
  std::vector<const Report *> Reports; ///< the table that the host reads by

  Module();
  ~Module();

  const Type *voidType() const { return Void; }
  const Type *boolType() const { return Bool; }
  const Type *intType(unsigned Width = 32, bool Signed = true);
  const Type *floatType(unsigned Width = 32);
  const Type *vectorType(const Type *Element, unsigned Count);
  const Type *arrayType(const Type *Element, uint64_t Count);
  const Type *viewType(const Type *Element, unsigned Rank, bool ReadOnly);
  const Type *pointerType(const Type *Element);
  /// Struct types are made one at a time; the caller keeps them apart.
  const Type *addStruct(Type Struct);

  /// A Report with a number of its own.
  Report *report(bool Fails, std::string Format, std::vector<Expr *> Args,
                 Loc Where);

  /// Makes a node or variable that lives as long as the module.
  template <typename T, typename... Args> T *make(Args &&...As) {
    auto Owner = std::make_unique<Holder<T>>(std::forward<Args>(As)...);
    T *Node = &Owner->Node;
    Nodes.push_back(std::move(Owner));
    return Node;
  }

private:
  struct HolderBase {
    virtual ~HolderBase() = default;
  };
  template <typename T> struct Holder : HolderBase {
    T Node;
    template <typename... Args>
    explicit Holder(Args &&...As) : Node{std::forward<Args>(As)...} {}
  };
  const Type *intern(const std::string &Key, Type T);

  std::vector<std::unique_ptr<HolderBase>> Nodes;
  std::map<std::string, std::unique_ptr<Type>> Interned;
  std::vector<std::unique_ptr<Type>> Structs;
  const Type *Void, *Bool;
};

/// Writes a module as text (`ampcc --emit-kir`). Statements have their source
/// locations there; with AllLocations (-g), expressions and variables too.
void print(const Module &M, llvm::raw_ostream &OS, bool AllLocations = false);

/// Whether a view is anywhere inside a type.
bool holdsView(const Type *T);

/// A view that a kernel captures, directly or inside a struct or array.
struct CapturedView {
  unsigned Capture; ///< index into Kernel::Captures
  std::string Path; ///< C designator inside the capture: "", ".p.v", "[2]"
  unsigned Rank;
  uint64_t ElementSize;
  bool ReadOnly;
};

std::vector<CapturedView> capturedViews(const Kernel &K);

/// The name of a type as the text form has it: `view<const float, 2>`.
std::string toString(const Type *T);
/// The first line of a statement's text, without locations.
std::string toString(const Stmt *S);

/// An invariant that does not hold.
struct Breach {
  std::string Inside; ///< "kernel 'scale.0'"
  std::string What;
  const void *Node; ///< which expression, statement, variable ...; or null
  Loc Where;        ///< of Node
  const Stmt *Near; ///< the statement it is in, or null
};

/// Checks every invariant that this header states; gives the first breach.
std::optional<Breach> findBreach(const Module &M);
/// The same as one line of text: which function, what, where.
std::optional<std::string> verify(const Module &M);

} // namespace ampc::kir

#endif
