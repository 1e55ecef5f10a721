/* buffer.h - host memory with copies on accelerators, and where each byte of it is current.
 *
 * A buffer covers the host ranges of all sources (source.h) that overlap, so that views opened one
 * over the other alias. It is cut into spans, each with the set of places that hold its current
 * bytes: the host, accelerators, or all of them when the contents do not matter (discarded). An
 * accelerator's copy of the whole buffer is one piece of memory, made when first needed; only stale
 * bytes of the range that is used are copied.
 *
 * All functions need the lock. Ranges are [begin, end) in bytes from the buffer's base. */
#ifndef AMPC_BUFFER_H
#define AMPC_BUFFER_H

#include "accelerator.h"

typedef uint32_t ampc_places;
#define AMPC_ON_HOST ((ampc_places)1)
#define AMPC_ON(accelerator) ((accelerator)->place) /* a host's: AMPC_ON_HOST */
#define AMPC_ANYWHERE ((ampc_places)~0u)

struct ampc_span {
    uint64_t end;        /* begins where the one before ends */
    ampc_places current; /* never empty */
};

struct ampc_buffer {
    char *base;
    uint64_t size;           /* at least 1 */
    bool owns_host;          /* the host memory is the runtime's */
    struct ampc_span *spans; /* neighbours differ in `current` */
    size_t span_count, span_capacity;
    struct ampc_source_record
        *sources;       /* list of those open on it; the buffer lives until the last is closed */
    ampc_places pinned; /* accelerators that reach the host memory directly */
    ampc_places not_pinnable;           /* those that cannot */
    unsigned large_copies;              /* so far, see WORTH_PINNING */
    struct ampc_profile_kernel *writer; /* the last, while there is a profile (profile.h) */
    struct ampc_memory *memory[AMPC_MAX_ACCELERATORS];
};

/* The buffer for a source over [base, base + size): a new one, one that covers it, or a new one
 * that takes in all those it overlaps (after bringing their pending results home). base NULL: host
 * memory of the runtime's own. NULL after an error. Opening makes the range current on the host but
 * where results are pending; runtime-owned memory is discarded. */
struct ampc_buffer *ampc_buffer_open(char *base, uint64_t size, struct ampc_status *status);
/* When no source is left, gives back everything. */
void ampc_buffer_close(struct ampc_buffer *buffer);

/* Room in which `ampc_buffer_set` of so many ranges cannot fail. Placing or fetching a range makes
 * room for one more. */
bool ampc_buffer_reserve(struct ampc_buffer *buffer, size_t ranges, struct ampc_status *status);
/* Where the range is current from now on; there is room for it. */
void ampc_buffer_set(struct ampc_buffer *buffer, uint64_t begin, uint64_t end, ampc_places current);
/* Is the whole range current in one place / only there? */
bool ampc_buffer_is_current(const struct ampc_buffer *buffer, uint64_t begin, uint64_t end,
                            ampc_places place);
bool ampc_buffer_is_only(const struct ampc_buffer *buffer, uint64_t begin, uint64_t end,
                         ampc_places place);

/* Makes the range current on the host too. */
bool ampc_buffer_fetch(struct ampc_buffer *buffer, uint64_t begin, uint64_t end,
                       struct ampc_status *status);
/* Makes the range current on the accelerator too. */
bool ampc_buffer_place(struct ampc_buffer *buffer, struct amp_accelerator *accelerator,
                       uint64_t begin, uint64_t end, struct ampc_status *status);
/* Lets the accelerator copy from and to the host memory without staging, where it can: worth it for
 * what is copied often, since pages have to be fixed. Until the buffer is closed. */
void ampc_buffer_pin(struct ampc_buffer *buffer, struct amp_accelerator *accelerator);
/* The device and command that a fetch of the range would wait for; 0 when none. */
uint64_t ampc_buffer_pending(const struct ampc_buffer *buffer, uint64_t begin, uint64_t end,
                             struct ampc_device **out_device);

#endif
