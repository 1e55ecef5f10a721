/* vulkan/program.h - pipelines: one per kernel and device, made at the first launch. */
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
/* The pipeline of a kernel that was prepared. */
VkPipeline vulkan_pipeline(struct vulkan_device *d, const struct ampc_kernel *kernel,
                           uint32_t group_size);

#endif
