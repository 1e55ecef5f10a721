/* vulkan/arithmetic.h - what is known of drivers, for kernels' specialisation constants. Vulkan asks for little
 * where arithmetic is concerned; kernels do without what is not known to be exact. */
#ifndef AMPC_VULKAN_ARITHMETIC_H
#define AMPC_VULKAN_ARITHMETIC_H

#include <stdbool.h>
#include <volk.h>

/* Kernels' specialisation constants 1, 2 and 3. */
struct vulkan_arithmetic {
    bool ieee_division; /* OpFDiv and Sqrt are rounded correctly (Vulkan: 2.5 units off, or more) */
    bool fused_fma;     /* Fma rounds once (Vulkan: or twice) */
    bool guard_loops;   /* a bug: loads in a loop are repeated for work items that have left it */
};

struct vulkan_arithmetic vulkan_arithmetic_of(VkDriverId driver);

#endif
