/* The cache on disk: what was saved is found again; what is cut off, changed, of another device, or not a file is not.
 * RUN: %cc -std=gnu11 -g -Wall -Wextra -Werror -fsanitize=address,undefined -I %S/../../runtime %s %S/../../runtime/cache.c -o %t
 * RUN: rm -rf %t.dir && env XDG_CACHE_HOME=%t.dir %t %t.dir/ampc
 * RUN: rm -rf %t.dir && mkdir %t.dir && env -u XDG_CACHE_HOME HOME=%t.dir %t %t.dir/.cache/ampc
 * RUN: rm -rf %t.dir && env AMPC_CACHE=off XDG_CACHE_HOME=%t.dir %t none
 * RUN: env XDG_CACHE_HOME=relative HOME= %t none
 * RUN: env XDG_CACHE_HOME=/proc/nowhere %t none
 */
#include "cache.h"

#include "Inputs/condition.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct ampc_cache_identity here = {{1, 2, 3}}, elsewhere = {{1, 2, 4}};

static int finds(const struct ampc_cache_identity *identity, const char *expected)
{
    size_t size = 0;
    char *data = ampc_cache_load(identity, &size);
    int same = data && size == strlen(expected) && !memcmp(data, expected, size);
    free(data);
    return same;
}

/* The path of the only file in the folder. */
static void only_file(const char *folder, char *out_path)
{
    int count = 0;
    DIR *directory = opendir(folder);
    CHECK(directory);
    for (struct dirent *entry; (entry = readdir(directory));)
        if (entry->d_name[0] != '.') {
            snprintf(out_path, 4096, "%s/%s", folder, entry->d_name);
            ++count;
        }
    closedir(directory);
    CHECK(count == 1);
}

int main(int argc, char **argv)
{
    char path[4096], moved[4200];
    struct stat info;
    CHECK(argc == 2);
    if (!strcmp(argv[1], "none")) {
        CHECK(!ampc_cache_save(&here, "data", 4) && !finds(&here, "data"));
        return 0;
    }
    CHECK(!finds(&here, "data"));
    CHECK(ampc_cache_save(&here, "data", 4) && finds(&here, "data") && !finds(&elsewhere, "data"));
    CHECK(ampc_cache_save(&here, "longer data", 11) && finds(&here, "longer data"));
    only_file(argv[1], path);
    CHECK(!stat(path, &info) && (info.st_mode & 07777) == 0600);

    /* Every byte counts but that there is a file at all. */
    for (off_t at = 0; at < info.st_size; ++at) {
        FILE *file = fopen(path, "r+b");
        CHECK(file && !fseek(file, at, SEEK_SET));
        int byte = fgetc(file);
        CHECK(!fseek(file, at, SEEK_SET) && fputc(byte ^ 0x10, file) >= 0 && !fclose(file));
        CHECK(!finds(&here, "longer data"));
        CHECK(ampc_cache_save(&here, "longer data", 11));
    }
    for (off_t size = 0; size < info.st_size; ++size) {
        CHECK(!truncate(path, size) && !finds(&here, "longer data"));
        CHECK(ampc_cache_save(&here, "longer data", 11));
    }
    CHECK(!truncate(path, info.st_size + 1) && !finds(&here, "longer data"));
    CHECK(ampc_cache_save(&here, "", 0) && finds(&here, ""));

    /* A link is not followed; saving replaces it. */
    CHECK(ampc_cache_save(&here, "data", 4));
    snprintf(moved, sizeof moved, "%s/../target", argv[1]);
    CHECK(!rename(path, moved) && !symlink(moved, path) && !finds(&here, "data"));
    CHECK(ampc_cache_save(&here, "new", 3) && finds(&here, "new"));
    CHECK(!lstat(path, &info) && S_ISREG(info.st_mode));
    CHECK(!unlink(path) && !mkdir(path, 0700) && !finds(&here, "new"));
    CHECK(!ampc_cache_save(&here, "new", 3)); /* and leaves nothing behind: */
    only_file(argv[1], path);
    CHECK(!rmdir(path));
    return 0;
}
