/* profile.h - what the program does with its accelerators, for AMPC_TRACE (a timeline, trace.h) and
 * AMPC_LOG (a table at exit).
 *
 * While neither is asked for, ampc_profiling() is false, and nobody calls the other functions or
 * reads a clock. They may be called from any thread, with or without the lock. Times are in
 * nanoseconds of CLOCK_MONOTONIC. */
#ifndef AMPC_PROFILE_H
#define AMPC_PROFILE_H

#include "accelerator.h"

bool ampc_profiling(void);
uint64_t ampc_profile_now(void);

/* A kernel as the profile knows it: outlasts the library that it came from. */
struct ampc_profile_kernel;
struct ampc_profile_kernel *ampc_profile_kernel(const struct ampc_kernel *kernel);

/* What a device is given: a launch, or a copy. Devices hand it back with its times. */
struct ampc_profile_mark {
    struct ampc_profile_kernel *kernel; /* NULL: a copy */
    unsigned accelerator;               /* its index */
    unsigned view;                      /* of the accelerator */
    uint64_t id;                        /* of the launch */
    uint64_t bytes;                     /* of a copy */
};

/* The host called for a launch. */
void ampc_profile_launched(const struct ampc_profile_mark *mark, uint64_t begin,
                           const struct ampc_domain *domain);
/* The device did what it was given. */
void ampc_profile_done(const struct ampc_profile_mark *mark, uint64_t begin, uint64_t end);

/* Bytes between host and accelerator, on behalf of a kernel or (NULL) of the program. */
void ampc_profile_moved(const struct amp_accelerator *a, bool in, uint64_t bytes,
                        struct ampc_profile_kernel *kernel, uint64_t begin);
/* The host waited for an accelerator, until now. */
void ampc_profile_waited(const struct ampc_device *device, uint64_t begin);
/* A kernel was built for a device, until now. */
void ampc_profile_built(const struct ampc_kernel *kernel, const struct ampc_device *device,
                        uint64_t begin);

#endif
