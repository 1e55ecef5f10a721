/* launch.c - parallel_for_each: checks, coherence of what is captured, the argument block, the
 * start; see ampc/launch.h. */
#include "channel.h"
#include "constants.h"
#include "cpu/pool.h"
#include "domain.h"
#include "log.h"
#include "move.h"
#include "registry.h"
#include "report.h"
#include "shape.h"
#include "source.h"
#include "task.h"
#include <ampc/launch.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_VIEWS = 16, FEW_BYTES = 256 };

/* A captured view and what the launch does with it. */
struct capture {
    ampc_any_view view;
    struct ampc_source_record *record;
    uint64_t begin, end; /* of its elements in the buffer; equal when there are none */
    bool writes;
};

struct launch {
    const struct ampc_kernel *kernel;
    const char *captures;
    struct amp_accelerator_view *on;
    struct capture *views;         /* in the order of kernel->views */
    struct ampc_memory *constants; /* on the accelerator; NULL when the kernel uses none */
    struct ampc_profile_mark mark; /* `kernel` is NULL: no profile */
    struct ampc_memory *reports; /* on the accelerator; NULL when the kernel has none */
    uint64_t number;             /* of the command */
};

/* Before anything else of the kernel is looked at. */
static bool check_binary(const struct ampc_kernel *kernel, struct ampc_status *status)
{
    if (kernel->abi_version == AMPC_ABI_VERSION && kernel->size == sizeof *kernel)
        return true;
    return ampc_fail(status, amp_error_runtime,
                     "a kernel was compiled for version %u of the kernel ABI; this runtime has "
                     "version %d: compile it again",
                     kernel->abi_version, AMPC_ABI_VERSION);
}

/* A kernel on the CPU has the whole pool: the launch would wait for itself. */
static bool check_caller(const struct ampc_kernel *kernel, struct ampc_status *status)
{
    return !cpu_pool_in_kernel() ||
           ampc_fail(status, amp_error_runtime,
                     "%s:%u: kernel %s was launched from within a kernel (by a signal handler?)",
                     kernel->file, kernel->line, kernel->name);
}

/* The view at `at` in the captures, of any rank. */
static ampc_any_view load_view(const char *at, int rank)
{
    switch (rank) {
    case 1:
        return ampc_copy_end_1(*(const struct ampc_view_1 *)at);
    case 2:
        return ampc_copy_end_2(*(const struct ampc_view_2 *)at);
    case 3:
        return ampc_copy_end_3(*(const struct ampc_view_3 *)at);
    default:
        return ampc_copy_end_4(*(const struct ampc_view_4 *)at);
    }
}

/* Looks up what is captured; chooses the accelerator view when the launch names none. */
static bool find_captures(struct launch *launch, struct ampc_status *status)
{
    const struct ampc_kernel *kernel = launch->kernel;
    for (uint32_t i = 0; i < kernel->view_count; ++i) {
        const struct ampc_captured_view *captured = &kernel->views[i];
        struct capture *c = &launch->views[i];
        c->view = load_view(launch->captures + captured->source, captured->rank);
        c->writes = !captured->read_only;
        c->begin = c->end = 0;
        c->record = ampc_source_find(c->view.source, c->view.key, status);
        if (!c->record) {
            ampc_status_prefix(status, "captured view %u: ", i + 1);
            return false;
        }
        if (c->record->kind == AMPC_SOURCE_STAGING)
            return ampc_fail(
                status, amp_error_runtime,
                "it captures a staging array, which stays on the host: copy it to an array first");
        if (c->record->kind == AMPC_SOURCE_ARRAY && !launch->on)
            launch->on = &c->record->home->default_view;
    }
    launch->on = ampc_resolve_view(launch->on, status);
    if (!launch->on)
        return false;
    for (uint32_t i = 0; i < kernel->view_count; ++i) {
        const struct ampc_source_record *record = launch->views[i].record;
        if (record->kind == AMPC_SOURCE_ARRAY && record->home != launch->on->accelerator)
            return ampc_fail(status, amp_error_runtime,
                             "it runs on %s and captures an array that lives on %s",
                             launch->on->accelerator->path, record->home->path);
    }
    return true;
}

