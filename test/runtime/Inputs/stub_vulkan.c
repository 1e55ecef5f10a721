/* stub_vulkan.c - see stub_vulkan.h. */
#include "stub_vulkan.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

unsigned stub_fail_at, stub_host_fail_at, stub_delay_milliseconds;
VkResult stub_fail_with;
const char *stub_failed;
bool stub_has_thread, stub_is_closed;
uint64_t stub_memory_bytes = UINT64_C(256) << 20;

/* ---- failing -------------------------------------------------------------- */

static void enter(const char *name)
{
    if (!__atomic_load_n(&stub_is_closed, __ATOMIC_ACQUIRE))
        return;
    fprintf(stderr, "stub: %s was called after the program's last handler for exit\n", name);
    _exit(3);
}

/* Is it this call's turn? */
static bool turn(unsigned *countdown, const char *name)
{
    unsigned left = __atomic_load_n(countdown, __ATOMIC_RELAXED);
    while (left && !__atomic_compare_exchange_n(countdown, &left, left - 1, true, __ATOMIC_RELAXED,
                                                __ATOMIC_RELAXED))
        continue;
    if (left == 1)
        stub_failed = name;
    return left == 1;
}

enum { MEMORY = 1, LOST = 2, MAP = 4 };

/* The result of a call that may fail in these ways. */
static VkResult result_of(const char *name, int ways)
{
    int way = stub_fail_with == VK_ERROR_DEVICE_LOST         ? LOST
              : stub_fail_with == VK_ERROR_MEMORY_MAP_FAILED ? MAP
                                                             : MEMORY;
    enter(name);
    return (ways & way) && turn(&stub_fail_at, name) ? stub_fail_with : VK_SUCCESS;
}

void *stub_malloc(size_t size) { return turn(&stub_host_fail_at, "malloc") ? NULL : malloc(size); }

void *stub_calloc(size_t count, size_t size)
{
    return turn(&stub_host_fail_at, "calloc") ? NULL : calloc(count, size);
}

void *stub_realloc(void *memory, size_t size)
{
    return turn(&stub_host_fail_at, "realloc") ? NULL : realloc(memory, size);
}

int stub_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                        void *argument)
{
    return turn(&stub_host_fail_at, "pthread_create")
               ? 11
               : pthread_create(thread, attributes, run, argument);
}

/* ---- objects -------------------------------------------------------------- */

struct command {
    stub_kernel *kernel; /* NULL: a copy */
    char push[128];
    const char *from;
    char *to;
    uint64_t size;
};

struct VkCommandBuffer_T {
    struct command *commands;
    size_t count, capacity;
    stub_kernel *bound;
    char push[128];
};

struct submission {
    struct submission *next;
    struct VkCommandBuffer_T *buffer;
    struct VkSemaphore_T *semaphore;
    uint64_t value;
};

struct VkSemaphore_T {
    uint64_t value;
};

struct VkPhysicalDevice_T {
    unsigned number;
};

struct VkQueue_T {
    VkDevice device;
};

struct VkDevice_T {
    unsigned number;
    bool lost;     /* atomic */
    uint64_t used; /* bytes of memory */
    struct VkQueue_T queue;
    pthread_mutex_t mutex; /* guards what follows, and semaphores */
    pthread_cond_t changed;
    struct submission *first;
    bool has_thread, ends;
    pthread_t thread;
};

struct VkDeviceMemory_T {
    char *bytes;
    uint64_t size;
};

struct VkBuffer_T {
    char *bytes;
    uint64_t size;
};

struct VkCommandPool_T {
    VkCommandBuffer *buffers;
    uint32_t count;
};

struct VkShaderModule_T {
    uint32_t number;
};

struct VkPipeline_T {
    stub_kernel *kernel;
};

struct VkPipelineLayout_T {
    int unused;
};

struct VkPipelineCache_T {
    int unused;
};

struct VkQueryPool_T {
    int unused;
};

static struct VkPhysicalDevice_T physical_devices[] = {{0}, {1}};
static int instance;

/* ---- running -------------------------------------------------------------- */

static void run(const struct VkCommandBuffer_T *buffer)
{
    for (size_t i = 0; i < buffer->count; ++i) {
        const struct command *c = &buffer->commands[i];
        if (c->kernel)
            c->kernel(c->push);
        else
            memcpy(c->to, c->from, c->size);
    }
}

