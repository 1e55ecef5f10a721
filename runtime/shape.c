/* shape.c - see shape.h. */
#include "shape.h"

#include <string.h>

bool ampc_shape_measure(const char *what, size_t element_size, int rank, const int *extent,
                        int64_t *out_stride, uint64_t *out_bytes, struct ampc_status *status)
{
    uint64_t bytes = element_size;
    bool fits = true, empty = false;
    for (int k = rank; k-- > 0;) {
        if (extent[k] < 0)
            return ampc_fail(status, amp_error_runtime, "%s: the length of dimension %d is %d",
                             what, k, extent[k]);
        out_stride[k] = (int64_t)bytes;
        empty |= !extent[k];
        fits &= !__builtin_mul_overflow(bytes, (uint64_t)(extent[k] ? extent[k] : 1), &bytes) &&
                bytes <= INT64_MAX;
    }
    if (!fits)
        return ampc_fail(status, amp_error_out_of_memory, "%s: the size does not fit 63 bits",
                         what);
    *out_bytes = empty ? 0 : bytes;
    return true;
}

size_t ampc_view_element_size(const ampc_any_view *view)
{
    return (size_t)view->stride[view->rank - 1];
}

uint64_t ampc_view_bytes(const ampc_any_view *view)
{
    uint64_t bytes = ampc_view_element_size(view);
    for (int k = 0; k < view->rank; ++k)
        bytes *= (uint64_t)view->extent[k];
    return bytes;
}

bool ampc_view_is_empty(const ampc_any_view *view)
{
    for (int k = 0; k < view->rank; ++k)
        if (view->extent[k] <= 0)
            return true;
    return false;
}

char *ampc_view_end(const ampc_any_view *view)
{
    char *end = view->data + ampc_view_element_size(view);
    for (int k = 0; k < view->rank; ++k)
        end += (view->extent[k] - 1) * view->stride[k];
    return end;
}

bool ampc_view_is_contiguous(const ampc_any_view *view)
{
    int64_t expected = view->stride[view->rank - 1];
    for (int k = view->rank; k-- > 0; expected *= view->extent[k])
        if (view->extent[k] != 1 && view->stride[k] != expected)
            return false;
    return true;
}

/* Calls move(row in the view, row in packed memory, bytes) for each run of the last dimension. */
static void for_rows(const ampc_any_view *view, char *packed,
                     void (*move)(char *row, char *packed, size_t bytes))
{
    if (ampc_view_is_empty(view))
        return;
    size_t bytes = ampc_view_element_size(view) * (size_t)view->extent[view->rank - 1];
    int at[4] = {0};
    for (;;) {
        char *row = view->data;
        for (int k = 0; k < view->rank - 1; ++k)
            row += at[k] * view->stride[k];
        move(row, packed, bytes);
        packed += bytes;
        int k = view->rank - 2;
        while (k >= 0 && ++at[k] == view->extent[k])
            at[k--] = 0;
        if (k < 0)
            return;
    }
}

static void from_row(char *row, char *packed, size_t bytes) { memmove(packed, row, bytes); }

static void to_row(char *row, char *packed, size_t bytes) { memmove(row, packed, bytes); }

void ampc_view_gather(const ampc_any_view *view, char *packed) { for_rows(view, packed, from_row); }

void ampc_view_scatter(const ampc_any_view *view, const char *packed)
{
    for_rows(view, (char *)packed, to_row);
}
