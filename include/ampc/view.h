/* ampc/view.h - array_view and array on the host (C++ AMP chapter 5; dialect.md section 5).
 *
 * Opening. array_view_of(p, n0, ...) puts a view over host memory that stays the caller's;
 * array_view_new(T, n0, ...) makes one whose memory the runtime keeps; array_new and its kin make
 * arrays. n are lengths in elements, at least 0, dimension 0 first, row-major. Nothing is copied
 * yet (array_from copies at once). On an error (reported as runtime.h says) they return an empty
 * view, whose every use reports an error again.
 *
 * Reading and writing elements brings the source's data to the host when an accelerator has it; a
 * write moreover makes the accelerators' copies stale. A view used after its source was closed is
 * reported, never followed.
 *
 * Threads. Every function may be called from any thread. Two threads that use one source at a time,
 * one of them writing or launching, must synchronise themselves, as for any C object. */
#ifndef AMPC_VIEW_H
#define AMPC_VIEW_H

#include <ampc/types.h>

/* The library's functions, whatever the default of the file is. */
#pragma GCC visibility push(default)

/* ---- open ----------------------------------------------------------------- */
/* The pointer goes in as void *: a view of const data is told apart where it is captured, and gcc
 * would take a const void * for a read of memory that may be uninitialised still. */
#define array_view_of(p, ...)                                                                      \
    AMPC_CAT(ampc_view_of_, AMPC_COUNT(__VA_ARGS__))((void *)(p), sizeof *(p), __VA_ARGS__)
#define array_view_new(T, ...)                                                                     \
    AMPC_CAT(ampc_view_new_, AMPC_COUNT(__VA_ARGS__))(sizeof(T), __VA_ARGS__)
#define array_new(T, ...) array_new_on((accelerator_view)0, T, __VA_ARGS__)
#define array_from(p, ...)                                                                         \
    AMPC_CAT(ampc_array_from_, AMPC_COUNT(__VA_ARGS__))((p), sizeof *(p), __VA_ARGS__)
/* On an accelerator_view (NULL: the default one); `access` lets the CPU index it, where the
 * accelerator shares its memory with the CPU (accelerator_supports_cpu_shared_memory), else
 * amp_error_runtime. */
#define array_new_on(on, T, ...) array_new_access((on), access_type_auto, T, __VA_ARGS__)
#define array_new_access(on, access, T, ...)                                                       \
    AMPC_CAT(ampc_array_new_, AMPC_COUNT(__VA_ARGS__))((on), (access), sizeof(T), __VA_ARGS__)
/* Host memory to copy from and to; a kernel cannot capture it. */
#define array_new_staging(on, T, ...)                                                              \
    AMPC_CAT(ampc_array_staging_, AMPC_COUNT(__VA_ARGS__))((on), sizeof(T), __VA_ARGS__)

#define AMPC_INTS_1 int n0
#define AMPC_INTS_2 int n0, int n1
#define AMPC_INTS_3 int n0, int n1, int n2
#define AMPC_INTS_4 int n0, int n1, int n2, int n3
#define AMPC_LANES_2(e) (e)[0], (e)[1]
#define AMPC_LANES_3(e) (e)[0], (e)[1], (e)[2]
#define AMPC_LANES_4(e) (e)[0], (e)[1], (e)[2], (e)[3]

#define AMPC_DECLARE_OPEN(N)                                                                       \
    struct ampc_view_##N ampc_view_of_##N(void *p, size_t element_size, AMPC_INTS_##N);            \
    struct ampc_view_##N ampc_view_new_##N(size_t element_size, AMPC_INTS_##N);                    \
    struct ampc_view_##N ampc_array_from_##N(const void *p, size_t element_size, AMPC_INTS_##N);   \
    struct ampc_view_##N ampc_array_new_##N(accelerator_view, access_type, size_t element_size,    \
                                            AMPC_INTS_##N);                                        \
    struct ampc_view_##N ampc_array_staging_##N(accelerator_view, size_t element_size,             \
                                                AMPC_INTS_##N);
AMPC_EACH_RANK(AMPC_DECLARE_OPEN)
#undef AMPC_DECLARE_OPEN

