/* amp.h - the AMP-C library.
 *
 * ampcc (which defines __AMPC__) sees the dialect: this file, written so that an unmodified Clang with -fblocks parses
 * and type-checks it. Everyone else, the emitted C and plain C files alike, sees the host types of ampc/host.h. */
#ifndef AMP_H
#define AMP_H

#ifndef __AMPC__
#include <ampc/host.h>
#else
#include <stddef.h>

/* ---- the two keywords --------------------------------------------------------------------- */
#define restrict(...) __attribute__((annotate("amp.restrict:" #__VA_ARGS__)))
#define tile_static __attribute__((annotate("amp.tile_static"))) static

/* ---- plumbing ------------------------------------------------------------------------------- */
#define AMP_CAT_(a, b) a##b
#define AMP_CAT(a, b) AMP_CAT_(a, b)
#define AMP_COUNT_(a1, a2, a3, a4, n, ...) n
#define AMP_COUNT(...) AMP_COUNT_(__VA_ARGS__, 4, 3, 2, 1)
#define AMP_GENERIC __attribute__((overloadable))
#define AMP_V1 __attribute__((address_space(101)))
#define AMP_V2 __attribute__((address_space(102)))
#define AMP_V3 __attribute__((address_space(103)))
#define AMP_V4 __attribute__((address_space(104)))
#define AMP_A1 __attribute__((address_space(201)))
#define AMP_A2 __attribute__((address_space(202)))
#define AMP_A3 __attribute__((address_space(203)))
#define AMP_A4 __attribute__((address_space(204)))

/* ---- index, extent ---------------------------------------------------------------------------- */
typedef int index_1;
typedef int index_2 __attribute__((ext_vector_type(2)));
typedef int index_3 __attribute__((ext_vector_type(3)));
typedef int index_4 __attribute__((ext_vector_type(4)));
typedef index_1 extent_1;
typedef index_2 extent_2;
typedef index_3 extent_3;
typedef index_4 extent_4;
AMP_GENERIC index_2 make_index(int, int) restrict(cpu, amp);
AMP_GENERIC index_3 make_index(int, int, int) restrict(cpu, amp);
AMP_GENERIC index_4 make_index(int, int, int, int) restrict(cpu, amp);
AMP_GENERIC extent_1 make_extent(int) restrict(cpu, amp);
AMP_GENERIC extent_2 make_extent(int, int) restrict(cpu, amp);
AMP_GENERIC extent_3 make_extent(int, int, int) restrict(cpu, amp);
AMP_GENERIC extent_4 make_extent(int, int, int, int) restrict(cpu, amp);
AMP_GENERIC unsigned extent_size(extent_1) restrict(cpu, amp);
AMP_GENERIC unsigned extent_size(extent_2) restrict(cpu, amp);
AMP_GENERIC unsigned extent_size(extent_3) restrict(cpu, amp);
AMP_GENERIC unsigned extent_size(extent_4) restrict(cpu, amp);
AMP_GENERIC _Bool index_equal(index_1, index_1) restrict(cpu, amp); /* == on vectors is lane by lane */
AMP_GENERIC _Bool index_equal(index_2, index_2) restrict(cpu, amp);
AMP_GENERIC _Bool index_equal(index_3, index_3) restrict(cpu, amp);
AMP_GENERIC _Bool index_equal(index_4, index_4) restrict(cpu, amp);
AMP_GENERIC _Bool extent_contains(extent_1, index_1) restrict(cpu, amp);
AMP_GENERIC _Bool extent_contains(extent_2, index_2) restrict(cpu, amp);
AMP_GENERIC _Bool extent_contains(extent_3, index_3) restrict(cpu, amp);
AMP_GENERIC _Bool extent_contains(extent_4, index_4) restrict(cpu, amp);

/* ---- tiling ------------------------------------------------------------------------------------- */
typedef struct { int opaque; } tile_barrier; /* comes from t.barrier or a parameter only */
typedef struct { index_1 global, local, tile, tile_origin; tile_barrier barrier; } tiled_index_1;
typedef struct { index_2 global, local, tile, tile_origin; tile_barrier barrier; } tiled_index_2;
typedef struct { index_3 global, local, tile, tile_origin; tile_barrier barrier; } tiled_index_3;
#define AMP_TI_1(a) __attribute__((annotate("amp.tile", a))) tiled_index_1
#define AMP_TI_2(a, b) __attribute__((annotate("amp.tile", a, b))) tiled_index_2
#define AMP_TI_3(a, b, c) __attribute__((annotate("amp.tile", a, b, c))) tiled_index_3
#define tiled_index(...) AMP_CAT(AMP_TI_, AMP_COUNT(__VA_ARGS__))(__VA_ARGS__)
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
void tile_barrier_wait(tile_barrier) restrict(amp);
void tile_barrier_wait_with_all_memory_fence(tile_barrier) restrict(amp);
void tile_barrier_wait_with_global_memory_fence(tile_barrier) restrict(amp);
void tile_barrier_wait_with_tile_static_memory_fence(tile_barrier) restrict(amp);
void all_memory_fence(tile_barrier) restrict(amp);
void global_memory_fence(tile_barrier) restrict(amp);
void tile_static_memory_fence(tile_barrier) restrict(amp);

