/* single.h - there is one runtime in a process.
 *
 * A program with the static library and a shared object with the shared one would have two: two
 * maps of host memory, each unaware of what the other has on an accelerator. The second to look for
 * accelerators is refused. */
#ifndef AMPC_SINGLE_H
#define AMPC_SINGLE_H

#include "status.h"

/* Claims the process for this copy of the runtime. With the lock. */
bool ampc_single_claim(struct ampc_status *status);

#endif
