/* view.h - what other files of the runtime need of view.c. */
#ifndef AMPC_RUNTIME_VIEW_H
#define AMPC_RUNTIME_VIEW_H

#include "source.h"

/* array_view_close by handle: writes back what is pending and closes; nothing when it is closed
 * already. Without the lock; reports errors. */
void ampc_view_close(struct ampc_source *source, uint64_t key);

#endif
