/* bench.h - timing shared by the AMP-C and the CUDA side of the GPU benchmarks.
 *
 * A benchmark calls bench_report("name", "unit", value) once per run; run.sh alternates the programs and takes medians. */
#ifndef BENCH_H
#define BENCH_H
#include <stdio.h>
#include <time.h>

static double bench_now(void) /* seconds */
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void bench_report(const char *name, const char *unit, double value)
{
    printf("%s %s %.6g\n", name, unit, value);
}
#endif
