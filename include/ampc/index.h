/* ampc/index.h - index, extent and tiled_extent on the host (C++ AMP chapter 4). Pure functions of
 * their arguments. */
#ifndef AMPC_INDEX_H
#define AMPC_INDEX_H

#include <ampc/types.h>

/* make_index(i, j), make_extent(m, n): 1 to 4 components, dimension 0 (the slowest) first. */
#define make_index(...) AMPC_CAT(make_index_, AMPC_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define make_extent(...) AMPC_CAT(make_index_, AMPC_COUNT(__VA_ARGS__))(__VA_ARGS__)
AMPC_INLINE index_1 make_index_1(int a) { return a; }
AMPC_INLINE index_2 make_index_2(int a, int b) { return (index_2){a, b}; }
AMPC_INLINE index_3 make_index_3(int a, int b, int c) { return (index_3){a, b, c}; }
AMPC_INLINE index_4 make_index_4(int a, int b, int c, int d) { return (index_4){a, b, c, d}; }
#define make_extent_1 make_index_1
#define make_extent_2 make_index_2
#define make_extent_3 make_index_3
#define make_extent_4 make_index_4

/* The number of elements, modulo 2^32 as in C++ AMP. */
AMPC_INLINE unsigned extent_size_1(extent_1 e) { return (unsigned)e; }
AMPC_INLINE unsigned extent_size_2(extent_2 e) { return (unsigned)e[0] * (unsigned)e[1]; }
AMPC_INLINE unsigned extent_size_3(extent_3 e)
{
    return extent_size_2((extent_2){e[0], e[1]}) * (unsigned)e[2];
}
AMPC_INLINE unsigned extent_size_4(extent_4 e)
{
    return extent_size_2((extent_2){e[0], e[1]}) * extent_size_2((extent_2){e[2], e[3]});
}

AMPC_INLINE _Bool index_equal_1(index_1 a, index_1 b) { return a == b; }
AMPC_INLINE _Bool index_equal_2(index_2 a, index_2 b) { return a[0] == b[0] && a[1] == b[1]; }
AMPC_INLINE _Bool index_equal_3(index_3 a, index_3 b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}
AMPC_INLINE _Bool index_equal_4(index_4 a, index_4 b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

AMPC_INLINE _Bool extent_contains_1(extent_1 e, index_1 i) { return i >= 0 && i < e; }
AMPC_INLINE _Bool extent_contains_2(extent_2 e, index_2 i)
{
    return extent_contains_1(e[0], i[0]) && extent_contains_1(e[1], i[1]);
}
AMPC_INLINE _Bool extent_contains_3(extent_3 e, index_3 i)
{
    return extent_contains_1(e[0], i[0]) && extent_contains_1(e[1], i[1]) &&
           extent_contains_1(e[2], i[2]);
}
AMPC_INLINE _Bool extent_contains_4(extent_4 e, index_4 i)
{
    return extent_contains_1(e[0], i[0]) && extent_contains_1(e[1], i[1]) &&
           extent_contains_1(e[2], i[2]) && extent_contains_1(e[3], i[3]);
}

/* extent_tile(e, d0[, d1[, d2]]), for short tile(e, ...). */
#define extent_tile(...) AMPC_CAT(ampc_extent_tile_, AMPC_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define tile(...) extent_tile(__VA_ARGS__)
#define ampc_extent_tile_2 extent_tile_1
#define ampc_extent_tile_3 extent_tile_2
#define ampc_extent_tile_4 extent_tile_3
AMPC_INLINE tiled_extent_1 extent_tile_1(extent_1 e, int a) { return (tiled_extent_1){e, a}; }
AMPC_INLINE tiled_extent_2 extent_tile_2(extent_2 e, int a, int b)
{
    return (tiled_extent_2){e, (extent_2){a, b}};
}
AMPC_INLINE tiled_extent_3 extent_tile_3(extent_3 e, int a, int b, int c)
{
    return (tiled_extent_3){e, (extent_3){a, b, c}};
}

/* The next larger (smaller) extent that the tile divides. A tile below 1 leaves the extent as it
 * is: the launch reports it. */
#define tiled_extent_pad(t)                                                                        \
    _Generic((t),                                                                                  \
        tiled_extent_1: tiled_extent_pad_1,                                                        \
        tiled_extent_2: tiled_extent_pad_2,                                                        \
        tiled_extent_3: tiled_extent_pad_3)(t)
#define tiled_extent_truncate(t)                                                                   \
    _Generic((t),                                                                                  \
        tiled_extent_1: tiled_extent_truncate_1,                                                   \
        tiled_extent_2: tiled_extent_truncate_2,                                                   \
        tiled_extent_3: tiled_extent_truncate_3)(t)
AMPC_INLINE int ampc_pad(int e, int t)
{
    return t > 0 && e % t ? (int)((unsigned)e + (unsigned)(t - e % t)) : e;
}
AMPC_INLINE int ampc_truncate(int e, int t) { return t > 0 ? e - e % t : e; }
AMPC_INLINE tiled_extent_1 tiled_extent_pad_1(tiled_extent_1 t)
{
    return (tiled_extent_1){ampc_pad(t.extent, t.tile), t.tile};
}
AMPC_INLINE tiled_extent_1 tiled_extent_truncate_1(tiled_extent_1 t)
{
    return (tiled_extent_1){ampc_truncate(t.extent, t.tile), t.tile};
}
#define AMPC_DEFINE_FIT(N, dimensions)                                                             \
    AMPC_INLINE tiled_extent_##N tiled_extent_pad_##N(tiled_extent_##N t)                          \
    {                                                                                              \
        for (int k = 0; k < dimensions; ++k)                                                       \
            t.extent[k] = ampc_pad(t.extent[k], t.tile[k]);                                        \
        return t;                                                                                  \
    }                                                                                              \
    AMPC_INLINE tiled_extent_##N tiled_extent_truncate_##N(tiled_extent_##N t)                     \
    {                                                                                              \
        for (int k = 0; k < dimensions; ++k)                                                       \
            t.extent[k] = ampc_truncate(t.extent[k], t.tile[k]);                                   \
        return t;                                                                                  \
    }
AMPC_DEFINE_FIT(2, 2)
AMPC_DEFINE_FIT(3, 3)
#undef AMPC_DEFINE_FIT

#endif
