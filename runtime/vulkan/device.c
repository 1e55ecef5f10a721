/* vulkan/device.c - the logical device with its queue and timeline, and waiting for it; see
 * vulkan/device.h. */
#include "device.h"
#include "../registry.h"
#include "commands.h"
#include "pins.h"
#include "profile.h"
#include "program.h"

#include <stdlib.h>
#include <time.h>

enum { SPIN_NANOSECONDS = 100000 }; /* a sleeping thread wakes up tens of microseconds late */

const char *vulkan_result_name(VkResult result)
{
    switch (result) {
    case VK_SUCCESS:
        return "success";
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return "VK_ERROR_OUT_OF_HOST_MEMORY";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return "VK_ERROR_OUT_OF_DEVICE_MEMORY";
    case VK_ERROR_INITIALIZATION_FAILED:
        return "VK_ERROR_INITIALIZATION_FAILED";
    case VK_ERROR_DEVICE_LOST:
        return "VK_ERROR_DEVICE_LOST";
    case VK_ERROR_MEMORY_MAP_FAILED:
        return "VK_ERROR_MEMORY_MAP_FAILED";
    case VK_ERROR_LAYER_NOT_PRESENT:
        return "VK_ERROR_LAYER_NOT_PRESENT";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
        return "VK_ERROR_EXTENSION_NOT_PRESENT";
    case VK_ERROR_FEATURE_NOT_PRESENT:
        return "VK_ERROR_FEATURE_NOT_PRESENT";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
        return "VK_ERROR_INCOMPATIBLE_DRIVER";
    case VK_ERROR_TOO_MANY_OBJECTS:
        return "VK_ERROR_TOO_MANY_OBJECTS";
    case VK_ERROR_INVALID_SHADER_NV:
        return "VK_ERROR_INVALID_SHADER_NV";
    case VK_ERROR_UNKNOWN:
        return "VK_ERROR_UNKNOWN";
    default:
        return "another VkResult";
    }
}

void vulkan_lose(struct vulkan_device *d, VkResult result, const char *what)
{
    const char *before = NULL;
    if (!__atomic_compare_exchange_n(&d->lost_in, &before, what, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
        return;
    __atomic_store_n(&d->lost_result, result, __ATOMIC_RELAXED);
    __atomic_store_n(&d->lost, true, __ATOMIC_RELEASE);
}

bool vulkan_check(struct vulkan_device *d, VkResult result, const char *what,
                  struct ampc_status *status)
{
    if (result == VK_SUCCESS)
        return true;
    if (result == VK_ERROR_DEVICE_LOST) {
        vulkan_lose(d, result, what);
        result = __atomic_load_n(&d->lost_result, __ATOMIC_RELAXED);
        return ampc_fail(status, amp_error_accelerator_view_removed,
                         "%s was lost (%s failed with %s%s); what it held is gone", d->base.name,
                         __atomic_load_n(&d->lost_in, __ATOMIC_RELAXED), vulkan_result_name(result),
                         result == VK_ERROR_DEVICE_LOST
                             ? ": reset, removed, or a kernel ran too long or out of bounds"
                             : "");
    }
    bool memory = result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY;
    return ampc_fail(status, memory ? amp_error_out_of_memory : amp_error_runtime,
                     "%s: %s failed with %s", d->base.name, what, vulkan_result_name(result));
}

/* Features that kernels use where the device has them; the base requirements are among them. */
static bool create_device(struct vulkan_device *d, const char *const *extensions,
                          uint32_t extension_count, struct ampc_status *status)
{
    VkPhysicalDeviceVulkan12Features has12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan11Features has11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &has12};
    VkPhysicalDeviceFeatures2 has = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &has11};
    vkGetPhysicalDeviceFeatures2(d->physical, &has);
    VkPhysicalDeviceVulkan12Features use12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .bufferDeviceAddress = VK_TRUE,
        .scalarBlockLayout = VK_TRUE,
        .timelineSemaphore = VK_TRUE,
        .storageBuffer8BitAccess = has12.storageBuffer8BitAccess,
        .uniformAndStorageBuffer8BitAccess = has12.uniformAndStorageBuffer8BitAccess,
        .storagePushConstant8 = has12.storagePushConstant8,
        .shaderInt8 = has12.shaderInt8,
        .vulkanMemoryModel = has12.vulkanMemoryModel,
        .vulkanMemoryModelDeviceScope = has12.vulkanMemoryModelDeviceScope,
    };
    VkPhysicalDeviceVulkan11Features use11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
        .pNext = &use12,
        .storageBuffer16BitAccess = has11.storageBuffer16BitAccess,
        .uniformAndStorageBuffer16BitAccess = has11.uniformAndStorageBuffer16BitAccess,
        .variablePointersStorageBuffer = has11.variablePointersStorageBuffer,
        .variablePointers = has11.variablePointers,
    };
    VkPhysicalDeviceFeatures2 use = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &use11,
        .features = {.shaderInt64 = VK_TRUE,
                     .shaderFloat64 = has.features.shaderFloat64,
                     .shaderInt16 = has.features.shaderInt16},
    };
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = d->queue_family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &use,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = extension_count,
                                     .ppEnabledExtensionNames = extensions};
    VkResult result = vkCreateDevice(d->physical, &info, NULL, &d->handle);
    if (result == VK_SUCCESS)
        return true;
    d->handle = NULL;
    return vulkan_check(d, result, "vkCreateDevice", status);
}

