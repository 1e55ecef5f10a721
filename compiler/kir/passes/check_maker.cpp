//===- check_maker.cpp - the functions that check -------------------------===//

#include "kir/passes/check_maker.h"
#include "kir/clone.h"
#include <iterator>

using namespace llvm;

namespace ampc::kir {

/// Without quotes; empty where there is no name.
static std::string bareName(const Expr *Place) {
  if (auto *X = dyn_cast<VarRef>(Place))
    return X->Var->Name;
  if (auto *X = dyn_cast<Element>(Place))
    return bareName(X->Base);
  if (auto *X = dyn_cast<Member>(Place)) {
    std::string Of = bareName(X->Base);
    const std::string &Field = X->Base->Ty->Fields[X->Field].Name;
    return Of.empty() || Field.empty() ? Of + Field : Of + "." + Field;
  }
  if (auto *X = dyn_cast<ViewElement>(Place)) {
    auto *L = dyn_cast<Load>(X->View);
    return L ? bareName(L->Place) : "";
  }
  return "";
}

std::string nameOf(const Expr *Place) {
  std::string Name = bareName(Place);
  return Name.empty() ? "an array" : "'" + Name + "'";
}

std::string nameOfView(const Expr *View) {
  switch (View->K) {
  case Expr::Kind::Load: {
    std::string Name = bareName(cast<Load>(View)->Place);
    return Name.empty() ? "a view" : "'" + Name + "'";
  }
  case Expr::Kind::Convert:
    return nameOfView(cast<Convert>(View)->Operand);
  case Expr::Kind::ViewSection:
    return "a section of " + nameOfView(cast<ViewSection>(View)->View);
  case Expr::Kind::ViewProject:
    return "a projection of " + nameOfView(cast<ViewProject>(View)->View);
  case Expr::Kind::ViewReinterpret:
    return "a reinterpretation of " +
           nameOfView(cast<ViewReinterpret>(View)->View);
  case Expr::Kind::ViewReshape:
    return "another shape of " + nameOfView(cast<ViewReshape>(View)->View);
  case Expr::Kind::Call:
    return "the view that '" + cast<Call>(View)->Callee->Name + "' returned";
  default:
    return "a view";
  }
}

CheckMaker::CheckMaker(Module &M) : M(M) {
  for (const auto &F : M.Functions)
    Names.insert(F->Name);
}

void CheckMaker::finish() {
  M.Functions.insert(M.Functions.begin(), std::make_move_iterator(Made.begin()),
                     std::make_move_iterator(Made.end()));
}

CheckMaker::Site CheckMaker::begin(const char *Kind, const Type *Result,
                                   Loc Where) {
  auto F = std::make_unique<Function>();
  F->Name = Kind;
  for (unsigned N = 1; !Names.insert(F->Name).second; ++N)
    F->Name = std::string(Kind) + "." + std::to_string(N);
  F->Result = Result;
  F->Where = Where;
  Made.push_back(std::move(F));
  return {Made.back().get(), {}, Where};
}

Variable *CheckMaker::param(Site &S, const char *Name, Expr *Operand) {
  auto *V = M.make<Variable>();
  V->Name = Name;
  V->Ty = Operand->Ty;
  V->Store = Storage::Param;
  V->Where = S.Where;
  S.F->Params.push_back(V);
  S.Args.push_back(Operand);
  return V;
}

Call *CheckMaker::call(Site &S) {
  return M.make<Call>(S.F, S.F->Result, std::move(S.Args), S.Where);
}

Expr *CheckMaker::isOutside(Variable *Index, Expr *Limit) {
  // As unsigned numbers, those below 0 are beyond every limit, too.
  const Type *U64 = M.intType(64, /*Signed=*/false);
  Loc W = Limit->Where;
  return compare(BinaryOp::Ge, M.make<Convert>(U64, get(Index, W), W),
                 M.make<Convert>(U64, Limit, W));
}

void CheckMaker::failIf(Site &S, Expr *Condition, Stmt *Tell, Expr *Result) {
  S.F->Stmts.push_back(M.make<If>(
      Condition, Body{Tell, M.make<Return>(Result, S.Where)}, Body{}, S.Where));
}

static std::string conversion(const Variable *Index) {
  return Index->Ty->Signed ? "%lld" : "%llu";
}

static std::string inDimension(unsigned D, const std::string &Of) {
  return " in dimension " + std::to_string(D) + " of " + Of;
}

Stmt *CheckMaker::tellSubscript(const Site &S, Variable *Index, Expr *Extent,
                                Expr *Again, unsigned D,
                                const std::string &Of) {
  Loc W = S.Where;
  std::string Text = "index " + conversion(Index) + " out of range";
  Expr *Last =
      M.make<Binary>(BinaryOp::Sub, M.intType(), Again, number(1, W), W);
  Stmt *OfNone = tell(S, Text + ": there is none" + inDimension(D, Of),
                      {wide(get(Index, W))});
  Stmt *OfSome = tell(S, Text + " 0..%d" + inDimension(D, Of),
                      {wide(get(Index, W)), Last});
  return M.make<If>(compare(BinaryOp::Eq, Extent, number(0, W)), Body{OfNone},
                    Body{OfSome}, W);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Expr *CheckMaker::index(Element *E, const std::string &Of, bool MayBePast) {
  uint64_t Limit = E->Base->Ty->Count + MayBePast;
  if (auto *Known = dyn_cast<IntConst>(E->Index))
    if (extended(Known->Ty, Known->Value) < Limit)
      return E->Index;
  if (!E->Base->Ty->Count)
    return E->Index;
  unsigned D = 0;
  for (auto *X = dyn_cast<Element>(E->Base); X; X = dyn_cast<Element>(X->Base))
    ++D;
  Site S = begin("index", E->Index->Ty, E->Where);
  Variable *I = param(S, "i", E->Index);
  Loc W = S.Where;
  failIf(S, isOutside(I, number(Limit, W, M.intType(64))),
         tell(S,
              "index " + conversion(I) + " out of range 0.." +
                  std::to_string(Limit - 1) + inDimension(D, Of),
              {wide(get(I, W))}),
         number(0, W, I->Ty));
  S.F->Stmts.push_back(M.make<Return>(get(I, W), W));
  return call(S);
}

Expr *CheckMaker::subscript(ViewElement *E, unsigned D, const std::string &Of) {
  Site S = begin("index", E->Subscripts[D]->Ty, E->Where);
  Variable *I = param(S, "i", E->Subscripts[D]);
  Loc W = S.Where;
  Expr *Length = M.make<ViewExtent>(M.intType(), Cloner(M).expr(E->View), D, W);
  Variable *N = param(S, "n", Length);
  // The address of what is behind a row's last element is right.
  bool MayBePast = D + 1 == E->Subscripts.size();
  auto Plus = [&](uint64_t Add) {
    return M.make<Binary>(BinaryOp::Add, M.intType(64), wide(get(N, W)),
                          number(Add, W, M.intType(64)), W);
  };
  failIf(S, isOutside(I, Plus(MayBePast)),
         tell(S,
              "index " + conversion(I) + " out of range 0..%lld" +
                  inDimension(D, Of),
              {wide(get(I, W)), Plus(MayBePast ? 0 : ~0ull)}),
         number(0, W, I->Ty));
  S.F->Stmts.push_back(M.make<Return>(get(I, W), W));
  return call(S);
}

Expr *CheckMaker::placeIn(Site &S, Expr *Place, const std::string &Of,
                          Expr *Failed) {
  Loc W = Place->Where;
  if (auto *X = dyn_cast<Member>(Place))
    return M.make<Member>(placeIn(S, X->Base, Of, Failed), X->Field, W);
  if (auto *X = dyn_cast<Element>(Place)) {
    Expr *Base = placeIn(S, X->Base, Of, Failed);
    if (isa<IntConst>(X->Index))
      return M.make<Element>(Base, X->Index, W);
    return M.make<Element>(Base, get(param(S, "k", X->Index), W), W);
  }
  auto *X = cast<ViewElement>(Place);
  Variable *View = param(S, "v", X->View);
  std::vector<Expr *> Subscripts;
  for (unsigned D = 0; D != X->Subscripts.size(); ++D) {
    Variable *I = param(S, "i", X->Subscripts[D]);
    failIf(S, isOutside(I, extent(View, D, W)),
           tellSubscript(S, I, extent(View, D, W), extent(View, D, W), D, Of),
           Failed ? Cloner(M).expr(Failed) : nullptr);
    Subscripts.push_back(get(I, W));
  }
  return M.make<ViewElement>(get(View, W), std::move(Subscripts), W);
}

Expr *CheckMaker::load(Load *L, const std::string &Of) {
  Site S = begin("load", L->Ty, L->Where);
  Expr *Place = placeIn(S, L->Place, Of, M.make<Zero>(L->Ty, L->Where));
  S.F->Stmts.push_back(M.make<Return>(M.make<Load>(Place, S.Where), S.Where));
  return call(S);
}

Stmt *CheckMaker::store(Store *A, const std::string &Of) {
  Site S = begin("store", M.voidType(), A->Where);
  Expr *Place = placeIn(S, A->Place, Of, nullptr);
  Variable *Value = param(S, "value", A->Value);
  S.F->Stmts.push_back(M.make<Store>(Place, get(Value, S.Where), S.Where));
  return M.make<Eval>(call(S), S.Where);
}

//===----------------------------------------------------------------------===//
// Parts of views
//===----------------------------------------------------------------------===//

Expr *CheckMaker::view(Expr *E, const std::string &Of) {
  if (auto *X = dyn_cast<ViewSection>(E))
    return section(X, Of);
  if (auto *X = dyn_cast<ViewProject>(E))
    return project(X, Of);
  return reshape(cast<ViewReshape>(E), Of);
}

/// What there is of a view when nothing can be.
Expr *CheckMaker::emptyView(Variable *View, Loc W) {
  std::vector<Expr *> Origin, Extent;
  for (unsigned D = 0; D != View->Ty->Rank; ++D) {
    Origin.push_back(number(0, W));
    Extent.push_back(number(0, W));
  }
  return M.make<ViewSection>(get(View, W), std::move(Origin), std::move(Extent),
                             W);
}

Expr *CheckMaker::section(ViewSection *E, const std::string &Of) {
  Site S = begin("section", E->Ty, E->Where);
  Loc W = S.Where;
  Variable *View = param(S, "v", E->View);
  const Type *Long = M.intType(64);
  auto Wide = [&](Variable *V) { return M.make<Convert>(Long, get(V, W), W); };
  std::vector<Variable *> Origin, Extent;
  for (Expr *O : E->Origin)
    Origin.push_back(param(S, "origin", O));
  for (Expr *X : E->Extent)
    Extent.push_back(param(S, "extent", X));
  for (unsigned D = 0; D != Origin.size(); ++D) {
    Variable *O = Origin[D];
    auto Limit = [&] { return extent(View, D, W); };
    auto Below = [&](Variable *V) {
      return compare(BinaryOp::Lt, Wide(V), number(0, W, Long));
    };
    if (Extent.empty()) {
      Expr *Wrong =
          either(Below(O), compare(BinaryOp::Gt, Wide(O),
                                   M.make<Convert>(Long, Limit(), W)));
      failIf(S, Wrong,
             tell(S,
                  "section from %lld out of range 0..%d" + inDimension(D, Of),
                  {Wide(O), Limit()}),
             emptyView(View, W));
      continue;
    }
    Variable *X = Extent[D];
    Expr *Rest = M.make<Binary>(BinaryOp::Sub, Long,
                                M.make<Convert>(Long, Limit(), W), Wide(O), W);
    Expr *Wrong = either(either(Below(O), Below(X)),
                         compare(BinaryOp::Gt, Wide(X), Rest));
    failIf(
        S, Wrong,
        tell(S,
             "section of %lld elements from %lld out of range: there are %d" +
                 inDimension(D, Of),
             {Wide(X), Wide(O), Limit()}),
        emptyView(View, W));
  }
  std::vector<Expr *> From, Lengths;
  for (Variable *O : Origin)
    From.push_back(get(O, W));
  for (Variable *X : Extent)
    Lengths.push_back(get(X, W));
  S.F->Stmts.push_back(M.make<Return>(
      M.make<ViewSection>(get(View, W), std::move(From), std::move(Lengths), W),
      W));
  return call(S);
}

Expr *CheckMaker::project(ViewProject *E, const std::string &Of) {
  Site S = begin("project", E->Ty, E->Where);
  Loc W = S.Where;
  Variable *View = param(S, "v", E->View);
  Variable *I = param(S, "i", E->Index);
  failIf(S, isOutside(I, extent(View, 0, W)),
         tellSubscript(S, I, extent(View, 0, W), extent(View, 0, W), 0, Of),
         M.make<ViewProject>(E->Ty, emptyView(View, W), number(0, W), W));
  S.F->Stmts.push_back(M.make<Return>(
      M.make<ViewProject>(E->Ty, get(View, W), get(I, W), W), W));
  return call(S);
}

Expr *CheckMaker::reshape(ViewReshape *E, const std::string &Of) {
  Site S = begin("view_as", E->Ty, E->Where);
  Loc W = S.Where;
  Variable *View = param(S, "v", E->View);
  const Type *Long = M.intType(64);
  auto Wide = [&](Expr *Int) { return M.make<Convert>(Long, Int, W); };
  std::vector<Variable *> Extent;
  for (Expr *X : E->Extent)
    Extent.push_back(param(S, "extent", X));
  auto Empty = [&]() -> Expr * {
    std::vector<Expr *> Lengths;
    for (size_t D = 0; D != Extent.size(); ++D)
      Lengths.push_back(number(0, W));
    return M.make<ViewReshape>(E->Ty, get(View, W), std::move(Lengths), W);
  };
  std::string Shape;
  std::vector<Expr *> Args;
  Expr *Wrong = nullptr;
  for (Variable *X : Extent) {
    Shape += Shape.empty() ? "%lld" : " x %lld";
    Args.push_back(Wide(get(X, W)));
    Expr *Negative = compare(BinaryOp::Lt, Wide(get(X, W)), number(0, W, Long));
    Wrong = Wrong ? either(Wrong, Negative) : Negative;
  }
  Args.push_back(extent(View, 0, W));
  Stmt *Tell = tell(
      S, "a view of " + Shape + " elements out of range: " + Of + " has %d",
      std::move(Args));
  // Whatever is beyond the limit counts as one beyond: no product overflows,
  // and a length of 0 makes it 0.
  auto Limit = [&] { return Wide(extent(View, 0, W)); };
  Expr *Product = Wide(get(Extent[0], W));
  for (size_t D = 1; D != Extent.size(); ++D) {
    Expr *Beyond =
        M.make<Binary>(BinaryOp::Add, Long, Limit(), number(1, W, Long), W);
    Expr *Bounded =
        M.make<Select>(compare(BinaryOp::Gt, Cloner(M).expr(Product), Limit()),
                       Beyond, Product, W);
    Product = M.make<Binary>(BinaryOp::Mul, Long, Bounded,
                             Wide(get(Extent[D], W)), W);
  }
  Wrong = either(Wrong, compare(BinaryOp::Gt, Product, Limit()));
  failIf(S, Wrong, Tell, Empty());
  std::vector<Expr *> Lengths;
  for (Variable *X : Extent)
    Lengths.push_back(get(X, W));
  S.F->Stmts.push_back(M.make<Return>(
      M.make<ViewReshape>(E->Ty, get(View, W), std::move(Lengths), W), W));
  return call(S);
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// A divisor that can only be right, even of the least number.
static bool isHarmless(const Expr *E) {
  auto *Known = dyn_cast<IntConst>(E);
  return Known && Known->Value &&
         !(Known->Ty->Signed && extended(Known->Ty, Known->Value) == ~0ull);
}

Expr *CheckMaker::division(Binary *E) {
  if (isHarmless(E->Right))
    return E;
  const Type *Int = E->Ty->scalar();
  bool IsRem = E->Op == BinaryOp::Rem;
  Site S = begin(IsRem ? "remainder" : "division", E->Ty, E->Where);
  Loc W = S.Where;
  Variable *Left = param(S, "a", E->Left), *Right = param(S, "b", E->Right);
  auto Lane = [&](Variable *V, unsigned I) -> Expr * {
    if (!V->Ty->isVector())
      return get(V, W);
    return M.make<Swizzle>(Int, get(V, W), std::vector<unsigned>{I}, W);
  };
  uint64_t Least = uint64_t(1) << (Int->Width - 1);
  std::string Overflow = std::to_string(extended(Int, Least));
  if (Int->Signed)
    Overflow = std::to_string(int64_t(extended(Int, Least)));
  unsigned Lanes = E->Ty->isVector() ? unsigned(E->Ty->Count) : 1;
  for (unsigned I = 0; I != Lanes; ++I) {
    failIf(S, compare(BinaryOp::Eq, Lane(Right, I), number(0, W, Int)),
           tell(S, "division by zero", {}), M.make<Zero>(E->Ty, W));
    if (!Int->Signed)
      continue;
    uint64_t MinusOne = Int->Width == 64 ? ~0ull : (Least << 1) - 1;
    Expr *IsLeast = compare(BinaryOp::Eq, Lane(Left, I), number(Least, W, Int));
    Expr *ByMinusOne =
        compare(BinaryOp::Eq, Lane(Right, I), number(MinusOne, W, Int));
    failIf(S, M.make<Logical>(/*IsAnd=*/true, IsLeast, ByMinusOne, W),
           tell(S,
                "division overflow: " + Overflow + (IsRem ? " %% -1" : " / -1"),
                {}),
           M.make<Zero>(E->Ty, W));
  }
  S.F->Stmts.push_back(M.make<Return>(
      M.make<Binary>(E->Op, E->Ty, get(Left, W), get(Right, W), W), W));
  return call(S);
}

} // namespace ampc::kir
