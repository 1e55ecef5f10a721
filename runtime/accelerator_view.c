/* accelerator_view.c - queues as the user sees them; see ampc/runtime.h. */
#include "accelerator.h"
#include "future.h"
#include "registry.h"
#include "report.h"
#include <ampc/runtime.h>

#include <stdlib.h>

accelerator_view accelerator_create_view(accelerator a, queuing_mode mode)
{
    struct ampc_status status = {0};
    struct amp_accelerator_view *view = NULL;
    if (!a)
        return NULL;
    ampc_lock();
    if (ampc_resolve_view(&a->default_view, &status))
        view = ampc_allocate(sizeof *view, &status);
    ampc_unlock();
    if (!view) {
        ampc_report(&a->default_view, &status);
        return NULL;
    }
    view->accelerator = a;
    view->mode = mode;
    view->number = __atomic_add_fetch(&a->views_made, 1, __ATOMIC_RELAXED);
    return view;
}

void accelerator_view_free(accelerator_view view)
{
    if (!view || view == &view->accelerator->default_view)
        return;
    accelerator_view_wait(view);
    free(view);
}

void accelerator_view_flush(accelerator_view view)
{
    struct ampc_status status = {0};
    if (!view)
        return;
    ampc_lock();
    bool good = !view->last_command ||
                view->accelerator->device->backend->flush(view->accelerator->device, &status);
    ampc_unlock();
    if (!good)
        ampc_report(view, &status);
}

static uint64_t last_command(struct amp_accelerator_view *view)
{
    ampc_lock();
    uint64_t number = view->last_command;
    ampc_unlock();
    return number;
}

void accelerator_view_wait(accelerator_view view)
{
    struct ampc_status status = {0};
    uint64_t number = view ? last_command(view) : 0;
    if (number && !ampc_wait(view->accelerator->device, number, &status))
        ampc_report(view, &status);
}

accelerator accelerator_view_accelerator(accelerator_view view)
{
    return view ? view->accelerator : NULL;
}

completion_future accelerator_view_create_marker(accelerator_view view)
{
    accelerator_view_flush(view); /* one can look at a marker without waiting for it */
    return view ? ampc_future_create(view->accelerator->device, last_command(view)) : NULL;
}
