/* vulkan.c - the hand-written Vulkan side of the GPU benchmarks: what somebody who needs nothing but this would write.
 *
 *   vulkan           triad, launches, copies; lines as bench_report writes them
 *   vulkan small     the same in sizes for a device such as lavapipe
 *   vulkan start F   the smallest program: one kernel over 1000 floats, its pipeline cache in the file F */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include "bench.h"
#include "one.h" /* from the .comp files, by glslangValidator --vn NAME_spirv */
#include "triad.h"

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        VkResult r_ = (call);                                                                                          \
        if (r_ != VK_SUCCESS) {                                                                                        \
            printf("%s: VkResult %d\n", #call, r_);                                                                    \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static VkPhysicalDevice physical;
static VkPhysicalDeviceMemoryProperties types;
static VkDevice device;
static uint32_t family;
static VkQueue queue;
static VkCommandBuffer commands;
static VkSemaphore timeline;
static uint64_t submitted;
static VkPipelineLayout layout;

/* The first device that is no CPU, else the first. */
static void open_device(void)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                                .pApplicationInfo = &application};
    VkInstance instance;
    VkPhysicalDevice all[16];
    uint32_t count = 16, families = 16;
    CHECK(vkCreateInstance(&instance_info, NULL, &instance));
    VkResult listed = vkEnumeratePhysicalDevices(instance, &count, all);
    if ((listed != VK_SUCCESS && listed != VK_INCOMPLETE) || !count)
        exit(1);
    physical = all[0];
    for (uint32_t i = count; i-- > 0;) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(all[i], &properties);
        if (properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU)
            physical = all[i];
    }
    VkQueueFamilyProperties queues[16];
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &families, queues);
    while (!(queues[family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        ++family;
    vkGetPhysicalDeviceMemoryProperties(physical, &types);
    VkPhysicalDeviceVulkan12Features use = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                            .bufferDeviceAddress = VK_TRUE,
                                            .timelineSemaphore = VK_TRUE};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                                .queueFamilyIndex = family,
                                                .queueCount = 1,
                                                .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &use,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue_info};
    CHECK(vkCreateDevice(physical, &info, NULL, &device));
    vkGetDeviceQueue(device, family, 0, &queue);

    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                               .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                               .queueFamilyIndex = family};
    VkCommandPool pool;
    CHECK(vkCreateCommandPool(device, &pool_info, NULL, &pool));
    const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                  .commandPool = pool,
                                                  .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                  .commandBufferCount = 1};
    CHECK(vkAllocateCommandBuffers(device, &allocate, &commands));
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    CHECK(vkCreateSemaphore(device, &semaphore, NULL, &timeline));
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 32};
    const VkPipelineLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                    .pushConstantRangeCount = 1,
                                                    .pPushConstantRanges = &range};
    CHECK(vkCreatePipelineLayout(device, &layout_info, NULL, &layout));
}

static VkPipeline build(const uint32_t *words, size_t bytes, VkPipelineCache cache)
{
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes, .pCode = words};
    VkShaderModule module;
    VkPipeline pipeline;
    CHECK(vkCreateShaderModule(device, &module_info, NULL, &module));
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                        .module = module,
                                                        .pName = "main"},
                                              .layout = layout};
    CHECK(vkCreateComputePipelines(device, cache, 1, &info, NULL, &pipeline));
    vkDestroyShaderModule(device, module, NULL);
    return pipeline;
}

struct block {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceAddress address;
    void *mapped;
};

static struct block allocate(VkDeviceSize size, VkMemoryPropertyFlags flags)
{
    struct block block = {0};
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = size,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                              VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
    CHECK(vkCreateBuffer(device, &info, NULL, &block.buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, block.buffer, &needs);
    uint32_t type = 0;
    while (type < types.memoryTypeCount && (!(needs.memoryTypeBits >> type & 1) ||
                                            (types.memoryTypes[type].propertyFlags & flags) != flags))
        ++type;
    const VkMemoryAllocateFlagsInfo addressable = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                                   .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo allocate_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                                .pNext = &addressable,
                                                .allocationSize = needs.size,
                                                .memoryTypeIndex = type};
    CHECK(vkAllocateMemory(device, &allocate_info, NULL, &block.memory));
    CHECK(vkBindBufferMemory(device, block.buffer, block.memory, 0));
    const VkBufferDeviceAddressInfo address = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                               .buffer = block.buffer};
    block.address = vkGetBufferDeviceAddress(device, &address);
    if (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
        CHECK(vkMapMemory(device, block.memory, 0, VK_WHOLE_SIZE, 0, &block.mapped));
    return block;
}

static void release(struct block block)
{
    vkDestroyBuffer(device, block.buffer, NULL);
    vkFreeMemory(device, block.memory, NULL);
}

static const VkMemoryPropertyFlags on_device = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
static const VkMemoryPropertyFlags on_host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                             VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

/* ---- commands ------------------------------------------------------------- */

static void begin(void)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    CHECK(vkBeginCommandBuffer(commands, &info));
}

static void barrier(void)
{
    const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                 .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1,
                         &all, 0, NULL, 0, NULL);
}

/* What ends a command buffer whose results the host reads. */
static void host_barrier(void)
{
    const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                 .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &all, 0,
                         NULL, 0, NULL);
}

static void submit(void)
{
    ++submitted;
    CHECK(vkEndCommandBuffer(commands));
    const VkTimelineSemaphoreSubmitInfo value = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                 .signalSemaphoreValueCount = 1,
                                                 .pSignalSemaphoreValues = &submitted};
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = &value,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands,
                               .signalSemaphoreCount = 1,
                               .pSignalSemaphores = &timeline};
    CHECK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
}

