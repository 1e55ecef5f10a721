/* Asynchronous copies and synchronisation: futures complete, the program's order holds, closing and freeing wait.
 * REQUIRES: vulkan
 * RUN: %kernels
 * RUN: %build -o %t && %run %t
 * RUN: env AMPC_VULKAN_STAGING=1 %run %t
 * RUN: env AMPC_VULKAN_STAGING=1 %t exit
 */
#include "check.h"
#include "kernels.h"

#include <pthread.h>

enum { N = 1 << 20 };

static float p[N], q[N];

static void set(float *values, float value)
{
    for (int i = 0; i < N; ++i)
        values[i] = value;
}

static int all(const float *values, float first, float step)
{
    for (int i = 0; i < N; ++i)
        if (values[i] != first + step * (float)i)
            return 0;
    return 1;
}

static void copies(void)
{
    array(float, 1) a = array_new(float, N), b = array_new(float, N);
    set(p, 1);
    completion_future in = amp_copy_async(p, a);
    axpy(a, a, a, 1); /* after the copy */
    completion_future across = amp_copy_async(a, b);
    fill_row(array_view_from_array(a), 9); /* after that */
    completion_future out = amp_copy_async(b, q);
    completion_future more = amp_copy_async(a, p); /* after p was read */
    axpy(b, b, b, 1);                              /* after b was read */
    completion_future_wait(out);
    CHECK(all(q, 2, 0));
    completion_future_wait(more);
    CHECK(all(p, 9, 1));
    for (int k = 0; !completion_future_wait_for(across, 1); ++k)
        CHECK(k < 10000);
    CHECK(completion_future_wait_for(in, 0) && completion_future_wait_for(out, 0));
    completion_future_free(amp_copy_async(b, q)); /* a future is not needed */
    array_free(b);                                /* waits */
    CHECK(all(q, 4, 0));
    completion_future_free(in);
    completion_future_free(across);
    completion_future_free(out);
    completion_future_free(more);
    array_free(a);
}

static void synchronize(void)
{
    set(p, 0);
    completion_future f, g;
    {
        array_view(float, 1) v = array_view_of(p, N);
        AMPC_OWN(v);
        f = array_view_synchronize_async(v); /* nothing to do */
        CHECK(completion_future_wait_for(f, 0));
        completion_future_free(f);
        fill_row(v, 5);
        f = array_view_synchronize_async(v);
        fill_row(v, 3); /* after that */
        completion_future_wait(f);
        CHECK(all(p, 5, 1) || all(p, 3, 1));
        array_view_synchronize(v);
        CHECK(all(p, 3, 1));
        fill_row(v, 7);
        g = array_view_synchronize_async(v);
    }
    CHECK(all(p, 7, 1)); /* closing waits */
    completion_future_wait(g);
    completion_future_free(f);
    completion_future_free(g);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t called = PTHREAD_COND_INITIALIZER;
static int calls;

static void run(void *user)
{
    CHECK(all(user, 11, 1));
    pthread_mutex_lock(&mutex);
    ++calls;
    pthread_cond_signal(&called);
    pthread_mutex_unlock(&mutex);
}

static void then(void)
{
    array(float, 1) a = array_new(float, N);
    fill_row(array_view_from_array(a), 11);
    completion_future f = amp_copy_async(a, q);
    completion_future_then(f, run, q);
    completion_future_free(f); /* cancels nothing */
    pthread_mutex_lock(&mutex);
    while (!calls)
        pthread_cond_wait(&called, &mutex);
    pthread_mutex_unlock(&mutex);
    array_free(a);
}

static void errors(void)
{
    amp_set_error_handler(remember, NULL);
    array(float, 1) a = array_new(float, N);
    completion_future f = amp_copy_async(a, (float *)NULL);
    CHECK_ERROR(amp_error_runtime, "amp_copy: the destination is NULL");
    CHECK(completion_future_wait_for(f, 0));
    completion_future_free(f);
    array_free(a);
    f = amp_copy_async(a, q);
    completion_future_wait(f);
    CHECK_ERROR(amp_error_runtime, "after its source was closed");
    completion_future_free(f);
    f = array_view_synchronize_async(a);
    CHECK_ERROR(amp_error_runtime, "after its source was closed");
    completion_future_free(f);
    amp_set_error_handler(NULL, NULL);
}

/* Unfinished at exit. */
static void exit_early(void)
{
    array(float, 1) a = array_new(float, N);
    fill_row(array_view_from_array(a), 1);
    amp_copy_async(a, q);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        exit_early();
        return 0;
    }
    copies();
    synchronize();
    then();
    errors();
}
