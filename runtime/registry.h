/* registry.h - the one lock, the accelerators, and the map from host memory to buffers.
 *
 * One lock guards all state of the runtime (views' sources, buffers, devices); it is not held while
 * waiting for a device, while a user's handler or callback runs, or on the fast path of element
 * access. */
#ifndef AMPC_REGISTRY_H
#define AMPC_REGISTRY_H

#include "accelerator.h"

void ampc_lock(void);
void ampc_unlock(void);

/* Memory for bookkeeping: a few bytes that the program cannot go on without. Zeroed; never NULL. */
void *ampc_allocate(size_t size);
void *ampc_reallocate(void *, size_t size);

#endif