/* Makes the accelerator's copy of what is captured current. */
static bool place_captures(struct launch *launch, struct ampc_status *status)
{
    for (uint32_t i = 0; i < launch->kernel->view_count; ++i) {
        struct capture *c = &launch->views[i];
        struct ampc_buffer *buffer = c->record->buffer;
        if (!ampc_view_is_empty(&c->view)) {
            const char *end = ampc_view_end(&c->view), *limit = c->record->base + c->record->size;
            if (c->view.data < c->record->base || end > limit)
                return ampc_fail(status, amp_error_runtime,
                                 "captured view %u reaches outside the memory it was opened over",
                                 i + 1);
            c->begin = (uint64_t)(c->view.data - buffer->base);
            c->end = (uint64_t)(end - buffer->base);
        }
        if (!ampc_buffer_place(buffer, launch->on->accelerator, c->begin, c->end, status))
            return false;
    }
    /* Marking what is written cannot fail; all of it may be in one buffer. */
    for (uint32_t i = 0; i < launch->kernel->view_count; ++i)
        if (!ampc_buffer_reserve(launch->views[i].record->buffer, launch->kernel->view_count,
                                 status))
            return false;
    return true;
}

static const struct capture *capture_at(const struct launch *launch, uint32_t source)
{
    uint32_t i = 0;
    while (launch->kernel->views[i].source != source)
        ++i;
    return &launch->views[i];
}

/* The argument block as kernel->arguments describes it. */
static void fill_arguments(const struct launch *launch, const struct ampc_domain *domain,
                           char *block)
{
    unsigned place = launch->on->accelerator->index;
    for (uint32_t i = 0; i < launch->kernel->argument_count; ++i) {
        const struct ampc_argument *a = &launch->kernel->arguments[i];
        const struct capture *c = NULL;
        if (a->kind == AMPC_ARG_VIEW_ADDRESS || a->kind == AMPC_ARG_VIEW_STRIDE ||
            a->kind == AMPC_ARG_VIEW_EXTENT)
            c = capture_at(launch, a->source);
        switch ((enum ampc_argument_kind)a->kind) {
        case AMPC_ARG_VIEW_ADDRESS: {
            const struct ampc_buffer *buffer = c->record->buffer;
            uint64_t address =
                buffer->memory[place]->address + (uint64_t)(c->view.data - buffer->base);
            memcpy(block + a->offset, &address, sizeof address);
            break;
        }
        case AMPC_ARG_VIEW_STRIDE:
            memcpy(block + a->offset, &c->view.stride[a->dimension], sizeof c->view.stride[0]);
            break;
        case AMPC_ARG_VIEW_EXTENT:
            memcpy(block + a->offset, &c->view.extent[a->dimension], sizeof c->view.extent[0]);
            break;
        case AMPC_ARG_DOMAIN_EXTENT:
            memcpy(block + a->offset, &domain->extent[a->dimension], sizeof domain->extent[0]);
            break;
        case AMPC_ARG_BYTES:
            memcpy(block + a->offset, launch->captures + a->source, a->size);
            break;
        case AMPC_ARG_CONSTANTS:
            memcpy(block + a->offset, &launch->constants->address, sizeof(uint64_t));
            break;
        case AMPC_ARG_REPORTS:
            memcpy(block + a->offset, &launch->reports->address, sizeof(uint64_t));
            break;
        }
    }
}

static void log_launch(const struct launch *launch, const struct ampc_domain *domain,
                       const struct ampc_plan *plan)
{
    char extent[64] = "";
    size_t at = 0;
    for (int k = 0; k < domain->rank; ++k)
        at += (size_t)snprintf(extent + at, sizeof extent - at, k ? " x %d" : "%d",
                               domain->extent[k]);
    char groups[64] = "";
    if (!launch->on->accelerator->device->is_host)
        snprintf(groups, sizeof groups, ": %u x %u x %u groups", plan->groups[0], plan->groups[1],
                 plan->groups[2]);
    ampc_log_line("launch %s (%s:%u) over %s on %s%s", launch->kernel->name, launch->kernel->file,
                  launch->kernel->line, extent, launch->on->accelerator->path, groups);
}

