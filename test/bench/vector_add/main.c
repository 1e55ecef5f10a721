/* Times c = a + b over 2^24 floats: the kernel that ampcc compiled and the one written in GLSL, in turn, the data already
 * on the accelerator. Prints medians and their ratio.
 *
 * usage: vector_add [log2 of the elements [runs]] */
#include "kernels.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef void add_function(array_view(const float, 1), array_view(const float, 1), array_view(float, 1));

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

int main(int argc, char **argv)
{
    int n = 1 << (argc > 1 ? atoi(argv[1]) : 24), runs = argc > 2 ? atoi(argv[2]) : 15;
    enum { ampc, glsl, kernels };
    static add_function *const add[kernels] = {add_in_ampc, add_in_glsl};
    static const char *const name[kernels] = {"ampcc", "GLSL"};
    double *seconds[kernels], medians[kernels];

    float *a_data = malloc((size_t)n * sizeof *a_data);
    float *b_data = malloc((size_t)n * sizeof *b_data);
    float *c_data = calloc((size_t)n, sizeof *c_data);
    for (int k = 0; k < kernels; ++k)
        seconds[k] = malloc((size_t)runs * sizeof(double));
    if (!a_data || !b_data || !c_data || !seconds[ampc] || !seconds[glsl]) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    for (int i = 0; i < n; ++i) {
        a_data[i] = (float)i;
        b_data[i] = 0.5f;
    }

    accelerator_view queue = accelerator_default_view(accelerator_default());
    array_view(const float, 1) a = array_view_of(a_data, n);
    array_view(const float, 1) b = array_view_of(b_data, n);
    array_view(float, 1) c = array_view_of(c_data, n);

    for (int run = -2; run < runs; ++run) /* the first two warm up */
        for (int k = 0; k < kernels; ++k) {
            double start = now();
            add[k](a, b, c);
            accelerator_view_wait(queue);
            if (run >= 0)
                seconds[k][run] = now() - start;
        }

    int wrong = 0;
    for (int k = 0; k < kernels; ++k) {
        for (int i = 0; i < n; ++i)
            c_data[i] = -1;
        array_view_refresh(c);
        add[k](a, b, c);
        array_view_synchronize(c);
        for (int i = 0; i < n; ++i)
            wrong += c_data[i] != (float)i + 0.5f;
    }
    array_view_close(a);
    array_view_close(b);
    array_view_close(c);

    printf("vector add, %d floats, %d runs of each in turn, on %s\n", n, runs,
           accelerator_description(accelerator_default()));
    printf("%-8s %12s %12s %10s\n", "kernel", "median ms", "fastest ms", "GB/s");
    for (int k = 0; k < kernels; ++k) {
        medians[k] = median(seconds[k], runs);
        printf("%-8s %12.3f %12.3f %10.2f\n", name[k], medians[k] * 1e3, seconds[k][0] * 1e3,
               12.0 * n / medians[k] * 1e-9);
    }
    printf("ratio of the medians: %.3f (to reach: 1.1)\n", medians[ampc] / medians[glsl]);
    if (wrong)
        fprintf(stderr, "%d wrong elements\n", wrong);
    return wrong != 0;
}