/* From this result on, or before? */
static bool is_lost(VkDevice d, VkResult result)
{
    if (result == VK_ERROR_DEVICE_LOST)
        __atomic_store_n(&d->lost, true, __ATOMIC_RELAXED);
    return __atomic_load_n(&d->lost, __ATOMIC_RELAXED);
}

/* Runs what is submitted, in order. */
static void *serve(void *argument)
{
    VkDevice d = argument;
    pthread_mutex_lock(&d->mutex);
    for (;;) {
        while (!d->first && !d->ends)
            pthread_cond_wait(&d->changed, &d->mutex);
        struct submission *s = d->first;
        if (!s)
            break;
        pthread_mutex_unlock(&d->mutex);
        usleep(1000 * stub_delay_milliseconds);
        run(s->buffer);
        pthread_mutex_lock(&d->mutex);
        s->semaphore->value = s->value;
        d->first = s->next;
        pthread_cond_broadcast(&d->changed);
        free(s);
    }
    pthread_mutex_unlock(&d->mutex);
    return NULL;
}

static VkResult submit(VkQueue queue, uint32_t count, const VkSubmitInfo *info, VkFence fence)
{
    VkDevice d = queue->device;
    (void)count, (void)fence;
    VkResult result = result_of("vkQueueSubmit", MEMORY | LOST);
    if (is_lost(d, result))
        return VK_ERROR_DEVICE_LOST;
    if (result != VK_SUCCESS)
        return result;
    const VkTimelineSemaphoreSubmitInfo *timeline = info->pNext;
    struct VkSemaphore_T *semaphore = info->pSignalSemaphores[0];
    uint64_t value = timeline->pSignalSemaphoreValues[0];
    if (!stub_has_thread) {
        run(info->pCommandBuffers[0]);
        semaphore->value = value;
        return VK_SUCCESS;
    }
    struct submission *s = calloc(1, sizeof *s);
    *s = (struct submission){NULL, info->pCommandBuffers[0], semaphore, value};
    pthread_mutex_lock(&d->mutex);
    struct submission **link = &d->first;
    while (*link)
        link = &(*link)->next;
    *link = s;
    if (!d->has_thread)
        d->has_thread = !pthread_create(&d->thread, NULL, serve, d);
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->mutex);
    return VK_SUCCESS;
}

static VkResult counter(VkDevice d, VkSemaphore semaphore, uint64_t *out)
{
    VkResult result = result_of("vkGetSemaphoreCounterValue", MEMORY | LOST);
    pthread_mutex_lock(&d->mutex);
    *out = semaphore->value;
    pthread_mutex_unlock(&d->mutex);
    return is_lost(d, result) ? VK_ERROR_DEVICE_LOST : result;
}

static VkResult wait(VkDevice d, const VkSemaphoreWaitInfo *info, uint64_t nanoseconds)
{
    VkResult result = result_of("vkWaitSemaphores", MEMORY | LOST);
    if (is_lost(d, result))
        return VK_ERROR_DEVICE_LOST;
    if (result != VK_SUCCESS)
        return result;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    uint64_t fraction = (uint64_t)until.tv_nsec + nanoseconds % 1000000000;
    until.tv_sec += (time_t)(nanoseconds / 1000000000 % 1000000 + fraction / 1000000000);
    until.tv_nsec = (long)(fraction % 1000000000);
    int error = 0;
    pthread_mutex_lock(&d->mutex);
    while (info->pSemaphores[0]->value < info->pValues[0] && !error)
        error = pthread_cond_timedwait(&d->changed, &d->mutex, &until);
    pthread_mutex_unlock(&d->mutex);
    enter("vkWaitSemaphores"); /* still in there? */
    return error ? VK_TIMEOUT : VK_SUCCESS;
}

/* ---- instance and devices ------------------------------------------------- */

static VkResult instance_version(uint32_t *out)
{
    *out = VK_API_VERSION_1_2;
    return VK_SUCCESS;
}

static VkResult create_instance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *no,
                                VkInstance *out)
{
    (void)info, (void)no;
    *out = (VkInstance)&instance;
    return result_of("vkCreateInstance", MEMORY);
}

