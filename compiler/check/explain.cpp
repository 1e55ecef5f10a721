//===- explain.cpp - the rules in words -----------------------------------===//

#include "check/explain.h"
#include "llvm/ADT/StringRef.h"

using llvm::StringRef;

namespace ampc {
namespace {

struct Rule {
  StringRef Id, Name, Section, Text;
};

const Rule Rules[] = {
#define AMPC_RULE(ID, NAME, SECTION, TEXT) {#ID, NAME, SECTION, TEXT},
#include "check/restrictions.def"
};

struct Example {
  StringRef Id, Wrong, Right;
};

const Example Examples[] = {
#define AMPC_EXAMPLE(ID, WRONG, RIGHT) {#ID, WRONG, RIGHT},
#include "check/examples.def"
};

void program(StringRef Title, StringRef Text, llvm::raw_ostream &OS) {
  OS << Title << ":\n";
  llvm::SmallVector<StringRef, 32> Lines;
  Text.trim('\n').split(Lines, '\n');
  for (StringRef Line : Lines)
    OS << (Line.empty() ? "" : "    ") << Line << '\n';
}

} // namespace

bool explain(StringRef Wanted, llvm::raw_ostream &OS) {
  bool All = Wanted == "all", Found = false;
  for (const Rule &R : Rules) {
    if (!All && !Wanted.equals_insensitive(R.Id) && Wanted != R.Name)
      continue;
    OS << (Found ? "\n" : "") << R.Id << ' ' << R.Name << " (C++ AMP v1.2, "
       << R.Section << ")\n\n"
       << R.Text << '\n';
    Found = true;
    for (const Example &E : Examples)
      if (E.Id == R.Id) {
        program("\nWrong", E.Wrong, OS);
        program("\nRight", E.Right, OS);
      }
  }
  return Found;
}

} // namespace ampc
