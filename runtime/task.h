/* task.h - asynchronous copies that the host takes part in: each is done by a thread of its own.
 *
 * Operations given later that touch what a task reads or writes wait for it first, so that the
 * program's order holds. Functions are called without the lock. */
#ifndef AMPC_TASK_H
#define AMPC_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ampc_task;

/* Host addresses; those of a view or array stand for its data wherever that is. */
struct ampc_task_use {
    const char *begin, *end;
    bool writes;
};

enum { AMPC_TASK_USES = 2 };

/* Calls run(copy of the argument) in a new thread, after the tasks that it conflicts with. NULL
 * when there is no thread, or no memory, to be had. */
struct ampc_task *ampc_task_start(const struct ampc_task_use uses[AMPC_TASK_USES],
                                  void (*run)(const void *argument), const void *argument,
                                  size_t size);
/* Waits at most so long; true when it is done. */
bool ampc_task_wait(struct ampc_task *task, uint64_t nanoseconds);
/* The task lasts until it is done and every holder has released it; NULL is nothing. */
struct ampc_task *ampc_task_hold(struct ampc_task *task);
void ampc_task_release(struct ampc_task *task);

/* Is any task running? */
bool ampc_tasks_running(void);
/* Waits for the tasks that this use conflicts with. */
void ampc_tasks_settle(struct ampc_task_use use);

#endif
