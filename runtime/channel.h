/* channel.h - what kernels tell the host: amp_printf, and why a launch fails.
 *
 * A launch of a kernel with reports gets a buffer of words (ampc/kernel.h, enum ampc_report_word)
 * and is waited for; then its texts are printed in the order in which they came, each as a whole.
 * Texts that find no room are counted, and standard error gets the count. */
#ifndef AMPC_CHANNEL_H
#define AMPC_CHANNEL_H

#include "accelerator.h"

enum { AMPC_CHANNEL_WORDS = 1 << 18 };

/* Words for a launch on a host, and for reading those of another, to be freed. */
uint32_t *ampc_channel_words(struct ampc_status *status);
/* The same in a device's memory, to be released. With the registry lock. */
struct ampc_memory *ampc_channel_open(struct amp_accelerator *on, struct ampc_status *status);
/* The words that a launch left in a device's memory; takes what ampc_channel_words() gave. With the
 * registry lock. */
bool ampc_channel_read(struct amp_accelerator *on, struct ampc_memory *memory, uint32_t *words,
                       struct ampc_status *status);
/* Prints what the launch printed. False when a work item failed: the status says which and why.
 * Without the lock. */
bool ampc_channel_finish(const struct ampc_kernel *kernel, const uint32_t *words,
                         struct ampc_status *status);

#endif
