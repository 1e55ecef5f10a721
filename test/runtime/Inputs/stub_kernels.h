/* stub_kernels.h - kernels in C, for the stub of Vulkan and for the CPU accelerator. */
#ifndef STUB_KERNELS_H
#define STUB_KERNELS_H

#include "stub_vulkan.h"
#include <amp.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* add: v[i][j] = v[i][j] * factor + first + 16 * i + j, modulo 256, v of bytes in groups of four:
 * each of an element's bytes alike. */
struct add {
    array_view(unsigned, 2) v;
    int factor, first;
};
struct add_push {
    uint64_t address;
    int64_t stride;
    int rows, columns, factor, first;
};

static void add_row(char *row, const struct add_push *p, int i)
{
    for (int j = 0; j < 4 * p->columns; ++j)
        row[j] = (char)(row[j] * p->factor + p->first + 16 * i + j / 4);
}

static void add_on_stub(const void *push)
{
    struct add_push p;
    memcpy(&p, push, sizeof p);
    for (int i = 0; i < p.rows; ++i)
        add_row((char *)p.address + i * p.stride, &p, i);
}

static void add_on_cpu(const void *captures, const struct ampc_domain *domain, uint64_t begin,
                       uint64_t end, void *arena)
{
    const struct add *c = captures;
    (void)arena;
    for (uint64_t at = begin; at < end; ++at) {
        int i = (int)(at / (uint64_t)domain->extent[1]),
            j = (int)(at % (uint64_t)domain->extent[1]);
        char *element = c->v.data + i * c->v.stride[0] + j * c->v.stride[1];
        for (int k = 0; k < 4; ++k)
            element[k] = (char)(element[k] * c->factor + c->first + 16 * i + j);
    }
}

static const uint32_t add_words[] = {0, 0};
static const struct ampc_argument add_arguments[] = {
    {AMPC_ARG_VIEW_ADDRESS, 0, 0, 0, 8, offsetof(struct add, v)},
    {AMPC_ARG_VIEW_STRIDE, 0, 0, 8, 8, offsetof(struct add, v)},
    {AMPC_ARG_DOMAIN_EXTENT, 0, 0, 16, 4, 0},
    {AMPC_ARG_DOMAIN_EXTENT, 1, 0, 20, 4, 0},
    {AMPC_ARG_BYTES, 0, 0, 24, 8, offsetof(struct add, factor)},
};
static const struct ampc_captured_view add_views[] = {{offsetof(struct add, v), 4, 2, 0}};
static const struct ampc_kernel add_kernel = {.abi_version = AMPC_ABI_VERSION,
                                              .size = sizeof(struct ampc_kernel),
                                              .name = "add.0",
                                              .file = "stub.ampc",
                                              .line = 1,
                                              .rank = 2,
                                              .argument_bytes = 32,
                                              .argument_count = COUNT(add_arguments),
                                              .view_count = 1,
                                              .arguments = add_arguments,
                                              .views = add_views,
                                              .spirv = add_words,
                                              .spirv_words = COUNT(add_words),
                                              .cpu = add_on_cpu};

/* take: to[i] = from[i] ^ table[i % 64]. The arguments do not fit the push constants; the last of
 * them is a buffer of constants. */
struct take {
    array_view(const unsigned, 1) from;
    array_view(unsigned, 1) to;
    unsigned table[64];
};
struct take_block {
    uint64_t from, to, constants;
    int count;
    unsigned table[64];
};
static const uint32_t take_constants[] = {7, 7};

static void take_on_stub(const void *push)
{
    struct take_block b;
    const struct take_block *at;
    memcpy(&at, push, sizeof at);
    b = *at;
    for (int i = 0; i < b.count; ++i)
        ((unsigned *)b.to)[i] = ((const unsigned *)b.from)[i] ^ b.table[i % 64] ^
                                ((const uint32_t *)b.constants)[i % 2];
}

static void take_on_cpu(const void *captures, const struct ampc_domain *domain, uint64_t begin,
                        uint64_t end, void *arena)
{
    const struct take *c = captures;
    (void)domain, (void)arena;
    for (uint64_t i = begin; i < end; ++i)
        ((unsigned *)c->to.data)[i] =
            ((const unsigned *)c->from.data)[i] ^ c->table[i % 64] ^ take_constants[i % 2];
}

static const uint32_t take_words[] = {0, 1};
static const struct ampc_argument take_arguments[] = {
    {AMPC_ARG_VIEW_ADDRESS, 0, 0, 0, 8, offsetof(struct take, from)},
    {AMPC_ARG_VIEW_ADDRESS, 0, 0, 8, 8, offsetof(struct take, to)},
    {AMPC_ARG_CONSTANTS, 0, 0, 16, 8, 0},
    {AMPC_ARG_DOMAIN_EXTENT, 0, 0, 24, 4, 0},
    {AMPC_ARG_BYTES, 0, 0, 28, 256, offsetof(struct take, table)},
};
static const struct ampc_captured_view take_views[] = {{offsetof(struct take, from), 4, 1, 1},
                                                       {offsetof(struct take, to), 4, 1, 0}};
static const struct ampc_kernel take_kernel = {.abi_version = AMPC_ABI_VERSION,
                                               .size = sizeof(struct ampc_kernel),
                                               .name = "take.0",
                                               .file = "stub.ampc",
                                               .line = 2,
                                               .rank = 1,
                                               .argument_bytes = sizeof(struct take_block),
                                               .indirect = 1,
                                               .argument_count = COUNT(take_arguments),
                                               .view_count = 2,
                                               .arguments = take_arguments,
                                               .views = take_views,
                                               .spirv = take_words,
                                               .spirv_words = COUNT(take_words),
                                               .constants = take_constants,
                                               .constant_words = COUNT(take_constants),
                                               .cpu = take_on_cpu};

stub_kernel *const stub_kernels[] = {add_on_stub, take_on_stub};

__attribute__((unused)) static void add(accelerator_view on, struct ampc_view_2 v, int factor,
                                        int first)
{
    ampc_launch(&add_kernel, on, ampc_domain_2(extent_of(v)),
                &(const struct add){v, factor, first});
}

/* add of rank 1. */
__attribute__((unused)) static void add_row_of(accelerator_view on, struct ampc_view_1 v,
                                               int factor, int first)
{
    add(on, array_view_view_as(v, 1, v.extent[0]), factor, first);
}

__attribute__((unused)) static void take(accelerator_view on, struct ampc_view_1 from,
                                         struct ampc_view_1 to, unsigned key)
{
    struct take c = {.from = from, .to = to};
    for (int i = 0; i < 64; ++i)
        c.table[i] = key + (unsigned)i;
    ampc_launch(&take_kernel, on, ampc_domain_1(extent_of(to)), &c);
}

#endif
