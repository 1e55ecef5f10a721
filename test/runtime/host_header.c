/* <amp.h> in a plain C file, under both host compilers, optimised or not: no warning, and the same meaning.
 * REQUIRES: vulkan, gcc, clang
 * RUN: %kernels
 * RUN: %build -o %t && %t
 * RUN: %build -O0 -o %t && %t
 * RUN: %gcc -std=gnu11 -Wall -Wextra -Werror -I %include -I %S/Inputs -I %t.dir %s %library -ldl -lpthread -o %t && %t
 * RUN: %gcc -O3 -std=gnu17 -Wall -Wextra -Werror -I %include -I %S/Inputs -I %t.dir %s %library -ldl -lpthread -o %t && %t
 */
#include "check.h"
#include "kernels.h"

static int twice(int x) restrict(cpu, amp);
static int twice(int x) restrict(cpu, amp) { return 2 * x; }
void only_declared(tiled_index(4, 4) t, tile_barrier b) restrict(amp);

struct pair {
    float x;
    int y;
};
enum { tile = 16 }; /* the library's short words are function-like macros */

/* Re-typed memory at -O3: reads after writes through another type see them. */
static __attribute__((noinline)) float punned(array_view(float, 1) v, array_view(int, 1) bits,
                                              array_view(struct pair, 1) s)
{
    *AMPC_WRITE(float, v, 2) = 1;
    *AMPC_WRITE(int, bits, 2) = 0x40000000;
    AMPC_WRITE(struct pair, s, 1)->y = AMPC_READ(struct pair, s, 1)->y + 7;
    return *AMPC_READ(float, v, 2) + (float)*AMPC_READ(const int, bits, 3);
}

static void indices(void)
{
    index_2 i = make_index(1, 2);
    extent_3 e = make_extent(4, 5, 6);
    extent_4 f = make_extent(2, 3, 4, 5);
    CHECK(index_equal_2(i + i, make_index(2, 4)) && !index_equal_2(i, make_index(1, 3)));
    CHECK(extent_size_1(7) == 7 && extent_size_2(i) == 2 && extent_size_3(e) == 120 &&
          extent_size_4(f) == 120);
    CHECK(extent_contains_3(e, make_index(3, 4, 5)) && !extent_contains_3(e, make_index(3, 4, 6)));
    CHECK(!extent_contains_3(e, make_index(-1, 0, 0)) && extent_contains_4(f, f - 1));
    tiled_extent_2 t = tile(make_extent(17, 32), tile, 16);
    CHECK(tiled_extent_pad(t).extent[0] == 32 && tiled_extent_pad(t).extent[1] == 32);
    CHECK(tiled_extent_truncate(t).extent[0] == 16 && tiled_extent_truncate(t).tile[1] == 16);
    CHECK(tiled_extent_pad(extent_tile(9, 4)).extent == 12 &&
          tiled_extent_truncate(tile(9, 4)).extent == 8);
    CHECK(tiled_extent_pad(tile(e, 2, 2, 4)).extent[2] == 8);
}

static void ranks(void)
{
    float p[2 * 3 * 4 * 5];
    for (int i = 0; i < 120; ++i)
        p[i] = (float)i;
    array_view(float, 4) a = array_view_of_extent_4(p, make_extent(2, 3, 4, 5));
    AMPC_OWN(a);
    array_view(float, 3) b = ampc_project_4(a, 1);
    array_view(float, 2) c = ampc_project_3(b, 2);
    array_view(float, 1) d = ampc_project_2(c, 3);
    CHECK(*AMPC_READ(float, a, 1, 2, 3, 4) == 119 && *AMPC_READ(float, b, 2, 3, 4) == 119);
    CHECK(*AMPC_READ(float, c, 3, 4) == 119 && *AMPC_READ(float, ampc_offset(d, 4), 0) == 119);
    CHECK(*AMPC_READ_AT(float, a, make_index(0, 1, 2, 3), 4) == 33 &&
          *AMPC_READ_AT(float, d, 1, 1) == 116);
    CHECK(extent_of(a)[3] == 5 && extent_of(b)[0] == 3 && extent_of(c)[0] == 4 &&
          extent_of(d) == 5);
    array_view(float, 3) s = array_view_section(b, make_index(1, 1, 1), make_extent(2, 2, 2));
    CHECK(*AMPC_READ(float, s, 1, 1, 1) == 60 + 40 + 10 + 2 && extent_size_3(extent_of(s)) == 8);
    CHECK(extent_of(array_view_section_from(c, make_index(1, 2)))[1] == 3);
    CHECK(*AMPC_READ(float, array_view_section_to(c, make_extent(1, 1)), 0, 0) == 100);
    array_view(float, 1) flat = array_view_of(p, 120);
    AMPC_OWN(flat);
    CHECK(*AMPC_READ(float, array_view_view_as(flat, 3, 40), 2, 39) == 119);
    CHECK(((float *)array_view_data(d))[4] == 119);
}

int main(void)
{
    int *restrict plain = &(int){3};
    CHECK(twice(*plain) == 6);
    CHECK(sizeof(double_3) == 32 && _Alignof(double_4) == 16 && sizeof(float_3) == 16 &&
          sizeof(int_2) == 8);
    indices();
    ranks();
    float p[8] = {0};
    array_view(float, 1) v = array_view_of(p, 8);
    AMPC_OWN(v);
    array_view(int, 1) bits = array_view_reinterpret_as(int, v);
    array_view(struct pair, 1) s = array_view_reinterpret_as(struct pair, v);
    CHECK(punned(v, bits, s) == 2 + 7);
    int sum[5]; /* uninitialised: a view over it is no read */
    array_view(int, 1) sv = array_view_of(sum, 5);
    AMPC_OWN(sv);
    array_view_discard_data(sv);
    *AMPC_WRITE(int, sv, 4) = 1;
    CHECK(sum[4] == 1);
}
