/* source.c - see source.h. */
#include "source.h"
#include "log.h"
#include "registry.h"
#include "task.h"

#include <stdlib.h>

enum { RECORDS_A_SLAB = 64 };

struct ampc_source ampc_empty_source = {UINT64_MAX, UINT64_MAX};

/* Records are handed out again but never freed: views keep looking at them. Slabs stay reachable
 * for leak checkers. */
static struct slab {
    struct slab *next;
    struct ampc_source_record records[RECORDS_A_SLAB];
} *slabs;
static struct ampc_source_record *free_records;
static uint64_t last_key;

static struct ampc_source_record *take(enum ampc_source_kind kind, struct ampc_status *status)
{
    if (!free_records) {
        struct slab *slab = ampc_allocate(sizeof *slab, status);
        if (!slab)
            return NULL;
        slab->next = slabs;
        slabs = slab;
        for (size_t i = 0; i < RECORDS_A_SLAB; ++i) {
            slab->records[i].next = free_records;
            free_records = &slab->records[i];
        }
    }
    struct ampc_source_record *record = free_records;
    free_records = record->next;
    record->key = ++last_key;
    record->kind = kind;
    record->handed_over = false;
    record->access = access_type_read_write;
    record->home = NULL;
    record->over_array = NULL;
    return record;
}

static void give_back(struct ampc_source_record *record)
{
    record->key = 0;
    record->buffer = NULL;
    record->next = free_records;
    free_records = record;
}

static void attach(struct ampc_source_record *record, struct ampc_buffer *buffer)
{
    record->buffer = buffer;
    record->next = buffer->sources;
    buffer->sources = record;
    ampc_source_update_keys(buffer);
}

struct ampc_source_record *ampc_source_open(enum ampc_source_kind kind, char *base, uint64_t size,
                                            struct ampc_status *status)
{
    struct ampc_source_record *record = take(kind, status);
    struct ampc_buffer *buffer = record ? ampc_buffer_open(base, size, status) : NULL;
    if (!buffer) {
        if (record)
            give_back(record);
        return NULL;
    }
    record->base = base ? base : buffer->base;
    record->size = size;
    attach(record, buffer);
    return record;
}

struct ampc_source_record *ampc_source_open_beside(enum ampc_source_kind kind,
                                                   struct ampc_source_record *other,
                                                   struct ampc_status *status)
{
    struct ampc_source_record *record = take(kind, status);
    if (!record)
        return NULL;
    record->base = other->base;
    record->size = other->size;
    attach(record, other->buffer);
    return record;
}

struct ampc_source_record *ampc_source_peek(struct ampc_source *source, uint64_t key)
{
    if (!source || source == &ampc_empty_source || !key)
        return NULL;
    struct ampc_source_record *record = (struct ampc_source_record *)source;
    return record->key == key ? record : NULL;
}

struct ampc_source_record *ampc_source_find(struct ampc_source *source, uint64_t key,
                                            struct ampc_status *status)
{
    struct ampc_source_record *record = ampc_source_peek(source, key);
    if (!record && (!source || source == &ampc_empty_source || !key))
        ampc_fail(status, amp_error_runtime,
                  "an empty view was used: making it failed, or nothing was stored in it");
    else if (!record)
        ampc_fail(status, amp_error_runtime, "a view was used after its source was closed");
    return record;
}

static void publish(uint64_t *key, uint64_t value)
{
    __atomic_store_n(key, value, __ATOMIC_RELEASE);
}

void ampc_source_close(struct ampc_source_record *record)
{
    struct ampc_buffer *buffer = record->buffer;
    struct ampc_source_record **link = &buffer->sources;
    while (*link != record)
        link = &(*link)->next;
    *link = record->next;
    publish(&record->keys.read_key, 0);
    publish(&record->keys.write_key, 0);
    give_back(record);
    if (!buffer->sources)
        ampc_buffer_close(buffer);
}

void ampc_source_end_tasks(struct ampc_source *source, uint64_t key)
{
    if (!ampc_tasks_running())
        return;
    ampc_lock();
    const struct ampc_source_record *record = ampc_source_peek(source, key);
    struct ampc_task_use use = {NULL, NULL, true};
    if (record) {
        use.begin = record->base;
        use.end = record->base + record->size;
    }
    ampc_unlock();
    ampc_tasks_settle(use);
}

void ampc_source_log_open(void)
{
    static const char *const kinds[] = {[AMPC_SOURCE_VIEW] = "view",
                                        [AMPC_SOURCE_ARRAY] = "array",
                                        [AMPC_SOURCE_STAGING] = "staging array"};
    for (const struct slab *slab = slabs; slab; slab = slab->next)
        for (size_t i = 0; i < RECORDS_A_SLAB; ++i) {
            const struct ampc_source_record *record = &slab->records[i];
            if (!record->key || record->kind == AMPC_SOURCE_OVER_ARRAY) /* the array's */
                continue;
            ampc_log_line("leak: a%s %s of %llu bytes%s%s was never %s",
                          record->kind == AMPC_SOURCE_ARRAY ? "n" : "", kinds[record->kind],
                          (unsigned long long)record->size, record->home ? " on " : "",
                          record->home ? record->home->path : "",
                          record->kind == AMPC_SOURCE_VIEW ? "closed" : "freed");
        }
}

void ampc_source_update_keys(struct ampc_buffer *buffer)
{
    for (struct ampc_source_record *record = buffer->sources; record; record = record->next) {
        uint64_t begin = (uint64_t)(record->base - buffer->base), end = begin + record->size;
        bool may_read =
            record->access == access_type_read || record->access == access_type_read_write;
        bool may_write =
            record->access == access_type_write || record->access == access_type_read_write;
        bool readable = may_read && ampc_buffer_is_current(buffer, begin, end, AMPC_ON_HOST);
        bool writable = may_write && ampc_buffer_is_only(buffer, begin, end, AMPC_ON_HOST);
        publish(&record->keys.read_key, readable ? record->key : 0);
        publish(&record->keys.write_key, writable ? record->key : 0);
    }
}

struct ampc_source_record *ampc_source_settle(struct ampc_source *source, uint64_t key,
                                              const char *begin, const char *end,
                                              struct ampc_status *status)
{
    for (;;) {
        struct ampc_source_record *record = ampc_source_find(source, key, status);
        if (!record)
            return NULL;
        const char *first = begin > record->base ? begin : record->base;
        const char *last = end < record->base + record->size ? end : record->base + record->size;
        if (first >= last)
            return record;
        struct ampc_device *device;
        uint64_t number =
            ampc_buffer_pending(record->buffer, (uint64_t)(first - record->buffer->base),
                                (uint64_t)(last - record->buffer->base), &device);
        if (!number)
            return record;
        ampc_unlock();
        bool done = ampc_wait(device, number, status);
        ampc_lock();
        if (!done)
            return NULL;
    }
}
