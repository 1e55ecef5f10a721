//===- kernel.h - the C function of one kernel ----------------------------===//
#ifndef AMPC_CPU_KERNEL_H
#define AMPC_CPU_KERNEL_H

#include "cpu/cpu.h"
#include "cpu/printer.h"
#include "cpu/structure.h"

namespace ampc::cpu {

/// Prints K's function into P and fills in Result but for its text. Shared:
/// the tile_static variables it reaches.
void printKernel(const kir::Kernel &K, const Structure &Split,
                 const std::vector<const kir::Variable *> &Shared,
                 bool CutsLoops, Printer &P, Types &T, Code &Result);

} // namespace ampc::cpu

#endif
