/* vulkan/transfer.c - copies: in place where memory is mapped, else through a ring of staging slots
 * that are made once and filled one after the other, so that the CPU fills (or empties) one while
 * the device copies another; or straight from and to memory that is pinned. */
#include "transfer.h"
#include "../bulk.h"
#include "commands.h"
#include "memory.h"
#include "pins.h"
#include "profile.h"

#include <string.h>

#define SLOT_SIZE (UINT64_C(16) << 20)
#define LARGE (UINT64_C(1) << 20)
#define IN_PLACE (UINT64_C(64) << 10)
enum { BYTES_A_WORK_ITEM = 16 };

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* A part of a staging slot. */
struct part {
    struct vulkan_memory *staging;
    uint64_t offset; /* in it */
    uint64_t size;
    uint64_t number; /* the command that copies it */
};

/* Up to `size` bytes of staging memory, free to be used: what is left of the present slot, or the
 * next one, once the device is done with it. */
static bool take_part(struct vulkan_device *d, uint64_t size, struct part *out_part,
                      struct ampc_status *status)
{
    if (d->staging_used && SLOT_SIZE - d->staging_used < least(size, SLOT_SIZE)) {
        d->staging_next = (d->staging_next + 1) % STAGING_SLOTS;
        d->staging_used = 0;
    }
    struct vulkan_memory **slot = &d->staging[d->staging_next];
    if (!*slot)
        *slot = vulkan_memory_allocate(d, VULKAN_HOST_MEMORY, SLOT_SIZE, 0, status);
    if (!*slot)
        return false;
    if (!d->staging_used && !vulkan_finish(d, (*slot)->last, status))
        return false;
    *out_part = (struct part){*slot, d->staging_used, least(size, SLOT_SIZE), 0};
    /* The next part begins where no cache line is shared. */
    d->staging_used = least(SLOT_SIZE, (d->staging_used + out_part->size + 255) / 256 * 256);
    return true;
}

static char *mapped(const struct vulkan_memory *memory)
{
    return memory->block->mapped + memory->offset;
}

static char *bytes_of(const struct part *part) { return mapped(part->staging) + part->offset; }

/* Copies between staging memory and a part of the memory, on the device. Parts of a slot do not
 * overlap, and a slot is used again only when the device is done with it: no hazards there. */
static bool copy(struct vulkan_device *d, struct part *part, struct vulkan_memory *memory,
                 uint64_t offset, bool to_device, struct ampc_status *status)
{
    struct vulkan_memory *staging = part->staging;
    VkCommandBuffer buffer = vulkan_begin(d, status);
    if (!buffer)
        return false;
    if (vulkan_is_hazard(d, memory, offset, offset + part->size, to_device, true))
        vulkan_barrier(d, buffer, true);
    VkBufferCopy region = {staging->offset + part->offset, memory->offset + offset, part->size};
    if (!to_device)
        region = (VkBufferCopy){region.dstOffset, region.srcOffset, part->size};
    const struct ampc_profile_mark mark = {.accelerator = d->base.index, .bytes = part->size};
    vulkan_profile_begin(d, buffer);
    d->vk.vkCmdCopyBuffer(buffer, to_device ? staging->block->buffer : memory->block->buffer,
                          to_device ? memory->block->buffer : staging->block->buffer, 1, &region);
    vulkan_profile_end(d, buffer, &mark);
    d->batch.host_reads |= !to_device;
    /* A large part is worth a submission: the device copies while the CPU goes on to the next. */
    if (!vulkan_commit(d, part->size / BYTES_A_WORK_ITEM, &part->number, status) ||
        (part->size >= LARGE && !vulkan_flush(d, status)))
        return false;
    d->last_copy = part->number;
    vulkan_memory_note(memory, offset, offset + part->size, to_device, part->number);
    staging->last = part->number;
    return true;
}

