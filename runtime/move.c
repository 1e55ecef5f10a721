/* move.c - see move.h. */
#include "move.h"
#include "log.h"

static struct ampc_profile_kernel *on_behalf;

void ampc_move_for(struct ampc_profile_kernel *kernel) { on_behalf = kernel; }

bool ampc_move_in(struct amp_accelerator *a, struct ampc_memory *memory, uint64_t offset,
                  const void *from, uint64_t size, struct ampc_status *status)
{
    uint64_t begin = ampc_profiling() ? ampc_profile_now() : 0;
    AMPC_LOG("copy %llu bytes to %s", (unsigned long long)size, a->path);
    if (!a->device->backend->write(a->device, memory, offset, from, size, status))
        return false;
    if (begin)
        ampc_profile_moved(a, true, size, on_behalf, begin);
    return true;
}

bool ampc_move_out(struct amp_accelerator *a, struct ampc_memory *memory, uint64_t offset, void *to,
                   uint64_t size, struct ampc_profile_kernel *writer, struct ampc_status *status)
{
    uint64_t begin = ampc_profiling() ? ampc_profile_now() : 0;
    AMPC_LOG("copy %llu bytes from %s", (unsigned long long)size, a->path);
    if (!a->device->backend->read(a->device, memory, offset, to, size, status))
        return false;
    if (begin)
        ampc_profile_moved(a, false, size, writer, begin);
    return true;
}