static bool create_objects(struct vulkan_device *d, struct ampc_status *status)
{
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                             .pNext = &type};
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 128};
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range};
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = d->queue_family};
    if (!vulkan_check(d, d->vk.vkCreateSemaphore(d->handle, &semaphore, NULL, &d->timeline),
                      "vkCreateSemaphore", status) ||
        !vulkan_check(d, d->vk.vkCreatePipelineLayout(d->handle, &layout, NULL, &d->layout),
                      "vkCreatePipelineLayout", status) ||
        !vulkan_check(d, d->vk.vkCreateCommandPool(d->handle, &pool, NULL, &d->command_pool),
                      "vkCreateCommandPool", status))
        return false;
    VkCommandBuffer buffers[COMMAND_RING];
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = d->command_pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = COMMAND_RING};
    if (!vulkan_check(d, d->vk.vkAllocateCommandBuffers(d->handle, &allocate, buffers),
                      "vkAllocateCommandBuffers", status))
        return false;
    d->batch.limit = 1;
    for (int i = 0; i < COMMAND_RING; ++i)
        d->commands[i].buffer = buffers[i];
    return true;
}

bool vulkan_open(struct ampc_device *device, struct ampc_status *status)
{
    struct vulkan_device *d = (struct vulkan_device *)device;
    if (d->handle)
        return !d->lost || vulkan_check(d, VK_ERROR_DEVICE_LOST, "", status);
    const char *clock = vulkan_profile_extension(d->physical);
    const char *pins = vulkan_pins_extension(d->physical), *extensions[2];
    uint32_t count = 0;
    if (clock)
        extensions[count++] = clock;
    if (pins)
        extensions[count++] = pins;
    if (!create_device(d, extensions, count, status))
        return false;
    volkLoadDeviceTable(&d->vk, d->handle);
    d->vk.vkGetDeviceQueue(d->handle, d->queue_family, 0, &d->queue);
    const char *staging = getenv("AMPC_VULKAN_STAGING");
    d->force_windows = staging && *staging == '2';
    d->force_staging = d->force_windows || (staging && *staging == '1');
    if (create_objects(d, status)) {
        vulkan_open_pipeline_cache(d);
        vulkan_profile_open(d, clock);
        if (pins)
            vulkan_pins_open(d);
        return true;
    }
    d->vk.vkDestroyCommandPool(d->handle, d->command_pool, NULL);
    d->vk.vkDestroyPipelineLayout(d->handle, d->layout, NULL);
    d->vk.vkDestroySemaphore(d->handle, d->timeline, NULL);
    d->vk.vkDestroyDevice(d->handle, NULL);
    d->command_pool = VK_NULL_HANDLE;
    d->layout = VK_NULL_HANDLE;
    d->timeline = VK_NULL_HANDLE;
    d->handle = NULL;
    return false;
}

