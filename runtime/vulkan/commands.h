/* vulkan/commands.h - recording and submitting.
 *
 * Commands gather in one open command buffer, the batch; a submission costs ten times what a small
 * kernel takes. The batch is submitted when it is full, when anybody waits for one of its commands,
 * and soon in any case (flusher.h). The first batch after a wait is full with one command, so that
 * the device starts early; each one after that takes twice as many, up to a limit. Between two
 * commands there is a barrier only where a hazard exists. A batch of much work is full, too, but
 * for a device that has enough to do it gathers some more. */
#ifndef AMPC_VULKAN_COMMANDS_H
#define AMPC_VULKAN_COMMANDS_H

#include "device.h"

struct vulkan_memory;

/* The open batch, in the recording state, NULL after an error. */
VkCommandBuffer vulkan_begin(struct vulkan_device *d, struct ampc_status *status);
/* Does a kernel, or a copy, that reads or writes these bytes of the memory conflict with a command
 * since the last barrier? */
bool vulkan_is_hazard(const struct vulkan_device *d, const struct vulkan_memory *memory,
                      uint64_t begin, uint64_t end, bool writes, bool copies);
/* Everything before is done, and visible, before any kernel after it, and any copy if `copies`. */
void vulkan_barrier(struct vulkan_device *d, VkCommandBuffer buffer, bool copies);
/* Ends the command being recorded; *out_number is its number. `work` is about how many work items
 * it has, which bounds what one submission holds. */
bool vulkan_commit(struct vulkan_device *d, uint64_t work, uint64_t *out_number,
                   struct ampc_status *status);
/* Hands the batch to the queue. When that fails for good, its commands are lost, and so is the
 * device. */
bool vulkan_flush(struct vulkan_device *d, struct ampc_status *status);

#endif
