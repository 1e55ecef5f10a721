/* vulkan/profile.h - when the device began and ended what it was given, for profiles
 * (../profile.h).
 *
 * Each command of a batch is put between two timestamps; the batch ends with a copy of them to
 * memory that the host has mapped, so that they are there after the last wait, at exit too, without
 * a call to the driver. Device time is brought in line with the host's clock by calibrated
 * timestamps, or, where a device has none, by how long an empty submission takes. With the lock. */
#ifndef AMPC_VULKAN_PROFILE_H
#define AMPC_VULKAN_PROFILE_H

#include "../profile.h"
#include "device.h"

/* The device extension that calibrates; NULL when there is none, or no profile is wanted. */
const char *vulkan_profile_extension(VkPhysicalDevice physical);
/* Without it, or when something fails, there is no profile of the device: d->profile is NULL, and
 * the other functions do nothing. */
void vulkan_profile_open(struct vulkan_device *d, bool has_extension);

/* A batch starts (it is not yet the open one); a command is next; the command was recorded; the
 * batch ends. */
void vulkan_profile_batch(struct vulkan_device *d, VkCommandBuffer buffer);
void vulkan_profile_begin(struct vulkan_device *d, VkCommandBuffer buffer);
void vulkan_profile_end(struct vulkan_device *d, VkCommandBuffer buffer,
                        const struct ampc_profile_mark *mark);
void vulkan_profile_finish(struct vulkan_device *d, VkCommandBuffer buffer);

/* Hands on what is known of batches that are done. */
void vulkan_profile_collect(struct vulkan_device *d);

#endif
