/* ampc/cpu.h - what kernels on the CPU accelerator are made of.
 *
 * Emitted C holds each kernel as a plain function (struct ampc_kernel's `cpu`) that runs a range of
 * its work items, or of its tiles. Views there are the host's structs, and name the host's memory. */
#ifndef AMPC_CPU_H
#define AMPC_CPU_H

#include <ampc/kernel.h>
#include <ampc/types.h>
#include <ampc/view.h>

/* Where a * b + c may be rounded once, whatever the command line and pragmas before it say. Clang:
 * within an expression between AMPC_KERNEL_BEGIN and AMPC_KERNEL_END; wherever it comes about between
 * AMPC_CONTRACT_FAST and AMPC_CONTRACT_END; nowhere between AMPC_CONTRACT_OFF and AMPC_CONTRACT_END.
 * gcc inlines only what has its caller's options, so it has one rule for a file's kernels: wherever it
 * comes about (AMPC_KERNEL_BEGIN_FAST), or nowhere. Without instructions for it there is nothing to
 * say to gcc. */
#ifdef __clang__
#define AMPC_CONTRACT_FAST                                                                         \
    _Pragma("float_control(push)") _Pragma("clang fp contract(fast)")
#define AMPC_CONTRACT_ON _Pragma("float_control(push)") _Pragma("STDC FP_CONTRACT ON")
#define AMPC_CONTRACT_OFF _Pragma("float_control(push)") _Pragma("STDC FP_CONTRACT OFF")
#define AMPC_CONTRACT_END _Pragma("float_control(pop)")
#else
#define AMPC_CONTRACT_FAST
#define AMPC_CONTRACT_OFF
#define AMPC_CONTRACT_END
#if defined __FP_FAST_FMA || defined __FP_FAST_FMAF
#define AMPC_RULE_FAST _Pragma("GCC push_options") _Pragma("GCC optimize(\"fp-contract=fast\")")
#define AMPC_RULE_OFF _Pragma("GCC push_options") _Pragma("GCC optimize(\"fp-contract=off\")")
#define AMPC_RULE_END _Pragma("GCC pop_options")
#else
#define AMPC_RULE_FAST
#define AMPC_RULE_OFF
#define AMPC_RULE_END
#endif
#endif

/* Before loops: AMPC_WORK_ITEMS over a tile's work items, AMPC_INDEPENDENT over work items of which
 * none reads or writes what another one writes. */

/* Around kernels: what is worth a warning was said when ampcc read the source. */
#ifdef __clang__
#define AMPC_KERNEL_BEGIN                                                                          \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Weverything\"")          \
        AMPC_CONTRACT_ON
#define AMPC_KERNEL_BEGIN_FAST AMPC_KERNEL_BEGIN
#define AMPC_KERNEL_END AMPC_CONTRACT_END _Pragma("clang diagnostic pop")
#define AMPC_WORK_ITEMS
#define AMPC_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define AMPC_PRAGMA(...) _Pragma(#__VA_ARGS__)
#define AMPC_QUIET(warning) AMPC_PRAGMA(GCC diagnostic ignored warning)
#define AMPC_KERNELS                                                                               \
    _Pragma("GCC diagnostic push") AMPC_QUIET("-Wunused-variable")                                 \
        AMPC_QUIET("-Wunused-but-set-variable") AMPC_QUIET("-Wunused-parameter")                   \
        AMPC_QUIET("-Wunused-function") AMPC_QUIET("-Wunused-value")                               \
        AMPC_QUIET("-Wunused-label") AMPC_QUIET("-Wuninitialized")                                 \
        AMPC_QUIET("-Wmaybe-uninitialized") AMPC_QUIET("-Wimplicit-fallthrough")                   \
        AMPC_QUIET("-Wtype-limits") AMPC_QUIET("-Wtautological-compare")                           \
        AMPC_QUIET("-Wparentheses") AMPC_QUIET("-Wbool-compare") AMPC_QUIET("-Wbool-operation")    \
        AMPC_QUIET("-Wint-in-bool-context") AMPC_QUIET("-Wdiv-by-zero")                            \
        AMPC_QUIET("-Wshift-count-overflow") AMPC_QUIET("-Wshift-negative-value")                  \
        AMPC_QUIET("-Woverflow") AMPC_QUIET("-Wconversion") AMPC_QUIET("-Wsign-conversion")        \
        AMPC_QUIET("-Wfloat-conversion") AMPC_QUIET("-Wdouble-promotion")                          \
        AMPC_QUIET("-Wfloat-equal") AMPC_QUIET("-Wshadow") AMPC_QUIET("-Wcast-qual")               \
        AMPC_QUIET("-Wcast-align") AMPC_QUIET("-Wpadded") AMPC_QUIET("-Wpedantic")                 \
        AMPC_QUIET("-Wdeclaration-after-statement") AMPC_QUIET("-Wmissing-braces")                 \
        AMPC_QUIET("-Wmissing-field-initializers") AMPC_QUIET("-Warray-bounds")                    \
        AMPC_QUIET("-Wstrict-overflow") AMPC_QUIET("-Wduplicated-branches")                        \
        AMPC_QUIET("-Wduplicated-cond") AMPC_QUIET("-Wlogical-op")
