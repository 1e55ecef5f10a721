/* vulkan/transfer.c - copies in place where memory is mapped, else through a few staging slots that
 * are made once and used in turn, so that the CPU fills (or empties) one while the device copies
 * another. */
#include "transfer.h"
#include "commands.h"
#include "memory.h"

#include <string.h>

#define SLOT_SIZE (UINT64_C(8) << 20)
#define LARGE (UINT64_C(1) << 20)
enum { BYTES_A_WORK_ITEM = 16 };

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* The next slot, free to be used; its number in *out_slot. */
static struct vulkan_memory *next_slot(struct vulkan_device *d, unsigned *out_slot,
                                       struct ampc_status *status)
{
    unsigned slot = *out_slot = d->staging_next;
    if (!d->staging[slot])
        d->staging[slot] = vulkan_memory_allocate(d, VULKAN_HOST_MEMORY, SLOT_SIZE, 0, status);
    if (!d->staging[slot] || !vulkan_finish(d, d->staging_number[slot], status))
        return NULL;
    d->staging_next = (slot + 1) % STAGING_SLOTS;
    return d->staging[slot];
}

static char *mapped(const struct vulkan_memory *memory)
{
    return memory->block->mapped + memory->offset;
}

/* Copies between a slot and a part of the memory, on the device. */
static bool copy(struct vulkan_device *d, unsigned slot, struct vulkan_memory *memory,
                 uint64_t offset, uint64_t size, bool to_device, struct ampc_status *status)
{
    struct vulkan_memory *staging = d->staging[slot];
    VkCommandBuffer buffer = vulkan_begin(d, status);
    if (!buffer)
        return false;
    if (vulkan_is_hazard(d, memory, to_device) || vulkan_is_hazard(d, staging, !to_device))
        vulkan_barrier(d, buffer);
    VkBufferCopy region = {staging->offset, memory->offset + offset, size};
    if (!to_device)
        region = (VkBufferCopy){memory->offset + offset, staging->offset, size};
    d->vk.vkCmdCopyBuffer(buffer, to_device ? staging->block->buffer : memory->block->buffer,
                          to_device ? memory->block->buffer : staging->block->buffer, 1, &region);
    d->batch.host_reads |= !to_device;
    /* A large part is worth a submission: the device copies while the CPU goes on to the next. */
    uint64_t number;
    if (!vulkan_commit(d, size / BYTES_A_WORK_ITEM, &number, status) ||
        (size >= LARGE && !vulkan_flush(d, status)))
        return false;
    d->staging_number[slot] = number;
    *(to_device ? &memory->last_write : &memory->last_read) = number;
    *(to_device ? &staging->last_read : &staging->last_write) = number;
    return true;
}

bool vulkan_write(struct ampc_device *device, struct ampc_memory *generic, uint64_t offset,
                  const void *from, uint64_t size, struct ampc_status *status)
{
    struct vulkan_device *d = (struct vulkan_device *)device;
    struct vulkan_memory *memory = (struct vulkan_memory *)generic;
    if (memory->block->mapped) {
        if (!vulkan_finish(d, memory->last_write, status) ||
            !vulkan_finish(d, memory->last_read, status))
            return false;
        memcpy(mapped(memory) + offset, from, size);
        return true;
    }
    for (uint64_t done = 0; done < size;) {
        uint64_t part = least(size - done, SLOT_SIZE);
        unsigned slot;
        struct vulkan_memory *staging = next_slot(d, &slot, status);
        if (!staging)
            return false;
        memcpy(mapped(staging), (const char *)from + done, part);
        if (!copy(d, slot, memory, offset + done, part, true, status))
            return false;
        done += part;
    }
    return true;
}

bool vulkan_read(struct ampc_device *device, struct ampc_memory *generic, uint64_t offset, void *to,
                 uint64_t size, struct ampc_status *status)
{
    struct vulkan_device *d = (struct vulkan_device *)device;
    struct vulkan_memory *memory = (struct vulkan_memory *)generic;
    if (memory->block->mapped) {
        if (!vulkan_finish(d, memory->last_write, status))
            return false;
        memcpy(to, mapped(memory) + offset, size);
        return true;
    }
    /* Copies run ahead of what the host has taken by at most the number of slots. */
    unsigned slots[STAGING_SLOTS];
    uint64_t asked = 0, taken = 0;
    while (taken < size) {
        while (asked < size && asked - taken < STAGING_SLOTS * SLOT_SIZE) {
            unsigned *slot = &slots[asked / SLOT_SIZE % STAGING_SLOTS];
            uint64_t part = least(size - asked, SLOT_SIZE);
            if (!next_slot(d, slot, status) ||
                !copy(d, *slot, memory, offset + asked, part, false, status))
                return false;
            asked += part;
        }
        unsigned slot = slots[taken / SLOT_SIZE % STAGING_SLOTS];
        uint64_t part = least(size - taken, SLOT_SIZE);
        if (!vulkan_finish(d, d->staging_number[slot], status))
            return false;
        memcpy((char *)to + taken, mapped(d->staging[slot]), part);
        taken += part;
    }
    return true;
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
    if (vulkan_is_hazard(d, from, false) || vulkan_is_hazard(d, to, true))
        vulkan_barrier(d, buffer);
    VkBufferCopy part[AT_A_TIME];
    uint64_t bytes = 0;
    for (size_t done = 0; done < count;) {
        uint32_t n = 0;
        for (; n < AT_A_TIME && done < count; ++n, ++done) {
            const struct ampc_region *r = &regions[done];
            part[n] = (VkBufferCopy){from->offset + r->from, to->offset + r->to, r->size};
            bytes += r->size;
        }
        d->vk.vkCmdCopyBuffer(buffer, from->block->buffer, to->block->buffer, n, part);
    }
    d->batch.host_reads |= to->block->mapped != NULL;
    if (!vulkan_commit(d, bytes / BYTES_A_WORK_ITEM, out_number, status))
        return false;
    from->last_read = *out_number;
    to->last_write = *out_number;
    return true;
}
