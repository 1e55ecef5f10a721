/* vulkan/commands.h - recording and submitting: one command buffer a command, one barrier where a
 * hazard exists. */
#ifndef AMPC_VULKAN_COMMANDS_H
#define AMPC_VULKAN_COMMANDS_H

#include "device.h"

struct vulkan_memory;

/* A command buffer in the recording state, NULL after an error. */
VkCommandBuffer vulkan_begin(struct vulkan_device *d, struct ampc_status *status);
/* Says that the command being recorded reads or writes the memory. Before its barrier is decided.
 */
bool vulkan_is_hazard(const struct vulkan_device *d, const struct vulkan_memory *memory,
                      bool writes);
/* Everything before is done, and visible, before anything after. */
void vulkan_barrier(struct vulkan_device *d, VkCommandBuffer buffer);
/* Makes device writes visible to the host. */
void vulkan_host_barrier(struct vulkan_device *d, VkCommandBuffer buffer);
/* Ends the command buffer and hands it to the queue; *out_number is the command's. */
bool vulkan_submit(struct vulkan_device *d, VkCommandBuffer buffer, uint64_t *out_number,
                   struct ampc_status *status);

#endif
