/* Arrays: access types, staging, views over arrays, amp_copy.
 * REQUIRES: vulkan
 * RUN: %kernels
 * RUN: %build -o %t && %run %t
 * RUN: env AMPC_VULKAN_STAGING=1 %run %t
 */
#include "check.h"
#include "kernels.h"

enum { N = 12 };

static void copies(void)
{
    float p[N], q[N] = {0};
    for (int i = 0; i < N; ++i)
        p[i] = (float)i;
    array(float, 1) a = array_from(p, N);
    p[0] = 99; /* array_from has copied */
    array(float, 1) b = array_new(float, N);
    axpy(a, a, b, 1);
    amp_copy(b, q);
    for (int i = 0; i < N; ++i)
        CHECK(q[i] == (float)(2 * i));
    amp_copy(p, a);
    amp_copy(a, b);
    completion_future f = amp_copy_async(b, q);
    completion_future_wait(f);
    CHECK(completion_future_wait_for(f, 0));
    completion_future_free(f);
    CHECK(q[0] == 99 && q[N - 1] == N - 1);

    /* Part of a view to part of another. */
    float m[3][4] = {{0}}, n[4][4] = {{0}};
    array_view(float, 2) mv = array_view_of(&m[0][0], 3, 4);
    AMPC_OWN(mv);
    array_view(float, 2) nv = array_view_of(&n[0][0], 4, 4);
    AMPC_OWN(nv);
    fill(mv, 1);
    fill(nv, 5000);
    amp_copy(array_view_section(mv, make_index(1, 1), make_extent(2, 3)),
             array_view_section(nv, make_index(2, 0), make_extent(2, 3)));
    array_view_synchronize(nv);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            CHECK(n[i][j] == (i >= 2 && j < 3 ? (float)(1 + 100 * (i - 1) + (j + 1))
                                              : (float)(5000 + 100 * i + j)));
    array_free(array_from((float *)NULL, N));
    CHECK_ERROR(amp_error_runtime, "array_from: the pointer is NULL");
    amp_copy(mv, nv);
    CHECK_ERROR(amp_error_runtime, "dimension 0 is 3 long in the source and 4 in the destination");
    array_free(a);
    array_free(b);
}

static void view_over_array(void)
{
    array(float, 1) a = array_new(float, N);
    array_view(float, 1) v = array_view_from_array(a);
    fill_row(v, 7);
    CHECK(*AMPC_READ(float, v, 2) == 9);
    *AMPC_WRITE(float, v, 2) = 1;
    axpy(a, a, a, 1);
    CHECK(*AMPC_READ(float, v, 2) == 2 && *AMPC_READ(float, v, 3) == 20);
    CHECK(array_view_from_array(a).source == v.source);
    array_free(a);
    (void)*AMPC_READ(float, v, 0);
    CHECK_ERROR(amp_error_runtime, "after its source was closed");
}

static void access(void)
{
    accelerator acc = accelerator_default();
    array(float, 1) none = array_new(float, N);
    (void)*AMPC_READ(float, none, 0);
    CHECK_ERROR(amp_error_runtime, "does not let the CPU in");
    array_free(none);
    array_free(none);
    CHECK_ERROR(amp_error_runtime, "array_free, of an array freed before?");
    array_free((array(float, 1)){.source = NULL});
    if (!accelerator_supports_cpu_shared_memory(acc)) {
        array_free(array_new_access(NULL, access_type_read, float, N));
        CHECK_ERROR(amp_error_runtime, "does not share its memory with the CPU");
        CHECK(!accelerator_set_default_cpu_access_type(acc, access_type_read));
        return;
    }
    array(float, 1) r = array_new_access(accelerator_default_view(acc), access_type_read, float, N);
    fill_row(r, 3);
    CHECK(*AMPC_READ(float, r, 1) == 4 && seen_count == 0);
    *AMPC_WRITE(float, r, 1) = 5;
    CHECK_ERROR(amp_error_runtime, "written on the host");
    CHECK(*AMPC_READ(float, r, 1) == 4);
    array_free(r);
    CHECK(accelerator_get_default_cpu_access_type(acc) == access_type_none);
    CHECK(accelerator_set_default_cpu_access_type(acc, access_type_read_write));
    array(float, 1) rw = array_new(float, N);
    *AMPC_WRITE(float, rw, 0) = 2;
    CHECK(*AMPC_READ(float, rw, 0) == 2 && seen_count == 0);
    array_free(rw);
    CHECK(!accelerator_set_default_cpu_access_type(acc, access_type_auto));
    accelerator_set_default_cpu_access_type(acc, access_type_none);
}

static void staging(void)
{
    array(float, 1) s = array_new_staging(NULL, float, N), a = array_new(float, N);
    for (int i = 0; i < N; ++i)
        *AMPC_WRITE(float, s, i) = (float)i;
    amp_copy(s, a);
    axpy(a, a, a, 2);
    amp_copy(a, s);
    CHECK(*AMPC_READ(float, s, 5) == 15);
    fill_row(s, 1);
    CHECK_ERROR(amp_error_runtime, "captures a staging array");
    array_free(s);
    array_free(a);
}

int main(void)
{
    amp_set_error_handler(remember, NULL);
    copies();
    view_over_array();
    access();
    staging();
    CHECK(seen_count == 0);
}
