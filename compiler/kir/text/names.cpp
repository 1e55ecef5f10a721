//===- names.cpp - the words of KIR text ----------------------------------===//

#include "kir/text/names.h"
#include "kir/text/lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace ampc::kir {

namespace {
struct OperatorNames {
  StringRef Signed, Unsigned, Float;
};
} // namespace

static const OperatorNames UnaryNames[] = {
#define AMPC_UNARY(ID, SIGNED, UNSIGNED, FLOAT) {SIGNED, UNSIGNED, FLOAT},
#include "kir/operators.def"
};
static const OperatorNames BinaryNames[] = {
#define AMPC_BINARY(ID, SIGNED, UNSIGNED, FLOAT) {SIGNED, UNSIGNED, FLOAT},
#include "kir/operators.def"
};
static const StringRef IntrinsicNames[] = {
#define AMPC_INTRINSIC(ID, NAME, ARITY) NAME,
#include "kir/intrinsics.def"
};
static const StringRef MemoryNames[] = {"all", "global", "tile_static"};

static StringRef pick(const OperatorNames &N, const Type *T) {
  T = T->scalar();
  if (T->isFloat() && !N.Float.empty())
    return N.Float;
  return T->Signed ? N.Signed : N.Unsigned;
}

StringRef nameOf(UnaryOp Op, const Type *Operand) {
  return pick(UnaryNames[unsigned(Op)], Operand);
}
StringRef nameOf(BinaryOp Op, const Type *Operand) {
  return pick(BinaryNames[unsigned(Op)], Operand);
}
StringRef nameOf(IntrinsicOp Op) { return IntrinsicNames[unsigned(Op)]; }
StringRef nameOf(Fenced Memory) { return MemoryNames[unsigned(Memory)]; }

template <typename T>
static std::optional<T> find(llvm::ArrayRef<OperatorNames> Table,
                             StringRef Name) {
  for (const auto &[I, N] : llvm::enumerate(Table))
    if (Name == N.Signed || Name == N.Unsigned || Name == N.Float)
      return T(I);
  return std::nullopt;
}

template <typename T>
static std::optional<T> find(llvm::ArrayRef<StringRef> Table, StringRef Name) {
  const auto *At = llvm::find(Table, Name);
  return At == Table.end() ? std::nullopt
                           : std::optional(T(At - Table.begin()));
}

std::optional<UnaryOp> unaryNamed(StringRef Name) {
  return find<UnaryOp>(UnaryNames, Name);
}
std::optional<BinaryOp> binaryNamed(StringRef Name) {
  return find<BinaryOp>(BinaryNames, Name);
}
std::optional<IntrinsicOp> intrinsicNamed(StringRef Name) {
  return find<IntrinsicOp>(IntrinsicNames, Name);
}
std::optional<Fenced> memoryNamed(StringRef Name) {
  return find<Fenced>(MemoryNames, Name);
}

std::string quoted(StringRef Text) {
  std::string Result = "\"";
  for (char C : Text) {
    if (C == '\\' || C == '"') {
      Result += '\\';
      Result += C;
    } else if ((C >= 0 && C < ' ') || C == 0x7f) {
      Result += '\\';
      Result += llvm::hexdigit(uint8_t(C) >> 4, /*LowerCase=*/true);
      Result += llvm::hexdigit(C & 15, /*LowerCase=*/true);
    } else {
      Result += C;
    }
  }
  return Result + "\"";
}

std::string quotedName(StringRef Name) {
  bool IsWord = !Name.empty() && !llvm::isDigit(Name[0]) &&
                llvm::all_of(Name, isWordCharacter);
  return IsWord ? Name.str() : quoted(Name);
}

std::string suffixedName(StringRef Name) {
  StringRef Word = Name;
  for (;;) {
    StringRef Shorter = Word.rtrim("0123456789");
    if (Shorter.size() == Word.size() || !Shorter.consume_back("."))
      break;
    Word = Shorter;
  }
  return quotedName(Word) + Name.drop_front(Word.size()).str();
}

std::string globalName(StringRef Name) { return "@" + suffixedName(Name); }

std::string fieldName(const Type *Struct, unsigned Field) {
  const std::string &Name = Struct->Fields[Field].Name;
  bool IsFirst = !Name.empty();
  for (unsigned I = 0; I != Field; ++I)
    IsFirst &= Struct->Fields[I].Name != Name;
  return IsFirst ? quotedName(Name) : "#" + std::to_string(Field);
}

std::string integerText(const Type *Ty, uint64_t Bits) {
  return Ty->Signed ? std::to_string(int64_t(extended(Ty, Bits)))
                    : std::to_string(Bits);
}

std::string toString(const Type *T) {
  switch (T->K) {
  case Type::Kind::Void:
    return "void";
  case Type::Kind::Bool:
    return "bool";
  case Type::Kind::Int:
    if (T->Width == 32)
      return T->Signed ? "int" : "unsigned";
    return (T->Signed ? "int" : "unsigned") + std::to_string(T->Width);
  case Type::Kind::Float:
    return T->Width == 32 ? "float" : "double";
  case Type::Kind::Vector:
    return toString(T->Element) + "_" + std::to_string(T->Count);
  case Type::Kind::Array:
    return "array<" + toString(T->Element) + ", " + std::to_string(T->Count) +
           ">";
  case Type::Kind::Struct:
    return (T->IsUnion ? "union " : "struct ") + suffixedName(T->Name);
  case Type::Kind::View:
    return std::string("view<") + (T->ReadOnly ? "const " : "") +
           toString(T->Element) + ", " + std::to_string(T->Rank) + ">";
  case Type::Kind::Pointer:
    return "pointer<" + toString(T->Element) + ">";
  }
  return "";
}

} // namespace ampc::kir