static VkResult list_devices(VkInstance unused, uint32_t *count, VkPhysicalDevice *out)
{
    (void)unused;
    *count = 2;
    out[0] = &physical_devices[1]; /* the runtime puts the discrete one first */
    out[1] = &physical_devices[0];
    return result_of("vkEnumeratePhysicalDevices", MEMORY);
}

static void properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties *out)
{
    *out = (VkPhysicalDeviceProperties){.apiVersion = VK_API_VERSION_1_2,
                                        .deviceID = physical->number,
                                        .deviceType = physical->number
                                                          ? VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU
                                                          : VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU};
    snprintf(out->deviceName, sizeof out->deviceName, "stub %u", physical->number);
    for (int k = 0; k < 3; ++k) {
        out->limits.maxComputeWorkGroupCount[k] = 65535;
        out->limits.maxComputeWorkGroupSize[k] = 1024;
    }
    out->limits.maxComputeWorkGroupInvocations = 1024;
    out->limits.maxComputeSharedMemorySize = 32768;
}

static void properties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *out)
{
    properties(physical, &out->properties);
    for (VkBaseOutStructure *s = out->pNext; s; s = s->pNext)
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES)
            ((VkPhysicalDeviceIDProperties *)s)->deviceUUID[0] = (uint8_t)(1 + physical->number);
}

static void features2(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *out)
{
    (void)physical;
    out->features.shaderInt64 = VK_TRUE;
    for (VkBaseOutStructure *s = out->pNext; s; s = s->pNext)
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
            VkPhysicalDeviceVulkan12Features *f = (VkPhysicalDeviceVulkan12Features *)s;
            f->bufferDeviceAddress = f->scalarBlockLayout = f->timelineSemaphore = VK_TRUE;
        }
}

static void families(VkPhysicalDevice physical, uint32_t *count, VkQueueFamilyProperties *out)
{
    (void)physical;
    *count = 1;
    if (out)
        *out = (VkQueueFamilyProperties){.queueFlags = VK_QUEUE_COMPUTE_BIT, .queueCount = 1};
}

static void memory_types(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties *out)
{
    const VkMemoryPropertyFlags host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                       VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                                       VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    *out = (VkPhysicalDeviceMemoryProperties){.memoryTypeCount = 2, .memoryHeapCount = 1};
    out->memoryTypes[0].propertyFlags =
        VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | (physical->number ? host : 0);
    out->memoryTypes[1].propertyFlags = host;
    out->memoryHeaps[0] = (VkMemoryHeap){stub_memory_bytes, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
}

static VkResult extensions(VkPhysicalDevice physical, const char *layer, uint32_t *count,
                           VkExtensionProperties *out)
{
    (void)physical, (void)layer, (void)out;
    *count = 0;
    return VK_SUCCESS;
}

static VkResult create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                              const VkAllocationCallbacks *no, VkDevice *out)
{
    (void)info, (void)no;
    VkResult result = result_of("vkCreateDevice", MEMORY | LOST);
    if (result != VK_SUCCESS)
        return result;
    VkDevice d = *out = calloc(1, sizeof *d);
    d->number = physical->number;
    d->queue.device = d;
    pthread_mutex_init(&d->mutex, NULL);
    pthread_cond_init(&d->changed, NULL);
    return VK_SUCCESS;
}

static void destroy_device(VkDevice d, const VkAllocationCallbacks *no)
{
    (void)no;
    enter("vkDestroyDevice");
    pthread_mutex_lock(&d->mutex);
    d->ends = true;
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->mutex);
    if (d->has_thread)
        pthread_join(d->thread, NULL);
    free(d);
}

static void get_queue(VkDevice d, uint32_t family, uint32_t number, VkQueue *out)
{
    (void)family, (void)number;
    *out = &d->queue;
}

static VkResult wait_idle(VkQueue queue)
{
    (void)queue;
    return result_of("vkQueueWaitIdle", MEMORY | LOST);
}

/* ---- memory --------------------------------------------------------------- */