/* ---- errors ------------------------------------------------------------------------------------- */
typedef enum {
    amp_ok, amp_error_runtime, amp_error_out_of_memory, amp_error_unsupported_feature,
    amp_error_invalid_compute_domain, amp_error_accelerator_view_removed,
} amp_error;
typedef void (*amp_error_handler)(amp_error, const char *message, void *user);
void amp_set_error_handler(amp_error_handler, void *user);

/* ---- accelerators ------------------------------------------------------------------------------- */
typedef struct amp_accelerator *accelerator;
typedef struct amp_accelerator_view *accelerator_view;
typedef enum { access_type_none, access_type_read, access_type_write, access_type_read_write, access_type_auto } access_type;
typedef enum { queuing_mode_immediate, queuing_mode_automatic } queuing_mode;
accelerator accelerator_default(void);
size_t accelerator_get_all(accelerator *out, size_t capacity);
_Bool accelerator_set_default(const char *device_path);
const char *accelerator_device_path(accelerator);
const char *accelerator_description(accelerator);
size_t accelerator_dedicated_memory(accelerator);
_Bool accelerator_is_emulated(accelerator);
_Bool accelerator_supports_double_precision(accelerator);
_Bool accelerator_supports_cpu_shared_memory(accelerator);
_Bool accelerator_set_default_cpu_access_type(accelerator, access_type);
access_type accelerator_get_default_cpu_access_type(accelerator);
accelerator accelerator_from_path(const char *device_path); /* "cpu", "vulkan:0" ...; NULL when there is none */
accelerator_view accelerator_default_view(accelerator);
accelerator_view accelerator_create_view(accelerator, queuing_mode);
void accelerator_view_flush(accelerator_view);
void accelerator_view_wait(accelerator_view);
accelerator accelerator_view_accelerator(accelerator_view);
amp_error accelerator_view_error(accelerator_view, const char **message); /* the sticky error, amp_ok when none */
void accelerator_view_free(accelerator_view);
typedef struct amp_completion_future *completion_future;
completion_future accelerator_view_create_marker(accelerator_view);
void completion_future_wait(completion_future);
_Bool completion_future_wait_for(completion_future, unsigned milliseconds);
void completion_future_then(completion_future, void (*run)(void *user), void *user);
void completion_future_free(completion_future);

/* ---- array_view, array ------------------------------------------------------------------------------ */
#define AMP_VIEW_1(T) __typeof__(T AMP_V1 *)
#define AMP_VIEW_2(T) __typeof__(T AMP_V1 *AMP_V2 *)
#define AMP_VIEW_3(T) __typeof__(T AMP_V1 *AMP_V2 *AMP_V3 *)
#define AMP_VIEW_4(T) __typeof__(T AMP_V1 *AMP_V2 *AMP_V3 *AMP_V4 *)
#define array_view(T, N) AMP_CAT(AMP_VIEW_, N)(T)
#define AMP_ARRAY_1(T) __typeof__(T AMP_A1 *)
#define AMP_ARRAY_2(T) __typeof__(T AMP_A1 *AMP_A2 *)
#define AMP_ARRAY_3(T) __typeof__(T AMP_A1 *AMP_A2 *AMP_A3 *)
#define AMP_ARRAY_4(T) __typeof__(T AMP_A1 *AMP_A2 *AMP_A3 *AMP_A4 *)
#define array(T, N) AMP_CAT(AMP_ARRAY_, N)(T)