/* The same with an extent_N. */
#define AMPC_DEFINE_OPEN_EXTENT(N)                                                                 \
    AMPC_INLINE struct ampc_view_##N ampc_view_of_extent_##N(void *p, size_t size, extent_##N e) { \
        return ampc_view_of_##N(p, size, AMPC_LANES_##N(e));                                       \
    } AMPC_INLINE struct ampc_view_##N ampc_view_new_extent_##N(size_t size, extent_##N e) {       \
        return ampc_view_new_##N(size, AMPC_LANES_##N(e));                                         \
    } AMPC_INLINE struct ampc_view_##N ampc_array_from_extent_##N(const void *p, size_t size,      \
                                                                  extent_##N e) {                  \
        return ampc_array_from_##N(p, size, AMPC_LANES_##N(e));                                    \
    } AMPC_INLINE struct ampc_view_##N ampc_array_new_extent_##N(                                  \
        accelerator_view on, access_type access, size_t size, extent_##N e) {                      \
        return ampc_array_new_##N(on, access, size, AMPC_LANES_##N(e));                            \
    } AMPC_INLINE struct ampc_view_##N ampc_array_staging_extent_##N(accelerator_view on,          \
                                                                     size_t size, extent_##N e) {  \
        return ampc_array_staging_##N(on, size, AMPC_LANES_##N(e));                                \
    }
AMPC_DEFINE_OPEN_EXTENT(2)
AMPC_DEFINE_OPEN_EXTENT(3)
AMPC_DEFINE_OPEN_EXTENT(4)
#undef AMPC_DEFINE_OPEN_EXTENT

#define array_view_of_extent_1(p, e) array_view_of(p, e)
#define array_view_of_extent_2(p, ...)                                                             \
    ampc_view_of_extent_2((void *)(p), sizeof *(p), (__VA_ARGS__))
#define array_view_of_extent_3(p, ...)                                                             \
    ampc_view_of_extent_3((void *)(p), sizeof *(p), (__VA_ARGS__))
#define array_view_of_extent_4(p, ...)                                                             \
    ampc_view_of_extent_4((void *)(p), sizeof *(p), (__VA_ARGS__))
#define array_view_new_extent_1(T, e) array_view_new(T, e)
#define array_view_new_extent_2(T, ...) ampc_view_new_extent_2(sizeof(T), (__VA_ARGS__))
#define array_view_new_extent_3(T, ...) ampc_view_new_extent_3(sizeof(T), (__VA_ARGS__))
#define array_view_new_extent_4(T, ...) ampc_view_new_extent_4(sizeof(T), (__VA_ARGS__))
#define array_new_extent_1(T, e) array_new(T, e)
#define array_new_extent_2(T, ...) array_new_on_extent_2((accelerator_view)0, T, __VA_ARGS__)
#define array_new_extent_3(T, ...) array_new_on_extent_3((accelerator_view)0, T, __VA_ARGS__)
#define array_new_extent_4(T, ...) array_new_on_extent_4((accelerator_view)0, T, __VA_ARGS__)
#define array_from_extent_1(p, e) array_from(p, e)
#define array_from_extent_2(p, ...) ampc_array_from_extent_2((p), sizeof *(p), (__VA_ARGS__))
#define array_from_extent_3(p, ...) ampc_array_from_extent_3((p), sizeof *(p), (__VA_ARGS__))
#define array_from_extent_4(p, ...) ampc_array_from_extent_4((p), sizeof *(p), (__VA_ARGS__))
#define array_new_on_extent_1(on, T, e) array_new_on(on, T, e)
#define array_new_on_extent_2(on, T, ...)                                                          \
    array_new_access_extent_2((on), access_type_auto, T, __VA_ARGS__)
#define array_new_on_extent_3(on, T, ...)                                                          \
    array_new_access_extent_3((on), access_type_auto, T, __VA_ARGS__)
#define array_new_on_extent_4(on, T, ...)                                                          \
    array_new_access_extent_4((on), access_type_auto, T, __VA_ARGS__)
#define array_new_access_extent_1(on, access, T, e) array_new_access(on, access, T, e)
#define array_new_access_extent_2(on, access, T, ...)                                              \
    ampc_array_new_extent_2((on), (access), sizeof(T), (__VA_ARGS__))
#define array_new_access_extent_3(on, access, T, ...)                                              \
    ampc_array_new_extent_3((on), (access), sizeof(T), (__VA_ARGS__))
#define array_new_access_extent_4(on, access, T, ...)                                              \
    ampc_array_new_extent_4((on), (access), sizeof(T), (__VA_ARGS__))
#define array_new_staging_extent_1(on, T, e) array_new_staging(on, T, e)
#define array_new_staging_extent_2(on, T, ...)                                                     \
    ampc_array_staging_extent_2((on), sizeof(T), (__VA_ARGS__))
