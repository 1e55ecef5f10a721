/* view.c - opening and closing views, and synchronize, refresh, discard_data; see ampc/view.h. */
#include "view.h"
#include "registry.h"
#include "report.h"
#include "shape.h"
#include "task.h"

#include <stdlib.h>

/* ---- opening -------------------------------------------------------------- */

/* Opens a source for a view of the shape; fills `view` and reports errors. Runtime-owned memory
 * when `own`. */
static void open_view(const char *what, char *base, bool own, size_t element_size, int rank,
                      const int *extent, ampc_any_view *view)
{
    struct ampc_status status = {0};
    uint64_t bytes;
    struct ampc_source_record *record = NULL;
    *view = (ampc_any_view){AMPC_EMPTY_VIEW, .rank = rank};
    if (ampc_shape_measure(what, element_size, rank, extent, view->stride, &bytes, &status)) {
        if (!own && !base && bytes) {
            ampc_fail(&status, amp_error_runtime, "%s: the pointer is NULL", what);
        } else {
            static char nothing[1]; /* a place for empty views of NULL */
            ampc_lock();
            record = ampc_source_open(AMPC_SOURCE_VIEW,
                                      own    ? NULL
                                      : base ? base
                                             : nothing,
                                      bytes, &status);
            if (record) {
                view->source = &record->keys;
                view->key = record->key;
                view->data = record->base;
                for (int k = 0; k < rank; ++k)
                    view->extent[k] = extent[k];
            }
            ampc_unlock();
        }
    }
    if (!record)
        ampc_report(NULL, &status);
}

#define NAMES_1 n0
#define NAMES_2 n0, n1
#define NAMES_3 n0, n1, n2
#define NAMES_4 n0, n1, n2, n3

/* From any rank back to one. */
#define NARROW(N)                                                                                  \
    static struct ampc_view_##N narrow_##N(const ampc_any_view *any) {                             \
        struct ampc_view_##N view = {any->data, any->source, any->key, {0}, {0}};                  \
        for (int k = 0; k < N; ++k) {                                                              \
            view.stride[k] = any->stride[k];                                                       \
            view.extent[k] = any->extent[k];                                                       \
        }                                                                                          \
        return view;                                                                               \
    }
AMPC_EACH_RANK(NARROW)

