//===- kernels.cpp - launches and the tables they point to ----------------===//
//
// Each kernel becomes constant tables in front of the declaration that launches
// it (include/ampc/kernel.h says what they hold); parallel_for_each becomes one
// call that gathers the captures.
//
//===----------------------------------------------------------------------===//

#include "hostc/host.h"
#include "hostc/report.h"
#include "kir/reports.h"
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
    std::string Name = V->getName().str();
    Captures += (Captures.empty() ? "" : ", ") +
                (isKnownBefore(V->getType(), L.Host)
                     ? Name
                     : "AMPC_CAPTURED(" + L.Symbol + ", " + Name + ")");
  }
  New.push_back(Captures.empty()
                    ? "), NULL)"
                    : "), &(const struct " + L.Symbol + "){" + Captures + "})");
  T.replace(L.Call->getSourceRange(), std::move(New), /*IsStatement=*/true);
  visit(L.Domain);
  visit(L.View);
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
  case spirv::Argument::Kind::Constants:
    return "AMPC_ARG_CONSTANTS";
  case spirv::Argument::Kind::Reports:
    return "AMPC_ARG_REPORTS";
  }
  llvm_unreachable("all kinds are above");
}

static bool hasDimension(spirv::Argument::Kind K) {
  return K == spirv::Argument::Kind::ViewStride ||
         K == spirv::Argument::Kind::ViewExtent ||
         K == spirv::Argument::Kind::DomainExtent;
}

static bool usesConstants(const spirv::Binary &B) {
  return llvm::any_of(B.Arguments, [](const spirv::Argument &A) {
    return A.K == spirv::Argument::Kind::Constants;
  });
}

static void writeWords(llvm::raw_ostream &OS, llvm::StringRef Name,
                       llvm::ArrayRef<uint32_t> Words) {
  OS << "static const uint32_t " << Name << "[] = {";
  for (size_t I = 0; I < Words.size(); ++I)
    OS << (I % 8 ? " " : "\n    ") << llvm::format("0x%08x,", Words[I]);
  OS << "\n};\n";
}

/// The tables that kernels read from a buffer.
std::string Host::constants() const {
  std::string Result;
  llvm::raw_string_ostream OS(Result);
  if (llvm::any_of(Kernels.Binaries, usesConstants))
    writeWords(OS, "ampc_constants", ConstantWords);
  return OS.str();
}

/// Any text as a C string.
static std::string literal(llvm::StringRef Text) {
  std::string Result = "\"";
  llvm::raw_string_ostream OS(Result);
  for (unsigned char C : Text) {
    if (C == '\n')
      OS << "\\n";
    else if (C == '"' || C == '\\' || C == '?') // no trigraphs
      OS << '\\' << C;
    else if (C < ' ' || C > '~')
      OS << llvm::format("\\%03o", C);
    else
      OS << C;
  }
  OS << '"';
  return Result;
}

/// The texts that kernels report.
std::string Host::reports() {
  for (const std::unique_ptr<kir::Kernel> &K : M.Kernels)
    if (kir::reports(K->Stmts))
      Reporting.insert(K->Symbol);
  std::string Result;
  if (Reporting.empty())
    return Result;
  llvm::raw_string_ostream OS(Result);
  OS << "static const struct ampc_report_format ampc_reports[] = {\n";
  for (const kir::Report *R : M.Reports)
    OS << "    {" << literal(R->Format) << ", "
       << quoted(kir::argumentKinds(R)) << ", "
       << quoted(M.Files[R->Where.File]) << ", " << R->Where.Line << "},\n";
  OS << "};\n";
  return OS.str();
}

/// For the choice of the default accelerator.
std::string Host::accelerators() const {
  if (!Kernels.Binaries.empty() && !Kernels.Codes.empty())
    return "";
  return std::string("__attribute__((constructor)) static void "
                     "ampc_accelerators(void)\n{\n    ampc_compiled_for(") +
         (Kernels.Codes.empty() ? "AMPC_FOR_VULKAN" : "AMPC_FOR_CPU") +
         ");\n}\n";
}

/// What a Vulkan device must have; the CPU accelerator has everything.
static std::string features(const spirv::Binary &B) {
  const std::pair<bool, const char *> Features[] = {
      {B.UsesDouble, "DOUBLE"},
      {B.UsesInt8, "INT8"},
      {B.UsesInt16, "INT16"},
      {B.UsesTileInt8, "TILE_INT8"},
      {B.UsesTileInt16, "TILE_INT16"}};
  std::string Result;
  for (auto [Used, Name] : Features)
    if (Used)
      Result += (Result.empty() ? "    .features = " : " | ") +
                ("AMPC_FEATURE_" + std::string(Name));
  return Result.empty() ? "" : Result + ",\n";
}

std::string Host::tables(const Launch &L,
                         const std::vector<kir::CapturedView> &Views,
                         const spirv::Binary *B, const cpu::Code *C) {
  std::string Result;
  llvm::raw_string_ostream OS(Result);
  const std::string &S = L.Symbol;
  auto Offset = [&](unsigned Capture, const std::string &Path) {
    return "offsetof(struct " + S + ", " +
           L.Captures[Capture]->getName().str() + Path + ")";
  };

  OS << captureStruct(L);
  if (C)
    OS << C->Text;
  if (B)
    writeWords(OS, S + "_spirv", B->Words);

  bool HasArguments = B && !B->Arguments.empty();
  if (HasArguments) {
    OS << "static const struct ampc_argument " << S << "_arguments[] = {\n";
    for (const spirv::Argument &A : B->Arguments) {
      OS << "    {.kind = " << argumentKind(A.K);
      if (hasDimension(A.K))
        OS << ", .dimension = " << A.Dimension;
      OS << ", .offset = " << A.Offset << ", .size = " << A.Size;
      if (A.K != spirv::Argument::Kind::DomainExtent &&
          A.K != spirv::Argument::Kind::Constants &&
          A.K != spirv::Argument::Kind::Reports) {
        OS << ", .source = " << Offset(A.Capture, A.Path);
        if (A.Source)
          OS << " + " << A.Source;
      }
      OS << "},\n";
    }
    OS << "};\n";
  }

  if (!Views.empty()) {
    OS << "static const struct ampc_captured_view " << S << "_views[] = {\n";
    for (const kir::CapturedView &V : Views)
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
  if (B)
    OS << features(*B);
  if (uint64_t Bytes = B ? B->TileStaticBytes : C->TileStaticBytes)
    OS << "    .tile_static_bytes = " << Bytes << ",\n";
  if (B)
    OS << "    .argument_bytes = " << B->ArgumentBytes
       << (B->Indirect ? ", .indirect = 1,\n" : ",\n");
  if (HasArguments)
    OS << "    .arguments = " << S
       << "_arguments, .argument_count = " << B->Arguments.size() << ",\n";
  if (!Views.empty())
    OS << "    .views = " << S << "_views, .view_count = " << Views.size()
       << ",\n";
  if (B)
    OS << "    .spirv = " << S << "_spirv, .spirv_words = " << B->Words.size()
       << ",\n";
  if (B && usesConstants(*B))
    OS << "    .constants = ampc_constants, .constant_words = "
       << ConstantWords.size() << ",\n";
  if (C)
    OS << "    .cpu = " << C->Function << ",\n";
  if (C && C->ArenaBytes)
    OS << "    .cpu_arena_bytes = " << C->ArenaBytes << ",\n";
  if (Reporting.count(S))
    OS << "    .reports = ampc_reports, .report_count = " << M.Reports.size()
       << ",\n";
  OS << "};\n";
  return OS.str();
}

} // namespace ampc::hostc
