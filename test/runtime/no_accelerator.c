/* No loader, no driver, or no such accelerator: one paragraph that says so, and a way to go on with a handler. Without the
 * loader a program that names no accelerator gets the CPU.
 * REQUIRES: vulkan
 * RUN: %kernels
 * RUN: %build -o %t
 * RUN: rm -rf %t.empty && mkdir %t.empty && touch %t.empty/libvulkan.so.1
 * RUN: env LD_LIBRARY_PATH=%t.empty %not --crash %t 2>&1 | %FileCheck %s --check-prefix=LOADER
 * RUN: env LD_LIBRARY_PATH=%t.empty %t handle
 * RUN: env VK_ICD_FILENAMES=%t.none VK_DRIVER_FILES=%t.none %not --crash %t 2>&1 | %FileCheck %s --check-prefix=DRIVER
 * RUN: env AMPC_ACCELERATOR=voodoo %not --crash %t 2>&1 | %FileCheck %s --check-prefix=NAME
 * RUN: env AMPC_ACCELERATOR=voodoo %t handle
 * LOADER: ampc: error: test.ampc:20: kernel fill.0 was not started: AMPC_ACCELERATOR=vulkan names no accelerator of this machine; there is: cpu (CPU accelerator, {{.*}}); no Vulkan device: the Vulkan loader cannot be opened ({{.*}}libvulkan.so.1{{.*}}); install it {{.*}} [amp_error_runtime]
 * DRIVER: ampc: error: test.ampc:20: kernel fill.0 was not started: AMPC_ACCELERATOR=vulkan names no accelerator of this machine; there is: cpu ({{.*}}); no Vulkan device: no Vulkan driver is installed
 * NAME: ampc: error: test.ampc:20: kernel fill.0 was not started: AMPC_ACCELERATOR=voodoo names no accelerator of this machine; there is: {{.*}}vulkan:0 (
 * RUN: env -u AMPC_ACCELERATOR LD_LIBRARY_PATH=%t.empty %not --crash %t 2>&1 | %FileCheck %s --check-prefix=CPU
 * CPU: ampc: error: test.ampc:20: kernel fill.0 was not started: it was compiled without code for CPU accelerator,
 */
#include "check.h"
#include "kernels.h"

int main(int argc, char **argv)
{
    (void)argv;
    float p[4] = {1, 2, 3, 4};
    if (argc > 1)
        amp_set_error_handler(remember, NULL);
    array_view(float, 1) v = array_view_of(p, 4);
    AMPC_OWN(v); /* host work needs no accelerator */
    *AMPC_WRITE(float, v, 0) = 9;
    fill_row(v, 0);
    CHECK(seen_count == 1 && seen_error == amp_error_runtime && p[0] == 9);
    CHECK(!accelerator_default() && seen_count == 2);
    CHECK(accelerator_view_error(NULL, NULL) == amp_error_runtime);
    array_free(array_new(float, 4));
    CHECK(seen_count == 3);
}