static VkResult allocate_memory(VkDevice d, const VkMemoryAllocateInfo *info,
                                const VkAllocationCallbacks *no, VkDeviceMemory *out)
{
    (void)no;
    VkResult result = result_of("vkAllocateMemory", MEMORY);
    if (result != VK_SUCCESS)
        return result;
    if (info->allocationSize > stub_memory_bytes - d->used)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    *out = calloc(1, sizeof **out);
    (*out)->size = info->allocationSize;
    (*out)->bytes = aligned_alloc(4096, (info->allocationSize + 4095) / 4096 * 4096);
    d->used += info->allocationSize;
    return VK_SUCCESS;
}

static void free_memory(VkDevice d, VkDeviceMemory memory, const VkAllocationCallbacks *no)
{
    (void)no;
    enter("vkFreeMemory");
    if (!memory)
        return;
    d->used -= memory->size;
    free(memory->bytes);
    free(memory);
}

static VkResult map_memory(VkDevice d, VkDeviceMemory memory, VkDeviceSize offset,
                           VkDeviceSize size, VkMemoryMapFlags flags, void **out)
{
    (void)d, (void)offset, (void)size, (void)flags;
    *out = memory->bytes;
    return result_of("vkMapMemory", MEMORY | MAP);
}

static VkResult create_buffer(VkDevice d, const VkBufferCreateInfo *info,
                              const VkAllocationCallbacks *no, VkBuffer *out)
{
    (void)d, (void)no;
    VkResult result = result_of("vkCreateBuffer", MEMORY);
    if (result != VK_SUCCESS)
        return result;
    *out = calloc(1, sizeof **out);
    (*out)->size = info->size;
    return VK_SUCCESS;
}

static void buffer_needs(VkDevice d, VkBuffer buffer, VkMemoryRequirements *out)
{
    (void)d;
    *out = (VkMemoryRequirements){buffer->size, 256, 3};
}

static VkResult bind(VkDevice d, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset)
{
    (void)d;
    buffer->bytes = memory->bytes + offset;
    return result_of("vkBindBufferMemory", MEMORY);
}

static VkDeviceAddress address_of(VkDevice d, const VkBufferDeviceAddressInfo *info)
{
    (void)d;
    return (VkDeviceAddress)info->buffer->bytes;
}

/* ---- objects that are only made ------------------------------------------- */

