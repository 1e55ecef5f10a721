/* direct.c - see direct.h. */
#include "direct.h"
#include "log.h"
#include "move.h"
#include "regions.h"
#include "registry.h"

#include <stdlib.h>

enum { MOST_REGIONS = 1 << 16 };          /* more rows than this are faster on the host */
#define WORTH_PINNING (UINT64_C(1) << 20) /* bytes copied from or to a staging array */

bool ampc_view_locate(const ampc_any_view *view, const struct ampc_source_record *record,
                      uint64_t *out_begin, uint64_t *out_end, struct ampc_status *status)
{
    const char *end = ampc_view_end(view);
    if (view->data < record->base || end > record->base + record->size)
        return ampc_fail(status, amp_error_runtime,
                         "amp_copy: a view reaches outside the memory it was opened over");
    *out_begin = (uint64_t)(view->data - record->buffer->base);
    *out_end = (uint64_t)(end - record->buffer->base);
    return true;
}

/* A side that is a view. */
struct place {
    struct ampc_buffer *buffer;
    uint64_t begin, end;
    struct amp_accelerator *home; /* of the array that it is part of, off the host; or NULL */
    bool staging;
};

static bool find_place(const ampc_any_view *view, struct place *place, struct ampc_status *status)
{
    const struct ampc_source_record *record = ampc_source_find(view->source, view->key, status);
    if (!record || !ampc_view_locate(view, record, &place->begin, &place->end, status))
        return false;
    place->buffer = record->buffer;
    place->home = NULL;
    place->staging = false;
    for (record = record->buffer->sources; record; record = record->next) {
        place->staging |= record->kind == AMPC_SOURCE_STAGING;
        if (record->kind == AMPC_SOURCE_ARRAY && !record->home->device->is_host)
            place->home = record->home;
    }
    return true;
}

static bool is_on(const struct place *place, struct amp_accelerator *a)
{
    return place->buffer->memory[a->index] &&
           ampc_buffer_is_current(place->buffer, place->begin, place->end, AMPC_ON(a));
}

static bool is_on_host(const struct place *place)
{
    return ampc_buffer_is_current(place->buffer, place->begin, place->end, AMPC_ON_HOST);
}

static bool overlap(const struct place *a, const struct place *b)
{
    return a->buffer == b->buffer && a->begin < b->end && b->begin < a->end;
}

static void set(const struct place *place, ampc_places current)
{
    ampc_buffer_set(place->buffer, place->begin, place->end, current);
    ampc_source_update_keys(place->buffer);
}

/* The accelerator to copy on; NULL: none. What the host has, too, goes to an accelerator only where
 * the destination already is. */
static struct amp_accelerator *choose(const struct place *source, const struct place *target)
{
    if (target->staging || overlap(source, target))
        return NULL;
    if (target->home)
        return is_on(source, target->home) ? target->home : NULL;
    for (unsigned i = 0; i < AMPC_MAX_ACCELERATORS; ++i)
        if (source->buffer->memory[i] && is_on(source, ampc_accelerator(i)) &&
            (target->buffer->memory[i] || !is_on_host(source)))
            return ampc_accelerator(i);
    return NULL;
}

bool ampc_copy_on_device(const ampc_any_view *from, const ampc_any_view *to, bool *out_done,
                         struct ampc_device **out_device, uint64_t *out_number,
                         struct ampc_status *status)
{
    struct place source, target;
    *out_done = false;
    if (!find_place(from, &source, status) || !find_place(to, &target, status))
        return false;
    struct amp_accelerator *a = choose(&source, &target);
    uint64_t count = ampc_regions_count(from, to);
    if (!a || count > MOST_REGIONS)
        return true;
    /* What lies between rows is kept; without gaps there is only memory to be had. */
    uint64_t keep_end = ampc_view_is_contiguous(to) ? target.begin : target.end;
    if (!ampc_buffer_place(target.buffer, a, target.begin, keep_end, status))
        return false;
    struct ampc_region *regions = ampc_allocate(count * sizeof *regions, status);
    if (!regions)
        return false;
    ampc_regions_list(from, source.begin, to, target.begin, regions);
    AMPC_LOG("copy on %s, %llu regions from %llu bytes on", a->path, (unsigned long long)count,
             (unsigned long long)regions->size);
    bool good = a->device->backend->copy(a->device, source.buffer->memory[a->index],
                                         target.buffer->memory[a->index], regions, count,
                                         out_number, status);
    free(regions);
    if (!good)
        return false;
    a->default_view.last_command = *out_number;
    *out_device = a->device;
    *out_done = true;
    set(&target, AMPC_ON(a));
    return true;
}

/* From host memory into an array. */
static bool write_array(const ampc_any_view *from, const struct place *source,
                        const struct place *target, struct ampc_status *status)
{
    struct amp_accelerator *a = target->home;
    uint64_t size = target->end - target->begin;
    if (source->staging && size >= WORTH_PINNING)
        ampc_buffer_pin(source->buffer, a);
    if (!ampc_buffer_place(target->buffer, a, target->begin, target->begin, status))
        return false;
    if (!ampc_move_in(a, target->buffer->memory[a->index], target->begin, from->data, size, status))
        return false;
    set(target, AMPC_ON(a));
    return true;
}

/* From an accelerator into host memory. */
static bool read_back(const struct place *source, struct amp_accelerator *a,
                      const ampc_any_view *to, const struct place *target,
                      struct ampc_status *status)
{
    uint64_t size = source->end - source->begin;
    if (to->rank && !ampc_buffer_reserve(target->buffer, 1, status))
        return false;
    if (target->staging && size >= WORTH_PINNING)
        ampc_buffer_pin(target->buffer, a);
    if (!ampc_move_out(a, source->buffer->memory[a->index], source->begin, to->data, size,
                       source->buffer->writer, status))
        return false;
    if (to->rank)
        set(target, AMPC_ON_HOST);
    return true;
}

bool ampc_copy_directly(const ampc_any_view *from, const ampc_any_view *to, bool *out_done,
                        struct ampc_status *status)
{
    struct place source = {0}, target = {0};
    *out_done = false;
    if ((from->rank && !find_place(from, &source, status)) ||
        (to->rank && !find_place(to, &target, status)))
        return false;
    if ((from->rank && !ampc_view_is_contiguous(from)) ||
        (to->rank && !ampc_view_is_contiguous(to)) ||
        (from->rank && to->rank && overlap(&source, &target)))
        return true;
    if (to->rank && target.home && (!from->rank || is_on_host(&source))) {
        *out_done = true;
        return write_array(from, &source, &target, status);
    }
    if (!from->rank || is_on_host(&source) || target.home)
        return true;
    for (unsigned i = 0; i < AMPC_MAX_ACCELERATORS; ++i)
        if (source.buffer->memory[i] && is_on(&source, ampc_accelerator(i))) {
            *out_done = true;
            return read_back(&source, ampc_accelerator(i), to, &target, status);
        }
    return true;
}
