/* cpu/pace.h - how long kernels take, to tell launches that are worth several threads from others.
 *
 * All functions need the pool's turn. Times are in nanoseconds. */
#ifndef AMPC_CPU_PACE_H
#define AMPC_CPU_PACE_H

#include <ampc/kernel.h>
#include <stdbool.h>

uint64_t cpu_pace_now(void);

/* How much of `count` the launching thread should do before it decides: all of it when the kernel
 * is known to be quick, nothing when it is known to be long. */
uint64_t cpu_pace_alone(const struct ampc_kernel *kernel, uint64_t count);

/* Does what is left of `count`, after `done` took `elapsed`, cost less than waking a thread? */
bool cpu_pace_is_small(uint64_t elapsed, uint64_t done, uint64_t count);

/* `count` took `elapsed`, of one thread's time. */
void cpu_pace_note(const struct ampc_kernel *kernel, uint64_t elapsed, uint64_t count);

#endif
