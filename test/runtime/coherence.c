/* Where data is current: host reads and writes, sections, overlapping opens, discard, refresh, close, const views.
 * REQUIRES: vulkan
 * RUN: %kernels
 * RUN: %build -o %t && %run %t
 * RUN: env AMPC_VULKAN_STAGING=1 %run %t
 * RUN: env AMPC_VULKAN_STAGING=2 %run %t
 */
#include "check.h"
#include "kernels.h"

#include <sys/mman.h>

enum { N = 64 };

static void set(float *p, float value)
{
    for (int i = 0; i < N; ++i)
        p[i] = value;
}

/* A kernel writes a part; the rest of the host's bytes stay, also those written meanwhile through the view. */
static void partial_write(void)
{
    float p[N];
    set(p, -1);
    array_view(float, 1) v = array_view_of(p, N);
    AMPC_OWN(v);
    fill_row(array_view_section(v, 10, 5), 100);
    *AMPC_WRITE(float, v, 20) = 7;
    fill_row(array_view_section(v, 30, 2), 200);
    array_view_synchronize(v);
    for (int i = 0; i < N; ++i)
        CHECK(p[i] == (i >= 10 && i < 15   ? (float)(90 + i)
                       : i >= 30 && i < 32 ? (float)(170 + i)
                       : i == 20           ? 7
                                           : -1));
}

/* Host writes between launches reach the accelerator; host reads do not disturb. */
static void host_between_kernels(void)
{
    float p[N], one[N];
    set(p, 1);
    set(one, 1);
    array_view(float, 1) v = array_view_of(p, N);
    AMPC_OWN(v);
    array_view(const float, 1) ones = array_view_of(one, N);
    AMPC_OWN(ones);
    for (int round = 0; round < 5; ++round) {
        axpy(v, ones, v, 1);
        CHECK(*AMPC_READ(float, v, 3) == (float)(2 + 11 * round));
        *AMPC_WRITE(float, v, 3) += 10;
    }
    CHECK(*AMPC_READ(float, v, 3) == 1 + 5 * 11 && *AMPC_READ(float, v, 4) == 6);
}

/* Views opened over the same or overlapping memory alias; a larger one opened later takes in the smaller. */
static void overlap(void)
{
    float p[N];
    set(p, -1);
    array_view(float, 1) low = array_view_of(p + 8, 8);
    AMPC_OWN(low);
    array_view(float, 1) high = array_view_of(p + 32, 8);
    AMPC_OWN(high);
    fill_row(low, 100);
    fill_row(high, 200);
    array_view(float, 1) all = array_view_of(p, N);
    AMPC_OWN(all); /* results of both are pending */
    CHECK(*AMPC_READ(float, all, 9) == 101 && *AMPC_READ(float, all, 33) == 201 &&
          *AMPC_READ(float, all, 0) == -1);
    *AMPC_WRITE(float, all, 10) = 5;
    CHECK(*AMPC_READ(float, low, 2) == 5);
    fill_row(all, 0);
    CHECK(*AMPC_READ(float, low, 0) == 8 && *AMPC_READ(float, high, 7) == 39);
    fill_row(low, 1000);
    CHECK(*AMPC_READ(float, all, 15) == 1007 && *AMPC_READ(float, all, 16) == 16);
    array_view(float, 1) same = array_view_of(p + 8, 8);
    AMPC_OWN(same);
    fill_row(same, 50);
    array_view_close(same); /* one of two over the same memory */
    CHECK(p[8] == 50 && *AMPC_READ(float, low, 1) == 51);
    /* Partly over, from the left. */
    array_view(float, 1) left = array_view_of(p + 4, 8);
    AMPC_OWN(left);
    fill_row(left, 300);
    CHECK(*AMPC_READ(float, low, 3) == 307 && *AMPC_READ(float, low, 4) == 54);
}

/* Opening shows what the program wrote through its own pointer since. */
static void reopen(void)
{
    float p[N], out[N];
    set(p, 1);
    array_view(float, 1) o = array_view_of(out, N);
    AMPC_OWN(o);
    array_view(const float, 1) first = array_view_of(p, N);
    AMPC_OWN(first);
    axpy(first, first, o, 1);
    CHECK(*AMPC_READ(float, o, 0) == 2);
    set(p, 4);
    array_view(const float, 1) second = array_view_of(p, N);
    AMPC_OWN(second);
    axpy(second, second, o, 1);
    CHECK(*AMPC_READ(float, o, 0) == 8);
}