#define AMP_EACH_RANK(F) F(1) F(2) F(3) F(4)
#define AMP_DECLARE_OF(N)                                                                          \
    AMP_GENERIC extent_##N extent_of(const void AMP_V##N *) restrict(cpu, amp);                    \
    AMP_GENERIC extent_##N extent_of(const void AMP_A##N *) restrict(cpu, amp);                    \
    AMP_GENERIC void array_view_synchronize(const void AMP_V##N *);                                \
    AMP_GENERIC void array_view_refresh(const void AMP_V##N *);                                    \
    AMP_GENERIC void array_view_discard_data(const void AMP_V##N *);                               \
    AMP_GENERIC void array_view_close(const void AMP_V##N *);                                      \
    AMP_GENERIC void array_free(const void AMP_A##N *);
AMP_EACH_RANK(AMP_DECLARE_OF)

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

/* array_view_of(pointer, n0[, n1[, n2[, n3]]]) or array_view_of(pointer, extent): the element type, const or
 * not, is the pointer's. The same two forms for array_view_new(T, ...), array_from(pointer, ...), array_new(T, ...). */
#define AMP_RANKED_1(KIND, T, e, ...)                                                              \
    __typeof__(*_Generic((e), extent_2: (AMP_##KIND##_2(T) *)0, extent_3: (AMP_##KIND##_3(T) *)0,  \
                         extent_4: (AMP_##KIND##_4(T) *)0, default: (AMP_##KIND##_1(T) *)0))
#define AMP_RANKED_2(KIND, T, ...) AMP_##KIND##_2(T)
#define AMP_RANKED_3(KIND, T, ...) AMP_##KIND##_3(T)
#define AMP_RANKED_4(KIND, T, ...) AMP_##KIND##_4(T)
#define AMP_RESULT(KIND, T, ...) AMP_CAT(AMP_RANKED_, AMP_COUNT(__VA_ARGS__))(KIND, T, __VA_ARGS__)
#define array_view_of(p, ...) ((AMP_RESULT(VIEW, __typeof__(*(p)), __VA_ARGS__))amp_make_view((p), sizeof *(p), __VA_ARGS__))
#define array_view_new(T, ...) ((AMP_RESULT(VIEW, T, __VA_ARGS__))amp_make_view((void *)0, sizeof(T), __VA_ARGS__))
#define array_new(T, ...) ((AMP_RESULT(ARRAY, T, __VA_ARGS__))amp_make_array((void *)0, sizeof(T), __VA_ARGS__))
#define array_from(p, ...) ((AMP_RESULT(ARRAY, __typeof_unqual__(*(p)), __VA_ARGS__))amp_make_array((p), sizeof *(p), __VA_ARGS__))
AMP_GENERIC void AMP_V1 *amp_make_view(const void *, size_t, int);
AMP_GENERIC void AMP_V2 *amp_make_view(const void *, size_t, int, int);
AMP_GENERIC void AMP_V2 *amp_make_view(const void *, size_t, extent_2);
AMP_GENERIC void AMP_V3 *amp_make_view(const void *, size_t, int, int, int);
AMP_GENERIC void AMP_V3 *amp_make_view(const void *, size_t, extent_3);
AMP_GENERIC void AMP_V4 *amp_make_view(const void *, size_t, int, int, int, int);
AMP_GENERIC void AMP_V4 *amp_make_view(const void *, size_t, extent_4);
AMP_GENERIC void AMP_A1 *amp_make_array(const void *, size_t, int);
AMP_GENERIC void AMP_A2 *amp_make_array(const void *, size_t, int, int);
AMP_GENERIC void AMP_A2 *amp_make_array(const void *, size_t, extent_2);
AMP_GENERIC void AMP_A3 *amp_make_array(const void *, size_t, int, int, int);
AMP_GENERIC void AMP_A3 *amp_make_array(const void *, size_t, extent_3);
AMP_GENERIC void AMP_A4 *amp_make_array(const void *, size_t, int, int, int, int);
AMP_GENERIC void AMP_A4 *amp_make_array(const void *, size_t, extent_4);

/* An array on an accelerator_view (or accelerator memory the CPU may touch; or staging memory of the CPU for `on`). */
#define array_new_on(on, T, ...) ((AMP_RESULT(ARRAY, T, __VA_ARGS__))amp_make_array_on((on), access_type_auto, sizeof(T), __VA_ARGS__))
#define array_new_access(on, access, T, ...) ((AMP_RESULT(ARRAY, T, __VA_ARGS__))amp_make_array_on((on), (access), sizeof(T), __VA_ARGS__))
#define array_new_staging(on, T, ...) ((AMP_RESULT(ARRAY, T, __VA_ARGS__))amp_make_array_staging((on), sizeof(T), __VA_ARGS__))

/* at_N(view or array, index_N): the element at an index object, an lvalue; C++ AMP's v[idx]. Rank 1 is v[i]. */
#define at_2(v, i) (*({ const index_2 amp_i_ = (i); &(v)[amp_i_[0]][amp_i_[1]]; }))
#define at_3(v, i) (*({ const index_3 amp_i_ = (i); &(v)[amp_i_[0]][amp_i_[1]][amp_i_[2]]; }))
#define at_4(v, i) (*({ const index_4 amp_i_ = (i); &(v)[amp_i_[0]][amp_i_[1]][amp_i_[2]][amp_i_[3]]; }))

/* array_view_section(view, origin, extent), _from(view, origin), _to(view, extent): same element type and rank. */
#define array_view_section(v, ...) ((__typeof__(v))amp_section((v), __VA_ARGS__))
#define array_view_section_from(v, ...) ((__typeof__(v))amp_section_from((v), __VA_ARGS__))
#define array_view_section_to(v, ...) ((__typeof__(v))amp_section_to((v), __VA_ARGS__))
#define AMP_DECLARE_SECTION(N)                                                                     \
    AMP_GENERIC void AMP_V##N *amp_section_from(const void AMP_V##N *, index_##N) restrict(cpu, amp); \
    AMP_GENERIC void AMP_V##N *amp_section_to(const void AMP_V##N *, extent_##N) restrict(cpu, amp);
AMP_EACH_RANK(AMP_DECLARE_SECTION)
AMP_GENERIC void AMP_V1 *amp_section(const void AMP_V1 *, index_1, extent_1) restrict(cpu, amp);
AMP_GENERIC void AMP_V2 *amp_section(const void AMP_V2 *, index_2, extent_2) restrict(cpu, amp);
AMP_GENERIC void AMP_V3 *amp_section(const void AMP_V3 *, index_3, extent_3) restrict(cpu, amp);
AMP_GENERIC void AMP_V4 *amp_section(const void AMP_V4 *, index_4, extent_4) restrict(cpu, amp);
/* array_view_reinterpret_as(T, view), array_view_view_as(view, n0...): rank-1 views only. */
#define array_view_reinterpret_as(T, v) ((AMP_VIEW_1(T))amp_reinterpret((v), sizeof(T)))
#define AMP_VIEW_AS_1(V) __typeof__(V)
#define AMP_VIEW_AS_2(V) __typeof__(V AMP_V2 *)
#define AMP_VIEW_AS_3(V) __typeof__(V AMP_V2 *AMP_V3 *)
#define AMP_VIEW_AS_4(V) __typeof__(V AMP_V2 *AMP_V3 *AMP_V4 *)
#define array_view_view_as(v, ...)                                                                 \
    ((AMP_CAT(AMP_VIEW_AS_, AMP_COUNT(__VA_ARGS__))(__typeof__(&(v)[0])))amp_view_as((v), __VA_ARGS__))
void AMP_V1 *amp_reinterpret(const void AMP_V1 *, size_t) restrict(cpu, amp);
AMP_GENERIC void AMP_V1 *amp_view_as(const void AMP_V1 *, int) restrict(cpu, amp);
AMP_GENERIC void AMP_V2 *amp_view_as(const void AMP_V1 *, int, int) restrict(cpu, amp);
AMP_GENERIC void AMP_V3 *amp_view_as(const void AMP_V1 *, int, int, int) restrict(cpu, amp);
AMP_GENERIC void AMP_V4 *amp_view_as(const void AMP_V1 *, int, int, int, int) restrict(cpu, amp);
/* The host pointer of a rank-1 view, its data up to date. */
#define array_view_data(v)                                                                         \
    _Generic(&(v)[0], __typeof_unqual__((v)[0]) AMP_V1 *: (__typeof_unqual__((v)[0]) *)amp_view_data(v), \
             const __typeof_unqual__((v)[0]) AMP_V1 *: (const __typeof_unqual__((v)[0]) *)amp_view_data(v))
void *amp_view_data(const void AMP_V1 *);
/* A view over an array: a void view, which converts to the typed one it initialises (ampcc checks the element type).
 * amp_copy(source, destination): host pointers, arrays and views of one rank and element type. */
#define AMP_DECLARE_COPY(N)                                                                        \
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
    AMP_GENERIC completion_future amp_copy_async(const void *, void AMP_V##N *);                   \
    AMP_GENERIC completion_future array_view_synchronize_async(const void AMP_V##N *);
AMP_EACH_RANK(AMP_DECLARE_COPY)

/* ---- parallel_for_each ---------------------------------------------------------------------------- */
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

/* ---- atomics: on elements of views and arrays, and on tile_static objects ------------------------------ */
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

/* ---- diagnostics from kernels ------------------------------------------------------------------------ */
void amp_printf(const char *format, ...) restrict(cpu, amp);
void amp_errorf(const char *format, ...) restrict(cpu, amp); /* the launch fails with this text */
void amp_abort(void) restrict(cpu, amp);

/* ---- short vectors --------------------------------------------------------------------------------- */
#define AMP_VEC(T) \
    typedef T T##_2 __attribute__((ext_vector_type(2))); typedef T T##_3 __attribute__((ext_vector_type(3))); \
    typedef T T##_4 __attribute__((ext_vector_type(4)));
typedef unsigned uint;
AMP_VEC(int) AMP_VEC(uint) AMP_VEC(float)
typedef double double_2 __attribute__((ext_vector_type(2)));
typedef double double_3 __attribute__((ext_vector_type(3), aligned(16))); /* 16: what malloc promises */
typedef double double_4 __attribute__((ext_vector_type(4), aligned(16)));

#endif /* __AMPC__ */
#endif
