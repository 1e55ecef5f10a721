//===- types.h - KIR's types in C -----------------------------------------===//
//
// Scalars and short vectors are the host's own, views are <ampc/types.h>'s
// structs. Every struct of the module gets a definition of its own, with the
// layout that KIR states (rule T7) and may_alias, so that it fits whatever the
// program calls that memory; pointers point to may_alias types too.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_CPU_TYPES_H
#define AMPC_CPU_TYPES_H

#include "kir/kir.h"
#include <set>

namespace ampc::cpu {

class Types {
public:
  /// Definitions are appended to Out, each before its first use.
  explicit Types(std::string &Out) : Out(Out) {}

  /// A declaration of Name: "float a[4]", "ampc_alias_int *p".
  std::string declare(const kir::Type *T, const std::string &Name);
  /// The type alone, for casts: "float[4]".
  std::string name(const kir::Type *T) { return declare(T, ""); }
  /// The name of a field, "base.NAME".
  static std::string field(const kir::Type *Struct, unsigned Index);

private:
  /// What stands left of the declarator.
  std::string base(const kir::Type *T, bool Alias);
  const std::string &structName(const kir::Type *T);
  void define(const kir::Type *T, const std::string &Name);

  std::string &Out;
  std::map<const kir::Type *, std::string> Structs;
  std::set<std::string> Taken;
};

} // namespace ampc::cpu

#endif
