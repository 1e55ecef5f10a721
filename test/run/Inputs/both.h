/* RUN_BOTH(TESTS, n): each int f(int) restrict(cpu, amp) that TESTS(X) names as X(f) runs in a
   kernel and on the host with the arguments below, and must give the same. */
#ifndef BOTH_H
#define BOTH_H

#include "check.h"
#include <amp.h>

enum { both_inputs = 48 };

static inline int both_input(int i)
{
    static const int special[] = {0x7fffffff, -0x7fffffff - 1, 0x7ffffffe, -0x7fffffff,
                                  65536,      -65536,          123456789,  -987654321};
    return i < 40 ? i - 8 : special[i - 40];
}

#define BOTH_KERNEL(f) both_v[both_row++][both_i] = f(both_n);
#define BOTH_NAME(f) #f,
#define BOTH_HOST(f) both_expected[both_row++] = f(both_n);
#define BOTH_COUNT(f) +1

#define RUN_BOTH(TESTS)                                                                            \
    do {                                                                                           \
        enum { both_tests = 0 TESTS(BOTH_COUNT) };                                                 \
        static int both_results[both_tests][both_inputs], both_arguments[both_inputs];             \
        const char *const both_names[] = {TESTS(BOTH_NAME)};                                       \
        for (int i = 0; i < both_inputs; ++i)                                                      \
            both_arguments[i] = both_input(i);                                                     \
        array_view(int, 2) both_v = array_view_of(&both_results[0][0], both_tests, both_inputs);   \
        array_view(const int, 1) both_in =                                                         \
            array_view_of((const int *)both_arguments, both_inputs);                               \
        array_view_discard_data(both_v);                                                           \
        parallel_for_each(make_extent(both_inputs), ^(index_1 both_i) restrict(amp) {              \
            int both_row = 0, both_n = both_in[both_i];                                            \
            TESTS(BOTH_KERNEL)                                                                     \
        });                                                                                        \
        array_view_synchronize(both_v);                                                            \
        for (int both_i = 0; both_i < both_inputs; ++both_i) {                                     \
            int both_row = 0, both_n = both_input(both_i), both_expected[both_tests];              \
            TESTS(BOTH_HOST)                                                                       \
            for (int k = 0; k < both_row; ++k)                                                     \
                if (both_results[k][both_i] != both_expected[k] && check_failures++ < 40)          \
                    fprintf(stderr, "%s(%d) is %d, not %d\n", both_names[k], both_n,               \
                            both_results[k][both_i], both_expected[k]);                            \
        }                                                                                          \
        if (!check_failures)                                                                       \
            puts("OK");                                                                            \
    } while (0)

#endif
