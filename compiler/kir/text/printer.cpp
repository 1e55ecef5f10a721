//===- printer.cpp - modules and statements as text -----------------------===//

#include "kir/text/printer.h"
#include "kir/text/names.h"
#include "kir/walk.h"
#include <algorithm>
#include <set>

using llvm::cast;
using llvm::raw_ostream;

namespace ampc::kir {

void Printer::writeLine(const std::string &Comment) {
  constexpr size_t CommentColumn = 63;
  std::string Text = std::string(2 * Indent, ' ') + OS.str();
  if (!Comment.empty()) {
    Text.append(Text.size() < CommentColumn ? CommentColumn - Text.size() : 2,
                ' ');
    Text += "; " + Comment;
  }
  Out << Text << "\n";
  Line.clear();
  Places.clear();
}

void Printer::endLine() {
  bool Any = std::any_of(Places.begin(), Places.end(),
                         [&](Loc L) { return Locations.hasPlace(L); });
  if (!AllLocations && !Places.empty())
    Places.resize(1);
  writeLine(Any ? Locations.write(Places) : "");
}

void Printer::endContinuedLine() {
  writeLine(AllLocations ? Locations.write(Places) : "");
}

/// Names are unique within a function: a second %x is %x.1.
const std::string &Printer::nameOf(const Variable *V) {
  std::string &Name = Names[V];
  if (Name.empty()) {
    bool IsGlobal =
        V->Store == Storage::TileStatic || V->Store == Storage::Constant;
    std::string Base = (IsGlobal ? "@" : "%") + quotedName(V->Name);
    Name = Base;
    for (unsigned I = 1; !Taken.insert(Name).second; ++I)
      Name = Base + "." + std::to_string(I);
  }
  return Name;
}

void Printer::typed(const Variable *V) {
  OS << nameOf(V) << ": " << toString(V->Ty);
  if (V->AddressTaken)
    OS << " address_taken";
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Printer::body(const Body &B) {
  for (const Stmt *S : B)
    stmt(S);
}

void Printer::nested(const Body &B) {
  ++Indent;
  body(B);
  --Indent;
}

void Printer::loop(const Loop *L) {
  auto Condition = [&] {
    OS << "(";
    if (L->Condition)
      whole(L->Condition);
    OS << ")";
  };
  if (L->F == Loop::Form::Do) {
    OS << "do {";
    endLine();
    nested(L->Stmts);
    OS << "} ";
    if (!L->Prelude.empty()) {
      OS << "prelude {";
      endContinuedLine();
      nested(L->Prelude);
      OS << "} ";
    }
    OS << "while ";
    Condition();
    return endContinuedLine();
  }
  OS << (L->F == Loop::Form::For ? "for " : "while ");
  if (!L->Prelude.empty()) {
    OS << "prelude {";
    endLine();
    nested(L->Prelude);
    OS << "} ";
  }
  Condition();
  OS << " {";
  L->Prelude.empty() ? endLine() : endContinuedLine();
  nested(L->Stmts);
  if (!L->Step.empty()) {
    OS << "} step {";
    endContinuedLine();
    nested(L->Step);
  }
  OS << "}";
  endContinuedLine();
}

void Printer::switchStmt(const Switch *S) {
  OS << "switch ";
  whole(S->Subject);
  OS << " {";
  endLine();
  for (const Switch::Case &C : S->Cases) {
    const char *Separator = "case ";
    for (uint64_t Value : C.Values) {
      OS << Separator << integerText(S->Subject->Ty, Value);
      Separator = ", ";
    }
    if (C.IsDefault)
      OS << (C.Values.empty() ? "default" : ", default");
    OS << ":";
    endContinuedLine();
    nested(C.Stmts);
  }
  OS << "}";
  endContinuedLine();
}

void Printer::stmt(const Stmt *S) {
  Places.push_back(S->Where);
  switch (S->K) {
  case Stmt::Kind::Declare:
    OS << "var ";
    typed(cast<Declare>(S)->Var);
    Places.push_back(cast<Declare>(S)->Var->Where);
    if (const Expr *Init = cast<Declare>(S)->Init) {
      OS << " = ";
      whole(Init);
    }
    break;
  case Stmt::Kind::Store:
    OS << "store ";
    whole(cast<Store>(S)->Place);
    OS << ", ";
    whole(cast<Store>(S)->Value);
    break;
  case Stmt::Kind::Eval:
    whole(cast<Eval>(S)->Value);
    break;
  case Stmt::Kind::Block:
    OS << "{";
    endLine();
    nested(cast<Block>(S)->Stmts);
    OS << "}";
    return endContinuedLine();
  case Stmt::Kind::If: {
    auto *I = cast<If>(S);
    OS << "if (";
    whole(I->Condition);
    OS << ") {";
    endLine();
    nested(I->Then);
    if (!I->Else.empty()) {
      OS << "} else {";
      endContinuedLine();
      nested(I->Else);
    }
    OS << "}";
    return endContinuedLine();
  }
  case Stmt::Kind::Loop:
    return loop(cast<Loop>(S));
  case Stmt::Kind::Switch:
    return switchStmt(cast<Switch>(S));
  case Stmt::Kind::Break:
    OS << "break";
    break;
  case Stmt::Kind::Continue:
    OS << "continue";
    break;
  case Stmt::Kind::Return:
    OS << "return";
    if (const Expr *Value = cast<Return>(S)->Value) {
      OS << " ";
      whole(Value);
    }
    break;
  case Stmt::Kind::Barrier:
    OS << "barrier " << kir::nameOf(cast<Barrier>(S)->Memory);
    break;
  case Stmt::Kind::Fence:
    OS << "fence " << kir::nameOf(cast<Fence>(S)->Memory);
    break;
  case Stmt::Kind::Report: {
    auto *R = cast<Report>(S);
    OS << (R->Fails ? "report fail " : "report print ") << quoted(R->Format);
    for (const Expr *Arg : R->Args) {
      OS << ", ";
      whole(Arg);
    }
    break;
  }
  }
  endLine();
}

//===----------------------------------------------------------------------===//
// Functions, kernels, modules
//===----------------------------------------------------------------------===//

void Printer::function(const Function &F) {
  OS << "func " << globalName(F.Name) << "(";
  Places.push_back(F.Where);
  const char *Separator = "";
  for (const Variable *P : F.Params) {
    OS << Separator;
    typed(P);
    Places.push_back(P->Where);
    Separator = ", ";
  }
  OS << ") -> " << toString(F.Result) << " inline {";
  endLine();
  nested(F.Stmts);
  OS << "}";
  endLine();
}

void Printer::kernel(const Kernel &K) {
  OS << "kernel " << globalName(K.Name) << " domain rank " << K.Rank;
  const char *Separator = " tile ";
  for (unsigned Extent : K.Tile) {
    OS << Separator << Extent;
    Separator = " x ";
  }
  OS << " in " << globalName(K.Host) << " symbol " << quotedName(K.Symbol);
  if (K.UsesDouble)
    OS << " uses double";
  OS << " {";
  Places.push_back(K.Where);
  endLine();
  ++Indent;
  for (const Variable *C : K.Captures) {
    OS << "capture ";
    typed(C);
    Places.push_back(C->Where);
    endLine();
  }
  Separator = "index ";
  for (const Variable *I : K.Indices) {
    OS << Separator;
    // Plain ints are what an index is when nothing else is said.
    if (I->Ty->isInt() && !I->AddressTaken)
      OS << nameOf(I);
    else
      typed(I);
    Places.push_back(I->Where);
    Separator = ", ";
  }
  if (!K.Indices.empty())
    endLine();
  body(K.Stmts);
  --Indent;
  OS << "}";
  endLine();
}

void Printer::structType(const Type *T) {
  OS << toString(T) << " size " << T->Size << " align " << T->Align << " {";
  const char *Separator = " ";
  for (size_t I = 0; I != T->Fields.size(); ++I) {
    const Type::Field &F = T->Fields[I];
    OS << Separator << quotedName(F.Name) << ": " << toString(F.Ty) << " @"
       << F.Offset;
    Separator = ", ";
  }
  OS << " }";
  endLine();
}

namespace {
/// The struct types that a module mentions, each after those of its fields.
class Structs {
public:
  explicit Structs(const Module &M);
  std::vector<const Type *> InOrder;

private:
  void add(const Type *T) {
    if (T->Element)
      add(T->Element);
    if (!T->isStruct() || !Seen.insert(T).second)
      return;
    for (const Type::Field &F : T->Fields)
      add(F.Ty);
    InOrder.push_back(T);
  }
  void add(const Body &B) {
    walk(
        B, [&](const Expr *E) { add(E->Ty); },
        [&](const Stmt *S) {
          if (auto *D = llvm::dyn_cast<Declare>(S))
            add(D->Var->Ty);
        });
  }

  std::set<const Type *> Seen;
};
} // namespace

Structs::Structs(const Module &M) {
  for (const Variable *G : M.Globals)
    add(G->Ty);
  for (const auto &F : M.Functions) {
    add(F->Result);
    for (const Variable *P : F->Params)
      add(P->Ty);
    add(F->Stmts);
  }
  for (const auto &K : M.Kernels) {
    for (const Variable *C : K->Captures)
      add(C->Ty);
    for (const Variable *I : K->Indices)
      add(I->Ty);
    add(K->Stmts);
  }
}

void Printer::module() {
  for (const std::string &File : M.Files) {
    OS << "file " << quoted(File);
    endLine();
  }
  for (const Type *T : Structs(M).InOrder)
    structType(T);
  for (const Variable *G : M.Globals) {
    OS << (G->Store == Storage::TileStatic ? "tile_static " : "constant ");
    typed(G);
    Places.push_back(G->Where);
    if (G->Init) {
      OS << " = ";
      whole(G->Init);
    }
    endLine();
  }
  std::map<const Variable *, std::string> GlobalNames = Names;
  llvm::StringSet<> GlobalTaken = Taken;
  auto Fresh = [&] {
    Names = GlobalNames;
    Taken = GlobalTaken;
    Locations.restart();
  };
  for (const auto &F : M.Functions) {
    Fresh();
    function(*F);
  }
  for (const auto &K : M.Kernels) {
    Fresh();
    kernel(*K);
  }
}

void print(const Module &M, raw_ostream &OS, bool AllLocations) {
  Printer(M, OS, AllLocations).module();
}

std::string toString(const Stmt *S) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Module Nowhere; // without files, so without locations
  Printer(Nowhere, OS, false).stmt(S);
  return llvm::StringRef(Text).split('\n').first.str();
}

} // namespace ampc::kir
