/* source.h - sources: what one array_view_of, array_view_new or array opens, and all views made
 * from it refer to.
 *
 * All functions need the lock. */
#ifndef AMPC_SOURCE_H
#define AMPC_SOURCE_H

#include "buffer.h"
#include <ampc/types.h>

enum ampc_source_kind {
    AMPC_SOURCE_VIEW,
    AMPC_SOURCE_ARRAY,      /* `home` and `access` are set; it owns `over_array` */
    AMPC_SOURCE_STAGING,    /* an array that stays on the host */
    AMPC_SOURCE_OVER_ARRAY, /* array_view_from_array */
};

struct ampc_source_record {
    struct ampc_source keys; /* first: what views see */
    uint64_t key;            /* of the present use; 0: free */
    enum ampc_source_kind kind;
    char *base; /* host range */
    uint64_t size;
    struct ampc_buffer *buffer;
    struct ampc_source_record *next; /* on the buffer's list, or on the free list */
    bool handed_over;                /* by `return`, until someone adopts it */
    access_type access;
    struct amp_accelerator *home;
    struct ampc_source_record *over_array; /* NULL until asked for */
};

/* What an empty view refers to: no key opens it. */
extern struct ampc_source ampc_empty_source;
#define AMPC_EMPTY_VIEW .data = (char *)&ampc_empty_source, .source = &ampc_empty_source

/* A source over [base, base + size); base NULL: memory of the runtime's own. NULL after an error.
 */
struct ampc_source_record *ampc_source_open(enum ampc_source_kind kind, char *base, uint64_t size,
                                            struct ampc_status *status);
/* A second source over the memory of an open one; NULL after an error. */
struct ampc_source_record *ampc_source_open_beside(enum ampc_source_kind kind,
                                                   struct ampc_source_record *other,
                                                   struct ampc_status *status);
/* The record behind a view, NULL with a status when it is closed or the view is empty. */
struct ampc_source_record *ampc_source_find(struct ampc_source *source, uint64_t key,
                                            struct ampc_status *status);
/* The same, without complaint. */
struct ampc_source_record *ampc_source_peek(struct ampc_source *source, uint64_t key);
/* Frees the record, and the buffer with its last source. Pending results are the caller's concern.
 */
void ampc_source_close(struct ampc_source_record *record);
/* Waits for the tasks (task.h) that use the source's memory; before it is closed, without the lock.
 */
void ampc_source_end_tasks(struct ampc_source *source, uint64_t key);
/* Brings the keys of all sources of the buffer in line with its spans; after every change of them.
 */
void ampc_source_update_keys(struct ampc_buffer *buffer);

/* For AMPC_LOG: what is open still, at exit. */
void ampc_source_log_open(void);

/* Finds the record and waits, with the lock released meanwhile, until no command still writes its
 * range [begin, end) of host addresses. Returns with the lock held in any case; it is held on
 * entry, too. */
struct ampc_source_record *ampc_source_settle(struct ampc_source *source, uint64_t key,
                                              const char *begin, const char *end,
                                              struct ampc_status *status);

#endif
