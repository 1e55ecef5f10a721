/* future.c - see future.h, ampc/runtime.h. */
#include "future.h"
#include "registry.h"
#include "report.h"
#include <ampc/runtime.h>

#include <pthread.h>
#include <stdlib.h>

struct amp_completion_future {
    struct ampc_device *device;
    uint64_t number;
};

struct amp_completion_future *ampc_future_create(struct ampc_device *device, uint64_t number)
{
    struct amp_completion_future *future = ampc_allocate(sizeof *future);
    future->device = device;
    future->number = number;
    return future;
}

void completion_future_wait(completion_future future)
{
    struct ampc_status status = {0};
    if (future && future->number && !ampc_wait(future->device, future->number, &status))
        ampc_report(NULL, &status);
}

_Bool completion_future_wait_for(completion_future future, unsigned milliseconds)
{
    struct ampc_status status = {0};
    bool complete = true;
    if (future && future->number &&
        !future->device->backend->wait(future->device, future->number,
                                       milliseconds * (uint64_t)1000000, &complete, &status)) {
        ampc_report(NULL, &status);
        return 1;
    }
    return complete;
}

struct continuation {
    struct amp_completion_future future;
    void (*run)(void *user);
    void *user;
};

static void *continue_after(void *argument)
{
    struct continuation *c = argument;
    completion_future_wait(&c->future);
    c->run(c->user);
    free(c);
    return NULL;
}

void completion_future_then(completion_future future, void (*run)(void *user), void *user)
{
    struct continuation *c = ampc_allocate(sizeof *c);
    pthread_t thread;
    c->future = future ? *future : (struct amp_completion_future){0};
    c->run = run;
    c->user = user;
    if (pthread_create(&thread, NULL, continue_after, c))
        continue_after(c); /* no thread to be had: here and now is after completion, too */
    else
        pthread_detach(thread);
}

void completion_future_free(completion_future future) { free(future); }
