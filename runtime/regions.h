/* regions.h - a copy between two views as runs of bytes. Pure functions. */
#ifndef AMPC_REGIONS_H
#define AMPC_REGIONS_H

#include "backend.h"
#include "shape.h"

/* How many runs a copy between views of one shape, not empty, consists of: as few as the strides of
 * both allow. */
uint64_t ampc_regions_count(const ampc_any_view *from, const ampc_any_view *to);
/* The runs. Offsets count from each view's first element plus the given one; `out` has room for
 * all.
 */
void ampc_regions_list(const ampc_any_view *from, uint64_t from_offset, const ampc_any_view *to,
                       uint64_t to_offset, struct ampc_region *out);

#endif
