/* The six computations of the CPU benchmark in OpenCL C. */
kernel void triad(float s, global float *a, global const float *b, global const float *c)
{
    size_t i = get_global_id(0);
    a[i] = b[i] + s * c[i];
}

kernel void jacobi(int n, global const float *from, global float *to)
{
    int x = get_global_id(0), y = get_global_id(1);
    to[(y + 1) * n + x + 1] = 0.25f * (from[y * n + x + 1] + from[(y + 2) * n + x + 1] +
                                       from[(y + 1) * n + x] + from[(y + 1) * n + x + 2]);
}

kernel void mandelbrot(int n, int limit, global int *out)
{
    int x = get_global_id(0), y = get_global_id(1);
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

static float normal(float x)
{
    float l = fabs(x), k = 1 / (1 + 0.2316419f * l);
    float poly =
        k * (0.31938153f +
             k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float w = 1 - 0.39894228f * exp(-l * l / 2) * poly;
    return x < 0 ? 1 - w : w;
}

kernel void black_scholes(global const float *s, global const float *x, global const float *t,
                          global float *c, global float *p)
{
    size_t i = get_global_id(0);
    const float r = 0.02f, v = 0.30f;
    float root = sqrt(t[i]), d1 = (log(s[i] / x[i]) + (r + 0.5f * v * v) * t[i]) / (v * root);
    float d2 = d1 - v * root, n1 = normal(d1), n2 = normal(d2), e = exp(-r * t[i]);
    c[i] = s[i] * n1 - x[i] * e * n2;
    p[i] = x[i] * e * (1 - n2) - s[i] * (1 - n1);
}

__attribute__((reqd_work_group_size(16, 16, 1))) kernel void sgemm(int n, global const float *a, global const float *b, global float *c)
{
    local float as[16][16], bs[16][16];
    int row = get_local_id(1), col = get_local_id(0), y = get_global_id(1), x = get_global_id(0);
    float sum = 0;
    for (int i = 0; i < n; i += 16) {
        as[row][col] = a[y * n + i + col];
        bs[row][col] = b[(i + row) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; ++k)
            sum += as[row][k] * bs[k][col];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}

kernel void nbody(int n, global const float *x, global const float *y, global const float *z,
                  global float *ax, global float *ay, global float *az)
{
    size_t i = get_global_id(0);
    float sx = 0, sy = 0, sz = 0;
    for (int j = 0; j < n; ++j) {
        float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        float d = dx * dx + dy * dy + dz * dz + 0.01f, inverse = 1 / (d * sqrt(d));
        sx += dx * inverse;
        sy += dy * inverse;
        sz += dz * inverse;
    }
    ax[i] = sx;
    ay[i] = sy;
    az[i] = sz;
}
