/* cpu/pool.h - the threads that run kernels.
 *
 * One kernel runs at a time, on all threads: the launching one and the pool's, which are made at
 * the first launch that is worth it and sleep between launches. The range of a launch is handed out
 * in chunks, from a counter that all share. AMPC_THREADS says how many threads, else there is one
 * for each processor that this process may use. Where no thread can be made, the launching one does
 * all the work. A child after fork makes threads of its own. */
#ifndef AMPC_CPU_POOL_H
#define AMPC_CPU_POOL_H

#include "../status.h"
#include <ampc/kernel.h>

/* How many threads a kernel will have, that of the launch included. */
unsigned cpu_pool_threads(void);

/* Runs all of [0, count), and returns when it is done. Without the registry lock. */
bool cpu_pool_run(const struct ampc_kernel *kernel, const void *captures,
                  const struct ampc_domain *domain, uint64_t count, struct ampc_status *status);

/* The calling thread is in a kernel (a signal handler may ask). */
bool cpu_pool_in_kernel(void);

#endif
