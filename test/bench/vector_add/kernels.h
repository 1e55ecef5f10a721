/* The two kernels that the benchmark compares: c = a + b. */
#ifndef KERNELS_H
#define KERNELS_H

#include <amp.h>

void add_in_ampc(array_view(const float, 1) a, array_view(const float, 1) b, array_view(float, 1) c);
void add_in_glsl(array_view(const float, 1) a, array_view(const float, 1) b, array_view(float, 1) c);

#endif
