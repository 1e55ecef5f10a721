/* Launches kernel.comp through the runtime, as code that ampcc emits would. */
#include "kernels.h"
#include "kernel_spirv.h" /* made by glslangValidator: const uint32_t kernel_spirv[] */

struct captures {
    array_view(const float, 1) a;
    array_view(const float, 1) b;
    array_view(float, 1) c;
};

static const struct ampc_argument arguments[] = {
    {.kind = AMPC_ARG_VIEW_ADDRESS, .offset = 0, .size = 8, .source = offsetof(struct captures, a)},
    {.kind = AMPC_ARG_VIEW_ADDRESS, .offset = 8, .size = 8, .source = offsetof(struct captures, b)},
    {.kind = AMPC_ARG_VIEW_ADDRESS, .offset = 16, .size = 8, .source = offsetof(struct captures, c)},
    {.kind = AMPC_ARG_DOMAIN_EXTENT, .offset = 24, .size = 4},
};

static const struct ampc_captured_view views[] = {
    {.source = offsetof(struct captures, a), .element_size = 4, .rank = 1, .read_only = 1},
    {.source = offsetof(struct captures, b), .element_size = 4, .rank = 1, .read_only = 1},
    {.source = offsetof(struct captures, c), .element_size = 4, .rank = 1},
};

static const struct ampc_kernel kernel = {
    .abi_version = AMPC_ABI_VERSION,
    .size = sizeof(struct ampc_kernel),
    .name = "add_in_glsl",
    .file = "kernel.comp",
    .line = 22,
    .rank = 1,
    .argument_bytes = 28,
    .argument_count = sizeof arguments / sizeof *arguments,
    .arguments = arguments,
    .view_count = sizeof views / sizeof *views,
    .views = views,
    .spirv = kernel_spirv,
    .spirv_words = sizeof kernel_spirv / sizeof *kernel_spirv,
};

void add_in_glsl(array_view(const float, 1) a, array_view(const float, 1) b, array_view(float, 1) c)
{
    const struct captures captures = {a, b, c};
    ampc_launch(&kernel, NULL, ampc_domain_1(extent_of(c)), &captures);
}
