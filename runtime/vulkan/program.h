/* vulkan/program.h - pipelines: one per kernel and device, made at the first
 * launch, from what earlier runs have left on disk where there is such. */
#ifndef AMPC_VULKAN_PROGRAM_H
#define AMPC_VULKAN_PROGRAM_H

#include "device.h"

struct vulkan_program {
    struct vulkan_program *next; /* in the bucket */
    const struct ampc_kernel *kernel;
    const uint32_t *spirv; /* tells a kernel of a library that was unloaded from its successor at
                              the same place */
    uint32_t group_size;
    VkPipeline pipeline;
};

bool vulkan_prepare(struct ampc_device *device, const struct ampc_kernel *kernel,
                    uint32_t group_size, struct ampc_status *status);
/* Starts with what earlier runs have built (cache.h). */
void vulkan_open_pipeline_cache(struct vulkan_device *d);
/* The pipeline of a kernel that was prepared. */
VkPipeline vulkan_pipeline(struct vulkan_device *d, const struct ampc_kernel *kernel,
                           uint32_t group_size);

#endif
