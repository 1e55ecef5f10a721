/* section.c - parts of views: section, reinterpret_as, view_as; see ampc/view.h. No function needs
 * the lock. */
#include "report.h"
#include "shape.h"
#include "source.h"

/* Reports that a part does not lie inside its view, whose length is `length`. */
static void report_outside(const char *what, int dimension, long long origin, long long extent,
                           int length)
{
    struct ampc_status status = {0};
    ampc_fail(&status, amp_error_runtime,
              "%s: in dimension %d the part from %lld, %lld long, does not lie in a view %d long",
              what, dimension, origin, extent, length);
    ampc_report(NULL, &status);
}

/* Narrows a view to a part; false after an error. */
static bool cut(int rank, char **data, const int64_t *stride, int *length, const int *origin,
                const int *extent)
{
    for (int k = 0; k < rank; ++k)
        if (origin[k] < 0 || extent[k] < 0 || origin[k] > length[k] ||
            extent[k] > length[k] - origin[k]) {
            report_outside("array_view_section", k, origin[k], extent[k], length[k]);
            return false;
        }
    for (int k = 0; k < rank; ++k) {
        *data += origin[k] * stride[k];
        length[k] = extent[k];
    }
    return true;
}

#define LANES_1(i) (i)
#define LANES_2(i) AMPC_LANES_2(i)
#define LANES_3(i) AMPC_LANES_3(i)
#define LANES_4(i) AMPC_LANES_4(i)
#define SECTION(N)                                                                                 \
    struct ampc_view_##N array_view_section_##N(struct ampc_view_##N v, index_##N origin,          \
                                                extent_##N extent) {                               \
        const int from[] = {LANES_##N(origin)}, length[] = {LANES_##N(extent)};                    \
        if (!cut(N, &v.data, v.stride, v.extent, from, length))                                    \
            return (struct ampc_view_##N){AMPC_EMPTY_VIEW};                                        \
        return v;                                                                                  \
    } struct ampc_view_##N array_view_section_from_##N(struct ampc_view_##N v, index_##N origin) { \
        return array_view_section_##N(v, origin, extent_of_##N(v) - origin);                       \
    } struct ampc_view_##N array_view_section_to_##N(struct ampc_view_##N v, extent_##N extent) {  \
        return array_view_section_##N(v, extent - extent, extent);                                 \
    }
AMPC_EACH_RANK(SECTION)

struct ampc_view_1 ampc_reinterpret(struct ampc_view_1 v, size_t element_size)
{
    int64_t count = v.extent[0] > 0 ? v.extent[0] * v.stride[0] / (int64_t)element_size : 0;
    v.stride[0] = (int64_t)element_size;
    if (count > INT32_MAX) {
        report_outside("array_view_reinterpret_as: more than 2^31 - 1 elements", 0, 0, count,
                       v.extent[0]);
        return (struct ampc_view_1){AMPC_EMPTY_VIEW};
    }
    v.extent[0] = (int)count;
    return v;
}

/* Checks that a shape fits a view of `length` elements and gives its strides. */
static bool reshape(int rank, const int *extent, int64_t element_size, int length,
                    int64_t *out_stride)
{
    struct ampc_status status = {0};
    uint64_t bytes;
    if (!ampc_shape_measure("array_view_view_as", (size_t)element_size, rank, extent, out_stride,
                            &bytes, &status)) {
        ampc_report(NULL, &status);
        return false;
    }
    if (bytes > (uint64_t)(length > 0 ? length : 0) * (uint64_t)element_size) {
        report_outside("array_view_view_as", 0, 0, (long long)(bytes / (uint64_t)element_size),
                       length);
        return false;
    }
    return true;
}

#define NAMES_1 n0
#define NAMES_2 n0, n1
#define NAMES_3 n0, n1, n2
#define NAMES_4 n0, n1, n2, n3
#define VIEW_AS(N)                                                                                 \
    struct ampc_view_##N ampc_view_as_##N(struct ampc_view_1 v, AMPC_INTS_##N) {                   \
        struct ampc_view_##N result = {v.data, v.source, v.key, {0}, {NAMES_##N}};                 \
        if (!reshape(N, result.extent, v.stride[0], v.extent[0], result.stride))                   \
            return (struct ampc_view_##N){AMPC_EMPTY_VIEW};                                        \
        return result;                                                                             \
    }
AMPC_EACH_RANK(VIEW_AS)
