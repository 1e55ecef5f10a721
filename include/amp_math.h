/* amp_math.h - C++ AMP's mathematical functions (specification, section 9) for amp code.
 *
 * fast_math_NAME works on float. precise_math_NAME works on float and, where the accelerator has it, on double. As in
 * C++ AMP they are restrict(amp); host code has <math.h>, whose names amp code may call as well. */
#ifndef AMP_MATH_H
#define AMP_MATH_H
#include <amp.h>

#ifdef __AMPC__
#define AMP_MATH_1(NAME)                                                                           \
    float fast_math_##NAME(float) restrict(amp);                                                   \
    float fast_math_##NAME##f(float) restrict(amp);                                                \
    float precise_math_##NAME##f(float) restrict(amp);                                             \
    AMP_GENERIC float precise_math_##NAME(float) restrict(amp);                                    \
    AMP_GENERIC double precise_math_##NAME(double) restrict(amp);
#define AMP_MATH_2(NAME)                                                                           \
    float fast_math_##NAME(float, float) restrict(amp);                                            \
    float fast_math_##NAME##f(float, float) restrict(amp);                                         \
    float precise_math_##NAME##f(float, float) restrict(amp);                                      \
    AMP_GENERIC float precise_math_##NAME(float, float) restrict(amp);                             \
    AMP_GENERIC double precise_math_##NAME(double, double) restrict(amp);
#define AMP_MATH_3(NAME)                                                                           \
    float fast_math_##NAME(float, float, float) restrict(amp);                                     \
    float fast_math_##NAME##f(float, float, float) restrict(amp);                                  \
    float precise_math_##NAME##f(float, float, float) restrict(amp);                               \
    AMP_GENERIC float precise_math_##NAME(float, float, float) restrict(amp);                      \
    AMP_GENERIC double precise_math_##NAME(double, double, double) restrict(amp);
#define AMP_MATH_INT(NAME)                                                                         \
    float fast_math_##NAME(float, int) restrict(amp);                                              \
    float fast_math_##NAME##f(float, int) restrict(amp);                                           \
    float precise_math_##NAME##f(float, int) restrict(amp);                                        \
    AMP_GENERIC float precise_math_##NAME(float, int) restrict(amp);                               \
    AMP_GENERIC double precise_math_##NAME(double, int) restrict(amp);

AMP_MATH_1(sqrt) AMP_MATH_1(fabs) AMP_MATH_1(floor) AMP_MATH_1(ceil) AMP_MATH_1(trunc)
AMP_MATH_1(sin) AMP_MATH_1(cos) AMP_MATH_1(exp) AMP_MATH_1(log) AMP_MATH_1(log10)
AMP_MATH_2(fmin) AMP_MATH_2(fmax) AMP_MATH_2(pow)
AMP_MATH_1(rint) AMP_MATH_1(nearbyint) AMP_MATH_1(round) AMP_MATH_3(fma) AMP_MATH_INT(ldexp)
AMP_MATH_2(fmod) AMP_MATH_2(remainder) AMP_MATH_2(copysign) AMP_MATH_2(fdim)
#undef AMP_MATH_1
#undef AMP_MATH_2
#undef AMP_MATH_3
#undef AMP_MATH_INT
#endif

#endif
