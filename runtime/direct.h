/* direct.h - copies that do not pass through the host memory of views.
 *
 * Both functions need the lock. They set *out_done when they did it; else nothing has happened and
 * the caller copies on the host. False after an error. The sides have one shape and are not empty;
 * a side of rank 0 is a pointer. */
#ifndef AMPC_DIRECT_H
#define AMPC_DIRECT_H

#include "shape.h"
#include "source.h"

/* The view's elements in the record's buffer; false when they are not all in its memory. */
bool ampc_view_locate(const ampc_any_view *view, const struct ampc_source_record *record,
                      uint64_t *out_begin, uint64_t *out_end, struct ampc_status *status);

/* On one accelerator, where the source is current. The accelerator does it in order with its other
 * commands: *out_device and *out_number say which one it is. */
bool ampc_copy_on_device(const ampc_any_view *from, const ampc_any_view *to, bool *out_done,
                         struct ampc_device **out_device, uint64_t *out_number,
                         struct ampc_status *status);
/* Between an accelerator and host memory, for sides without gaps: from host memory into an array,
 * or out of what only an accelerator has. Done at return. */
bool ampc_copy_directly(const ampc_any_view *from, const ampc_any_view *to, bool *out_done,
                        struct ampc_status *status);

#endif
