/* vulkan/profile.c - see vulkan/profile.h. */
#include "profile.h"
#include "../log.h"
#include "../registry.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    QUERIES = 2 * MOST_COMMANDS, /* of a batch */
    SUBMISSIONS = 5,             /* to calibrate by: the quickest counts */
};
#define CALIBRATION_LASTS UINT64_C(1000000000)

/* What the device writes for a query. */
struct stamp {
    uint64_t ticks, available;
};

struct vulkan_profile {
    VkQueryPool queries; /* QUERIES for each of the command ring */
    struct vulkan_memory *memory;
    struct stamp *stamps;
    struct batch {
        unsigned count; /* of commands whose times are to come */
        struct ampc_profile_mark marks[MOST_COMMANDS];
    } batches[COMMAND_RING];
    unsigned oldest;             /* batches from it on may have times to come */
    double period;               /* nanoseconds a tick */
    uint64_t mask;               /* of the bits that tick */
    uint64_t ticks, nanoseconds; /* the same moment on both clocks */
    bool calibrated;             /* by the extension */
    struct vulkan_profile_list {
        struct vulkan_device *device;
        struct vulkan_profile_list *next;
    } link;
};

static struct vulkan_profile_list *profiles;
static pid_t process;

/* ---- clocks --------------------------------------------------------------- */

const char *vulkan_profile_extension(VkPhysicalDevice physical)
{
    static const char *const name = VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME;
    const char *way = getenv("AMPC_VULKAN_CALIBRATION"); /* for tests: "submit" */
    if (!ampc_profiling() || (way && !strcmp(way, "submit")) ||
        !vulkan_has_extension(physical, name))
        return NULL;
    VkTimeDomainEXT domains[16];
    bool device = false, host = false;
    uint32_t count = sizeof domains / sizeof *domains;
    VkResult result = vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(physical, &count, domains);
    for (uint32_t i = 0; (result == VK_SUCCESS || result == VK_INCOMPLETE) && i < count; ++i) {
        device |= domains[i] == VK_TIME_DOMAIN_DEVICE_EXT;
        host |= domains[i] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
    }
    return device && host ? name : NULL;
}

static bool calibrate_by_extension(struct vulkan_device *d)
{
    struct vulkan_profile *p = d->profile;
    const VkCalibratedTimestampInfoEXT infos[] = {
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT},
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT}};
    uint64_t times[2], deviation;
    if (d->vk.vkGetCalibratedTimestampsEXT(d->handle, 2, infos, times, &deviation) != VK_SUCCESS)
        return false;
    p->ticks = times[0];
    p->nanoseconds = times[1];
    return true;
}

/* The device's moment is taken for the middle of the submission that tells it. The command buffer
 * is the first of the ring, before anything else uses it. */
static bool calibrate_by_submission(struct vulkan_device *d)
{
    struct vulkan_profile *p = d->profile;
    VkCommandBuffer buffer = d->commands[0].buffer;
    uint64_t quickest = UINT64_MAX;
    for (int i = 0; i < SUBMISSIONS; ++i) {
        const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                               .flags =
                                                   VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
        const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                     .commandBufferCount = 1,
                                     .pCommandBuffers = &buffer};
        struct stamp stamp = {0};
        if (d->vk.vkBeginCommandBuffer(buffer, &info) != VK_SUCCESS)
            return false;
        d->vk.vkCmdResetQueryPool(buffer, p->queries, 0, 1);
        d->vk.vkCmdWriteTimestamp(buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, p->queries, 0);
        if (d->vk.vkEndCommandBuffer(buffer) != VK_SUCCESS)
            return false;
        uint64_t begin = ampc_profile_now();
        if (d->vk.vkQueueSubmit(d->queue, 1, &submit, VK_NULL_HANDLE) != VK_SUCCESS ||
            d->vk.vkQueueWaitIdle(d->queue) != VK_SUCCESS)
            return false;
        uint64_t took = ampc_profile_now() - begin;
        if (d->vk.vkGetQueryPoolResults(
                d->handle, p->queries, 0, 1, sizeof stamp, &stamp, sizeof stamp,
                VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT) != VK_SUCCESS)
            return false;
        if (took < quickest) {
            quickest = took;
            p->ticks = stamp.ticks;
            p->nanoseconds = begin + took / 2;
        }
    }
    return true;
}

/* Clocks drift apart. */
static void recalibrate(struct vulkan_device *d)
{
    if (d->profile->calibrated && ampc_profile_now() - d->profile->nanoseconds > CALIBRATION_LASTS)
        calibrate_by_extension(d);
}

/* A tick of the device as the host's time; ticks before the calibration count back. */
static uint64_t host_time(const struct vulkan_profile *p, uint64_t ticks)
{
    uint64_t since = (ticks - p->ticks) & p->mask, before = (p->ticks - ticks) & p->mask;
    return since <= before ? p->nanoseconds + (uint64_t)((double)since * p->period)
                           : p->nanoseconds - (uint64_t)((double)before * p->period);
}

/* ---- opening -------------------------------------------------------------- */

static void collect_at_exit(void)
{
    if (process != getpid())
        return;
    ampc_lock();
    for (const struct vulkan_profile_list *l = profiles; l; l = l->next)
        vulkan_profile_collect(l->device);
    ampc_unlock();
}

