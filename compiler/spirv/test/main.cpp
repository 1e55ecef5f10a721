//===- main.cpp - kir_spirv_test: SPIR-V from KIR made by hand ------------===//
//
// kir_spirv_test [-O0] [-g] [--kir | -o FILE] CASE
//   writes the case's argument block and assembly (or its KIR, or the module)
// kir_spirv_test --all
//   emits every case with every combination of options; emit() validates
//
//===----------------------------------------------------------------------===//

#include "spirv/spirv.h"
#include "spirv/test/cases.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace ampc;
using llvm::errs;
using llvm::outs;

static const test::Case *const Tables[] = {
    test::ArithmeticCases, test::ControlCases, test::MemoryCases,
    test::ViewCases};

static std::optional<spirv::Binary> emitCase(test::Builder &B,
                                             const spirv::Options &O,
                                             const char *Name) {
  if (std::optional<std::string> Breach = kir::verify(B.M)) {
    errs() << Name << ": " << *Breach << "\n";
    return std::nullopt;
  }
  std::string Error;
  std::optional<spirv::Binary> Result = spirv::emit(B.M, *B.K, O, Error);
  if (!Result)
    errs() << Name << ": " << Error << "\n";
  return Result;
}

static int emitAll() {
  int Failures = 0, Modules = 0;
  for (const test::Case *Table : Tables)
    for (const test::Case *C = Table; C->Name; ++C)
      for (unsigned Bits = 0; Bits != 4; ++Bits) {
        test::Builder B;
        C->Build(B);
        spirv::Options O;
        O.Debug = Bits & 1;
        O.Optimise = Bits & 2;
        ++Modules;
        Failures += !emitCase(B, O, C->Name);
      }
  outs() << Modules << " modules, " << Failures << " invalid\n";
  return Failures != 0;
}

static void printArguments(const spirv::Binary &B, const kir::Kernel &K) {
  static const char *const Kinds[] = {"address", "stride", "extent", "domain",
                                      "bytes"};
  outs() << "arguments: " << B.ArgumentBytes << " bytes"
         << (B.Indirect ? ", indirect" : "") << "\n";
  for (const spirv::Argument &A : B.Arguments) {
    outs() << "  " << A.Offset << ": " << Kinds[int(A.K)];
    if (A.K != spirv::Argument::Kind::DomainExtent)
      outs() << " " << K.Captures[A.Capture]->Name << A.Path;
    if (A.K != spirv::Argument::Kind::Bytes &&
        A.K != spirv::Argument::Kind::ViewAddress)
      outs() << " " << A.Dimension;
    outs() << ", " << A.Size << "\n";
  }
  for (const kir::CapturedView &V : kir::capturedViews(K))
    outs() << "view: " << K.Captures[V.Capture]->Name << V.Path << " rank "
           << V.Rank << " element " << V.ElementSize
           << (V.ReadOnly ? " read-only" : "") << "\n";
  outs() << "tile_static: " << B.TileStaticBytes << " bytes"
         << (B.UsesDouble ? ", double" : "") << "\n";
}

int main(int Count, char **Arguments) {
  spirv::Options O;
  bool Kir = false;
  const char *Output = nullptr, *Name = "";
  for (int I = 1; I != Count; ++I) {
    std::string Argument = Arguments[I];
    if (Argument == "--all")
      return emitAll();
    if (Argument == "-O0")
      O.Optimise = false;
    else if (Argument == "-g")
      O.Debug = true;
    else if (Argument == "--kir")
      Kir = true;
    else if (Argument == "-o" && I + 1 != Count)
      Output = Arguments[++I];
    else
      Name = Arguments[I];
  }
  for (const test::Case *Table : Tables)
    for (const test::Case *C = Table; C->Name; ++C) {
      if (strcmp(C->Name, Name))
        continue;
      test::Builder B;
      C->Build(B);
      if (Kir) {
        kir::print(B.M, outs());
        return 0;
      }
      std::optional<spirv::Binary> Result = emitCase(B, O, Name);
      if (!Result)
        return 1;
      if (!Output) {
        printArguments(*Result, *B.K);
        outs() << spirv::disassemble(Result->Words);
        return 0;
      }
      std::error_code Failed;
      llvm::raw_fd_ostream File(Output, Failed);
      File.write(reinterpret_cast<const char *>(Result->Words.data()),
                 Result->Words.size() * sizeof(uint32_t));
      return Failed ? 1 : 0;
    }
  errs() << "no case named '" << Name << "'\n";
  return 1;
}
