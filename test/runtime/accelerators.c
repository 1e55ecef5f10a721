/* Accelerators, accelerator views, markers; two views of one accelerator work in the order of the calls.
 * REQUIRES: vulkan
 * RUN: %kernels
 * RUN: %build -o %t && %run %t
 * RUN: %build-shared -o %t.shared && %t.shared
 * RUN: env AMPC_ACCELERATOR=vulkan %t && env AMPC_ACCELERATOR=vulkan:0 %t
 */
#include "check.h"
#include "kernels.h"

#include <semaphore.h>

static sem_t ran;

static void note(void *user)
{
    *(int *)user += 1;
    sem_post(&ran);
}

int main(void)
{
    accelerator all[8];
    size_t count = accelerator_get_all(all, 8);
    CHECK(count >= 1 && accelerator_get_all(NULL, 0) == count);
    accelerator vulkan = accelerator_from_path("vulkan:0"), cpu = accelerator_from_path("cpu");
    CHECK(vulkan && cpu && vulkan != cpu && !accelerator_from_path("vulkan:99"));
    /* Hardware comes before the CPU, and software that imitates it after. */
    size_t at_vulkan = count, at_cpu = count;
    for (size_t k = 0; k < count; ++k) {
        at_vulkan = all[k] == vulkan ? k : at_vulkan;
        at_cpu = all[k] == cpu ? k : at_cpu;
    }
    CHECK(at_vulkan < count && at_cpu < count);
    CHECK((at_cpu < at_vulkan) == accelerator_is_emulated(vulkan));
    CHECK(!strcmp(accelerator_device_path(vulkan), "vulkan:0") && *accelerator_description(vulkan));
    CHECK(accelerator_supports_cpu_shared_memory(cpu) && accelerator_supports_double_precision(cpu));
    CHECK(accelerator_set_default("vulkan:0") && !accelerator_set_default("vulkan:77"));
    CHECK(accelerator_default() == vulkan);
    CHECK(!accelerator_set_default("vulkan:0")); /* in use by now */
    CHECK(accelerator_dedicated_memory(vulkan) > 0 && accelerator_dedicated_memory(cpu) > 0);

    accelerator_view first = accelerator_default_view(vulkan);
    accelerator_view second = accelerator_create_view(vulkan, queuing_mode_immediate);
    CHECK(first && second && first != second && accelerator_view_accelerator(second) == vulkan);
    float p[4][4];
    array_view(float, 2) v = array_view_of(&p[0][0], 4, 4);
    AMPC_OWN(v);
    for (int round = 0; round < 20; ++round)
        ampc_launch(&fill_kernel, round % 2 ? first : second, ampc_domain_2(extent_of(v)),
                    &(const struct fill){v, (float)round});
    completion_future marker = accelerator_view_create_marker(first);
    int notes = 0;
    CHECK(!sem_init(&ran, 0, 0));
    completion_future_then(marker, note, &notes);
    completion_future_wait(marker);
    CHECK(completion_future_wait_for(marker, 1));
    completion_future_free(marker);
    sem_wait(&ran);
    CHECK(notes == 1);
    accelerator_view_flush(second);
    accelerator_view_wait(second);
    CHECK(*AMPC_READ(float, v, 0, 0) == 19 && *AMPC_READ(float, v, 3, 3) == 322);
    const char *message;
    CHECK(accelerator_view_error(second, &message) == amp_ok && !*message);
    accelerator_view_free(second);
    accelerator_view_free(first); /* a default view stays */
    accelerator_view_free(NULL);
    CHECK(accelerator_default_view(accelerator_default()) == first);
}
