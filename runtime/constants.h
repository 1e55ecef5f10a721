/* constants.h - const tables that kernels read, on the accelerators that run them. */
#ifndef AMPC_CONSTANTS_H
#define AMPC_CONSTANTS_H

#include "accelerator.h"

/* The accelerator's copy of kernel->constants, made when first needed; kernels with the same table
 * share it, and it lasts as long as the program. NULL after an error. Needs the lock. */
struct ampc_memory *ampc_constants_on(struct amp_accelerator *on, const struct ampc_kernel *kernel,
                                      struct ampc_status *status);

#endif
