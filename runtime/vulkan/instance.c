/* vulkan/instance.c - opens the Vulkan loader and finds the devices that can run kernels. */
#include "../log.h"
#include "../registry.h"
#include "device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a device cannot treat the widths apart, it grants what it grants for both. */
static struct vulkan_float_controls
granted_by(const VkPhysicalDeviceFloatControlsProperties *device)
{
    struct vulkan_float_controls granted = {
        .width32 = {device->shaderSignedZeroInfNanPreserveFloat32,
                    device->shaderDenormPreserveFloat32, device->shaderRoundingModeRTEFloat32},
        .width64 = {device->shaderSignedZeroInfNanPreserveFloat64,
                    device->shaderDenormPreserveFloat64, device->shaderRoundingModeRTEFloat64}};
    bool together[VULKAN_FLOAT_CONTROLS] = {
        [VULKAN_PRESERVE_DENORMS] =
            device->denormBehaviorIndependence == VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE,
        [VULKAN_ROUND_TO_EVEN] =
            device->roundingModeIndependence == VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE};
    for (int k = 0; k < VULKAN_FLOAT_CONTROLS; ++k)
        if (together[k])
            granted.width32[k] = granted.width64[k] = granted.width32[k] && granted.width64[k];
    return granted;
}

static bool load(struct ampc_status *status)
{
    void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return ampc_fail(status, amp_error_runtime,
                         "the Vulkan loader cannot be opened (%s); "
                         "install it with a driver (on "
                         "Debian: apt install libvulkan1 mesa-vulkan-drivers)",
                         dlerror());
    PFN_vkGetInstanceProcAddr entry;
    *(void **)&entry = dlsym(library, "vkGetInstanceProcAddr");
    if (!entry)
        return ampc_fail(status, amp_error_runtime,
                         "libvulkan.so.1 is not a Vulkan loader (%s)",
                         dlerror());
    volkInitializeCustom(entry);
    uint32_t version = volkGetInstanceVersion();
    if (version < VK_API_VERSION_1_2)
        return ampc_fail(
            status, amp_error_runtime,
            "the Vulkan loader is version %u.%u; 1.2 or later is needed",
            VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version));
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pEngineName = "ampc",
                                           .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    VkInstance instance;
    VkResult result = vkCreateInstance(&info, NULL, &instance);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
        return ampc_fail(
            status, amp_error_runtime,
            "no Vulkan driver is installed (on Debian: apt install "
            "mesa-vulkan-drivers; in a container, give it the GPU's driver)");
    if (result != VK_SUCCESS)
        return ampc_fail(status, amp_error_runtime,
                         "vkCreateInstance failed (%s)",
                         vulkan_result_name(result));
    volkLoadInstanceOnly(instance);
    return true;
}

bool vulkan_has_extension(VkPhysicalDevice physical, const char *name)
{
    uint32_t count = 0;
    bool has = false;
    if (vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL) != VK_SUCCESS)
        return false;
    VkExtensionProperties *all = ampc_allocate((count + 1) * sizeof *all, &(struct ampc_status){0});
    if (all && vkEnumerateDeviceExtensionProperties(physical, NULL, &count, all) == VK_SUCCESS)
        for (uint32_t i = 0; i < count; ++i)
            has |= !strcmp(all[i].extensionName, name);
    free(all);
    return has;
}

/* The order of preference: hardware first, the likely fastest before the others. */
static int rank_of(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return 4;
    default:
        return 3;
    }
}

/* What the device lacks of the base requirements, NULL when nothing. */
static const char *lacking(VkPhysicalDevice physical, const VkPhysicalDeviceProperties *properties,
                           uint32_t *out_features)
{
    if (properties->apiVersion < VK_API_VERSION_1_2)
        return "Vulkan 1.2";
    VkPhysicalDeviceVulkan12Features v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan11Features v11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &v12};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &v11};
    vkGetPhysicalDeviceFeatures2(physical, &features);
    *out_features = (features.features.shaderFloat64 ? AMPC_FEATURE_DOUBLE : 0) |
                    (v12.storageBuffer8BitAccess ? AMPC_FEATURE_INT8 : 0) |
                    (v11.storageBuffer16BitAccess ? AMPC_FEATURE_INT16 : 0) |
                    (v12.shaderInt8 ? AMPC_FEATURE_TILE_INT8 : 0) |
                    (features.features.shaderInt16 ? AMPC_FEATURE_TILE_INT16 : 0);
    if (!v12.bufferDeviceAddress)
        return "bufferDeviceAddress";
    if (!v12.scalarBlockLayout)
        return "scalarBlockLayout";
    if (!v12.timelineSemaphore)
        return "timelineSemaphore";
    if (!features.features.shaderInt64)
        return "shaderInt64";
    return NULL;
}

static bool find_queue(VkPhysicalDevice physical, uint32_t *out_family)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = sizeof families / sizeof *families;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (uint32_t i = 0; i < count; ++i)
        if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) {
            *out_family = i;
            return true;
        }
    return false;
}

