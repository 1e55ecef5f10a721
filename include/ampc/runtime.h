/* ampc/runtime.h - accelerators, errors, futures: the part of the library that is plain functions.
 *
 * Every function may be called from any thread. Strings that are returned belong to the library and
 * last as long as the program, but for error messages, which last until the next error of the same
 * accelerator_view. */
#ifndef AMPC_RUNTIME_H
#define AMPC_RUNTIME_H

#include <ampc/types.h>

/* The library's functions, whatever the default of the file is. */
#pragma GCC visibility push(default)

/* ---- errors (C++ AMP chapter 2.3's exceptions) ---------------------------- */
/* Without a handler an error prints what failed, where and why, and aborts. With one, the handler
 * is called, in the thread that failed and with no lock held; if it returns, the failing call has
 * had no effect and host data is unharmed. NULL restores the default. */
typedef void (*amp_error_handler)(amp_error, const char *message, void *user);
void amp_set_error_handler(amp_error_handler, void *user);

/* ---- accelerators (chapter 3.2) ------------------------------------------- */
/* All accelerators: hardware first (discrete, integrated, virtual), then software such as Mesa's
 * lavapipe. Handles last as long as the program. AMPC_ACCELERATOR in the environment ("vulkan",
 * "vulkan:1", part of a description) chooses the default; when it names none, or when there is no
 * accelerator at all, that is an error that says why. */
accelerator accelerator_default(void);
/* Stores up to `capacity` handles, returns how many there are (0 is no error). */
size_t accelerator_get_all(accelerator *out, size_t capacity);
/* False when there is no such path, or once the default accelerator has been used. */
_Bool accelerator_set_default(const char *device_path);
accelerator
accelerator_from_path(const char *device_path);   /* "vulkan:0"; NULL when there is none */
const char *accelerator_device_path(accelerator); /* "vulkan:0" */
const char *accelerator_description(accelerator); /* the driver's name of the device */
size_t accelerator_dedicated_memory(accelerator); /* KiB, as in C++ AMP */
_Bool accelerator_is_emulated(accelerator);       /* runs on the CPU */
_Bool accelerator_supports_double_precision(accelerator);
_Bool accelerator_supports_cpu_shared_memory(accelerator);
/* What access_type_auto means for arrays made from now on. False when the accelerator cannot (it
 * shares no memory with the CPU), or for access_type_auto itself. */
_Bool accelerator_set_default_cpu_access_type(accelerator, access_type);
access_type accelerator_get_default_cpu_access_type(accelerator);

/* ---- accelerator views (chapter 3.3) --------------------------------------- */
/* A queue of commands; those of one accelerator are carried out in the order given. */
accelerator_view accelerator_default_view(accelerator);
accelerator_view accelerator_create_view(accelerator, queuing_mode); /* accelerator_view_free it */
void accelerator_view_free(accelerator_view); /* waits; NULL and default views: no-op */
void accelerator_view_flush(accelerator_view);
void accelerator_view_wait(accelerator_view);
accelerator accelerator_view_accelerator(accelerator_view);
/* The last error of the view, amp_ok when there was none; *message (if not NULL) is set to its text
 * or "". NULL for the view: the last error of the program. amp_error_accelerator_view_removed stays
 * for good. */
amp_error accelerator_view_error(accelerator_view, const char **message);

/* ---- futures (chapter 5.4, completion_future) ----------------------------- */
/* A handle to free with completion_future_free; freeing does not cancel. NULL (after an error) is
 * complete. */
completion_future accelerator_view_create_marker(accelerator_view);
void completion_future_wait(completion_future);
_Bool completion_future_wait_for(completion_future, unsigned milliseconds); /* true: complete */
void completion_future_then(completion_future, void (*run)(void *user),
                            void *user); /* runs in a thread of its own */
void completion_future_free(completion_future);

/* ---- diagnostics (chapter 13.2): on the host, what they mean in a kernel ---- */
void amp_printf(const char *format, ...) __attribute__((format(printf, 1, 2))); /* to stdout */
void amp_errorf(const char *format, ...)
    __attribute__((format(printf, 1, 2))); /* reports amp_error_runtime */
void amp_abort(void);

#pragma GCC visibility pop

#endif
