/* vulkan/ranges.h - which parts of a block are free: a two-level segregated fit (Masmano et al.,
 * "TLSF: a new dynamic memory allocator for real-time systems", 2004). Taking and giving back cost
 * the same however many parts there are. Works on numbers: the block's memory is not touched. */
#ifndef AMPC_VULKAN_RANGES_H
#define AMPC_VULKAN_RANGES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    VULKAN_RANGE_CLASSES = 64,   /* of sizes by their highest bit */
    VULKAN_RANGE_SUBCLASSES = 8, /* of each, by the three bits below */
};

/* A part, free or taken. All parts of a block, in order, are linked. */
struct vulkan_range {
    uint64_t begin, end;
    struct vulkan_range *before, *after;
    struct vulkan_range *previous, *next; /* in the list of its class, while it is free */
    bool is_free;
};

struct vulkan_ranges {
    struct vulkan_range *first;
    uint64_t classes; /* a bit each: it has free parts */
    uint8_t subclasses[VULKAN_RANGE_CLASSES];
    struct vulkan_range *lists[VULKAN_RANGE_CLASSES][VULKAN_RANGE_SUBCLASSES];
};

/* All of [begin, end) is free; the structure was zeroed. False when the host has no memory for it.
 */
bool vulkan_ranges_init(struct vulkan_ranges *ranges, uint64_t begin, uint64_t end);
void vulkan_ranges_finish(struct vulkan_ranges *ranges);

/* A part of exactly `size` bytes, at least 8; NULL when there is none, or no memory on the host to
 * write it down. If all sizes are multiples of a number, so are the distances of parts from
 * `begin`. */
struct vulkan_range *vulkan_ranges_take(struct vulkan_ranges *ranges, uint64_t size);
/* Needs no memory: never fails. */
void vulkan_ranges_give(struct vulkan_ranges *ranges, struct vulkan_range *range);

#endif
