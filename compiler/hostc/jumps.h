//===- jumps.h - which scopes a goto or switch enters past their start ----===//
#ifndef AMPC_HOSTC_JUMPS_H
#define AMPC_HOSTC_JUMPS_H

#include "clang/AST/Stmt.h"
#include <map>
#include <vector>

namespace ampc::hostc {

/// Numbers a function's statements in source order and finds its jumps.
class Jumps {
public:
  /// Statements with Begin < number <= End.
  struct Interval {
    unsigned Begin, End;
    bool contains(unsigned N) const { return Begin < N && N <= End; }
  };

  explicit Jumps(const clang::Stmt *FunctionBody);

  /// What stands inside S.
  Interval inside(const clang::Stmt *S) const;
  /// What stands in Block behind S.
  Interval after(const clang::Stmt *S, const clang::Stmt *Block) const;
  /// Some goto or switch outside leads to a label or case inside.
  bool enter(Interval I) const;

private:
  void number(const clang::Stmt *S);

  struct Jump {
    unsigned From, To;
  };
  std::map<const clang::Stmt *, Interval> Intervals;
  std::vector<Jump> Found;
  std::vector<unsigned> IndirectGotos;
  std::map<const clang::LabelDecl *, unsigned> Labels;
  std::vector<std::pair<unsigned, const clang::LabelDecl *>> Gotos;
  std::vector<const clang::LabelDecl *> Addressed;
  std::vector<unsigned> Switches; ///< enclosing
  unsigned Count = 0;
};

} // namespace ampc::hostc

#endif
