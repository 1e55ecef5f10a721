/* log.c - see log.h. */
#include "log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool enabled;

static void read_environment(void)
{
    const char *value = getenv("AMPC_LOG");
    enabled = value && *value && !(value[0] == '0' && !value[1]);
}

bool ampc_log_enabled(void)
{
    pthread_once(&once, read_environment);
    return enabled;
}

void ampc_log_line(const char *format, ...)
{
    char line[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "ampc: %s\n", line);
}
