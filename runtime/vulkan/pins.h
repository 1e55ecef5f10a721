/* vulkan/pins.h - host memory that the device copies from and to itself, without a detour through
 * staging memory (VK_EXT_external_memory_host). With the lock. */
#ifndef AMPC_VULKAN_PINS_H
#define AMPC_VULKAN_PINS_H

#include "device.h"

/* A run of pinned memory: whole pages, at most a GiB. */
struct vulkan_pin {
    struct vulkan_pin *next;
    const char *owner; /* what was asked for begins here */
    char *begin, *end;
    VkBuffer buffer;
    VkDeviceMemory memory;
};

/* The device extension; NULL when the device has none. */
const char *vulkan_pins_extension(VkPhysicalDevice physical);
/* The extension is in use: what it asks for. */
void vulkan_pins_open(struct vulkan_device *d);

/* Pins the whole pages of the memory; false, which is no error, when that cannot be. */
bool vulkan_pin(struct ampc_device *device, void *memory, uint64_t size);
/* Ends what was pinned at this address; no command may be using it. */
void vulkan_unpin(struct ampc_device *device, void *memory);

/* The pin that the memory begins in, or NULL; *out_size is how much of `size` lies in it, or before
 * the next one. */
const struct vulkan_pin *vulkan_pin_at(const struct vulkan_device *d, const void *memory,
                                       uint64_t size, uint64_t *out_size);

#endif
