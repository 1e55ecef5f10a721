//===- writer.cpp - assembling a SPIR-V module ----------------------------===//

#include "spirv/writer.h"

namespace ampc::spirv {

void append(Words &To, spv::Op Op, llvm::ArrayRef<uint32_t> Operands) {
  To.push_back(uint32_t(Operands.size() + 1) << 16 | uint32_t(Op));
  To.insert(To.end(), Operands.begin(), Operands.end());
}

void appendString(Words &To, llvm::StringRef Text) {
  uint32_t Word = 0;
  for (size_t I = 0; I != Text.size(); ++I) {
    Word |= uint32_t(static_cast<unsigned char>(Text[I])) << (I % 4 * 8);
    if (I % 4 == 3) {
      To.push_back(Word);
      Word = 0;
    }
  }
  To.push_back(Word);
}

void ModuleWriter::executionMode(spv::ExecutionMode Mode,
                                 llvm::ArrayRef<uint32_t> Literals) {
  Modes.push_back(Literals.size() + 1);
  Modes.push_back(uint32_t(Mode));
  Modes.insert(Modes.end(), Literals.begin(), Literals.end());
}

Id ModuleWriter::glslStd450() {
  if (!Glsl)
    Glsl = newId();
  return Glsl;
}

void ModuleWriter::decorate(Id Target, spv::Decoration D,
                            llvm::ArrayRef<uint32_t> Literals) {
  Words Operands{Target, uint32_t(D)};
  Operands.insert(Operands.end(), Literals.begin(), Literals.end());
  append(Decorations, spv::Op::OpDecorate, Operands);
}

void ModuleWriter::decorateString(Id Target, spv::Decoration D,
                                  llvm::StringRef Text) {
  Words Operands{Target, uint32_t(D)};
  appendString(Operands, Text);
  append(Decorations, spv::Op::OpDecorateString, Operands);
}

void ModuleWriter::decorateMember(Id Struct, unsigned Member,
                                  spv::Decoration D,
                                  llvm::ArrayRef<uint32_t> Literals) {
  Words Operands{Struct, Member, uint32_t(D)};
  Operands.insert(Operands.end(), Literals.begin(), Literals.end());
  append(Decorations, spv::Op::OpMemberDecorate, Operands);
}

void ModuleWriter::name(Id Target, llvm::StringRef Name) {
  Words Operands{Target};
  appendString(Operands, Name);
  append(Names, spv::Op::OpName, Operands);
}

void ModuleWriter::nameMember(Id Struct, unsigned Member,
                              llvm::StringRef Name) {
  Words Operands{Struct, Member};
  appendString(Operands, Name);
  append(Names, spv::Op::OpMemberName, Operands);
}

Id ModuleWriter::string(llvm::StringRef Text) {
  Id &Known = StringIds[Text.str()];
  if (!Known) {
    Known = newId();
    Words Operands{Known};
    appendString(Operands, Text);
    append(Strings, spv::Op::OpString, Operands);
  }
  return Known;
}

void ModuleWriter::source(Id File) {
  append(Strings, spv::Op::OpSource,
         {uint32_t(spv::SourceLanguage::Unknown), 0, File});
}

Id ModuleWriter::declare(spv::Op Op, llvm::ArrayRef<uint32_t> Operands) {
  Words Key{uint32_t(Op)};
  Key.insert(Key.end(), Operands.begin(), Operands.end());
  Id &Known = Declared[Key];
  if (!Known) {
    Known = newId();
    Words All{Known};
    All.insert(All.end(), Operands.begin(), Operands.end());
    append(Globals, Op, All);
  }
  return Known;
}

Id ModuleWriter::declareTyped(spv::Op Op, Id Type,
                              llvm::ArrayRef<uint32_t> Operands) {
  Words Key{uint32_t(Op), Type};
  Key.insert(Key.end(), Operands.begin(), Operands.end());
  Id &Known = Declared[Key];
  if (!Known) {
    Known = newId();
    Words All{Type, Known};
    All.insert(All.end(), Operands.begin(), Operands.end());
    append(Globals, Op, All);
  }
  return Known;
}

Id ModuleWriter::intType(unsigned Width) {
  if (Width == 64)
    capability(spv::Capability::Int64);
  return declare(spv::Op::OpTypeInt, {Width, 0});
}

Id ModuleWriter::floatType(unsigned Width) {
  if (Width == 64)
    capability(spv::Capability::Float64);
  return declare(spv::Op::OpTypeFloat, {Width});
}

Id ModuleWriter::vectorType(Id Element, unsigned Count) {
  return declare(spv::Op::OpTypeVector, {Element, Count});
}

Id ModuleWriter::pointerType(spv::StorageClass Class, Id Pointee) {
  return declare(spv::Op::OpTypePointer, {word(Class), Pointee});
}

Id ModuleWriter::functionType(Id Result, llvm::ArrayRef<Id> Params) {
  Words Operands{Result};
  Operands.insert(Operands.end(), Params.begin(), Params.end());
  return declare(spv::Op::OpTypeFunction, Operands);
}

Id ModuleWriter::arrayType(Id Element, uint64_t Count) {
  return declare(spv::Op::OpTypeArray, {Element, constantInt(32, Count)});
}

Id ModuleWriter::newArrayType(Id Element, uint64_t Count) {
  Id Length = constantInt(32, Count), Result = newId();
  append(Globals, spv::Op::OpTypeArray, {Result, Element, Length});
  return Result;
}

Id ModuleWriter::newStructType(llvm::ArrayRef<Id> Members) {
  Words Operands{newId()};
  Operands.insert(Operands.end(), Members.begin(), Members.end());
  append(Globals, spv::Op::OpTypeStruct, Operands);
  return Operands[0];
}

Id ModuleWriter::constantInt(unsigned Width, uint64_t Value) {
  if (Width == 32)
    Value &= 0xffffffffu;
  Words Operands{uint32_t(Value)};
  if (Width == 64)
    Operands.push_back(uint32_t(Value >> 32));
  Id Result = declareTyped(spv::Op::OpConstant, intType(Width), Operands);
  IntValues[Result] = Value;
  return Result;
}

Id ModuleWriter::constantFloat(unsigned Width, uint64_t Bits) {
  Words Operands{uint32_t(Bits)};
  if (Width == 64)
    Operands.push_back(uint32_t(Bits >> 32));
  return declareTyped(spv::Op::OpConstant, floatType(Width), Operands);
}

Id ModuleWriter::constantBool(bool Value) {
  return declareTyped(Value ? spv::Op::OpConstantTrue
                            : spv::Op::OpConstantFalse,
                      boolType(), {});
}

Id ModuleWriter::constantNull(Id Type) {
  return declareTyped(spv::Op::OpConstantNull, Type, {});
}

Id ModuleWriter::constantComposite(Id Type, llvm::ArrayRef<Id> Parts) {
  return declareTyped(spv::Op::OpConstantComposite, Type, Parts);
}

Id ModuleWriter::specConstantInt(uint32_t SpecId, uint32_t Default) {
  Id Result = newId();
  append(Globals, spv::Op::OpSpecConstant, {intType(32), Result, Default});
  decorate(Result, spv::Decoration::SpecId, {SpecId});
  return Result;
}

Id ModuleWriter::specConstantBool(uint32_t SpecId) {
  Id &Known = SpecBools[SpecId];
  if (!Known) {
    Known = newId();
    append(Globals, spv::Op::OpSpecConstantFalse, {boolType(), Known});
    decorate(Known, spv::Decoration::SpecId, {SpecId});
  }
  return Known;
}

Id ModuleWriter::specConstantComposite(Id Type, llvm::ArrayRef<Id> Parts) {
  Words Operands{Type, newId()};
  Operands.insert(Operands.end(), Parts.begin(), Parts.end());
  append(Globals, spv::Op::OpSpecConstantComposite, Operands);
  return Operands[1];
}

const uint64_t *ModuleWriter::constantValue(Id Constant) const {
  auto Found = IntValues.find(Constant);
  return Found == IntValues.end() ? nullptr : &Found->second;
}

Id ModuleWriter::globalVariable(spv::StorageClass Class, Id Pointee,
                                Id Initialiser) {
  Id Type = pointerType(Class, Pointee), Result = newId();
  Words Operands{Type, Result, word(Class)};
  if (Initialiser)
    Operands.push_back(Initialiser);
  append(Globals, spv::Op::OpVariable, Operands);
  Interface.push_back(Result);
  return Result;
}

Words ModuleWriter::finish(Id EntryPoint) const {
  constexpr uint32_t Version15 = 0x00010500, NoGenerator = 0;
  Words Out{spv::MagicNumber, Version15, NoGenerator, Bound, 0};
  for (uint32_t C : Capabilities)
    append(Out, spv::Op::OpCapability, {C});
  if (Glsl) {
    Words Operands{Glsl};
    appendString(Operands, "GLSL.std.450");
    append(Out, spv::Op::OpExtInstImport, Operands);
  }
  append(Out, spv::Op::OpMemoryModel,
         {uint32_t(spv::AddressingModel::PhysicalStorageBuffer64),
          uint32_t(spv::MemoryModel::GLSL450)});

  Words Entry{uint32_t(spv::ExecutionModel::GLCompute), EntryPoint};
  appendString(Entry, "main");
  Entry.insert(Entry.end(), Interface.begin(), Interface.end());
  append(Out, spv::Op::OpEntryPoint, Entry);
  for (size_t I = 0; I != Modes.size(); I += Modes[I] + 1) {
    Words Operands{EntryPoint};
    Operands.insert(Operands.end(), Modes.begin() + I + 1,
                    Modes.begin() + I + 1 + Modes[I]);
    append(Out, spv::Op::OpExecutionMode, Operands);
  }
  for (const Words *Section :
       {&Strings, &Names, &Decorations, &Globals, &Functions})
    Out.insert(Out.end(), Section->begin(), Section->end());
  return Out;
}

} // namespace ampc::spirv
