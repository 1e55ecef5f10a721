/* element.c - the slow path of element access on the host, and array_view_data; see ampc/view.h. */
#include "registry.h"
#include "report.h"
#include "shape.h"
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an access that failed may touch, when a handler lets the program go on. */
static void *scratch(size_t size)
{
    static _Thread_local char small[4096];
    static _Thread_local char *large;
    static _Thread_local size_t large_size;
    if (size <= sizeof small)
        return memset(small, 0, sizeof small);
    if (size > large_size) {
        free(large);
        large = calloc(1, large_size = size);
        if (!large) { /* the access is about to happen: there is no way back */
            fprintf(stderr, "ampc: error: the host has no %zu bytes left\n", size);
            abort();
        }
    }
    return memset(large, 0, size);
}

static bool may_access(const struct ampc_source_record *record, bool write,
                       struct ampc_status *status)
{
    if (record->access == access_type_read_write ||
        record->access == (write ? access_type_write : access_type_read))
        return true;
    return ampc_fail(
        status, amp_error_runtime,
        "an element of an array was %s on the host, but the array's access type does not let the "
        "CPU in: "
        "make it with array_new_access, copy it with amp_copy, or use array_view_from_array",
        write ? "written" : "read");
}

/* Makes the source's whole range current on the host, for writing: only there. */
static bool bring_home(struct ampc_source *source, uint64_t key, bool write)
{
    struct ampc_status status = {0};
    ampc_lock();
    struct ampc_source_record *record =
        ampc_source_settle(source, key, NULL, (const char *)UINTPTR_MAX, &status);
    bool good = record && may_access(record, write, &status);
    if (good) {
        uint64_t begin = (uint64_t)(record->base - record->buffer->base),
                 end = begin + record->size;
        good = ampc_buffer_fetch(record->buffer, begin, end, &status);
        if (good && write) {
            ampc_buffer_set(record->buffer, begin, end, AMPC_ON_HOST);
            ampc_source_update_keys(record->buffer);
        }
    }
    ampc_unlock();
    if (!good)
        ampc_report(NULL, &status);
    return good;
}

const void *ampc_host_read(struct ampc_source *source, uint64_t key, char *element, size_t size)
{
    return bring_home(source, key, false) ? element : scratch(size);
}

void *ampc_host_write(struct ampc_source *source, uint64_t key, char *element, size_t size)
{
    return bring_home(source, key, true) ? element : scratch(size);
}

void *ampc_view_data(struct ampc_view_1 view)
{
    return bring_home(view.source, view.key, true) ? view.data : NULL;
}
