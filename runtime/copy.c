/* copy.c - amp_copy and the asynchronous forms; see ampc/view.h.
 *
 * A copy on one accelerator is a command there: amp_copy returns once it is given, since nobody can
 * see its result without waiting for it. Large pieces go between accelerator and host without a
 * detour (direct.h). Else both ends meet on the host: what an accelerator has of the source comes
 * back first, and what is written here goes out again when a kernel captures the destination.
 *
 * The asynchronous forms return the accelerator's command, or leave the work to a task. */
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
    const ampc_any_view *ends[] = {from, to};
    for (int k = 0; k < 2; ++k)
        if (ends[k]->rank ? !ends[k]->key : !ends[k]->data)
            return ampc_fail(status, amp_error_runtime, "amp_copy: the %s is %s",
                             k ? "destination" : "source",
                             ends[k]->rank ? "an empty view" : "NULL");
    if (!from->rank || !to->rank)
        return true;
    if (from->rank != to->rank || ampc_view_element_size(from) != ampc_view_element_size(to))
        return ampc_fail(status, amp_error_runtime,
                         "amp_copy: the source has rank %d and elements of %zu bytes, the "
                         "destination rank %d and elements of %zu bytes",
                         from->rank, ampc_view_element_size(from), to->rank,
                         ampc_view_element_size(to));
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
        char *packed = ampc_allocate(ampc_view_bytes(from), status);
        if (!packed)
            return false;
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

/* ---- now and later -------------------------------------------------------- */

struct ends {
    ampc_any_view from, to;
};

static void report(bool good, const struct ampc_status *status)
{
    if (!good)
        ampc_report(NULL, status);
}

/* What a side of a copy reads or writes; a pointer holds as much as the other side's elements. */
static struct ampc_task_use use_of(const ampc_any_view *side, const ampc_any_view *other,
                                   bool writes)
{
    struct ampc_task_use use = {side->data, side->data, writes};
    if (side->rank && !ampc_view_is_empty(side))
        use.end = ampc_view_end(side);
    else if (!side->rank && !ampc_view_is_empty(other))
        use.end += ampc_view_bytes(other);
    return use;
}

/* As `copy`, from outside the lock. */
static bool copy_unlocked(const struct ends *ends, struct ampc_device **out_device,
                          uint64_t *out_number, struct ampc_status *status)
{
    ampc_lock();
    bool good = copy(&ends->from, &ends->to, out_device, out_number, status);
    ampc_unlock();
    return good;
}

static void run_copy(const void *ends)
{
    struct ampc_status status = {0};
    struct ampc_device *device;
    uint64_t number;
    bool good = copy_unlocked(ends, &device, &number, &status);
    report(good && (!number || ampc_wait(device, number, &status)), &status);
}

void ampc_copy(struct ampc_copy_end from, struct ampc_copy_end to)
{
    struct ampc_status status = {0};
    struct ampc_device *device;
    uint64_t number;
    const struct ends ends = {from, to};
    bool good = check(&from, &to, &status);
    if (good && ampc_tasks_running()) {
        ampc_tasks_settle(use_of(&from, &to, false));
        ampc_tasks_settle(use_of(&to, &from, true));
    }
    report(good && copy_unlocked(&ends, &device, &number, &status), &status);
}

completion_future ampc_copy_async(struct ampc_copy_end from, struct ampc_copy_end to)
{
    struct ampc_status status = {0};
    const struct ends ends = {from, to};
    if (!check(&from, &to, &status)) {
        ampc_report(NULL, &status);
        return ampc_future_create(NULL, 0);
    }
    const struct ampc_task_use uses[] = {use_of(&from, &to, false), use_of(&to, &from, true)};
    if (from.rank && to.rank && !ampc_view_is_empty(&from)) {
        struct ampc_device *device = NULL;
        uint64_t number = 0;
        bool done = false;
        ampc_tasks_settle(uses[0]);
        ampc_tasks_settle(uses[1]);
        ampc_lock();
        bool good = ampc_copy_on_device(&from, &to, &done, &device, &number, &status) &&
                    (!done || device->backend->flush(device, &status));
        ampc_unlock();
        report(good, &status);
        if (done || !good)
            return ampc_future_create(device, good ? number : 0);
    }
    struct ampc_task *task = ampc_task_start(uses, run_copy, &ends, sizeof ends);
    if (!task)
        run_copy(&ends);
    return ampc_future_of_task(task);
}

/* A view closed in the meantime was synchronized by that. */
static void run_synchronize(const void *argument)
{
    const ampc_any_view *view = argument;
    struct ampc_status status = {0};
    ampc_lock();
    bool open = ampc_source_peek(view->source, view->key);
    bool good = !open || fetch(view, &status);
    ampc_unlock();
    report(good, &status);
}

static completion_future synchronize_async(ampc_any_view view)
{
    struct ampc_status status = {0};
    uint64_t begin, end;
    bool pending = false;
    ampc_lock();
    const struct ampc_source_record *record = ampc_source_find(view.source, view.key, &status);
    bool good = record;
    if (good && !ampc_view_is_empty(&view)) {
        good = ampc_view_locate(&view, record, &begin, &end, &status);
        /* What a task is about to write counts, too. */
        pending = good && (ampc_tasks_running() ||
                           !ampc_buffer_is_current(record->buffer, begin, end, AMPC_ON_HOST));
    }
    ampc_unlock();
    report(good, &status);
    if (!pending)
        return ampc_future_create(NULL, 0);
    const struct ampc_task_use uses[AMPC_TASK_USES] = {use_of(&view, &view, false)};
    struct ampc_task *task = ampc_task_start(uses, run_synchronize, &view, sizeof view);
    if (!task)
        run_synchronize(&view);
    return ampc_future_of_task(task);
}

#define SYNCHRONIZE_ASYNC(N)                                                                       \
    completion_future array_view_synchronize_async_##N(struct ampc_view_##N view)                  \
    {                                                                                              \
        return synchronize_async(ampc_copy_end_##N(view));                                         \
    }
AMPC_EACH_RANK(SYNCHRONIZE_ASYNC)
