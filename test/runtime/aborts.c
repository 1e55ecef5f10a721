/* Without a handler an error says what, where and why, and aborts.
 * REQUIRES: vulkan
 * RUN: %kernels
 * RUN: %build -o %t
 * RUN: %not --crash %t 2>&1 | %FileCheck %s
 * CHECK: ampc: error: test.ampc:20: kernel fill.0 was not started: dimension 1 of the compute domain is 0; it must be at least 1 [amp_error_invalid_compute_domain]
 * CHECK-NOT: not reached
 */
#include "check.h"
#include "kernels.h"

int main(void)
{
    float p[4];
    array_view(float, 2) v = array_view_of(p, 2, 2);
    AMPC_OWN(v);
    ampc_launch(&fill_kernel, NULL, ampc_domain_2(make_extent(2, 0)), &(const struct fill){v, 1});
    puts("not reached");
}
