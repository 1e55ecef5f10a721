/* ampc/types.h - the dialect's types as the host compiler sees them.
 *
 * Layouts are shared three ways: by this header (gcc or clang), by the kernels that ampcc compiles
 * and by the runtime. Vectors of three have four lanes; the last one is padding. gcc has no vector
 * of three, so there index_3 and index_4 are one type, and functions are told apart by their rank
 * in the name (extent_size_3), never by overloading. */
#ifndef AMPC_TYPES_H
#define AMPC_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* ---- plumbing ------------------------------------------------------------- */
#define AMPC_CAT_(a, b) a##b
#define AMPC_CAT(a, b) AMPC_CAT_(a, b)
#define AMPC_COUNT_(a1, a2, a3, a4, n, ...) n
#define AMPC_COUNT(...) AMPC_COUNT_(__VA_ARGS__, 4, 3, 2, 1, 0)
#define AMPC_EACH_RANK(F) F(1) F(2) F(3) F(4)
/* A library function written once for the four ranks of views and arrays: picks name_N by the type
 * of v. */
#define AMPC_BY_RANK(name, v)                                                                      \
    _Generic((v),                                                                                  \
        struct ampc_view_1: name##_1,                                                              \
        struct ampc_view_2: name##_2,                                                              \
        struct ampc_view_3: name##_3,                                                              \
        struct ampc_view_4: name##_4)
#define AMPC_INLINE static inline __attribute__((always_inline, unused))

#ifdef __GNUC__
/* On passing wide vectors by value: both sides are compiled alike. */
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

#ifdef __clang__
#define AMPC_VECTOR(T, lanes, bytes, align) __attribute__((ext_vector_type(lanes), aligned(align)))
#else
#define AMPC_VECTOR(T, lanes, bytes, align) __attribute__((vector_size(bytes), aligned(align)))
#endif

/* ---- short vectors -------------------------------------------------------- */
typedef unsigned uint;
typedef int int_2 AMPC_VECTOR(int, 2, 8, 8);
typedef int int_3 AMPC_VECTOR(int, 3, 16, 16);
typedef int int_4 AMPC_VECTOR(int, 4, 16, 16);
typedef unsigned uint_2 AMPC_VECTOR(unsigned, 2, 8, 8);
typedef unsigned uint_3 AMPC_VECTOR(unsigned, 3, 16, 16);
typedef unsigned uint_4 AMPC_VECTOR(unsigned, 4, 16, 16);
typedef float float_2 AMPC_VECTOR(float, 2, 8, 8);
typedef float float_3 AMPC_VECTOR(float, 3, 16, 16);
typedef float float_4 AMPC_VECTOR(float, 4, 16, 16);
typedef double double_2 AMPC_VECTOR(double, 2, 16, 16);
typedef double double_3 AMPC_VECTOR(double, 3, 32, 16); /* 16: what malloc promises */
typedef double double_4 AMPC_VECTOR(double, 4, 32, 16);
/* What vectors of double compare to. */
typedef long ampc_long_2 AMPC_VECTOR(long, 2, 16, 16);
typedef long ampc_long_3 AMPC_VECTOR(long, 3, 32, 16);
typedef long ampc_long_4 AMPC_VECTOR(long, 4, 32, 16);

/* ---- index, extent, tiles (C++ AMP 4.1 - 4.4) ----------------------------- */
typedef int index_1;
typedef int_2 index_2;
typedef int_3 index_3;
typedef int_4 index_4;
typedef index_1 extent_1;
typedef index_2 extent_2;
typedef index_3 extent_3;
typedef index_4 extent_4;

typedef struct {
    extent_1 extent, tile;
} tiled_extent_1;
typedef struct {
    extent_2 extent, tile;
} tiled_extent_2;
typedef struct {
    extent_3 extent, tile;
} tiled_extent_3;

/* Only kernels use these; a header that declares amp-only functions may name them. */
typedef struct {
    int opaque;
} tile_barrier;
typedef struct {
    index_1 global, local, tile, tile_origin;
    tile_barrier barrier;
} tiled_index_1;
typedef struct {
    index_2 global, local, tile, tile_origin;
    tile_barrier barrier;
} tiled_index_2;
typedef struct {
    index_3 global, local, tile, tile_origin;
    tile_barrier barrier;
} tiled_index_3;
#define tiled_index(...) AMPC_CAT(tiled_index_, AMPC_COUNT(__VA_ARGS__))

/* ---- views and arrays ----------------------------------------------------- */
/* What a view's fast path looks at; the runtime keeps the rest of its record behind it. There is
 * one source per open (array_view_of, array_view_new, an array). Sources are reused but never
 * unmapped, so looking at one is always safe. */
struct ampc_source {
    uint64_t read_key;  /* equals the key of the views iff host memory is current in the source's
                           whole range */
    uint64_t write_key; /* ... iff it is moreover the only current copy */
};

/* A view of rank N, or an array of rank N (its source knows which). `data` is the host address of
 * the first element, also while the current copy is on an accelerator; `key` tells apart the
 * sources that used one slot one after the other, and is never 0 but in the empty view. Copying the
 * struct copies the view, as in C++ AMP. */
struct ampc_view_1 {
    char *data;
    struct ampc_source *source;
    uint64_t key;
    int64_t stride[1];
    int extent[1];
};
struct ampc_view_2 {
    char *data;
    struct ampc_source *source;
    uint64_t key;
    int64_t stride[2];
    int extent[2];
};
struct ampc_view_3 {
    char *data;
    struct ampc_source *source;
    uint64_t key;
    int64_t stride[3];
    int extent[3];
};
struct ampc_view_4 {
    char *data;
    struct ampc_source *source;
    uint64_t key;
    int64_t stride[4];
    int extent[4];
};

#define array_view(T, N) struct AMPC_CAT(ampc_view_, N)
#define array(T, N) struct AMPC_CAT(ampc_view_, N)

/* The clause on a function: nothing to the host. Function-like, so that `int *restrict p` stays C.
 */
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#define restrict(...)
#ifdef __clang__
#pragma clang diagnostic pop
#endif

/* ---- errors (dialect.md section 7) ---------------------------------------- */
typedef enum {
    amp_ok,
    amp_error_runtime,
    amp_error_out_of_memory,
    amp_error_unsupported_feature,
    amp_error_invalid_compute_domain,
    amp_error_accelerator_view_removed,
} amp_error;

/* ---- handles -------------------------------------------------------------- */
typedef struct amp_accelerator *accelerator;
typedef struct amp_accelerator_view *accelerator_view;
typedef struct amp_completion_future *completion_future;
typedef enum {
    access_type_none,
    access_type_read,
    access_type_write,
    access_type_read_write,
    access_type_auto
} access_type;
typedef enum { queuing_mode_immediate, queuing_mode_automatic } queuing_mode;

#endif
