//===- types.cpp - KIR's types in C ---------------------------------------===//

#include "cpu/types.h"
#include "llvm/ADT/StringExtras.h"

using namespace ampc::kir;

namespace ampc::cpu {

static std::string scalarName(const Type *T) {
  if (T->isBool())
    return "_Bool";
  if (T->isFloat())
    return T->Width == 64 ? "double" : "float";
  switch (T->Width) {
  case 8:
    return T->Signed ? "signed char" : "unsigned char";
  case 16:
    return T->Signed ? "short" : "unsigned short";
  case 32:
    return T->Signed ? "int" : "unsigned";
  default:
    return T->Signed ? "int64_t" : "uint64_t";
  }
}

/// "float_4": the short vectors of <ampc/types.h>.
static std::string vectorName(const Type *T) {
  std::string Lane = T->Element->isInt() && !T->Element->Signed
                         ? "uint"
                         : scalarName(T->Element);
  return Lane + "_" + std::to_string(T->Count);
}

/// The part of <ampc/cpu.h>'s name for a type that aliases all others.
static std::string aliasName(const Type *T) {
  std::string Name = T->isVector() ? vectorName(T) : scalarName(T);
  if (T->isBool())
    Name = "bool";
  for (char &C : Name)
    if (C == ' ')
      C = '_';
  return "ampc_alias_" + Name;
}

std::string Types::base(const Type *T, bool Alias) {
  switch (T->K) {
  case Type::Kind::Void:
    return "void";
  case Type::Kind::Bool:
  case Type::Kind::Int:
  case Type::Kind::Float:
    return Alias ? aliasName(T) : scalarName(T);
  case Type::Kind::Vector:
    return Alias ? aliasName(T) : vectorName(T);
  case Type::Kind::Struct:
    return (T->IsUnion ? "union " : "struct ") + structName(T);
  case Type::Kind::View:
    return "struct ampc_view_" + std::to_string(T->Rank);
  case Type::Kind::Array:
    return base(T->Element, Alias);
  case Type::Kind::Pointer:
    return base(T->Element, true);
  }
  llvm_unreachable("every kind of type is above");
}

std::string Types::declare(const Type *T, const std::string &Name) {
  std::string Declarator = Name;
  const Type *Rest = T;
  // Inside out, as C reads: pointers bind less tightly than arrays.
  bool AfterPointer = false;
  for (;; Rest = Rest->Element) {
    if (Rest->isArray()) {
      if (AfterPointer)
        Declarator = "(" + Declarator + ")";
      AfterPointer = false;
      Declarator += "[" + std::to_string(Rest->Count) + "]";
    } else if (Rest->isPointer()) {
      Declarator = "*" + Declarator;
      AfterPointer = true;
    } else {
      break;
    }
  }
  std::string Left = base(T, false);
  if (Declarator.empty() || Declarator[0] == '[')
    return Left + Declarator;
  return Left + " " + Declarator;
}

std::string Types::field(const Type *Struct, unsigned Index) {
  const std::string &Name = Struct->Fields[Index].Name;
  return Name.empty() ? "ampc_" + std::to_string(Index) : Name;
}

const std::string &Types::structName(const Type *T) {
  auto [At, New] = Structs.try_emplace(T);
  if (!New)
    return At->second;
  std::string Name = "ampc_type";
  if (!T->Name.empty() && !llvm::isDigit(T->Name[0]))
    Name = "ampc_type_" + T->Name;
  for (char &C : Name)
    if (!llvm::isAlnum(C))
      C = '_';
  std::string Unique = Name;
  for (unsigned I = 1; !Taken.insert(Unique).second; ++I)
    Unique = Name + "_" + std::to_string(I);
  At->second = Unique;
  define(T, Unique);
  return Structs[T];
}

/// Bytes on the host; KIR has none for what no kernel sees the layout of.
static uint64_t alignOf(const Type *T) { return T->Align; }

void Types::define(const Type *T, const std::string &Name) {
  std::string Text = std::string(T->IsUnion ? "union" : "struct") +
                     " __attribute__((may_alias";
  bool HasView = holdsView(T);
  if (!HasView)
    Text += ", aligned(" + std::to_string(T->Align) + ")";
  Text += ")) " + Name + " {\n";
  uint64_t End = 0;
  unsigned Pads = 0;
  auto PadTo = [&](uint64_t Offset) {
    Text += "    char ampc_pad_" + std::to_string(Pads++) + "[" +
            std::to_string(Offset - End) + "];\n";
    End = Offset;
  };
  for (unsigned I = 0; I != T->Fields.size(); ++I) {
    const Type::Field &F = T->Fields[I];
    std::string Declaration = declare(F.Ty, field(T, I));
    if (!HasView) {
      uint64_t Align = alignOf(F.Ty);
      bool Packed = F.Offset % Align != 0 || Align > T->Align;
      if (Packed) {
        Align = 1;
        Declaration += " __attribute__((packed, aligned(1)))";
      }
      if (T->IsUnion)
        End = std::max(End, F.Ty->Size);
      else if ((End + Align - 1) / Align * Align != F.Offset)
        PadTo(F.Offset);
      if (!T->IsUnion)
        End = F.Offset + F.Ty->Size;
    }
    Text += "    " + Declaration + ";\n";
  }
  if (!HasView && (End + T->Align - 1) / T->Align * T->Align < T->Size) {
    if (T->IsUnion)
      End = 0;
    PadTo(T->Size);
  }
  Out += Text + "};\n";
}

} // namespace ampc::cpu
