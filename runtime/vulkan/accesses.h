/* vulkan/accesses.h - which commands last read, or wrote, which bytes of a piece of memory: for
 * barriers, and to wait for no more than needed. Pure functions of numbers.
 *
 * A few ranges are remembered; when there are more, those that lie closest are taken for one, with
 * the gap between them. So an answer may name a later command than need be, never an earlier one. */
#ifndef AMPC_VULKAN_ACCESSES_H
#define AMPC_VULKAN_ACCESSES_H

#include <stdint.h>

enum { VULKAN_ACCESSES = 8 };

/* Of one kind. Zeroed: none. */
struct vulkan_accesses {
    unsigned count;
    struct vulkan_access {
        uint64_t begin, end; /* not empty */
        uint64_t number;     /* of the last command there */
    } of[VULKAN_ACCESSES];
};

/* A command, later than all before, accesses [begin, end); nothing when that is empty. */
void vulkan_access_note(struct vulkan_accesses *accesses, uint64_t begin, uint64_t end,
                        uint64_t number);
/* The last command that accessed any byte of the range; 0: none, or an empty range. */
uint64_t vulkan_access_last(const struct vulkan_accesses *accesses, uint64_t begin, uint64_t end);

#endif
