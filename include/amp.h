/* amp.h - AMP-C: C with C++ AMP's data-parallel kernels.
 *
 *     #include <amp.h>
 *
 *     void scale(float *data, int rows, int columns, float factor)
 *     {
 *         array_view(float, 2) v = array_view_of(data, rows, columns);
 *         parallel_for_each(extent_of(v), ^(int row, int column) restrict(amp) {
 *             v[row][column] *= factor;
 *         });
 *     }   // v's scope ends: the results are back in data
 *
 * Names. C++ AMP's x.m(a) is class_m(x, a), its C<N> types are c_N, its properties are functions
 * and its enumerators keep their names. Section numbers below are those of the C++ AMP
 * specification, version 1.2, which says what a thing does where this file is silent;
 * compiler/docs/language.md lists the differences.
 *
 * Shapes. Ranks are 1 to 4 (tiles: 1 to 3). Dimension 0 is the most significant and comes first, in
 * types, arguments and subscripts; views are row-major. Lengths and subscripts are in elements.
 *
 * Where a function may be called: on the host, unless restrict(amp) (kernels only) or restrict(cpu,
 * amp) (both) stands behind it.
 *
 * Threads. Every function may be called from any thread. Two threads that use the same memory
 * through views at a time, one of them writing or launching, must synchronise themselves, as for
 * any C object.
 *
 * Errors. What can fail at run time reports an amp_error: see "Errors".
 *
 * ampcc defines __AMPC__ and sees the declarations below, which have no bodies: it knows what they
 * mean. An unmodified Clang parses them with -x c -fblocks -D__AMPC__ -Wno-gcc-compat
 * -Wno-incompatible-pointer-types-discards-qualifiers. Everyone else, the C that ampcc emits and
 * plain C files alike, gets the host's types and functions from ampc/host.h. */
#ifndef AMP_H
#define AMP_H

#ifndef __AMPC__
#include <ampc/host.h>
#else
#include <ampc/dialect.h>
#include <stddef.h>

/* ==== The two keywords (2) ==================================================================== */

/* restrict(amp), restrict(cpu), restrict(cpu, amp) after the parameter list of a function or of a
 * kernel block: where it may run. No clause means restrict(cpu). `int *restrict p` keeps its
 * meaning in C. Code that is restrict(amp) keeps to the rules of section 2.4; each has an id, which
 * ampcc prints when it is broken. */
#define restrict(...) __attribute__((annotate("amp.restrict:" #__VA_ARGS__)))

/* tile_static T x[...]; in a kernel or a restrict(amp) function: one object for each tile, shared
 * by its work items, undefined at first. Tiled kernels only; at most 32 KiB in total. */
#define tile_static __attribute__((annotate("amp.tile_static"))) static

/* ==== Index and extent: a position, a shape (4.1, 4.2) ======================================== */

/* A rank-1 index is an int. The others are vectors of int: i[0], i + j, i * 2, i = (index_2){1, 2}.
 * Components may be negative. == compares lane by lane: use index_equal. */
typedef int index_1;
typedef int index_2 __attribute__((ext_vector_type(2)));
typedef int index_3 __attribute__((ext_vector_type(3)));
typedef int index_4 __attribute__((ext_vector_type(4)));
typedef index_1 extent_1;
typedef index_2 extent_2;
typedef index_3 extent_3;
typedef index_4 extent_4;

/* make_index(i, j), make_extent(m, n): for places where braces are awkward, such as arguments of
 * macros. */
AMP_GENERIC index_2 make_index(int, int) restrict(cpu, amp);
AMP_GENERIC index_3 make_index(int, int, int) restrict(cpu, amp);
AMP_GENERIC index_4 make_index(int, int, int, int) restrict(cpu, amp);
AMP_GENERIC extent_1 make_extent(int) restrict(cpu, amp);
AMP_GENERIC extent_2 make_extent(int, int) restrict(cpu, amp);
AMP_GENERIC extent_3 make_extent(int, int, int) restrict(cpu, amp);
AMP_GENERIC extent_4 make_extent(int, int, int, int) restrict(cpu, amp);

