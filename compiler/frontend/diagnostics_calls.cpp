//===- diagnostics_calls.cpp - calls of the library that fit no overload --===//

#include "frontend/diagnostics.h"
#include "frontend/dialect.h"
#include "clang/AST/ASTContext.h"
#include "clang/Lex/Lexer.h"
#include <map>

using namespace clang;

namespace ampc {

static std::string rankText(unsigned Rank) {
  return "rank " + std::to_string(Rank);
}

/// How a kernel for a domain begins, and what it does with its index.
static std::string kernelFor(unsigned Rank, bool Tiled) {
  std::string N = std::to_string(Rank), Index = Tiled ? "t.global" : "i";
  std::string Element =
      Rank == 1 ? "v[" + Index + "]" : "at_" + N + "(v, " + Index + ")";
  if (Tiled)
    return "'^(tiled_index(" +
           std::string(Rank == 1   ? "64"
                       : Rank == 2 ? "8, 8"
                                   : "4, 4, 4") +
           ") t) restrict(amp)', with the lengths of the domain's tiles; in it "
           "'" +
           Element +
           "' is an element of a view, 't.local' the place within the tile";
  std::string Parts;
  for (unsigned I = 0; Rank > 1 && I != Rank; ++I)
    Parts += (I == 0 ? ", 'i[" : I + 1 == Rank ? " and 'i[" : ", 'i[") +
             std::to_string(I) + "]'";
  return "'^(index_" + N + " i) restrict(amp)'; in it '" + Element +
         "' is an element of a view" +
         (Rank == 1 ? "" : Parts + " are the parts of the index");
}

std::string DialectDiagnostics::launchMismatch(QualType Domain, QualType Kernel,
                                               std::string &Note) {
  if (!Domain.isNull() && !tiledExtentRank(Domain) && !indexRank(Domain) &&
      !Domain->isIntegerType())
    return "the domain of parallel_for_each is an extent_N or a tiled extent, "
           "not '" +
           dialectName(Domain, *Context) + "'";
  if (Kernel.isNull())
    return "";
  const auto *Block = Kernel->getAs<BlockPointerType>();
  const auto *F =
      Block ? Block->getPointeeType()->getAs<FunctionProtoType>() : nullptr;
  if (!F)
    return "the last argument of parallel_for_each is the kernel, a block "
           "literal, not '" +
           dialectName(Kernel, *Context) + "'";
  if (!F->getReturnType()->isVoidType())
    return "a kernel returns nothing, but this one returns '" +
           dialectName(F->getReturnType(), *Context) + "'";
  if (Domain.isNull())
    return "";
  auto DomainTiled = tiledExtentRank(Domain);
  unsigned Rank = DomainTiled ? *DomainTiled : indexRank(Domain).value_or(1);
  Note = "a kernel for this domain begins " +
         kernelFor(Rank, DomainTiled.has_value());
  if (F->getNumParams() == 0)
    return "the kernel takes no index, but its domain has " + rankText(Rank);
  QualType First = F->getParamType(0);
  auto KernelTiled = tiledIndexRank(First);
  if (KernelTiled && !DomainTiled) {
    Note = "make a tiled domain of it, 'tile(e, ...)' with the lengths that "
           "'tiled_index(...)' has; they must divide those of 'e'";
    return "the kernel takes a tiled index, but the domain is not tiled";
  }
  if (DomainTiled && !KernelTiled)
    return "the domain is tiled, but the kernel takes '" +
           dialectName(First, *Context) + "'";
  unsigned KernelRank =
      KernelTiled ? *KernelTiled : indexRank(First).value_or(F->getNumParams());
  if (!KernelTiled && !indexRank(First) &&
      !First->isSpecificBuiltinType(BuiltinType::Int))
    return "the kernel takes '" + dialectName(First, *Context) +
           "', which is no index";
  return "the domain has " + rankText(Rank) +
         ", but the kernel takes an index of " + rankText(KernelRank);
}

void DialectDiagnostics::noMatch(Record &R, Records &Notes) {
  // The arguments that some candidate could not take, by position.
  std::map<int64_t, QualType> Given;
  std::string Why;
  for (const Record &N : Notes) {
    if (N.Types.size() >= 2 && N.Numbers.size() >= 4) {
      Given.emplace(N.Numbers[3], N.Types[0]);
      auto Wanted = viewType(N.Types[1]);
      if (Why.empty())
        Why = "argument " + std::to_string(N.Numbers[3]) + " is '" +
              dialectName(N.Types[0], *Context) + "', not " +
              (Wanted && Wanted->Element->isVoidType()
                   ? std::string(Wanted->IsArray ? "an array" : "a view") +
                         " of " + rankText(Wanted->Rank)
                   : "'" + dialectName(N.Types[1], *Context) + "'");
    } else if (Why.empty()) {
      Why = N.D.getMessage().rsplit(": ").second.str();
    }
  }
  SourceManager &SM = Context->getSourceManager();
  std::string Name = R.Name, Text, Note;
  if (Name == "parallel_for_each" && !Given.empty()) {
    QualType Kernel, Domain;
    for (auto [Position, T] : Given)
      (T->isBlockPointerType() || T->isFunctionType() ||
               T->isFunctionPointerType()
           ? Kernel
           : Domain) = T;
    Text = launchMismatch(Domain, Kernel, Note);
  }
  SourceLocation Loc = R.D.getLocation();
  if (Loc.isMacroID() && inLibrary(Loc)) {
    StringRef Macro =
        Lexer::getImmediateMacroName(Loc, SM, Context->getLangOpts());
    if (!Macro.empty())
      Name = Macro.str();
  }
  bool Launch = !Text.empty();
  if (!Launch) {
    Note = Why;
    bool FromView = Name == "array_view_of" && Given.count(1) &&
                    viewType(Given.find(1)->second);
    bool One = Given.size() == 1 && Notes.size() > 1;
    Text = One ? "'" + Name + "' cannot take '" +
                     dialectName(Given.begin()->second, *Context) + "'"
               : "'" + Name + "' cannot be called with these arguments";
    if (FromView) {
      Text = "'array_view_of' takes memory, and this is a view already: a part "
             "of it is '&v[k]' or 'array_view_section(v, origin, extent)'";
      Note.clear();
    } else if (One && Given.begin()->second->isPointerType() &&
               !viewType(Given.begin()->second)) {
      Text += ": make a view of the memory with 'array_view_of(p, n)'";
      Note.clear();
    }
  }
  say(R, Text, Launch ? "C3" : "");
  outOfLibraryMacros(R);
  Notes.clear();
  if (!Note.empty())
    Notes.push_back(note(R, Note));
}

} // namespace ampc