#define array_new_staging_extent_3(on, T, ...)                                                     \
    ampc_array_staging_extent_3((on), sizeof(T), (__VA_ARGS__))
#define array_new_staging_extent_4(on, T, ...)                                                     \
    ampc_array_staging_extent_4((on), sizeof(T), (__VA_ARGS__))

/* ---- functions of a whole view -------------------------------------------- */
/* extent_of(v); rank 1: an int. */
#define extent_of(v) AMPC_BY_RANK(extent_of, v)(v)
/* Pending results come back to the host; the memory may then be read, or freed, through its own
 * pointer. */
#define array_view_synchronize(v) AMPC_BY_RANK(array_view_synchronize, v)(v)
#define array_view_synchronize_async(v) AMPC_BY_RANK(array_view_synchronize_async, v)(v)
/* Host memory was changed through its own pointer: it is what counts now, in the view's elements.
 */
#define array_view_refresh(v) AMPC_BY_RANK(array_view_refresh, v)(v)
/* The view's elements need not be kept: they are copied neither way until written again. */
#define array_view_discard_data(v) AMPC_BY_RANK(array_view_discard_data, v)(v)
/* Writes back what is pending and closes the view's source, for all views made from it. Twice is
 * once. */
#define array_view_close(v) AMPC_BY_RANK(array_view_close, v)(v)
#define array_free(v) AMPC_BY_RANK(array_free, v)(v)
/* A view over an array; it ends with the array. On the host its elements may be indexed. */
#define array_view_from_array(v) AMPC_BY_RANK(array_view_from_array, v)(v)
/* Part of a view: (origin, extent), (origin to the end), (extent from the origin). It must lie
 * inside. */
#define array_view_section(v, ...) AMPC_BY_RANK(array_view_section, v)((v), __VA_ARGS__)
#define array_view_section_from(v, ...) AMPC_BY_RANK(array_view_section_from, v)((v), __VA_ARGS__)
#define array_view_section_to(v, ...) AMPC_BY_RANK(array_view_section_to, v)((v), __VA_ARGS__)
/* Rank-1 views as another element type (a last element that does not fit whole is left out), or as
 * another shape. */
#define array_view_reinterpret_as(T, v) ampc_reinterpret((v), sizeof(T))
#define array_view_view_as(v, ...)                                                                 \
    AMPC_CAT(ampc_view_as_, AMPC_COUNT(__VA_ARGS__))((v), __VA_ARGS__)
#define array_view_view_as_1(v, ...) ampc_view_as_1((v), __VA_ARGS__)
#define array_view_view_as_2(v, ...) ampc_view_as_2((v), __VA_ARGS__)
#define array_view_view_as_3(v, ...) ampc_view_as_3((v), __VA_ARGS__)
#define array_view_view_as_4(v, ...) ampc_view_as_4((v), __VA_ARGS__)
/* The host pointer of a rank-1 view, its data up to date and taken as about to be written. */
#define array_view_data(v) ampc_view_data(v)

#define AMPC_DECLARE_WHOLE(N)                                                                      \
    void array_view_synchronize_##N(struct ampc_view_##N);                                         \
    completion_future array_view_synchronize_async_##N(struct ampc_view_##N);                      \
    void array_view_refresh_##N(struct ampc_view_##N);                                             \
    void array_view_discard_data_##N(struct ampc_view_##N);                                        \
    void array_view_close_##N(struct ampc_view_##N);                                               \
    void array_free_##N(struct ampc_view_##N);                                                     \
    struct ampc_view_##N array_view_from_array_##N(struct ampc_view_##N);                          \
    struct ampc_view_##N array_view_section_##N(struct ampc_view_##N, index_##N, extent_##N);      \
    struct ampc_view_##N array_view_section_from_##N(struct ampc_view_##N, index_##N);             \
    struct ampc_view_##N array_view_section_to_##N(struct ampc_view_##N, extent_##N);              \
    struct ampc_view_##N ampc_view_as_##N(struct ampc_view_1, AMPC_INTS_##N);
AMPC_EACH_RANK(AMPC_DECLARE_WHOLE)
#undef AMPC_DECLARE_WHOLE
struct ampc_view_1 ampc_reinterpret(struct ampc_view_1, size_t element_size);
void *ampc_view_data(struct ampc_view_1);

