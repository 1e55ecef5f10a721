/* The benchmark's computations through OpenCL, on PoCL's CPU device: programs, kernels and the queue are made once, buffers
 * are the host's own memory. The file name of kernels.cl is KERNELS. */
#define CL_TARGET_OPENCL_VERSION 120
#include "bench.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void check(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "OpenCL: %s failed: %d\n", what, code);
    exit(1);
}

static char *text_of(const char *name)
{
    FILE *file = fopen(name, "r");
    char *text = calloc(1, 1 << 16);
    if (!file || !text || !fread(text, 1, (1 << 16) - 1, file)) {
        fprintf(stderr, "cannot read %s\n", name);
        exit(1);
    }
    fclose(file);
    return text;
}

static void open_device(void)
{
    cl_platform_id platforms[8];
    cl_uint count;
    cl_device_id device;
    cl_int code;
    check(clGetPlatformIDs(8, platforms, &count), "clGetPlatformIDs");
    cl_uint pocl = 0;
    char name[256] = "";
    for (; pocl < count; ++pocl) {
        clGetPlatformInfo(platforms[pocl], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (strstr(name, "Portable"))
            break;
    }
    check(pocl < count ? CL_SUCCESS : CL_DEVICE_NOT_FOUND, "looking for PoCL");
    check(clGetDeviceIDs(platforms[pocl], CL_DEVICE_TYPE_CPU, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    char *text = text_of(KERNELS);
    program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    free(text);
}

static cl_kernel kernel_of(cl_kernel *kernel, const char *name)
{
    cl_int code = CL_SUCCESS;
    if (!context)
        open_device();
    if (!*kernel)
        *kernel = clCreateKernel(program, name, &code);
    check(code, name);
    return *kernel;
}

static cl_mem buffer_of(const void *data, size_t floats, cl_mem_flags flags)
{
    cl_int code;
    cl_mem buffer = clCreateBuffer(context, flags | CL_MEM_USE_HOST_PTR, floats * sizeof(float),
                                   (void *)data, &code);
    check(code, "clCreateBuffer");
    return buffer;
}

/* What a kernel wrote is in the host's memory: a map says so to OpenCL. */
static void give_back(cl_mem buffer, size_t floats)
{
    cl_int code;
    void *data = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, floats * sizeof(float),
                                    0, NULL, NULL, &code);
    check(code, "clEnqueueMapBuffer");
    check(clEnqueueUnmapMemObject(queue, buffer, data, 0, NULL, NULL), "clEnqueueUnmapMemObject");
    check(clFinish(queue), "clFinish");
    clReleaseMemObject(buffer);
}

#define ARGUMENT(index, value) check(clSetKernelArg(k, index, sizeof(value), &(value)), "an argument")

static void start(cl_kernel k, cl_uint rank, const size_t *global, const size_t *local)
{
    check(clEnqueueNDRangeKernel(queue, k, rank, NULL, global, local, 0, NULL, NULL), "a kernel");
}

void triad_pocl(int n, float s, float *a, const float *b, const float *c)
{
    static cl_kernel made;
    cl_kernel k = kernel_of(&made, "triad");
    size_t size = (size_t)n;
    cl_mem av = buffer_of(a, size, CL_MEM_WRITE_ONLY), bv = buffer_of(b, size, CL_MEM_READ_ONLY),
           cv = buffer_of(c, size, CL_MEM_READ_ONLY);
    ARGUMENT(0, s);
    ARGUMENT(1, av);
    ARGUMENT(2, bv);
    ARGUMENT(3, cv);
    start(k, 1, &size, NULL);
    give_back(av, size);
    clReleaseMemObject(bv);
    clReleaseMemObject(cv);
}

void jacobi_pocl(int n, int rounds, float *a, float *b)
{
    static cl_kernel made;
    cl_kernel k = kernel_of(&made, "jacobi");
    size_t size = (size_t)n * (size_t)n, inside[2] = {(size_t)n - 2, (size_t)n - 2};
    cl_mem u = buffer_of(a, size, CL_MEM_READ_WRITE), v = buffer_of(b, size, CL_MEM_READ_WRITE);
    for (int r = 0; r < rounds; ++r) {
        ARGUMENT(0, n);
        clSetKernelArg(k, 1, sizeof u, r % 2 ? &v : &u);
        clSetKernelArg(k, 2, sizeof u, r % 2 ? &u : &v);
        start(k, 2, inside, NULL);
    }
    give_back(u, size);
    give_back(v, size);
}

void mandelbrot_pocl(int n, int limit, int *out)
{
    static cl_kernel made;
    cl_kernel k = kernel_of(&made, "mandelbrot");
    size_t size = (size_t)n * (size_t)n, all[2] = {(size_t)n, (size_t)n};
    cl_mem v = buffer_of(out, size, CL_MEM_WRITE_ONLY);
    ARGUMENT(0, n);
    ARGUMENT(1, limit);
    ARGUMENT(2, v);
    start(k, 2, all, NULL);
    give_back(v, size);
}

void black_scholes_pocl(int n, const float *price, const float *strike, const float *years,
                        float *call, float *put)
{
    static cl_kernel made;
    cl_kernel k = kernel_of(&made, "black_scholes");
    size_t size = (size_t)n;
    cl_mem s = buffer_of(price, size, CL_MEM_READ_ONLY), x = buffer_of(strike, size, CL_MEM_READ_ONLY),
           t = buffer_of(years, size, CL_MEM_READ_ONLY), c = buffer_of(call, size, CL_MEM_WRITE_ONLY),
           p = buffer_of(put, size, CL_MEM_WRITE_ONLY);
    ARGUMENT(0, s);
    ARGUMENT(1, x);
    ARGUMENT(2, t);
    ARGUMENT(3, c);
    ARGUMENT(4, p);
    start(k, 1, &size, NULL);
    give_back(c, size);
    give_back(p, size);
    clReleaseMemObject(s);
    clReleaseMemObject(x);
    clReleaseMemObject(t);
}

void sgemm_pocl(int n, const float *a, const float *b, float *c)
{
    static cl_kernel made;
    cl_kernel k = kernel_of(&made, "sgemm");
    size_t size = (size_t)n * (size_t)n, all[2] = {(size_t)n, (size_t)n}, tile[2] = {16, 16};
    cl_mem av = buffer_of(a, size, CL_MEM_READ_ONLY), bv = buffer_of(b, size, CL_MEM_READ_ONLY),
           cv = buffer_of(c, size, CL_MEM_WRITE_ONLY);
    ARGUMENT(0, n);
    ARGUMENT(1, av);
    ARGUMENT(2, bv);
    ARGUMENT(3, cv);
    start(k, 2, all, tile);
    give_back(cv, size);
    clReleaseMemObject(av);
    clReleaseMemObject(bv);
}

void nbody_pocl(int n, const float *x, const float *y, const float *z, float *ax, float *ay,
                float *az)
{
    static cl_kernel made;
    cl_kernel k = kernel_of(&made, "nbody");
    size_t size = (size_t)n;
    const float *in[] = {x, y, z};
    float *out[] = {ax, ay, az};
    cl_mem buffers[6];
    ARGUMENT(0, n);
    for (unsigned i = 0; i < 6; ++i) {
        buffers[i] = i < 3 ? buffer_of(in[i], size, CL_MEM_READ_ONLY)
                           : buffer_of(out[i - 3], size, CL_MEM_WRITE_ONLY);
        ARGUMENT(i + 1, buffers[i]);
    }
    start(k, 1, &size, NULL);
    for (int i = 3; i < 6; ++i)
        give_back(buffers[i], size);
    for (int i = 0; i < 3; ++i)
        clReleaseMemObject(buffers[i]);
}
