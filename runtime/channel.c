/* channel.c - see channel.h. */
#include "channel.h"
#include "registry.h"
#include <ampc/kernel.h>
#include <ampc/runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = AMPC_CHANNEL_WORDS - AMPC_REPORT_RECORDS, ITEM_WORDS = 4 };

uint32_t *ampc_channel_words(struct ampc_status *status)
{
    uint32_t *words = ampc_allocate(AMPC_CHANNEL_WORDS * sizeof *words, status);
    if (!words)
        return NULL;
    memset(words, 0, AMPC_REPORT_RECORDS * sizeof *words);
    words[AMPC_REPORT_CAPACITY] = CAPACITY;
    return words;
}

struct ampc_memory *ampc_channel_open(struct amp_accelerator *on, struct ampc_status *status)
{
    const struct ampc_backend *backend = on->device->backend;
    const uint32_t head[AMPC_REPORT_RECORDS] = {[AMPC_REPORT_CAPACITY] = CAPACITY};
    struct ampc_memory *memory = NULL;
    if (!backend->allocate(on->device, AMPC_CHANNEL_WORDS * sizeof *head, 0, &memory,
                           status))
        return NULL;
    if (backend->write(on->device, memory, 0, head, sizeof head, status))
        return memory;
    backend->release(on->device, memory);
    return NULL;
}

/* How many words of records there are. A last one may have found room for its beginning only. */
static uint32_t records_end(const uint32_t *words)
{
    uint32_t used = words[AMPC_REPORT_USED];
    return AMPC_REPORT_RECORDS + (used < CAPACITY ? used : CAPACITY);
}

bool ampc_channel_read(struct amp_accelerator *on, struct ampc_memory *memory, uint32_t *words,
                       struct ampc_status *status)
{
    const struct ampc_backend *backend = on->device->backend;
    if (!backend->read(on->device, memory, 0, words, AMPC_REPORT_RECORDS * sizeof *words, status))
        return false;
    uint64_t begin = AMPC_REPORT_RECORDS * sizeof *words;
    uint64_t size = records_end(words) * sizeof *words - begin;
    return !size || backend->read(on->device, memory, begin, words + AMPC_REPORT_RECORDS, size, status);
}

/* ---- texts ----------------------------------------------------------------- */

/* Text that grows. Where the host lacks the memory it stays as it is, and the status says so. */
struct text {
    char *bytes;
    size_t size, room;
    struct ampc_status *status;
};

static bool make_room(struct text *t, size_t more)
{
    if (t->size + more <= t->room)
        return true;
    size_t room = 2 * (t->size + more);
    char *bytes = ampc_allocate(room, t->status);
    if (!bytes)
        return false;
    if (t->size)
        memcpy(bytes, t->bytes, t->size);
    free(t->bytes);
    t->bytes = bytes;
    t->room = room;
    return true;
}

/* The arguments of a record, one after the other. */
struct arguments {
    const char *kinds;
    const uint32_t *words;
};

static uint64_t next_wide(struct arguments *a)
{
    uint64_t value = a->words[0] | (uint64_t)a->words[1] << 32;
    a->words += 2;
    return value;
}

static int next_int(struct arguments *a)
{
    ++a->kinds;
    return (int)*a->words++;
}

/* One conversion: `spec` is its text, `stars` the widths and precisions that it takes first. */
static int convert(char *to, size_t room, const char *spec, const int *stars, int star_count,
                   struct arguments a)
{
#define FORMAT(value)                                                                              \
    (star_count == 0   ? snprintf(to, room, spec, value)                                           \
     : star_count == 1 ? snprintf(to, room, spec, stars[0], value)                                 \
                       : snprintf(to, room, spec, stars[0], stars[1], value))
    switch (*a.kinds) {
    case 'i':
        return FORMAT((int)*a.words);
    case 'u':
        return FORMAT((unsigned)*a.words);
    case 'l':
        return FORMAT((long long)next_wide(&a));
    case 'L':
        return FORMAT((unsigned long long)next_wide(&a));
    case 'f': {
        float value;
        memcpy(&value, a.words, sizeof value);
        return FORMAT((double)value);
    }
    default: {
        uint64_t bits = next_wide(&a);
        double value;
        memcpy(&value, &bits, sizeof value);
        return FORMAT(value);
    }
    }
#undef FORMAT
}

