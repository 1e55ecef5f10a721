/* accelerator.c - enumeration and choice of accelerators; see accelerator.h, ampc/runtime.h. */
#include "accelerator.h"
#include "buffer.h"
#include "cpu/backend.h"
#include "log.h"
#include "profile.h"
#include "registry.h"
#include "report.h"
#include "single.h"
#include "vulkan/backend.h"
#include <ampc/launch.h>
#include <ampc/runtime.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static struct amp_accelerator accelerators[AMPC_MAX_ACCELERATORS]; /* by index: the CPU is 0 */
static unsigned accelerator_count;
static struct amp_accelerator *listed[AMPC_MAX_ACCELERATORS]; /* best first */
static bool has_cpu, enumerated;
static struct ampc_status none;                                /* why there is no accelerator */
static struct ampc_status no_vulkan;                           /* why there is none of Vulkan's */
static unsigned compiled_for = AMPC_FOR_CPU | AMPC_FOR_VULKAN; /* ampc_compiled_for */
static struct amp_accelerator *chosen;                         /* by accelerator_set_default */
static struct amp_accelerator *used; /* as the default: fixed from then on */
static volatile bool
    forked; /* devices do not survive a fork: their threads are gone in the child */

/* A child finds the lock free. */
static void before_fork(void) { ampc_lock(); }
static void after_fork_in_parent(void) { ampc_unlock(); }
static void after_fork_in_child(void)
{
    forked = true;
    ampc_unlock();
}

static void add(const struct ampc_backend *backend, struct ampc_device *device, const char *path)
{
    struct amp_accelerator *a = &accelerators[accelerator_count];
    device->backend = backend;
    device->index = accelerator_count;
    a->device = device;
    a->index = accelerator_count++;
    a->place = device->is_host ? AMPC_ON_HOST : AMPC_ON_HOST << (a->index + 1);
    snprintf(a->path, sizeof a->path, "%s", path);
    a->default_access = access_type_none;
    a->default_view.accelerator = a;
    a->default_view.mode = queuing_mode_automatic;
    AMPC_LOG("accelerator %s: %s%s", a->path, device->name, device->emulated ? " (emulated)" : "");
}

/* The CPU alone: a program that asks for nothing else does not wait for drivers. */
static void enumerate_cpu(void)
{
    struct ampc_device *device;
    if (has_cpu)
        return;
    has_cpu = true;
    if (!ampc_single_claim(&none))
        return;
    if (ampc_cpu_backend.enumerate(&device, 1, &none))
        add(&ampc_cpu_backend, device, ampc_cpu_backend.name);
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static void enumerate(void)
{
    enumerate_cpu();
    if (enumerated)
        return;
    enumerated = true;
    if (!accelerator_count)
        return; /* `none` says why */
    struct ampc_device *devices[AMPC_MAX_ACCELERATORS - 1];
    const struct ampc_backend *backend = &ampc_vulkan_backend;
    size_t count = backend->enumerate(devices, AMPC_MAX_ACCELERATORS - 1, &no_vulkan);
    if (!count)
        AMPC_LOG("no Vulkan device: %s", no_vulkan.message);
    for (unsigned i = 0; i < count; ++i) {
        char path[sizeof accelerators->path];
        snprintf(path, sizeof path, "%s:%u", backend->name, i);
        add(backend, devices[i], path);
    }
    /* Hardware, the CPU, and then what only makes believe. */
    unsigned at = 0;
    for (int rank = 0; rank < 3; ++rank)
        for (unsigned i = 0; i < accelerator_count; ++i) {
            const struct ampc_device *device = accelerators[i].device;
            if (rank == (device->is_host ? 1 : device->emulated ? 2 : 0))
                listed[at++] = &accelerators[i];
        }
}

struct amp_accelerator *ampc_accelerator(unsigned index)
{
    return index < accelerator_count ? &accelerators[index] : NULL;
}

/* "cpu", "vulkan" (the first), "vulkan:1", or a part of the description, letters of either case
 * alike. */
static struct amp_accelerator *find(const char *wanted)
{
    for (unsigned i = 0; i < accelerator_count; ++i)
        if (!strcmp(listed[i]->path, wanted) || !strcmp(listed[i]->device->backend->name, wanted))
            return listed[i];
    size_t length = strlen(wanted);
    for (unsigned i = 0; length && i < accelerator_count; ++i)
        for (const char *name = listed[i]->device->name; *name; ++name)
            if (!strncasecmp(name, wanted, length))
                return listed[i];
    return NULL;
}

static bool fail_not_found(const char *wanted, struct ampc_status *status)
{
    char list[600] = "";
    size_t at = 0;
    for (unsigned i = 0; i < accelerator_count && at < sizeof list; ++i)
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s (%s)", i ? ", " : "",
                               listed[i]->path, listed[i]->device->name);
    return ampc_fail(
        status, amp_error_runtime,
        "AMPC_ACCELERATOR=%.200s names no accelerator of this machine; there is: %s%s%s", wanted,
        list, *no_vulkan.message ? "; no Vulkan device: " : "", no_vulkan.message);
}

/* Somebody chose it by name. */
static void warn_of_emulation(const struct amp_accelerator *a)
{
    static bool warned;
    const char *wanted = getenv("AMPC_WARNINGS");
    if (!warned && a->device->emulated && !a->device->is_host &&
        !(wanted && !strcmp(wanted, "off")))
        fprintf(stderr,
                "ampc: warning: %s (%s) is software; the CPU accelerator (cpu) is faster and has "
                "fewer limits\n",
                a->path, a->device->name);
    warned = true;
}