#define AMPC_KERNEL_BEGIN AMPC_KERNELS AMPC_RULE_OFF
#define AMPC_KERNEL_BEGIN_FAST AMPC_KERNELS AMPC_RULE_FAST
#define AMPC_KERNEL_END AMPC_RULE_END _Pragma("GCC diagnostic pop")
/* gcc unrolls short loops before it looks whether they could be vectors, and then they cannot. */
#define AMPC_WORK_ITEMS _Pragma("GCC unroll 1")
#define AMPC_INDEPENDENT _Pragma("GCC ivdep")
#endif

/* What a pointer in a kernel points to: any object's bytes, at any address (a member of a packed
 * struct, say). */
#define AMPC_ALIAS(T, name) typedef T ampc_alias_##name __attribute__((__may_alias__, aligned(1)));
AMPC_ALIAS(_Bool, bool)
AMPC_ALIAS(signed char, signed_char)
AMPC_ALIAS(unsigned char, unsigned_char)
AMPC_ALIAS(short, short)
AMPC_ALIAS(unsigned short, unsigned_short)
AMPC_ALIAS(int, int)
AMPC_ALIAS(unsigned, unsigned)
AMPC_ALIAS(int64_t, int64_t)
AMPC_ALIAS(uint64_t, uint64_t)
AMPC_ALIAS(float, float)
AMPC_ALIAS(double, double)
#define AMPC_ALIAS_VECTORS(T)                                                                      \
    AMPC_ALIAS(T##_2, T##_2) AMPC_ALIAS(T##_3, T##_3) AMPC_ALIAS(T##_4, T##_4)
AMPC_ALIAS_VECTORS(int)
AMPC_ALIAS_VECTORS(uint)
AMPC_ALIAS_VECTORS(float)
AMPC_ALIAS_VECTORS(double)
#undef AMPC_ALIAS_VECTORS
#undef AMPC_ALIAS

/* ---- elements of views ---------------------------------------------------- */
/* AMPC_AT_2(T, v, i, j) is the element, an lvalue; the last dimension is dense. Macros that name v
 * several times: inline functions take compilers longer, and would be where debuggers stop. */
#define AMPC_AT_1(T, v, ...) AMPC_ELEMENT(T, AMPC_ADDRESS_1(v, sizeof(T), __VA_ARGS__))
#define AMPC_AT_2(T, v, ...) AMPC_ELEMENT(T, AMPC_ADDRESS_2(v, sizeof(T), __VA_ARGS__))
#define AMPC_AT_3(T, v, ...) AMPC_ELEMENT(T, AMPC_ADDRESS_3(v, sizeof(T), __VA_ARGS__))
#define AMPC_AT_4(T, v, ...) AMPC_ELEMENT(T, AMPC_ADDRESS_4(v, sizeof(T), __VA_ARGS__))
#define AMPC_ELEMENT(T, address) (*(__typeof__(T) __attribute__((__may_alias__)) *)(address))
#define AMPC_ADDRESS_1(v, size, i0) ((v).data + (int64_t)(i0) * (int64_t)(size))
#define AMPC_ADDRESS_2(v, size, i0, i1)                                                            \
    (AMPC_ADDRESS_1(v, size, i1) + (int64_t)(i0) * (v).stride[0])
#define AMPC_ADDRESS_3(v, size, i0, i1, i2)                                                        \
    (AMPC_ADDRESS_2(v, size, i0, i2) + (int64_t)(i1) * (v).stride[1])
#define AMPC_ADDRESS_4(v, size, i0, i1, i2, i3)                                                    \
    (AMPC_ADDRESS_3(v, size, i0, i1, i3) + (int64_t)(i2) * (v).stride[2])
/* The same for a view that has to be computed; `at` is AMPC_AT_N. */
#define AMPC_AT_OF(at, N, T, v, ...)                                                               \
    (*__extension__({                                                                              \
        const struct ampc_view_##N ampc_viewed = (v);                                              \
        &at(T, ampc_viewed, __VA_ARGS__);                                                          \
    }))

/* ---- parts of views ------------------------------------------------------- */
/* The part from `origin` on that is `extent` long; `extent` NULL: all that is left. */
#define AMPC_DEFINE_PART(N)                                                                        \
    AMPC_INLINE struct ampc_view_##N ampc_part_##N(                                                \
        struct ampc_view_##N v, int64_t size, const int64_t *origin, const int64_t *extent)        \
    {                                                                                              \
        for (int k = 0; k < N; ++k) {                                                              \
            v.data += origin[k] * (k < N - 1 ? v.stride[k] : size);                                \
            v.extent[k] = (int)(extent ? extent[k] : v.extent[k] - origin[k]);                     \
        }                                                                                          \
        return v;                                                                                  \
    }
AMPC_EACH_RANK(AMPC_DEFINE_PART)
#undef AMPC_DEFINE_PART

/* A rank-1 view's memory as elements of another size. */
AMPC_INLINE struct ampc_view_1 ampc_retyped(struct ampc_view_1 v, int64_t from, int64_t to)
{
    v.extent[0] = (int)(v.extent[0] * from / to);
    v.stride[0] = to;
    return v;
}

/* A rank-1 view's elements as a dense view of other lengths. */
#define AMPC_DEFINE_SHAPED(N)                                                                      \
    AMPC_INLINE struct ampc_view_##N ampc_shaped_##N(struct ampc_view_1 v, int64_t size,           \
                                                     const int64_t *extent)                        \
    {                                                                                              \
        struct ampc_view_##N shaped = {v.data, v.source, v.key, {0}, {0}};                         \
        for (int k = N - 1; k >= 0; --k) {                                                         \
            shaped.stride[k] = size;                                                               \
            shaped.extent[k] = (int)extent[k];                                                     \
            size *= extent[k];                                                                     \
        }                                                                                          \
        return shaped;                                                                             \
    }
