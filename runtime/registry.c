/* registry.c - see registry.h. */
#include "registry.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void ampc_lock(void) { pthread_mutex_lock(&mutex); }

void ampc_unlock(void) { pthread_mutex_unlock(&mutex); }

static void *checked(void *memory, size_t size)
{
    if (!memory) {
        fprintf(stderr, "ampc: error: the host has no %zu bytes left\n", size);
        abort();
    }
    return memory;
}

void *ampc_allocate(size_t size) { return checked(calloc(1, size), size); }

void *ampc_reallocate(void *memory, size_t size) { return checked(realloc(memory, size), size); }
