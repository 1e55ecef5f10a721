/* array.c - arrays: data that lives on an accelerator; see ampc/view.h.
 *
 * An array is a source over host address space of the runtime's own, which stays untouched (and
 * costs nothing) as long as no one copies the array or indexes it on the host. */
#include "registry.h"
#include "report.h"
#include "shape.h"
#include "source.h"

#include <string.h>

static bool check_access(const struct amp_accelerator *home, access_type access,
                         struct ampc_status *status)
{
    if (access == access_type_none || home->device->shared_memory)
        return true;
    return ampc_fail(status, amp_error_runtime,
                     "array_new_access: %s does not share its memory with the CPU, which therefore "
                     "cannot access an array there",
                     home->device->name);
}

/* `from` is NULL for an array without contents. */
static void open_array(const char *what, struct amp_accelerator_view *on, access_type access,
                       bool staging, const void *from, size_t element_size, int rank,
                       const int *extent, ampc_any_view *array)
{
    struct ampc_status status = {0};
    struct ampc_source_record *record = NULL;
    uint64_t bytes;
    *array = (ampc_any_view){AMPC_EMPTY_VIEW, .rank = rank};
    ampc_lock();
    struct amp_accelerator_view *view = ampc_resolve_view(on, &status);
    if (view && access == access_type_auto)
        access = view->accelerator->default_access;
    if (view &&
        ampc_shape_measure(what, element_size, rank, extent, array->stride, &bytes, &status) &&
        (staging || check_access(view->accelerator, access, &status)))
        record = ampc_source_open(staging ? AMPC_SOURCE_STAGING : AMPC_SOURCE_ARRAY, NULL, bytes,
                                  &status);
    if (record) {
        record->home = view->accelerator;
        record->access = staging ? access_type_read_write : access;
        if (from) {
            memcpy(record->base, from, bytes);
            ampc_buffer_set(record->buffer, 0, bytes, AMPC_ON_HOST);
        }
        ampc_source_update_keys(record->buffer);
        array->source = &record->keys;
        array->key = record->key;
        array->data = record->base;
        memcpy(array->extent, extent, (size_t)rank * sizeof *extent);
    }
    ampc_unlock();
    if (!record)
        ampc_report(view, &status);
}

static void report_null(void)
{
    struct ampc_status status = {0};
    ampc_fail(&status, amp_error_runtime, "array_from: the pointer is NULL");
    ampc_report(NULL, &status);
}

static struct ampc_source_record *find_array(struct ampc_source *source, uint64_t key,
                                             const char *what, struct ampc_status *status)
{
    struct ampc_source_record *record = ampc_source_find(source, key, status);
    if (record && record->kind != AMPC_SOURCE_ARRAY && record->kind != AMPC_SOURCE_STAGING) {
        ampc_fail(status, amp_error_runtime, "%s: this is a view, not an array", what);
        return NULL;
    }
    return record;
}

static void free_array(struct ampc_source *source, uint64_t key)
{
    struct ampc_status status = {0};
    if (!source || source == &ampc_empty_source)
        return; /* as free(NULL) */
    ampc_source_end_tasks(source, key);
    ampc_lock();
    struct ampc_source_record *record = find_array(source, key, "array_free", &status);
    if (record) {
        if (record->over_array)
            ampc_source_close(record->over_array);
        ampc_source_close(record);
    }
    ampc_unlock();
    if (!record) {
        ampc_status_prefix(&status, "array_free, of an array freed before? ");
        ampc_report(NULL, &status);
    }
}

/* The source of views over the array; NULL after an error. */
static struct ampc_source_record *source_over(struct ampc_source *source, uint64_t key)
{
    struct ampc_status status = {0};
    ampc_lock();
    struct ampc_source_record *record = find_array(source, key, "array_view_from_array", &status),
                              *over = NULL;
    if (record) {
        if (!record->over_array)
            record->over_array = ampc_source_open_beside(AMPC_SOURCE_OVER_ARRAY, record, &status);
        over = record->over_array;
    }
    ampc_unlock();
    if (!over)
        ampc_report(NULL, &status);
    return over;
}

#define NAMES_1 n0
#define NAMES_2 n0, n1
#define NAMES_3 n0, n1, n2
#define NAMES_4 n0, n1, n2, n3
#define ARRAY(N)                                                                                   \
    static struct ampc_view_##N open_##N(const char *what, accelerator_view on,                    \
                                         access_type access, bool staging, const void *from,       \
                                         size_t element_size, AMPC_INTS_##N) {                     \
        ampc_any_view any;                                                                         \
        open_array(what, on, access, staging, from, element_size, N, (const int[]){NAMES_##N},     \
                   &any);                                                                          \
        struct ampc_view_##N array = {any.data, any.source, any.key, {0}, {0}};                    \
        memcpy(array.stride, any.stride, sizeof array.stride);                                     \
        memcpy(array.extent, any.extent, sizeof array.extent);                                     \
        return array;                                                                              \
    } struct ampc_view_##N ampc_array_new_##N(accelerator_view on, access_type access,             \
                                              size_t element_size, AMPC_INTS_##N) {                \
        return open_##N("array_new", on, access, false, NULL, element_size, NAMES_##N);            \
    } struct ampc_view_##N ampc_array_staging_##N(accelerator_view on, size_t element_size,        \
                                                  AMPC_INTS_##N) {                                 \
        return open_##N("array_new_staging", on, access_type_auto, true, NULL, element_size,       \
                        NAMES_##N);                                                                \
    } struct ampc_view_##N ampc_array_from_##N(const void *p, size_t element_size,                 \
                                               AMPC_INTS_##N) {                                    \
        if (!p)                                                                                    \
            report_null();                                                                         \
        return p ? open_##N("array_from", NULL, access_type_auto, false, p, element_size,          \
                            NAMES_##N)                                                             \
                 : (struct ampc_view_##N){AMPC_EMPTY_VIEW};                                        \
    } void array_free_##N(struct ampc_view_##N array) { free_array(array.source, array.key); }     \
    struct ampc_view_##N array_view_from_array_##N(struct ampc_view_##N array) {                   \
        struct ampc_source_record *over = source_over(array.source, array.key);                    \
        if (!over)                                                                                 \
            return (struct ampc_view_##N){AMPC_EMPTY_VIEW};                                        \
        array.source = &over->keys;                                                                \
        array.key = over->key;                                                                     \
        return array;                                                                              \
    }
AMPC_EACH_RANK(ARRAY)
