/* vulkan/commands.c - see vulkan/commands.h. */
#include "commands.h"
#include "memory.h"

VkCommandBuffer vulkan_begin(struct vulkan_device *d, struct ampc_status *status)
{
    struct vulkan_command *command = &d->commands[d->submitted % COMMAND_RING];
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    if (!vulkan_finish(d, command->number, status) ||
        !vulkan_check(d, d->vk.vkBeginCommandBuffer(command->buffer, &info), "vkBeginCommandBuffer",
                      status))
        return NULL;
    return command->buffer;
}

bool vulkan_is_hazard(const struct vulkan_device *d, const struct vulkan_memory *memory,
                      bool writes)
{
    bool written = memory->last_write && memory->last_write >= d->barrier;
    bool read = memory->last_read && memory->last_read >= d->barrier;
    return written || (writes && read);
}

void vulkan_barrier(struct vulkan_device *d, VkCommandBuffer buffer)
{
    const VkPipelineStageFlags stages =
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                         VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                         VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
    };
    d->vk.vkCmdPipelineBarrier(buffer, stages, stages, 0, 1, &barrier, 0, NULL, 0, NULL);
    d->barrier = d->submitted + 1;
}

void vulkan_host_barrier(struct vulkan_device *d, VkCommandBuffer buffer)
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

bool vulkan_submit(struct vulkan_device *d, VkCommandBuffer buffer, uint64_t *out_number,
                   struct ampc_status *status)
{
    const uint64_t number = d->submitted + 1;
    const VkTimelineSemaphoreSubmitInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &number};
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = &timeline,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &buffer,
                               .signalSemaphoreCount = 1,
                               .pSignalSemaphores = &d->timeline};
    if (!vulkan_check(d, d->vk.vkEndCommandBuffer(buffer), "vkEndCommandBuffer", status) ||
        !vulkan_check(d, d->vk.vkQueueSubmit(d->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit",
                      status)) {
        if (d->barrier == number) /* recorded, but never to happen */
            d->barrier = 0;
        return false;
    }
    d->commands[d->submitted % COMMAND_RING].number = number;
    d->submitted = number;
    *out_number = number;
    return true;
}
