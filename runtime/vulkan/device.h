/* vulkan/device.h - a Vulkan device as this backend keeps it.
 *
 * Files of this folder: instance (loader, instance, which devices), device (logical device,
 * waiting), commands (batches and barriers), flusher (batches left alone), memory (sub-allocation),
 * transfer (copies), pins (host memory without staging), profile (when things were done), program
 * (pipelines), spirv (what a device cannot read), backend (launch, the table). Functions need the
 * registry lock but for those that say otherwise. Vulkan objects live as long as the process:
 * drivers run exit handlers of their own, so nothing is destroyed at exit. */
#ifndef AMPC_VULKAN_DEVICE_H
#define AMPC_VULKAN_DEVICE_H

#include "../backend.h"
#include "arithmetic.h"
#include "spirv.h"
#include <volk.h>

enum {
    COMMAND_RING = 32,
    MOST_COMMANDS = 512, /* of a batch */
    STAGING_SLOTS = 4,
    PROGRAM_BUCKETS = 128,
};

struct vulkan_command {
    VkCommandBuffer buffer;
    uint64_t number; /* of the last command of its last submission, 0: none yet */
};

/* Commands recorded but not submitted (commands.h). */
struct vulkan_batch {
    VkCommandBuffer buffer; /* NULL: no batch is open */
    uint64_t number;        /* of batches before */
    unsigned count, limit;  /* commands in it, and when it is full */
    unsigned barriers;
    uint64_t work;       /* work items in it */
    bool host_reads;     /* something in it writes memory that the host has mapped */
    VkPipeline pipeline; /* the one bound, if any */
};

struct vulkan_device {
    struct ampc_device base; /* first */
    VkPhysicalDevice physical;
    bool double_precision;
    struct vulkan_float_controls floats;
    struct vulkan_arithmetic arithmetic;
    VkPhysicalDeviceMemoryProperties memory_types;
    uint32_t queue_family;

    VkDevice handle; /* NULL until opened; so is the rest */
    struct VolkDeviceTable vk;
    VkQueue queue;
    VkSemaphore timeline; /* its value is the number of the last completed command */
    uint64_t recorded;    /* the last command's number */
    uint64_t submitted;   /* the last command that the queue has; atomic */
    uint64_t completed;   /* at least so many; atomic */
    bool lost;            /* atomic */
    const char *lost_in;  /* the call that lost it, and its result; atomic */
    VkResult lost_result;

    VkCommandPool command_pool;
    struct vulkan_command commands[COMMAND_RING];
    struct vulkan_batch batch;
    /* The last command that began with a barrier for kernels, or for copies: those of its kind from
     * it on are behind all commands before it. */
    uint64_t kernel_barrier, copy_barrier;
    uint64_t last_copy; /* the last command that is a copy */

    bool watched; /* flusher.c; so are the next three */
    uint64_t watched_batch;
    unsigned watched_periods; /* that it has been open */
    struct vulkan_device *watched_next;

    struct vulkan_block *blocks;    /* memory.c */
    struct vulkan_memory *released; /* waiting for their last command */
    /* For tests, AMPC_VULKAN_STAGING=1: copy as if the CPU could not map; 2: as if it were to write
     * only. */
    bool force_staging, force_windows;
    struct vulkan_memory *staging[STAGING_SLOTS];
    unsigned staging_next; /* the slot in use */
    uint64_t staging_used; /* bytes of it */

    struct vulkan_pin *pins; /* pins.h */
    uint64_t pin_alignment;  /* 0: memory cannot be pinned */
    uint64_t pinned_bytes;

    struct vulkan_profile *profile; /* profile.h; NULL: none is wanted */

    VkPipelineLayout layout;        /* 128 bytes of push constants */
    VkPipelineCache pipeline_cache; /* VK_NULL_HANDLE: none */
    size_t pipeline_cache_size;     /* of what is on disk or came with the driver */
    struct vulkan_program *programs[PROGRAM_BUCKETS];
};

/* Opens the loader and lists devices; the instance is volk's global one. */
size_t vulkan_enumerate(struct ampc_device **out_devices, size_t capacity,
                        struct ampc_status *status);

bool vulkan_has_extension(VkPhysicalDevice physical, const char *name);

bool vulkan_open(struct ampc_device *device, struct ampc_status *status);
/* With or without the lock. */
bool vulkan_is_complete(struct ampc_device *device, uint64_t number);
/* Without the lock. */
bool vulkan_wait(struct ampc_device *device, uint64_t number, uint64_t nanoseconds,
                 bool *out_complete, struct ampc_status *status);
/* Waits as long as it takes, with the lock. */
bool vulkan_finish(struct vulkan_device *d, uint64_t number, struct ampc_status *status);

/* Turns a result other than success into a status; remembers a lost device. `what` names the call.
 */
bool vulkan_check(struct vulkan_device *d, VkResult result, const char *what,
                  struct ampc_status *status);
/* The device is of no more use since the call gave this result; the first cause counts. */
void vulkan_lose(struct vulkan_device *d, VkResult result, const char *what);
const char *vulkan_result_name(VkResult result);

#endif
