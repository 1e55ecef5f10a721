// module.cpp - kernels, functions and globals of one translation unit.
#include "lower/lower.h"
#include "kir/progress.h"
#include "lower/lowering.h"

using namespace clang;

namespace ampc {

std::unique_ptr<kir::Module> lower(Unit &U) {
  auto M = std::make_unique<kir::Module>();
  ModuleLowering Lowering(U, *M);
  for (const Launch &L : U.Launches)
    Lowering.kernel(L);
  if (!Lowering.Failed)
    return M;
  if (!Lowering.hasReported()) // poison without a report: a gap of ours
    Lowering.refuse(U.Launches.front().Call->getBeginLoc(),
                         "something in this kernel (please report this)");
  return nullptr;
}

kir::Loc ModuleLowering::loc(SourceLocation L) {
  PresumedLoc P = U.Sources.getPresumedLoc(U.Sources.getExpansionLoc(L));
  if (P.isInvalid())
    return {};
  auto [Entry, New] = FileMap.try_emplace(P.getFilename(), M.Files.size());
  if (New)
    M.Files.push_back(P.getFilename());
  return {Entry->second, P.getLine(), P.getColumn()};
}

void ModuleLowering::unsupported(SourceLocation At, const llvm::Twine &What) {
  report(At, "not supported yet: " + What);
}

void ModuleLowering::refuse(SourceLocation At, const llvm::Twine &What) {
  report(At, "not allowed in amp code: " + What);
}

void ModuleLowering::report(SourceLocation At, const llvm::Twine &Message) {
  Failed = true;
  SourceLocation Line = U.Sources.getExpansionLoc(At);
  if (!Reported
           .insert({U.Sources.getFileID(Line).getHashValue(),
                    U.Sources.getExpansionLineNumber(Line)})
           .second)
    return;
  unsigned Id = U.Diags.getCustomDiagID(DiagnosticsEngine::Error,
                                        "%0");
  U.Diags.Report(At, Id) << Message.str();
}

std::string ModuleLowering::uniqueName(llvm::StringRef Name,
                                       std::set<std::string> &Used) {
  std::string Unique = Name.str();
  for (unsigned N = 1; !Used.insert(Unique).second; ++N)
    Unique = Name.str() + "." + std::to_string(N);
  return Unique;
}

void ModuleLowering::kernel(const Launch &L) {
  kir::Inside Here("kernel", L.Name);
  auto K = std::make_unique<kir::Kernel>();
  K->Name = L.Name;
  K->Symbol = L.Symbol;
  K->Host = L.Host ? L.Host->getNameAsString() : "";
  K->Rank = L.Rank;
  K->Tile = L.Tile;
  K->Where = loc(L.Call->getBeginLoc());
  BodyLowering Body(*this, K->Stmts);
  Body.findAddresses(L.Block->getBlockDecl()->getBody());
  for (const VarDecl *D : L.Captures)
    K->Captures.push_back(Body.bind(D, kir::Storage::Capture));
  const BlockDecl *Block = L.Block->getBlockDecl();
  for (const ParmVarDecl *P : Block->parameters())
    K->Indices.push_back(Body.bind(P, kir::Storage::Index));
  Body.statement(Block->getBody());
  K->UsesDouble = Body.UsesDouble;
  M.Kernels.push_back(std::move(K));
}

kir::Function *ModuleLowering::function(const FunctionDecl *Declaration,
                                        SourceLocation Call) {
  const FunctionDecl *D = nullptr;
  if (!Declaration->hasBody(D)) {
    refuse(Call, "calling '" + Declaration->getNameAsString() +
                          "', whose body is not in this translation unit");
    return nullptr;
  }
  auto [Entry, New] = FunctionMap.try_emplace(D->getCanonicalDecl());
  if (!New) {
    if (!Entry->second.Done)
      refuse(Call, "recursion");
    return Entry->second.Done ? Entry->second.F : nullptr;
  }
  if (D->isVariadic()) {
    refuse(D->getLocation(), "variadic amp functions");
    Entry->second.Done = true;
    return nullptr;
  }

  kir::Inside Here("function", D->getName());
  auto F = std::make_unique<kir::Function>();
  kir::Function *Lowered = F.get();
  F->Name = uniqueName(D->getName(), FunctionNames);
  F->Where = loc(D->getLocation());
  F->Result = type(D->getReturnType(), D->getLocation());
  BodyLowering Body(*this, F->Stmts);
  Body.findAddresses(D->getBody());
  for (const ParmVarDecl *P : D->parameters())
    F->Params.push_back(Body.bind(P, kir::Storage::Param));
  Body.statement(D->getBody());
  if (Body.UsesDouble)
    DoubleFunctions.insert(Lowered);
  // Its callees have been added by now: the order is callees first.
  M.Functions.push_back(std::move(F));
  FunctionMap[D->getCanonicalDecl()] = {Lowered, true};
  return Lowered;
}

kir::Variable *ModuleLowering::tileStatic(const VarDecl *D) {
  if (D->hasInit())
    refuse(D->getLocation(), "tile_static variables with initialisers");
  kir::Variable *&V = GlobalMap[D];
  if (!V) {
    V = M.make<kir::Variable>();
    V->Name = D->getName().str();
    V->Ty = type(D->getType(), D->getLocation());
    V->Store = kir::Storage::TileStatic;
    V->Where = loc(D->getLocation());
    M.Globals.push_back(V);
  }
  return V;
}

kir::Variable *ModuleLowering::constant(const VarDecl *D, SourceLocation Use) {
  const VarDecl *Defined = nullptr;
  const Expr *Init = D->getAnyInitializer(Defined);
  if (!D->getType().isConstant(Ctx) || !Init) {
    refuse(Use, "the global variable '" + D->getNameAsString() +
                         "' in amp code: only constants with an initialiser");
    return nullptr;
  }
  D = Defined;
  if (kir::Variable *Known = GlobalMap.lookup(D))
    return Known;
  const APValue *Value = D->evaluateValue();
  if (!Value) {
    refuse(Use, "reading '" + D->getNameAsString() +
                         "', whose initialiser is not constant");
    return nullptr;
  }
  auto *V = M.make<kir::Variable>();
  V->Name = D->getName().str();
  V->Ty = type(D->getType(), D->getLocation());
  V->Store = kir::Storage::Constant;
  V->Where = loc(D->getLocation());
  V->Init = constantTree(*Value, D->getType(), D->getLocation());
  M.Globals.push_back(V);
  return GlobalMap[D] = V;
}

kir::Expr *ModuleLowering::constantTree(const APValue &V, QualType T,
                                        SourceLocation At) {
  const kir::Type *Ty = type(T, At);
  kir::Loc W = loc(At);
  if (V.isInt() && Ty->isBool())
    return M.make<kir::BoolConst>(Ty, V.getInt().getBoolValue(), W);
  if (V.isInt() && Ty->isInt())
    return M.make<kir::IntConst>(
        Ty, V.getInt().extOrTrunc(Ty->Width).getZExtValue(), W);
  if (V.isFloat() && Ty->isFloat())
    return M.make<kir::FloatConst>(
        Ty, V.getFloat().bitcastToAPInt().getZExtValue(), W);

  std::vector<kir::Expr *> Parts;
  if (V.isVector() && Ty->isVector()) {
    QualType Lane = T->castAs<clang::VectorType>()->getElementType();
    for (unsigned I = 0; I != V.getVectorLength(); ++I)
      Parts.push_back(constantTree(V.getVectorElt(I), Lane, At));
  } else if (V.isArray() && Ty->isArray()) {
    QualType Element = Ctx.getAsArrayType(T)->getElementType();
    unsigned Named = V.getArrayInitializedElts();
    for (unsigned I = 0; I != V.getArraySize(); ++I)
      Parts.push_back(constantTree(I < Named ? V.getArrayInitializedElt(I)
                                             : V.getArrayFiller(),
                                   Element, At));
  } else if (V.isStruct() && Ty->isStruct()) {
    for (const FieldDecl *F : T->getAsRecordDecl()->fields())
      Parts.push_back(
          constantTree(V.getStructField(F->getFieldIndex()), F->getType(), At));
  } else if (V.isUnion() && Ty->isStruct()) {
    return unionConstant(V, T->getAsRecordDecl(), At);
  } else {
    refuse(At, "a constant of type '" + dialectName(T, Ctx) + "'");
    return M.make<kir::Zero>(M.intType(), W);
  }
  return M.make<kir::Construct>(Ty, std::move(Parts), W);
}

/// A union with the member that its initialiser names.
kir::Expr *ModuleLowering::unionConstant(const APValue &V, const RecordDecl *R,
                                         SourceLocation At) {
  const kir::Type *Ty = type(Ctx.getRecordType(R), At);
  kir::Loc W = loc(At);
  const FieldDecl *F = V.getUnionField();
  if (!F || Ty->Fields.empty())
    return M.make<kir::Zero>(Ty, W);
  kir::Expr *Value = constantTree(V.getUnionValue(), F->getType(), At);
  return M.make<kir::Construct>(Ty, std::vector<kir::Expr *>{Value}, W,
                                F->getFieldIndex());
}

} // namespace ampc
