/* amp_short_vectors.h - int_2 ... double_4 (C++ AMP v1.2, chapter 10). <amp.h> includes it.
 *
 * Two to four components of one type, in host code and in amp code. They are Clang's vectors of T:
 *
 *     float_4 v = {1, 2, 3, 4}, w = v * 2;      arithmetic lane by lane; a scalar is spread
 *     w.xy = v.zw; w.x += v[3];                 swizzles of x y z w (or r g b a); subscripts
 *     int_4 less = v < w;                       comparisons give -1 or 0 in each lane
 *     float_3 f = __builtin_convertvector(i, float_3);      conversion, component by component
 *
 * Size and alignment: 2 components take 2, and both 3 and 4 components take 4 times the component's
 * size; so a float_3 in memory is 16 bytes, where C++ AMP's is 12. Alignment is the size, but 16
 * for double_3 and double_4: what malloc promises. An array_view of them has these sizes too. */
#ifndef AMP_SHORT_VECTORS_H
#define AMP_SHORT_VECTORS_H

#ifndef __AMPC__
#include <ampc/types.h>
#else

typedef unsigned uint;

#define AMP_VECTORS(T)                                                                             \
    typedef T T##_2 __attribute__((ext_vector_type(2)));                                           \
    typedef T T##_3 __attribute__((ext_vector_type(3)));                                           \
    typedef T T##_4 __attribute__((ext_vector_type(4)));
AMP_VECTORS(int)
AMP_VECTORS(uint)
AMP_VECTORS(float)
#undef AMP_VECTORS
typedef double double_2 __attribute__((ext_vector_type(2)));
typedef double double_3 __attribute__((ext_vector_type(3), aligned(16)));
typedef double double_4 __attribute__((ext_vector_type(4), aligned(16)));

#endif
#endif
