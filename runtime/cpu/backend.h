/* cpu/backend.h - the CPU as an accelerator.
 *
 * Kernels are functions of the program (kernel->cpu) and work on the host's own memory: nothing is
 * allocated or copied here. A launch is over when it returns. */
#ifndef AMPC_CPU_BACKEND_H
#define AMPC_CPU_BACKEND_H

#include "../backend.h"

extern const struct ampc_backend ampc_cpu_backend;

#endif
