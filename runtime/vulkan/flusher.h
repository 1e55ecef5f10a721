/* vulkan/flusher.h - a thread that submits a batch that nobody adds to or waits for.
 *
 * A program that launches and then computes on its own, or sleeps, gets its launches done
 * meanwhile: a batch is submitted once it has been open for a tenth of a millisecond, or ten times
 * that while the device is busy. The thread sleeps for good while nothing is recorded. It ends
 * before the handlers of drivers run at exit. */
#ifndef AMPC_VULKAN_FLUSHER_H
#define AMPC_VULKAN_FLUSHER_H

#include "device.h"

/* Sees to it that the open batch is submitted soon; false when there is no thread to do it. With
 * the lock. */
bool vulkan_watch(struct vulkan_device *d);

#endif