static void append_conversion(struct text *t, const char *spec, struct arguments *a)
{
    int stars[2] = {0}, star_count = 0;
    for (const char *at = spec; *at; ++at)
        if (*at == '*' && star_count < 2)
            stars[star_count++] = next_int(a);
    int size = convert(NULL, 0, spec, stars, star_count, *a);
    if (size >= 0 && make_room(t, (size_t)size + 1)) {
        convert(t->bytes + t->size, (size_t)size + 1, spec, stars, star_count, *a);
        t->size += (size_t)size;
    }
    a->words += *a->kinds == 'l' || *a->kinds == 'L' || *a->kinds == 'd' ? 2 : 1;
    ++a->kinds;
}

/* Appends what printf would print. The compiler has matched the format with the arguments. */
static void append_text(struct text *t, const struct ampc_report_format *f, struct arguments *a)
{
    for (const char *at = f->format; *at;) {
        if (*at != '%' || at[1] == '%') {
            if (make_room(t, 1))
                t->bytes[t->size++] = *at;
            at += *at == '%' ? 2 : 1;
            continue;
        }
        char spec[64];
        size_t size = 1 + strcspn(at + 1, "diouxXcfFeEgGaA") + 1;
        if (size >= sizeof spec || !*a->kinds)
            return;
        memcpy(spec, at, size);
        spec[size] = 0;
        append_conversion(t, spec, a);
        at += size;
    }
}

static void print_records(const struct ampc_kernel *kernel, const uint32_t *words,
                          struct ampc_status *status)
{
    struct text t = {.status = status};
    const uint32_t *at = words + AMPC_REPORT_RECORDS, *end = words + records_end(words);
    while (at < end && *at < kernel->report_count) {
        const struct ampc_report_format *f = &kernel->reports[*at];
        struct arguments a = {f->kinds, at + 1};
        ptrdiff_t size = 1;
        for (const char *kind = f->kinds; *kind; ++kind)
            size += *kind == 'l' || *kind == 'L' || *kind == 'd' ? 2 : 1;
        if (size > end - at)
            break; /* it was counted as lost */
        append_text(&t, f, &a);
        at += size;
    }
    if (t.size)
        fwrite(t.bytes, 1, t.size, stdout);
    free(t.bytes);
    if (words[AMPC_REPORT_LOST]) {
        fflush(stdout);
        fprintf(stderr, "ampc: %s:%u: kernel %s printed more than %d KiB: %u texts were lost\n",
                kernel->file, kernel->line, kernel->name, (int)(CAPACITY * sizeof *words / 1024),
                words[AMPC_REPORT_LOST]);
    }
}

static bool fail(const struct ampc_kernel *kernel, const uint32_t *words, struct ampc_status *status)
{
    const uint32_t *record = words + AMPC_REPORT_FAILURE;
    const struct ampc_report_format *f = &kernel->reports[*record];
    struct arguments a = {f->kinds, record + 1 + ITEM_WORDS};
    struct text t = {.status = status};
    append_text(&t, f, &a);
    while (t.size && t.bytes[t.size - 1] == '\n')
        --t.size;
    char item[64] = "";
    int at = 0;
    for (uint32_t k = 0; k < kernel->rank; ++k)
        at += snprintf(item + at, sizeof item - (size_t)at, k ? ", %d" : "%d", (int)record[1 + k]);
    ampc_fail(status, amp_error_runtime, "%s:%u: %.*s (work item %s%s%s of kernel %s)", f->file, f->line,
              (int)t.size, t.size ? t.bytes : "", kernel->rank > 1 ? "(" : "", item,
              kernel->rank > 1 ? ")" : "", kernel->name);
    free(t.bytes);
    return false;
}

bool ampc_channel_finish(const struct ampc_kernel *kernel, const uint32_t *words,
                         struct ampc_status *status)
{
    print_records(kernel, words, status);
    return words[AMPC_REPORT_FAILED] ? fail(kernel, words, status) : status->code == amp_ok;
}
