/* Threads with views of their own share the runtime; the log says what happens.
 * REQUIRES: vulkan
 * RUN: %kernels
 * RUN: %build -o %t && %run %t
 * RUN: env AMPC_LOG=1 %t once 2>&1 | %FileCheck %s
 * CHECK: ampc: accelerator vulkan:0: [[NAME:.*[^ ]]]
 * CHECK: ampc: default accelerator vulkan:0:
 * CHECK: ampc: copy 256 bytes to vulkan:0
 * CHECK: ampc: launch fill.0 (test.ampc:20) over 1 x 64 on vulkan:0: 1 x 1 x 1 groups
 * CHECK: ampc: copy 256 bytes from vulkan:0
 */
#include "check.h"
#include "kernels.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 50, N = 64 };

static void *work(void *argument)
{
    int rounds = *(int *)argument;
    for (int round = 0; round < rounds; ++round) {
        float p[N] = {0};
        {
            array_view(float, 1) v = array_view_of(p, N);
            AMPC_OWN(v);
            fill_row(v, (float)round);
            if (round % 2)
                axpy(v, v, v, 1);
            CHECK(*AMPC_READ(float, v, 1) == (float)((round + 1) * (1 + round % 2)));
            fill_row(v, (float)-round);
        }
        CHECK(p[N - 1] == (float)(N - 1 - round));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    (void)argv;
    int rounds = argc > 1 ? 1 : ROUNDS, threads = argc > 1 ? 1 : THREADS;
    pthread_t thread[THREADS];
    for (int i = 0; i < threads; ++i)
        CHECK(!pthread_create(&thread[i], NULL, work, &rounds));
    for (int i = 0; i < threads; ++i)
        pthread_join(thread[i], NULL);
}
