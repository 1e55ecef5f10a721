/* status.c - see status.h. */
#include "status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool ampc_fail(struct ampc_status *status, amp_error code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status->code = code;
    vsnprintf(status->message, sizeof status->message, format, arguments);
    va_end(arguments);
    return false;
}

void ampc_status_prefix(struct ampc_status *status, const char *format, ...)
{
    char text[sizeof status->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t length = strlen(text), room = sizeof status->message - 1 - length;
    size_t kept = strnlen(status->message, room);
    memmove(status->message + length, status->message, kept);
    memcpy(status->message, text, length);
    status->message[length + kept] = 0;
}

const char *ampc_error_name(amp_error code)
{
    switch (code) {
    case amp_ok:
        return "amp_ok";
    case amp_error_runtime:
        return "amp_error_runtime";
    case amp_error_out_of_memory:
        return "amp_error_out_of_memory";
    case amp_error_unsupported_feature:
        return "amp_error_unsupported_feature";
    case amp_error_invalid_compute_domain:
        return "amp_error_invalid_compute_domain";
    case amp_error_accelerator_view_removed:
        return "amp_error_accelerator_view_removed";
    }
    return "unknown error";
}
