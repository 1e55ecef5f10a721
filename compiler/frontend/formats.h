//===- formats.h - the formats of amp_printf and amp_errorf ---------------===//
//
// A kernel sends the host its arguments as they are; the host formats them. So
// a format must say what its arguments are, and is held to it: check reports
// every Problem, lower takes the arguments of a format without any.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_FRONTEND_FORMATS_H
#define AMPC_FRONTEND_FORMATS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ampc {

struct FormatProblem {
  enum class Kind {
    NotLiteral, ///< the format is no string literal
    Conversion, ///< amp code has no such conversion: Spelling
    Argument,   ///< Spelling takes a Wanted
    TooFew,     ///< Spelling has no argument
    TooMany,    ///< the argument at At belongs to no conversion
    Length,     ///< more arguments than a report holds
  } K;
  clang::SourceLocation At;
  std::string Spelling;
  const char *Wanted = "";
  clang::QualType Got; ///< Argument: its type, as written
};

/// The most arguments that a format can have.
constexpr unsigned MostFormatArguments = 24;

/// The text of the format of a call; nothing if it is no plain string literal.
std::optional<std::string> formatOf(const clang::CallExpr *Call);

/// The argument without the promotion that C gives what `...` takes.
const clang::Expr *unpromoted(const clang::Expr *Argument);

/// Compares the format with the arguments, in their order.
void checkFormat(const clang::CallExpr *Call, const clang::ASTContext &C,
                 llvm::function_ref<void(const FormatProblem &)> Report);

} // namespace ampc

#endif
