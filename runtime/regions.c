/* regions.c - see regions.h. */
#include "regions.h"

/* The bytes of a run, and in *out_outer how many leading dimensions number the runs: a dimension
 * joins the run while rows of both views follow one another. */
static uint64_t run_of(const ampc_any_view *from, const ampc_any_view *to, int *out_outer)
{
    int outer = from->rank - 1;
    uint64_t bytes = ampc_view_element_size(from) * (uint64_t)from->extent[outer];
    while (outer && (from->extent[outer - 1] == 1 || ((uint64_t)from->stride[outer - 1] == bytes &&
                                                      (uint64_t)to->stride[outer - 1] == bytes)))
        bytes *= (uint64_t)from->extent[--outer];
    *out_outer = outer;
    return bytes;
}

uint64_t ampc_regions_count(const ampc_any_view *from, const ampc_any_view *to)
{
    int outer;
    uint64_t count = 1;
    run_of(from, to, &outer);
    for (int k = 0; k < outer; ++k)
        if (__builtin_mul_overflow(count, (uint64_t)from->extent[k], &count))
            return UINT64_MAX;
    return count;
}

void ampc_regions_list(const ampc_any_view *from, uint64_t from_offset, const ampc_any_view *to,
                       uint64_t to_offset, struct ampc_region *out)
{
    int outer, at[4] = {0};
    uint64_t bytes = run_of(from, to, &outer);
    for (;;) {
        struct ampc_region region = {from_offset, to_offset, bytes};
        for (int k = 0; k < outer; ++k) {
            region.from += (uint64_t)(at[k] * from->stride[k]);
            region.to += (uint64_t)(at[k] * to->stride[k]);
        }
        *out++ = region;
        int k = outer - 1;
        while (k >= 0 && ++at[k] == from->extent[k])
            at[k--] = 0;
        if (k < 0)
            return;
    }
}
