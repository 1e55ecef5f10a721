/* status.h - how a failure travels inside the runtime.
 *
 * A function that can fail returns a bool (or NULL) and fills the status it was given; nothing is
 * printed and no handler runs before the public surface (report.h). */
#ifndef AMPC_STATUS_H
#define AMPC_STATUS_H

#include <ampc/types.h>
#include <stdbool.h>

struct ampc_status {
    amp_error code; /* amp_ok while nothing failed */
    char message[1000];
};

/* Fills the status, always returns false. */
bool ampc_fail(struct ampc_status *status, amp_error code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Puts text before the message, for context that only the caller knows. */
void ampc_status_prefix(struct ampc_status *status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *ampc_error_name(amp_error code);

#endif
