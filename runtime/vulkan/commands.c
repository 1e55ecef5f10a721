/* vulkan/commands.c - see vulkan/commands.h. */
#include "commands.h"
#include "../log.h"
#include "flusher.h"
#include "memory.h"
#include "profile.h"

enum {
    MOST_WORK = 4 << 20, /* work items of a batch: a device that is busy for long is not waiting for
                            submissions, and some drivers kill what takes seconds */
    BUSY_FACTOR = 8,     /* so much more while the device has enough to do */
};

VkCommandBuffer vulkan_begin(struct vulkan_device *d, struct ampc_status *status)
{
    struct vulkan_batch *batch = &d->batch;
    if (batch->buffer)
        return batch->buffer;
    struct vulkan_command *command = &d->commands[batch->number % COMMAND_RING];
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    if (!vulkan_finish(d, command->number, status) ||
        !vulkan_check(d, d->vk.vkBeginCommandBuffer(command->buffer, &info), "vkBeginCommandBuffer",
                      status))
        return NULL;
    vulkan_profile_batch(d, command->buffer);
    batch->buffer = command->buffer;
    batch->count = 0;
    batch->barriers = 0;
    batch->work = 0;
    batch->host_reads = false;
    batch->pipeline = VK_NULL_HANDLE;
    return batch->buffer;
}

bool vulkan_is_hazard(const struct vulkan_device *d, const struct vulkan_memory *memory,
                      uint64_t begin, uint64_t end, bool writes, bool copies)
{
    uint64_t barrier = copies ? d->copy_barrier : d->kernel_barrier;
    uint64_t written = vulkan_access_last(&memory->writes, begin, end);
    uint64_t read = writes ? vulkan_access_last(&memory->reads, begin, end) : 0;
    return (written && written >= barrier) || (read && read >= barrier);
}

void vulkan_barrier(struct vulkan_device *d, VkCommandBuffer buffer, bool copies)
{
    /* Between kernels only, it costs less. Copies before the last barrier are behind that one. */
    VkPipelineStageFlags from = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    };
    if (copies || (d->last_copy && d->last_copy >= d->kernel_barrier)) {
        from |= VK_PIPELINE_STAGE_TRANSFER_BIT;
        barrier.srcAccessMask |= VK_ACCESS_TRANSFER_WRITE_BIT;
    }
    VkPipelineStageFlags to = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    d->kernel_barrier = d->recorded + 1;
    if (copies) {
        to |= VK_PIPELINE_STAGE_TRANSFER_BIT;
        barrier.dstAccessMask |= VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
        d->copy_barrier = d->recorded + 1;
    }
    d->vk.vkCmdPipelineBarrier(buffer, from, to, 0, 1, &barrier, 0, NULL, 0, NULL);
    ++d->batch.barriers;
}

/* Makes device writes visible to the host. */
static void host_barrier(struct vulkan_device *d, VkCommandBuffer buffer)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_HOST_READ_BIT,
    };
    d->vk.vkCmdPipelineBarrier(
        buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
        VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

/* Is the device not done with the batch before the last? Then a submission now gains nothing. */
static bool is_busy(struct vulkan_device *d)
{
    return d->batch.number >= 2 &&
           !vulkan_is_complete(&d->base, d->commands[(d->batch.number - 2) % COMMAND_RING].number);
}

bool vulkan_commit(struct vulkan_device *d, uint64_t work, uint64_t *out_number,
                   struct ampc_status *status)
{
    struct vulkan_batch *batch = &d->batch;
    *out_number = ++d->recorded;
    batch->work += work < MOST_WORK ? work : MOST_WORK;
    if (++batch->count >= batch->limit ||
        (batch->work >= MOST_WORK && (batch->work >= BUSY_FACTOR * MOST_WORK || !is_busy(d)))) {
        unsigned limit = batch->limit < MOST_COMMANDS ? 2 * batch->limit : MOST_COMMANDS;
        bool good = vulkan_flush(d, status);
        batch->limit = limit;
        return good;
    }
    return vulkan_watch(d) || vulkan_flush(d, status);
}

static VkResult submit(struct vulkan_device *d, VkCommandBuffer buffer)
{
    const VkTimelineSemaphoreSubmitInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &d->recorded};
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = &timeline,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &buffer,
                               .signalSemaphoreCount = 1,
                               .pSignalSemaphores = &d->timeline};
    return d->vk.vkQueueSubmit(d->queue, 1, &info, VK_NULL_HANDLE);
}

bool vulkan_flush(struct vulkan_device *d, struct ampc_status *status)
{
    struct vulkan_batch *batch = &d->batch;
    VkCommandBuffer buffer = batch->buffer;
    batch->limit = 1;
    if (!buffer || !batch->count)
        return true;
    batch->buffer = NULL;
    vulkan_profile_finish(d, buffer);
    if (batch->host_reads || d->profile)
        host_barrier(d, buffer);
    const char *what = "vkEndCommandBuffer";
    VkResult result = d->vk.vkEndCommandBuffer(buffer);
    if (result == VK_SUCCESS) {
        what = "vkQueueSubmit";
        result = submit(d, buffer);
        /* Again without what is in flight. */
        struct ampc_status ignored = {0};
        if ((result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY) &&
            vulkan_finish(d, d->submitted, &ignored))
            result = submit(d, buffer);
    }
    if (result != VK_SUCCESS) {
        vulkan_lose(d, result, what); /* its commands are */
        return vulkan_check(d, VK_ERROR_DEVICE_LOST, what, status);
    }
    AMPC_LOG("submit %u commands with %u barriers to %s", batch->count, batch->barriers,
             d->base.name);
    d->commands[batch->number++ % COMMAND_RING].number = d->recorded;
    __atomic_store_n(&d->submitted, d->recorded, __ATOMIC_RELEASE);
    return true;
}
