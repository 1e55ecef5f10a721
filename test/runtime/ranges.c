/* Free parts of a block, against a map of its bytes: parts do not overlap, what is given back joins its neighbours, and a part is
 * found whenever one free run is long enough in its size's class or a higher one. No device.
 * RUN: %cc -std=gnu11 -g -Wall -Wextra -Werror -fsanitize=address,undefined -I %S/../../runtime %s %S/../../runtime/vulkan/ranges.c -o %t
 * RUN: %t
 */
#include "vulkan/ranges.h"

#include "Inputs/condition.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 256, BEGIN = 512, UNITS = 4000, PARTS = 300 };

static char used[UNITS];

static unsigned longest_free(void)
{
    unsigned longest = 0, run = 0;
    for (unsigned i = 0; i < UNITS; ++i) {
        run = used[i] ? 0 : run + 1;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void mark(const struct vulkan_range *range, char from, char to)
{
    CHECK(range->begin >= BEGIN && range->begin % UNIT == 0 && range->end % UNIT == 0 && range->begin < range->end);
    for (uint64_t i = (range->begin - BEGIN) / UNIT; i < (range->end - BEGIN) / UNIT; ++i) {
        CHECK(i < UNITS && used[i] == from);
        used[i] = to;
    }
}

int main(void)
{
    static struct vulkan_ranges ranges; /* zeroed */
    struct vulkan_range *parts[PARTS] = {NULL};
    unsigned refused = 0, taken = 0;
    srand(3);
    CHECK(vulkan_ranges_init(&ranges, BEGIN, BEGIN + UNITS * UNIT));
    for (int step = 0; step < 40000; ++step) {
        unsigned k = (unsigned)rand() % PARTS;
        if (parts[k]) {
            mark(parts[k], 1, 0);
            vulkan_ranges_give(&ranges, parts[k]);
            parts[k] = NULL;
            continue;
        }
        unsigned units = 1 + (unsigned)rand() % (rand() % 4 ? 20 : 200);
        parts[k] = vulkan_ranges_take(&ranges, units * UNIT);
        if (!parts[k]) {
            CHECK(longest_free() < units);
            ++refused;
            continue;
        }
        ++taken;
        CHECK(parts[k]->end - parts[k]->begin == units * UNIT);
        mark(parts[k], 0, 1);
    }
    CHECK(refused > 10 && taken > 10000); /* else it was too easy */
    for (unsigned k = 0; k < PARTS; ++k)
        if (parts[k]) {
            mark(parts[k], 1, 0);
            vulkan_ranges_give(&ranges, parts[k]);
        }
    /* Whole again: one part, of which all can be had. */
    CHECK(ranges.first->begin == BEGIN && ranges.first->end == BEGIN + UNITS * UNIT && !ranges.first->after);
    struct vulkan_range *all = vulkan_ranges_take(&ranges, UNITS * UNIT);
    CHECK(all && !vulkan_ranges_take(&ranges, UNIT));
    vulkan_ranges_give(&ranges, all);
    vulkan_ranges_finish(&ranges);

    /* Nothing to give, and the largest there can be. */
    CHECK(vulkan_ranges_init(&ranges, 100, 100));
    CHECK(!vulkan_ranges_take(&ranges, UNIT));
    vulkan_ranges_finish(&ranges);
    CHECK(vulkan_ranges_init(&ranges, 0, UINT64_MAX));
    CHECK((all = vulkan_ranges_take(&ranges, UINT64_MAX)) && all->begin == 0 && all->end == UINT64_MAX);
    vulkan_ranges_give(&ranges, all);
    CHECK((all = vulkan_ranges_take(&ranges, UINT64_C(1) << 63)) && vulkan_ranges_take(&ranges, UINT64_C(1) << 62));
    vulkan_ranges_finish(&ranges);
    return 0;
}
