//===- printer.h - KIR as text --------------------------------------------===//
//
// One line per statement. Operators are named by what they do to which type
// (fadd, sdiv, ult, fne.unord), so that no signedness has to be guessed. A
// variable's value is its name; `load` marks every other access. Operands of
// operators that are not plain names or numbers stand in parentheses. Source
// locations follow `;`, see locations.h. reader.cpp reads all of it back.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_KIR_TEXT_PRINTER_H
#define AMPC_KIR_TEXT_PRINTER_H

#include "kir/kir.h"
#include "kir/text/locations.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

namespace ampc::kir {

class Printer {
public:
  Printer(const Module &M, llvm::raw_ostream &Out, bool AllLocations)
      : M(M), Out(Out), AllLocations(AllLocations), Locations(M), OS(Line) {}
  void module();
  void stmt(const Stmt *S);

private:
  // Lines are built in Line; Places are the locations of what stands there.
  void endLine();
  /// The same for a line that goes on with the statement of another one.
  void endContinuedLine();
  void writeLine(const std::string &Comment);

  const std::string &nameOf(const Variable *V);
  void typed(const Variable *V);
  void structType(const Type *T);
  void function(const Function &F);
  void kernel(const Kernel &K);

  /// An expression that is part of no other.
  void whole(const Expr *E);
  void expr(const Expr *E);
  void operand(const Expr *E);
  void operands(std::initializer_list<const Expr *> Es);
  void list(const std::vector<Expr *> &Es);
  void number(const IntConst *C);
  void number(const FloatConst *C);
  void subscripts(const std::vector<Expr *> &Es);

  void body(const Body &B);
  void nested(const Body &B);
  void loop(const Loop *L);
  void switchStmt(const Switch *S);

  const Module &M;
  llvm::raw_ostream &Out;
  bool AllLocations;
  LocationWriter Locations;
  std::string Line;
  llvm::raw_string_ostream OS;
  std::vector<Loc> Places;
  unsigned Indent = 0;
  std::map<const Variable *, std::string> Names;
  llvm::StringSet<> Taken;
};

} // namespace ampc::kir

#endif
