//===- typeof.cpp - typeof of a view's element ----------------------------===//

#include "frontend/typeof.h"
#include "frontend/dialect.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Token.h"

using namespace clang;

namespace ampc {
namespace {

class Finder : public RecursiveASTVisitor<Finder> {
public:
  Finder(const SourceManager &SM, std::set<unsigned> &Places)
      : SM(SM), Places(Places) {}

  bool VisitTypeOfExprTypeLoc(TypeOfExprTypeLoc L) {
    QualType Ty = L.getUnderlyingExpr()->getType().getCanonicalType();
    bool IsElement = isTargetAddressSpace(Ty.getAddressSpace());
    if (IsElement && L.getTypePtr()->getKind() == TypeOfKind::Qualified &&
        !isLibraryFile(SM.getFilename(SM.getSpellingLoc(L.getTypeofLoc()))))
      Places.insert(L.getTypeofLoc().getRawEncoding());
    return true;
  }

private:
  const SourceManager &SM;
  std::set<unsigned> &Places;
};

} // namespace

// Clang hands the token out by reference to const, but it is the parser's own.
void ElementTypeofs::see(const Token &T) const {
  if (T.is(tok::kw_typeof) && Places.count(T.getLocation().getRawEncoding()))
    const_cast<Token &>(T).setKind(tok::kw_typeof_unqual);
}

bool ElementTypeofs::find(ASTContext &C) {
  size_t Before = Places.size();
  Finder(C.getSourceManager(), Places)
      .TraverseDecl(C.getTranslationUnitDecl());
  return Places.size() > Before;
}

} // namespace ampc