/* Asynchronous copies given before come first. */
static void settle_tasks(const struct launch *launch)
{
    for (uint32_t i = 0; i < launch->kernel->view_count; ++i) {
        const struct ampc_captured_view *captured = &launch->kernel->views[i];
        ampc_any_view view = load_view(launch->captures + captured->source, captured->rank);
        if (!ampc_view_is_empty(&view))
            ampc_tasks_settle(
                (struct ampc_task_use){view.data, ampc_view_end(&view), !captured->read_only});
    }
}

/* What the kernel may write is current on its accelerator only. */
static void mark_written(const struct launch *launch)
{
    for (uint32_t i = 0; i < launch->kernel->view_count; ++i) {
        const struct capture *c = &launch->views[i];
        if (!c->writes)
            continue;
        c->record->buffer->writer = launch->mark.kernel;
        ampc_buffer_set(c->record->buffer, c->begin, c->end, AMPC_ON(launch->on->accelerator));
        ampc_source_update_keys(c->record->buffer);
    }
}

/* On a host the kernel has yet to run when this returns; that is done without the lock. */
static bool start(struct launch *launch, const struct ampc_domain *domain, char *block,
                  struct ampc_memory_use *uses, struct ampc_status *status)
{
    const struct ampc_kernel *kernel = launch->kernel;
    if (!ampc_domain_check(kernel, domain, status) || !find_captures(launch, status))
        return false;
    struct amp_accelerator *on = launch->on->accelerator;
    const struct ampc_backend *backend = on->device->backend;
    struct ampc_plan plan = {
        .kernel = kernel, .arguments = block, .uses = uses, .use_count = kernel->view_count};
    if (!on->device->is_host)
        ampc_plan_groups(kernel, domain, on->device, &plan);
    if (!(on->device->is_host ? (const void *)kernel->cpu : kernel->spirv))
        return ampc_fail(status, amp_error_unsupported_feature,
                         "it was compiled without code for %s (ampcc --accelerators=)",
                         on->device->name);
    if (launch->mark.kernel) {
        launch->mark.accelerator = on->index;
        launch->mark.view = launch->on->number;
        plan.mark = &launch->mark;
    }
    if (!ampc_kernel_check(kernel, on->device, status) ||
        !backend->prepare(on->device, kernel, plan.group_size, status) ||
        !place_captures(launch, status))
        return false;
    if (on->device->is_host) {
        if (ampc_log_enabled())
            log_launch(launch, domain, &plan);
        mark_written(launch);
        return true;
    }
    if (kernel->constants) {
        launch->constants = ampc_constants_on(on, kernel, status);
        if (!launch->constants)
            return false;
        uses[plan.use_count++] = (struct ampc_memory_use){
            launch->constants, 0, kernel->constant_words * sizeof *kernel->constants, false};
    }
    if (kernel->reports) {
        launch->reports = ampc_channel_open(on, status);
        if (!launch->reports)
            return false;
        uses[plan.use_count++] = (struct ampc_memory_use){
            launch->reports, 0, AMPC_CHANNEL_WORDS * sizeof(uint32_t), true};
    }
    fill_arguments(launch, domain, block);
    for (uint32_t i = 0; i < kernel->view_count; ++i)
        uses[i] = (struct ampc_memory_use){launch->views[i].record->buffer->memory[on->index],
                                           launch->views[i].begin, launch->views[i].end,
                                           launch->views[i].writes};
    if (ampc_log_enabled())
        log_launch(launch, domain, &plan);
    if (!backend->launch(on->device, &plan, &launch->on->last_command, status) ||
        (launch->on->mode == queuing_mode_immediate && !backend->flush(on->device, status)))
        return false;
    launch->number = launch->on->last_command;
    mark_written(launch);
    return true;
}

