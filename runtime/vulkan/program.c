/* vulkan/program.c - see vulkan/program.h. */
#include "program.h"
#include "../cache.h"
#include "../log.h"
#include "../profile.h"
#include "../registry.h"

#include <stdlib.h>
#include <string.h>

static struct vulkan_program **bucket_of(struct vulkan_device *d, const struct ampc_kernel *kernel)
{
    return &d->programs[(uintptr_t)kernel / 16 % PROGRAM_BUCKETS];
}

VkPipeline vulkan_pipeline(struct vulkan_device *d, const struct ampc_kernel *kernel,
                           uint32_t group_size)
{
    for (const struct vulkan_program *p = *bucket_of(d, kernel); p; p = p->next)
        if (p->kernel == kernel && p->spirv == kernel->spirv && p->group_size == group_size)
            return p->pipeline;
    return VK_NULL_HANDLE;
}

/* ---- what earlier runs have built ----------------------------------------- */

static struct ampc_cache_identity identity_of(const struct vulkan_device *d)
{
    VkPhysicalDeviceProperties properties;
    struct ampc_cache_identity identity = {{0}};
    vkGetPhysicalDeviceProperties(d->physical, &properties);
    const uint32_t numbers[] = {properties.vendorID, properties.deviceID, properties.driverVersion,
                                properties.apiVersion};
    memcpy(identity.bytes, numbers, sizeof numbers);
    memcpy(identity.bytes + sizeof numbers, properties.pipelineCacheUUID, VK_UUID_SIZE);
    return identity;
}

void vulkan_open_pipeline_cache(struct vulkan_device *d)
{
    const struct ampc_cache_identity identity = identity_of(d);
    VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    void *data = ampc_cache_load(&identity, &info.initialDataSize);
    info.pInitialData = data;
    if (d->vk.vkCreatePipelineCache(d->handle, &info, NULL, &d->pipeline_cache) != VK_SUCCESS)
        d->pipeline_cache = VK_NULL_HANDLE; /* then every run builds anew */
    else if (d->vk.vkGetPipelineCacheData(d->handle, d->pipeline_cache, &d->pipeline_cache_size,
                                          NULL) != VK_SUCCESS)
        d->pipeline_cache_size = 0;
    free(data);
}

/* After a build: when the driver had to do something new. (No handler at exit calls it.) */
static void save_pipeline_cache(struct vulkan_device *d)
{
    size_t size = 0;
    if (!d->pipeline_cache ||
        d->vk.vkGetPipelineCacheData(d->handle, d->pipeline_cache, &size, NULL) != VK_SUCCESS ||
        size == d->pipeline_cache_size)
        return;
    const struct ampc_cache_identity identity = identity_of(d);
    void *data = malloc(size);
    if (data &&
        d->vk.vkGetPipelineCacheData(d->handle, d->pipeline_cache, &size, data) == VK_SUCCESS) {
        ampc_cache_save(&identity, data, size);
        d->pipeline_cache_size = size;
    }
    free(data);
}

/* ---- building ------------------------------------------------------------- */

static bool create_module(struct vulkan_device *d, const struct ampc_kernel *kernel,
                          VkShaderModule *out_module, struct ampc_status *status)
{
    uint32_t *words = ampc_allocate(kernel->spirv_words * sizeof *words, status);
    if (!words)
        return false;
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize =
            sizeof *words * vulkan_spirv_for(&d->floats, kernel->spirv, kernel->spirv_words, words),
        .pCode = words};
    VkResult result = d->vk.vkCreateShaderModule(d->handle, &info, NULL, out_module);
    free(words);
    return vulkan_check(d, result, "vkCreateShaderModule", status);
}

bool vulkan_prepare(struct ampc_device *device, const struct ampc_kernel *kernel,
                    uint32_t group_size, struct ampc_status *status)
{
    struct vulkan_device *d = (struct vulkan_device *)device;
    if (vulkan_pipeline(d, kernel, group_size))
        return true;
    VkShaderModule module;
    uint64_t begin = ampc_profiling() ? ampc_profile_now() : 0;
    struct vulkan_program *program = ampc_allocate(sizeof *program, status);
    if (!program || !create_module(d, kernel, &module, status)) {
        free(program);
        return false;
    }
    const uint32_t constants[] = {d->arithmetic.ieee_division, d->arithmetic.fused_fma,
                                  d->arithmetic.guard_loops, group_size};
    const VkSpecializationMapEntry entries[] = {{1, 0, 4}, {2, 4, 4}, {3, 8, 4}, {0, 12, 4}};
    const VkSpecializationInfo special = {group_size ? 4 : 3, entries, sizeof constants, constants};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &special},
        .layout = d->layout,
    };
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkResult result =
        d->vk.vkCreateComputePipelines(d->handle, d->pipeline_cache, 1, &info, NULL, &pipeline);
    d->vk.vkDestroyShaderModule(d->handle, module, NULL);
    if (!vulkan_check(d, result, "vkCreateComputePipelines", status)) {
        free(program);
        return false;
    }
    *program =
        (struct vulkan_program){*bucket_of(d, kernel), kernel, kernel->spirv, group_size, pipeline};
    *bucket_of(d, kernel) = program;
    save_pipeline_cache(d);
    if (begin)
        ampc_profile_built(kernel, &d->base, begin);
    AMPC_LOG("built kernel %s for %s", kernel->name, d->base.name);
    return true;
}
