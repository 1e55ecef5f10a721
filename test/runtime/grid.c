/* The grid of groups: enough of them, within the device's limits, and numbered in 32 bits without a number twice.
 * RUN: %build -I %S/../../runtime -o %t && %t
 */
#include "../../runtime/domain.c"
#include "../../runtime/status.c"
#include "check.h"

static void check_grid(uint64_t items, uint32_t size, const uint32_t limits[3], bool tiled)
{
    struct ampc_device device = {.preferred_group_size = size};
    struct ampc_kernel kernel = {.rank = 3, .tile = {tiled, tiled, tiled}};
    struct ampc_domain domain = {.rank = 3, .tiled = tiled, .extent = {1, 1, 1}, .tile = {1, 1, 1}};
    struct ampc_plan plan = {0};
    for (int k = 0; k < 3; ++k)
        device.limits.groups[k] = limits[k];
    /* As extents below 2^31. */
    domain.extent[0] = items > INT32_MAX ? 3 : 1;
    domain.extent[1] = (int)(items / (unsigned)domain.extent[0]);
    items = (uint64_t)domain.extent[0] * (unsigned)domain.extent[1];
    ampc_plan_groups(&kernel, &domain, &device, &plan);
    uint64_t groups = 1;
    for (int k = 0; k < 3; ++k) {
        CHECK(plan.groups[k] >= 1 && plan.groups[k] <= limits[k]);
        groups *= plan.groups[k];
    }
    uint64_t numbers = groups * (tiled ? 1 : size);
    CHECK(plan.group_size == (tiled ? 0 : size));
    CHECK(numbers >= items && numbers <= UINT64_C(1) << 32);
    /* Kernels count on these. No row, or layer, more than needed. */
    CHECK(plan.groups[1] == 1 || plan.groups[0] == 4096);
    CHECK(plan.groups[2] == 1 || plan.groups[1] == 32768);
    uint64_t piece = plan.groups[2] > 1 ? 4096 * 32768 : plan.groups[1] > 1 ? 4096 : 1;
    CHECK(numbers - items < piece * (tiled ? 1 : size));
}

int main(void)
{
    static const uint32_t limits[][3] = {
        {65535, 65535, 65535}, {2147483647, 65535, 65535}, {65536, 65536, 65536}, {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    static const uint64_t counts[] = {
        1,         2,          255,        256,        257,        65535,      65536,      65537,
        16776960,  16776961,   16777216,   16777217,   1073741823, 2147483647, 2147483648, 3000000000,
        4294770690, 4294836225, 4294901760, 4294967040, 4294967041, 4294967292, 4294967295};
    for (size_t l = 0; l < sizeof limits / sizeof *limits; ++l)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
            for (uint32_t size = 64; size <= 1024; size *= 2) {
                check_grid(counts[c], size, limits[l], false);
                check_grid(counts[c], size, limits[l], true);
            }
    return 0;
}
