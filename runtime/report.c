/* report.c - see report.h. */
#include "report.h"
#include "registry.h"
#include <ampc/runtime.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static amp_error_handler handler;
static void *handler_user;
static struct ampc_status last; /* of the program */

void amp_set_error_handler(amp_error_handler function, void *user)
{
    ampc_lock();
    handler = function;
    handler_user = user;
    ampc_unlock();
}

void ampc_report(struct amp_accelerator_view *view, const struct ampc_status *status)
{
    ampc_lock();
    amp_error_handler function = handler;
    void *user = handler_user;
    last = *status;
    if (!view)
        view = ampc_used_default_view();
    if (view && view->error.code != amp_error_accelerator_view_removed)
        view->error = *status;
    ampc_unlock();
    if (function) {
        function(status->code, status->message, user);
        return;
    }
    fflush(stdout);
    fprintf(stderr, "ampc: error: %s [%s]\n", status->message, ampc_error_name(status->code));
    abort();
}

amp_error accelerator_view_error(accelerator_view view, const char **message)
{
    ampc_lock();
    const struct ampc_status *status = view ? &view->error : &last;
    amp_error code = status->code;
    if (message)
        *message = status->message;
    ampc_unlock();
    return code;
}

void amp_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

void amp_errorf(const char *format, ...)
{
    struct ampc_status status = {.code = amp_error_runtime};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(status.message, sizeof status.message, format, arguments);
    va_end(arguments);
    ampc_report(NULL, &status);
}

void amp_abort(void)
{
    struct ampc_status status = {0};
    ampc_fail(&status, amp_error_runtime, "amp_abort was called");
    ampc_report(NULL, &status);
}