AMPC_EACH_RANK(AMPC_DEFINE_SHAPED)
#undef AMPC_DEFINE_SHAPED

/* ---- loops over work items ------------------------------------------------ */
/* The end of the piece from `from` on, of a loop to `to` that is cut at `at`. */
AMPC_INLINE int ampc_cut(int from, int to, int64_t at)
{
    return at > from && at < to ? (int)at : to;
}

/* ---- work items of untiled kernels ---------------------------------------- */
/* Consecutive work items, cut where the last dimension begins anew. */
struct ampc_row {
    int index[4];      /* of the first one */
    int end;           /* of the last dimension */
    uint64_t at, stop; /* the numbers of the row's first work item, and of the range's end */
};

AMPC_INLINE struct ampc_row ampc_first_row(const struct ampc_domain *domain, int rank,
                                           uint64_t begin, uint64_t stop)
{
    struct ampc_row row = {{0}, 0, begin, stop};
    uint64_t number = begin;
    for (int k = rank - 1; k > 0; --k) {
        row.index[k] = (int)(number % (uint64_t)domain->extent[k]);
        number /= (uint64_t)domain->extent[k];
    }
    row.index[0] = (int)number;
    uint64_t left = stop - begin, whole = (uint64_t)(domain->extent[rank - 1] - row.index[rank - 1]);
    row.end = row.index[rank - 1] + (int)(left < whole ? left : whole);
    return row;
}

/* False when there is none. */
AMPC_INLINE _Bool ampc_next_row(struct ampc_row *row, const struct ampc_domain *domain, int rank)
{
    row->at += (uint64_t)(row->end - row->index[rank - 1]);
    if (row->at >= row->stop)
        return 0;
    int k = rank - 1;
    row->index[k] = 0;
    while (--k >= 0 && ++row->index[k] == domain->extent[k] && k > 0)
        row->index[k] = 0;
    uint64_t left = row->stop - row->at, whole = (uint64_t)domain->extent[rank - 1];
    row->end = (int)(left < whole ? left : whole);
    return 1;
}

#endif
