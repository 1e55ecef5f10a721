/* vulkan/spirv.h - a change to kernels' SPIR-V that devices need. Pure functions of words. */
#ifndef AMPC_VULKAN_SPIRV_H
#define AMPC_VULKAN_SPIRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kernels ask for IEEE floats, for each width of float they use. What a device grants, by width: 32
 * and 64 bits. */
enum vulkan_float_control {
    VULKAN_PRESERVE_SPECIALS, /* signed zeros, infinities, NaNs (SignedZeroInfNanPreserve) */
    VULKAN_PRESERVE_DENORMS,  /* DenormPreserve */
    VULKAN_ROUND_TO_EVEN,     /* RoundingModeRTE */
    VULKAN_FLOAT_CONTROLS
};
struct vulkan_float_controls {
    bool width32[VULKAN_FLOAT_CONTROLS], width64[VULKAN_FLOAT_CONTROLS];
};

/* Copies a module to `out`, which has room for `count` words, without the requests that the device
 * does not grant, and without the capabilities that no request is left for. Returns the number of
 * words of the copy; what is no SPIR-V is copied as it is. */
size_t vulkan_spirv_for(const struct vulkan_float_controls *granted, const uint32_t *words,
                        size_t count, uint32_t *out);

#endif
