//===- names.h - the words of KIR text ------------------------------------===//
//
// The printer and the reader share these: an operator, intrinsic or kind of
// memory that is added to its table can be printed and read at once.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_KIR_TEXT_NAMES_H
#define AMPC_KIR_TEXT_NAMES_H

#include "kir/kir.h"

namespace ampc::kir {

/// The name of an operator says what it does to which type. Operand is the
/// type of the (left) operand.
llvm::StringRef nameOf(UnaryOp Op, const Type *Operand);
llvm::StringRef nameOf(BinaryOp Op, const Type *Operand);
llvm::StringRef nameOf(IntrinsicOp Op);
llvm::StringRef nameOf(Fenced Memory);

/// What a name means, or nothing.
std::optional<UnaryOp> unaryNamed(llvm::StringRef Name);
std::optional<BinaryOp> binaryNamed(llvm::StringRef Name);
std::optional<IntrinsicOp> intrinsicNamed(llvm::StringRef Name);
std::optional<Fenced> memoryNamed(llvm::StringRef Name);

/// A name as text: as it is if the lexer takes it for one word, else quoted.
std::string quotedName(llvm::StringRef Name);
/// In double quotes, with \\, \" and \xx for what does not stand in them.
std::string quoted(llvm::StringRef Text);

/// The same for a name that may end in ".1", as functions and structs have it.
std::string suffixedName(llvm::StringRef Name);
/// @name.1
std::string globalName(llvm::StringRef Name);

/// The field of a struct as it is named behind the dot: its number where the
/// name is empty or not the first of its kind.
std::string fieldName(const Type *Struct, unsigned Field);

/// The bits of an integer constant as the number that they are in Ty, without
/// a suffix.
std::string integerText(const Type *Ty, uint64_t Bits);

} // namespace ampc::kir

#endif
