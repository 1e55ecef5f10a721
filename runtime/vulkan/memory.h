/* vulkan/memory.h - device memory: pieces of large blocks.
 *
 * A block is one VkBuffer with memory of its own, mapped for good where the host can see it. Pieces
 * are found by ranges.h and given back once the commands that use them are done; empty blocks are
 * kept for the next need, within reason. */
#ifndef AMPC_VULKAN_MEMORY_H
#define AMPC_VULKAN_MEMORY_H

#include "accesses.h"
#include "device.h"
#include "ranges.h"

enum vulkan_memory_kind {
    VULKAN_DEVICE_MEMORY, /* for kernels: on the device */
    VULKAN_HOST_MEMORY,   /* for transfers and argument blocks: mapped, coherent, cached if there is
                             such */
};

struct vulkan_block {
    struct vulkan_block *next;
    enum vulkan_memory_kind kind;
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceAddress address; /* of byte 0 of the buffer */
    char *mapped;            /* NULL when the host is not to touch it */
    uint64_t size;
    char *window; /* of memory that the host may write, but not read: NULL when there is none */
    struct vulkan_ranges ranges;
    size_t piece_count;
};

struct vulkan_memory {
    struct ampc_memory base; /* first */
    struct vulkan_block *block;
    uint64_t offset;            /* of byte 0 in block->buffer */
    struct vulkan_range *range; /* of the block */
    uint64_t last;              /* command that uses it */
    struct vulkan_accesses reads, writes;
    struct vulkan_memory *next; /* on the released list */
};

struct vulkan_memory *vulkan_memory_allocate(struct vulkan_device *d, enum vulkan_memory_kind kind,
                                             uint64_t size, uint64_t residue,
                                             struct ampc_status *status);
/* A command reads, or writes, a part of it. */
void vulkan_memory_note(struct vulkan_memory *memory, uint64_t begin, uint64_t end, bool writes,
                        uint64_t number);
void vulkan_memory_release(struct vulkan_device *d, struct vulkan_memory *memory);

#endif
