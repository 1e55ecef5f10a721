/* stub_vulkan.h - a Vulkan driver in place of the loader, for tests of the runtime that want to see
 * it fail: two devices in host memory, vulkan:0 out of the host's reach (copies through staging
 * memory), vulkan:1 mapped. Kernels are C functions, named by the second word of what stands for
 * their SPIR-V. The runtime's calls for memory and threads come by here, too (lit.local.cfg). */
#ifndef STUB_VULKAN_H
#define STUB_VULKAN_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

/* Reads push constants, computes in host memory. The test defines the table. */
typedef void stub_kernel(const void *push);
extern stub_kernel *const stub_kernels[];

/* The n-th call (counted from 1) that may end with `result` ends so; 0: none does. */
extern unsigned stub_fail_at;
extern VkResult stub_fail_with;
/* The n-th allocation, or start of a thread, of the runtime's fails. */
extern unsigned stub_host_fail_at;
/* What failed, NULL as long as nothing has. */
extern const char *stub_failed;

/* Commands are run by a thread of the driver, so many milliseconds late; else by vkQueueSubmit. */
extern bool stub_has_thread;
extern unsigned stub_delay_milliseconds;

/* Bytes of each device. */
extern uint64_t stub_memory_bytes;

/* From now on a call to the driver ends the process with a message: what a program does last, by a
 * handler for exit of its own. */
extern bool stub_is_closed;

#endif
