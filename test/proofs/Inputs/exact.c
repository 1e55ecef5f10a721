/* exact.c COUNT - the algorithms of compiler/spirv/exact.cpp (exact.h) against the processor's own division, square
 * root and fma, COUNT million random cases of each kind, and the hard ones:
 *
 *   divide  The quotient before the choice of the last step may be off by little more than half a unit, so what could
 *           go wrong are quotients next to the middle between two numbers. Those closest to one are made on purpose: for
 *           random divisors and for the divisors just below a power of two, whose reciprocals are the hardest to round.
 *   sqrt    Tuckerman's test needs a root with an error of less than a unit: all floats in [1, 4).
 *
 * The approximations given are as bad as Vulkan allows: 3 units in the last place of a float, for double, too. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REAL float
#define BITS uint32_t
#define FMA fmaf
#define WIDTH 24
#define NAME(x) x##_f
#include "exact.h"
#undef REAL
#undef BITS
#undef FMA
#undef WIDTH
#undef NAME
#define REAL double
#define BITS uint64_t
#define FMA fma
#define WIDTH 53
#define NAME(x) x##_d
#include "exact.h"

static uint64_t state = 0x9e3779b97f4a7c15u, cases, failures, failures_before;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1du;
}

static void expect_f(const char *what, float a, float b, float got, float expected)
{
    ++cases;
    if (bits_f(got) == bits_f(expected) || (isnan(got) && isnan(expected)))
        return;
    if (++failures < 20)
        printf("%s(%a, %a) is %a, not %a\n", what, a, b, got, expected);
}

static void expect_d(const char *what, double a, double b, double got, double expected)
{
    ++cases;
    if (bits_d(got) == bits_d(expected) || (isnan(got) && isnan(expected)))
        return;
    if (++failures < 20)
        printf("%s(%a, %a) is %a, not %a\n", what, a, b, got, expected);
}

static void finish(const char *what)
{
    printf("%s: %" PRIu64 " cases, %" PRIu64 " wrong\n", what, cases, failures - failures_before);
    fflush(stdout);
    failures_before = failures;
    cases = 0;
}

/* An approximation of x that is off by up to `units` of 2^-23 of it. */
static float off_f(float x, int units)
{
    return real_f(bits_f(x) + (uint32_t)units);
}

static double off_d(double x, double units)
{
    return x + x * units * 0x1p-23;
}

static void divide_f(float a, float b)
{
    for (int k = -3; k <= 3; ++k)
        expect_f("fast_divide", a, b, fast_divide_f(a, b, off_f(1 / b, k)), a / b);
}

static void divide_d(double a, double b)
{
    static const double offs[] = {-3, -1, -0x1p-29, 0, 0x1p-29, 1, 3};
    for (int k = 0; k < 7; ++k)
        expect_d("fast_divide", a, b, fast_divide_d(a, b, off_d(1 / b, offs[k])), a / b);
}

/* 1 / 2^k modulo the odd number b. */
static uint64_t inverse_power(int k, uint64_t b)
{
    uint64_t x = 1;
    while (k--)
        x = x & 1 ? (x + b) / 2 : x / 2;
    return x;
}

/* The numerators A whose quotients by the odd B are c / (2 B) units from a midpoint: A * 2^s = c (mod B) where the
 * quotient times two, A * 2^s / B, has width + 1 bits. */
static void hard_quotients(int width, uint64_t divisor)
{
    for (int s = width; s <= width + 1; ++s) {
        uint64_t unit = inverse_power(s, divisor);
        for (int c = 1; c <= 3; ++c)
            for (int negative = 0; negative <= 1; ++negative) {
                uint64_t a = (uint64_t)((unsigned __int128)unit * (unsigned)c % divisor);
                a = negative ? divisor - a : a;
                while (a < (uint64_t)1 << (width - 1))
                    a += divisor;
                if (a >> width)
                    continue;
                if (width == 24)
                    divide_f((float)a, (float)divisor);
                else
                    divide_d((double)a, (double)divisor);
            }
    }
}

static float random_f(int exponents)
{
    uint64_t r = next();
    uint32_t e = 127 - (uint32_t)exponents + (uint32_t)(r >> 40) % (2 * (uint32_t)exponents + 1);
    return real_f(((uint32_t)r & 0x807fffffu) | e << 23);
}

static double random_d(int exponents)
{
    uint64_t r = next(), e = 1023 - (uint64_t)exponents + next() % (2 * (uint64_t)exponents + 1);
    return real_d((r & 0x800fffffffffffffu) | e << 52);
}

/* Any bit pattern, the ends of the range more often than chance has them. */
static uint64_t pattern(int width)
{
    uint64_t r = next(), kind = next() % 8, all = width == 32 ? 0xffffffffu : ~(uint64_t)0;
    uint64_t sign = (uint64_t)1 << (width - 1), fraction = width == 32 ? 0x7fffff : 0xfffffffffffffu;
    uint64_t high = width == 32 ? 0x7f000000u : 0x7fe0000000000000u;
    switch (kind) {
    case 0:
        return r & (sign | fraction); /* denormal */
    case 1:
        return (r & sign) | (r & fraction) >> (next() % (uint64_t)width); /* small denormal */
    case 2:
        return ((r & sign) | (high + (r & fraction))) & all; /* near overflow, infinite, NaN */
    case 3:
        return (r & sign) | (high + (fraction + 1)) * (r & 1); /* zero, infinity */
    case 4:
        return ((r & sign) | (r & ~sign & all & ~(fraction >> 3))); /* few bits */
    default:
        return r & all;
    }
}