/* Runs the kernel on a host, and reads what it reports. */
static bool run(const struct launch *launch, const struct ampc_domain *domain, uint32_t *reports,
                struct ampc_status *status)
{
    struct ampc_device *device = launch->on->accelerator->device;
    struct ampc_domain own = *domain;
    own.reports = reports;
    return device->backend->run(
        device,
        &(const struct ampc_plan){.kernel = launch->kernel,
                                  .captures = launch->captures,
                                  .domain = &own,
                                  .mark = launch->mark.kernel ? &launch->mark : NULL},
        status);
}

/* Waits for the kernel and reads what it reports. */
static bool collect(const struct launch *launch, uint32_t *reports, struct ampc_status *status)
{
    struct amp_accelerator *on = launch->on->accelerator;
    if (!ampc_wait(on->device, launch->number, status))
        return false;
    ampc_lock();
    bool good = ampc_channel_read(on, launch->reports, reports, status);
    ampc_unlock();
    return good;
}

/* The launch will be in the profile. Returns the time. */
static uint64_t start_mark(struct ampc_profile_mark *mark, const struct ampc_kernel *kernel)
{
    static uint64_t launches;
    mark->kernel = ampc_profile_kernel(kernel);
    mark->id = __atomic_add_fetch(&launches, 1, __ATOMIC_RELAXED);
    return ampc_profile_now();
}

void ampc_launch(const struct ampc_kernel *kernel, accelerator_view view, struct ampc_domain domain,
                 const void *captures)
{
    struct ampc_status
        status; /* this and the arrays below are large: a launch should cost little */
    status.code = amp_ok;
    *status.message = 0;
    if (!check_binary(kernel, &status) || !check_caller(kernel, &status)) {
        ampc_report(view, &status);
        return;
    }
    struct capture few_views[FEW_VIEWS];
    struct ampc_memory_use few_uses[FEW_VIEWS + 2]; /* and constants, reports */
    _Alignas(16) char few_bytes[FEW_BYTES];
    bool many = kernel->view_count > FEW_VIEWS, large = kernel->argument_bytes > FEW_BYTES;
    struct capture *views =
        many ? ampc_allocate(kernel->view_count * sizeof *views, &status) : few_views;
    struct ampc_memory_use *uses =
        many ? ampc_allocate((kernel->view_count + 2) * sizeof *uses, &status) : few_uses;
    char *block = large ? ampc_allocate(kernel->argument_bytes, &status) : few_bytes;
    uint32_t *reports = kernel->reports ? ampc_channel_words(&status) : NULL;
    bool good = views && uses && block && (reports || !kernel->reports);
    if (!large)
        memset(few_bytes, 0, kernel->argument_bytes);
    struct launch launch = {kernel, captures, view, views, NULL, {0}, NULL, 0};
    uint64_t begin = ampc_profiling() ? start_mark(&launch.mark, kernel) : 0;

    if (good && ampc_tasks_running())
        settle_tasks(&launch);
    ampc_lock();
    ampc_move_for(launch.mark.kernel);
    good = good && start(&launch, &domain, block, uses, &status);
    ampc_move_for(NULL);
    ampc_unlock();
    if (good && launch.on->accelerator->device->is_host)
        good = run(&launch, &domain, reports, &status);
    else if (good && reports)
        good = collect(&launch, reports, &status);
    if (good && begin)
        ampc_profile_launched(&launch.mark, begin, &domain);
    bool was_run = good;
    if (good && reports)
        good = ampc_channel_finish(kernel, reports, &status);
    free(reports);
    if (launch.reports) {
        ampc_lock();
        struct ampc_device *device = launch.on->accelerator->device;
        device->backend->release(device, launch.reports);
        ampc_unlock();
    }

    if (many) {
        free(views);
        free(uses);
    }
    if (large)
        free(block);
    if (!good && !was_run)
        ampc_status_prefix(&status, "%s:%u: kernel %s was not started: ", kernel->file,
                           kernel->line, kernel->name);
    if (!good)
        ampc_report(launch.on, &status);
}