static void refresh(void)
{
    float p[N], out[N];
    set(p, 1);
    array_view(float, 1) v = array_view_of(p, N);
    AMPC_OWN(v);
    array_view(float, 1) o = array_view_of(out, N);
    AMPC_OWN(o);
    axpy(v, v, o, 1);
    set(p, 3);
    array_view_refresh(v);
    axpy(v, v, o, 1);
    CHECK(*AMPC_READ(float, o, N - 1) == 6);
    /* A part of the host's memory counts, results pending in the other part stay. */
    float m[4][4] = {{0}};
    array_view(float, 2) w = array_view_of(&m[0][0], 4, 4);
    AMPC_OWN(w);
    fill(w, 1000);
    m[1][1] = m[1][2] = m[2][1] = m[2][2] = -5;
    m[0][0] = -6; /* not refreshed: the kernel's result counts */
    array_view_refresh(array_view_section(w, make_index(1, 1), make_extent(2, 2)));
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            CHECK(*AMPC_READ(float, w, i, j) ==
                  (i % 3 && j % 3 ? -5 : (float)(1000 + 100 * i + j)));
}

static void discard(void)
{
    float p[N];
    set(p, -1);
    {
        array_view(float, 1) v = array_view_of(p, N);
        AMPC_OWN(v);
        fill_row(v, 5);
        array_view_discard_data(v);
    }
    CHECK(p[0] == -1 && p[N - 1] == -1); /* nothing was written back */
    {
        array_view(float, 1) v = array_view_of(p, N);
        AMPC_OWN(v);
        fill_row(v, 5);
        array_view_discard_data(array_view_section(v, 0, 8));
    }
    CHECK(p[0] == -1 && p[7] == -1 && p[8] == 13 && p[N - 1] == N + 4);
    /* The hint is not taken for rows with gaps: what lies between them is kept. */
    float m[4][4] = {{0}};
    array_view(float, 2) w = array_view_of(&m[0][0], 4, 4);
    AMPC_OWN(w);
    fill(w, 1);
    array_view_discard_data(array_view_section(w, make_index(1, 1), make_extent(2, 2)));
    CHECK(*AMPC_READ(float, w, 1, 3) == 104 && *AMPC_READ(float, w, 3, 3) == 304);
}

/* Closing with nothing pending never touches host memory: it may be gone. */
static void freed_memory(void)
{
    size_t size = 4096;
    float *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED);
    {
        array_view(float, 1) v = array_view_of(p, N);
        AMPC_OWN(v);
        fill_row(v, 2);
        array_view_synchronize(v);
        CHECK(p[1] == 3);
        munmap(p, size);
    }
    p = malloc(N * sizeof *p);
    array_view(float, 1) open = array_view_of(p, N); /* closed by hand, twice */
    fill_row(open, 2);
    array_view_close(open);
    CHECK(p[N - 1] == N + 1);
    array_view_close(open);
    free(p);
}

/* A view of const data never writes to it. */
static void read_only_memory(void)
{
    size_t size = 4096;
    float *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), out[N];
    CHECK(p != MAP_FAILED);
    set(p, 2);
    CHECK(!mprotect(p, size, PROT_READ));
    array_view(const float, 1) v = array_view_of((const float *)p, N);
    AMPC_OWN(v);
    array_view(float, 1) o = array_view_of(out, N);
    AMPC_OWN(o);
    axpy(v, v, o, 2);
    CHECK(*AMPC_READ(float, o, 1) == 6 && *AMPC_READ(float, v, 1) == 2);
    array_view_synchronize(v);
}

/* One memory seen as another type. */
static void retyped(void)
{
    float p[N];
    array_view(float, 1) v = array_view_of(p, N);
    AMPC_OWN(v);
    fill_row(v, 1);
    array_view(int, 1) bits = array_view_reinterpret_as(int, v);
    CHECK(extent_of(bits) == N && *AMPC_READ(int, bits, 0) == 0x3f800000);
    *AMPC_WRITE(int, bits, 1) = 0x40400000;
    CHECK(*AMPC_READ(float, v, 1) == 3);
    array_view(double, 1) wide = array_view_reinterpret_as(double, array_view_section(v, 0, 7));
    CHECK(extent_of(wide) == 3);
}

int main(void)
{
    partial_write();
    host_between_kernels();
    overlap();
    reopen();
    refresh();
    discard();
    freed_memory();
    read_only_memory();
    retyped();
}
