/* vulkan/backend.h - the Vulkan backend's table; everything else in this folder is its own. */
#ifndef AMPC_VULKAN_BACKEND_H
#define AMPC_VULKAN_BACKEND_H

#include "../backend.h"

extern const struct ampc_backend ampc_vulkan_backend;

#endif
