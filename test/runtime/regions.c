/* A copy between two views as runs of bytes. Offsets computed by hand; no device.
 * RUN: %cc -std=gnu11 -g -Wall -Wextra -Werror -fsanitize=address,undefined -I %include -I %S/../../runtime %s %S/../../runtime/regions.c %S/../../runtime/shape.c %S/../../runtime/status.c -o %t
 * RUN: %t
 */
#include "regions.h"

#include "Inputs/condition.h"
#include <stdio.h>
#include <stdlib.h>

static bool is(struct ampc_region r, uint64_t from, uint64_t to, uint64_t size)
{
    return r.from == from && r.to == to && r.size == size;
}

int main(void)
{
    struct ampc_region r[16];
    /* 3 x 4 floats without gaps on both sides: one run. */
    ampc_any_view whole = {.rank = 2, .stride = {16, 4}, .extent = {3, 4}};
    CHECK(ampc_regions_count(&whole, &whole) == 1);
    ampc_regions_list(&whole, 100, &whole, 200, r);
    CHECK(is(r[0], 100, 200, 48));

    /* The same, one side a part of rows of 10. */
    ampc_any_view part = {.rank = 2, .stride = {40, 4}, .extent = {3, 4}};
    CHECK(ampc_regions_count(&part, &whole) == 3 && ampc_regions_count(&whole, &part) == 3);
    ampc_regions_list(&whole, 0, &part, 8, r);
    CHECK(is(r[0], 0, 8, 16) && is(r[1], 16, 48, 16) && is(r[2], 32, 88, 16));

    /* 2 x 2 x 5 doubles: planes with gaps, rows without. */
    ampc_any_view planes = {.rank = 3, .stride = {400, 40, 8}, .extent = {2, 2, 5}};
    ampc_any_view packed = {.rank = 3, .stride = {80, 40, 8}, .extent = {2, 2, 5}};
    CHECK(ampc_regions_count(&planes, &packed) == 2);
    ampc_regions_list(&planes, 0, &packed, 0, r);
    CHECK(is(r[0], 0, 0, 80) && is(r[1], 400, 80, 80));

    /* 2 x 2 x 1 x 3 bytes with gaps everywhere but in a dimension of length 1. */
    ampc_any_view gaps = {.rank = 4, .stride = {64, 16, 9, 1}, .extent = {2, 2, 1, 3}};
    CHECK(ampc_regions_count(&gaps, &gaps) == 4);
    ampc_regions_list(&gaps, 1, &gaps, 0, r);
    CHECK(is(r[0], 1, 0, 3) && is(r[1], 17, 16, 3) && is(r[2], 65, 64, 3) && is(r[3], 81, 80, 3));

    ampc_any_view row = {.rank = 1, .stride = {4}, .extent = {7}};
    CHECK(ampc_regions_count(&row, &row) == 1);
    ampc_regions_list(&row, 4, &row, 0, r);
    CHECK(is(r[0], 4, 0, 28));

    ampc_any_view huge = {.rank = 3,
                          .stride = {1, 1, 1},
                          .extent = {2147483647, 2147483647, 2147483647}};
    CHECK(ampc_regions_count(&huge, &huge) == UINT64_C(2147483647) * 2147483647);
    return 0;
}
