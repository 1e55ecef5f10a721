//===- host.h - what becomes of host code ---------------------------------===//
//
// One walk over the declarations and statements that the host compiler will
// see; every construct of the dialect asks for its edit. Launches stop the
// walk: kernels are not host code.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_HOSTC_HOST_H
#define AMPC_HOSTC_HOST_H

#include "hostc/hostc.h"
#include "hostc/jumps.h"
#include "hostc/text.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include <set>

namespace ampc::hostc {

/// How the expression being visited is used.
struct Use {
  bool IsWritten = false;
  bool IsPostfixOperand = false; ///< of . [] ++: a unary operator needs ()
  bool IsDiscarded = false;      ///< its value is
};

class Host {
public:
  Host(Unit &U, const kir::Module &M, const EmbeddedKernels &Kernels, Text &T);

  /// The whole unit but for what markUnused does.
  void visitUnit();
  /// Marks what only kernels use, and what nobody uses in a copied header, so
  /// that host compilers do not warn.
  void markUnused(const std::set<clang::FileID> &Copied);
  bool ok() const { return Ok; }

private:
  // declarations.cpp
  void visitDeclaration(const clang::Decl *D);
  void visitFunction(const clang::FunctionDecl *F);
  void visitVariable(const clang::VarDecl *V);
  /// Expressions within a type: lengths of arrays, operands of typeof.
  void visitType(const clang::TypeSourceInfo *Type);
  void removeDeclaration(const clang::FunctionDecl *F);
  void markUnused(const clang::DeclaratorDecl *D,
                  const std::set<clang::FileID> &Copied);
  clang::SourceLocation semicolonAfter(clang::SourceLocation L);

  // statements.cpp
  void visit(const clang::Stmt *S, Use How = {});
  void visitStatement(const clang::Stmt *S);
  void visitBlock(const clang::CompoundStmt *S, bool HasValue = false);
  void visitFor(const clang::ForStmt *S);
  void visitReturn(const clang::ReturnStmt *S);
  clang::SourceLocation endOfStatement(const clang::Stmt *S);

  // expressions.cpp
  void visitExpression(const clang::Expr *E, Use How);
  void visitUnary(const clang::UnaryOperator *E, Use How);
  void visitBinary(const clang::BinaryOperator *E, Use How);
  void visitSubscript(const clang::ArraySubscriptExpr *E, Use How);
  void visitCast(const clang::CStyleCastExpr *E, Use How);
  void visitCall(const clang::CallExpr *E);
  void visitGeneric(const clang::GenericSelectionExpr *E, Use How);
  bool visitViewArithmetic(const clang::BinaryOperator *E);
  bool mayMoveData(const clang::Stmt *S);

  // views.cpp
  struct Access {
    const clang::Expr *Base = nullptr;           ///< of view type
    unsigned Rank = 0;                           ///< Base's
    std::vector<const clang::Expr *> Subscripts; ///< null: 0, of unary *
  };
  std::optional<Access> accessOf(const clang::Expr *E);
  bool namesElement(const clang::Expr *E);
  void visitAccess(const clang::Expr *E, const Access &A, Use How);
  void visitAddress(const clang::UnaryOperator *E, const Access &A);
  Pieces projection(const Access &A, size_t Count);
  clang::FileID libraryNode(const clang::Expr *E);
  void visitLibraryUse(const clang::Expr *E, clang::FileID Macro, Use How);
  void visitLibraryAt(const clang::Expr *E, unsigned Rank, Use How);
  void visitArguments(const clang::Stmt *S, clang::FileID Macro);

  // vectors.cpp
  /// Components of a vector: of the vector itself, or (IsArrow) of what it
  /// points to.
  struct Lanes {
    const clang::Expr *Vector;
    bool IsArrow;
    llvm::SmallVector<uint32_t, 4> Numbers;
  };
  Lanes lanesOf(const clang::ExtVectorElementExpr *E);
  /// The type's name on the host; none for a vector that is not the library's.
  std::optional<std::string> vectorName(clang::QualType T);
  void visitSwizzle(const clang::ExtVectorElementExpr *E, Use How);
  bool visitLanesAssignment(const clang::BinaryOperator *E, Use How);
  void visitSplat(const clang::CastExpr *E);
  void visitVectorOperand(const clang::Expr *E);
  bool visitVectorBinary(const clang::BinaryOperator *E);
  bool visitVectorNot(const clang::UnaryOperator *E);
  bool visitVectorSelect(const clang::ConditionalOperator *E);
  bool visitShuffle(const clang::ShuffleVectorExpr *E);

  // ownership.cpp
  enum class Opening { None, Own, Adopt };
  struct Opened {
    std::string Path; ///< ".v", "[2]"
    Opening How;
  };
  struct Owner {
    std::string Id;
    size_t Depth; ///< of the block it is declared in
  };
  Opening openingOf(const clang::Expr *E);
  bool giveOpened(const clang::Expr *E);
  void collectOpened(clang::QualType Ty, const clang::Expr *Init,
                     const std::string &Path, std::vector<Opened> &Out);
  std::vector<std::string> viewPaths(clang::QualType Ty,
                                     const std::string &Path);
  /// The text that makes V's owners, "" when it opens nothing; Scope is the
  /// part of the function where V may be used.
  std::string own(const clang::VarDecl *V, Jumps::Interval Scope);
  std::string ownerId(const clang::VarDecl *V, const std::string &Path);
  void handOver(const clang::Expr *Value);
  void leaveOpen(const clang::CallExpr *E);

  // kernels.cpp
  void visitLaunch(const Launch &L);
  std::string constants() const;
  std::string reports();
  std::string accelerators() const;
  /// B, C: the kernel for Vulkan and for the CPU accelerator, null when not
  /// compiled for it.
  std::string tables(const Launch &L,
                     const std::vector<kir::CapturedView> &Views,
                     const spirv::Binary *B, const cpu::Code *C);

  // captures.cpp
  std::string captureStruct(const Launch &L);
  /// Of a struct that holds a T called Name, in front of function F.
  std::string field(clang::QualType T, std::string Name,
                    const clang::FunctionDecl *F, unsigned Indent);
  std::string recordBody(const clang::RecordDecl *R,
                         const clang::FunctionDecl *F, unsigned Indent);
  /// T's name means T in front of function F.
  bool isKnownBefore(clang::QualType T, const clang::FunctionDecl *F);

  /// T for a cast or sizeof: no address space, no top-level qualifiers.
  std::string typeText(clang::QualType T);
  void refuse(clang::SourceLocation L, llvm::StringRef What);

  Unit &U;
  const kir::Module &M;
  const EmbeddedKernels &Kernels;
  const std::vector<uint32_t> ConstantWords;
  std::set<std::string> Reporting; ///< symbols of the kernels that report
  Text &T;
  bool Ok = true;
  std::map<const clang::RecordDecl *, std::string> Tags; ///< of the unnamed
  std::map<const clang::CallExpr *, size_t> Launches; ///< index of U.Launches
  std::set<const clang::Decl *> UsedByHost;           ///< canonical

  // Of the function being visited:
  std::set<const clang::CallExpr *>
      Taken; ///< whose results a variable, or the caller, adopts
  std::optional<Jumps> Flow;
  std::vector<const clang::CompoundStmt *>
      Blocks;                ///< enclosing, outermost first
  std::vector<Owner> Owners; ///< in scope
};

} // namespace ampc::hostc

#endif
