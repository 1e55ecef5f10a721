/* future.c - see future.h, ampc/runtime.h. */
#include "future.h"
#include "registry.h"
#include "report.h"
#include <ampc/runtime.h>

#include <stdlib.h>

struct amp_completion_future {
    struct ampc_device *device;
    uint64_t number;        /* of a command of the device, or 0 */
    struct ampc_task *task; /* or NULL */
};

/* True when it is complete, or never will be and the error was reported. */
static bool wait_for(const struct amp_completion_future *future, uint64_t nanoseconds)
{
    struct ampc_status status = {0};
    bool complete = true;
    if (future && future->task)
        return ampc_task_wait(future->task, nanoseconds);
    if (future && future->number &&
        !ampc_wait_for(future->device, future->number, nanoseconds, &complete, &status)) {
        ampc_report(NULL, &status);
        return true;
    }
    return complete;
}

struct amp_completion_future *ampc_future_create(struct ampc_device *device, uint64_t number)
{
    struct amp_completion_future *future = ampc_allocate(sizeof *future, &(struct ampc_status){0});
    if (future) {
        future->device = device;
        future->number = number;
    } else {
        wait_for(&(const struct amp_completion_future){device, number, NULL}, UINT64_MAX);
    }
    return future;
}

struct amp_completion_future *ampc_future_of_task(struct ampc_task *task)
{
    struct amp_completion_future *future = ampc_allocate(sizeof *future, &(struct ampc_status){0});
    if (future) {
        future->task = task;
    } else if (task) {
        ampc_task_wait(task, UINT64_MAX);
        ampc_task_release(task);
    }
    return future;
}

void completion_future_wait(completion_future future) { wait_for(future, UINT64_MAX); }

_Bool completion_future_wait_for(completion_future future, unsigned milliseconds)
{
    return wait_for(future, milliseconds * (uint64_t)1000000);
}

struct continuation {
    struct amp_completion_future future;
    void (*run)(void *user);
    void *user;
};

static void continue_after(const void *argument)
{
    const struct continuation *c = argument;
    wait_for(&c->future, UINT64_MAX);
    ampc_task_release(c->future.task);
    c->run(c->user);
}

/* A task, so that nobody is in the driver when its handlers for exit run. */
void completion_future_then(completion_future future, void (*run)(void *user), void *user)
{
    static const struct ampc_task_use nothing[AMPC_TASK_USES];
    struct continuation c = {future ? *future : (struct amp_completion_future){0}, run, user};
    ampc_task_hold(c.future.task);
    struct ampc_task *task = ampc_task_start(nothing, continue_after, &c, sizeof c);
    if (task)
        ampc_task_release(task);
    else
        continue_after(&c); /* here and now is after completion, too */
}

void completion_future_free(completion_future future)
{
    if (future)
        ampc_task_release(future->task);
    free(future);
}
