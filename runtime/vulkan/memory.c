/* vulkan/memory.c - see vulkan/memory.h. */
#include "memory.h"
#include "../registry.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT UINT64_C(256)
#define BLOCK_SIZE (UINT64_C(16) << 20)

static uint64_t round_up(uint64_t size) { return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

/* ---- blocks --------------------------------------------------------------- */

/* The first type of `allowed` that has all flags of `with` and none of `without`; -1 when there is
 * none. */
static int find_type(const struct vulkan_device *d, uint32_t allowed, VkMemoryPropertyFlags with,
                     VkMemoryPropertyFlags without)
{
    for (uint32_t i = 0; i < d->memory_types.memoryTypeCount; ++i) {
        VkMemoryPropertyFlags flags = d->memory_types.memoryTypes[i].propertyFlags;
        if ((allowed & (1u << i)) && (flags & with) == with && !(flags & without))
            return (int)i;
    }
    return -1;
}

/* Memory of the device that the host can write through the bus (BAR), if that is no small part of
 * it and no small piece: large ones are written by the device. */
static int find_window(const struct vulkan_device *d, uint32_t allowed, uint64_t size)
{
    const VkPhysicalDeviceMemoryProperties *types = &d->memory_types;
    int type = find_type(d, allowed,
                         VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                             VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                         0);
    if (type < 0 || size > BLOCK_SIZE)
        return -1;
    for (uint32_t i = 0; i < types->memoryHeapCount; ++i)
        if (types->memoryHeaps[i].size / 2 >
                types->memoryHeaps[types->memoryTypes[type].heapIndex].size &&
            (types->memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT))
            return -1;
    return type;
}

static int choose_type(const struct vulkan_device *d, enum vulkan_memory_kind kind, uint64_t size,
                       uint32_t allowed)
{
    const VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    const VkMemoryPropertyFlags coherent =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkMemoryPropertyFlags cached = coherent | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    int type;
    if (kind == VULKAN_HOST_MEMORY)
        return (type = find_type(d, allowed, cached, 0)) >= 0 ? type
                                                              : find_type(d, allowed, coherent, 0);
    /* In place where the CPU reaches it at full speed; else where it can at least write; else out
     * of the way of small mappable heaps. */
    if ((type = find_type(d, allowed, local | cached, 0)) >= 0 ||
        (type = find_window(d, allowed, size)) >= 0 ||
        (type = find_type(d, allowed, local, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)) >= 0 ||
        (type = find_type(d, allowed, local, 0)) >= 0)
        return type;
    return find_type(d, allowed, 0, VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT);
}

static bool fail_bookkeeping(struct ampc_status *status)
{
    return ampc_fail(status, amp_error_out_of_memory, "the host has no memory left");
}

static void destroy_block(struct vulkan_device *d, struct vulkan_block *block)
{
    d->vk.vkDestroyBuffer(d->handle, block->buffer, NULL);
    d->vk.vkFreeMemory(d->handle, block->memory, NULL);
    vulkan_ranges_finish(&block->ranges);
    free(block);
}

static bool fill_block(struct vulkan_device *d, struct vulkan_block *block,
                       struct ampc_status *status)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = block->size,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
    };
    if (!vulkan_check(d, d->vk.vkCreateBuffer(d->handle, &info, NULL, &block->buffer),
                      "vkCreateBuffer", status))
        return false;
    VkMemoryRequirements needs;
    d->vk.vkGetBufferMemoryRequirements(d->handle, block->buffer, &needs);
    int type = choose_type(d, block->kind, block->size, needs.memoryTypeBits);
    if (type < 0)
        return ampc_fail(status, amp_error_runtime, "%s: no fitting type of memory", d->base.name);
    VkMemoryPropertyFlags flags = d->memory_types.memoryTypes[type].propertyFlags;
    if (needs.size > d->memory_types.memoryHeaps[d->memory_types.memoryTypes[type].heapIndex].size)
        return vulkan_check(d, VK_ERROR_OUT_OF_DEVICE_MEMORY,
                            "allocation of more than the whole memory", status);
    const VkMemoryAllocateFlagsInfo addressable = {.sType =
                                                       VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                                   .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .pNext = &addressable,
                                           .allocationSize = needs.size,
                                           .memoryTypeIndex = (uint32_t)type};
    if (!vulkan_check(d, d->vk.vkAllocateMemory(d->handle, &allocate, NULL, &block->memory),
                      "vkAllocateMemory", status) ||
        !vulkan_check(d, d->vk.vkBindBufferMemory(d->handle, block->buffer, block->memory, 0),
                      "vkBindBufferMemory", status))
        return false;
    const VkMemoryPropertyFlags fast = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                       VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                                       VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    bool map = block->kind == VULKAN_HOST_MEMORY || ((flags & fast) == fast && !d->force_staging);
    void *mapped = NULL;
    if (map &&
        !vulkan_check(d, d->vk.vkMapMemory(d->handle, block->memory, 0, VK_WHOLE_SIZE, 0, &mapped),
                      "vkMapMemory", status))
        return false;
    block->mapped = mapped;
    const VkMemoryPropertyFlags visible =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    bool window = (flags & visible) == visible && block->size <= BLOCK_SIZE &&
                  ((flags & fast) != fast || d->force_windows);
    if (!map && window &&
        d->vk.vkMapMemory(d->handle, block->memory, 0, VK_WHOLE_SIZE, 0, &mapped) == VK_SUCCESS)
        block->window = mapped; /* else it is written as the others are */
    const VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = block->buffer};
    block->address = d->vk.vkGetBufferDeviceAddress(d->handle, &address);
    /* Pieces begin at addresses, not offsets, that are aligned. */
    uint64_t skew = (ALIGNMENT - block->address % ALIGNMENT) % ALIGNMENT;
    uint64_t end = skew + (block->size - skew) / ALIGNMENT * ALIGNMENT;
    return vulkan_ranges_init(&block->ranges, skew, end) || fail_bookkeeping(status);
}

