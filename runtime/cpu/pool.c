/* cpu/pool.c - see cpu/pool.h. */
#define _GNU_SOURCE /* sched_getaffinity, pthread_setname_np */
#include "pool.h"
#include "../registry.h"
#include "pace.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    MOST_THREADS = 1024,
    CHUNKS_A_THREAD = 16,
    ARENA_ALIGNMENT = 64,
    SPINS = 2000, /* some microseconds: less than going to sleep and being woken */
};
#define STACK_SIZE ((size_t)8 << 20)

/* What is being run. Written by the launching thread while nobody takes part. */
static struct {
    const struct ampc_kernel *kernel;
    const void *captures;
    const struct ampc_domain *domain;
    uint64_t count, chunk;
    uint64_t next; /* atomic: what is not handed out yet */
} job;

struct arena {
    void *memory;
    size_t size;
};

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; /* of the kernel that runs */
static struct arena callers_arena;                       /* with the turn */

/* Guards what follows; it also orders a kernel's work with what comes before and after it. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begun = PTHREAD_COND_INITIALIZER, ended = PTHREAD_COND_INITIALIZER;
static bool open;         /* workers may join */
static unsigned busy;     /* workers that take part */
static uint64_t sequence; /* of jobs given to workers; read without the mutex, too */
static unsigned workers;
static bool started;

static __thread bool in_kernel;

bool cpu_pool_in_kernel(void) { return in_kernel; }

unsigned cpu_pool_threads(void)
{
    static unsigned count;
    if (count)
        return count;
    const char *asked = getenv("AMPC_THREADS");
    long number = asked ? strtol(asked, NULL, 10) : 0;
    if (number <= 0) {
        cpu_set_t set;
        number = !sched_getaffinity(0, sizeof set, &set) ? CPU_COUNT(&set)
                                                         : sysconf(_SC_NPROCESSORS_ONLN);
    }
    count = (unsigned)(number < 1 ? 1 : number < MOST_THREADS ? number : MOST_THREADS);
    return count;
}

static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* ---- taking part ---------------------------------------------------------- */

