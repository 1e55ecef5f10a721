/* shape.h - views of any rank in one form, and where their elements lie. Pure functions. */
#ifndef AMPC_SHAPE_H
#define AMPC_SHAPE_H

#include "status.h"
#include <ampc/view.h>

/* A view of any rank is the header's `struct ampc_copy_end`. */
typedef struct ampc_copy_end ampc_any_view;

/* Row-major strides of a shape and its size in bytes; false for negative lengths and sizes over
 * 2^63. */
bool ampc_shape_measure(const char *what, size_t element_size, int rank, const int *extent,
                        int64_t *out_stride, uint64_t *out_bytes, struct ampc_status *status);
/* Bytes of an element: views are never strided in their last dimension. */
size_t ampc_view_element_size(const ampc_any_view *view);
/* Bytes of all elements. */
uint64_t ampc_view_bytes(const ampc_any_view *view);
/* Is there no element? */
bool ampc_view_is_empty(const ampc_any_view *view);
/* The end of the last element; the first begins at view->data. For a view that is not empty. */
char *ampc_view_end(const ampc_any_view *view);
/* Do the elements lie one after the other without gaps? */
bool ampc_view_is_contiguous(const ampc_any_view *view);
/* Copies the elements between a view's memory and `packed`, row by row. */
void ampc_view_gather(const ampc_any_view *view, char *packed);
void ampc_view_scatter(const ampc_any_view *view, const char *packed);

#endif
