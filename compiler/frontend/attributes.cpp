//===- attributes.cpp - attributes that AMP-C leaves to its library -------===//

#include "frontend/attributes.h"
#include "frontend/dialect.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace ampc {

void RefusedAttributes::watch(Preprocessor &P) {
  PP = &P;
  auto Refuse = [&](const char *Instead, ArrayRef<const char *> Refused) {
    for (StringRef Name : Refused)
      for (std::string Spelling : {Name.str(), "__" + Name.str() + "__"})
        Names[P.getIdentifierInfo(Spelling)] = Instead;
  };
  Refuse("write array_view(T, N) for a view", {"address_space"});
  Refuse("write float_4 and its like for a short vector, or 'vector_size'",
         {"ext_vector_type"});
  Refuse("write a struct with an array", {"matrix_type"});
  Refuse("write array_view(T, N) for accelerator memory",
         {"opencl_global", "opencl_global_device", "opencl_global_host",
          "opencl_local", "opencl_constant", "opencl_private",
          "opencl_generic"});
  Refuse("C has none of it", {"objc_gc", "objc_ownership"});
}

void RefusedAttributes::see(const Token &T) {
  bool Square = T.is(tok::l_square);
  if (Where != Inside) {
    bool Opens =
        Where == Introduced ? T.is(tok::l_paren) : Square && AfterSquare;
    Depth = Opens ? (Square ? 2 : 1) : 0;
    Where = Opens ? Inside : T.is(tok::kw___attribute) ? Introduced : Outside;
  } else if (T.isOneOf(tok::l_paren, tok::l_square)) {
    ++Depth;
  } else if (T.isOneOf(tok::r_paren, tok::r_square) && !--Depth) {
    Where = Outside;
  } else if (T.is(tok::identifier)) {
    auto Found = Names.find(T.getIdentifierInfo());
    const SourceManager &SM = PP->getSourceManager();
    SourceLocation Spelled = SM.getSpellingLoc(T.getLocation());
    if (Found != Names.end() && !SM.isInSystemHeader(Spelled) &&
        !isLibraryFile(SM.getFilename(Spelled))) {
      DiagnosticsEngine &D = PP->getDiagnostics();
      D.Report(T.getLocation(),
               D.getCustomDiagID(DiagnosticsEngine::Error,
                                 "AMP-C has no attribute '%0': %1"))
          << T.getIdentifierInfo()->getName() << Found->second;
    }
  }
  AfterSquare = Square;
}

} // namespace ampc
