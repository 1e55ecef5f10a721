/* log.h - AMPC_LOG=1: what the runtime does, one line each, on standard error. */
#ifndef AMPC_LOG_H
#define AMPC_LOG_H

#include <stdbool.h>

bool ampc_log_enabled(void);
void ampc_log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The arguments are evaluated only when the log is on. */
#define AMPC_LOG(...)                                                                              \
    do {                                                                                           \
        if (ampc_log_enabled())                                                                    \
            ampc_log_line(__VA_ARGS__);                                                            \
    } while (0)

#endif
