/* vulkan/transfer.h - copies between host and device memory, and on the device (backend.h: write,
 * read, copy). */
#ifndef AMPC_VULKAN_TRANSFER_H
#define AMPC_VULKAN_TRANSFER_H

#include "device.h"

bool vulkan_write(struct ampc_device *device, struct ampc_memory *memory, uint64_t offset,
                  const void *from, uint64_t size, struct ampc_status *status);
bool vulkan_read(struct ampc_device *device, struct ampc_memory *memory, uint64_t offset, void *to,
                 uint64_t size, struct ampc_status *status);
bool vulkan_copy(struct ampc_device *device, struct ampc_memory *from, struct ampc_memory *to,
                 const struct ampc_region *regions, size_t count, uint64_t *out_number,
                 struct ampc_status *status);

#endif