static bool fill(struct vulkan_device *d, struct ampc_status *status)
{
    struct vulkan_profile *p = d->profile;
    VkQueueFamilyProperties families[32];
    VkPhysicalDeviceProperties properties;
    uint32_t count = sizeof families / sizeof *families;
    vkGetPhysicalDeviceQueueFamilyProperties(d->physical, &count, families);
    vkGetPhysicalDeviceProperties(d->physical, &properties);
    uint32_t bits = families[d->queue_family].timestampValidBits;
    if (!bits)
        return ampc_fail(status, amp_error_unsupported_feature, "its queue has no clock");
    p->mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    p->period = (double)properties.limits.timestampPeriod;
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = QUERIES * COMMAND_RING};
    if (!vulkan_check(d, d->vk.vkCreateQueryPool(d->handle, &info, NULL, &p->queries),
                      "vkCreateQueryPool", status))
        return false;
    p->memory = vulkan_memory_allocate(d, VULKAN_HOST_MEMORY,
                                       QUERIES * COMMAND_RING * sizeof *p->stamps, 0, status);
    if (!p->memory)
        return false;
    p->stamps = (struct stamp *)(p->memory->block->mapped + p->memory->offset);
    return (p->calibrated ? calibrate_by_extension(d) : calibrate_by_submission(d)) ||
           ampc_fail(status, amp_error_runtime, "its clock cannot be read");
}

void vulkan_profile_open(struct vulkan_device *d, bool has_extension)
{
    struct ampc_status status = {0};
    if (!ampc_profiling())
        return;
    struct vulkan_profile *p = d->profile = ampc_allocate(sizeof *p, &status);
    if (!p)
        return;
    p->calibrated = has_extension;
    if (!fill(d, &status)) {
        AMPC_LOG("%s: no times of kernels: %s", d->base.name, status.message);
        vulkan_memory_release(d, p->memory);
        d->vk.vkDestroyQueryPool(d->handle, p->queries, NULL);
        free(p);
        d->profile = NULL;
        return;
    }
    if (!profiles)
        atexit(collect_at_exit);
    process = getpid();
    p->link = (struct vulkan_profile_list){d, profiles};
    profiles = &p->link;
}

/* ---- batches -------------------------------------------------------------- */

/* The open batch's place in the ring. */
static unsigned place_of(const struct vulkan_device *d)
{
    return (unsigned)(d->batch.number % COMMAND_RING);
}

void vulkan_profile_batch(struct vulkan_device *d, VkCommandBuffer buffer)
{
    struct vulkan_profile *p = d->profile;
    if (!p)
        return;
    vulkan_profile_collect(d);
    unsigned place = place_of(d);
    p->batches[place].count = 0;
    memset(p->stamps + place * QUERIES, 0, QUERIES * sizeof *p->stamps);
    d->vk.vkCmdResetQueryPool(buffer, p->queries, place * QUERIES, QUERIES);
}

void vulkan_profile_begin(struct vulkan_device *d, VkCommandBuffer buffer)
{
    if (d->profile)
        d->vk.vkCmdWriteTimestamp(buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, d->profile->queries,
                                  place_of(d) * QUERIES +
                                      2 * d->profile->batches[place_of(d)].count);
}

void vulkan_profile_end(struct vulkan_device *d, VkCommandBuffer buffer,
                        const struct ampc_profile_mark *mark)
{
    if (!d->profile)
        return;
    struct batch *batch = &d->profile->batches[place_of(d)];
    d->vk.vkCmdWriteTimestamp(buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, d->profile->queries,
                              place_of(d) * QUERIES + 2 * batch->count + 1);
    batch->marks[batch->count++] = *mark;
}

void vulkan_profile_finish(struct vulkan_device *d, VkCommandBuffer buffer)
{
    struct vulkan_profile *p = d->profile;
    unsigned place = place_of(d);
    if (!p || !p->batches[place].count)
        return;
    recalibrate(d);
    d->vk.vkCmdCopyQueryPoolResults(
        buffer, p->queries, place * QUERIES, 2 * p->batches[place].count, p->memory->block->buffer,
        p->memory->offset + place * QUERIES * sizeof *p->stamps, sizeof *p->stamps,
        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
}

void vulkan_profile_collect(struct vulkan_device *d)
{
    struct vulkan_profile *p = d->profile;
    if (!p)
        return;
    for (unsigned k = 0, first = p->oldest; k < COMMAND_RING; ++k) {
        unsigned place = (first + k) % COMMAND_RING;
        struct batch *batch = &p->batches[place];
        const struct stamp *stamps = p->stamps + place * QUERIES;
        if (d->batch.buffer && place == place_of(d))
            return; /* still open */
        for (unsigned i = 0; i < 2 * batch->count; ++i)
            if (!__atomic_load_n(&stamps[i].available, __ATOMIC_ACQUIRE))
                return;
        for (unsigned i = 0; i < batch->count; ++i)
            ampc_profile_done(&batch->marks[i], host_time(p, stamps[2 * i].ticks),
                              host_time(p, stamps[2 * i + 1].ticks));
        if (batch->count)
            p->oldest = (place + 1) % COMMAND_RING;
        batch->count = 0;
    }
}