static struct vulkan_block *create_block(struct vulkan_device *d, enum vulkan_memory_kind kind,
                                         uint64_t size, struct ampc_status *status)
{
    struct vulkan_block *block = ampc_allocate(sizeof *block, status);
    if (!block)
        return NULL;
    block->kind = kind;
    block->size = size;
    if (!fill_block(d, block, status)) {
        destroy_block(d, block);
        return NULL;
    }
    block->next = d->blocks;
    d->blocks = block;
    return block;
}

/* Empty blocks are worth keeping up to a quarter of the device's memory. */
static void trim(struct vulkan_device *d, uint64_t keep)
{
    uint64_t kept = 0;
    for (struct vulkan_block **link = &d->blocks; *link;) {
        struct vulkan_block *block = *link;
        if (block->piece_count || (kept += block->size) <= keep) {
            link = &block->next;
            continue;
        }
        kept -= block->size;
        *link = block->next;
        destroy_block(d, block);
    }
}

/* ---- pieces --------------------------------------------------------------- */

static void collect(struct vulkan_device *d)
{
    for (struct vulkan_memory **link = &d->released; *link;) {
        struct vulkan_memory *memory = *link;
        if (!vulkan_is_complete(&d->base, memory->last)) {
            link = &memory->next;
            continue;
        }
        *link = memory->next;
        vulkan_ranges_give(&memory->block->ranges, memory->range);
        --memory->block->piece_count;
        free(memory);
    }
    trim(d, d->base.memory_bytes / 4);
}

static struct vulkan_block *find_block(struct vulkan_device *d, enum vulkan_memory_kind kind,
                                       uint64_t size, struct vulkan_range **out_range)
{
    for (struct vulkan_block *block = d->blocks; block; block = block->next)
        if (block->kind == kind && (*out_range = vulkan_ranges_take(&block->ranges, size)))
            return block;
    return NULL;
}

struct vulkan_memory *vulkan_memory_allocate(struct vulkan_device *d, enum vulkan_memory_kind kind,
                                             uint64_t size, uint64_t residue,
                                             struct ampc_status *status)
{
    if (size > INT64_MAX) {
        vulkan_check(d, VK_ERROR_OUT_OF_DEVICE_MEMORY, "allocation", status);
        return NULL;
    }
    collect(d);
    uint64_t need = round_up(residue + (size ? size : 1));
    struct vulkan_range *range = NULL;
    struct vulkan_block *block = find_block(d, kind, need, &range);
    if (!block) {
        uint64_t block_size = need + ALIGNMENT > BLOCK_SIZE / 4 ? need + ALIGNMENT : BLOCK_SIZE;
        block = create_block(d, kind, block_size, status);
        if (!block && status->code == amp_error_out_of_memory) {
            /* Again without what is only kept: what commands still use, and empty blocks. */
            struct ampc_status ignored = {0};
            vulkan_finish(d, d->recorded, &ignored);
            collect(d);
            trim(d, 0);
            *status = (struct ampc_status){0};
            block = create_block(d, kind, need + ALIGNMENT, status);
        }
        if (!block) {
            ampc_status_prefix(status, "%llu bytes of accelerator memory are not to be had: ",
                               (unsigned long long)size);
            return NULL;
        }
        range = vulkan_ranges_take(&block->ranges, need);
        if (!range) {
            fail_bookkeeping(status);
            return NULL;
        }
    }
    struct vulkan_memory *memory = ampc_allocate(sizeof *memory, status);
    if (!memory) {
        vulkan_ranges_give(&block->ranges, range);
        return NULL;
    }
    ++block->piece_count;
    memory->block = block;
    memory->range = range;
    memory->offset = range->begin + residue;
    memory->base.address = block->address + memory->offset;
    return memory;
}

void vulkan_memory_note(struct vulkan_memory *memory, uint64_t begin, uint64_t end, bool writes,
                        uint64_t number)
{
    vulkan_access_note(writes ? &memory->writes : &memory->reads, begin, end, number);
    memory->last = number;
}

void vulkan_memory_release(struct vulkan_device *d, struct vulkan_memory *memory)
{
    if (!memory)
        return;
    memory->next = d->released;
    d->released = memory;
}
