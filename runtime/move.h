/* move.h - bytes between the host and an accelerator, logged and profiled. With the lock. */
#ifndef AMPC_MOVE_H
#define AMPC_MOVE_H

#include "accelerator.h"
#include "profile.h"

/* To an accelerator. */
bool ampc_move_in(struct amp_accelerator *a, struct ampc_memory *memory, uint64_t offset,
                  const void *from, uint64_t size, struct ampc_status *status);
/* From one; `writer` is the kernel that made them, NULL when it is not known. */
bool ampc_move_out(struct amp_accelerator *a, struct ampc_memory *memory, uint64_t offset, void *to,
                   uint64_t size, struct ampc_profile_kernel *writer, struct ampc_status *status);
/* The kernel that bytes go to an accelerator for, from now on; NULL: none. For profiles only. */
void ampc_move_for(struct ampc_profile_kernel *kernel);

#endif
