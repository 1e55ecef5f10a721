/* check.h - CHECK(condition) for tests, and an error handler that remembers. */
#ifndef CHECK_H
#define CHECK_H

#include "condition.h"
#include <amp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the handler saw last. */
static amp_error seen_error;
static char seen_message[1024];
static int seen_count;

__attribute__((unused)) static void remember(amp_error error, const char *message, void *user)
{
    (void)user;
    seen_error = error;
    snprintf(seen_message, sizeof seen_message, "%s", message);
    ++seen_count;
}

/* One error since the last time, of this kind and with this in its text. */
#define CHECK_ERROR(error, text)                                                                   \
    do {                                                                                           \
        if (seen_count != 1 || seen_error != (error) || !strstr(seen_message, (text)))             \
            fprintf(stderr, "%d errors, last %d: %s\n", seen_count, seen_error, seen_message);     \
        CHECK(seen_count == 1 && seen_error == (error) && strstr(seen_message, (text)));           \
        seen_count = 0;                                                                            \
    } while (0)

#endif
