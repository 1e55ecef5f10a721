/* inputs.c - what programs should not do: each time an error that names the call and the values,
 * and nothing is lost. */
#include "../Inputs/check.h"
#include "../Inputs/stub_kernels.h"

#include <limits.h>
#include <semaphore.h>

enum { N = 16 };

static unsigned p[N];

/* What stands in the host's memory has to stay there. */
static void check_unharmed(void)
{
    for (unsigned i = 0; i < N; ++i)
        CHECK(p[i] == i);
}

static void parts(void)
{
    array_view(unsigned, 1) v = array_view_of(p, N);
    AMPC_OWN(v);
    static const int wrong[][2] = {
        {-1, 2},      {0, N + 1},         {N, 1},      {4, -1}, {INT_MAX, 1},
        {4, INT_MAX}, {INT_MAX, INT_MAX}, {INT_MIN, 4}};
    for (size_t i = 0; i < COUNT(wrong); ++i) {
        char text[100];
        CHECK(!array_view_section(v, wrong[i][0], wrong[i][1]).key);
        snprintf(text, sizeof text,
                 "array_view_section: in dimension 0 the part from %d, %d long, does not lie in a "
                 "view 16 long",
                 wrong[i][0], wrong[i][1]);
        CHECK_ERROR(amp_error_runtime, text);
    }
    CHECK(array_view_section(v, N, 0).key && !seen_count); /* nothing, at the end */
    array_view_view_as(v, 4, 5);
    CHECK_ERROR(amp_error_runtime,
                "array_view_view_as: in dimension 0 the part from 0, 20 long, does not lie");
    array_view_view_as(v, 4, -4);
    CHECK_ERROR(amp_error_runtime, "array_view_view_as: the length of dimension 1 is -4");
    array_view_view_as(v, INT_MAX, INT_MAX, INT_MAX);
    CHECK_ERROR(amp_error_out_of_memory, "array_view_view_as: the size does not fit 63 bits");
    add_row_of(NULL, array_view_section(v, 0, 0), 1, 1);
    CHECK_ERROR(amp_error_invalid_compute_domain, "dimension 1 of the compute domain is 0");
    check_unharmed();
}

static void copies(void)
{
    unsigned q[N] = {0};
    array_view(unsigned, 1) v = array_view_of(p, N);
    AMPC_OWN(v);
    array_view(unsigned, 1) w = array_view_of(q, N - 1);
    AMPC_OWN(w);
    amp_copy(v, w);
    CHECK_ERROR(amp_error_runtime,
                "amp_copy: dimension 0 is 16 long in the source and 15 in the destination");
    amp_copy(v, array_view_view_as(v, 4, 4));
    CHECK_ERROR(amp_error_runtime, "amp_copy: the source has rank 1 and elements of 4 bytes, the "
                                   "destination rank 2 and elements of 4 bytes");
    amp_copy(array_view_reinterpret_as(double, v), array_view_section(w, 0, 8));
    CHECK_ERROR(amp_error_runtime, "elements of 8 bytes, the destination rank 1 and elements of 4");
    amp_copy((unsigned *)NULL, v);
    CHECK_ERROR(amp_error_runtime, "amp_copy: the source is NULL");
    amp_copy(v, (unsigned *)NULL);
    CHECK_ERROR(amp_error_runtime, "amp_copy: the destination is NULL");
    completion_future_free(amp_copy_async(v, (struct ampc_view_1){0}));
    CHECK_ERROR(amp_error_runtime, "amp_copy: the destination is an empty view");
    amp_copy(p, q);
    CHECK_ERROR(amp_error_runtime, "amp_copy: neither side is a view or array");
    check_unharmed();
    for (int i = 0; i < N; ++i)
        CHECK(!q[i]);
}

static void ends(void)
{
    array_view(unsigned, 1) v = array_view_of(p, N);
    array(unsigned, 1) a = array_from(p, N);
    array_view_close(v);
    array_view_close(v);
    CHECK(!seen_count);
    amp_copy(a, v);
    CHECK_ERROR(amp_error_runtime, "a view was used after its source was closed");
    array_view_refresh(v);
    CHECK_ERROR(amp_error_runtime, "a view was used after its source was closed");
    array_view_discard_data(v);
    CHECK_ERROR(amp_error_runtime, "a view was used after its source was closed");
    completion_future_free(array_view_synchronize_async(v));
    CHECK_ERROR(amp_error_runtime, "a view was used after its source was closed");
    array_view(unsigned, 1) over = array_view_from_array(a);
    array_free(over);
    CHECK_ERROR(amp_error_runtime, "array_free: this is a view, not an array");
    array_free(a);
    CHECK(!seen_count);
    array_free(a);
    CHECK_ERROR(amp_error_runtime, "array_free, of an array freed before?");
    CHECK(*AMPC_READ(unsigned, over, 0) == 0);
    CHECK_ERROR(amp_error_runtime, "a view was used after its source was closed");
    add_row_of(NULL, over, 1, 1);
    CHECK_ERROR(amp_error_runtime, "stub.ampc:1: kernel add.0 was not started: captured view 1");
    check_unharmed();
}

/* Arrays stay on their accelerator. */
static void elsewhere(void)
{
    accelerator_view here = accelerator_default_view(accelerator_from_path("vulkan:0"));
    accelerator_view there = accelerator_default_view(accelerator_from_path("vulkan:1"));
    array(unsigned, 1) a = array_new_on(here, unsigned, N), b = array_new_on(there, unsigned, N);
    add_row_of(there, a, 1, 1);
    CHECK_ERROR(amp_error_runtime,
                "it runs on vulkan:1 and captures an array that lives on vulkan:0");
    take(NULL, a, b, 1);
    CHECK_ERROR(amp_error_runtime, "captures an array that lives on vulkan:");
    array_free(a);
    array_free(b);
    accelerator_view_free(NULL);
    accelerator_view_wait(NULL);
    accelerator_view_flush(NULL);
    CHECK(!accelerator_create_view(NULL, queuing_mode_automatic));
    CHECK(!accelerator_from_path(NULL) && !accelerator_from_path("") && !seen_count);
}

/* Handlers and continuations may use the runtime themselves. */
static struct ampc_view_1 inner;
static int entered;

static void enter_again(amp_error error, const char *message, void *user)
{
    (void)error, (void)message, (void)user;
    ++entered;
    add_row_of(NULL, inner, 1, 1);
    array_view_synchronize(inner);
}

static void go_on(void *done)
{
    enter_again(amp_ok, "", NULL);
    sem_post(done);
}

static void entering(void)
{
    unsigned q[N] = {0};
    inner = array_view_of(q, N);
    amp_set_error_handler(enter_again, NULL);
    array_view_of((unsigned *)NULL, 3);
    CHECK(entered == 1 && (q[3] & 255) == 4);
    completion_future f = amp_copy_async(inner, (unsigned[N]){0});
    amp_set_error_handler(remember, NULL);
    sem_t done;
    CHECK(!sem_init(&done, 0, 0));
    completion_future_then(f, go_on, &done);
    completion_future_free(f);
    while (sem_wait(&done))
        continue;
    CHECK(entered == 2);
    array_view_close(inner);
    CHECK((q[3] & 255) == 8 && !seen_count);
}

int main(void)
{
    amp_set_error_handler(remember, NULL);
    for (unsigned i = 0; i < N; ++i)
        p[i] = i;
    parts();
    copies();
    ends();
    elsewhere();
    entering();
}
