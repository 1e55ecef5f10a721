/* single.c - see single.h. Copies cannot see one another's symbols, but all see the process's
 * memory map: the first one leaves a page with a name there, which holds the address of something
 * of its own. */
#define _GNU_SOURCE /* memfd_create */
#include "single.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NAME "ampc-runtime-of-this-process"

static const void **page; /* of this copy */

/* The page of a copy that came before, NULL when there is none. */
static const void **find(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[4352];
    const void **found = NULL;
    while (maps && !found && fgets(line, sizeof line, maps)) {
        uintptr_t begin;
        if (strstr(line, "/memfd:" NAME) && sscanf(line, "%" SCNxPTR, &begin) == 1)
            found = (const void **)begin;
    }
    if (maps)
        fclose(maps);
    return found;
}

bool ampc_single_claim(struct ampc_status *status)
{
    const void **other = find();
    if (other && *other != &page)
        return ampc_fail(
            status, amp_error_runtime,
            "this process holds two copies of the AMP-C runtime, which would not know of one "
            "another's data: "
            "link the program and its shared objects with the shared one (ampcc --shared-runtime)");
    int file = other ? -1 : memfd_create(NAME, MFD_CLOEXEC);
    if (file < 0)
        return true; /* ours already, or a system that cannot tell */
    if (!ftruncate(file, sizeof *page)) {
        void *memory = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory != MAP_FAILED) {
            page = memory;
            *page = &page;
        }
    }
    close(file);
    return true;
}

/* A shared object with its own runtime may be unloaded and another loaded. */
__attribute__((destructor)) static void leave(void)
{
    if (page)
        munmap(page, sizeof *page);
    page = NULL;
}
