/* ampc/launch.h - parallel_for_each as emitted code calls it (C++ AMP chapter 8). */
#ifndef AMPC_LAUNCH_H
#define AMPC_LAUNCH_H

#include <ampc/kernel.h>
#include <ampc/types.h>

/* The library's functions, whatever the default of the file is. */
#pragma GCC visibility push(default)

/* Starts the kernel over the domain and returns before it ends; the host waits where it reads what
 * the kernel writes. `view` is NULL for the default choice: the view where a captured array lives,
 * else the default accelerator's. `captures` holds what the kernel captured, laid out as
 * kernel->arguments says; NULL when it captures nothing. It is read before the call returns. Errors
 * (runtime.h): a domain that is empty, negative, over 2^32 - 1 work items or not divided by its
 * tile; what the accelerator cannot do; closed views. The launch then has no effect. */
void ampc_launch(const struct ampc_kernel *kernel, accelerator_view view, struct ampc_domain domain,
                 const void *captures);

/* A program that is not compiled for all accelerators says so as it starts, for the choice of the
 * default. */
enum { AMPC_FOR_CPU = 1, AMPC_FOR_VULKAN = 2 };
void ampc_compiled_for(unsigned accelerators);

/* The captured variable x, whose type only the launching function can name: the capture struct S
 * has the same type once more. */
#define AMPC_CAPTURED(S, x)                                                                        \
    __extension__({                                                                                \
        __typeof__(((struct S *)0)->x) ampc_copy;                                                  \
        _Static_assert(sizeof ampc_copy == sizeof x, "a capture is copied byte by byte");          \
        __builtin_memcpy(&ampc_copy, &x, sizeof ampc_copy);                                        \
        ampc_copy;                                                                                 \
    })

AMPC_INLINE struct ampc_domain ampc_domain_1(extent_1 e)
{
    return (struct ampc_domain){1, 0, {e}, {0}, NULL};
}
AMPC_INLINE struct ampc_domain ampc_domain_2(extent_2 e)
{
    return (struct ampc_domain){2, 0, {e[0], e[1]}, {0}, NULL};
}
AMPC_INLINE struct ampc_domain ampc_domain_3(extent_3 e)
{
    return (struct ampc_domain){3, 0, {e[0], e[1], e[2]}, {0}, NULL};
}
AMPC_INLINE struct ampc_domain ampc_domain_4(extent_4 e)
{
    return (struct ampc_domain){4, 0, {e[0], e[1], e[2], e[3]}, {0}, NULL};
}
AMPC_INLINE struct ampc_domain ampc_domain_tiled_1(tiled_extent_1 t)
{
    return (struct ampc_domain){1, 1, {t.extent}, {t.tile}, NULL};
}
AMPC_INLINE struct ampc_domain ampc_domain_tiled_2(tiled_extent_2 t)
{
    return (struct ampc_domain){2, 1, {t.extent[0], t.extent[1]}, {t.tile[0], t.tile[1]}, NULL};
}
AMPC_INLINE struct ampc_domain ampc_domain_tiled_3(tiled_extent_3 t)
{
    return (struct ampc_domain){
        3, 1, {t.extent[0], t.extent[1], t.extent[2]}, {t.tile[0], t.tile[1], t.tile[2]}, NULL};
}

#pragma GCC visibility pop

#endif
