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

/* Memory for bookkeeping, zeroed; NULL with a status when the host has none left. Whatever cannot
 * be undone is done after the last of these that an operation needs. */
void *ampc_allocate(size_t size, struct ampc_status *status);
/* The old memory stays when there is none to be had; what is new is not zeroed. */
void *ampc_reallocate(void *, size_t size, struct ampc_status *status);

#endif
