/* future.h - completion_future: a command of a device, or a task of the host, that one can wait
 * for.
 */
#ifndef AMPC_FUTURE_H
#define AMPC_FUTURE_H

#include "accelerator.h"
#include "task.h"

/* A future for command `number` of the device; for number 0 it is complete. */
struct amp_completion_future *ampc_future_create(struct ampc_device *device, uint64_t number);
/* A future for the task, which it holds from now on; for NULL it is complete. */
struct amp_completion_future *ampc_future_of_task(struct ampc_task *task);

#endif
