/* ieee.h - operands that floating point goes wrong with, and comparison bit by bit. Any NaN is as good as another. */
#ifndef IEEE_H
#define IEEE_H

#include "check.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static inline float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t next_random(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1du;
}

static const float float_edges[] = {
    0.0f, 0x1p-149f, 0x1.8p-148f, 0x1.fffffcp-127f, 0x1p-126f, 0x1.000002p-126f, 0x1p-63f, 0x1p-62f, 0x1.fffffep-62f,
    0x1p-24f, 1.0f / 3, 0x1.fffffep-1f, 1.0f, 0x1.000002p+0f, 1.5f, 0x1.fffffep+0f, 2.0f, 3.0f, 10.0f, 0x1.fffffep+23f,
    0x1p+24f, 0x1p+31f, 0x1.fffffep+31f, 0x1p+62f, 0x1p+63f, 0x1p+126f, 0x1.fffffep+126f, 0x1p+127f, FLT_MAX, INFINITY, NAN,
};
static const double double_edges[] = {
    0.0, 0x1p-1074, 0x1.8p-1073, 0x1.ffffffffffffep-1023, 0x1p-1022, 0x1.0000000000001p-1022, 0x1p-511, 0x1p-510,
    0x1p-149, 0x1p-126, 0x1p-53, 1.0 / 3, 0x1.fffffffffffffp-1, 1.0, 0x1.0000000000001p+0, 0x1.000001p+0, 1.5,
    0x1.fffffefffffffp+0, 0x1.fffffffffffffp+0, 2.0, 3.0, 10.0, 0x1p+53, 0x1.ffffffp+127, 0x1p+128, 0x1p+511, 0x1p+512,
    0x1p+1022, 0x1p+1023, DBL_MAX, INFINITY, NAN,
};
enum {
    float_edge_count = 2 * sizeof float_edges / sizeof *float_edges,
    double_edge_count = 2 * sizeof double_edges / sizeof *double_edges,
};

/* NaNs are quiet: C does not say what becomes of signalling ones (fmin takes them for numbers in one library, and not in
 * another). */
static inline float quiet_float(uint32_t bits)
{
    float x = float_of(bits);
    return x != x ? float_of(bits | 0x00400000u) : x;
}

static inline double quiet_double(uint64_t bits)
{
    double x = double_of(bits);
    return x != x ? double_of(bits | 0x0008000000000000u) : x;
}

/* Number k of the operands of one kind: all edges with both signs against each other, then random bits, every other one
 * of a middling exponent. `stride` tells operands apart that are to meet in all combinations. */
static inline float float_operand(int k, int stride)
{
    if (k < float_edge_count * float_edge_count) {
        int edge = k / stride % float_edge_count;
        return edge % 2 ? -float_edges[edge / 2] : float_edges[edge / 2];
    }
    uint64_t r = next_random();
    return quiet_float(k % 2 ? (uint32_t)r : ((uint32_t)r & 0x807fffffu) | (100 + (uint32_t)(r >> 40) % 50) << 23);
}

static inline double double_operand(int k, int stride)
{
    if (k < double_edge_count * double_edge_count) {
        int edge = k / stride % double_edge_count;
        return edge % 2 ? -double_edges[edge / 2] : double_edges[edge / 2];
    }
    uint64_t r = next_random();
    return quiet_double(k % 2 ? r : (r & 0x800fffffffffffffu) | (1000 + next_random() % 50) << 52);
}

/* Denormals, which some devices take for zeros in some operations (language.md says which). */
static inline _Bool is_tiny_float(float x) { return x != 0 && x > -0x1p-126f && x < 0x1p-126f; }
static inline _Bool is_tiny_double(double x) { return x != 0 && x > -0x1p-1022 && x < 0x1p-1022; }

static inline _Bool same_float(float a, float b)
{
    return !memcmp(&a, &b, sizeof a) || (a != a && b != b);
}

static inline _Bool same_double(double a, double b)
{
    return !memcmp(&a, &b, sizeof a) || (a != a && b != b);
}

/* The first few differences are shown. */
static inline void expect_float(const char *what, double a, double b, float got, float expected)
{
    static int shown;
    if (!same_float(got, expected) && shown++ < 10)
        fprintf(stderr, "%s of %a, %a is %a, not %a\n", what, a, b, got, expected);
    CHECK(same_float(got, expected));
}

static inline void expect_double(const char *what, double a, double b, double got, double expected)
{
    static int shown;
    if (!same_double(got, expected) && shown++ < 10)
        fprintf(stderr, "%s of %a, %a is %a, not %a\n", what, a, b, got, expected);
    CHECK(same_double(got, expected));
}

#endif
