/* vulkan/accesses.c - see vulkan/accesses.h. */
#include "accesses.h"

/* Bytes between two ranges, 0 where they touch or overlap. */
static uint64_t gap(const struct vulkan_access *a, const struct vulkan_access *b)
{
    if (a->end < b->begin)
        return b->begin - a->end;
    return b->end < a->begin ? a->begin - b->end : 0;
}

/* Takes two ranges for one. */
static void join(struct vulkan_accesses *accesses, unsigned i, unsigned k)
{
    struct vulkan_access *a = &accesses->of[i], *b = &accesses->of[k];
    if (b->begin < a->begin)
        a->begin = b->begin;
    if (b->end > a->end)
        a->end = b->end;
    if (b->number > a->number)
        a->number = b->number;
    *b = accesses->of[--accesses->count];
}

static void join_closest(struct vulkan_accesses *accesses)
{
    unsigned first = 0, second = 1;
    for (unsigned i = 0; i < accesses->count; ++i)
        for (unsigned k = i + 1; k < accesses->count; ++k)
            if (gap(&accesses->of[i], &accesses->of[k]) <
                gap(&accesses->of[first], &accesses->of[second])) {
                first = i;
                second = k;
            }
    join(accesses, first, second);
}

void vulkan_access_note(struct vulkan_accesses *accesses, uint64_t begin, uint64_t end,
                        uint64_t number)
{
    if (begin >= end)
        return;
    /* What was accessed before within the range is behind this command. */
    for (unsigned i = 0; i < accesses->count;)
        if (begin <= accesses->of[i].begin && accesses->of[i].end <= end)
            accesses->of[i] = accesses->of[--accesses->count];
        else
            ++i;
    if (accesses->count == VULKAN_ACCESSES)
        join_closest(accesses);
    accesses->of[accesses->count++] = (struct vulkan_access){begin, end, number};
}

uint64_t vulkan_access_last(const struct vulkan_accesses *accesses, uint64_t begin, uint64_t end)
{
    uint64_t last = 0;
    for (unsigned i = 0; begin < end && i < accesses->count; ++i)
        if (accesses->of[i].begin < end && begin < accesses->of[i].end &&
            accesses->of[i].number > last)
            last = accesses->of[i].number;
    return last;
}
