/* cuda.cu - the CUDA side of the GPU benchmarks: the same kernels as amp.ampc, one element per thread. */
#include <cstdlib>
#include <cstring>
#include "bench.h"

enum { TILE = 16 };

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t e_ = (call);                                                                                       \
        if (e_ != cudaSuccess) {                                                                                       \
            printf("%s: %s\n", #call, cudaGetErrorString(e_));                                                         \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

__global__ void fill(float *p, size_t n, float v)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = v;
}

__global__ void triad_kernel(float *a, const float *b, const float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = b[i] + 3.0f * c[i];
}

__global__ void sgemm_kernel(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int row = threadIdx.y, col = threadIdx.x;
    int grow = blockIdx.y * TILE + row, gcol = blockIdx.x * TILE + col;
    float sum = 0.0f;
    for (int k0 = 0; k0 < n; k0 += TILE) {
        as[row][col] = a[(size_t)grow * n + k0 + col];
        bs[row][col] = b[(size_t)(k0 + row) * n + gcol];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += as[row][k] * bs[k][col];
        __syncthreads();
    }
    c[(size_t)grow * n + gcol] = sum;
}

__global__ void one(int *a) { a[0] = 1; }

static float *filled(size_t n, float v)
{
    float *p;
    CHECK(cudaMalloc(&p, n * sizeof *p));
    fill<<<(unsigned)((n + 255) / 256), 256>>>(p, n, v);
    return p;
}

/* Host memory, allocated by the driver (pinned) or by malloc. */
static void copies(bool pinned, int repeats)
{
    size_t size = (size_t)1 << 30;
    void *host, *device;
    if (pinned)
        CHECK(cudaMallocHost(&host, size));
    else
        host = malloc(size);
    memset(host, 1, size);
    CHECK(cudaMalloc(&device, size));
    double up = 0, down = 0;
    for (int k = -2; k < repeats; ++k) {
        if (k == 0)
            up = down = 0;
        double start = bench_now();
        CHECK(cudaMemcpy(device, host, size, cudaMemcpyHostToDevice));
        CHECK(cudaDeviceSynchronize());
        double middle = bench_now();
        CHECK(cudaMemcpy(host, device, size, cudaMemcpyDeviceToHost));
        up += middle - start;
        down += bench_now() - middle;
    }
    bench_report(pinned ? "upload-pinned" : "upload", "GB/s", (double)size * repeats / up * 1e-9);
    bench_report(pinned ? "download-pinned" : "download", "GB/s", (double)size * repeats / down * 1e-9);
    CHECK(cudaFree(device));
    if (pinned)
        CHECK(cudaFreeHost(host));
    else
        free(host);
}

static void launch_own(int count)
{
    int *x;
    double start = 0;
    CHECK(cudaMalloc(&x, (size_t)count * 256));
    for (int round = 0; round < 2; ++round) {
        start = bench_now();
        for (int k = 0; k < count; ++k)
            one<<<1, 1>>>(x + 64 * k);
        CHECK(cudaDeviceSynchronize());
    }
    bench_report("launch-own", "us", (bench_now() - start) / count * 1e6);
    CHECK(cudaFree(x));
}

static int start()
{
    enum { N = 1000 };
    static float a[N], b[N], c[N];
    float *x;
    for (int i = 0; i < N; ++i) {
        b[i] = (float)i;
        c[i] = 2;
    }
    CHECK(cudaMalloc(&x, 3 * sizeof a));
    CHECK(cudaMemcpy(x + N, b, sizeof b, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(x + 2 * N, c, sizeof c, cudaMemcpyHostToDevice));
    triad_kernel<<<(N + 255) / 256, 256>>>(x, x + N, x + 2 * N, N);
    CHECK(cudaMemcpy(a, x, sizeof a, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; ++i)
        if (a[i] != (float)i + 6)
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "start"))
        return start();
    int n = 1 << 28, repeats = 20;
    float *a = filled(n, 0), *b = filled(n, 1), *c = filled(n, 2);
    double start = 0;
    for (int k = -2; k < repeats; ++k) {
        if (k == 0) {
            CHECK(cudaDeviceSynchronize());
            start = bench_now();
        }
        triad_kernel<<<(n + 255) / 256, 256>>>(a, b, c, n);
    }
    CHECK(cudaDeviceSynchronize());
    bench_report("triad", "GB/s", 3.0 * n * sizeof(float) / ((bench_now() - start) / repeats) * 1e-9);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));

    n = 4096, repeats = 5;
    a = filled((size_t)n * n, 1), b = filled((size_t)n * n, 2), c = filled((size_t)n * n, 0);
    for (int k = -1; k < repeats; ++k) {
        if (k == 0) {
            CHECK(cudaDeviceSynchronize());
            start = bench_now();
        }
        sgemm_kernel<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, b, c, n);
    }
    CHECK(cudaDeviceSynchronize());
    bench_report("sgemm", "TFLOP/s", 2.0 * n * n * n / ((bench_now() - start) / repeats) * 1e-12);

    int *x;
    CHECK(cudaMalloc(&x, sizeof *x));
    double best = 1;
    repeats = 1000;
    for (int k = -10; k < repeats; ++k) {
        double before = bench_now();
        one<<<1, 1>>>(x);
        CHECK(cudaDeviceSynchronize());
        if (k >= 0 && bench_now() - before < best)
            best = bench_now() - before;
    }
    bench_report("launch+wait", "us", best * 1e6);
    for (int k = -10; k < repeats; ++k) {
        if (k == 0) {
            CHECK(cudaDeviceSynchronize());
            start = bench_now();
        }
        one<<<1, 1>>>(x);
    }
    CHECK(cudaDeviceSynchronize());
    bench_report("launch", "us", (bench_now() - start) / repeats * 1e6);
    CHECK(cudaFree(x));
    launch_own(5000);
    copies(false, 5);
    copies(true, 5);
}
