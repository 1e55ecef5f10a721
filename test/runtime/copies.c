/* Copies: on the accelerator where the source is there, whole and in rows; between it and host memory without a detour;
 * aliases and overlaps.
 * REQUIRES: vulkan
 * RUN: %kernels
 * RUN: %build -o %t && %run %t
 * RUN: env AMPC_VULKAN_STAGING=1 %run %t
 * RUN: env AMPC_LOG=1 %t 2>&1 | %FileCheck %s
 * CHECK: array to array
 * CHECK-NOT: bytes from
 * CHECK: copy on vulkan:0, 1 regions from 48 bytes on
 * CHECK: copy 48 bytes from
 * CHECK: rows
 * CHECK-NOT: bytes from
 * CHECK: copy on vulkan:0, 3 regions from 8 bytes on
 */
#include "check.h"
#include "kernels.h"

enum { N = 12 };

static void array_to_array(void)
{
    float out[N];
    array(float, 1) a = array_new(float, N), b = array_new(float, N), c = array_new(float, N);
    fill_row(array_view_from_array(a), 3);
    fprintf(stderr, "array to array\n");
    amp_copy(a, b);
    fill_row(array_view_from_array(a), 1000); /* after the copy */
    axpy(b, b, c, 1);
    amp_copy(c, a);
    amp_copy(a, out);
    for (int i = 0; i < N; ++i)
        CHECK(out[i] == (float)(2 * (3 + i)));
    array_free(a);
    array_free(b);
    array_free(c);
}

static void rows(void)
{
    float m[4][5] = {{0}}, n[3][2];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 5; ++j)
            m[i][j] = (float)(-10 * i - j);
    array_view(float, 2) big = array_view_of(&m[0][0], 4, 5);
    AMPC_OWN(big);
    array(float, 2) a = array_new(float, 3, 2);
    fill(array_view_from_array(a), 7);
    fprintf(stderr, "rows\n");
    amp_copy(a, array_view_section(big, make_index(1, 2), make_extent(3, 2)));
    fprintf(stderr, "copied\n");
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 5; ++j)
            CHECK(*AMPC_READ(float, big, i, j) == (i >= 1 && j >= 2 && j < 4
                                                       ? (float)(7 + 100 * (i - 1) + (j - 2))
                                                       : (float)(-10 * i - j)));
    /* And a part of it back, and out to a pointer. */
    fill(big, 500);
    amp_copy(array_view_section(big, make_index(0, 3), make_extent(3, 2)), a);
    amp_copy(a, &n[0][0]);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 2; ++j)
            CHECK(n[i][j] == (float)(500 + 100 * i + j + 3));
    array_free(a);
}

/* Between parts of one memory. */
static void within(void)
{
    float p[N];
    array_view(float, 1) v = array_view_of(p, N);
    AMPC_OWN(v);
    fill_row(v, 0);
    amp_copy(array_view_section(v, 0, 4), array_view_section(v, 8, 4));
    for (int i = 0; i < N; ++i)
        CHECK(*AMPC_READ(float, v, i) == (float)(i < 8 ? i : i - 8));
    fill_row(v, 0);
    amp_copy(array_view_section(v, 0, 8), array_view_section(v, 2, 8)); /* overlapping: as memmove */
    for (int i = 0; i < N; ++i)
        CHECK(*AMPC_READ(float, v, i) == (float)(i < 2 || i >= 10 ? i : i - 2));
}

/* Between host memory and the accelerator. */
static void host(void)
{
    float p[N], q[N], r[N];
    for (int i = 0; i < N; ++i)
        p[i] = (float)i;
    array(float, 1) a = array_new(float, N);
    amp_copy(p, a);
    p[0] = 77; /* copied already */
    axpy(a, a, a, 1);
    amp_copy(p, array_view_section(array_view_from_array(a), 0, 1));
    array_view(float, 1) v = array_view_of(q, N);
    AMPC_OWN(v);
    amp_copy(a, v);
    for (int i = 0; i < N; ++i)
        CHECK(*AMPC_READ(float, v, i) == (i ? (float)(2 * i) : 77));
    *AMPC_WRITE(float, v, 1) = -1;
    amp_copy(v, a); /* from the host's bytes */
    amp_copy(a, r);
    CHECK(r[0] == 77 && r[1] == -1 && r[N - 1] == 2 * (N - 1));
    fill_row(v, 9); /* only the accelerator has it */
    amp_copy(v, r);
    CHECK(r[0] == 9 && r[N - 1] == 9 + N - 1);
    array(float, 1) s = array_new_staging(NULL, float, N);
    amp_copy(v, s);
    CHECK(*AMPC_READ(float, s, 2) == 11);
    *AMPC_WRITE(float, s, 2) = 5;
    amp_copy(s, a);
    amp_copy(a, r);
    CHECK(r[2] == 5 && r[3] == 12);
    array_free(s);
    array_free(a);
}

/* Some megabytes, not a whole number of pieces. */
static void large(void)
{
    enum { LARGE = (37 << 20) / 4 + 3 };
    float *p = malloc(LARGE * sizeof *p), *q = calloc(LARGE, sizeof *q);
    for (int i = 0; i < LARGE; ++i)
        p[i] = (float)i;
    array(float, 1) a = array_new(float, LARGE), b = array_new(float, LARGE);
    amp_copy(p, a);
    amp_copy(a, b);
    axpy(a, b, a, 1);
    amp_copy(a, q);
    for (int i = 0; i < LARGE; ++i)
        CHECK(q[i] == 2 * p[i]);
    {
        array_view(float, 1) v = array_view_of(p, LARGE);
        AMPC_OWN(v);
        axpy(v, b, v, -1);
        amp_copy(v, b);
    }
    amp_copy(b, q);
    for (int i = 0; i < LARGE; ++i)
        CHECK(p[i] == 0 && q[i] == 0);
    array_free(a);
    array_free(b);
    free(p);
    free(q);
}

int main(void)
{
    array_to_array();
    rows();
    within();
    host();
    large();
}
