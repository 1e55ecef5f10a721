/* Memory that is copied again, and staging arrays, are pinned where the device can: the same data as by staging memory.
 * REQUIRES: vulkan
 * RUN: %kernels
 * RUN: %build -o %t
 * RUN: env AMPC_VULKAN_STAGING=1 AMPC_LOG=1 %run %t 2>&1 | %FileCheck %s
 * RUN: %run %t
 * CHECK: view
 * CHECK-NOT: pinned
 * CHECK: copy 37748{{[0-9]+}} bytes from
 * CHECK: pinned 37748{{[0-9]+}} bytes
 * CHECK: staging
 * CHECK: pinned 2097152 bytes
 * CHECK: done
 */
#include "check.h"
#include "kernels.h"

#include <stdlib.h>

enum { N = 9437185, M = 1 << 19 }; /* 36 MiB and an element, 2 MiB */

/* Neither begins nor ends with a page. */
static void view(void)
{
    float *memory = malloc((N + 2) * sizeof *memory), *p = memory + 1;
    p[-1] = p[N] = -7;
    for (int i = 0; i < N; ++i)
        p[i] = (float)(i % 1000);
    array_view(float, 1) v = array_view_of(p, N);
    for (int round = 1; round <= 4; ++round) {
        axpy(v, v, v, 1); /* doubles */
        array_view_synchronize(v);
        for (int i = 0; i < N; ++i)
            CHECK(p[i] == (float)((i % 1000) << round));
        /* A part that begins and ends somewhere. */
        array_view(float, 1) part = array_view_section(v, N / 3, N / 2);
        array_view_refresh(part);
    }
    array_view_close(v);
    CHECK(p[-1] == -7 && p[N] == -7);
    free(memory);
}

static void staging(void)
{
    accelerator_view queue = accelerator_default_view(accelerator_default());
    array(float, 1) host = array_new_staging(queue, float, M), device = array_new(float, M);
    for (int i = 0; i < M; ++i)
        *AMPC_WRITE(float, host, i) = (float)i;
    for (int round = 0; round < 3; ++round) {
        amp_copy(host, device);
        axpy(device, device, device, 0.5f);
        amp_copy(device, host);
    }
    for (int i = 0; i < M; ++i)
        CHECK(*AMPC_READ(float, host, i) == (float)i * 3.375f);
    array_free(host);
    array_free(device);
}

int main(void)
{
    fprintf(stderr, "view\n");
    view();
    fprintf(stderr, "staging\n");
    staging();
    fprintf(stderr, "done\n");
    return 0;
}
