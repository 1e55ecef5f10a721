/* bulk.c - see bulk.h. */
#include "bulk.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SMALL (UINT64_C(4) << 20) /* not worth waking anybody */
#define PIECE (UINT64_C(256) << 10)
enum { MOST_THREADS = 8, MOST_ASKED_FOR = 64 };

/* The copy being made. Whoever takes part takes the next piece until none is left. */
static struct {
    char *to;
    const char *from;
    uint64_t size;
    uint64_t next;     /* atomic */
    unsigned busy;     /* helpers that may still be copying */
    uint64_t sequence; /* of copies: a helper takes part once */
    bool open;         /* helpers may still join */
} job;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* guards `job` but for pieces */
static pthread_cond_t begun = PTHREAD_COND_INITIALIZER, ended = PTHREAD_COND_INITIALIZER;
static bool in_use;
static unsigned helpers;
static pid_t process; /* that the helpers belong to; 0 before the first copy */

static void take_part(void)
{
    for (;;) {
        uint64_t at = __atomic_fetch_add(&job.next, PIECE, __ATOMIC_RELAXED);
        if (at >= job.size)
            return;
        memcpy(job.to + at, job.from + at, job.size - at < PIECE ? job.size - at : PIECE);
    }
}

static void *help(void *unused)
{
    uint64_t seen = 0;
    pthread_mutex_lock(&mutex);
    for (;;) {
        while (job.sequence == seen || !job.open)
            pthread_cond_wait(&begun, &mutex);
        seen = job.sequence;
        ++job.busy;
        pthread_mutex_unlock(&mutex);
        take_part();
        pthread_mutex_lock(&mutex);
        if (!--job.busy)
            pthread_cond_signal(&ended);
    }
    return unused;
}

static unsigned wanted_threads(void)
{
    const char *asked = getenv("AMPC_COPY_THREADS");
    long count = asked ? strtol(asked, NULL, 10) : 0;
    if (count > 0)
        return (unsigned)(count < MOST_ASKED_FOR ? count : MOST_ASKED_FOR);
    count = sysconf(_SC_NPROCESSORS_ONLN);
    return (unsigned)(count < 1 ? 1 : count < MOST_THREADS ? count : MOST_THREADS);
}

/* Helpers stay, asleep, until the process ends. With the mutex. */
static void start_helpers(void)
{
    sigset_t all, before; /* the program's signals are for the program's threads */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    process = getpid();
    helpers = 0;
    for (unsigned wanted = wanted_threads(); helpers + 1 < wanted; ++helpers) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, help, NULL))
            break;
        pthread_detach(thread);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Claims the helpers for a copy; false when there are none to be had. */
static bool begin(void *to, const void *from, uint64_t size)
{
    pthread_mutex_lock(&mutex);
    if (!process)
        start_helpers();
    bool good = helpers && !in_use && process == getpid();
    if (good) {
        in_use = job.open = true;
        job.to = to;
        job.from = from;
        job.size = size;
        job.next = 0;
        ++job.sequence;
        pthread_cond_broadcast(&begun);
    }
    pthread_mutex_unlock(&mutex);
    return good;
}

static void end(void)
{
    pthread_mutex_lock(&mutex);
    job.open = false; /* who wakes up now is too late */
    while (job.busy)
        pthread_cond_wait(&ended, &mutex);
    in_use = false;
    pthread_mutex_unlock(&mutex);
}

void ampc_bulk_copy(void *to, const void *from, uint64_t size)
{
    if (size < SMALL || !begin(to, from, size)) {
        memcpy(to, from, size);
        return;
    }
    take_part();
    end();
}
