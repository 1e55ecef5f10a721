//===- blocks.cpp - S10 and C1, where no kernel is ------------------------===//
//
// Clang parses kernels because it has blocks. Of these, AMP-C has the literal
// that is a kernel: neither their types nor `__block`, which the host compiler
// of the emitted C need not know.
//
//===----------------------------------------------------------------------===//

#include "check/rules.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace ampc::rules {
namespace {

class OtherBlocks : public RecursiveASTVisitor<OtherBlocks> {
public:
  explicit OtherBlocks(Checker &C) : C(C) {}

  bool VisitBlockPointerTypeLoc(BlockPointerTypeLoc L) {
    if (isUsers(L.getCaretLoc()))
      C.error(Message::BlockType, L.getCaretLoc());
    return true;
  }

  bool VisitVarDecl(VarDecl *V) {
    if (V->hasAttr<BlocksAttr>() && isUsers(V->getLocation()))
      C.error(Message::BlockVariable, V->getLocation(), {V->getName().str()});
    return true;
  }

private:
  bool isUsers(SourceLocation At) const {
    return At.isValid() && !C.SM.isInSystemHeader(C.SM.getExpansionLoc(At));
  }

  Checker &C;
};

} // namespace

void checkOtherBlocks(Checker &C) {
  OtherBlocks(C).TraverseDecl(C.Context.getTranslationUnitDecl());
}

} // namespace ampc::rules
