/* kernels.h - the kernels in the .comp files beside this one, as ampcc would describe them. */
#ifndef KERNELS_H
#define KERNELS_H

#include <amp.h>

#include "axpy.h"
#include "fill.h"
#include "indirect.h"
#include "tiles.h"

#define WORDS(name) .spirv = name##_spirv, .spirv_words = sizeof name##_spirv / sizeof *name##_spirv
#define COUNT(table) (sizeof(table) / sizeof *(table))
#define KERNEL(n, l)                                                                               \
    .abi_version = AMPC_ABI_VERSION, .size = sizeof(struct ampc_kernel), .name = n,                \
    .file = "test.ampc", .line = l

struct axpy {
    array_view(const float, 1) a, b;
    array_view(float, 1) c;
    float s;
};
static const struct ampc_argument axpy_arguments[] = {
    {AMPC_ARG_VIEW_ADDRESS, 0, 0, 0, 8, offsetof(struct axpy, a)},
    {AMPC_ARG_VIEW_ADDRESS, 0, 0, 8, 8, offsetof(struct axpy, b)},
    {AMPC_ARG_VIEW_ADDRESS, 0, 0, 16, 8, offsetof(struct axpy, c)},
    {AMPC_ARG_DOMAIN_EXTENT, 0, 0, 24, 4, 0},
    {AMPC_ARG_BYTES, 0, 0, 28, 4, offsetof(struct axpy, s)},
};
static const struct ampc_captured_view axpy_views[] = {{offsetof(struct axpy, a), 4, 1, 1},
                                                       {offsetof(struct axpy, b), 4, 1, 1},
                                                       {offsetof(struct axpy, c), 4, 1, 0}};
static const struct ampc_kernel axpy_kernel = {
    KERNEL("axpy.0", 10), .rank = 1,
    .argument_bytes = 32, .argument_count = COUNT(axpy_arguments),
    .view_count = 3,      .arguments = axpy_arguments,
    .views = axpy_views,  WORDS(axpy)};

struct fill {
    array_view(float, 2) v;
    float first;
};
static const struct ampc_argument fill_arguments[] = {
    {AMPC_ARG_VIEW_ADDRESS, 0, 0, 0, 8, offsetof(struct fill, v)},
    {AMPC_ARG_VIEW_STRIDE, 0, 0, 8, 8, offsetof(struct fill, v)},
    {AMPC_ARG_DOMAIN_EXTENT, 0, 0, 16, 4, 0},
    {AMPC_ARG_VIEW_EXTENT, 1, 0, 20, 4, offsetof(struct fill, v)},
    {AMPC_ARG_BYTES, 0, 0, 24, 4, offsetof(struct fill, first)},
};
static const struct ampc_captured_view fill_views[] = {{offsetof(struct fill, v), 4, 2, 0}};
static const struct ampc_kernel fill_kernel = {
    KERNEL("fill.0", 20), .rank = 2,
    .argument_bytes = 28, .argument_count = COUNT(fill_arguments),
    .view_count = 1,      .arguments = fill_arguments,
    .views = fill_views,  WORDS(fill)};

struct indirect {
    array_view(float, 1) v;
    float captured[40];
};
static const struct ampc_argument indirect_arguments[] = {
    {AMPC_ARG_VIEW_ADDRESS, 0, 0, 0, 8, offsetof(struct indirect, v)},
    {AMPC_ARG_DOMAIN_EXTENT, 0, 0, 8, 4, 0},
    {AMPC_ARG_BYTES, 0, 0, 12, 160, offsetof(struct indirect, captured)},
};
static const struct ampc_captured_view indirect_views[] = {{offsetof(struct indirect, v), 4, 1, 0}};
static const struct ampc_kernel indirect_kernel = {KERNEL("indirect.0", 30),
                                                   .rank = 1,
                                                   .argument_bytes = 172,
                                                   .indirect = 1,
                                                   .argument_count = COUNT(indirect_arguments),
                                                   .view_count = 1,
                                                   .arguments = indirect_arguments,
                                                   .views = indirect_views,
                                                   WORDS(indirect)};

struct tiles {
    array_view(float, 2) v;
};
static const struct ampc_argument tiles_arguments[] = {
    {AMPC_ARG_VIEW_ADDRESS, 0, 0, 0, 8, 0},
    {AMPC_ARG_VIEW_STRIDE, 0, 0, 8, 8, 0},
    {AMPC_ARG_DOMAIN_EXTENT, 0, 0, 16, 4, 0},
    {AMPC_ARG_DOMAIN_EXTENT, 1, 0, 20, 4, 0},
};
static const struct ampc_captured_view tiles_views[] = {{0, 4, 2, 0}};
static const struct ampc_kernel tiles_kernel = {
    KERNEL("tiles.0", 40), .rank = 2,
    .tile = {2, 4},        .tile_static_bytes = 32,
    .argument_bytes = 24,  .argument_count = COUNT(tiles_arguments),
    .view_count = 1,       .arguments = tiles_arguments,
    .views = tiles_views,  WORDS(tiles)};

__attribute__((unused)) static void axpy(struct ampc_view_1 a, struct ampc_view_1 b,
                                         struct ampc_view_1 c, float s)
{
    ampc_launch(&axpy_kernel, NULL, ampc_domain_1(extent_of(c)), &(const struct axpy){a, b, c, s});
}

__attribute__((unused)) static void fill(struct ampc_view_2 v, float first)
{
    ampc_launch(&fill_kernel, NULL, ampc_domain_2(extent_of(v)), &(const struct fill){v, first});
}

/* fill of rank 1: v[i] = first + i. */
__attribute__((unused)) static void fill_row(struct ampc_view_1 v, float first)
{
    fill(array_view_view_as(v, 1, v.extent[0]), first);
}

__attribute__((unused)) static void indirect(struct ampc_view_1 v, const float *captured)
{
    struct indirect k = {.v = v};
    for (int i = 0; i < 40; ++i)
        k.captured[i] = captured[i];
    ampc_launch(&indirect_kernel, NULL, ampc_domain_1(extent_of(v)), &k);
}

#endif
