/* The same computations as C programmers write them: loops for OpenMP. */
#include "bench.h"

#include <math.h>
#include <string.h>

void triad_openmp(int n, float s, float *a, const float *b, const float *c)
{
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        a[i] = b[i] + s * c[i];
}

void jacobi_openmp(int n, int rounds, float *a, float *b)
{
    for (int r = 0; r < rounds; ++r) {
        const float *from = r % 2 ? b : a;
        float *to = r % 2 ? a : b;
#pragma omp parallel for
        for (int y = 1; y < n - 1; ++y)
            for (int x = 1; x < n - 1; ++x)
                to[y * n + x] = 0.25f * (from[(y - 1) * n + x] + from[(y + 1) * n + x] +
                                         from[y * n + x - 1] + from[y * n + x + 1]);
    }
}

void mandelbrot_openmp(int n, int limit, int *out)
{
#pragma omp parallel for schedule(dynamic)
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
            float cr = -2.0f + 3.0f * x / n, ci = -1.5f + 3.0f * y / n, zr = 0, zi = 0;
            int k = 0;
            while (k < limit && zr * zr + zi * zi < 4) {
                float next = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = next;
                ++k;
            }
            out[y * n + x] = k;
        }
}

static float normal(float x)
{
    float l = fabsf(x), k = 1 / (1 + 0.2316419f * l);
    float poly =
        k * (0.31938153f +
             k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float w = 1 - 0.39894228f * expf(-l * l / 2) * poly;
    return x < 0 ? 1 - w : w;
}

void black_scholes_openmp(int n, const float *s, const float *x, const float *t, float *c, float *p)
{
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        const float r = 0.02f, v = 0.30f;
        float root = sqrtf(t[i]), d1 = (logf(s[i] / x[i]) + (r + 0.5f * v * v) * t[i]) / (v * root);
        float d2 = d1 - v * root, n1 = normal(d1), n2 = normal(d2), e = expf(-r * t[i]);
        c[i] = s[i] * n1 - x[i] * e * n2;
        p[i] = x[i] * e * (1 - n2) - s[i] * (1 - n1);
    }
}

void add_loop(int n, int *a, const int *b)
{
    for (int i = 0; i < n; ++i)
        a[i] += b[i];
}

/* Blocks of 16 by 16 in all three dimensions, as the kernel's tiles. */
void sgemm_openmp(int n, const float *a, const float *b, float *c)
{
    enum { block = 16 };
#pragma omp parallel for collapse(2)
    for (int row = 0; row < n; row += block)
        for (int col = 0; col < n; col += block) {
            float sum[block][block] = {{0}};
            for (int i = 0; i < n; i += block)
                for (int y = 0; y < block; ++y)
                    for (int k = 0; k < block; ++k)
                        for (int x = 0; x < block; ++x)
                            sum[y][x] += a[(row + y) * n + i + k] * b[(i + k) * n + col + x];
            for (int y = 0; y < block; ++y)
                memcpy(&c[(row + y) * n + col], sum[y], sizeof sum[y]);
        }
}

void nbody_openmp(int n, const float *x, const float *y, const float *z, float *ax, float *ay,
                  float *az)
{
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        float sx = 0, sy = 0, sz = 0;
        for (int j = 0; j < n; ++j) {
            float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            float d = dx * dx + dy * dy + dz * dz + 0.01f, inverse = 1 / (d * sqrtf(d));
            sx += dx * inverse;
            sy += dy * inverse;
            sz += dz * inverse;
        }
        ax[i] = sx;
        ay[i] = sy;
        az[i] = sz;
    }
}