static bool has_arena(struct arena *arena, uint64_t size)
{
    if (arena->size >= size)
        return true;
    free(arena->memory);
    size = (size + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    arena->memory = aligned_alloc(ARENA_ALIGNMENT, size);
    arena->size = arena->memory ? size : 0;
    return arena->memory;
}

static void run_range(uint64_t begin, uint64_t end, void *arena)
{
    in_kernel = true;
    job.kernel->cpu(job.captures, job.domain, begin, end, arena);
    in_kernel = false;
}

static void take_part(void *arena)
{
    for (;;) {
        uint64_t begin = __atomic_fetch_add(&job.next, job.chunk, __ATOMIC_RELAXED);
        if (begin >= job.count)
            return;
        run_range(begin, job.count - begin < job.chunk ? job.count : begin + job.chunk, arena);
    }
}

static void *work(void *unused)
{
    struct arena arena = {0};
    uint64_t seen = 0;
    pthread_setname_np(pthread_self(), "ampc-worker");
    for (;;) {
        for (int k = 0; k < SPINS && __atomic_load_n(&sequence, __ATOMIC_RELAXED) == seen; ++k)
            pause_briefly();
        pthread_mutex_lock(&mutex);
        while (sequence == seen || !open)
            pthread_cond_wait(&begun, &mutex);
        seen = sequence;
        bool able = has_arena(&arena, job.kernel->cpu_arena_bytes);
        busy += able;
        pthread_mutex_unlock(&mutex);
        if (!able)
            continue; /* the others do it */
        take_part(arena.memory);
        pthread_mutex_lock(&mutex);
        if (!--busy)
            pthread_cond_signal(&ended);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

/* ---- workers -------------------------------------------------------------- */

/* Nobody else is in the child: its locks are free, and no thread is left. */
static void after_fork(void)
{
    pthread_mutex_init(&turn, NULL);
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&begun, NULL);
    pthread_cond_init(&ended, NULL);
    open = started = false;
    busy = workers = 0;
}

/* With the turn. */
static void start_workers(void)
{
    static bool watching;
    if (!watching)
        pthread_atfork(NULL, NULL, after_fork);
    watching = started = true;
    /* The program's signals are for the program's threads; faults belong to whoever makes them. */
    sigset_t blocked, before;
    sigfillset(&blocked);
    const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    for (size_t k = 0; k < sizeof faults / sizeof *faults; ++k)
        sigdelset(&blocked, faults[k]);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    for (unsigned wanted = cpu_pool_threads(); workers + 1 < wanted; ++workers) {
        pthread_t thread;
        if (pthread_create(&thread, &attributes, work, NULL))
            break; /* fewer will do */
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

/* ---- launches ------------------------------------------------------------- */

static void run_together(void)
{
    pthread_mutex_lock(&mutex);
    open = true;
    __atomic_store_n(&sequence, sequence + 1, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&begun);
    pthread_mutex_unlock(&mutex);
    take_part(callers_arena.memory);
    pthread_mutex_lock(&mutex);
    open = false; /* who wakes up now is too late */
    for (int k = 0; busy && k < SPINS; ++k) {
        pthread_mutex_unlock(&mutex);
        pause_briefly();
        pthread_mutex_lock(&mutex);
    }
    while (busy)
        pthread_cond_wait(&ended, &mutex);
    pthread_mutex_unlock(&mutex);
}

/* Whole rows of the domain's last dimension where a chunk has one. */
static uint64_t chunk_size(const struct ampc_kernel *kernel, const struct ampc_domain *domain,
                           uint64_t count)
{
    uint64_t chunk = count / ((uint64_t)cpu_pool_threads() * CHUNKS_A_THREAD);
    uint64_t row = kernel->tile[0] ? 1 : (uint64_t)domain->extent[domain->rank - 1];
    if (domain->rank > 1 && chunk > row)
        chunk = chunk / row * row;
    return chunk ? chunk : 1;
}

bool cpu_pool_run(const struct ampc_kernel *kernel, const void *captures,
                  const struct ampc_domain *domain, uint64_t count, struct ampc_status *status)
{
    pthread_mutex_lock(&turn);
    if (!has_arena(&callers_arena, kernel->cpu_arena_bytes)) {
        pthread_mutex_unlock(&turn);
        return ampc_fail(status, amp_error_out_of_memory,
                         "the host has no %llu bytes left for the variables of a tile",
                         (unsigned long long)kernel->cpu_arena_bytes);
    }
    job.kernel = kernel;
    job.captures = captures;
    job.domain = domain;
    job.count = count;
    job.next = 0;
    if (cpu_pool_threads() == 1) {
        run_range(0, count, callers_arena.memory);
        pthread_mutex_unlock(&turn);
        return true;
    }
    /* Waking others takes longer than a small launch: a first part tells how much there is. */
    uint64_t begin = cpu_pace_now();
    uint64_t alone = cpu_pace_alone(kernel, count);
    if (alone)
        run_range(0, alone, callers_arena.memory);
    uint64_t now = cpu_pace_now();
    if (alone < count && cpu_pace_is_small(now - begin, alone, count)) {
        run_range(alone, count, callers_arena.memory);
        alone = count;
        now = cpu_pace_now();
    }
    if (alone == count) {
        cpu_pace_note(kernel, now - begin, count);
    } else {
        if (!started)
            start_workers();
        job.next = alone;
        job.chunk = chunk_size(kernel, domain, count);
        if (workers)
            run_together();
        else
            run_range(alone, count, callers_arena.memory);
        uint64_t threads = workers < count - alone ? workers + 1 : count - alone;
        cpu_pace_note(kernel, (cpu_pace_now() - now) * threads, count - alone);
    }
    pthread_mutex_unlock(&turn);
    return true;
}
