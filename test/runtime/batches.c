/* Launches gather in batches: full ones, barriers only where one needs another's
 * result, submitted when waited for or left alone.
 * REQUIRES: vulkan
 * RUN: %kernels
 * RUN: %build -o %t && %run %t
 * RUN: env AMPC_VULKAN_STAGING=1 %run %t
 * RUN: env AMPC_VULKAN_STAGING=2 %run %t
 * RUN: env AMPC_LOG=1 %t log 2>&1 | %FileCheck %s
 * CHECK: dependent
 * CHECK: submit 1 commands with {{[01]}} barriers
 * CHECK: submit 2 commands with 2 barriers
 * CHECK: independent
 * CHECK: submit 1 commands with {{[01]}} barriers
 * CHECK: submit 2 commands with 0 barriers
 * CHECK: sections
 * CHECK: submit 1 commands with {{[01]}} barriers
 * CHECK: submit 2 commands with 0 barriers
 * CHECK: overlapping
 * CHECK: submit 1 commands with {{[01]}} barriers
 * CHECK: submit 2 commands with 2 barriers
 * CHECK: alone
 * CHECK: submit 1 commands
 * CHECK: submit 2 commands
 * CHECK: slept
 */
#include "check.h"
#include "kernels.h"

#include <unistd.h>

enum { N = 16, MANY = 3000 };

/* Each launch needs the one before. */
static void chain(void)
{
    float one[N], sum[N] = {0};
    for (int i = 0; i < N; ++i)
        one[i] = (float)i;
    array_view(const float, 1) a = array_view_of(one, N);
    AMPC_OWN(a);
    array_view(float, 1) s = array_view_of(sum, N);
    AMPC_OWN(s);
    for (int k = 0; k < MANY; ++k)
        axpy(a, s, s, 1);
    for (int i = 0; i < N; ++i)
        CHECK(*AMPC_READ(float, s, i) == (float)(i * MANY));
}

/* Each launch has data of its own; they are read while others are still recorded, out of order. */
static void apart(void)
{
    enum { VIEWS = 200 };
    static float p[VIEWS][N];
    array_view(float, 1) v[VIEWS];
    for (int k = 0; k < VIEWS; ++k) {
        v[k] = array_view_of(p[k], N);
        fill_row(v[k], (float)(100 * k));
    }
    CHECK(*AMPC_READ(float, v[VIEWS - 1], 1) == 100 * (VIEWS - 1) + 1);
    for (int k = VIEWS; k-- > 0;) {
        axpy(v[k], v[k], v[k], 1);
        if (k % 50 == 7)
            CHECK(*AMPC_READ(float, v[k], 2) == (float)(2 * (100 * k + 2)));
    }
    for (int k = 0; k < VIEWS; ++k) {
        array_view_close(v[k]);
        CHECK(p[k][3] == (float)(2 * (100 * k + 3)));
    }
}

/* Memory given back before its command is submitted is not handed out again. */
static void short_lived(void)
{
    float out[N];
    array_view(float, 1) o = array_view_of(out, N);
    AMPC_OWN(o);
    for (int k = 0; k < 100; ++k) {
        array(float, 1) a = array_new(float, N), b = array_new(float, N);
        fill_row(array_view_from_array(a), (float)k);
        fill_row(array_view_from_array(b), 1);
        axpy(a, b, o, 1);
        array_free(a);
        array_free(b);
        if (k % 10 == 0)
            CHECK(*AMPC_READ(float, o, 5) == (float)(k + 5 + 6));
    }
}

/* Marks and flushing. */
static void started(void)
{
    accelerator_view queue = accelerator_default_view(accelerator_default());
    array(float, 1) a = array_new(float, N);
    for (int k = 0; k < 5; ++k)
        axpy(a, a, a, 1);
    completion_future f = accelerator_view_create_marker(queue);
    for (int k = 0; k < 100000 && !completion_future_wait_for(f, 0); ++k)
        usleep(100);
    CHECK(completion_future_wait_for(f, 0));
    completion_future_free(f);
    accelerator_view_flush(queue);
    accelerator_view_flush(NULL);
    accelerator_view now = accelerator_create_view(accelerator_default(), queuing_mode_immediate);
    struct axpy arguments = {a, a, a, 1};
    ampc_launch(&axpy_kernel, now, ampc_domain_1(N), &arguments);
    ampc_launch(&axpy_kernel, now, ampc_domain_1(N), &arguments);
    accelerator_view_free(now);
    array_free(a);
}

/* What the log is to show. */
static void log_batches(void)
{
    accelerator_view queue = accelerator_default_view(accelerator_default());
    array(float, 1) a = array_new(float, N), b = array_new(float, N), c = array_new(float, N);
    fill_row(array_view_from_array(a), 1);
    accelerator_view_wait(queue);
    fprintf(stderr, "dependent\n");
    for (int k = 0; k < 3; ++k)
        axpy(a, a, a, 1);
    accelerator_view_wait(queue);
    fprintf(stderr, "independent\n");
    axpy(a, a, b, 1);
    axpy(a, a, c, 1);
    axpy(a, a, array_new(float, N), 1);
    accelerator_view_wait(queue);
    fprintf(stderr, "sections\n");
    array(float, 1) d = array_new(float, 3 * N);
    for (int k = 0; k < 3; ++k)
        axpy(a, b, array_view_section(d, k * N, N), 1);
    accelerator_view_wait(queue);
    fprintf(stderr, "overlapping\n");
    for (int k = 0; k < 3; ++k)
        axpy(a, b, array_view_section(d, k * (N - 1), N), 1);
    accelerator_view_wait(queue);
    fprintf(stderr, "alone\n");
    for (int k = 0; k < 3; ++k)
        axpy(a, b, c, 1);
    sleep(1);
    fprintf(stderr, "slept\n");
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        log_batches();
        return 0;
    }
    chain();
    apart();
    short_lived();
    started();
}
