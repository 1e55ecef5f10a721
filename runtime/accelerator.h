/* accelerator.h - accelerators and accelerator views: which devices there are and which one is the
 * default. */
#ifndef AMPC_ACCELERATOR_H
#define AMPC_ACCELERATOR_H

#include "backend.h"

enum { AMPC_MAX_ACCELERATORS = 31 }; /* a bit each beside the host's in buffer.h */

struct amp_accelerator_view {
    struct amp_accelerator *accelerator;
    queuing_mode mode;
    uint64_t last_command; /* of this view */
    unsigned number;       /* of the accelerator's views; 0: the default view */
    struct ampc_status error;
};

struct amp_accelerator {
    struct ampc_device *device;
    unsigned index;
    uint32_t place; /* its bit in buffer.h's ampc_places */
    char path[32];
    access_type default_access;
    unsigned views_made;
    struct amp_accelerator_view default_view;
};

/* All need the lock. The first call looks for devices. */
struct amp_accelerator *ampc_accelerator(unsigned index);
/* The default accelerator, opened; NULL with a status that says why there is none. */
struct amp_accelerator *ampc_default_accelerator(struct ampc_status *status);
/* `view`, or the default accelerator's; its device is opened. */
struct amp_accelerator_view *ampc_resolve_view(struct amp_accelerator_view *view,
                                               struct ampc_status *status);

/* The default accelerator's view if the program has used it, else NULL. */
struct amp_accelerator_view *ampc_used_default_view(void);

/* Waits for a command of a device, at most so long; without the lock. False after an error. */
bool ampc_wait_for(struct ampc_device *device, uint64_t number, uint64_t nanoseconds,
                   bool *out_complete, struct ampc_status *status);
/* Waits as long as it takes. */
bool ampc_wait(struct ampc_device *device, uint64_t number, struct ampc_status *status);

#endif
