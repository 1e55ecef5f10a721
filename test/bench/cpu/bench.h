/* The computations of the CPU benchmark: NAME_ampc in kernels.ampc, NAME_openmp in loops.c, NAME_pocl in pocl.c. */
#ifndef BENCH_H
#define BENCH_H

#define BENCH_DECLARE(suffix)                                                                      \
    void triad_##suffix(int n, float s, float *a, const float *b, const float *c);                 \
    void jacobi_##suffix(int n, int rounds, float *a, float *b);                                   \
    void mandelbrot_##suffix(int n, int limit, int *out);                                          \
    void black_scholes_##suffix(int n, const float *price, const float *strike,                    \
                                const float *years, float *call, float *put);                      \
    void sgemm_##suffix(int n, const float *a, const float *b, float *c);                          \
    void nbody_##suffix(int n, const float *x, const float *y, const float *z, float *ax,          \
                        float *ay, float *az);
BENCH_DECLARE(ampc)
BENCH_DECLARE(openmp)
BENCH_DECLARE(pocl)
void nothing_ampc(void);
void add_ampc(int n, int *a, const int *b);
void add_loop(int n, int *a, const int *b); /* on one core */

#endif
