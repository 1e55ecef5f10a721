/* A program with the static runtime that loads a library with the shared one: the second copy refuses to work.
 * REQUIRES: vulkan
 * RUN: %kernels
 * RUN: %build-shared -DLIBRARY -shared -fPIC -o %t.so
 * RUN: %build -o %t
 * RUN: %not --crash %t %t.so 2>&1 | %FileCheck %s
 * CHECK: the program works
 * CHECK: ampc: error: test.ampc:20: kernel fill.0 was not started: this process holds two copies of the AMP-C runtime
 */
#include "check.h"
#include "kernels.h"

#include <dlfcn.h>

void run(void);
#ifdef LIBRARY
void run(void)
#else
static void run_here(void)
#endif
{
    float p[4];
    array_view(float, 1) v = array_view_of(p, 4);
    AMPC_OWN(v);
    fill_row(v, 1);
    CHECK(*AMPC_READ(float, v, 3) == 4);
}

#ifndef LIBRARY
int main(int argc, char **argv)
{
    CHECK(argc == 2);
    run_here();
    puts("the program works");
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    CHECK(library);
    ((void (*)(void))dlsym(library, "run"))();
}
#endif
