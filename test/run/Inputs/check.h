/* CHECK(condition): counts and names what does not hold; main returns check_result(). */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int check_failures;

#define CHECK(...)                                                                                 \
    do {                                                                                           \
        if (!(__VA_ARGS__) && check_failures++ < 10)                                               \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #__VA_ARGS__);       \
    } while (0)

static inline int check_result(void)
{
    if (check_failures)
        fprintf(stderr, "%d checks failed\n", check_failures);
    return check_failures != 0;
}

#endif
