/* copy.c - amp_copy and the asynchronous forms; see ampc/view.h.
 *
 * A copy on one accelerator is a command there: amp_copy returns once it is given, since nobody can
 * see its result without waiting for it. Large pieces go between accelerator and host without a
 * detour (direct.h). Else both ends meet on the host: what an accelerator has of the source comes
 * back first, and what is written here goes out again when a kernel captures the destination. */
#include "direct.h"
#include "future.h"
#include "registry.h"
#include "report.h"
#include "shape.h"
#include "source.h"
#include <ampc/runtime.h>

#include <stdlib.h>
#include <string.h>

static bool check(const ampc_any_view *from, const ampc_any_view *to, struct ampc_status *status)
{
    if (!from->rank && !to->rank)
        return ampc_fail(status, amp_error_runtime,
                         "amp_copy: neither side is a view or array; use memcpy");
    if ((from->rank ? !from->key : !from->data) || (to->rank ? !to->key : !to->data))
        return ampc_fail(status, amp_error_runtime, "amp_copy: a side is NULL or an empty view");
    if (!from->rank || !to->rank)
        return true;
    if (from->rank != to->rank || ampc_view_element_size(from) != ampc_view_element_size(to))
        return ampc_fail(status, amp_error_runtime,
                         "amp_copy: the sides differ in rank or element type");
    for (int k = 0; k < from->rank; ++k)
        if (from->extent[k] != to->extent[k])
            return ampc_fail(status, amp_error_runtime,
                             "amp_copy: dimension %d is %d long in the source and %d in the "
                             "destination",
                             k, from->extent[k], to->extent[k]);
    return true;
}

/* Waits for the side's pending results and brings them home; with the lock. */
static struct ampc_source_record *fetch(const ampc_any_view *side, struct ampc_status *status)
{
    uint64_t begin, end;
    struct ampc_source_record *record =
        ampc_source_settle(side->source, side->key, side->data, ampc_view_end(side), status);
    return record && ampc_view_locate(side, record, &begin, &end, status) &&
                   ampc_buffer_fetch(record->buffer, begin, end, status)
               ? record
               : NULL;
}

static bool copy_on_host(const ampc_any_view *from, const ampc_any_view *to,
                         struct ampc_status *status)
{
    struct ampc_source_record *target = NULL;
    if (to->rank && !fetch(to, status))
        return false;
    if (from->rank && !fetch(from, status))
        return false;
    /* Waiting for one side may have let another thread close or use the other. */
    if (to->rank &&
        (!(target = ampc_source_find(to->source, to->key, status)) || !fetch(to, status)))
        return false;
    if (!from->rank) {
        ampc_view_scatter(to, from->data);
    } else if (!to->rank) {
        ampc_view_gather(from, to->data);
    } else if (ampc_view_is_contiguous(from)) {
        ampc_view_scatter(to, from->data);
    } else if (ampc_view_is_contiguous(to)) {
        ampc_view_gather(from, to->data);
    } else {
        char *packed = ampc_allocate((size_t)(ampc_view_end(from) - from->data));
        ampc_view_gather(from, packed);
        ampc_view_scatter(to, packed);
        free(packed);
    }
    if (target) {
        uint64_t begin = (uint64_t)(to->data - target->buffer->base);
        ampc_buffer_set(target->buffer, begin, begin + (uint64_t)(ampc_view_end(to) - to->data),
                        AMPC_ON_HOST);
        ampc_source_update_keys(target->buffer);
    }
    return true;
}

/* With the lock. *out_number is the command that does it, 0 when it is done. */
static bool copy(const ampc_any_view *from, const ampc_any_view *to,
                 struct ampc_device **out_device, uint64_t *out_number, struct ampc_status *status)
{
    bool done = false;
    *out_number = 0;
    if (ampc_view_is_empty(from->rank ? from : to))
        return true;
    if (from->rank && to->rank &&
        !ampc_copy_on_device(from, to, &done, out_device, out_number, status))
        return false;
    if (done)
        return true;
    if (from->rank &&
        !ampc_source_settle(from->source, from->key, from->data, ampc_view_end(from), status))
        return false;
    return ampc_copy_directly(from, to, &done, status) && (done || copy_on_host(from, to, status));
}

static completion_future perform(ampc_any_view from, ampc_any_view to)
{
    struct ampc_status status = {0};
    struct ampc_device *device = NULL;
    uint64_t number = 0;
    bool good = check(&from, &to, &status);
    if (good) {
        ampc_lock();
        good = copy(&from, &to, &device, &number, &status);
        ampc_unlock();
    }
    if (!good)
        ampc_report(NULL, &status);
    return ampc_future_create(device, good ? number : 0);
}

void ampc_copy(struct ampc_copy_end from, struct ampc_copy_end to)
{
    completion_future_free(perform(from, to));
}

completion_future ampc_copy_async(struct ampc_copy_end from, struct ampc_copy_end to)
{
    return perform(from, to);
}

#define SYNCHRONIZE_ASYNC(N)                                                                       \
    completion_future array_view_synchronize_async_##N(struct ampc_view_##N view)                  \
    {                                                                                              \
        array_view_synchronize_##N(view);                                                          \
        return ampc_future_create(NULL, 0);                                                        \
    }
AMPC_EACH_RANK(SYNCHRONIZE_ASYNC)
