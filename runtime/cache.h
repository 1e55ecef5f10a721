/* cache.h - what a driver compiled, kept on disk between runs.
 *
 * One file for each device and driver, in $XDG_CACHE_HOME/ampc or ~/.cache/ampc; AMPC_CACHE=off
 * disables it. A file counts only when it is the user's own, whole, and made for this very device
 * and driver; anything else is as if it were not there. Nothing here fails: a cache that cannot be
 * read or written is no error. */
#ifndef AMPC_CACHE_H
#define AMPC_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names a device and its driver. */
struct ampc_cache_identity {
    uint8_t bytes[64];
};

/* The data saved last, to be freed; NULL when there is none. */
void *ampc_cache_load(const struct ampc_cache_identity *identity, size_t *out_size);
/* Replaces the file as a whole, so that other processes see the old one or the new one. */
bool ampc_cache_save(const struct ampc_cache_identity *identity, const void *data, size_t size);

#endif
