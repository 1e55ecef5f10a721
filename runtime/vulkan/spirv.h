/* vulkan/spirv.h - a change to kernels' SPIR-V that devices need. Pure functions of words. */
#ifndef AMPC_VULKAN_SPIRV_H
#define AMPC_VULKAN_SPIRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kernels ask for signed zeros, infinities and NaNs to be kept (execution mode
 * SignedZeroInfNanPreserve) for each width of float they use. Copies a module to `out`, which has
 * room for `count` words, without the requests that the device cannot grant, and without the
 * capability when no request is left. Returns the number of words of the copy; what is no SPIR-V is
 * copied as it is. */
size_t vulkan_spirv_without_preserve(const uint32_t *words, size_t count, bool keep32, bool keep64,
                                     uint32_t *out);

#endif
