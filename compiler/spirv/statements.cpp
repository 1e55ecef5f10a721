//===- statements.cpp - structured control flow ---------------------------===//
//
// Every construct gets fresh merge and continue blocks. Statements after a
// break, continue or return are dead (C's labels are not in KIR) and are not
// written; a merge block that nothing reaches holds OpUnreachable.
//
//===----------------------------------------------------------------------===//

#include "kir/progress.h"
#include "spirv/emitter.h"

using namespace ampc::kir;
using llvm::cast;
using spv::Op;

namespace ampc::spirv {

void Emitter::statements(const Body &B) {
  ++Depth;
  for (const Stmt *S : B) {
    if (Dead)
      break;
    statement(S);
  }
  --Depth;
}

void Emitter::statement(const Stmt *S) {
  at(M, S->Where);
  line(S->Where);
  switch (S->K) {
  case Stmt::Kind::Declare: {
    auto *D = cast<Declare>(S);
    Place Variable = variablePlace(D->Var);
    // All of a variable's words at once, not one by one.
    if (D->Init && D->Init->K == Expr::Kind::Zero &&
        Variable.K == Place::Kind::Words)
      emitPlain(Op::OpStore, {Variable.Pointer, zeroWords(Variable.Ty)});
    else if (D->Init)
      store(Variable, value(D->Init));
    break;
  }
  case Stmt::Kind::Store: {
    auto *A = cast<Store>(S);
    // The value first: C leaves the order open, and the place may be loaded
    // in it.
    Id Value = value(A->Value);
    store(place(A->Place), Value);
    break;
  }
  case Stmt::Kind::Eval:
    value(cast<Eval>(S)->Value);
    break;
  case Stmt::Kind::Block:
    statements(cast<Block>(S)->Stmts);
    break;
  case Stmt::Kind::If:
    ifStatement(cast<If>(S));
    break;
  case Stmt::Kind::Loop:
    loop(cast<Loop>(S));
    break;
  case Stmt::Kind::Switch:
    switchStatement(cast<Switch>(S));
    break;
  case Stmt::Kind::Break:
    Targets.back().BreakUsed = true;
    branch(Targets.back().Break);
    break;
  case Stmt::Kind::Continue:
    for (size_t I = Targets.size(); I-- != 0;)
      if (Targets[I].Continue)
        return continueLoop(I);
    break;
  case Stmt::Kind::Return:
    returnStatement(cast<Return>(S));
    break;
  case Stmt::Kind::Barrier:
    barrier(cast<Barrier>(S)->Memory, /*Control=*/true);
    break;
  case Stmt::Kind::Fence:
    barrier(cast<Fence>(S)->Memory, /*Control=*/false);
    break;
  case Stmt::Kind::Report:
    report(cast<Report>(S));
    break;
  }
}

void Emitter::ifStatement(const If *S) {
  Id Condition = value(S->Condition);
  Id Then = W.newId(), Merge = W.newId();
  Id Else = S->Else.empty() ? Merge : W.newId();
  bool Reached = S->Else.empty();
  emitPlain(Op::OpSelectionMerge, {Merge, 0});
  endBlock(Op::OpBranchConditional, {Condition, Then, Else});
  startBlock(Then);
  statements(S->Then);
  if (!Dead) {
    branch(Merge);
    Reached = true;
  }
  if (!S->Else.empty()) {
    startBlock(Else);
    statements(S->Else);
    if (!Dead) {
      branch(Merge);
      Reached = true;
    }
  }
  startBlock(Merge);
  if (!Reached)
    endBlock(Op::OpUnreachable, {});
}

static bool containsReturn(const Body &B) {
  bool Found = false;
  walk(
      B, [](const Expr *) {},
      [&](const Stmt *S) { Found |= S->K == Stmt::Kind::Return; });
  return Found;
}

/// Goes to the continue target of Targets[Loop], with what has to run before
/// it where the continue construct cannot hold it.
void Emitter::continueLoop(size_t Loop) {
  Targets[Loop].ContinueUsed = true;
  const kir::Loop *Tail = Targets[Loop].Tail;
  if (!Tail)
    return branch(Targets[Loop].Continue);
  if (Tail->F != Loop::Form::Do) {
    statements(Tail->Step);
    if (Dead)
      return;
    return branch(Targets[Loop].Continue);
  }
  statements(Tail->Prelude);
  if (Dead)
    return;
  if (!Tail->Condition)
    return branch(Targets[Loop].Continue);
  Targets[Loop].BreakUsed = true;
  endBlock(Op::OpBranchConditional, {value(Tail->Condition),
                                     Targets[Loop].Continue,
                                     Targets[Loop].Break});
}

/// Is there a way out of the loop?
static bool canEnd(const Loop *S) {
  bool Found = S->Condition;
  walk(
      S->Stmts, [](const Expr *) {},
      [&](const Stmt *Inner) {
        Found |= Inner->K == Stmt::Kind::Break || Inner->K == Stmt::Kind::Return;
      });
  return Found;
}

/// A second way out of the loop, at its start, which is never taken: a
/// workaround, under a specialisation constant, for llvmpipe (seen in Mesa
/// 22.3). There a loop with one way out goes on for all work items until the
/// last one has left, and what those that have left computed in it, loads above
/// all, may be computed once more; used behind the loop, it is then another
/// value, unless it gets there through a phi of values that differ.
void Emitter::guardLoop(Id Merge) {
  Id Int = W.intType(32), Bool = W.boolType(), Next = W.newId();
  Id Groups = emit(Op::OpCompositeExtract, Int,
                   {builtin(spv::BuiltIn::NumWorkgroups), 0});
  Id Never = emit(Op::OpIEqual, Bool, {Groups, u32(0)});
  Id Leaves = emit(Op::OpLogicalAnd, Bool,
                   {W.specConstantBool(SpecGuardLoops), Never});
  endBlock(Op::OpBranchConditional, {Leaves, Merge, Next});
  startBlock(Next);
}

//   while, for                        do
//
//   header  (LoopMerge, empty) <-+    header  (LoopMerge, empty) <-+
//     |                          |      |                          |
//   check: prelude, condition    |    body --break--> merge        |
//     |  \-false-> merge         |      |  continue                |
//   body --break--> merge        |    continue: prelude, condition-+
//     |  continue                |      | false
//   continue: step --------------+    merge
//     ...
//   merge
//
// The header is empty because the check may take several blocks. A barrier
// or return must not stand in a continue construct: then what belongs there is written
// at the end of the body and before each `continue` instead.
void Emitter::loop(const Loop *S) {
  bool IsDo = S->F == Loop::Form::Do;
  const Body &Tail = IsDo ? S->Prelude : S->Step;
  bool HasTail = containsBarrier(Tail) || containsReturn(Tail);
  Id Header = W.newId(), BodyBlock = W.newId(), Continue = W.newId(),
     Merge = W.newId();
  branch(Header);
  startBlock(Header);
  emitPlain(Op::OpLoopMerge, {Merge, Continue, 0});
  LoopTargets L{Merge, Continue, HasTail ? S : nullptr, false, false};
  if (canEnd(S)) {
    Id Guard = W.newId();
    branch(Guard);
    startBlock(Guard);
    guardLoop(Merge);
    L.BreakUsed = true;
  }
  if (IsDo) {
    branch(BodyBlock);
  } else {
    Id Check = W.newId();
    branch(Check);
    startBlock(Check);
    statements(S->Prelude);
    if (S->Condition) {
      L.BreakUsed = true;
      endBlock(Op::OpBranchConditional,
               {value(S->Condition), BodyBlock, Merge});
    } else {
      branch(BodyBlock);
    }
  }

  startBlock(BodyBlock);
  Targets.push_back(L);
  statements(S->Stmts);
  if (!Dead)
    continueLoop(Targets.size() - 1);
  L = Targets.back();
  Targets.pop_back();

  startBlock(Continue);
  if (L.ContinueUsed && !HasTail)
    statements(IsDo ? S->Prelude : S->Step);
  if (IsDo && L.ContinueUsed && !HasTail && S->Condition) {
    L.BreakUsed = true;
    endBlock(Op::OpBranchConditional, {value(S->Condition), Header, Merge});
  } else {
    branch(Header);
  }
  startBlock(Merge);
  if (!L.BreakUsed)
    endBlock(Op::OpUnreachable, {});
}

// Cases stand in the target list in source order, so a case that falls through
// stands right before the one it falls into; the values of one case share one
// label.
void Emitter::switchStatement(const Switch *S) {
  Id Subject = value(S->Subject), Merge = W.newId(), Default = Merge;
  std::vector<Id> Labels;
  Words Cases;
  for (const Switch::Case &C : S->Cases) {
    Labels.push_back(W.newId());
    if (C.IsDefault)
      Default = Labels.back();
    for (uint64_t Value : C.Values) {
      Cases.push_back(uint32_t(Value));
      if (S->Subject->Ty->Width == 64)
        Cases.push_back(uint32_t(Value >> 32));
      Cases.push_back(Labels.back());
    }
  }
  constexpr size_t MostCases = 16383; // and an instruction has 65,535 words
  if (Cases.size() / 2 > MostCases)
    unsupported("a switch of more than 16,383 cases");
  Words Operands{Subject, Default};
  Operands.insert(Operands.end(), Cases.begin(), Cases.end());
  emitPlain(Op::OpSelectionMerge, {Merge, 0});
  endBlock(Op::OpSwitch, Operands);

  Targets.push_back({Merge, 0, nullptr, Default == Merge, false});
  for (size_t I = 0; I != Labels.size(); ++I) {
    startBlock(Labels[I]);
    statements(S->Cases[I].Stmts);
    if (Dead)
      continue;
    if (I + 1 == Labels.size()) {
      Targets.back().BreakUsed = true;
      branch(Merge);
    } else {
      branch(Labels[I + 1]);
    }
  }
  bool Reached = Targets.back().BreakUsed;
  Targets.pop_back();
  startBlock(Merge);
  if (!Reached)
    endBlock(Op::OpUnreachable, {});
}

void Emitter::returnStatement(const Return *S) {
  EarlyReturns |= !InKernel && Depth > 1;
  if (S->Value) {
    Id Value = value(S->Value);
    endBlock(Op::OpReturnValue, {Value});
  } else {
    endBlock(Op::OpReturn, {});
  }
}

void Emitter::barrier(Fenced Memory, bool Control) {
  using Semantics = spv::MemorySemanticsMask;
  uint32_t Classes = 0;
  if (Memory != Fenced::Global)
    Classes |= uint32_t(Semantics::WorkgroupMemory);
  // UniformMemory is the class of physical storage buffers, too.
  if (Memory != Fenced::TileStatic && SharesMemory)
    Classes |= uint32_t(Semantics::UniformMemory);
  uint32_t Mask =
      Classes ? Classes | uint32_t(Semantics::AcquireRelease) : 0;
  Id Scope = u32(uint32_t(spv::Scope::Workgroup));
  if (Control)
    emitPlain(Op::OpControlBarrier, {Scope, Scope, u32(Mask)});
  else if (Mask)
    emitPlain(Op::OpMemoryBarrier, {Scope, u32(Mask)});
}

} // namespace ampc::spirv
