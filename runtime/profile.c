/* profile.c - see profile.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* secure_getenv */
#endif
#include "profile.h"
#include "log.h"
#include "registry.h"
#include "source.h"
#include "trace.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct ampc_profile_kernel {
    struct ampc_profile_kernel *next;
    const struct ampc_kernel *kernel; /* tells kernels apart, with the next; not to be followed */
    const uint32_t *spirv;
    char *name, *place; /* place: file:line */
    uint64_t launches, finished, nanoseconds, bytes_in, bytes_out;
};

enum {
    LANES = 8,     /* tracks of one accelerator view: kernels that run at the same time */
    VIEWS = 64,    /* accelerator views that have tracks of their own; those beyond share them */
    COPIES = VIEWS /* the tracks of an accelerator's own copies come after those of its views */
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool enabled, tracing;
static pid_t process;

/* Guards what follows. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct ampc_profile_kernel *kernels, **last_kernel = &kernels; /* as they came */
static struct ampc_profile_kernel program = {.name = (char *)"(copies of the program)",
                                             .place = (char *)""};
/* When each track is free again; 0: it has no name yet. */
static uint64_t busy_until[AMPC_MAX_ACCELERATORS][VIEWS + 1][LANES];
static bool named[AMPC_MAX_ACCELERATORS];

static void finish(void);

static void read_environment(void)
{
    const char *path = secure_getenv("AMPC_TRACE");
    tracing = path && *path && ampc_trace_open(path);
    enabled = tracing || ampc_log_enabled();
    process = getpid();
    if (tracing)
        ampc_trace_name_process(0, "host");
    if (enabled)
        atexit(finish);
}

bool ampc_profiling(void)
{
    pthread_once(&once, read_environment);
    return enabled;
}

uint64_t ampc_profile_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

struct ampc_profile_kernel *ampc_profile_kernel(const struct ampc_kernel *kernel)
{
    pthread_mutex_lock(&mutex);
    struct ampc_profile_kernel *p = kernels;
    while (p && (p->kernel != kernel || p->spirv != kernel->spirv))
        p = p->next;
    if (!p) {
        /* Kernels that there is no memory for share one. */
        static struct ampc_profile_kernel others = {.name = "(others)", .place = ""};
        char place[512];
        snprintf(place, sizeof place, "%s:%u", kernel->file, kernel->line);
        size_t name_size = strlen(kernel->name) + 1, place_size = strlen(place) + 1;
        p = ampc_allocate(sizeof *p + name_size + place_size, &(struct ampc_status){0});
        if (p) {
            p->kernel = kernel;
            p->spirv = kernel->spirv;
            p->name = memcpy((char *)(p + 1), kernel->name, name_size);
            p->place = memcpy((char *)(p + 1) + name_size, place, place_size);
            *last_kernel = p;
            last_kernel = &p->next;
        } else {
            p = &others;
        }
    }
    pthread_mutex_unlock(&mutex);
    return p;
}

/* ---- tracks --------------------------------------------------------------- */

/* The calling thread's. */
static struct ampc_track own_track(void)
{
    static unsigned count;
    static __thread unsigned number;
    struct ampc_track track = {0, number};
    if (!number) {
        char name[32];
        track.thread = number = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
        snprintf(name, sizeof name, "thread %u", number);
        ampc_trace_name_track(track, name);
    }
    return track;
}

/* A track of an accelerator that is free at `begin`; with the mutex. Should all be busy, the event
 * begins when the first is free again. */
static struct ampc_track take_track(unsigned accelerator, unsigned row, uint64_t *begin,
                                    uint64_t end)
{
    uint64_t *lanes = busy_until[accelerator][row];
    unsigned lane = 0;
    for (unsigned i = 0; i < LANES && lanes[lane] > *begin; ++i)
        if (lanes[i] < lanes[lane] || lanes[i] <= *begin)
            lane = i;
    struct ampc_track track = {accelerator + 1, row * LANES + lane + 1};
    if (!named[accelerator]) {
        const struct amp_accelerator *a = ampc_accelerator(accelerator);
        char name[sizeof a->path + sizeof a->device->name + 8];
        snprintf(name, sizeof name, "%s: %s", a->path, a->device->name);
        ampc_trace_name_process(track.process, name);
        named[accelerator] = true;
    }
    if (!lanes[lane]) {
        char name[64] = "copies on the accelerator";
        if (row != COPIES)
            snprintf(name, sizeof name, row ? "accelerator_view %u" : "default accelerator_view",
                     row);
        ampc_trace_name_track(track, name);
    }
    if (lanes[lane] > *begin)
        *begin = lanes[lane];
    lanes[lane] = end > *begin ? end : *begin + 1;
    return track;
}

/* ---- events --------------------------------------------------------------- */

static void describe(const struct ampc_domain *domain, char *out, size_t size)
{
    size_t at = 0;
    for (int k = 0; k < domain->rank; ++k)
        at += (size_t)snprintf(out + at, size - at, k ? " x %d" : "%d", domain->extent[k]);
}

void ampc_profile_launched(const struct ampc_profile_mark *mark, uint64_t begin,
                           const struct ampc_domain *domain)
{
    pthread_mutex_lock(&mutex);
    ++mark->kernel->launches;
    pthread_mutex_unlock(&mutex);
    if (!tracing)
        return;
    char name[256], place[512], extent[64] = "";
    snprintf(name, sizeof name, "launch %s", mark->kernel->name);
    ampc_trace_quote(mark->kernel->place, place, sizeof place);
    describe(domain, extent, sizeof extent);
    struct ampc_track track = own_track();
    ampc_trace_span(track, "launch", name, begin, ampc_profile_now(),
                    "\"launch\":%llu,\"at\":%s,\"domain\":\"%s\",\"accelerator\":\"%s\"",
                    (unsigned long long)mark->id, place, extent,
                    ampc_accelerator(mark->accelerator)->path);
    ampc_trace_arrow(track, true, mark->id, begin);
}

void ampc_profile_done(const struct ampc_profile_mark *mark, uint64_t begin, uint64_t end)
{
    struct ampc_profile_kernel *kernel = mark->kernel;
    pthread_mutex_lock(&mutex);
    if (kernel) {
        ++kernel->finished;
        kernel->nanoseconds += end - begin;
    }
    struct ampc_track track = {0};
    if (tracing)
        track = take_track(mark->accelerator, kernel ? mark->view % VIEWS : COPIES, &begin, end);
    pthread_mutex_unlock(&mutex);
    if (!tracing)
        return;
    if (!kernel) {
        ampc_trace_span(track, "device copy", "copy", begin, end, "\"bytes\":%llu",
                        (unsigned long long)mark->bytes);
        return;
    }
    char place[512];
    ampc_trace_quote(kernel->place, place, sizeof place);
    ampc_trace_span(track, "kernel", kernel->name, begin, end, "\"launch\":%llu,\"at\":%s",
                    (unsigned long long)mark->id, place);
    ampc_trace_arrow(track, false, mark->id, begin);
}

void ampc_profile_moved(const struct amp_accelerator *a, bool in, uint64_t bytes,
                        struct ampc_profile_kernel *kernel, uint64_t begin)
{
    struct ampc_profile_kernel *behalf = kernel ? kernel : &program;
    pthread_mutex_lock(&mutex);
    *(in ? &behalf->bytes_in : &behalf->bytes_out) += bytes;
    pthread_mutex_unlock(&mutex);
    if (!tracing)
        return;
    char name[64], for_whom[256];
    snprintf(name, sizeof name, "copy %s %s", in ? "to" : "from", a->path);
    ampc_trace_quote(kernel ? kernel->name : "", for_whom, sizeof for_whom);
    ampc_trace_span(own_track(), in ? "copy in" : "copy out", name, begin, ampc_profile_now(),
                    "\"bytes\":%llu,\"kernel\":%s", (unsigned long long)bytes, for_whom);
}

void ampc_profile_waited(const struct ampc_device *device, uint64_t begin)
{
    if (tracing)
        ampc_trace_span(own_track(), "wait", "wait", begin, ampc_profile_now(),
                        "\"accelerator\":\"%s\"", ampc_accelerator(device->index)->path);
}

void ampc_profile_built(const struct ampc_kernel *kernel, const struct ampc_device *device,
                        uint64_t begin)
{
    if (!tracing)
        return;
    const struct ampc_profile_kernel *known = ampc_profile_kernel(kernel);
    char name[256], place[512];
    snprintf(name, sizeof name, "build %s", known->name);
    ampc_trace_quote(known->place, place, sizeof place);
    ampc_trace_span(own_track(), "build", name, begin, ampc_profile_now(),
                    "\"at\":%s,\"accelerator\":\"%s\"", place,
                    ampc_accelerator(device->index)->path);
}

/* ---- at exit -------------------------------------------------------------- */

static void log_kernel(const struct ampc_profile_kernel *p, const char *name)
{
    char total[32] = "-", mean[32] = "-";
    if (p->finished) {
        snprintf(total, sizeof total, "%.3f", (double)p->nanoseconds * 1e-6);
        snprintf(mean, sizeof mean, "%.3f", (double)p->nanoseconds * 1e-3 / (double)p->finished);
    }
    ampc_log_line("%-40s %10llu %12s %12s %14llu %14llu", name, (unsigned long long)p->launches,
                  total, mean, (unsigned long long)p->bytes_in, (unsigned long long)p->bytes_out);
}

/* Kernels as they were first launched, then what was copied for no kernel. */
static void log_table(void)
{
    if (!kernels && !program.bytes_in && !program.bytes_out)
        return;
    ampc_log_line("%-40s %10s %12s %12s %14s %14s", "kernel", "launches", "total ms", "mean us",
                  "bytes in", "bytes out");
    for (const struct ampc_profile_kernel *p = kernels; p; p = p->next) {
        char name[600];
        const char *file = strrchr(p->place, '/');
        snprintf(name, sizeof name, "%s (%s)", p->name, file ? file + 1 : p->place);
        if (p->launches)
            log_kernel(p, name);
    }
    if (program.bytes_in || program.bytes_out)
        log_kernel(&program, program.name);
}

/* Devices have said before what they did: their handlers were registered later. */
static void finish(void)
{
    if (process != getpid())
        return;
    if (ampc_log_enabled()) {
        ampc_lock();
        ampc_source_log_open();
        ampc_unlock();
        pthread_mutex_lock(&mutex);
        log_table();
        pthread_mutex_unlock(&mutex);
    }
    if (tracing)
        ampc_trace_close();
}
