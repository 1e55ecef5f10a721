/* faults.c - random programs in which the n-th call to the driver, allocation or start of a thread
 * fails, for n = 1, 2, 3, ... until nothing does: no crash, no leak, no wrong data, and what cannot
 * be made up for is reported by name. */
#include "program.h"

#include <sys/wait.h>
#include <unistd.h>

enum { UNTOUCHED = 100, STEPS = 40, MOST = 2000 };

static bool reported;
static char first_message[1024];

static void note(amp_error error, const char *message, void *user)
{
    if (!reported && stub_failed)
        snprintf(first_message, sizeof first_message, "%s", message);
    reported |= stub_failed != NULL;
    remember(error, message, user);
}

static void check_message(void)
{
    if (!reported || strstr(first_message, stub_failed) ||
        (stub_fail_with == VK_SUCCESS && strstr(first_message, "the host has no")))
        return;
    fprintf(stderr, "%s failed, and this was said: %s\n", stub_failed, first_message);
    exit(1);
}

/* How one run ends; in a child. */
static int run(uint64_t seed, unsigned n, VkResult how)
{
    stub_fail_with = how;
    *(how == VK_SUCCESS ? &stub_host_fail_at : &stub_fail_at) = n;
    handler_of_program = note;
    run_program(seed, STEPS);
    check_message();
    return stub_failed ? 0 : UNTOUCHED;
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        VkResult how;
    } kinds[] = {{"host", VK_SUCCESS},
                 {"memory", VK_ERROR_OUT_OF_DEVICE_MEMORY},
                 {"map", VK_ERROR_MEMORY_MAP_FAILED},
                 {"lost", VK_ERROR_DEVICE_LOST}};
    verbose = count > 4;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t kind = 0; kind < COUNT(kinds); ++kind) {
        if (count > 2 && strcmp(arguments[2], kinds[kind].name))
            continue;
        unsigned n = count > 3 ? (unsigned)atoi(arguments[3]) : 1;
        for (int status = 0; status != UNTOUCHED << 8; ++n) {
            pid_t child = n < MOST ? fork() : -1;
            if (!child)
                return run(strtoull(arguments[1], NULL, 10), n, kinds[kind].how);
            if (waitpid(child, &status, 0) != child || (status && status != UNTOUCHED << 8)) {
                fprintf(stderr, "seed %s, %s failure %u\n", arguments[1], kinds[kind].name, n);
                return 1;
            }
        }
        printf("%s: %u failures\n", kinds[kind].name, n - 2);
    }
}
