/* buffer.c - buffers, the map from host addresses to them, and moving bytes; see buffer.h. */
#include "buffer.h"
#include "move.h"
#include "registry.h"
#include "source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Pinning takes longer than one copy: it is for what goes to and fro, in pieces of so many bytes.
 */
#define WORTH_PINNING (UINT64_C(32) << 20)
enum { BEFORE_PINNING = 2 };

/* All buffers, ordered by base; they do not overlap. */
static struct ampc_buffer **buffers;
static size_t buffer_count, buffer_capacity;

/* ---- the map -------------------------------------------------------------- */

/* The first buffer that ends after `address`. */
static size_t find(const char *address)
{
    size_t low = 0, high = buffer_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (buffers[middle]->base + buffers[middle]->size > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Room for one more buffer. */
static bool reserve_place(struct ampc_status *status)
{
    if (buffer_count < buffer_capacity)
        return true;
    size_t capacity = buffer_capacity ? 2 * buffer_capacity : 16;
    struct ampc_buffer **all = ampc_reallocate(buffers, capacity * sizeof *all, status);
    if (!all)
        return false;
    buffers = all;
    buffer_capacity = capacity;
    return true;
}

/* There is room. */
static void insert(struct ampc_buffer *buffer)
{
    size_t at = find(buffer->base);
    memmove(buffers + at + 1, buffers + at, (buffer_count - at) * sizeof *buffers);
    buffers[at] = buffer;
    ++buffer_count;
}

static void drop(const struct ampc_buffer *buffer)
{
    size_t at = find(buffer->base);
    --buffer_count;
    memmove(buffers + at, buffers + at + 1, (buffer_count - at) * sizeof *buffers);
}

/* ---- spans ---------------------------------------------------------------- */

bool ampc_buffer_reserve(struct ampc_buffer *buffer, size_t ranges, struct ampc_status *status)
{
    size_t need = buffer->span_count + 2 * ranges; /* a range adds an edge at either end */
    if (need <= buffer->span_capacity)
        return true;
    if (need < 2 * buffer->span_capacity)
        need = 2 * buffer->span_capacity;
    struct ampc_span *spans = ampc_reallocate(buffer->spans, need * sizeof *spans, status);
    if (!spans)
        return false;
    buffer->spans = spans;
    buffer->span_capacity = need;
    return true;
}

/* The span that holds the byte. */
static size_t span_at(const struct ampc_buffer *buffer, uint64_t byte)
{
    size_t low = 0, high = buffer->span_count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (buffer->spans[middle].end > byte)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void ampc_buffer_set(struct ampc_buffer *buffer, uint64_t begin, uint64_t end, ampc_places current)
{
    if (begin >= end)
        return;
    /* From the span before to the one behind, for neighbours that are now alike. */
    size_t first = span_at(buffer, begin), last = span_at(buffer, end - 1), count = 0;
    struct ampc_span around[5];
    const struct ampc_span head = buffer->spans[first], tail = buffer->spans[last];
    bool splits = (first ? buffer->spans[first - 1].end : 0) < begin;
    if (!splits && first)
        around[count++] = buffer->spans[--first];
    if (splits)
        around[count++] = (struct ampc_span){begin, head.current};
    around[count++] = (struct ampc_span){end, current};
    if (tail.end > end)
        around[count++] = tail;
    else if (last + 1 < buffer->span_count)
        around[count++] = buffer->spans[++last];
    size_t kept = 0;
    for (size_t i = 1; i < count; ++i) {
        if (around[i].current != around[kept].current)
            ++kept;
        around[kept] = around[i];
    }
    ++kept;
    memmove(buffer->spans + first + kept, buffer->spans + last + 1,
            (buffer->span_count - last - 1) * sizeof *around);
    memcpy(buffer->spans + first, around, kept * sizeof *around);
    buffer->span_count = buffer->span_count - (last + 1 - first) + kept;
}

/* The part of one span that begins at `begin` and ends at `end` or before. */
static struct ampc_span part_at(const struct ampc_buffer *buffer, uint64_t begin, uint64_t end)
{
    struct ampc_span part = buffer->spans[span_at(buffer, begin)];
    if (part.end > end)
        part.end = end;
    return part;
}

bool ampc_buffer_is_current(const struct ampc_buffer *buffer, uint64_t begin, uint64_t end,
                            ampc_places place)
{
    for (struct ampc_span part; begin < end; begin = part.end) {
        part = part_at(buffer, begin, end);
        if (!(part.current & place))
            return false;
    }
    return true;
}

bool ampc_buffer_is_only(const struct ampc_buffer *buffer, uint64_t begin, uint64_t end,
                         ampc_places place)
{
    return begin >= end ||
           (part_at(buffer, begin, end).current == place && part_at(buffer, begin, end).end == end);
}

/* ---- moving bytes --------------------------------------------------------- */

/* One of the accelerators of the set. */
static struct amp_accelerator *holder(ampc_places current)
{
    return ampc_accelerator((unsigned)__builtin_ctz(current >> 1));
}

uint64_t ampc_buffer_pending(const struct ampc_buffer *buffer, uint64_t begin, uint64_t end,
                             struct ampc_device **out_device)
{
    for (struct ampc_span part; begin < end; begin = part.end) {
        part = part_at(buffer, begin, end);
        if (part.current & AMPC_ON_HOST)
            continue;
        struct amp_accelerator *a = holder(part.current);
        uint64_t number = a->device->backend->last_write(buffer->memory[a->index], begin, part.end);
        if (!a->device->backend->is_complete(a->device, number)) {
            *out_device = a->device;
            return number;
        }
    }
    return 0;
}

void ampc_buffer_pin(struct ampc_buffer *buffer, struct amp_accelerator *a)
{
    struct ampc_device *device = a->device;
    if (device->is_host || ((buffer->pinned | buffer->not_pinnable) & AMPC_ON(a)))
        return;
    bool good = device->backend->pin(device, buffer->base, buffer->size);
    *(good ? &buffer->pinned : &buffer->not_pinnable) |= AMPC_ON(a);
}

/* A part of the buffer is about to be copied. */
static void consider_pinning(struct ampc_buffer *buffer, struct amp_accelerator *a, uint64_t size)
{
    if (size < WORTH_PINNING)
        return;
    if (buffer->large_copies++ >= BEFORE_PINNING)
        ampc_buffer_pin(buffer, a);
}

bool ampc_buffer_fetch(struct ampc_buffer *buffer, uint64_t begin, uint64_t end,
                       struct ampc_status *status)
{
    if (!ampc_buffer_reserve(buffer, 1, status))
        return false;
    for (struct ampc_span part; begin < end; begin = part.end) {
        part = part_at(buffer, begin, end);
        if (part.current & AMPC_ON_HOST)
            continue;
        struct amp_accelerator *a = holder(part.current);
        uint64_t size = part.end - begin;
        consider_pinning(buffer, a, size);
        if (!ampc_move_out(a, buffer->memory[a->index], begin, buffer->base + begin, size,
                           buffer->writer, status))
            return false;
        ampc_buffer_set(buffer, begin, part.end, part.current | AMPC_ON_HOST);
        ampc_source_update_keys(buffer);
    }
    return true;
}

bool ampc_buffer_place(struct ampc_buffer *buffer, struct amp_accelerator *accelerator,
                       uint64_t begin, uint64_t end, struct ampc_status *status)
{
    const struct ampc_backend *backend = accelerator->device->backend;
    struct ampc_memory **memory = &buffer->memory[accelerator->index];
    if (accelerator->device->is_host)
        return ampc_buffer_fetch(buffer, begin, end, status);
    if (!ampc_buffer_reserve(buffer, 1, status))
        return false;
    if (!*memory && !backend->allocate(accelerator->device, buffer->size,
                                       (uintptr_t)buffer->base % 256, memory, status))
        return false;
    for (struct ampc_span part; begin < end; begin = part.end) {
        part = part_at(buffer, begin, end);
        if (part.current & AMPC_ON(accelerator))
            continue;
        if (!(part.current & AMPC_ON_HOST) && !ampc_buffer_fetch(buffer, begin, part.end, status))
            return false;
        uint64_t size = part.end - begin;
        consider_pinning(buffer, accelerator, size);
        if (!ampc_move_in(accelerator, *memory, begin, buffer->base + begin, size, status))
            return false;
        ampc_buffer_set(buffer, begin, part.end,
                        part.current | AMPC_ON_HOST | AMPC_ON(accelerator));
        ampc_source_update_keys(buffer);
    }
    return true;
}

/* ---- opening and closing -------------------------------------------------- */

static void release_memory(struct ampc_buffer *buffer)
{
    for (unsigned i = 0; i < AMPC_MAX_ACCELERATORS; ++i)
        if (buffer->memory[i]) {
            struct ampc_device *device = ampc_accelerator(i)->device;
            device->backend->release(device, buffer->memory[i]);
            buffer->memory[i] = NULL;
        }
}

/* A buffer that is current in the same places throughout, with room for it in the map and for one
 * range of spans; not yet in the map. */
static struct ampc_buffer *create(char *base, uint64_t size, bool owns_host, ampc_places current,
                                  struct ampc_status *status)
{
    struct ampc_buffer *buffer = ampc_allocate(sizeof *buffer, status);
    if (!buffer || !reserve_place(status) || !ampc_buffer_reserve(buffer, 2, status)) {
        free(buffer);
        return NULL;
    }
    buffer->base = base;
    buffer->size = size;
    buffer->owns_host = owns_host;
    buffer->spans[buffer->span_count++] = (struct ampc_span){size, current};
    return buffer;
}

static void destroy(struct ampc_buffer *buffer)
{
    release_memory(buffer);
    for (unsigned i = 0; buffer->pinned && i < AMPC_MAX_ACCELERATORS; ++i) {
        struct amp_accelerator *a = ampc_accelerator(i);
        if (a && (buffer->pinned & AMPC_ON(a)))
            a->device->backend->unpin(a->device, buffer->base);
    }
    if (buffer->owns_host)
        munmap(buffer->base, buffer->size);
    free(buffer->spans);
    free(buffer);
}

/* Host memory for data that lives on an accelerator: address space that costs nothing until it is
 * touched. */
static struct ampc_buffer *open_own(uint64_t size, struct ampc_status *status)
{
    void *memory = MAP_FAILED;
    if (size <= PTRDIFF_MAX)
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        ampc_fail(status, amp_error_out_of_memory,
                  "the host has no address space for %llu bytes of an array or view",
                  (unsigned long long)size);
        return NULL;
    }
    struct ampc_buffer *buffer = create(memory, size, true, AMPC_ANYWHERE, status);
    if (buffer)
        insert(buffer);
    else
        munmap(memory, size);
    return buffer;
}

/* One buffer in place of those at [first, last) of the map and the range [base, end). Their
 * accelerator copies go. */
static struct ampc_buffer *merge(size_t first, size_t last, char *base, char *end,
                                 struct ampc_status *status)
{
    for (size_t i = first; i < last; ++i) {
        if (buffers[i]->owns_host) {
            ampc_fail(status, amp_error_runtime,
                      "a view was opened over more host memory than the array or view that "
                      "the memory belongs to");
            return NULL;
        }
        if (!ampc_buffer_fetch(buffers[i], 0, buffers[i]->size, status))
            return NULL;
    }
    if (buffers[first]->base < base)
        base = buffers[first]->base;
    if (buffers[last - 1]->base + buffers[last - 1]->size > end)
        end = buffers[last - 1]->base + buffers[last - 1]->size;
    struct ampc_buffer *all = create(base, (uint64_t)(end - base), false, AMPC_ON_HOST, status);
    size_t ranges = 1;
    for (size_t i = first; i < last; ++i)
        ranges += buffers[i]->span_count;
    if (!all || !ampc_buffer_reserve(all, ranges, status)) {
        if (all)
            destroy(all);
        return NULL;
    }
    for (size_t i = last; i-- > first;) {
        struct ampc_buffer *part = buffers[i];
        uint64_t offset = (uint64_t)(part->base - base);
        for (uint64_t begin = 0; begin < part->size; begin = part_at(part, begin, part->size).end)
            if (part_at(part, begin, part->size).current == AMPC_ANYWHERE)
                ampc_buffer_set(all, offset + begin, offset + part_at(part, begin, part->size).end,
                                AMPC_ANYWHERE);
        while (part->sources) {
            struct ampc_source_record *record = part->sources;
            part->sources = record->next;
            record->buffer = all;
            record->next = all->sources;
            all->sources = record;
        }
        drop(part);
        destroy(part);
    }
    insert(all);
    ampc_source_update_keys(all);
    return all;
}

struct ampc_buffer *ampc_buffer_open(char *base, uint64_t size, struct ampc_status *status)
{
    if (!size)
        size = 1;
    if (!base)
        return open_own(size, status);
    char *end = base + size;
    size_t first = find(base), last = first;
    while (last < buffer_count && buffers[last]->base < end)
        ++last;
    struct ampc_buffer *buffer;
    if (first == last) {
        buffer = create(base, size, false, AMPC_ON_HOST, status);
        if (buffer)
            insert(buffer);
        return buffer;
    }
    if (last - first == 1 && buffers[first]->base <= base &&
        buffers[first]->base + buffers[first]->size >= end)
        buffer = buffers[first];
    else if (!(buffer = merge(first, last, base, end, status)))
        return NULL;
    /* What the program wrote through its own pointer counts, but for results that are still to come
     * back. */
    if (!ampc_buffer_reserve(buffer, 1, status))
        return NULL;
    uint64_t begin = (uint64_t)(base - buffer->base), stop = begin + size;
    for (struct ampc_span part; begin < stop; begin = part.end) {
        part = part_at(buffer, begin, stop);
        if (part.current & AMPC_ON_HOST)
            ampc_buffer_set(buffer, begin, part.end, AMPC_ON_HOST);
    }
    ampc_source_update_keys(buffer);
    return buffer;
}

void ampc_buffer_close(struct ampc_buffer *buffer)
{
    drop(buffer);
    destroy(buffer);
}
