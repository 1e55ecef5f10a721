/* domain.c - see domain.h. */
#include "domain.h"

bool ampc_domain_check(const struct ampc_kernel *kernel, const struct ampc_domain *domain,
                       struct ampc_status *status)
{
    const amp_error code = amp_error_invalid_compute_domain;
    bool tiled = kernel->tile[0] != 0;
    if (domain->rank < 1 || domain->rank > 4 || (uint32_t)domain->rank != kernel->rank ||
        tiled != !!domain->tiled)
        return ampc_fail(status, code, "the domain (rank %d, %s) is not the kernel's (rank %u, %s)",
                         domain->rank, domain->tiled ? "tiled" : "not tiled", kernel->rank,
                         tiled ? "tiled" : "not tiled");
    uint64_t items = 1;
    for (int k = 0; k < domain->rank; ++k) {
        if (domain->extent[k] <= 0)
            return ampc_fail(status, code,
                             "dimension %d of the compute domain is %d; it must be at least 1", k,
                             domain->extent[k]);
        /* Below 2^63 always: the product so far is below 2^32. */
        items *= (uint64_t)domain->extent[k];
        if (items > UINT32_MAX)
            return ampc_fail(status, code,
                             "the compute domain has more than 4294967295 work items");
    }
    for (int k = 0; tiled && k < domain->rank; ++k) {
        if (domain->tile[k] < 1 || (uint32_t)domain->tile[k] != kernel->tile[k])
            return ampc_fail(
                status, code,
                "dimension %d of the launch's tile is %d, of the kernel's tiled_index %u", k,
                domain->tile[k], kernel->tile[k]);
        if (domain->extent[k] % domain->tile[k])
            return ampc_fail(
                status, code,
                "dimension %d of the compute domain, %d, is not a multiple of the tile's, %d; use "
                "tiled_extent_pad or tiled_extent_truncate",
                k, domain->extent[k], domain->tile[k]);
    }
    return true;
}

/* What a device may lack, in words. */
static const struct {
    uint32_t feature;
    const char *name;
} features[] = {
    {AMPC_FEATURE_DOUBLE, "double"},
    {AMPC_FEATURE_INT8, "8-bit integers in views"},
    {AMPC_FEATURE_INT16, "16-bit integers in views"},
    {AMPC_FEATURE_TILE_INT8, "8-bit integers in tile_static variables"},
    {AMPC_FEATURE_TILE_INT16, "16-bit integers in tile_static variables"},
};

bool ampc_kernel_check(const struct ampc_kernel *kernel, const struct ampc_device *device,
                       struct ampc_status *status)
{
    const amp_error code = amp_error_unsupported_feature;
    const struct ampc_limits *limits = &device->limits;
    for (size_t k = 0; k < sizeof features / sizeof *features; ++k)
        if (kernel->features & ~device->features & features[k].feature)
            return ampc_fail(status, code, "it uses %s, which %s does not support",
                             features[k].name, device->name);
    if (kernel->tile_static_bytes > limits->tile_static_bytes)
        return ampc_fail(status, code, "it needs %u bytes of tile_static memory; %s has %u",
                         kernel->tile_static_bytes, device->name, limits->tile_static_bytes);
    uint64_t items = 1;
    for (uint32_t k = 0; kernel->tile[0] && k < kernel->rank; ++k) {
        uint32_t limit =
            limits->group_size[kernel->rank - 1 - k]; /* the device's x is the last dimension */
        items *= kernel->tile[k];
        if (kernel->tile[k] > limit)
            return ampc_fail(status, code, "dimension %u of its tile is %u; %s allows at most %u",
                             k, kernel->tile[k], device->name, limit);
    }
    if (items > limits->group_items)
        return ampc_fail(status, code, "its tile has %llu work items; %s allows at most %u",
                         (unsigned long long)items, device->name, limits->group_items);
    return true;
}

static uint64_t divide_up(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

void ampc_plan_groups(const struct ampc_kernel *kernel, const struct ampc_domain *domain,
                      const struct ampc_device *device, struct ampc_plan *plan)
{
    uint64_t items = 1, size = 1;
    for (int k = 0; k < domain->rank; ++k)
        items *= (uint64_t)domain->extent[k];
    plan->group_size = 0;
    for (int k = 0; kernel->tile[0] && k < domain->rank; ++k)
        size *= kernel->tile[k];
    if (!kernel->tile[0])
        size = plan->group_size = device->preferred_group_size;
    /* As few groups as possible beyond those needed: each dimension only as long as it has to be.
     */
    uint64_t groups = divide_up(items, size);
    /* In one row where the device allows it. Numbers are 32 bits: since rows and layers are powers of
     * two, those of groups beyond the ones needed do not begin anew with 0. */
    uint64_t row = AMPC_GRID_COLUMNS, layer = row * AMPC_GRID_ROWS;
    bool one_row = groups <= device->limits.groups[0], one_layer = groups <= layer;
    plan->groups[0] = (uint32_t)(one_row ? groups : row);
    plan->groups[1] = one_row ? 1 : one_layer ? (uint32_t)divide_up(groups, row) : AMPC_GRID_ROWS;
    plan->groups[2] = one_row || one_layer ? 1 : (uint32_t)divide_up(groups, layer);
}
