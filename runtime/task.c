/* task.c - see task.h. */
#include "task.h"
#include "registry.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct ampc_task {
    struct ampc_task *next; /* among those running */
    struct ampc_task_use uses[AMPC_TASK_USES];
    void (*run)(const void *argument);
    bool done;
    unsigned holders;
    _Alignas(16) char argument[];
};

/* Guards everything here; never held while a task runs or another lock is taken. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed; /* a task is done */
static struct ampc_task *running;
static unsigned running_count; /* atomic, so that the usual case costs nothing */
static bool ready;
static pid_t process;
static __thread const struct ampc_task *own; /* that the thread runs */

bool ampc_tasks_running(void) { return __atomic_load_n(&running_count, __ATOMIC_ACQUIRE); }

static bool conflict(const struct ampc_task *task, const struct ampc_task_use *use)
{
    for (int i = 0; i < AMPC_TASK_USES; ++i)
        if ((task->uses[i].writes || use->writes) && task->uses[i].begin < use->end &&
            use->begin < task->uses[i].end)
            return true;
    return false;
}

/* With the mutex. */
static void settle(const struct ampc_task_use *use)
{
    struct ampc_task *task = running;
    while (task) {
        if (!conflict(task, use)) {
            task = task->next;
            continue;
        }
        pthread_cond_wait(&changed, &mutex);
        task = running;
    }
}

void ampc_tasks_settle(struct ampc_task_use use)
{
    if (!ampc_tasks_running())
        return;
    pthread_mutex_lock(&mutex);
    settle(&use);
    pthread_mutex_unlock(&mutex);
}

/* The last holder frees it; with the mutex. */
static void drop(struct ampc_task *task)
{
    if (!--task->holders)
        free(task);
}

static void *work(void *argument)
{
    struct ampc_task *task = argument;
    own = task;
    task->run(task->argument);
    pthread_mutex_lock(&mutex);
    struct ampc_task **link = &running;
    while (*link != task)
        link = &(*link)->next;
    *link = task->next;
    task->done = true;
    __atomic_fetch_sub(&running_count, 1, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&changed);
    drop(task);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

/* No task may be in the driver when its handlers for exit run. */
static void finish(void)
{
    if (getpid() != process)
        return;
    pthread_mutex_lock(&mutex);
    while (running && (running != own || running->next)) /* a task itself may call exit */
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

/* With the mutex. */
static void prepare(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
    pthread_condattr_destroy(&attributes);
    process = getpid();
    ready = true;
    atexit(finish);
}

struct ampc_task *ampc_task_start(const struct ampc_task_use uses[AMPC_TASK_USES],
                                  void (*run)(const void *argument), const void *argument,
                                  size_t size)
{
    struct ampc_task *task = ampc_allocate(sizeof *task + size, &(struct ampc_status){0});
    sigset_t all, before; /* the program's signals are for the program's threads */
    pthread_t thread;
    if (!task)
        return NULL;
    memcpy(task->uses, uses, sizeof task->uses);
    memcpy(task->argument, argument, size);
    task->run = run;
    task->holders = 2;
    sigfillset(&all);
    pthread_mutex_lock(&mutex);
    if (!ready)
        prepare();
    for (int i = 0; i < AMPC_TASK_USES; ++i)
        settle(&uses[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = !pthread_create(&thread, NULL, work, task);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) {
        pthread_detach(thread);
        task->next = running;
        running = task;
        __atomic_fetch_add(&running_count, 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&mutex);
    if (!started) {
        free(task);
        return NULL;
    }
    return task;
}

bool ampc_task_wait(struct ampc_task *task, uint64_t nanoseconds)
{
    enum { SECOND = 1000000000 };
    struct timespec until;
    int error = 0;
    clock_gettime(CLOCK_MONOTONIC, &until);
    uint64_t fraction = (uint64_t)until.tv_nsec + nanoseconds % SECOND;
    until.tv_sec += (time_t)(nanoseconds / SECOND + fraction / SECOND);
    until.tv_nsec = (long)(fraction % SECOND);
    pthread_mutex_lock(&mutex);
    while (!task->done && !error)
        error = nanoseconds == UINT64_MAX ? pthread_cond_wait(&changed, &mutex)
                                          : pthread_cond_timedwait(&changed, &mutex, &until);
    bool done = task->done;
    pthread_mutex_unlock(&mutex);
    return done;
}

struct ampc_task *ampc_task_hold(struct ampc_task *task)
{
    if (!task)
        return NULL;
    pthread_mutex_lock(&mutex);
    ++task->holders;
    pthread_mutex_unlock(&mutex);
    return task;
}

void ampc_task_release(struct ampc_task *task)
{
    if (!task)
        return;
    pthread_mutex_lock(&mutex);
    drop(task);
    pthread_mutex_unlock(&mutex);
}
