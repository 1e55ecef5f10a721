/* Copies by several threads: every byte arrives, also from several callers at once. No device.
 * RUN: %cc -std=gnu11 -g -O1 -Wall -Wextra -Werror -fsanitize=address,undefined -I %S/../../runtime %s %S/../../runtime/bulk.c -lpthread -o %t
 * RUN: %t && env AMPC_COPY_THREADS=5 %t && env AMPC_COPY_THREADS=1 %t
 * RUN: %cc -std=gnu11 -g -O1 -fsanitize=thread -I %S/../../runtime %s %S/../../runtime/bulk.c -lpthread -o %t
 * RUN: env AMPC_COPY_THREADS=4 %t
 */
#include "bulk.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *copies(void *argument)
{
    unsigned seed = *(unsigned *)argument;
    for (unsigned round = 0; round < 6; ++round) {
        size_t size = round * (3u << 20) + seed * 7 + round;
        unsigned char *from = malloc(size + 1), *to = malloc(size + 1);
        for (size_t i = 0; i < size; ++i)
            from[i] = (unsigned char)(i * 31 + (i >> 11) + seed);
        to[size] = 0x5a;
        ampc_bulk_copy(to, from, size);
        if (memcmp(to, from, size) || to[size] != 0x5a) {
            fprintf(stderr, "size %zu: wrong bytes\n", size);
            exit(1);
        }
        free(from);
        free(to);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[3];
    unsigned seed[3] = {0, 1, 2};
    for (int i = 0; i < 3; ++i)
        pthread_create(&thread[i], NULL, copies, &seed[i]);
    for (int i = 0; i < 3; ++i)
        pthread_join(thread[i], NULL);
    return 0;
}
