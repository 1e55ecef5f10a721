/* vulkan/arithmetic.c - see vulkan/arithmetic.h. */
#include "arithmetic.h"

#include <stdlib.h>
#include <string.h>

struct vulkan_arithmetic vulkan_arithmetic_of(VkDriverId driver)
{
    /* For tests: "none" of it is left to the device, or "fma" only. */
    const char *forced = getenv("AMPC_VULKAN_ARITHMETIC");
    if (forced)
        return (struct vulkan_arithmetic){.fused_fma = !strcmp(forced, "fma"),
                                          .guard_loops = driver == VK_DRIVER_ID_MESA_LLVMPIPE};
    switch (driver) {
    /* The CPU's division; Fma is a product and a sum. */
    case VK_DRIVER_ID_MESA_LLVMPIPE:
        return (struct vulkan_arithmetic){.ieee_division = true, .guard_loops = true};
    case VK_DRIVER_ID_GOOGLE_SWIFTSHADER:
        return (struct vulkan_arithmetic){.ieee_division = true};
    /* Hardware whose multiply-add is fused. */
    case VK_DRIVER_ID_NVIDIA_PROPRIETARY:
    case VK_DRIVER_ID_AMD_PROPRIETARY:
    case VK_DRIVER_ID_AMD_OPEN_SOURCE:
    case VK_DRIVER_ID_MESA_RADV:
    case VK_DRIVER_ID_INTEL_PROPRIETARY_WINDOWS:
    case VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA:
    case VK_DRIVER_ID_ARM_PROPRIETARY:
    case VK_DRIVER_ID_MOLTENVK:
        return (struct vulkan_arithmetic){.fused_fma = true};
    default:
        return (struct vulkan_arithmetic){0};
    }
}
