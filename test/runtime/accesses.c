/* Which command last accessed a range, against a number for each byte: never an earlier one, and the right one while there are
 * few ranges. No device.
 * RUN: %cc -std=gnu11 -g -Wall -Wextra -Werror -fsanitize=address,undefined -I %S/../../runtime %s %S/../../runtime/vulkan/accesses.c -o %t
 * RUN: %t
 */
#include "vulkan/accesses.h"

#include "Inputs/condition.h"
#include <stdbool.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 64 };

static uint64_t by_bytes(const uint64_t *numbers, unsigned begin, unsigned end)
{
    uint64_t last = 0;
    for (unsigned i = begin; i < end; ++i)
        if (numbers[i] > last)
            last = numbers[i];
    return last;
}

int main(void)
{
    srand(7);
    unsigned later = 0;
    for (int round = 0; round < 300; ++round) {
        struct vulkan_accesses accesses = {0};
        uint64_t numbers[SIZE] = {0};
        bool few = round % 2; /* at most as many ranges as are remembered */
        for (uint64_t number = 1; number < 60; ++number) {
            unsigned begin, end;
            if (few) {
                begin = (unsigned)rand() % VULKAN_ACCESSES * 8 + 1;
                end = begin + 5;
            } else {
                begin = (unsigned)rand() % SIZE;
                end = begin + (unsigned)rand() % (SIZE - begin + 1);
            }
            vulkan_access_note(&accesses, begin, end, number);
            for (unsigned i = begin; i < end; ++i)
                numbers[i] = number;
            for (unsigned b = 0; b < SIZE; ++b)
                for (unsigned e = b; e <= SIZE; ++e) {
                    uint64_t want = by_bytes(numbers, b, e), got = vulkan_access_last(&accesses, b, e);
                    CHECK(got >= want && got <= number);
                    CHECK(!few || got == want);
                    later += got > want;
                }
        }
    }
    CHECK(later); /* else the test has not seen ranges taken for one */
    struct vulkan_accesses apart = {0};
    for (unsigned i = 0; i < 9; ++i)
        vulkan_access_note(&apart, 100 * i * i, 100 * i * i + 10, i + 1);
    CHECK(apart.count == 8);
    CHECK(vulkan_access_last(&apart, 50, 60) == 2);  /* the first two have been joined, with what is between them */
    CHECK(!vulkan_access_last(&apart, 200, 400));
    CHECK(vulkan_access_last(&apart, 405, 406) == 3);
    return 0;
}
