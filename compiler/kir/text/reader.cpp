//===- reader.cpp - modules and types from text ---------------------------===//

#include "kir/text/reader.h"
#include "kir/text/names.h"

using llvm::StringRef;
using llvm::Twine;

namespace ampc::kir {

/// No object is larger; sizes are computed without overflow.
static constexpr uint64_t MaxSize = uint64_t(1) << 40;

Reader::Reader(StringRef File, StringRef Text, TextError &Error)
    : M(*Result.M), Error(Error), Tokens(tokenize(Text)), Locations(M) {
  Error = TextError();
  if (at("file"))
    IsSource = false;
  else
    M.Files.push_back(File.str());
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

bool Reader::fail(const Token &T, const Twine &What) {
  if (Error.What.empty())
    Error = {{T.Line, T.Column},
             T.is(Token::Kind::Error) ? T.Name : What.str()};
  return false;
}

bool Reader::unexpected(const Twine &Wanted) {
  const Token &T = peek();
  std::string Found = T.is(Token::Kind::End)         ? "the end of the text"
                      : T.is(Token::Kind::Newline)   ? "the end of the line"
                      : T.is(Token::Kind::Locations) ? "the end of the line"
                                                     : "'" + T.Text.str() + "'";
  return fail(T, "expected " + Wanted + ", found " + Found);
}

bool Reader::skip(StringRef Spelling) {
  if (!at(Spelling))
    return false;
  next();
  return true;
}

bool Reader::expect(StringRef Spelling) {
  return skip(Spelling) || unexpected("'" + Spelling + "'");
}

std::optional<uint64_t> Reader::number(const char *Wanted) {
  const Token &T = peek();
  uint64_t Value;
  if (!at(Token::Kind::Number) || T.Text.getAsInteger(10, Value)) {
    unexpected(Wanted);
    return std::nullopt;
  }
  next();
  return Value;
}

std::optional<std::string> Reader::name(const char *Wanted) {
  if (at(Token::Kind::Word))
    return next().Text.str();
  if (at(Token::Kind::String))
    return next().Name;
  unexpected(Wanted);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// `int`, `unsigned16`, `float_4`
const Type *Reader::scalarOrVector(const Token &T) {
  auto [Word, Lanes] = T.Text.split('_');
  StringRef Width = Word;
  const Type *Scalar = nullptr;
  if (Word == "bool")
    Scalar = M.boolType();
  else if (Word == "float" || Word == "double")
    Scalar = M.floatType(Word == "float" ? 32 : 64);
  else if (bool Signed = Width.consume_front("int");
           Signed || Width.consume_front("unsigned")) {
    if (Width.empty())
      Scalar = M.intType(32, Signed);
    else if (Width == "8" || Width == "16" || Width == "64")
      Scalar = M.intType(std::stoi(Width.str()), Signed);
  }
  if (!Scalar || Word.size() == T.Text.size())
    return Scalar;
  unsigned Count;
  if (Lanes.getAsInteger(10, Count) || Count < 2 || Count > 4)
    return nullptr;
  return M.vectorType(Scalar, Count);
}

/// What follows a word with a type inside: `array<int, 4>`.
const Type *Reader::aggregate(const Token &T) {
  if (!expect("<"))
    return nullptr;
  bool ReadOnly = T.Text == "view" && skip("const");
  const Type *Element = type();
  if (!Element)
    return nullptr;
  if (T.Text == "pointer")
    return expect(">") ? M.pointerType(Element) : nullptr;
  if (!expect(","))
    return nullptr;
  std::optional<uint64_t> Count = number("a number");
  if (!Count || !expect(">"))
    return nullptr;
  if (T.Text == "view") {
    if (*Count < 1 || *Count > 4)
      return fail(T, "a view has rank 1 to 4"), nullptr;
    return M.viewType(Element, *Count, ReadOnly);
  }
  if (*Count > MaxSize / std::max<uint64_t>(1, Element->Size))
    return fail(T, "this type is too large"), nullptr;
  return M.arrayType(Element, *Count);
}

const Type *Reader::type() {
  const Token &T = peek();
  if (++Depth > 1000)
    return fail(T, "types that are nested too deeply"), nullptr;
  const Type *Ty = nullptr;
  if (!at(Token::Kind::Word)) {
    unexpected("a type");
  } else if (at("struct") || at("union")) {
    bool IsUnion = next().Text == "union";
    std::optional<std::string> Name = name("the name of a type");
    if (Name)
      Ty = Structs.lookup(*Name);
    if (Name && (!Ty || Ty->IsUnion != IsUnion))
      fail(T, "no '" + T.Text + " " + *Name + "' is declared above"),
          Ty = nullptr;
  } else if (at("array") || at("view") || at("pointer")) {
    Ty = aggregate(next());
  } else if (skip("void")) {
    Ty = M.voidType();
  } else if (!(Ty = scalarOrVector(T))) {
    fail(T, "'" + T.Text + "' is no type and no operator");
  } else {
    next();
  }
  --Depth;
  return Ty;
}

/// `{ x: int @0, y: float @4 }`
bool Reader::fields(Type &T) {
  if (!expect("{"))
    return false;
  if (skip("}"))
    return true;
  do {
    std::optional<std::string> Name = name("the name of a field");
    if (!Name || !expect(":"))
      return false;
    const Type *Ty = type();
    if (!Ty || !expect("@"))
      return false;
    std::optional<uint64_t> Offset = number("an offset");
    if (!Offset)
      return false;
    T.Fields.push_back({*Name, Ty, *Offset});
  } while (skip(","));
  return expect("}");
}

bool Reader::structType(bool IsUnion) {
  const Token &Begin = peek();
  Type T;
  T.K = Type::Kind::Struct;
  T.IsUnion = IsUnion;
  std::optional<std::string> Name = name("the name of a type");
  if (!Name)
    return false;
  T.Name = *Name;
  if (!expect("size"))
    return false;
  std::optional<uint64_t> Size = number("a size");
  if (!Size || !expect("align"))
    return false;
  std::optional<uint64_t> Align = number("an alignment");
  if (!Align)
    return false;
  if (*Size > MaxSize)
    return fail(Begin, "this type is too large");
  T.Size = *Size;
  T.Align = *Align;
  if (!fields(T))
    return false;
  if (Structs.count(*Name))
    return fail(Begin, "a second type '" + *Name + "'");
  Structs[*Name] = M.addStruct(std::move(T));
  return endLine();
}

//===----------------------------------------------------------------------===//
// Variables, functions, kernels
//===----------------------------------------------------------------------===//

/// `%x: int`, `%x: int address_taken`; with a Default, the type may be missing.
/// Its place in Places is the caller's business.
Variable *Reader::variable(Storage Store, const Type *Default) {
  const Token &T = peek();
  bool IsGlobal = Store == Storage::TileStatic || Store == Storage::Constant;
  if (!at(IsGlobal ? Token::Kind::Global : Token::Kind::Local))
    return unexpected("the name of a variable"), nullptr;
  next();
  const Type *Ty = Default;
  if (skip(":"))
    Ty = type();
  else if (!Ty)
    unexpected("':'");
  if (!Ty)
    return nullptr;
  auto *V = M.make<Variable>();
  V->Name = T.Name;
  V->Ty = Ty;
  V->Store = Store;
  V->Where = locationOf(T);
  V->AddressTaken = skip("address_taken");
  Result.Positions[V] = {T.Line, T.Column};
  if (!(IsGlobal ? Globals : Locals).try_emplace(T.Text, V).second)
    return fail(T, "a second variable '" + T.Text + "'"), nullptr;
  return V;
}

bool Reader::global(Storage Store) {
  Variable *V = variable(Store);
  if (!V)
    return false;
  M.Globals.push_back(V);
  Places.push_back(&V->Where);
  if (skip("=") && !(V->Init = wholeValue()))
    return false;
  return endLine();
}

bool Reader::function() {
  const Token &T = peek();
  if (!at(Token::Kind::Global))
    return unexpected("the name of a function");
  next();
  auto F = std::make_unique<Function>();
  F->Name = T.Name + T.Suffix.str();
  F->Where = locationOf(T);
  Result.Positions[F.get()] = {T.Line, T.Column};
  Places.push_back(&F->Where);
  Locals.clear();
  if (!expect("("))
    return false;
  if (!skip(")")) {
    do {
      Variable *P = variable(Storage::Param);
      if (!P)
        return false;
      F->Params.push_back(P);
      Places.push_back(&P->Where);
    } while (skip(","));
    if (!expect(")"))
      return false;
  }
  if (!expect("->") || !(F->Result = type()) || !expect("inline") ||
      !block(F->Stmts, Loc()) || !endLine())
    return false;
  if (!Functions.try_emplace(T.Text, F.get()).second)
    return fail(T, "a second function '" + T.Text + "'");
  M.Functions.push_back(std::move(F));
  return true;
}

/// ` domain rank 2 tile 16 x 16 in @main symbol ampc_main_0 uses double`
bool Reader::kernelHeader(Kernel &K) {
  if (!expect("domain") || !expect("rank"))
    return false;
  auto Small = [&](unsigned &To) {
    std::optional<uint64_t> Value = number("a number");
    To = std::min<uint64_t>(Value.value_or(0), ~0u);
    return Value.has_value();
  };
  if (!Small(K.Rank))
    return false;
  if (skip("tile")) {
    do {
      K.Tile.push_back(0);
      if (!Small(K.Tile.back()))
        return false;
    } while (skip("x"));
  }
  if (!expect("in"))
    return false;
  if (!at(Token::Kind::Global))
    return unexpected("the name of a host function");
  K.Host = peek().Name + peek().Suffix.str();
  next();
  if (!expect("symbol"))
    return false;
  std::optional<std::string> Symbol = name("a symbol");
  if (!Symbol)
    return false;
  K.Symbol = *Symbol;
  K.UsesDouble = skip("uses");
  return !K.UsesDouble || expect("double");
}

bool Reader::captures(Kernel &K) {
  while (skip("capture")) {
    Variable *V = variable(Storage::Capture);
    if (!V)
      return false;
    K.Captures.push_back(V);
    Places.push_back(&V->Where);
    if (!endLine())
      return false;
  }
  return true;
}

bool Reader::indices(Kernel &K) {
  if (!skip("index"))
    return true;
  do {
    Variable *V = variable(Storage::Index, M.intType());
    if (!V)
      return false;
    K.Indices.push_back(V);
    Places.push_back(&V->Where);
  } while (skip(","));
  return endLine();
}

bool Reader::kernel() {
  const Token &T = peek();
  if (!at(Token::Kind::Global))
    return unexpected("the name of a kernel");
  next();
  auto K = std::make_unique<Kernel>();
  K->Name = T.Name + T.Suffix.str();
  K->Where = locationOf(T);
  Result.Positions[K.get()] = {T.Line, T.Column};
  Places.push_back(&K->Where);
  Locals.clear();
  if (!kernelHeader(*K) || !expect("{") || !endLine() || !captures(*K) ||
      !indices(*K) || !body(K->Stmts) || !expect("}") || !endLine())
    return false;
  if (!KernelNames.insert(T.Text).second)
    return fail(T, "a second kernel '" + T.Text + "'");
  M.Kernels.push_back(std::move(K));
  return true;
}

bool Reader::file() {
  const Token &T = peek();
  if (IsSource || !M.Functions.empty() || !M.Kernels.empty())
    return fail(T, "'file' lines stand at the top of the text");
  if (!at(Token::Kind::String))
    return unexpected("a file name in quotes");
  M.Files.push_back(next().Name);
  return endLine();
}

std::optional<TextModule> Reader::run() {
  while (!at(Token::Kind::End)) {
    bool Good = skip("file")          ? file()
                : skip("struct")      ? structType(false)
                : skip("union")       ? structType(true)
                : skip("tile_static") ? global(Storage::TileStatic)
                : skip("constant")    ? global(Storage::Constant)
                : skip("func")        ? function()
                : skip("kernel")      ? kernel()
                                      : unexpected("a function or kernel");
    if (!Good)
      return std::nullopt;
  }
  return std::move(Result);
}

std::optional<TextModule> read(StringRef File, StringRef Text,
                               TextError &Error) {
  return Reader(File, Text, Error).run();
}

} // namespace ampc::kir
