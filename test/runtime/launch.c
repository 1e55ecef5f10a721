/* Launches: arguments of every kind, one and two dimensions, tiles, argument blocks in memory, many groups. Values are
 * computed here in plain C.
 * REQUIRES: vulkan
 * RUN: %kernels
 * RUN: %build -o %t && %run %t
 * RUN: env AMPC_VULKAN_STAGING=1 %run %t
 */
#include "check.h"
#include "kernels.h"

enum { N = 1000, ROWS = 7, COLUMNS = 5 };

static void rank_1(void)
{
    float a[N], b[N], c[N];
    for (int i = 0; i < N; ++i) {
        a[i] = (float)i;
        b[i] = 0.5f * (float)i;
        c[i] = -1;
    }
    array_view(const float, 1) av = array_view_of(a, N);
    AMPC_OWN(av);
    array_view(const float, 1) bv = array_view_of(b, N);
    AMPC_OWN(bv);
    array_view(float, 1) cv = array_view_of(c, N);
    AMPC_OWN(cv);
    array_view_discard_data(cv);
    axpy(av, bv, cv, 3);
    for (int i = 0; i < N; ++i)
        CHECK(*AMPC_READ(float, cv, i) == 3.5f * (float)i);
    /* The result of one launch feeds the next. */
    axpy(cv, bv, cv, 2);
    axpy(cv, bv, cv, 1);
    array_view_synchronize(cv);
    for (int i = 0; i < N; ++i)
        CHECK(c[i] == 8 * (float)i);
}

static void rank_2_section(void)
{
    float v[ROWS][COLUMNS];
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLUMNS; ++j)
            v[i][j] = -1;
    array_view(float, 2) all = array_view_of(&v[0][0], ROWS, COLUMNS);
    AMPC_OWN(all);
    fill(array_view_section(all, make_index(2, 1), make_extent(3, 2)), 10);
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLUMNS; ++j) {
            int inside = i >= 2 && i < 5 && j >= 1 && j < 3;
            CHECK(*AMPC_READ(float, all, i, j) ==
                  (inside ? (float)(10 + 100 * (i - 2) + (j - 1)) : -1));
        }
}

static void tiles(void)
{
    float v[4][8];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 8; ++j)
            v[i][j] = (float)(i / 2 * 2 + j / 4);
    array_view(float, 2) all = array_view_of(&v[0][0], 4, 8);
    AMPC_OWN(all);
    ampc_launch(&tiles_kernel, NULL, ampc_domain_tiled_2(tile(extent_of(all), 2, 4)),
                &(const struct tiles){all});
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 8; ++j)
            CHECK(*AMPC_READ(float, all, i, j) == (float)(2 * (i / 2 * 2 + j / 4)));
}

static void argument_block(void)
{
    float captured[40], out[100];
    for (int round = 0; round < 100; ++round) {
        float sum = 0;
        for (int i = 0; i < 40; ++i)
            sum += captured[i] = (float)(i + round);
        array_view(float, 1) v = array_view_of(out, 100);
        AMPC_OWN(v);
        indirect(v, captured);
        CHECK(*AMPC_READ(float, v, 99) == sum + 99);
    }
}

/* More groups than one dimension of the grid of most devices: 65535 * 256 < 5000 * 4000. */
static void many_groups(void)
{
    array_view(float, 2) v = array_view_new(float, 5000, 4000);
    AMPC_OWN(v);
    fill(v, 1);
    CHECK(*AMPC_READ(float, v, 0, 0) == 1);
    CHECK(*AMPC_READ(float, v, 4999, 3999) == 1 + 499900 + 3999);
    CHECK(*AMPC_READ(float, v, 4321, 1234) == 1 + 432100 + 1234);
}

int main(void)
{
    rank_1();
    rank_2_section();
    tiles();
    argument_block();
    many_groups();
}
