/* A header that the command line includes, with a kernel in it. */
#ifndef FORCED_H
#define FORCED_H
#include "forced_part.h"
#include <amp.h>
static inline int add_all(array_view(int, 1) v, int k)
{
    parallel_for_each(extent_of(v), ^(index_1 i) restrict(amp) { v[i] += k; });
    return v[0] + PART;
}
#endif
