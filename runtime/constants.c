/* constants.c - see constants.h. */
#include "constants.h"
#include "registry.h"

#include <stdlib.h>

struct constants {
    struct constants *next;
    const uint32_t *words;
    struct ampc_memory *memory[AMPC_MAX_ACCELERATORS];
};

static struct constants *known;

static struct constants *find(const uint32_t *words, struct ampc_status *status)
{
    for (struct constants *c = known; c; c = c->next)
        if (c->words == words)
            return c;
    struct constants *c = ampc_allocate(sizeof *c, status);
    if (!c)
        return NULL;
    *c = (struct constants){.next = known, .words = words};
    return known = c;
}

struct ampc_memory *ampc_constants_on(struct amp_accelerator *on, const struct ampc_kernel *kernel,
                                      struct ampc_status *status)
{
    struct constants *c = find(kernel->constants, status);
    if (!c)
        return NULL;
    struct ampc_memory **memory = &c->memory[on->index];
    if (*memory)
        return *memory;
    const struct ampc_backend *backend = on->device->backend;
    uint64_t size = kernel->constant_words * sizeof *kernel->constants;
    struct ampc_memory *made = NULL;
    if (!backend->allocate(on->device, size, 0, &made, status))
        return NULL;
    if (!backend->write(on->device, made, 0, kernel->constants, size, status)) {
        backend->release(on->device, made);
        return NULL;
    }
    return *memory = made;
}