static bool stage_in(struct vulkan_device *d, struct vulkan_memory *memory, uint64_t offset,
                     const char *from, uint64_t size, struct ampc_status *status)
{
    struct part part;
    for (uint64_t done = 0; done < size; done += part.size) {
        if (!take_part(d, size - done, &part, status))
            return false;
        ampc_bulk_copy(bytes_of(&part), from + done, part.size);
        if (!copy(d, &part, memory, offset + done, true, status))
            return false;
    }
    return true;
}

/* The device runs ahead of what the host has taken, but leaves it the slot that it empties. */
static bool stage_out(struct vulkan_device *d, struct vulkan_memory *memory, uint64_t offset,
                      char *to, uint64_t size, struct ampc_status *status)
{
    struct part parts[STAGING_SLOTS];
    uint64_t asked = 0, taken = 0;
    for (unsigned next = 0, oldest = 0; taken < size; ++oldest) {
        for (; asked < size && next - oldest < STAGING_SLOTS - 1; ++next) {
            struct part *part = &parts[next % STAGING_SLOTS];
            if (!take_part(d, size - asked, part, status) ||
                !copy(d, part, memory, offset + asked, false, status))
                return false;
            asked += part->size;
        }
        const struct part *part = &parts[oldest % STAGING_SLOTS];
        if (!vulkan_finish(d, part->number, status))
            return false;
        ampc_bulk_copy(to + taken, bytes_of(part), part->size);
        taken += part->size;
    }
    return true;
}

/* Copies between pinned host memory and a part of the memory, on the device. */
static bool copy_pinned(struct vulkan_device *d, const struct vulkan_pin *pin, uint64_t at,
                        struct vulkan_memory *memory, uint64_t offset, uint64_t size,
                        bool to_device, uint64_t *out_number, struct ampc_status *status)
{
    VkCommandBuffer buffer = vulkan_begin(d, status);
    if (!buffer)
        return false;
    if (vulkan_is_hazard(d, memory, offset, offset + size, to_device, true))
        vulkan_barrier(d, buffer, true);
    VkBufferCopy region = {at, memory->offset + offset, size};
    if (!to_device)
        region = (VkBufferCopy){region.dstOffset, region.srcOffset, size};
    const struct ampc_profile_mark mark = {.accelerator = d->base.index, .bytes = size};
    vulkan_profile_begin(d, buffer);
    d->vk.vkCmdCopyBuffer(buffer, to_device ? pin->buffer : memory->block->buffer,
                          to_device ? memory->block->buffer : pin->buffer, 1, &region);
    vulkan_profile_end(d, buffer, &mark);
    d->batch.host_reads |= !to_device;
    if (!vulkan_commit(d, size / BYTES_A_WORK_ITEM, out_number, status))
        return false;
    d->last_copy = *out_number;
    vulkan_memory_note(memory, offset, offset + size, to_device, *out_number);
    return true;
}

/* By way of pinned memory where there is some, else of staging memory. Done at return. */
static bool move(struct vulkan_device *d, struct vulkan_memory *memory, uint64_t offset, char *host,
                 uint64_t size, bool to_device, struct ampc_status *status)
{
    uint64_t run, last = 0;
    for (uint64_t done = 0; done < size; done += run) {
        const struct vulkan_pin *pin = vulkan_pin_at(d, host + done, size - done, &run);
        bool good = pin && run >= LARGE
                        ? copy_pinned(d, pin, (uint64_t)(host + done - pin->begin), memory,
                                      offset + done, run, to_device, &last, status)
                    : to_device ? stage_in(d, memory, offset + done, host + done, run, status)
                                : stage_out(d, memory, offset + done, host + done, run, status);
        if (!good)
            return false;
    }
    return !last || vulkan_finish(d, last, status);
}

