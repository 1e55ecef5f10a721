/* vulkan/flusher.c - see vulkan/flusher.h. */
#include "flusher.h"
#include "../registry.h"
#include "commands.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    PERIOD_NANOSECONDS = 100000,
    IDLE_PERIODS = 100, /* without a batch, until the thread sleeps for good */
    OLD = 10,           /* periods: a batch so old is submitted to a busy device, too */
};

/* One thread for all devices. All but the semaphore is guarded by the lock. */
static enum { NOT_STARTED, RUNNING, ASLEEP, ENDING, NONE } state;
static pthread_t thread;
static pid_t process; /* that the thread belongs to */
static sem_t wake;
static struct vulkan_device *watched; /* list of devices that ever had a batch to watch */

/* Submits batches that were open at the last visit, once the device has nothing else to do; is any
 * open? */
static bool visit(void)
{
    bool any = false;
    for (struct vulkan_device *d = watched; d; d = d->watched_next) {
        struct ampc_status ignored = {0}; /* the device is lost: those who use it are told */
        d->watched_periods = d->watched_batch == d->batch.number ? d->watched_periods + 1 : 0;
        if (d->batch.buffer && d->watched_periods &&
            (d->watched_periods >= OLD || vulkan_is_complete(&d->base, d->submitted)))
            vulkan_flush(d, &ignored);
        any |= d->batch.buffer != NULL;
        d->watched_batch = d->batch.buffer ? d->batch.number : UINT64_MAX;
    }
    return any;
}

static void *run(void *unused)
{
    const struct timespec period = {0, PERIOD_NANOSECONDS};
    unsigned idle = 0;
    for (;;) {
        ampc_lock();
        if (state == ENDING) {
            ampc_unlock();
            return unused;
        }
        idle = visit() ? 0 : idle + 1;
        bool sleep = idle > IDLE_PERIODS;
        if (sleep)
            state = ASLEEP;
        ampc_unlock();
        if (!sleep) {
            nanosleep(&period, NULL);
            continue;
        }
        while (sem_wait(&wake))
            continue;
        idle = 0;
    }
}

static void end(void)
{
    if (getpid() != process)
        return;
    ampc_lock();
    if (state == ASLEEP)
        sem_post(&wake);
    state = ENDING;
    ampc_unlock();
    pthread_join(thread, NULL);
}

/* After this device's driver has registered its handlers for exit, so that `end` runs before them.
 */
static void start(void)
{
    sigset_t all, before; /* the program's signals are for the program's threads */
    sigfillset(&all);
    process = getpid();
    state = NONE;
    if (sem_init(&wake, 0, 0))
        return;
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (!pthread_create(&thread, NULL, run, NULL)) {
        state = RUNNING;
        atexit(end);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

bool vulkan_watch(struct vulkan_device *d)
{
    if (state == NOT_STARTED)
        start();
    if (state == NONE || state == ENDING)
        return false;
    if (!d->watched) {
        d->watched = true;
        d->watched_batch = UINT64_MAX;
        d->watched_next = watched;
        watched = d;
    }
    if (state == ASLEEP) {
        state = RUNNING;
        sem_post(&wake);
    }
    return true;
}
