/* vulkan/ranges.c - see vulkan/ranges.h. */
#include "ranges.h"

#include <stdlib.h>

enum { SUBCLASS_BITS = 3 };

struct place {
    unsigned class, subclass;
};

static struct place place_of(uint64_t size)
{
    unsigned class = 63 - (unsigned)__builtin_clzll(size);
    return (struct place){class,
                          (unsigned)(size >> (class - SUBCLASS_BITS)) % VULKAN_RANGE_SUBCLASSES};
}

static struct vulkan_range **list_of(struct vulkan_ranges *ranges, struct place place)
{
    return &ranges->lists[place.class][place.subclass];
}

static void link_free(struct vulkan_ranges *ranges, struct vulkan_range *range)
{
    struct place place = place_of(range->end - range->begin);
    struct vulkan_range **list = list_of(ranges, place);
    range->is_free = true;
    range->previous = NULL;
    range->next = *list;
    if (*list)
        (*list)->previous = range;
    *list = range;
    ranges->classes |= UINT64_C(1) << place.class;
    ranges->subclasses[place.class] |= (uint8_t)(1u << place.subclass);
}

static void unlink_free(struct vulkan_ranges *ranges, struct vulkan_range *range)
{
    struct place place = place_of(range->end - range->begin);
    struct vulkan_range **list = list_of(ranges, place);
    range->is_free = false;
    if (range->next)
        range->next->previous = range->previous;
    if (range->previous)
        range->previous->next = range->next;
    else
        *list = range->next;
    if (*list)
        return;
    ranges->subclasses[place.class] &= (uint8_t)~(1u << place.subclass);
    if (!ranges->subclasses[place.class])
        ranges->classes &= ~(UINT64_C(1) << place.class);
}

/* A free part of a class all of whose parts are large enough; else one of the class that the size
 * is of itself. */
static struct vulkan_range *find(struct vulkan_ranges *ranges, uint64_t size)
{
    struct place own = place_of(size);
    uint64_t step = UINT64_C(1) << (own.class - SUBCLASS_BITS);
    if (size <= UINT64_MAX - step) {
        struct place place = place_of(size + step - 1);
        unsigned subclasses = ranges->subclasses[place.class] >> place.subclass;
        if (subclasses) {
            place.subclass += (unsigned)__builtin_ctz(subclasses);
            return *list_of(ranges, place);
        }
        uint64_t classes = place.class < 63 ? ranges->classes >> (place.class + 1) : 0;
        if (classes) {
            place.class += 1 + (unsigned)__builtin_ctzll(classes);
            place.subclass = (unsigned)__builtin_ctz(ranges->subclasses[place.class]);
            return *list_of(ranges, place);
        }
    }
    struct vulkan_range *range = *list_of(ranges, own);
    while (range && range->end - range->begin < size)
        range = range->next;
    return range;
}

/* A new part behind `before`, NULL for the first; NULL without memory. */
static struct vulkan_range *insert(struct vulkan_ranges *ranges, struct vulkan_range *before,
                                   uint64_t begin, uint64_t end)
{
    struct vulkan_range *range = calloc(1, sizeof *range);
    if (!range)
        return NULL;
    range->begin = begin;
    range->end = end;
    range->before = before;
    range->after = before ? before->after : ranges->first;
    if (range->after)
        range->after->before = range;
    *(before ? &before->after : &ranges->first) = range;
    return range;
}

/* Joins a part with the one after it. */
static void absorb(struct vulkan_range *range)
{
    struct vulkan_range *gone = range->after;
    range->end = gone->end;
    range->after = gone->after;
    if (range->after)
        range->after->before = range;
    free(gone);
}

bool vulkan_ranges_init(struct vulkan_ranges *ranges, uint64_t begin, uint64_t end)
{
    if (end - begin < 1u << SUBCLASS_BITS)
        return true;
    struct vulkan_range *all = insert(ranges, NULL, begin, end);
    if (all)
        link_free(ranges, all);
    return all;
}

void vulkan_ranges_finish(struct vulkan_ranges *ranges)
{
    for (struct vulkan_range *range = ranges->first, *after; range; range = after) {
        after = range->after;
        free(range);
    }
    *ranges = (struct vulkan_ranges){0};
}

struct vulkan_range *vulkan_ranges_take(struct vulkan_ranges *ranges, uint64_t size)
{
    struct vulkan_range *range = find(ranges, size);
    if (!range)
        return NULL;
    struct vulkan_range *rest = NULL;
    if (range->end - range->begin - size >= 1u << SUBCLASS_BITS &&
        !(rest = insert(ranges, range, range->begin + size, range->end)))
        return NULL;
    unlink_free(ranges, range);
    if (rest) {
        range->end = rest->begin;
        link_free(ranges, rest);
    }
    return range;
}

void vulkan_ranges_give(struct vulkan_ranges *ranges, struct vulkan_range *range)
{
    if (range->after && range->after->is_free) {
        unlink_free(ranges, range->after);
        absorb(range);
    }
    if (range->before && range->before->is_free) {
        range = range->before;
        unlink_free(ranges, range);
        absorb(range);
    }
    link_free(ranges, range);
}