/* extent_size(e): the number of elements, modulo 2^32. extent_contains(e, i): 0 <= i < e in every
 * dimension. */
#define AMP_DECLARE_INDEX(N)                                                                       \
    AMP_GENERIC unsigned extent_size(extent_##N) restrict(cpu, amp);                               \
    AMP_GENERIC _Bool index_equal(index_##N, index_##N) restrict(cpu, amp);                        \
    AMP_GENERIC _Bool extent_contains(extent_##N, index_##N) restrict(cpu, amp);
AMP_EACH_RANK(AMP_DECLARE_INDEX)

/* ==== Tiles (4.3 - 4.5) ======================================================================= */

/* A compute domain cut into tiles: tile(e, d0[, d1[, d2]]), made by
 *     parallel_for_each(tile(e, 16, 16), ^(tiled_index(16, 16) t) restrict(amp) { ... });
 * The tile must divide the extent: pad gives the next larger extent that it divides (the kernel
 * then tests the index), truncate the next smaller one. A tile has at most 1024 work items. */
typedef struct { extent_1 extent, tile; } tiled_extent_1;
typedef struct { extent_2 extent, tile; } tiled_extent_2;
typedef struct { extent_3 extent, tile; } tiled_extent_3;
AMP_GENERIC tiled_extent_1 extent_tile(extent_1, int);
AMP_GENERIC tiled_extent_2 extent_tile(extent_2, int, int);
AMP_GENERIC tiled_extent_3 extent_tile(extent_3, int, int, int);
#define tile(...) extent_tile(__VA_ARGS__)
AMP_GENERIC tiled_extent_1 tiled_extent_pad(tiled_extent_1);
AMP_GENERIC tiled_extent_2 tiled_extent_pad(tiled_extent_2);
AMP_GENERIC tiled_extent_3 tiled_extent_pad(tiled_extent_3);
AMP_GENERIC tiled_extent_1 tiled_extent_truncate(tiled_extent_1);
AMP_GENERIC tiled_extent_2 tiled_extent_truncate(tiled_extent_2);
AMP_GENERIC tiled_extent_3 tiled_extent_truncate(tiled_extent_3);

/* A tile_barrier comes from t.barrier or from a parameter; it can be copied and passed on, not
 * made. */
typedef struct { int opaque; } tile_barrier;

/* What a tiled kernel is given: tiled_index(d0[, d1[, d2]]), the same constants as at the launch.
 * global is the position in the domain, local that in the tile, tile the tile's number in each
 * dimension, tile_origin the global position of the tile's first work item: global = tile_origin +
 * local. */
typedef struct { index_1 global, local, tile, tile_origin; tile_barrier barrier; } tiled_index_1;
typedef struct { index_2 global, local, tile, tile_origin; tile_barrier barrier; } tiled_index_2;
typedef struct { index_3 global, local, tile, tile_origin; tile_barrier barrier; } tiled_index_3;
#define tiled_index(...) AMP_CAT(AMP_TI_, AMP_COUNT(__VA_ARGS__))(__VA_ARGS__)

/* Barriers: every work item of the tile waits until all have arrived; then each sees what the
 * others wrote before it, in all memory, in accelerator memory (global) or in tile_static memory.
 * All work items of a tile must reach the same barrier: not under a condition that differs between
 * them. tile_barrier_wait is the first of the three. */
void tile_barrier_wait(tile_barrier) restrict(amp);
void tile_barrier_wait_with_all_memory_fence(tile_barrier) restrict(amp);
void tile_barrier_wait_with_global_memory_fence(tile_barrier) restrict(amp);
void tile_barrier_wait_with_tile_static_memory_fence(tile_barrier) restrict(amp);

/* Fences: order this work item's accesses to memory, as seen by its tile, without waiting. Allowed
 * anywhere. */
void all_memory_fence(tile_barrier) restrict(amp);
void global_memory_fence(tile_barrier) restrict(amp);
void tile_static_memory_fence(tile_barrier) restrict(amp);

/* ==== Errors (12) ============================================================================= */

/* C++ AMP's exceptions. By default an error prints what failed, where (the file and line of a
 * parallel_for_each) and why on standard error, and calls abort(). */
typedef enum {
    amp_ok,
    amp_error_runtime,
    amp_error_out_of_memory,
    amp_error_unsupported_feature,    /* the accelerator lacks what the kernel needs, double say */
    amp_error_invalid_compute_domain, /* a length <= 0, over 2^32 - 1 work items, not whole tiles */
    amp_error_accelerator_view_removed,
} amp_error;

/* A handler takes over, in the thread that failed. If it returns, the failing call has had no
 * effect, host data is unharmed, and a call that should return a view returns an empty one, whose
 * every use reports an error. The message belongs to the library. NULL restores the default. */
typedef void (*amp_error_handler)(amp_error, const char *message, void *user);
void amp_set_error_handler(amp_error_handler, void *user);

/* ==== Accelerators (3.2) ====================================================================== */

/* Handles last as long as the program, and so do the strings that these functions return. */
typedef struct amp_accelerator *accelerator;

/* Which accesses of the CPU an array in shared memory allows (4.7); auto: the accelerator's
 * default. */
typedef enum {
    access_type_none,
    access_type_read,
    access_type_write,
    access_type_read_write,
    access_type_auto,
} access_type;

/* The default: the first accelerator, or what AMPC_ACCELERATOR in the environment or
 * accelerator_set_default names. Having none at all is an error. */
accelerator accelerator_default(void);
/* Stores up to capacity handles, hardware first, and returns how many accelerators there are. */
size_t accelerator_get_all(accelerator *out, size_t capacity);
/* False when there is no such path, or once the default has been used. */
_Bool accelerator_set_default(const char *device_path);
accelerator accelerator_from_path(const char *device_path); /* NULL when there is none */

const char *accelerator_device_path(accelerator); /* "vulkan:0" */
const char *accelerator_description(accelerator); /* the device's name */
size_t accelerator_dedicated_memory(accelerator); /* KiB */
_Bool accelerator_is_emulated(accelerator);       /* software on the CPU */
_Bool accelerator_supports_double_precision(accelerator);
_Bool accelerator_supports_cpu_shared_memory(accelerator);
/* What access_type_auto means for arrays made from now on; false when the accelerator shares no
 * memory with the CPU. */
_Bool accelerator_set_default_cpu_access_type(accelerator, access_type);
access_type accelerator_get_default_cpu_access_type(accelerator);

/* ==== Accelerator views: queues of work (3.3) ================================================= */

/* What is queued on one view runs in the order given. A view that create_view made is released with
 * accelerator_view_free, which waits for its work; the default view is not released. */
typedef struct amp_accelerator_view *accelerator_view;
typedef enum { queuing_mode_immediate, queuing_mode_automatic } queuing_mode;
accelerator_view accelerator_default_view(accelerator);
accelerator_view accelerator_create_view(accelerator, queuing_mode);
void accelerator_view_free(accelerator_view);
accelerator accelerator_view_accelerator(accelerator_view);
void accelerator_view_flush(accelerator_view); /* starts what is queued */
void accelerator_view_wait(accelerator_view);  /* ... and waits for its end */
/* The view's last error, or amp_ok; *message (unless message is NULL) is set to its text. */
amp_error accelerator_view_error(accelerator_view, const char **message);

/* A point in a queue, or an asynchronous copy (4.6). Released with completion_future_free, which
 * cancels nothing. `then` runs a function in another thread once the future is complete. */
typedef struct amp_completion_future *completion_future;
completion_future accelerator_view_create_marker(accelerator_view);
void completion_future_wait(completion_future);
_Bool completion_future_wait_for(completion_future, unsigned milliseconds); /* true: complete */
void completion_future_then(completion_future, void (*run)(void *user), void *user);
void completion_future_free(completion_future);

/* ==== array_view: host memory, wherever it is needed (5.2) ==================================== */

/* array_view(T, N): the type of a view of rank N with elements T. T is int, unsigned, float,
 * double, a short vector, or a struct, union or array of these; its size and alignment are
 * multiples of 4. A view of const T is read-only in kernels and never copied back. Views are
 * values: copies, sections and projections are the same memory.
 *
 *     v[i][j]               an element, to read and to write, on the host and in kernels
 *     v[i]                  of rank 2 to 4: the view of row i, one rank less
 *     &v[k], v + k          of rank 1: the view from element k on
 *     extent_of(v)          its shape
 *
 * Coherence. The data goes to an accelerator when a kernel that captures the view is launched, and
 * comes back when the host reads an element, calls array_view_synchronize, or the view is closed.
 * Views of overlapping host memory share it. */
#define array_view(T, N) AMP_CAT(AMP_VIEW_, N)(T)

/* array_view_of(pointer, n0[, n1[, n2[, n3]]]) or array_view_of(pointer, extent): opens a view of
 * memory that stays the caller's; nothing is copied. The element type, const or not, is the
 * pointer's. array_view_new(T, ...) opens one with no host memory behind it.
 *
 * Ownership. A variable initialised with one of these owns what was opened and closes it when its
 * scope ends; returned from a function, it is handed to the variable that the caller initialises
 * with the call. Opened anywhere else (an assignment, an argument), it stays open until
 * array_view_close. The memory must live until then, or until an array_view_synchronize after which
 * no kernel writes it. */
#define array_view_of(p, ...)                                                                      \
    ((AMP_RESULT(VIEW, __typeof__(*(p)), __VA_ARGS__))amp_make_view((p), sizeof *(p), __VA_ARGS__))
#define array_view_new(T, ...)                                                                     \
    ((AMP_RESULT(VIEW, T, __VA_ARGS__))amp_make_view((void *)0, sizeof(T), __VA_ARGS__))

/* at_N(v, i), v a view or an array: the element at an index object, an lvalue; C++ AMP's v[i]. In
 * rank 1 it is v[i]. */
#define at_2(v, i) (*({ const index_2 amp_i_ = (i); &(v)[amp_i_[0]][amp_i_[1]]; }))
#define at_3(v, i) (*({ const index_3 amp_i_ = (i); &(v)[amp_i_[0]][amp_i_[1]][amp_i_[2]]; }))
#define at_4(v, i)                                                                                 \
    (*({ const index_4 amp_i_ = (i); &(v)[amp_i_[0]][amp_i_[1]][amp_i_[2]][amp_i_[3]]; }))

/* extent_of(v): the shape of a view or array.
 * array_view_synchronize(v): host memory is up to date when it returns. refresh: host memory was
 * changed through its own pointer. discard_data: the elements will all be written, so they need not
 * be copied to the accelerator.
 * array_view_close(v): writes back and closes what v was made from; twice is once. Using a view
 * after that is an error. */
#define AMP_DECLARE_WHOLE(N)                                                                       \
    AMP_GENERIC extent_##N extent_of(const void AMP_V##N *) restrict(cpu, amp);                    \
    AMP_GENERIC extent_##N extent_of(const void AMP_A##N *) restrict(cpu, amp);                    \
    AMP_GENERIC void array_view_synchronize(const void AMP_V##N *);                                \
    AMP_GENERIC completion_future array_view_synchronize_async(const void AMP_V##N *);             \
    AMP_GENERIC void array_view_refresh(const void AMP_V##N *);                                    \
    AMP_GENERIC void array_view_discard_data(const void AMP_V##N *);                               \
    AMP_GENERIC void array_view_close(const void AMP_V##N *);
AMP_EACH_RANK(AMP_DECLARE_WHOLE)

/* array_view_section(v, origin, extent), _from(v, origin): to the end, _to(v, extent): from the
 * start. The same memory, the same element type and rank; an error if it does not lie inside v. */
#define array_view_section(v, ...) ((__typeof__(v))amp_section((v), __VA_ARGS__))
#define array_view_section_from(v, ...) ((__typeof__(v))amp_section_from((v), __VA_ARGS__))
#define array_view_section_to(v, ...) ((__typeof__(v))amp_section_to((v), __VA_ARGS__))

/* Rank 1 only. array_view_reinterpret_as(T, v): the same memory as elements of another type; what
 * does not fill a last element is left out. array_view_view_as(v, n0[, n1...]): the same elements
 * in another shape. array_view_data(v): the host pointer, its data up to date. */
#define array_view_reinterpret_as(T, v) ((AMP_VIEW_1(T))amp_reinterpret((v), sizeof(T)))
#define array_view_view_as(v, ...)                                                                 \
    ((AMP_CAT(AMP_VIEW_AS_, AMP_COUNT(__VA_ARGS__))(__typeof__(&(v)[0])))amp_view_as((v), __VA_ARGS__))
#define array_view_data(v)                                                                         \
    _Generic(&(v)[0], __typeof_unqual__((v)[0]) AMP_V1 *: (__typeof_unqual__((v)[0]) *)amp_view_data(v), \
             const __typeof_unqual__((v)[0]) AMP_V1 *: (const __typeof_unqual__((v)[0]) *)amp_view_data(v))

/* What the macros above call. */
AMP_GENERIC void AMP_V1 *amp_make_view(const void *, size_t, int);
AMP_GENERIC void AMP_V2 *amp_make_view(const void *, size_t, int, int);
AMP_GENERIC void AMP_V2 *amp_make_view(const void *, size_t, extent_2);
AMP_GENERIC void AMP_V3 *amp_make_view(const void *, size_t, int, int, int);
AMP_GENERIC void AMP_V3 *amp_make_view(const void *, size_t, extent_3);
AMP_GENERIC void AMP_V4 *amp_make_view(const void *, size_t, int, int, int, int);
AMP_GENERIC void AMP_V4 *amp_make_view(const void *, size_t, extent_4);
#define AMP_DECLARE_SECTION(N)                                                                     \
    AMP_GENERIC void AMP_V##N *amp_section(const void AMP_V##N *, index_##N, extent_##N) restrict(cpu, amp); \
    AMP_GENERIC void AMP_V##N *amp_section_from(const void AMP_V##N *, index_##N) restrict(cpu, amp); \
    AMP_GENERIC void AMP_V##N *amp_section_to(const void AMP_V##N *, extent_##N) restrict(cpu, amp);
AMP_EACH_RANK(AMP_DECLARE_SECTION)
void AMP_V1 *amp_reinterpret(const void AMP_V1 *, size_t) restrict(cpu, amp);
AMP_GENERIC void AMP_V1 *amp_view_as(const void AMP_V1 *, int) restrict(cpu, amp);
AMP_GENERIC void AMP_V2 *amp_view_as(const void AMP_V1 *, int, int) restrict(cpu, amp);
AMP_GENERIC void AMP_V3 *amp_view_as(const void AMP_V1 *, int, int, int) restrict(cpu, amp);
AMP_GENERIC void AMP_V4 *amp_view_as(const void AMP_V1 *, int, int, int, int) restrict(cpu, amp);
void *amp_view_data(const void AMP_V1 *);

/* ==== array: memory of an accelerator (5.1) =================================================== */

/* array(T, N): the type of an array, used in kernels as a view is. Its data does not move by
 * itself: amp_copy it. The host may index it only where its access type lets it. An array is a
 * handle, released with array_free; copies are the same array. */
#define array(T, N) AMP_CAT(AMP_ARRAY_, N)(T)

/* array_new(T, n0...) or array_new(T, extent): undefined contents. array_from(pointer, n0...): a
 * copy of what pointer points to. _on: on the given accelerator_view; _access: moreover with that
 * access for the CPU, an error where it shares no memory; _staging: in host memory, to copy to and
 * from `on` quickly. */
#define array_new(T, ...)                                                                          \
    ((AMP_RESULT(ARRAY, T, __VA_ARGS__))amp_make_array((void *)0, sizeof(T), __VA_ARGS__))
#define array_from(p, ...)                                                                         \
    ((AMP_RESULT(ARRAY, __typeof_unqual__(*(p)), __VA_ARGS__))                                     \
         amp_make_array((p), sizeof *(p), __VA_ARGS__))
#define array_new_on(on, T, ...)                                                                   \
    ((AMP_RESULT(ARRAY, T, __VA_ARGS__))                                                           \
         amp_make_array_on((on), access_type_auto, sizeof(T), __VA_ARGS__))
#define array_new_access(on, access, T, ...)                                                       \
    ((AMP_RESULT(ARRAY, T, __VA_ARGS__))amp_make_array_on((on), (access), sizeof(T), __VA_ARGS__))
#define array_new_staging(on, T, ...)                                                              \
    ((AMP_RESULT(ARRAY, T, __VA_ARGS__))amp_make_array_staging((on), sizeof(T), __VA_ARGS__))

/* array_view_from_array(a): a view over an array, for the variable it initialises; it ends with the
 * array.
 * amp_copy(source, destination) (5.3): host pointers, arrays and views of one rank and element
 * type, at most one of them a pointer, which then holds as many elements, row by row; extents must
 * agree. Returns when done; _async at once. */
#define AMP_DECLARE_ARRAY(N)                                                                       \
    AMP_GENERIC void array_free(const void AMP_A##N *);                                            \
    AMP_GENERIC void AMP_V##N *array_view_from_array(const void AMP_A##N *);                       \
    AMP_GENERIC void amp_copy(const void AMP_A##N *, void AMP_A##N *);                             \
    AMP_GENERIC void amp_copy(const void AMP_A##N *, void AMP_V##N *);                             \
    AMP_GENERIC void amp_copy(const void AMP_V##N *, void AMP_A##N *);                             \
    AMP_GENERIC void amp_copy(const void AMP_V##N *, void AMP_V##N *);                             \
    AMP_GENERIC void amp_copy(const void AMP_A##N *, void *);                                      \
    AMP_GENERIC void amp_copy(const void AMP_V##N *, void *);                                      \
    AMP_GENERIC void amp_copy(const void *, void AMP_A##N *);                                      \
    AMP_GENERIC void amp_copy(const void *, void AMP_V##N *);                                      \
    AMP_GENERIC completion_future amp_copy_async(const void AMP_A##N *, void AMP_A##N *);          \
    AMP_GENERIC completion_future amp_copy_async(const void AMP_A##N *, void AMP_V##N *);          \
    AMP_GENERIC completion_future amp_copy_async(const void AMP_V##N *, void AMP_A##N *);          \
    AMP_GENERIC completion_future amp_copy_async(const void AMP_V##N *, void AMP_V##N *);          \
    AMP_GENERIC completion_future amp_copy_async(const void AMP_A##N *, void *);                   \
    AMP_GENERIC completion_future amp_copy_async(const void AMP_V##N *, void *);                   \
    AMP_GENERIC completion_future amp_copy_async(const void *, void AMP_A##N *);                   \
    AMP_GENERIC completion_future amp_copy_async(const void *, void AMP_V##N *);
AMP_EACH_RANK(AMP_DECLARE_ARRAY)

/* What the macros above call. */
AMP_GENERIC void AMP_A1 *amp_make_array(const void *, size_t, int);
AMP_GENERIC void AMP_A2 *amp_make_array(const void *, size_t, int, int);
AMP_GENERIC void AMP_A2 *amp_make_array(const void *, size_t, extent_2);
AMP_GENERIC void AMP_A3 *amp_make_array(const void *, size_t, int, int, int);
AMP_GENERIC void AMP_A3 *amp_make_array(const void *, size_t, extent_3);
AMP_GENERIC void AMP_A4 *amp_make_array(const void *, size_t, int, int, int, int);
AMP_GENERIC void AMP_A4 *amp_make_array(const void *, size_t, extent_4);
AMP_GENERIC void AMP_A1 *amp_make_array_on(accelerator_view, access_type, size_t, int);
AMP_GENERIC void AMP_A2 *amp_make_array_on(accelerator_view, access_type, size_t, int, int);
AMP_GENERIC void AMP_A2 *amp_make_array_on(accelerator_view, access_type, size_t, extent_2);
AMP_GENERIC void AMP_A3 *amp_make_array_on(accelerator_view, access_type, size_t, int, int, int);
AMP_GENERIC void AMP_A3 *amp_make_array_on(accelerator_view, access_type, size_t, extent_3);
AMP_GENERIC void AMP_A4 *amp_make_array_on(accelerator_view, access_type, size_t, int, int, int, int);
AMP_GENERIC void AMP_A4 *amp_make_array_on(accelerator_view, access_type, size_t, extent_4);
AMP_GENERIC void AMP_A1 *amp_make_array_staging(accelerator_view, size_t, int);
AMP_GENERIC void AMP_A2 *amp_make_array_staging(accelerator_view, size_t, int, int);
AMP_GENERIC void AMP_A2 *amp_make_array_staging(accelerator_view, size_t, extent_2);
AMP_GENERIC void AMP_A3 *amp_make_array_staging(accelerator_view, size_t, int, int, int);
AMP_GENERIC void AMP_A3 *amp_make_array_staging(accelerator_view, size_t, extent_3);
AMP_GENERIC void AMP_A4 *amp_make_array_staging(accelerator_view, size_t, int, int, int, int);
AMP_GENERIC void AMP_A4 *amp_make_array_staging(accelerator_view, size_t, extent_4);

/* ==== parallel_for_each (7) =================================================================== */

/* parallel_for_each([accelerator_view,] domain, kernel): runs the kernel once for every index of
 * the domain, in any order.
 * The kernel is a block literal whose clause contains amp:
 *
 *     ^(index_2 i) restrict(amp) { ... }        ^(int row, int column) restrict(amp) { ... }
 *     ^(tiled_index(16, 16) t) restrict(amp) { ... }           with tile(e, 16, 16) as the domain
 *
 * It captures by value what it names: scalars, structs, views and arrays; not pointers, C arrays or
 * __block variables.
 * Without an accelerator_view it runs where its arrays are, else on the default accelerator. The
 * call may return before the work is done; whatever reads the results waits for it. Errors:
 * amp_error_invalid_compute_domain, amp_error_unsupported_feature, amp_error_out_of_memory, and
 * amp_error_runtime for closed views. */
AMP_GENERIC void parallel_for_each(extent_1, void (^)(index_1));
AMP_GENERIC void parallel_for_each(extent_2, void (^)(index_2));
AMP_GENERIC void parallel_for_each(extent_3, void (^)(index_3));
AMP_GENERIC void parallel_for_each(extent_4, void (^)(index_4));
AMP_GENERIC void parallel_for_each(extent_2, void (^)(int, int));
AMP_GENERIC void parallel_for_each(extent_3, void (^)(int, int, int));
AMP_GENERIC void parallel_for_each(extent_4, void (^)(int, int, int, int));
AMP_GENERIC void parallel_for_each(tiled_extent_1, void (^)(tiled_index_1));
AMP_GENERIC void parallel_for_each(tiled_extent_2, void (^)(tiled_index_2));
AMP_GENERIC void parallel_for_each(tiled_extent_3, void (^)(tiled_index_3));
AMP_GENERIC void parallel_for_each(accelerator_view, extent_1, void (^)(index_1));
AMP_GENERIC void parallel_for_each(accelerator_view, extent_2, void (^)(index_2));
AMP_GENERIC void parallel_for_each(accelerator_view, extent_3, void (^)(index_3));
AMP_GENERIC void parallel_for_each(accelerator_view, extent_4, void (^)(index_4));
AMP_GENERIC void parallel_for_each(accelerator_view, extent_2, void (^)(int, int));
AMP_GENERIC void parallel_for_each(accelerator_view, extent_3, void (^)(int, int, int));
AMP_GENERIC void parallel_for_each(accelerator_view, extent_4, void (^)(int, int, int, int));
AMP_GENERIC void parallel_for_each(accelerator_view, tiled_extent_1, void (^)(tiled_index_1));
AMP_GENERIC void parallel_for_each(accelerator_view, tiled_extent_2, void (^)(tiled_index_2));
AMP_GENERIC void parallel_for_each(accelerator_view, tiled_extent_3, void (^)(tiled_index_3));

/* ==== Atomics (6) ============================================================================= */

/* On an int or unsigned (exchange: float too) that is an element of a view or array, &v[i], or a
 * tile_static object. Each returns the old value. compare_exchange returns whether *expected was
 * found and replaced, and may fail for no reason; *expected then holds what was found. They order
 * nothing but the one location. */
#define AMP_ATOMIC(OP, T)                                                                          \
    AMP_GENERIC T amp_atomic_##OP(T AMP_V1 *, T) restrict(amp);                                    \
    AMP_GENERIC T amp_atomic_##OP(T AMP_A1 *, T) restrict(amp);                                    \
    AMP_GENERIC T amp_atomic_##OP(T *, T) restrict(amp);
#define AMP_ATOMICS(OP) AMP_ATOMIC(OP, int) AMP_ATOMIC(OP, unsigned)
AMP_ATOMICS(exchange) AMP_ATOMIC(exchange, float)
AMP_ATOMICS(fetch_add) AMP_ATOMICS(fetch_sub) AMP_ATOMICS(fetch_max) AMP_ATOMICS(fetch_min)
AMP_ATOMICS(fetch_and) AMP_ATOMICS(fetch_or) AMP_ATOMICS(fetch_xor)
#define AMP_ATOMIC_CAS(T)                                                                          \
    AMP_GENERIC _Bool amp_atomic_compare_exchange(T AMP_V1 *, T *expected, T desired) restrict(amp); \
    AMP_GENERIC _Bool amp_atomic_compare_exchange(T AMP_A1 *, T *expected, T desired) restrict(amp); \
    AMP_GENERIC _Bool amp_atomic_compare_exchange(T *, T *expected, T desired) restrict(amp);
AMP_ATOMIC_CAS(int) AMP_ATOMIC_CAS(unsigned)
#define AMP_ATOMIC_STEP(OP, T)                                                                     \
    AMP_GENERIC T amp_atomic_##OP(T AMP_V1 *) restrict(amp);                                       \
    AMP_GENERIC T amp_atomic_##OP(T AMP_A1 *) restrict(amp);                                       \
    AMP_GENERIC T amp_atomic_##OP(T *) restrict(amp);
AMP_ATOMIC_STEP(fetch_inc, int) AMP_ATOMIC_STEP(fetch_inc, unsigned)
AMP_ATOMIC_STEP(fetch_dec, int) AMP_ATOMIC_STEP(fetch_dec, unsigned)

/* ==== Diagnostics from kernels ================================================================ */

/* C++ AMP's direct3d_printf, _errorf and _abort. The format is a string literal. After errorf or
 * abort the launch fails with amp_error_runtime. */
void amp_printf(const char *format, ...) restrict(cpu, amp);
void amp_errorf(const char *format, ...) restrict(cpu, amp);
void amp_abort(void) restrict(cpu, amp);

#include <amp_short_vectors.h>

#endif /* __AMPC__ */
#endif