bool vulkan_write(struct ampc_device *device, struct ampc_memory *generic, uint64_t offset,
                  const void *from, uint64_t size, struct ampc_status *status)
{
    struct vulkan_device *d = (struct vulkan_device *)device;
    struct vulkan_memory *memory = (struct vulkan_memory *)generic;
    if (memory->block->mapped) {
        if (!vulkan_finish(d, vulkan_access_last(&memory->writes, offset, offset + size), status) ||
            !vulkan_finish(d, vulkan_access_last(&memory->reads, offset, offset + size), status))
            return false;
        ampc_bulk_copy(mapped(memory) + offset, from, size);
        return true;
    }
    /* In place what no command uses still, and is not much: the bus is slower than the device. */
    if (memory->block->window && size <= IN_PLACE &&
        vulkan_is_complete(device, vulkan_access_last(&memory->writes, offset, offset + size)) &&
        vulkan_is_complete(device, vulkan_access_last(&memory->reads, offset, offset + size))) {
        memcpy(memory->block->window + memory->offset + offset, from, size);
        return true;
    }
    return move(d, memory, offset, (char *)from, size, true, status);
}

bool vulkan_read(struct ampc_device *device, struct ampc_memory *generic, uint64_t offset, void *to,
                 uint64_t size, struct ampc_status *status)
{
    struct vulkan_device *d = (struct vulkan_device *)device;
    struct vulkan_memory *memory = (struct vulkan_memory *)generic;
    if (memory->block->mapped) {
        if (!vulkan_finish(d, vulkan_access_last(&memory->writes, offset, offset + size), status))
            return false;
        ampc_bulk_copy(to, mapped(memory) + offset, size);
        return true;
    }
    return move(d, memory, offset, to, size, false, status);
}

/* From the first byte to the last of what regions copy, in both memories. */
static void span_of(const struct ampc_region *regions, size_t count, uint64_t *out_from_begin,
                    uint64_t *out_from_end, uint64_t *out_to_begin, uint64_t *out_to_end)
{
    *out_from_begin = *out_to_begin = UINT64_MAX;
    *out_from_end = *out_to_end = 0;
    for (const struct ampc_region *r = regions; r < regions + count; ++r) {
        *out_from_begin = least(*out_from_begin, r->from);
        *out_to_begin = least(*out_to_begin, r->to);
        if (r->from + r->size > *out_from_end)
            *out_from_end = r->from + r->size;
        if (r->to + r->size > *out_to_end)
            *out_to_end = r->to + r->size;
    }
}

bool vulkan_copy(struct ampc_device *device, struct ampc_memory *generic_from,
                 struct ampc_memory *generic_to, const struct ampc_region *regions, size_t count,
                 uint64_t *out_number, struct ampc_status *status)
{
    enum { AT_A_TIME = 128 };
    struct vulkan_device *d = (struct vulkan_device *)device;
    struct vulkan_memory *from = (struct vulkan_memory *)generic_from;
    struct vulkan_memory *to = (struct vulkan_memory *)generic_to;
    VkCommandBuffer buffer = vulkan_begin(d, status);
    if (!buffer)
        return false;
    uint64_t from_begin, from_end, to_begin, to_end, bytes = 0;
    span_of(regions, count, &from_begin, &from_end, &to_begin, &to_end);
    if (vulkan_is_hazard(d, from, from_begin, from_end, false, true) ||
        vulkan_is_hazard(d, to, to_begin, to_end, true, true))
        vulkan_barrier(d, buffer, true);
    VkBufferCopy part[AT_A_TIME];
    vulkan_profile_begin(d, buffer);
    for (size_t done = 0; done < count;) {
        uint32_t n = 0;
        for (; n < AT_A_TIME && done < count; ++n, ++done) {
            const struct ampc_region *r = &regions[done];
            part[n] = (VkBufferCopy){from->offset + r->from, to->offset + r->to, r->size};
            bytes += r->size;
        }
        d->vk.vkCmdCopyBuffer(buffer, from->block->buffer, to->block->buffer, n, part);
    }
    vulkan_profile_end(
        d, buffer, &(const struct ampc_profile_mark){.accelerator = d->base.index, .bytes = bytes});
    d->batch.host_reads |= to->block->mapped != NULL;
    if (!vulkan_commit(d, bytes / BYTES_A_WORK_ITEM, out_number, status))
        return false;
    d->last_copy = *out_number;
    vulkan_memory_note(from, from_begin, from_end, false, *out_number);
    vulkan_memory_note(to, to_begin, to_end, true, *out_number);
    return true;
}
