//===- kernels.cpp - launches and the tables they point to ----------------===//
//
// Each kernel becomes constant tables in front of the declaration that launches
// it (include/ampc/kernel.h says what they hold); parallel_for_each becomes one
// call that gathers the captures.
//
//===----------------------------------------------------------------------===//

#include "hostc/host.h"
#include "hostc/report.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace ampc::hostc {

void Host::visitLaunch(const Launch &L) {
  std::string Rank = std::to_string(L.Rank);
  bool IsTiled = tiledExtentRank(L.Domain->getType()).has_value();
  Pieces New = {"ampc_launch(&" + L.Symbol + "_kernel, "};
  if (L.View)
    New.push_back(L.View->getSourceRange());
  else
    New.push_back("NULL");
  New.push_back((IsTiled ? ", ampc_domain_tiled_" : ", ampc_domain_") + Rank +
                "(");
  New.push_back(L.Domain->getSourceRange());
  std::string Captures;
  for (const VarDecl *V : L.Captures) {
    UsedByHost.insert(V->getCanonicalDecl());
    Captures += (Captures.empty() ? "" : ", ") + V->getName().str();
  }
  New.push_back(Captures.empty()
                    ? "), NULL)"
                    : "), &(const struct " + L.Symbol + "){" + Captures + "})");
  T.replace(L.Call->getSourceRange(), std::move(New), /*IsStatement=*/true);
  visit(L.Domain);
  visit(L.View);
}

//===----------------------------------------------------------------------===//
// Captures
//===----------------------------------------------------------------------===//

// The type as it can be written in front of the function: without typedefs of
// the function's own.
std::string Host::fileScopeType(QualType Ty, const VarDecl *Of) {
  for (;;) {
    const Type *P = Ty.getTypePtr();
    if (const auto *E = dyn_cast<ElaboratedType>(P))
      P = E->getNamedType().getTypePtr();
    const auto *Alias = dyn_cast<TypedefType>(P);
    if (Alias && !Alias->getDecl()->getDeclContext()->isFunctionOrMethod())
      return typeText(Ty);
    if (isa<TagType>(P))
      break;
    QualType Simpler = Ty.getSingleStepDesugaredType(U.Context);
    if (Simpler == Ty)
      break;
    Ty = Simpler;
  }
  QualType Named = Ty;
  if (std::optional<ViewType> V = viewType(Ty))
    Named = V->Element;
  const TagDecl *Tag = Named->getAsTagDecl();
  if (Tag && Tag->getDeclContext()->isFunctionOrMethod() && !viewType(Ty))
    refuse(Of->getLocation(),
           "capturing '" + Of->getName().str() +
               "' of a type that is declared inside a function");
  else if (Tag && !Tag->getIdentifier() && !Tag->getTypedefNameForAnonDecl())
    refuse(Of->getLocation(),
           "capturing '" + Of->getName().str() + "' of a type without a name");
  return typeText(Ty);
}

std::string Host::captureStruct(const Launch &L) {
  if (L.Captures.empty())
    return "";
  std::string S = "struct " + L.Symbol + " {\n";
  for (const VarDecl *V : L.Captures)
    S += "    " + fileScopeType(V->getType().getUnqualifiedType(), V) + " " +
         V->getName().str() + ";\n";
  return S + "};\n";
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static const char *argumentKind(spirv::Argument::Kind K) {
  switch (K) {
  case spirv::Argument::Kind::ViewAddress:
    return "AMPC_ARG_VIEW_ADDRESS";
  case spirv::Argument::Kind::ViewStride:
    return "AMPC_ARG_VIEW_STRIDE";
  case spirv::Argument::Kind::ViewExtent:
    return "AMPC_ARG_VIEW_EXTENT";
  case spirv::Argument::Kind::DomainExtent:
    return "AMPC_ARG_DOMAIN_EXTENT";
  case spirv::Argument::Kind::Bytes:
    return "AMPC_ARG_BYTES";
  }
  llvm_unreachable("all kinds are above");
}

static bool hasDimension(spirv::Argument::Kind K) {
  return K == spirv::Argument::Kind::ViewStride ||
         K == spirv::Argument::Kind::ViewExtent ||
         K == spirv::Argument::Kind::DomainExtent;
}

std::string Host::tables(const Launch &L, const spirv::Binary &B) {
  std::string Result;
  llvm::raw_string_ostream OS(Result);
  const std::string &S = L.Symbol;
  auto Offset = [&](unsigned Capture, const std::string &Path) {
    return "offsetof(struct " + S + ", " +
           L.Captures[Capture]->getName().str() + Path + ")";
  };

  OS << captureStruct(L);
  OS << "static const uint32_t " << S << "_spirv[] = {";
  for (size_t I = 0; I < B.Words.size(); ++I)
    OS << (I % 8 ? " " : "\n    ") << llvm::format("0x%08x,", B.Words[I]);
  OS << "\n};\n";

  if (!B.Arguments.empty()) {
    OS << "static const struct ampc_argument " << S << "_arguments[] = {\n";
    for (const spirv::Argument &A : B.Arguments) {
      OS << "    {.kind = " << argumentKind(A.K);
      if (hasDimension(A.K))
        OS << ", .dimension = " << A.Dimension;
      OS << ", .offset = " << A.Offset << ", .size = " << A.Size;
      if (A.K != spirv::Argument::Kind::DomainExtent) {
        OS << ", .source = " << Offset(A.Capture, A.Path);
        if (A.Source)
          OS << " + " << A.Source;
      }
      OS << "},\n";
    }
    OS << "};\n";
  }

  if (!B.Views.empty()) {
    OS << "static const struct ampc_captured_view " << S << "_views[] = {\n";
    for (const spirv::CapturedView &V : B.Views)
      OS << "    {.source = " << Offset(V.Capture, V.Path)
         << ", .element_size = " << V.ElementSize << ", .rank = " << V.Rank
         << ", .read_only = " << V.ReadOnly << "},\n";
    OS << "};\n";
  }

  PresumedLoc Where = U.Sources.getPresumedLoc(
      U.Sources.getExpansionLoc(L.Call->getBeginLoc()));
  OS << "static const struct ampc_kernel " << S << "_kernel = {\n"
     << "    .abi_version = AMPC_ABI_VERSION, .size = sizeof(struct "
        "ampc_kernel),\n"
     << "    .name = " << quoted(L.Name)
     << ", .file = " << quoted(Where.getFilename())
     << ", .line = " << Where.getLine() << ", .rank = " << L.Rank << ",\n";
  if (!L.Tile.empty()) {
    OS << "    .tile = {";
    for (size_t I = 0; I < L.Tile.size(); ++I)
      OS << (I ? ", " : "") << L.Tile[I];
    OS << "},\n";
  }
  if (B.UsesDouble)
    OS << "    .features = AMPC_FEATURE_DOUBLE,\n";
  if (B.TileStaticBytes)
    OS << "    .tile_static_bytes = " << B.TileStaticBytes << ",\n";
  OS << "    .argument_bytes = " << B.ArgumentBytes;
  if (B.Indirect)
    OS << ", .indirect = 1";
  OS << ",\n";
  if (!B.Arguments.empty())
    OS << "    .arguments = " << S
       << "_arguments, .argument_count = " << B.Arguments.size() << ",\n";
  if (!B.Views.empty())
    OS << "    .views = " << S << "_views, .view_count = " << B.Views.size()
       << ",\n";
  OS << "    .spirv = " << S << "_spirv, .spirv_words = " << B.Words.size()
     << ",\n};\n";
  return OS.str();
}

} // namespace ampc::hostc