AMPC_INLINE extent_1 extent_of_1(struct ampc_view_1 v) { return v.extent[0]; }
AMPC_INLINE extent_2 extent_of_2(struct ampc_view_2 v)
{
    return (extent_2){AMPC_LANES_2(v.extent)};
}
AMPC_INLINE extent_3 extent_of_3(struct ampc_view_3 v)
{
    return (extent_3){AMPC_LANES_3(v.extent)};
}
AMPC_INLINE extent_4 extent_of_4(struct ampc_view_4 v)
{
    return (extent_4){AMPC_LANES_4(v.extent)};
}

/* ---- parts ---------------------------------------------------------------- */
/* a[i] of rank N is a view of rank N - 1; v + k of rank 1 starts k elements later. */
AMPC_INLINE struct ampc_view_1 ampc_project_2(struct ampc_view_2 v, int64_t i)
{
    return (struct ampc_view_1){
        v.data + i * v.stride[0], v.source, v.key, {v.stride[1]}, {v.extent[1]}};
}
AMPC_INLINE struct ampc_view_2 ampc_project_3(struct ampc_view_3 v, int64_t i)
{
    return (struct ampc_view_2){v.data + i * v.stride[0],
                                v.source,
                                v.key,
                                {v.stride[1], v.stride[2]},
                                {v.extent[1], v.extent[2]}};
}
AMPC_INLINE struct ampc_view_3 ampc_project_4(struct ampc_view_4 v, int64_t i)
{
    return (struct ampc_view_3){v.data + i * v.stride[0],
                                v.source,
                                v.key,
                                {v.stride[1], v.stride[2], v.stride[3]},
                                {v.extent[1], v.extent[2], v.extent[3]}};
}
AMPC_INLINE struct ampc_view_1 ampc_offset(struct ampc_view_1 v, int64_t k)
{
    return (struct ampc_view_1){
        v.data + k * v.stride[0], v.source, v.key, {v.stride[0]}, {(int)(v.extent[0] - k)}};
}

/* ---- elements ------------------------------------------------------------- */
/* AMPC_READ(T, v, i, ...) is a `const T *` to an element, current; AMPC_WRITE gives a `T *` and
 * makes other copies stale. Each evaluates v and the subscripts once. The pointer may alias any
 * type: views can be re-typed. It is good until the next launch, copy or close that involves the
 * source. After an error that a handler let pass it points to scratch memory of the calling thread.
 */
#define AMPC_READ(T, v, ...)                                                                       \
    ((const __typeof__(T) __attribute__((__may_alias__)) *)AMPC_CAT(                               \
        ampc_read_, AMPC_COUNT(__VA_ARGS__))((v), sizeof(T), __VA_ARGS__))
#define AMPC_WRITE(T, v, ...)                                                                      \
    ((__typeof__(T) __attribute__((__may_alias__)) *)AMPC_CAT(                                     \
        ampc_write_, AMPC_COUNT(__VA_ARGS__))((v), sizeof(T), __VA_ARGS__))