#define OPEN(N)                                                                                    \
    struct ampc_view_##N ampc_view_of_##N(void *p, size_t element_size, AMPC_INTS_##N) {           \
        ampc_any_view any;                                                                         \
        open_view("array_view_of", p, false, element_size, N, (const int[]){NAMES_##N}, &any);     \
        return narrow_##N(&any);                                                                   \
    } struct ampc_view_##N ampc_view_new_##N(size_t element_size, AMPC_INTS_##N) {                 \
        ampc_any_view any;                                                                         \
        open_view("array_view_new", NULL, true, element_size, N, (const int[]){NAMES_##N}, &any);  \
        return narrow_##N(&any);                                                                   \
    }
AMPC_EACH_RANK(OPEN)

/* ---- closing -------------------------------------------------------------- */

void ampc_view_close(struct ampc_source *source, uint64_t key)
{
    struct ampc_status status = {0};
    bool good = true;
    ampc_source_end_tasks(source, key);
    ampc_lock();
    struct ampc_source_record *record = ampc_source_peek(source, key);
    if (record && record->kind == AMPC_SOURCE_VIEW && !record->buffer->owns_host) {
        record = ampc_source_settle(source, key, NULL, (const char *)UINTPTR_MAX, &status);
        uint64_t begin = record ? (uint64_t)(record->base - record->buffer->base) : 0;
        good = record && ampc_buffer_fetch(record->buffer, begin, begin + record->size, &status);
        record = ampc_source_peek(source, key);
    }
    /* An array ends with array_free only. */
    if (record && record->kind != AMPC_SOURCE_ARRAY && record->kind != AMPC_SOURCE_STAGING) {
        for (struct ampc_source_record *r = record->buffer->sources; r; r = r->next)
            if (r->over_array == record)
                r->over_array = NULL;
        ampc_source_close(record);
    }
    ampc_unlock();
    if (!good) {
        ampc_status_prefix(&status, "closing a view, its results are lost: ");
        ampc_report(NULL, &status);
    }
}

/* ---- synchronize, refresh, discard_data ----------------------------------- */

/* The part of the record's buffer that the view's elements span; false when there is none. */
static bool span_of(const ampc_any_view *view, const struct ampc_source_record *record,
                    uint64_t *out_begin, uint64_t *out_end)
{
    if (ampc_view_is_empty(view))
        return false;
    char *begin = view->data, *end = ampc_view_end(view);
    if (begin < record->base)
        begin = record->base;
    if (end > record->base + record->size)
        end = record->base + record->size;
    if (begin >= end)
        return false;
    *out_begin = (uint64_t)(begin - record->buffer->base);
    *out_end = (uint64_t)(end - record->buffer->base);
    return true;
}

/* The host's elements count from now on; results pending between them (a section of several rows)
 * do not get lost. */
static bool refresh(const ampc_any_view *view, struct ampc_source_record *record,
                    struct ampc_status *status)
{
    uint64_t begin, end;
    if (!span_of(view, record, &begin, &end))
        return true;
    struct ampc_buffer *buffer = record->buffer;
    if (!ampc_buffer_reserve(buffer, 1, status))
        return false;
    if (!ampc_view_is_contiguous(view) &&
        !ampc_buffer_is_current(buffer, begin, end, AMPC_ON_HOST)) {
        char *elements = ampc_allocate(ampc_view_bytes(view), status);
        if (!elements)
            return false;
        ampc_view_gather(view, elements);
        bool good = ampc_buffer_fetch(buffer, begin, end, status);
        ampc_view_scatter(view, elements);
        free(elements);
        if (!good)
            return false;
    }
    ampc_buffer_set(buffer, begin, end, AMPC_ON_HOST);
    return true;
}

enum operation { SYNCHRONIZE, REFRESH, DISCARD };

static void apply(enum operation operation, ampc_any_view view)
{
    struct ampc_status status = {0};
    uint64_t begin, end;
    bool good = true, empty = ampc_view_is_empty(&view);
    if (!empty && ampc_tasks_running())
        ampc_tasks_settle((struct ampc_task_use){view.data, ampc_view_end(&view), true});
    ampc_lock();
    struct ampc_source_record *record =
        operation == DISCARD || empty
            ? ampc_source_find(view.source, view.key, &status)
            : ampc_source_settle(view.source, view.key, view.data, ampc_view_end(&view), &status);
    if (!record) {
        good = false;
    } else if (operation == REFRESH) {
        good = refresh(&view, record, &status);
    } else if (span_of(&view, record, &begin, &end)) {
        if (operation == SYNCHRONIZE)
            good = ampc_buffer_fetch(record->buffer, begin, end, &status);
        else if (ampc_view_is_contiguous(&view) && /* else bytes between the rows are to be kept */
                 ampc_buffer_reserve(record->buffer, 1, &(struct ampc_status){0}))
            /* A hint, which need not be taken. */
            ampc_buffer_set(record->buffer, begin, end, AMPC_ANYWHERE);
    }
    if (record)
        ampc_source_update_keys(record->buffer);
    ampc_unlock();
    if (!good)
        ampc_report(NULL, &status);
}

#define WHOLE(N)                                                                                   \
    void array_view_synchronize_##N(struct ampc_view_##N view)                                     \
    {                                                                                              \
        apply(SYNCHRONIZE, ampc_copy_end_##N(view));                                               \
    }                                                                                              \
    void array_view_refresh_##N(struct ampc_view_##N view)                                         \
    {                                                                                              \
        apply(REFRESH, ampc_copy_end_##N(view));                                                   \
    }                                                                                              \
    void array_view_discard_data_##N(struct ampc_view_##N view)                                    \
    {                                                                                              \
        apply(DISCARD, ampc_copy_end_##N(view));                                                   \
    }                                                                                              \
    void array_view_close_##N(struct ampc_view_##N view) { ampc_view_close(view.source, view.key); }
AMPC_EACH_RANK(WHOLE)
