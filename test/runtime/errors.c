/* Errors with a handler that returns: the call has no effect, the error stays readable, host data is unharmed.
 * REQUIRES: vulkan
 * RUN: %kernels
 * RUN: %build -o %t && %run %t
 */
#include "check.h"
#include "kernels.h"

#include <sys/wait.h>
#include <unistd.h>

enum { N = 16 };

static float p[N];

static void stale_view(void)
{
    array_view(float, 1) v = array_view_of(p, N), part = array_view_section(v, 2, 3);
    *AMPC_WRITE(float, v, 0) = 5;
    array_view_close(v);
    CHECK(seen_count == 0);
    CHECK(*AMPC_READ(float, part, 0) == 0);
    CHECK_ERROR(amp_error_runtime, "after its source was closed");
    *AMPC_WRITE(float, v, 0) = 9; /* goes to scratch memory */
    CHECK_ERROR(amp_error_runtime, "after its source was closed");
    CHECK(p[0] == 5);
    fill_row(v, 1);
    CHECK_ERROR(
        amp_error_runtime,
        "test.ampc:20: kernel fill.0 was not started: captured view 1: a view was used after");
    array_view_synchronize(v);
    CHECK_ERROR(amp_error_runtime, "after its source was closed");
    /* The slot is used again: the old view does not come back to life. */
    array_view(float, 1) w = array_view_of(p, N);
    AMPC_OWN(w);
    CHECK(w.source == v.source);
    CHECK(*AMPC_READ(float, w, 0) == 5);
    CHECK(*AMPC_READ(float, v, 0) == 0);
    CHECK_ERROR(amp_error_runtime, "after its source was closed");
    const char *message;
    CHECK(accelerator_view_error(accelerator_default_view(accelerator_default()), &message) ==
          amp_error_runtime);
    CHECK(strstr(message, "after its source was closed"));
    CHECK(accelerator_view_error(NULL, NULL) == amp_error_runtime);
}

static void bad_views(void)
{
    array_view(float, 2) v = array_view_of(p, 4, -3);
    AMPC_OWN(v);
    CHECK_ERROR(amp_error_runtime, "array_view_of: the length of dimension 1 is -3");
    CHECK(extent_of(v)[0] == 0);
    (void)*AMPC_READ(float, v, 0, 0);
    CHECK_ERROR(amp_error_runtime, "an empty view was used");
    array_view(float, 1) none = array_view_of((float *)NULL, 4);
    AMPC_OWN(none);
    CHECK_ERROR(amp_error_runtime, "array_view_of: the pointer is NULL");
    array_view(float, 4) huge = array_view_new(float, 1 << 30, 1 << 30, 1 << 30, 2);
    AMPC_OWN(huge);
    CHECK_ERROR(amp_error_out_of_memory, "the size does not fit");
    array_view(float, 1) zero = array_view_of((float *)NULL, 0);
    AMPC_OWN(zero);
    array_view_synchronize(zero);
    CHECK(seen_count == 0 && extent_of(zero) == 0);

    array_view(float, 2) w = array_view_of(p, 4, 4);
    AMPC_OWN(w);
    array_view_section(w, make_index(1, 2), make_extent(2, 3));
    CHECK_ERROR(amp_error_runtime,
                "in dimension 1 the part from 2, 3 long, does not lie in a view 4 long");
    array_view_section_from(w, make_index(0, 5));
    CHECK_ERROR(amp_error_runtime, "in dimension 1");
    array_view_view_as(ampc_project_2(w, 0), 3, 2);
    CHECK_ERROR(amp_error_runtime, "array_view_view_as");
    array_view(float, 1) beyond = ampc_offset(ampc_project_2(w, 3), -1);
    beyond.extent[0] = 9;
    fill_row(beyond, 0);
    CHECK_ERROR(amp_error_runtime, "reaches outside the memory");
    seen_count = 0;
}

