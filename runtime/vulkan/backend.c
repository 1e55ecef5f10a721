/* vulkan/backend.c - launching kernels, and the table. */
#include "backend.h"
#include "commands.h"
#include "memory.h"
#include "pins.h"
#include "profile.h"
#include "program.h"
#include "transfer.h"

#include <string.h>

static bool allocate(struct ampc_device *device, uint64_t size, uint64_t residue,
                     struct ampc_memory **out_memory, struct ampc_status *status)
{
    struct vulkan_memory *memory = vulkan_memory_allocate(
        (struct vulkan_device *)device, VULKAN_DEVICE_MEMORY, size, residue, status);
    *out_memory = memory ? &memory->base : NULL;
    return memory;
}

static void release(struct ampc_device *device, struct ampc_memory *memory)
{
    vulkan_memory_release((struct vulkan_device *)device, (struct vulkan_memory *)memory);
}

static uint64_t last_write(const struct ampc_memory *memory, uint64_t begin, uint64_t end)
{
    return vulkan_access_last(&((const struct vulkan_memory *)memory)->writes, begin, end);
}

static uint64_t last_command(struct ampc_device *device)
{
    return ((struct vulkan_device *)device)->recorded;
}

/* What the push constants hold: the argument block, or the address of a copy of it. */
struct push {
    _Alignas(16) char bytes[128];
    uint32_t size;
    struct vulkan_memory *block; /* NULL: the arguments fit */
};

static bool prepare_push(struct vulkan_device *d, const struct ampc_plan *plan, struct push *push,
                         struct ampc_status *status)
{
    uint32_t size = plan->kernel->argument_bytes;
    push->block = NULL;
    push->size = (size + 3) / 4 * 4;
    if (!plan->kernel->indirect) {
        if (push->size > sizeof push->bytes)
            return ampc_fail(status, amp_error_runtime,
                             "its %u bytes of arguments do not fit the push constants", size);
        memset(push->bytes + size, 0, push->size - size);
        memcpy(push->bytes, plan->arguments, size);
        return true;
    }
    push->block = vulkan_memory_allocate(d, VULKAN_HOST_MEMORY, size, 0, status);
    if (!push->block)
        return false;
    memcpy(push->block->block->mapped + push->block->offset, plan->arguments, size);
    memcpy(push->bytes, &push->block->base.address, sizeof push->block->base.address);
    push->size = sizeof push->block->base.address;
    return true;
}

static bool record(struct vulkan_device *d, const struct ampc_plan *plan, const struct push *push,
                   uint64_t *out_number, struct ampc_status *status)
{
    VkCommandBuffer buffer = vulkan_begin(d, status);
    if (!buffer)
        return false;
    VkPipeline pipeline = vulkan_pipeline(d, plan->kernel, plan->group_size);
    bool hazard = false;
    for (size_t i = 0; i < plan->use_count; ++i) {
        const struct ampc_memory_use *use = &plan->uses[i];
        const struct vulkan_memory *memory = (const struct vulkan_memory *)use->memory;
        hazard |= vulkan_is_hazard(d, memory, use->begin, use->end, use->writes, false);
        d->batch.host_reads |= use->writes && memory->block->mapped;
    }
    if (hazard)
        vulkan_barrier(d, buffer, false);
    if (d->batch.pipeline != pipeline)
        d->vk.vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    d->batch.pipeline = pipeline;
    if (push->size)
        d->vk.vkCmdPushConstants(buffer, d->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, push->size,
                                 push->bytes);
    vulkan_profile_begin(d, buffer);
    d->vk.vkCmdDispatch(buffer, plan->groups[0], plan->groups[1], plan->groups[2]);
    vulkan_profile_end(d, buffer, plan->mark);
    uint64_t work = plan->kernel->tile[0] ? 1 : plan->group_size;
    for (int k = 0; k < 3; ++k)
        work *= plan->groups[k] * (plan->kernel->tile[k] ? plan->kernel->tile[k] : 1u);
    return vulkan_commit(d, work, out_number, status);
}

static bool launch(struct ampc_device *device, const struct ampc_plan *plan, uint64_t *out_number,
                   struct ampc_status *status)
{
    struct vulkan_device *d = (struct vulkan_device *)device;
    struct push push;
    uint64_t number;
    if (!prepare_push(d, plan, &push, status))
        return false;
    bool good = record(d, plan, &push, &number, status);
    if (good) {
        for (size_t i = 0; i < plan->use_count; ++i) {
            const struct ampc_memory_use *use = &plan->uses[i];
            vulkan_memory_note((struct vulkan_memory *)use->memory, use->begin, use->end,
                               use->writes, number);
        }
        if (push.block)
            push.block->last = number;
        *out_number = number;
    }
    vulkan_memory_release(d, push.block);
    return good;
}

static bool flush(struct ampc_device *device, struct ampc_status *status)
{
    return vulkan_flush((struct vulkan_device *)device, status);
}

const struct ampc_backend ampc_vulkan_backend = {
    .name = "vulkan",
    .enumerate = vulkan_enumerate,
    .open = vulkan_open,
    .allocate = allocate,
    .release = release,
    .write = vulkan_write,
    .read = vulkan_read,
    .pin = vulkan_pin,
    .unpin = vulkan_unpin,
    .copy = vulkan_copy,
    .prepare = vulkan_prepare,
    .launch = launch,
    .flush = flush,
    .last_write = last_write,
    .last_command = last_command,
    .is_complete = vulkan_is_complete,
    .wait = vulkan_wait,
};