/* The same at an index_N. */
#define AMPC_READ_AT(T, v, idx, N)                                                                 \
    ((const __typeof__(T) __attribute__((__may_alias__)) *)ampc_read_at_##N((v), sizeof(T), (idx)))
#define AMPC_WRITE_AT(T, v, idx, N)                                                                \
    ((__typeof__(T) __attribute__((__may_alias__)) *)ampc_write_at_##N((v), sizeof(T), (idx)))

/* The slow paths: make the source's range current on the host (and only there), return `element`
 * or, after an error, scratch memory of `size` bytes. */
const void *ampc_host_read(struct ampc_source *, uint64_t key, char *element, size_t size);
void *ampc_host_write(struct ampc_source *, uint64_t key, char *element, size_t size);

AMPC_INLINE const void *ampc_readable(struct ampc_source *source, uint64_t key, char *element,
                                      size_t size)
{
    if (__builtin_expect(__atomic_load_n(&source->read_key, __ATOMIC_ACQUIRE) != key, 0))
        return ampc_host_read(source, key, element, size);
    return element;
}
AMPC_INLINE void *ampc_writable(struct ampc_source *source, uint64_t key, char *element,
                                size_t size)
{
    if (__builtin_expect(__atomic_load_n(&source->write_key, __ATOMIC_ACQUIRE) != key, 0))
        return ampc_host_write(source, key, element, size);
    return element;
}

#define AMPC_SUBSCRIPTS_1 int64_t i0
#define AMPC_SUBSCRIPTS_2 int64_t i0, int64_t i1
#define AMPC_SUBSCRIPTS_3 int64_t i0, int64_t i1, int64_t i2
#define AMPC_SUBSCRIPTS_4 int64_t i0, int64_t i1, int64_t i2, int64_t i3
#define AMPC_ELEMENT_1(v) ((v).data + i0 * (v).stride[0])
#define AMPC_ELEMENT_2(v) (AMPC_ELEMENT_1(v) + i1 * (v).stride[1])
#define AMPC_ELEMENT_3(v) (AMPC_ELEMENT_2(v) + i2 * (v).stride[2])
#define AMPC_ELEMENT_4(v) (AMPC_ELEMENT_3(v) + i3 * (v).stride[3])
#define AMPC_DEFINE_ELEMENT(N)                                                                     \
    AMPC_INLINE const void *ampc_read_##N(struct ampc_view_##N v, size_t size,                     \
                                          AMPC_SUBSCRIPTS_##N)                                     \
    {                                                                                              \
        return ampc_readable(v.source, v.key, AMPC_ELEMENT_##N(v), size);                          \
    }                                                                                              \
    AMPC_INLINE void *ampc_write_##N(struct ampc_view_##N v, size_t size, AMPC_SUBSCRIPTS_##N)     \
    {                                                                                              \
        return ampc_writable(v.source, v.key, AMPC_ELEMENT_##N(v), size);                          \
    }
AMPC_EACH_RANK(AMPC_DEFINE_ELEMENT)
#undef AMPC_DEFINE_ELEMENT
#define ampc_read_at_1 ampc_read_1
#define ampc_write_at_1 ampc_write_1
#define AMPC_DEFINE_ELEMENT_AT(N)                                                                  \
    AMPC_INLINE const void *ampc_read_at_##N(struct ampc_view_##N v, size_t size, index_##N i)     \
    {                                                                                              \
        return ampc_read_##N(v, size, AMPC_LANES_##N(i));                                          \
    }                                                                                              \
    AMPC_INLINE void *ampc_write_at_##N(struct ampc_view_##N v, size_t size, index_##N i)          \
    {                                                                                              \
        return ampc_write_##N(v, size, AMPC_LANES_##N(i));                                         \
    }
AMPC_DEFINE_ELEMENT_AT(2)
AMPC_DEFINE_ELEMENT_AT(3)
AMPC_DEFINE_ELEMENT_AT(4)
#undef AMPC_DEFINE_ELEMENT_AT

/* ---- copy (C++ AMP 5.4) ---------------------------------------------------- */
/* amp_copy(source, destination): host pointers, arrays and views of one rank and element type. */
/* The extents must agree; a host pointer is taken to hold as many elements, row by row. Never a
 * pointer on both sides. */
struct ampc_copy_end {
    struct ampc_source *source; /* NULL: a host pointer */
    uint64_t key;
    char *data;
    int rank;
    int64_t stride[4];
    int extent[4];
};
#define AMPC_COPY_END(x)                                                                           \
    _Generic((x),                                                                                  \
        struct ampc_view_1: ampc_copy_end_1,                                                       \
        struct ampc_view_2: ampc_copy_end_2,                                                       \
        struct ampc_view_3: ampc_copy_end_3,                                                       \
        struct ampc_view_4: ampc_copy_end_4,                                                       \
        default: ampc_copy_end_pointer)(x)
#define amp_copy(from, to) ampc_copy(AMPC_COPY_END(from), AMPC_COPY_END(to))
#define amp_copy_async(from, to) ampc_copy_async(AMPC_COPY_END(from), AMPC_COPY_END(to))
void ampc_copy(struct ampc_copy_end from, struct ampc_copy_end to);
completion_future ampc_copy_async(struct ampc_copy_end from, struct ampc_copy_end to);
AMPC_INLINE struct ampc_copy_end ampc_copy_end_pointer(const void *p)
{
    return (struct ampc_copy_end){.data = (char *)p};
}
#define AMPC_DEFINE_COPY_END(N)                                                                    \
    AMPC_INLINE struct ampc_copy_end ampc_copy_end_##N(struct ampc_view_##N v) {                   \
        struct ampc_copy_end end = {v.source, v.key, v.data, N, {0}, {0}};                         \
        for (int k = 0; k < N; ++k) {                                                              \
            end.stride[k] = v.stride[k];                                                           \
            end.extent[k] = v.extent[k];                                                           \
        }                                                                                          \
        return end;                                                                                \
    }
AMPC_EACH_RANK(AMPC_DEFINE_COPY_END)
#undef AMPC_DEFINE_COPY_END

#pragma GCC visibility pop

#endif
