/* Kernels on the CPU accelerator against a peer (OpenMP loops, or with -DPEER=pocl OpenCL kernels): alternating runs, medians and
 * their ratio. usage: bench [runs [scale]]; scale 1 is the full size. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare);
    return times[count / 2];
}

#ifndef PEER
#define PEER openmp
#endif
#define JOIN_(name, peer) name##_##peer
#define JOIN(name, peer) JOIN_(name, peer)
#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)

enum { ARRAYS = 6, MOST_RUNS = 101 };
static float *data[ARRAYS];
static size_t size; /* floats in each */
static int runs, n, failures;
static double product = 1;
static int products;

static void fill(void)
{
    unsigned state = 1;
    for (int k = 0; k < ARRAYS; ++k)
        for (size_t i = 0; i < size; ++i) {
            state = state * 1664525u + 1013904223u;
            data[k][i] = 0.5f + (float)(state >> 8) / 16777216.0f;
        }
}

/* Both computations get the same input; results may differ by rounding. */
#define MEASURE(name, ...)                                                                         \
    do {                                                                                           \
        double times[2][MOST_RUNS];                                                                \
        float *result = malloc(size * ARRAYS * sizeof *result);                                    \
        for (int r = -1; r < runs; ++r) {                                                          \
            fill();                                                                                \
            double begin = now();                                                                  \
            JOIN(name, PEER)(__VA_ARGS__);                                                         \
            double between = now();                                                                \
            for (int k = 0; k < ARRAYS; ++k)                                                       \
                memcpy(result + k * size, data[k], size * sizeof *result);                         \
            fill();                                                                                \
            double again = now();                                                                  \
            name##_ampc(__VA_ARGS__);                                                              \
            double end = now();                                                                    \
            if (r >= 0) {                                                                          \
                times[0][r] = between - begin;                                                     \
                times[1][r] = end - again;                                                         \
            }                                                                                      \
        }                                                                                          \
        report(#name, median(times[0], runs), median(times[1], runs), result);                     \
        free(result);                                                                              \
    } while (0)

static void report(const char *name, double peer, double ampc, const float *result)
{
    size_t differ = 0;
    for (int k = 0; k < ARRAYS; ++k)
        for (size_t i = 0; i < size; ++i)
            differ += !(fabsf(data[k][i] - result[k * size + i]) <=
                        1e-3f * (1 + fabsf(result[k * size + i]))) &&
                      memcmp(&data[k][i], &result[k * size + i], sizeof **data);
    printf("%-14s " TEXT(PEER) " %9.3f ms  ampcc %9.3f ms  ratio %.3f%s\n", name, 1e3 * peer, 1e3 * ampc,
           ampc / peer, differ ? "  RESULTS DIFFER" : "");
    failures += differ > size / 1000; /* Mandelbrot's border may move with contraction */
    product *= ampc / peer;
    ++products;
}

int main(int argc, char **argv)
{
    runs = argc > 1 ? atoi(argv[1]) : 11;
    double scale = argc > 2 ? atof(argv[2]) : 1;
    runs = runs < 1 ? 1 : runs > MOST_RUNS ? MOST_RUNS : runs;
    n = (int)(2048 * scale) / 16 * 16;
    n = n < 32 ? 32 : n;
    size = (size_t)n * (size_t)n;
    for (int k = 0; k < ARRAYS; ++k)
        data[k] = malloc(size * sizeof **data);

    MEASURE(triad, (int)size, 3.0f, data[0], data[1], data[2]);
    MEASURE(jacobi, n, 4, data[0], data[1]);
    MEASURE(mandelbrot, n / 4, 500, (int *)data[0]);
    MEASURE(black_scholes, (int)size / 2, data[0], data[1], data[2], data[3], data[4]);
    MEASURE(sgemm, n / 64 * 16, data[0], data[1], data[2]);
    MEASURE(nbody, n * 2, data[0], data[1], data[2], data[3], data[4], data[5]);
    printf("geometric mean of %d ratios: %.3f\n", products, pow(product, 1.0 / products));

    double times[2][MOST_RUNS];
    enum { additions = 1000000 };
    int *a = calloc(additions, sizeof *a), *b = calloc(additions, sizeof *b);
    for (int r = -1; r < runs; ++r) {
        double begin = now();
        add_loop(additions, a, b);
        double between = now();
        add_ampc(additions, a, b);
        double end = now();
        if (r >= 0) {
            times[0][r] = between - begin;
            times[1][r] = end - between;
        }
    }
    double loop = median(times[0], runs), kernel = median(times[1], runs);
    printf("10^6 additions one core  %9.3f ms  ampcc %9.3f ms  ratio %.3f\n", 1e3 * loop, 1e3 * kernel,
           kernel / loop);
    free(a);
    free(b);
    for (int r = 0; r < runs; ++r) {
        enum { launches = 1000 };
        double begin = now();
        for (int k = 0; k < launches; ++k)
            nothing_ampc();
        times[0][r] = (now() - begin) / launches;
    }
    printf("empty kernel   %.3f us\n", 1e6 * median(times[0], runs));
    return failures != 0;
}
