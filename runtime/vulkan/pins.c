/* vulkan/pins.c - see vulkan/pins.h. */
#include "pins.h"
#include "../log.h"
#include "../registry.h"

#include <stdlib.h>
#include <unistd.h>

#define LONGEST (UINT64_C(1) << 30)
#define HANDLE_TYPE VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT

const char *vulkan_pins_extension(VkPhysicalDevice physical)
{
    static const char *const name = VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME;
    return vulkan_has_extension(physical, name) ? name : NULL;
}

void vulkan_pins_open(struct vulkan_device *d)
{
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
    vkGetPhysicalDeviceProperties2(d->physical, &properties);
    d->pin_alignment = limits.minImportedHostPointerAlignment;
}

/* Half of the host's memory may be pinned. */
static bool is_room(const struct vulkan_device *d, uint64_t size)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t room = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / 2 : 0;
    return size <= room && d->pinned_bytes <= room - size;
}

static bool import(struct vulkan_device *d, struct vulkan_pin *pin)
{
    uint64_t size = (uint64_t)(pin->end - pin->begin);
    const VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = HANDLE_TYPE};
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .pNext = &external,
                                     .size = size,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryHostPointerPropertiesEXT pointer = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    VkMemoryRequirements needs;
    if (d->vk.vkGetMemoryHostPointerPropertiesEXT(d->handle, HANDLE_TYPE, pin->begin, &pointer) !=
            VK_SUCCESS ||
        d->vk.vkCreateBuffer(d->handle, &info, NULL, &pin->buffer) != VK_SUCCESS)
        return false;
    d->vk.vkGetBufferMemoryRequirements(d->handle, pin->buffer, &needs);
    uint32_t types = needs.memoryTypeBits & pointer.memoryTypeBits;
    if (!types || needs.size > size)
        return false;
    const VkImportMemoryHostPointerInfoEXT host = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = HANDLE_TYPE,
        .pHostPointer = pin->begin};
    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .pNext = &host,
                                           .allocationSize = size,
                                           .memoryTypeIndex = (uint32_t)__builtin_ctz(types)};
    return d->vk.vkAllocateMemory(d->handle, &allocate, NULL, &pin->memory) == VK_SUCCESS &&
           d->vk.vkBindBufferMemory(d->handle, pin->buffer, pin->memory, 0) == VK_SUCCESS;
}

static void destroy(struct vulkan_device *d, struct vulkan_pin *pin)
{
    d->vk.vkDestroyBuffer(d->handle, pin->buffer, NULL);
    d->vk.vkFreeMemory(d->handle, pin->memory, NULL);
    free(pin);
}

bool vulkan_pin(struct ampc_device *device, void *memory, uint64_t size)
{
    struct vulkan_device *d = (struct vulkan_device *)device;
    uint64_t alignment = d->pin_alignment;
    if (!alignment || size < 2 * alignment || !is_room(d, size))
        return false;
    uint64_t before = (alignment - (uintptr_t)memory % alignment) % alignment;
    char *at = (char *)memory + before;
    char *end = at + (size - before) / alignment * alignment;
    while (at < end) {
        uint64_t length = (uint64_t)(end - at) < LONGEST ? (uint64_t)(end - at) : LONGEST;
        struct vulkan_pin *pin = ampc_allocate(sizeof *pin, &(struct ampc_status){0});
        if (!pin) {
            vulkan_unpin(device, memory);
            return false;
        }
        pin->owner = memory;
        pin->begin = at;
        pin->end = at + length;
        if (!import(d, pin)) {
            destroy(d, pin);
            vulkan_unpin(device, memory);
            return false;
        }
        pin->next = d->pins;
        d->pins = pin;
        d->pinned_bytes += length;
        at += length;
    }
    AMPC_LOG("pinned %llu bytes for %s", (unsigned long long)size, d->base.name);
    return true;
}

void vulkan_unpin(struct ampc_device *device, void *memory)
{
    struct vulkan_device *d = (struct vulkan_device *)device;
    for (struct vulkan_pin **link = &d->pins; *link;) {
        struct vulkan_pin *pin = *link;
        if (pin->owner != memory) {
            link = &pin->next;
            continue;
        }
        *link = pin->next;
        d->pinned_bytes -= (uint64_t)(pin->end - pin->begin);
        destroy(d, pin);
    }
}

const struct vulkan_pin *vulkan_pin_at(const struct vulkan_device *d, const void *memory,
                                       uint64_t size, uint64_t *out_size)
{
    const char *begin = memory;
    *out_size = size;
    for (const struct vulkan_pin *pin = d->pins; pin; pin = pin->next) {
        if (pin->begin <= begin && begin < pin->end) {
            *out_size = (uint64_t)(pin->end - begin) < size ? (uint64_t)(pin->end - begin) : size;
            return pin;
        }
        if (pin->begin > begin && (uint64_t)(pin->begin - begin) < *out_size)
            *out_size = (uint64_t)(pin->begin - begin);
    }
    return NULL;
}
