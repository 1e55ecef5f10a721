//===- rules.h - what the rule groups share -------------------------------===//
//
// A Body is one stretch of code that the rules look at: a kernel, a function,
// or the initialiser of a global. The Checker knows all of them and how amp
// code calls amp code; a Report is one diagnostic on its way out.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_CHECK_RULES_H
#define AMPC_CHECK_RULES_H

#include "frontend/frontend.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <deque>
#include <set>

namespace ampc::rules {

/// The sentences of restrictions.def.
enum class Message {
#define AMPC_MESSAGE(ID, KEY, TEXT) KEY,
#include "check/restrictions.def"
};

struct Body;

/// A call of a user's function that has `amp`, in amp code.
struct AmpCall {
  const clang::CallExpr *Call;
  const clang::FunctionDecl *Callee; ///< canonical
  const Body *Target;                ///< null: its body is not visible
};

struct Body {
  const clang::Decl *Owner; ///< function, kernel's block, global variable
  const clang::Stmt *Root;
  bool Amp = false; ///< amp code
  bool Cpu = false; ///< host code; both for restrict(cpu, amp)
  const Launch *Kernel = nullptr;

  // Amp bodies only.
  std::vector<AmpCall> Calls;
  const Body *Caller = nullptr; ///< next on the shortest way to a kernel
  const clang::CallExpr *CallerCall = nullptr;
  bool Reached = false; ///< by some kernel

  mutable bool Faulty = false; ///< an error has been reported in it

  const clang::FunctionDecl *function() const {
    return llvm::dyn_cast<clang::FunctionDecl>(Owner);
  }
  /// "'half'" or "kernel 'scale.0'".
  std::string name() const;
};

class Checker;

/// One error, its notes, and the body it stands in, for the notes at each call
/// on the way from the kernel.
struct Finding {
  Message M;
  clang::SourceLocation Loc;
  std::vector<std::string> Args;
  clang::SourceRange Range;
  std::vector<std::pair<clang::SourceLocation, std::string>> Notes;
  std::vector<clang::FixItHint> Fixes;
  const Body *Where = nullptr;
};

/// What a message says, %0 for an argument, and its rule.
std::string sentence(Message M);

void emit(Unit &U, const Finding &F);

/// Hands its finding to the checker when it goes out of scope.
class Report {
public:
  Report(Checker &C, Message M, clang::SourceLocation Loc,
         std::vector<std::string> Args)
      : C(C), F{M, Loc, std::move(Args), {}, {}, {}} {}
  Report(const Report &) = delete;
  ~Report();

  Report &in(const Body &B) { return in(&B); }
  Report &in(const Body *B) {
    F.Where = B;
    return *this;
  }
  Report &mark(clang::SourceRange R) {
    F.Range = R;
    return *this;
  }
  Report &note(clang::SourceLocation Loc, std::string Text) {
    F.Notes.emplace_back(Loc, std::move(Text));
    return *this;
  }
  /// "'x' is declared here", unless it is the library's.
  Report &declared(const clang::NamedDecl *D);
  /// How the launch of an untiled kernel is spelled with tiles.
  Report &tiled(const Body &Kernel);
  Report &replace(clang::CharSourceRange R, llvm::StringRef Text) {
    F.Fixes.push_back(clang::FixItHint::CreateReplacement(R, Text));
    return *this;
  }
  Report &insert(clang::SourceLocation At, llvm::StringRef Text) {
    F.Fixes.push_back(clang::FixItHint::CreateInsertion(At, Text));
    return *this;
  }

private:
  Checker &C;
  Finding F;
};

/// Why a type is not for amp code.
struct TypeFault {
  Message M;
  std::string What; ///< "member 'pos.next' of 'struct node'"; empty: the object
  std::vector<std::string> Args; ///< %1 and on
  const clang::FieldDecl *Member = nullptr;
};

class Checker {
public:
  explicit Checker(Unit &U);