#define OBJECT(Name)                                                                               \
    static VkResult create_##Name(VkDevice d, const Vk##Name##CreateInfo *info,                    \
                                  const VkAllocationCallbacks *no, Vk##Name *out)                  \
    {                                                                                              \
        (void)d, (void)no, (void)info;                                                             \
        VkResult result = result_of("vkCreate" #Name, MEMORY);                                     \
        if (result == VK_SUCCESS)                                                                  \
            *out = calloc(1, sizeof **out);                                                        \
        return result;                                                                             \
    }                                                                                              \
    static void destroy_##Name(VkDevice d, Vk##Name object, const VkAllocationCallbacks *no)       \
    {                                                                                              \
        (void)d, (void)no;                                                                         \
        enter("vkDestroy" #Name);                                                                  \
        free(object);                                                                              \
    }
OBJECT(Semaphore)
OBJECT(PipelineLayout)
OBJECT(PipelineCache)
OBJECT(QueryPool)

static VkResult cache_data(VkDevice d, VkPipelineCache cache, size_t *size, void *out)
{
    (void)d, (void)cache, (void)out;
    *size = 0;
    return result_of("vkGetPipelineCacheData", MEMORY);
}

static void destroy_buffer(VkDevice d, VkBuffer buffer, const VkAllocationCallbacks *no)
{
    (void)d, (void)no;
    enter("vkDestroyBuffer");
    free(buffer);
}

/* ---- programs ------------------------------------------------------------- */

static VkResult create_module(VkDevice d, const VkShaderModuleCreateInfo *info,
                              const VkAllocationCallbacks *no, VkShaderModule *out)
{
    (void)d, (void)no;
    VkResult result = result_of("vkCreateShaderModule", MEMORY);
    if (result != VK_SUCCESS)
        return result;
    *out = calloc(1, sizeof **out);
    (*out)->number = info->pCode[1];
    return VK_SUCCESS;
}

static void destroy_module(VkDevice d, VkShaderModule module, const VkAllocationCallbacks *no)
{
    (void)d, (void)no;
    free(module);
}

static VkResult create_pipelines(VkDevice d, VkPipelineCache cache, uint32_t count,
                                 const VkComputePipelineCreateInfo *info,
                                 const VkAllocationCallbacks *no, VkPipeline *out)
{
    (void)d, (void)cache, (void)count, (void)no;
    VkResult result = result_of("vkCreateComputePipelines", MEMORY);
    if (result != VK_SUCCESS)
        return result;
    *out = calloc(1, sizeof **out);
    (*out)->kernel = stub_kernels[info->stage.module->number];
    return VK_SUCCESS;
}

static void destroy_pipeline(VkDevice d, VkPipeline pipeline, const VkAllocationCallbacks *no)
{
    (void)d, (void)no;
    free(pipeline);
}

/* ---- commands ------------------------------------------------------------- */

static VkResult create_pool(VkDevice d, const VkCommandPoolCreateInfo *info,
                            const VkAllocationCallbacks *no, VkCommandPool *out)
{
    (void)d, (void)info, (void)no;
    VkResult result = result_of("vkCreateCommandPool", MEMORY);
    if (result == VK_SUCCESS)
        *out = calloc(1, sizeof **out);
    return result;
}

static void destroy_pool(VkDevice d, VkCommandPool pool, const VkAllocationCallbacks *no)
{
    (void)d, (void)no;
    enter("vkDestroyCommandPool");
    for (uint32_t i = 0; pool && i < pool->count; ++i) {
        free(pool->buffers[i]->commands);
        free(pool->buffers[i]);
    }
    if (pool)
        free(pool->buffers);
    free(pool);
}

static VkResult allocate_buffers(VkDevice d, const VkCommandBufferAllocateInfo *info,
                                 VkCommandBuffer *out)
{
    (void)d;
    VkResult result = result_of("vkAllocateCommandBuffers", MEMORY);
    if (result != VK_SUCCESS)
        return result;
    VkCommandPool pool = info->commandPool;
    pool->count = info->commandBufferCount;
    pool->buffers = calloc(pool->count, sizeof *pool->buffers);
    for (uint32_t i = 0; i < pool->count; ++i)
        out[i] = pool->buffers[i] = calloc(1, sizeof **out);
    return VK_SUCCESS;
}

static VkResult begin(VkCommandBuffer buffer, const VkCommandBufferBeginInfo *info)
{
    (void)info;
    buffer->count = 0;
    buffer->bound = NULL;
    return result_of("vkBeginCommandBuffer", MEMORY);
}

static VkResult end(VkCommandBuffer buffer)
{
    (void)buffer;
    return result_of("vkEndCommandBuffer", MEMORY);
}

static struct command *next(VkCommandBuffer buffer)
{
    if (buffer->count == buffer->capacity) {
        buffer->capacity = buffer->capacity ? 2 * buffer->capacity : 4;
        buffer->commands = realloc(buffer->commands, buffer->capacity * sizeof *buffer->commands);
    }
    struct command *c = &buffer->commands[buffer->count++];
    memset(c, 0, sizeof *c);
    return c;
}

static void bind_pipeline(VkCommandBuffer buffer, VkPipelineBindPoint point, VkPipeline pipeline)
{
    (void)point;
    buffer->bound = pipeline->kernel;
}

static void push(VkCommandBuffer buffer, VkPipelineLayout layout, VkShaderStageFlags stages,
                 uint32_t offset, uint32_t size, const void *bytes)
{
    (void)layout, (void)stages;
    memcpy(buffer->push + offset, bytes, size);
}

static void dispatch(VkCommandBuffer buffer, uint32_t x, uint32_t y, uint32_t z)
{
    struct command *c = next(buffer);
    (void)x, (void)y, (void)z;
    c->kernel = buffer->bound;
    memcpy(c->push, buffer->push, sizeof c->push);
}

static void copy(VkCommandBuffer buffer, VkBuffer from, VkBuffer to, uint32_t count,
                 const VkBufferCopy *regions)
{
    for (uint32_t i = 0; i < count; ++i)
        *next(buffer) = (struct command){.from = from->bytes + regions[i].srcOffset,
                                         .to = to->bytes + regions[i].dstOffset,
                                         .size = regions[i].size};
}

static void barrier(VkCommandBuffer buffer, VkPipelineStageFlags from, VkPipelineStageFlags to,
                    VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
                    uint32_t buffer_count, const VkBufferMemoryBarrier *buffers,
                    uint32_t image_count, const VkImageMemoryBarrier *images)
{
    (void)buffer, (void)from, (void)to, (void)flags, (void)memory_count, (void)memory;
    (void)buffer_count, (void)buffers, (void)image_count, (void)images;
}

/* ---- the table ------------------------------------------------------------ */

static PFN_vkVoidFunction device_function(VkDevice unused, const char *name);

static const struct {
    const char *name;
    PFN_vkVoidFunction function;
} table[] = {
#define ENTRY(name, function) {"vk" #name, (PFN_vkVoidFunction)function}
    ENTRY(EnumerateInstanceVersion, instance_version),
    ENTRY(CreateInstance, create_instance),
    ENTRY(EnumeratePhysicalDevices, list_devices),
    ENTRY(GetPhysicalDeviceProperties, properties),
    ENTRY(GetPhysicalDeviceProperties2, properties2),
    ENTRY(GetPhysicalDeviceFeatures2, features2),
    ENTRY(GetPhysicalDeviceQueueFamilyProperties, families),
    ENTRY(GetPhysicalDeviceMemoryProperties, memory_types),
    ENTRY(EnumerateDeviceExtensionProperties, extensions),
    ENTRY(GetDeviceProcAddr, device_function),
    ENTRY(CreateDevice, create_device),
    ENTRY(DestroyDevice, destroy_device),
    ENTRY(GetDeviceQueue, get_queue),
    ENTRY(QueueSubmit, submit),
    ENTRY(QueueWaitIdle, wait_idle),
    ENTRY(GetSemaphoreCounterValue, counter),
    ENTRY(WaitSemaphores, wait),
    ENTRY(CreateSemaphore, create_Semaphore),
    ENTRY(DestroySemaphore, destroy_Semaphore),
    ENTRY(CreatePipelineLayout, create_PipelineLayout),
    ENTRY(DestroyPipelineLayout, destroy_PipelineLayout),
    ENTRY(CreatePipelineCache, create_PipelineCache),
    ENTRY(DestroyPipelineCache, destroy_PipelineCache),
    ENTRY(CreateQueryPool, create_QueryPool),
    ENTRY(DestroyQueryPool, destroy_QueryPool),
    ENTRY(GetPipelineCacheData, cache_data),
    ENTRY(CreateShaderModule, create_module),
    ENTRY(DestroyShaderModule, destroy_module),
    ENTRY(CreateComputePipelines, create_pipelines),
    ENTRY(DestroyPipeline, destroy_pipeline),
    ENTRY(AllocateMemory, allocate_memory),
    ENTRY(FreeMemory, free_memory),
    ENTRY(MapMemory, map_memory),
    ENTRY(CreateBuffer, create_buffer),
    ENTRY(DestroyBuffer, destroy_buffer),
    ENTRY(GetBufferMemoryRequirements, buffer_needs),
    ENTRY(BindBufferMemory, bind),
    ENTRY(GetBufferDeviceAddress, address_of),
    ENTRY(CreateCommandPool, create_pool),
    ENTRY(DestroyCommandPool, destroy_pool),
    ENTRY(AllocateCommandBuffers, allocate_buffers),
    ENTRY(BeginCommandBuffer, begin),
    ENTRY(EndCommandBuffer, end),
    ENTRY(CmdBindPipeline, bind_pipeline),
    ENTRY(CmdPushConstants, push),
    ENTRY(CmdDispatch, dispatch),
    ENTRY(CmdCopyBuffer, copy),
    ENTRY(CmdPipelineBarrier, barrier),
};

static PFN_vkVoidFunction find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
        if (!strcmp(table[i].name, name))
            return table[i].function;
    return NULL;
}

static PFN_vkVoidFunction device_function(VkDevice unused, const char *name)
{
    (void)unused;
    return find(name);
}

static PFN_vkVoidFunction instance_function(VkInstance unused, const char *name)
{
    (void)unused;
    return find(name);
}

/* The runtime's way to the loader. */
void *stub_dlopen(const char *name, int flags)
{
    (void)name, (void)flags;
    return &instance;
}

void *stub_dlsym(void *library, const char *name)
{
    (void)library, (void)name;
    return (void *)instance_function;
}