static bool open_device(struct amp_accelerator *a, struct ampc_status *status)
{
    if (forked && !a->device->is_host)
        return ampc_fail(status, amp_error_runtime,
                         "%s cannot be used in a child process of the one that opened it: fork "
                         "before the first use of "
                         "an accelerator, or exec after it",
                         a->device->name);
    return a->device->backend->open(a->device, status);
}

/* The first that the program has code for. */
static struct amp_accelerator *best(void)
{
    for (unsigned i = 0; i < accelerator_count; ++i)
        if (compiled_for & (listed[i]->device->is_host ? AMPC_FOR_CPU : AMPC_FOR_VULKAN))
            return listed[i];
    return listed[0];
}

void ampc_compiled_for(unsigned accelerators_of_unit)
{
    ampc_lock();
    compiled_for &= accelerators_of_unit;
    ampc_unlock();
}

struct amp_accelerator *ampc_default_accelerator(struct ampc_status *status)
{
    if (!used) {
        const char *wanted = getenv("AMPC_ACCELERATOR");
        bool only_cpu = wanted && !strcmp(wanted, ampc_cpu_backend.name);
        enumerate_cpu();
        if (!chosen && !only_cpu)
            enumerate();
        if (!accelerator_count) {
            *status = none;
            return NULL;
        }
        struct amp_accelerator *a = chosen ? chosen : only_cpu ? &accelerators[0] : best();
        if (!chosen && !only_cpu && wanted && *wanted && !(a = find(wanted))) {
            fail_not_found(wanted, status);
            return NULL;
        }
        warn_of_emulation(a);
        AMPC_LOG("default accelerator %s: %s", a->path, a->device->name);
        used = a;
    }
    return open_device(used, status) ? used : NULL;
}

struct amp_accelerator_view *ampc_resolve_view(struct amp_accelerator_view *view,
                                               struct ampc_status *status)
{
    if (view)
        return open_device(view->accelerator, status) ? view : NULL;
    struct amp_accelerator *a = ampc_default_accelerator(status);
    return a ? &a->default_view : NULL;
}

struct amp_accelerator_view *ampc_used_default_view(void)
{
    return used ? &used->default_view : NULL;
}

bool ampc_wait_for(struct ampc_device *device, uint64_t number, uint64_t nanoseconds,
                   bool *out_complete, struct ampc_status *status)
{
    *out_complete = true;
    if (device->is_host)
        return true; /* a launch waits itself */
    if (forked)
        return ampc_fail(status, amp_error_runtime,
                         "%s cannot be waited for in a child process of the one that "
                         "opened it",
                         device->name);
    uint64_t begin = ampc_profiling() ? ampc_profile_now() : 0;
    bool good = device->backend->wait(device, number, nanoseconds, out_complete, status);
    if (begin)
        ampc_profile_waited(device, begin);
    return good;
}

bool ampc_wait(struct ampc_device *device, uint64_t number, struct ampc_status *status)
{
    bool complete;
    return ampc_wait_for(device, number, UINT64_MAX, &complete, status);
}

/* ---- the public surface --------------------------------------------------- */

accelerator accelerator_default(void)
{
    struct ampc_status status = {0};
    ampc_lock();
    struct amp_accelerator *a = ampc_default_accelerator(&status);
    ampc_unlock();
    if (!a)
        ampc_report(NULL, &status);
    return a;
}

size_t accelerator_get_all(accelerator *out, size_t capacity)
{
    ampc_lock();
    enumerate();
    for (unsigned i = 0; i < accelerator_count && i < capacity; ++i)
        out[i] = listed[i];
    ampc_unlock();
    return accelerator_count;
}

accelerator accelerator_from_path(const char *device_path)
{
    ampc_lock();
    enumerate();
    struct amp_accelerator *found = NULL;
    for (unsigned i = 0; device_path && i < accelerator_count; ++i)
        if (!strcmp(accelerators[i].path, device_path))
            found = &accelerators[i];
    ampc_unlock();
    return found;
}

_Bool accelerator_set_default(const char *device_path)
{
    struct amp_accelerator *a = accelerator_from_path(device_path);
    ampc_lock();
    bool possible = a && !used;
    if (possible)
        chosen = a;
    ampc_unlock();
    return possible;
}

const char *accelerator_device_path(accelerator a) { return a ? a->path : ""; }
const char *accelerator_description(accelerator a) { return a ? a->device->name : ""; }
size_t accelerator_dedicated_memory(accelerator a)
{
    return a ? (size_t)(a->device->memory_bytes / 1024) : 0;
}
_Bool accelerator_is_emulated(accelerator a) { return a && a->device->emulated; }
_Bool accelerator_supports_double_precision(accelerator a)
{
    return a && a->device->double_precision;
}
_Bool accelerator_supports_cpu_shared_memory(accelerator a)
{
    return a && a->device->shared_memory;
}

_Bool accelerator_set_default_cpu_access_type(accelerator a, access_type access)
{
    if (!a || access == access_type_auto ||
        (access != access_type_none && !a->device->shared_memory))
        return 0;
    ampc_lock();
    a->default_access = access;
    ampc_unlock();
    return 1;
}

access_type accelerator_get_default_cpu_access_type(accelerator a)
{
    return a ? a->default_access : access_type_none;
}

accelerator_view accelerator_default_view(accelerator a) { return a ? &a->default_view : NULL; }
