/* races.c - host threads that launch, copy and read at a time, each in memory of its own, all from
 * one array and one view that nobody writes; under ThreadSanitizer. */
#include "../Inputs/check.h"
#include "../Inputs/stub_kernels.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 40, N = 512 };

static unsigned shared_memory[N];
static struct ampc_view_1 shared_view;

static void *work(void *argument)
{
    unsigned own[N], copy[N], key = *(unsigned *)argument;
    accelerator all[3];
    size_t machines = accelerator_get_all(all, 3);
    array_view(unsigned, 1) v = array_view_of(own, N);
    for (unsigned round = 0; round < ROUNDS; ++round) {
        accelerator_view on =
            accelerator_create_view(all[(round + key) % machines], queuing_mode_automatic);
        take(on, shared_view, v, key + round);
        completion_future f = round % 2 ? amp_copy_async(v, copy) : array_view_synchronize_async(v);
        CHECK(*AMPC_READ(unsigned, shared_view, 3) == 3);
        completion_future_wait(f);
        completion_future_free(f);
        for (unsigned i = 0; i < N; i += 37) {
            unsigned right = i ^ (key + round + i % 64) ^ take_constants[i % 2];
            CHECK(*AMPC_READ(unsigned, v, i) == right && (!(round % 2) || copy[i] == right));
        }
        *AMPC_WRITE(unsigned, v, 5) = round;
        array(unsigned, 1) a = array_new_on(on, unsigned, N);
        amp_copy(v, a);
        amp_copy(a, copy);
        CHECK(copy[5] == round);
        array_free(a);
        accelerator_view_free(on);
    }
    array_view_close(v);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    unsigned keys[THREADS] = {1, 2, 3, 4};
    stub_has_thread = true;
    for (unsigned i = 0; i < N; ++i)
        shared_memory[i] = i;
    shared_view = array_view_of((const unsigned *)shared_memory, N);
    for (int i = 0; i < THREADS; ++i)
        CHECK(!pthread_create(&threads[i], NULL, work, &keys[i]));
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    array_view_close(shared_view);
}