  Unit &U;
  clang::ASTContext &Context;
  clang::SourceManager &SM;
  std::deque<Body> Bodies; ///< stable addresses
  /// Variables whose declaration was refused: what follows from it is not
  /// reported again.
  llvm::DenseSet<const clang::Decl *> Refused;

  Report error(Message M, clang::SourceLocation Loc,
               std::vector<std::string> Args = {}) {
    return Report(*this, M, Loc, std::move(Args));
  }

  std::string typeName(clang::QualType T) const {
    return dialectName(T, Context);
  }
  bool foundNothing() const { return Findings.empty(); }
  /// Prints what was found, in the order of the source. True when nothing was.
  bool finish();

  /// User code, as opposed to the library and the system's headers.
  bool isUser(const clang::Decl *D) const;

  /// The first fault of an object of type T (T1 to T5), or of a pointer's
  /// target, in amp code at At; nothing when it may be used there.
  std::optional<TypeFault> typeFault(clang::QualType T,
                                     clang::SourceLocation At);
  /// Which types amp code has at At.
  Version types(clang::SourceLocation At) const {
    return U.Types.at(SM.getExpansionLoc(At), SM);
  }
  /// How to get what version Needed has and V lacks, for the end of a message.
  static std::string wayOut(std::optional<Version> Needed, Version V);
  /// Reports a fault of `What` ("variable 'x'") at Loc.
  void refuseType(const TypeFault &F, std::string What,
                  clang::SourceLocation Loc, const clang::NamedDecl *Declared,
                  const Body &B);

  const Body *bodyOf(const clang::FunctionDecl *F) const {
    return Functions.lookup(F->getCanonicalDecl());
  }

private:
  friend class Report;
  void addBodies();
  void linkCalls();
  std::optional<TypeFault> objectFault(clang::QualType T, bool Nested,
                                       Version V);
  std::optional<TypeFault> recordFault(clang::QualType T,
                                       const clang::RecordDecl *R, Version V);

  llvm::DenseMap<const clang::FunctionDecl *, Body *>
      Functions; ///< amp, by canonical declaration
  llvm::DenseSet<const clang::Decl *> CleanRecords[3]; ///< by version
  std::vector<Finding> Findings;
  std::set<unsigned> Places; ///< where an error stands: one is enough
  llvm::DenseSet<const clang::Decl *> FaultyMembers;
};

/// Visits every statement and expression under Root that is evaluated, parents
/// first; not the inside of blocks, of sizeof, of types, of what _Generic does
/// not choose. Parents: outermost first. Visit says whether to go inside.
using Parents = llvm::ArrayRef<const clang::Stmt *>;
void walk(const Checker &C, const clang::Stmt *Root,
          llvm::function_ref<bool(const clang::Stmt *, Parents)> Visit);

/// The innermost parent that is not a parenthesis.
const clang::Stmt *parentOf(Parents P);

// The groups, each in the file of its name.
void checkClauses(Checker &C);      // S2 S3 S4: specifiers.cpp
void checkCalls(Checker &C);        // S5 S7 S8 S9 S10: calls.cpp
void checkTypes(Checker &C);        // T1 to T5: types.cpp
void checkRemaining(Checker &C);    // T1, for what only an expression has
void checkViews(Checker &C);        // V1 V2 V3 V5 C2: views.cpp
void checkDeclarations(Checker &C); // D1 to D3, F1 to F5: declarations.cpp
void checkTileStatic(Checker &C);   // L1 L2 L3: tile_static.cpp
void checkBarriers(Checker &C);     // B3 V4: barriers.cpp
void checkLaunches(Checker &C);     // C1 C3 L4 L5: launches.cpp
void checkOtherBlocks(Checker &C);  // S10 C1, outside of kernels: blocks.cpp
/// Whether a tile keeps to rule L4.
bool isGoodTile(llvm::ArrayRef<unsigned> Dims);
/// C3 for one kernel's domain, as far as it is constant: domains.cpp
void checkDomain(Checker &C, const Body &Kernel);
bool warn(Checker &C);              // the -Wamp-... flags: warnings.cpp

} // namespace ampc::rules

#endif