int main(int argc, char **argv)
{
    uint64_t count = (uint64_t)(argc > 1 ? atof(argv[1]) * 1e6 : 1e6);
    for (uint64_t b = (1u << 24) - 1; b > (1u << 24) - 4096; b -= 2)
        hard_quotients(24, b);
    finish("float quotients next to midpoints, divisors below 2");
    for (uint64_t k = 0; k < count / 8; ++k)
        hard_quotients(24, next() >> 40 | 1u << 23 | 1);
    finish("float quotients next to midpoints");
    for (uint64_t k = 0; k < count; ++k)
        divide_f(random_f(61), random_f(61));
    finish("float quotients");
    for (uint64_t k = 0; k < (count > 1u << 21 ? 1u << 21 : count); ++k)
        hard_quotients(53, ((uint64_t)1 << 53) - 1 - 2 * k);
    finish("double quotients next to midpoints, divisors below 2");
    for (uint64_t k = 0; k < count / 8; ++k)
        hard_quotients(53, next() >> 11 | (uint64_t)1 << 52 | 1);
    finish("double quotients next to midpoints");
    for (uint64_t k = 0; k < count; ++k)
        divide_d(random_d(480), random_d(480));
    finish("double quotients");

    uint32_t step = count < 1u << 24 ? 61 : 1;
    for (uint32_t b = bits_f(1); b < bits_f(4); b += step)
        for (int k = -3; k <= 3; ++k) {
            float x = real_f(b), y = off_f((float)(1 / sqrt(x)), k);
            expect_f("fast_sqrt", x, 0, fast_sqrt_f(x, y), sqrtf(x));
        }
    finish("float roots of [1, 4)");
    for (uint64_t k = 0; k < count; ++k) {
        /* x = g * g + a little, and the neighbours of 1, 2 and 4 */
        double g = fabs(random_d(240)), x = k & 1 ? fabs(random_d(480)) : g * g;
        if (k % 8 == 0)
            x = real_d(bits_d(1 << (k / 8 % 3)) + next() % 64 - 32);
        else if (k % 8 == 2)
            x = real_d(bits_d((g * (1 + 0x1p-53)) * g) + next() % 8 - 4);
        for (int off = -3; off <= 3; off += 3)
            expect_d("fast_sqrt", x, 0, fast_sqrt_d(x, off_d(1 / sqrt(x), off)), sqrt(x));
    }
    finish("double roots");

    for (uint64_t k = 0; k < count; ++k) {
        float a = real_f((uint32_t)pattern(32)), b = real_f((uint32_t)pattern(32));
        double c = real_d(pattern(64)), d = real_d(pattern(64));
        expect_f("slow_divide", a, b, slow_divide_f(a, b), a / b);
        expect_d("slow_divide", c, d, slow_divide_d(c, d), c / d);
        expect_f("slow_sqrt", a, 0, slow_sqrt_f(a), sqrtf(a));
        expect_d("slow_sqrt", c, 0, slow_sqrt_d(c), sqrt(c));
    }
    finish("digit by digit, all bit patterns");
    for (uint64_t k = 0; k < count; ++k) {
        float a = real_f((uint32_t)pattern(32)), b = real_f((uint32_t)pattern(32)), c = real_f((uint32_t)pattern(32));
        double u = real_d(pattern(64)), v = real_d(pattern(64)), w = real_d(pattern(64));
        if (k & 1) { /* addends that nearly cancel, or that a product is a little of */
            c = real_f(bits_f(-a * b) + (uint32_t)((k >> 1 & 7) - 3));
            w = real_d(bits_d(-u * v) + (k >> 1 & 7) - 3);
        }
        if (k % 4 == 2) {
            int away = (int)(next() % 240) - 120;
            c = ldexpf(a * b, away);
            w = ldexp(u * v, away);
        }
        expect_f("soft_fma", a, b, soft_fma_f(a, b, c), fmaf(a, b, c));
        expect_d("soft_fma", u, v, soft_fma_d(u, v, w), fma(u, v, w));
        uint32_t odd_f;
        uint64_t odd_d;
        int n = (int)(next() % 4300) - 2150;
        n = k % 64 ? n : (int)next();
        expect_f("ldexp", a, (float)n, soft_ldexp_f(a, n), ldexpf(a, n));
        expect_d("ldexp", u, n, soft_ldexp_d(u, n), ldexp(u, n));
        if (k & 3)
            continue;
        expect_f("fmod", a, b, soft_fmod_f(a, b, &odd_f), fmodf(a, b));
        expect_d("fmod", u, v, soft_fmod_d(u, v, &odd_d), fmod(u, v));
        expect_f("remainder", a, b, soft_remainder_f(a, b), remainderf(a, b));
        expect_d("remainder", u, v, soft_remainder_d(u, v), remainder(u, v));
        b = a * (float)(1 + next() % 16) / 8;
        v = u * (double)(1 + next() % 16) / 8;
        expect_f("remainder", a, b, soft_remainder_f(a, b), remainderf(a, b));
        expect_d("remainder", u, v, soft_remainder_d(u, v), remainder(u, v));
    }
    finish("fma, ldexp, fmod, remainder");
    return failures != 0;
}
