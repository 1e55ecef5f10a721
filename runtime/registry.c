/* registry.c - see registry.h. */
#include "registry.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void ampc_lock(void) { pthread_mutex_lock(&mutex); }

void ampc_unlock(void) { pthread_mutex_unlock(&mutex); }

static void *checked(void *memory, size_t size, struct ampc_status *status)
{
    if (!memory)
        ampc_fail(status, amp_error_out_of_memory, "the host has no %zu bytes left", size);
    return memory;
}

void *ampc_allocate(size_t size, struct ampc_status *status)
{
    return checked(calloc(1, size), size, status);
}

void *ampc_reallocate(void *memory, size_t size, struct ampc_status *status)
{
    return checked(realloc(memory, size), size, status);
}
