/* exits.c WHAT - a program ends while the device has much to do; the driver, whose handler for exit
 * was there first, is not called after that handler. */
#include "../Inputs/check.h"
#include "../Inputs/stub_kernels.h"

#include <unistd.h>

static void nothing(void *user) { (void)user; }

/* The driver's handler; stragglers get time to come. */
static void close_driver(void)
{
    __atomic_store_n(&stub_is_closed, true, __ATOMIC_RELEASE);
    usleep(300000);
}

int main(int count, char **arguments)
{
    enum { N = 1 << 16 };
    static unsigned p[N], q[N];
    const char *what = count > 1 ? arguments[1] : "";
    stub_has_thread = true;
    stub_delay_milliseconds = 20;
    atexit(close_driver);
    array_view(unsigned, 1) v = array_view_of(p, N);
    for (int i = 0; i < 5; ++i)
        add_row_of(NULL, v, 1, 1);
    completion_future f = NULL;
    if (!strcmp(what, "copy"))
        f = amp_copy_async(v, q);
    if (!strcmp(what, "synchronize"))
        f = array_view_synchronize_async(v);
    if (!strcmp(what, "then")) {
        f = accelerator_view_create_marker(accelerator_default_view(accelerator_default()));
        completion_future_then(f, nothing, NULL);
    }
    add_row_of(NULL, array_view_new(unsigned, N), 1, 1); /* recorded, perhaps not submitted */
    completion_future_free(f);
    exit(0);
}