static struct vulkan_device *describe(VkPhysicalDevice physical,
                                      const VkPhysicalDeviceProperties *properties,
                                      struct ampc_status *status)
{
    const VkMemoryPropertyFlags in_place =
        VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
        VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    const VkPhysicalDeviceLimits *limits = &properties->limits;
    struct vulkan_device *d = ampc_allocate(sizeof *d, status);
    if (!d)
        return NULL;
    struct ampc_device *base = &d->base;
    d->physical = physical;
    snprintf(base->name, sizeof base->name, "%s", properties->deviceName);
    base->emulated = properties->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    vkGetPhysicalDeviceMemoryProperties(physical, &d->memory_types);
    for (uint32_t i = 0; i < d->memory_types.memoryHeapCount; ++i)
        if (d->memory_types.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
            base->memory_bytes += d->memory_types.memoryHeaps[i].size;
    for (uint32_t i = 0; i < d->memory_types.memoryTypeCount; ++i)
        if ((d->memory_types.memoryTypes[i].propertyFlags & in_place) == in_place &&
            (base->emulated || properties->deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU))
            base->shared_memory = true;
    for (int k = 0; k < 3; ++k) {
        base->limits.groups[k] = limits->maxComputeWorkGroupCount[k];
        base->limits.group_size[k] = limits->maxComputeWorkGroupSize[k];
    }
    base->limits.group_items = limits->maxComputeWorkGroupInvocations;
    base->limits.tile_static_bytes = limits->maxComputeSharedMemorySize;
    base->preferred_group_size = 256;
    if (base->preferred_group_size > limits->maxComputeWorkGroupInvocations)
        base->preferred_group_size = limits->maxComputeWorkGroupInvocations;
    if (base->preferred_group_size > limits->maxComputeWorkGroupSize[0])
        base->preferred_group_size = limits->maxComputeWorkGroupSize[0];
    while (base->preferred_group_size & (base->preferred_group_size - 1)) /* a power of two, */
        base->preferred_group_size &= base->preferred_group_size - 1;     /* for domain.c */
    return d;
}

/* For tests: AMPC_VULKAN_LACKS=MASK, of enum ampc_feature, makes as if no device had those. */
static uint32_t hidden_features(void)
{
    const char *mask = getenv("AMPC_VULKAN_LACKS");
    return mask ? (uint32_t)strtoul(mask, NULL, 0) : 0;
}

struct candidate {
    struct vulkan_device *device;
    int rank;
    uint8_t uuid[VK_UUID_SIZE];
};

size_t vulkan_enumerate(struct ampc_device **out_devices, size_t capacity,
                        struct ampc_status *status)
{
    VkPhysicalDevice physical[64];
    uint32_t count = sizeof physical / sizeof *physical;
    if (!load(status))
        return 0;
    VkResult result = vkEnumeratePhysicalDevices(volkGetLoadedInstance(), &count, physical);
    if ((result != VK_SUCCESS && result != VK_INCOMPLETE) || !count) {
        ampc_fail(status, amp_error_runtime,
                  "the Vulkan drivers find no device (%s)",
                  vulkan_result_name(result));
        return 0;
    }
    struct candidate found[64];
    size_t found_count = 0;
    char reasons[512] = "";
    for (uint32_t i = 0; i < count; ++i) {
        VkPhysicalDeviceDriverProperties driver = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
        VkPhysicalDeviceFloatControlsProperties floats = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES,
            .pNext = &driver};
        VkPhysicalDeviceIDProperties id = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES,
                                           .pNext = &floats};
        VkPhysicalDeviceProperties2 properties = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &id};
        vkGetPhysicalDeviceProperties2(physical[i], &properties);
        uint32_t features = 0, family = 0;
        const char *lack = lacking(physical[i], &properties.properties, &features);
        if (!lack && !find_queue(physical[i], &family))
            lack = "a compute queue";
        if (lack) {
            size_t length = strlen(reasons);
            snprintf(reasons + length, sizeof reasons - length, "%s%s lacks %s", length ? ", " : "",
                     properties.properties.deviceName, lack);
            AMPC_LOG("%s lacks %s", properties.properties.deviceName, lack);
            continue;
        }
        bool twice = false; /* two drivers for one device: the first wins */
        for (size_t k = 0; k < found_count; ++k)
            twice |= !memcmp(found[k].uuid, id.deviceUUID, VK_UUID_SIZE);
        if (twice)
            continue;
        struct candidate c = {describe(physical[i], &properties.properties, status),
                              rank_of(properties.properties.deviceType),
                              {0}};
        if (!c.device)
            break;
        memcpy(c.uuid, id.deviceUUID, VK_UUID_SIZE);
        features &= ~hidden_features();
        c.device->base.features = features;
        c.device->double_precision = c.device->base.double_precision =
            features & AMPC_FEATURE_DOUBLE;
        c.device->queue_family = family;
        c.device->floats = granted_by(&floats);
        c.device->arithmetic = vulkan_arithmetic_of(driver.driverID);
        size_t at = found_count++;
        for (; at && found[at - 1].rank > c.rank; --at)
            found[at] = found[at - 1];
        found[at] = c;
    }
    if (!found_count && status->code == amp_ok)
        ampc_fail(status, amp_error_unsupported_feature, "%s", reasons);
    if (found_count > capacity)
        found_count = capacity;
    for (size_t i = 0; i < found_count; ++i)
        out_devices[i] = &found[i].device->base;
    return found_count;
}
