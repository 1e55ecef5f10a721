//===- verifier.cpp - modules, types and variables ------------------------===//

#include "kir/verifier/verifier.h"
#include "kir/walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using llvm::cast;

namespace ampc::kir {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Pointers stand in variables, never inside of something.
static bool canBePart(const Type *T) { return !T->isVoid() && !T->isPointer(); }

/// What is wrong with a type, or null.
const char *Verifier::faultOf(const Type *T) {
  const Type *Element = T->Element;
  if (Element && !Element->isVoid())
    if (const char *Fault = faultOf(Element))
      return Fault;
  switch (T->K) {
  case Type::Kind::Void:
  case Type::Kind::Bool:
    return nullptr;
  case Type::Kind::Int:
    return T->Width == 8 || T->Width == 16 || T->Width == 32 || T->Width == 64
               ? nullptr
               : "integer of a width that there is not";
  case Type::Kind::Float:
    return T->Width == 32 || T->Width == 64
               ? nullptr
               : "floating-point type of a width that there is not";
  case Type::Kind::Vector:
    return Element->isScalar() && T->Count >= 2 && T->Count <= 4
               ? nullptr
               : "vector of no 2 to 4 scalars";
  case Type::Kind::Array:
    return canBePart(Element) && T->Count ? nullptr
                                          : "array of nothing or of pointers";
  case Type::Kind::Struct:
    return faultOfStruct(T);
  case Type::Kind::View:
    return canBePart(Element) && !holdsView(Element) && T->Rank >= 1 &&
                   T->Rank <= 4
               ? nullptr
               : "view of what cannot stand in accelerator memory";
  case Type::Kind::Pointer:
    return Element->isPointer() || Element->isView()
               ? "pointer to a pointer or a view"
               : nullptr;
  }
  return nullptr;
}

const char *Verifier::faultOfStruct(const Type *T) {
  if (GoodTypes.count(T))
    return nullptr;
  if (!T->Align || (T->Align & (T->Align - 1)))
    return "struct with an alignment that is no power of two";
  uint64_t End = 0;
  for (const Type::Field &F : T->Fields) {
    if (!canBePart(F.Ty))
      return "struct with a field that is void or a pointer";
    if (const char *Fault = faultOf(F.Ty))
      return Fault;
    if (F.Offset > T->Size || F.Ty->Size > T->Size - F.Offset)
      return "struct with a field beyond its end";
    if (T->IsUnion ? F.Offset != 0 : F.Offset < End)
      return "struct with a field that does not stand behind the last one";
    End = F.Offset + F.Ty->Size;
  }
  GoodTypes.insert(T);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

bool Verifier::constant(const Expr *E) {
  switch (E->K) {
  case Expr::Kind::IntConst:
  case Expr::Kind::FloatConst:
  case Expr::Kind::BoolConst:
  case Expr::Kind::Zero:
    return true;
  case Expr::Kind::Construct:
    return llvm::all_of(cast<Construct>(E)->Parts,
                        [&](const Expr *Part) { return constant(Part); });
  default:
    return fail(E, "initialiser that is not constant");
  }
}

bool Verifier::global(const Variable *G) {
  Inside = "global '" + G->Name + "'";
  bool IsConstant = G->Store == Storage::Constant;
  return check(IsConstant || G->Store == Storage::TileStatic, G,
               "global of another storage class") &&
         type(G->Ty, G) &&
         check(canBePart(G->Ty) && !holdsView(G->Ty), G,
               "global that is void, a pointer or holds a view") &&
         check(IsConstant == (G->Init != nullptr), G,
               "constant without, or tile_static with, an initialiser") &&
         (!G->Init || (valueOf(G->Init, G->Ty, "initialiser of another type") &&
                       constant(G->Init))) &&
         check(Known.insert(G).second, G, "variable with two declarations");
}

bool Verifier::function(const Function &F) {
  Inside = "function '" + F.Name + "'";
  Result = F.Result;
  if (!type(F.Result, &F) ||
      !check(!F.Result->isArray(), &F, "result that is an array"))
    return false;
  for (const Variable *P : F.Params)
    if (!check(P->Store == Storage::Param, P, "parameter of another storage") ||
        !type(P->Ty, P) ||
        !check(!P->Ty->isVoid(), P, "variable without a type") ||
        !check(Known.insert(P).second, P, "variable with two declarations"))
      return false;
  if (!body(F.Stmts))
    return false;
  Done.insert(&F);
  return true;
}

/// Like index_N: an int, or a vector of them.
static bool isIndex(const Type *T, unsigned Rank) {
  const Type *Int = T->scalar();
  return Int->isInt() && Int->Width == 32 && Int->Signed &&
         (Rank == 1 ? T->isInt() : T->isVector() && T->Count == Rank);
}

static bool isTiledIndex(const Type *T, unsigned Rank) {
  static const char *const Names[] = {"global", "local", "tile", "tile_origin",
                                      "barrier"};
  if (!T->isStruct() || T->IsUnion || T->Fields.size() != std::size(Names))
    return false;
  for (size_t I = 0; I != 4; ++I)
    if (T->Fields[I].Name != Names[I] || !isIndex(T->Fields[I].Ty, Rank))
      return false;
  const Type *Barrier = T->Fields[4].Ty;
  return T->Fields[4].Name == Names[4] && Barrier->isStruct() &&
         Barrier->Fields.size() == 1 && isIndex(Barrier->Fields[0].Ty, 1);
}

bool Verifier::indices(const Kernel &K) {
  for (const Variable *I : K.Indices)
    if (!check(I->Store == Storage::Index, I, "index of another storage") ||
        !type(I->Ty, I) ||
        !check(Known.insert(I).second, I, "variable with two declarations"))
      return false;
  if (K.Indices.empty())
    return true;
  if (K.Indices.size() == K.Rank && K.Rank > 1)
    return check(
        llvm::all_of(K.Indices,
                     [](const Variable *I) { return isIndex(I->Ty, 1); }),
        &K, "index that is no int");
  const Type *T = K.Indices[0]->Ty;
  return check(K.Indices.size() == 1, &K, "wrong number of index parameters") &&
         check(isIndex(T, K.Rank) || (K.isTiled() && isTiledIndex(T, K.Rank)),
               &K, "index that is not of the domain's rank");
}

bool Verifier::kernel(const Kernel &K) {
  Inside = "kernel '" + K.Name + "'";
  Result = nullptr;
  for (const Variable *C : K.Captures)
    if (!check(C->Store == Storage::Capture, C, "capture of another storage") ||
        !type(C->Ty, C) ||
        !check(canBePart(C->Ty), C, "capture that is void or a pointer") ||
        !check(Known.insert(C).second, C, "variable with two declarations"))
      return false;
  return check(K.Rank >= 1 && K.Rank <= 4, &K, "rank out of range") &&
         check(K.Tile.empty() || (K.Tile.size() == K.Rank && K.Rank <= 3), &K,
               "tile of another rank") &&
         check(!llvm::is_contained(K.Tile, 0u), &K,
               "tile without work items") &&
         indices(K) && body(K.Stmts) &&
         check(K.isTiled() || !containsBarrier(K.Stmts), &K,
               "barrier in a kernel that is not tiled");
}

std::optional<Breach> Verifier::module() {
  for (const Variable *G : M.Globals)
    if (!global(G))
      return First;
  llvm::SmallPtrSet<const Variable *, 16> Globals = Known;
  llvm::StringSet<> Names;
  for (const auto &F : M.Functions) {
    Known = Globals;
    Near = nullptr;
    if (!function(*F) || !check(Names.insert(F->Name).second, F.get(),
                                "two functions of one name"))
      return First;
  }
  Names.clear();
  for (const auto &K : M.Kernels) {
    Known = Globals;
    Near = nullptr;
    if (!kernel(*K) || !check(Names.insert(K->Name).second, K.get(),
                              "two kernels of one name"))
      return First;
  }
  return First;
}

std::optional<Breach> findBreach(const Module &M) {
  return Verifier(M).module();
}

std::optional<std::string> verify(const Module &M) {
  std::optional<Breach> B = findBreach(M);
  if (!B)
    return std::nullopt;
  std::string Text = B->Inside + ": " + B->What;
  if (B->Where.Line && B->Where.File < M.Files.size())
    Text += " at " + M.Files[B->Where.File] + ":" +
            std::to_string(B->Where.Line) + ":" +
            std::to_string(B->Where.Column);
  if (B->Near)
    Text += " in `" + toString(B->Near) + "`";
  return Text;
}

} // namespace ampc::kir