static void domains(void)
{
    for (int i = 0; i < N; ++i)
        p[i] = 3;
    array_view(float, 2) v = array_view_of(p, 4, 4);
    AMPC_OWN(v);
    const struct fill k = {v, 1};
    ampc_launch(&fill_kernel, NULL, ampc_domain_2(make_extent(0, 4)), &k);
    CHECK_ERROR(
        amp_error_invalid_compute_domain,
        "test.ampc:20: kernel fill.0 was not started: dimension 0 of the compute domain is 0");
    ampc_launch(&fill_kernel, NULL, ampc_domain_2(make_extent(4, -1)), &k);
    CHECK_ERROR(amp_error_invalid_compute_domain, "dimension 1 of the compute domain is -1");
    ampc_launch(&fill_kernel, NULL, ampc_domain_2(make_extent(65536, 65536)), &k); /* 2^32 */
    CHECK_ERROR(amp_error_invalid_compute_domain, "more than 4294967295 work items");
    ampc_launch(&fill_kernel, NULL, ampc_domain_2(make_extent(1 << 30, 1 << 30)), &k);
    CHECK_ERROR(amp_error_invalid_compute_domain, "more than 4294967295 work items");
    ampc_launch(&fill_kernel, NULL, ampc_domain_1(4), &k);
    CHECK_ERROR(amp_error_invalid_compute_domain, "rank 1");
    const struct tiles t = {v};
    ampc_launch(&tiles_kernel, NULL, ampc_domain_tiled_2(tile(make_extent(3, 4), 2, 4)), &t);
    CHECK_ERROR(amp_error_invalid_compute_domain,
                "dimension 0 of the compute domain, 3, is not a multiple of the tile's, 2");
    ampc_launch(&tiles_kernel, NULL, ampc_domain_tiled_2(tile(make_extent(4, 4), 4, 4)), &t);
    CHECK_ERROR(amp_error_invalid_compute_domain,
                "dimension 0 of the launch's tile is 4, of the kernel's tiled_index 2");
    ampc_launch(&tiles_kernel, NULL, ampc_domain_tiled_2(tile(make_extent(4, 4), 0, 4)), &t);
    CHECK_ERROR(amp_error_invalid_compute_domain, "tile is 0");
    array_view_synchronize(v);
    for (int i = 0; i < N; ++i)
        CHECK(p[i] == 3);
}

/* What the device does not have, by name of the kernel. */
static void features(void)
{
    array_view(float, 2) v = array_view_of(p, 4, 4);
    AMPC_OWN(v);
    struct ampc_kernel big = tiles_kernel;
    big.tile_static_bytes = 1 << 30;
    ampc_launch(&big, NULL, ampc_domain_tiled_2(tile(make_extent(4, 4), 2, 4)),
                &(const struct tiles){v});
    CHECK_ERROR(amp_error_unsupported_feature,
                "kernel tiles.0 was not started: it needs 1073741824 bytes of tile_static");
    big = tiles_kernel;
    big.tile[0] = 1 << 20;
    ampc_launch(&big, NULL, ampc_domain_tiled_2(tile(make_extent(1 << 20, 4), 1 << 20, 4)),
                &(const struct tiles){v});
    CHECK_ERROR(amp_error_unsupported_feature, "dimension 0 of its tile is 1048576");
    big = fill_kernel;
    big.abi_version = 7;
    ampc_launch(&big, NULL, ampc_domain_2(make_extent(4, 4)), &(const struct fill){v, 0});
    CHECK_ERROR(amp_error_runtime, "version 7 of the kernel ABI");
}

/* More memory than any device has: an error, and the next launch works. */
static void memory(void)
{
    array_view(float, 2) huge = array_view_new(float, 1 << 20, 1 << 20);
    AMPC_OWN(huge); /* 4 TiB of address space */
    if (seen_count)
        CHECK_ERROR(amp_error_out_of_memory, "address space");
    else {
        fill(array_view_section(huge, make_index(0, 0), make_extent(1, 1)), 0);
        CHECK_ERROR(amp_error_out_of_memory, "bytes of accelerator memory are not to be had");
    }
    array_view(float, 2) v = array_view_of(p, 4, 4);
    AMPC_OWN(v);
    fill(v, 1);
    CHECK(*AMPC_READ(float, v, 3, 3) == 304 && seen_count == 0);
}

/* A device does not survive a fork; host data does. */
static void child_process(void)
{
    array_view(float, 2) v = array_view_of(p, 4, 4);
    AMPC_OWN(v);
    fill(v, 1);
    CHECK(*AMPC_READ(float, v, 0, 0) == 1);
    pid_t child = fork();
    CHECK(child >= 0);
    if (!child) {
        CHECK(*AMPC_READ(float, v, 0, 1) == 2);
        fill(v, 2);
        CHECK_ERROR(amp_error_runtime, "cannot be used in a child process");
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

int main(void)
{
    amp_set_error_handler(remember, NULL);
    fill_row(array_view_new(float, 4), 0); /* the default accelerator is in use from here */
    CHECK(seen_count == 0);
    stale_view();
    bad_views();
    domains();
    features();
    memory();
    child_process();
}
