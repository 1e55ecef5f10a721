//===- writer.h - assembling a SPIR-V module ------------------------------===//
//
// Keeps the sections of a module apart until finish() joins them in the order
// that the specification asks for, and makes every type, constant and
// decoration once. Knows nothing of KIR.
//
//===----------------------------------------------------------------------===//
#ifndef AMPC_SPIRV_WRITER_H
#define AMPC_SPIRV_WRITER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <set>
#include <spirv/unified1/spirv.hpp11>
#include <vector>

namespace ampc::spirv {

using Id = uint32_t;
using Words = std::vector<uint32_t>;

/// Appends one instruction; the word count is worked out here.
void append(Words &To, spv::Op Op, llvm::ArrayRef<uint32_t> Operands);

/// A string as SPIR-V operands: UTF-8, zero-terminated, padded to words.
void appendString(Words &To, llvm::StringRef Text);

inline uint32_t word(spv::StorageClass Class) { return uint32_t(Class); }

class ModuleWriter {
public:
  Id newId() { return Bound++; }

  void capability(spv::Capability C) { Capabilities.insert(uint32_t(C)); }
  bool hasCapability(spv::Capability C) const {
    return Capabilities.count(uint32_t(C));
  }
  void executionMode(spv::ExecutionMode Mode, llvm::ArrayRef<uint32_t> Literals);
  Id glslStd450();
  void decorate(Id Target, spv::Decoration D,
                llvm::ArrayRef<uint32_t> Literals = {});
  void decorateString(Id Target, spv::Decoration D, llvm::StringRef Text);
  void decorateMember(Id Struct, unsigned Member, spv::Decoration D,
                      llvm::ArrayRef<uint32_t> Literals = {});
  void name(Id Target, llvm::StringRef Name);
  void nameMember(Id Struct, unsigned Member, llvm::StringRef Name);
  Id string(llvm::StringRef Text);
  void source(Id File);

  // Types, one id per distinct type. Integers carry no sign: the instructions
  // say how they read their operands.
  Id voidType() { return declare(spv::Op::OpTypeVoid, {}); }
  Id boolType() { return declare(spv::Op::OpTypeBool, {}); }
  Id intType(unsigned Width);
  Id floatType(unsigned Width);
  bool usesFloat(unsigned Width) const {
    return Declared.count({uint32_t(spv::Op::OpTypeFloat), Width});
  }
  Id vectorType(Id Element, unsigned Count);
  Id pointerType(spv::StorageClass Class, Id Pointee);
  Id functionType(Id Result, llvm::ArrayRef<Id> Params);
  Id arrayType(Id Element, uint64_t Count);
  /// Aggregates that carry decorations are made anew at each call.
  Id newArrayType(Id Element, uint64_t Count);
  Id newStructType(llvm::ArrayRef<Id> Members);

  // Constants.
  Id constantInt(unsigned Width, uint64_t Value);
  Id constantFloat(unsigned Width, uint64_t Bits);
  Id constantBool(bool Value);
  Id constantNull(Id Type);
  Id constantComposite(Id Type, llvm::ArrayRef<Id> Parts);
  Id undef(Id Type) { return declareTyped(spv::Op::OpUndef, Type, {}); }
  Id specConstantInt(uint32_t SpecId, uint32_t Default);
  /// False unless specialised; one for each SpecId.
  Id specConstantBool(uint32_t SpecId);
  Id specConstantComposite(Id Type, llvm::ArrayRef<Id> Parts);
  /// The value of an integer constant made by constantInt, else null.
  const uint64_t *constantValue(Id Constant) const;

  /// A module-scope variable; it enters the entry point's interface.
  Id globalVariable(spv::StorageClass Class, Id Pointee, Id Initialiser = 0);

  Words &functions() { return Functions; }
  /// The module, with one compute entry point "main".
  Words finish(Id EntryPoint) const;

private:
  Id declare(spv::Op Op, llvm::ArrayRef<uint32_t> Operands);
  Id declareTyped(spv::Op Op, Id Type, llvm::ArrayRef<uint32_t> Operands);

  Id Bound = 1;
  Id Glsl = 0;
  std::set<uint32_t> Capabilities;
  Words Modes; ///< per mode: count, then the operands after the entry point
  Words Strings, Names, Decorations, Globals, Functions;
  std::vector<Id> Interface;
  std::map<Words, Id> Declared;
  std::map<std::string, Id> StringIds;
  std::map<Id, uint64_t> IntValues;
  std::map<uint32_t, Id> SpecBools;
};

} // namespace ampc::spirv

#endif