/* Spinning: nothing is faster. */
static void wait(void)
{
    uint64_t value = 0;
    while (value < submitted)
        CHECK(vkGetSemaphoreCounterValue(device, timeline, &value));
}

/* ---- the benchmarks ------------------------------------------------------- */

struct triad_arguments {
    VkDeviceAddress a, b, c;
    uint32_t n;
};

static void triad(int n, int repeats)
{
    VkPipeline pipeline = build(triad_spirv, sizeof triad_spirv, VK_NULL_HANDLE);
    struct block a = allocate(4ull * n, on_device), b = allocate(4ull * n, on_device), c = allocate(4ull * n, on_device);
    const struct triad_arguments arguments = {a.address, b.address, c.address, (uint32_t)n};
    const uint32_t ones = 0x3f800000;
    begin();
    vkCmdFillBuffer(commands, b.buffer, 0, VK_WHOLE_SIZE, ones);
    vkCmdFillBuffer(commands, c.buffer, 0, VK_WHOLE_SIZE, ones);
    submit();
    wait();
    double start = 0;
    for (int round = 0; round < 2; ++round) { /* the first warms up */
        start = bench_now();
        begin();
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof arguments, &arguments);
        for (int k = 0; k < repeats; ++k) {
            vkCmdDispatch(commands, ((uint32_t)n + 255) / 256, 1, 1);
            barrier();
        }
        submit();
        wait();
    }
    bench_report("triad", "GB/s", 3.0 * n * sizeof(float) / ((bench_now() - start) / repeats) * 1e-9);
    release(a);
    release(b);
    release(c);
}

static void launch(VkDeviceAddress target, int value)
{
    const struct {
        VkDeviceAddress target;
        int value;
    } arguments = {target, value};
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 12, &arguments);
    vkCmdDispatch(commands, 1, 1, 1);
}

static void launches(int own, int repeats)
{
    VkPipeline pipeline = build(one_spirv, sizeof one_spirv, VK_NULL_HANDLE);
    struct block block = allocate(256ull * own, on_device);
    double best = 1, start = 0;
    for (int k = -10; k < repeats; ++k) {
        double before = bench_now();
        begin();
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        launch(block.address, 1);
        submit();
        wait();
        if (k >= 0 && bench_now() - before < best)
            best = bench_now() - before;
    }
    bench_report("launch+wait", "us", best * 1e6);
    for (int dependent = 1; dependent >= 0; --dependent) {
        for (int round = 0; round < 2; ++round) {
            start = bench_now();
            begin();
            vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
            for (int k = 0; k < own; ++k) {
                launch(block.address + (dependent ? 0 : 256ull * k), k);
                if (dependent)
                    barrier();
            }
            submit();
            wait();
        }
        bench_report(dependent ? "launch" : "launch-own", "us", (bench_now() - start) / own * 1e6);
    }
    release(block);
}

/* The DMA alone, from and to memory that the driver allocated. */
static void copies(VkDeviceSize size, int repeats)
{
    struct block device_side = allocate(size, on_device), host_side = allocate(size, on_host);
    const VkBufferCopy all = {0, 0, size};
    memset(host_side.mapped, 1, size);
    for (int up = 1; up >= 0; --up) {
        double start = 0;
        for (int k = -1; k < repeats; ++k) {
            if (k == 0)
                start = bench_now();
            begin();
            vkCmdCopyBuffer(commands, up ? host_side.buffer : device_side.buffer,
                            up ? device_side.buffer : host_side.buffer, 1, &all);
            host_barrier();
            submit();
            wait();
        }
        bench_report(up ? "upload-pinned" : "download-pinned", "GB/s",
                     (double)size / ((bench_now() - start) / repeats) * 1e-9);
    }
    release(device_side);
    release(host_side);
}

/* ---- the smallest program ------------------------------------------------- */

static void *load(const char *path, size_t *out_size)
{
    FILE *file = fopen(path, "rb");
    *out_size = 0;
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    void *data = malloc((size_t)size + 1);
    *out_size = fread(data, 1, (size_t)size, file);
    fclose(file);
    return data;
}

static void start(const char *cache_path)
{
    enum { N = 1000 };
    size_t had, size = 0;
    open_device();
    void *data = load(cache_path, &had);
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                            .initialDataSize = had,
                                            .pInitialData = data};
    VkPipelineCache cache;
    CHECK(vkCreatePipelineCache(device, &info, NULL, &cache));
    VkPipeline pipeline = build(triad_spirv, sizeof triad_spirv, cache);
    struct block block = allocate(3 * 4 * N, on_host);
    float *a = block.mapped, *b = a + N, *c = b + N;
    for (int i = 0; i < N; ++i) {
        b[i] = (float)i;
        c[i] = 2;
    }
    const struct triad_arguments arguments = {block.address, block.address + 4 * N, block.address + 8 * N, N};
    begin();
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof arguments, &arguments);
    vkCmdDispatch(commands, (N + 255) / 256, 1, 1);
    host_barrier();
    submit();
    wait();
    for (int i = 0; i < N; ++i)
        if (a[i] != (float)i + 6)
            exit(1);
    if (!had) {
        CHECK(vkGetPipelineCacheData(device, cache, &size, NULL));
        data = malloc(size);
        CHECK(vkGetPipelineCacheData(device, cache, &size, data));
        FILE *file = fopen(cache_path, "wb");
        if (!file || fwrite(data, 1, size, file) != size || fclose(file))
            exit(1);
    }
    free(data);
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "start")) {
        start(argv[2]);
        return 0;
    }
    bool small = argc == 2 && !strcmp(argv[1], "small");
    open_device();
    triad(small ? 1 << 20 : 1 << 28, 20);
    launches(small ? 500 : 5000, small ? 100 : 1000);
    copies(small ? 16 << 20 : 1 << 30, 5);
    return 0;
}
