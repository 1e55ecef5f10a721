/* backend.h - what the runtime asks of a kind of accelerator: one table of functions.
 *
 * A backend knows memory, programs and one ordered queue per device; it knows nothing of views or
 * coherence. Commands of a device take effect in the order of the calls; each is numbered, and
 * numbers are completed in order.
 *
 * Locking: all functions are called with the registry lock held (registry.h), but for `wait`, which
 * is called without it so that other threads go on. */
#ifndef AMPC_BACKEND_H
#define AMPC_BACKEND_H

#include "status.h"
#include <ampc/kernel.h>

struct ampc_profile_mark; /* profile.h */

struct ampc_limits {
    uint32_t groups[3];         /* work groups per dimension of the grid */
    uint32_t group_size[3];     /* work items per dimension of a group */
    uint32_t group_items;       /* work items of a group */
    uint32_t tile_static_bytes; /* memory shared by a group */
};

/* A device of the machine. The backend's own record starts with it; it lasts as long as the
 * program. */
struct ampc_device {
    const struct ampc_backend *backend; /* set by the registry */
    unsigned index;                     /* of its accelerator; likewise */
    char name[256];
    bool emulated; /* runs on the CPU */
    bool is_host;  /* works on host memory, of which it therefore has no copies */
    bool double_precision;
    uint32_t features; /* of enum ampc_feature, or-ed: what it has */
    bool shared_memory; /* the CPU can use its memory in place */
    uint64_t memory_bytes;
    uint32_t preferred_group_size; /* of untiled kernels */
    struct ampc_limits limits;
};

/* A piece of device memory; the backend's own record starts with it. */
struct ampc_memory {
    uint64_t address; /* on the device, of byte 0 */
};

/* A kernel reads, or may write, these bytes of the memory. */
struct ampc_memory_use {
    struct ampc_memory *memory;
    uint64_t begin, end;
    bool writes;
};

/* A run of bytes to be copied: offsets in both memories. */
struct ampc_region {
    uint64_t from, to, size;
};

/* One launch, everything decided. */
struct ampc_plan {
    const struct ampc_kernel *kernel;
    const void *arguments; /* kernel->argument_bytes bytes, read before `launch` returns */
    const struct ampc_memory_use *uses;
    size_t use_count;
    uint32_t groups[3];
    uint32_t group_size; /* untiled kernels: specialisation constant 0 */
    const void *captures; /* a host's: as ampc_launch got them */
    const struct ampc_domain *domain;
    const struct ampc_profile_mark *mark; /* to be handed back when it is done; NULL: no profile */
};

struct ampc_backend {
    const char *name; /* first part of a device path */

    /* Lists the devices that meet the base requirements (dialect.md section 8), best first. Returns
     * how many (at most `capacity`); when none, the status says why. Called once. */
    size_t (*enumerate)(struct ampc_device **out_devices, size_t capacity, struct ampc_status *);
    /* Makes the device ready for the other functions; when it is already, does nothing. */
    bool (*open)(struct ampc_device *, struct ampc_status *);

    /* `size` bytes whose address is congruent to `residue` modulo 256: an element is aligned there
     * as it is on the host. The contents are undefined. */
    bool (*allocate)(struct ampc_device *, uint64_t size, uint64_t residue,
                     struct ampc_memory **out_memory, struct ampc_status *);
    /* Gives memory back once the commands given so far are done with it. NULL is nothing. */
    void (*release)(struct ampc_device *, struct ampc_memory *);
    /* Copies between host and device, in order with commands. The host bytes are free when the call
     * returns. */
    bool (*write)(struct ampc_device *, struct ampc_memory *, uint64_t offset, const void *from,
                  uint64_t size, struct ampc_status *);
    bool (*read)(struct ampc_device *, struct ampc_memory *, uint64_t offset, void *to,
                 uint64_t size, struct ampc_status *);

    /* Lets `write` and `read` reach this host memory directly; false, which is no error, when that
     * cannot be. `unpin` ends it, for the same address, before the memory goes. */
    bool (*pin)(struct ampc_device *, void *memory, uint64_t size);
    void (*unpin)(struct ampc_device *, void *memory);

    /* Copies between pieces of memory of the device, as `launch` runs a kernel. Regions do not
     * overlap one another. */
    bool (*copy)(struct ampc_device *, struct ampc_memory *from, struct ampc_memory *to,
                 const struct ampc_region *, size_t count, uint64_t *out_number,
                 struct ampc_status *);

    /* Builds what a launch of the kernel needs, so that `launch` of a prepared kernel fails only
     * for lack of memory or a lost device. */
    bool (*prepare)(struct ampc_device *, const struct ampc_kernel *, uint32_t group_size,
                    struct ampc_status *);
    /* Gives the device a kernel; *out_number is the number of the command. The device starts it
     * soon, or when anyone waits for it. */
    bool (*launch)(struct ampc_device *, const struct ampc_plan *, uint64_t *out_number,
                   struct ampc_status *);

    /* Starts what was given now. */
    bool (*flush)(struct ampc_device *, struct ampc_status *);

    /* Runs a prepared kernel and returns when it is done; without the registry lock. The backend of
     * a host (is_host) has this, enumerate, open and prepare, and nothing else. */
    bool (*run)(struct ampc_device *, const struct ampc_plan *, struct ampc_status *);

    /* The number of the last command that writes any of these bytes, or of a later one; 0: none. */
    uint64_t (*last_write)(const struct ampc_memory *, uint64_t begin, uint64_t end);
    /* The number of the last command given. */
    uint64_t (*last_command)(struct ampc_device *);
    bool (*is_complete)(struct ampc_device *, uint64_t number);
    /* Waits for command `number` and those before it, at most so many nanoseconds; *out_complete
     * tells whether they are done. False when the device is lost. */
    bool (*wait)(struct ampc_device *, uint64_t number, uint64_t nanoseconds, bool *out_complete,
                 struct ampc_status *);
};

#endif
