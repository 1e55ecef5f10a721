/* cpu/backend.c - the device, and what a launch is to the pool. */
#include "backend.h"
#include "../profile.h"
#include "pool.h"

#include <stdio.h>
#include <unistd.h>

static struct ampc_device device;

static size_t enumerate(struct ampc_device **out_devices, size_t capacity,
                        struct ampc_status *status)
{
    (void)status;
    if (!capacity)
        return 0;
    unsigned threads = cpu_pool_threads();
    snprintf(device.name, sizeof device.name, "CPU accelerator, %u thread%s", threads,
             threads == 1 ? "" : "s");
    device.is_host = device.emulated = device.double_precision = device.shared_memory = true;
    device.features = UINT32_MAX;
    long pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
    device.memory_bytes = pages > 0 && page_size > 0 ? (uint64_t)pages * (uint64_t)page_size : 0;
    device.preferred_group_size = 1;
    for (int k = 0; k < 3; ++k)
        device.limits.groups[k] = device.limits.group_size[k] = UINT32_MAX;
    device.limits.group_items = device.limits.tile_static_bytes = UINT32_MAX;
    out_devices[0] = &device;
    return 1;
}

static bool open_device(struct ampc_device *unused, struct ampc_status *status)
{
    (void)unused, (void)status;
    return true;
}

static bool prepare(struct ampc_device *unused, const struct ampc_kernel *kernel,
                    uint32_t group_size, struct ampc_status *status)
{
    (void)unused, (void)kernel, (void)group_size, (void)status;
    return true;
}

static bool run(struct ampc_device *unused, const struct ampc_plan *plan,
                struct ampc_status *status)
{
    (void)unused;
    const struct ampc_kernel *kernel = plan->kernel;
    uint64_t count = 1;
    for (int k = 0; k < plan->domain->rank; ++k)
        count *= (uint64_t)plan->domain->extent[k] / (kernel->tile[0] ? kernel->tile[k] : 1);
    uint64_t begin = plan->mark ? ampc_profile_now() : 0;
    if (!cpu_pool_run(kernel, plan->captures, plan->domain, count, status))
        return false;
    if (plan->mark)
        ampc_profile_done(plan->mark, begin, ampc_profile_now());
    return true;
}

const struct ampc_backend ampc_cpu_backend = {
    .name = "cpu",
    .enumerate = enumerate,
    .open = open_device,
    .prepare = prepare,
    .run = run,
};