/* ---- waiting -------------------------------------------------------------- */

static void note_completed(struct vulkan_device *d, uint64_t value)
{
    uint64_t known = __atomic_load_n(&d->completed, __ATOMIC_RELAXED);
    while (value > known && !__atomic_compare_exchange_n(&d->completed, &known, value, true,
                                                         __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        continue;
}

/* A lost device completes nothing more, and nothing that it did can be waited for: all counts as
 * complete. */
bool vulkan_is_complete(struct ampc_device *device, uint64_t number)
{
    struct vulkan_device *d = (struct vulkan_device *)device;
    uint64_t value;
    if (number <= __atomic_load_n(&d->completed, __ATOMIC_ACQUIRE) ||
        __atomic_load_n(&d->lost, __ATOMIC_ACQUIRE))
        return true;
    if (number > __atomic_load_n(&d->submitted, __ATOMIC_ACQUIRE))
        return false;
    VkResult result = d->vk.vkGetSemaphoreCounterValue(d->handle, d->timeline, &value);
    if (result != VK_SUCCESS) {
        struct ampc_status ignored = {0};
        vulkan_check(d, result, "vkGetSemaphoreCounterValue", &ignored);
        return result == VK_ERROR_DEVICE_LOST;
    }
    note_completed(d, value);
    return number <= value;
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* The value that the queue signals when the submitted command is done: that of its batch. (A wait
 * for a value between those that are signalled is right, too, but confuses validation layers.) */
static uint64_t signal_of(const struct vulkan_device *d, uint64_t number)
{
    uint64_t signal = UINT64_MAX;
    for (int i = 0; i < COMMAND_RING; ++i)
        if (d->commands[i].number >= number && d->commands[i].number < signal)
            signal = d->commands[i].number;
    return signal;
}

/* Waits for a value that the queue signals. */
static bool wait_submitted(struct vulkan_device *d, uint64_t number, uint64_t nanoseconds,
                           bool *out_complete, struct ampc_status *status)
{
    /* A device that runs on the CPU needs the time itself. */
    uint64_t spin = d->base.emulated ? 0 : SPIN_NANOSECONDS, start = now();
    do {
        *out_complete = vulkan_is_complete(&d->base, number);
        if (__atomic_load_n(&d->lost, __ATOMIC_ACQUIRE))
            return vulkan_check(d, VK_ERROR_DEVICE_LOST, "", status);
        if (*out_complete || !nanoseconds)
            return true;
    } while (now() - start < (spin < nanoseconds ? spin : nanoseconds));
    const VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .semaphoreCount = 1,
                                      .pSemaphores = &d->timeline,
                                      .pValues = &number};
    VkResult result = d->vk.vkWaitSemaphores(d->handle, &info, nanoseconds);
    *out_complete = result == VK_SUCCESS;
    if (result == VK_TIMEOUT)
        return true;
    if (result == VK_SUCCESS)
        note_completed(d, number);
    return vulkan_check(d, result, "vkWaitSemaphores", status);
}

bool vulkan_wait(struct ampc_device *device, uint64_t number, uint64_t nanoseconds,
                 bool *out_complete, struct ampc_status *status)
{
    struct vulkan_device *d = (struct vulkan_device *)device;
    ampc_lock();
    d->batch.limit = 1; /* what comes after the wait is to start early */
    bool good = number <= d->submitted || vulkan_flush(d, status);
    uint64_t signal = signal_of(d, number);
    ampc_unlock();
    good = good && wait_submitted(d, signal, nanoseconds, out_complete, status);
    if (d->profile) {
        ampc_lock();
        vulkan_profile_collect(d);
        ampc_unlock();
    }
    return good;
}

bool vulkan_finish(struct vulkan_device *d, uint64_t number, struct ampc_status *status)
{
    bool complete;
    if (number > d->submitted && !vulkan_flush(d, status))
        return false;
    if (number <= __atomic_load_n(&d->completed, __ATOMIC_ACQUIRE))
        return true;
    return wait_submitted(d, signal_of(d, number), UINT64_MAX, &complete, status);
}
