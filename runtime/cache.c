/* cache.c - see cache.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* secure_getenv, mkostemp */
#endif
#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_BYTES (UINT64_C(256) << 20)
enum { PATH_BYTES = 4096 };

struct header {
    char magic[8];
    uint64_t size; /* of the data behind the header */
    uint64_t hash; /* of the data */
    struct ampc_cache_identity identity;
};

static const char magic[8] = "AMPCPC1";

/* FNV-1a. */
static uint64_t hash_of(const void *data, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const uint8_t *p = data, *end = p + size; p < end; ++p)
        hash = (hash ^ *p) * UINT64_C(0x100000001b3);
    return hash;
}

/* Makes a directory where there is none. */
static bool make(const char *path) { return !mkdir(path, 0700) || errno == EEXIST; }

/* The folder, made if need be; false when there is to be no cache. */
static bool find_folder(char *out_path)
{
    /* Privileged programs do not trust the environment. */
    const char *use = secure_getenv("AMPC_CACHE"), *base = secure_getenv("XDG_CACHE_HOME");
    const char *home = secure_getenv("HOME");
    int length;
    if (use && !strcmp(use, "off"))
        return false;
    if (base && *base == '/')
        length = snprintf(out_path, PATH_BYTES, "%s", base);
    else if (home && *home == '/')
        length = snprintf(out_path, PATH_BYTES, "%s/.cache", home);
    else
        return false;
    if (length < 0 || length + 64 > PATH_BYTES || !make(out_path))
        return false;
    strcat(out_path, "/ampc");
    return make(out_path);
}

static bool find_file(const struct ampc_cache_identity *identity, char *out_path)
{
    if (!find_folder(out_path))
        return false;
    sprintf(out_path + strlen(out_path), "/pipelines-%016llx",
            (unsigned long long)hash_of(identity, sizeof *identity));
    return true;
}

static bool read_all(int file, void *to, size_t size)
{
    for (char *at = to; size;) {
        ssize_t got = read(file, at, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

static bool write_all(int file, const void *from, size_t size)
{
    for (const char *at = from; size;) {
        ssize_t put = write(file, at, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        size -= (size_t)put;
    }
    return true;
}

void *ampc_cache_load(const struct ampc_cache_identity *identity, size_t *out_size)
{
    char path[PATH_BYTES];
    struct header header;
    struct stat info;
    void *data = NULL;
    if (!find_file(identity, path))
        return NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return NULL;
    bool good =
        !fstat(file, &info) && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        read_all(file, &header, sizeof header) && !memcmp(header.magic, magic, sizeof magic) &&
        !memcmp(&header.identity, identity, sizeof *identity) && header.size <= MOST_BYTES &&
        (uint64_t)info.st_size == sizeof header + header.size && (data = malloc(header.size + 1)) &&
        read_all(file, data, header.size) && hash_of(data, header.size) == header.hash;
    close(file);
    if (!good) {
        free(data);
        return NULL;
    }
    *out_size = header.size;
    return data;
}

bool ampc_cache_save(const struct ampc_cache_identity *identity, const void *data, size_t size)
{
    char path[PATH_BYTES], temporary[PATH_BYTES + 16];
    struct header header = {.size = size, .hash = hash_of(data, size), .identity = *identity};
    memcpy(header.magic, magic, sizeof magic);
    if (size > MOST_BYTES || !find_file(identity, path))
        return false;
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    int file = mkostemp(temporary, O_CLOEXEC); /* mode 0600 */
    if (file < 0)
        return false;
    bool good = write_all(file, &header, sizeof header) && write_all(file, data, size);
    good = !close(file) && good && !rename(temporary, path);
    if (!good)
        unlink(temporary);
    return good;
}
