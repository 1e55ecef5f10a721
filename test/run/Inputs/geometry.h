/* Functions that kernels and the host share, in a header that two translation units include. */
#ifndef GEOMETRY_H
#define GEOMETRY_H

#include <amp.h>

struct box {
    int low, high;
};

static inline int box_size(struct box b) restrict(cpu, amp)
{
    return b.high - b.low;
}

static inline struct box box_shift(struct box b, int by) restrict(cpu, amp)
{
    return (struct box){b.low + by, b.high + by};
}

#endif
