/* ampc/kernel.h - what a compiled kernel looks like to the runtime.
 *
 * The emitted C file holds one `static const struct ampc_kernel` per parallel_for_each; ampc_launch()
 * takes it together with the launch's domain and captured values. Both sides check abi_version.
 * All tables are constant, live as long as the program, and may be shared by threads. */
#ifndef AMPC_KERNEL_H
#define AMPC_KERNEL_H

#include <stddef.h>
#include <stdint.h>

enum { AMPC_ABI_VERSION = 3 };

/* Kernels for Vulkan number groups in 32 bits: x + AMPC_GRID_COLUMNS * (y + AMPC_GRID_ROWS * z), whatever the
 * grid; one that is longer in y, or in z, is as long as this in x, or in x and y. */
enum { AMPC_GRID_COLUMNS = 4096, AMPC_GRID_ROWS = 32768 };

/* One piece of the argument block that a kernel reads: where the runtime takes it from and where it
 * puts it. Little-endian, no padding that anyone reads. */
enum ampc_argument_kind {
    AMPC_ARG_VIEW_ADDRESS,  /* u64: address of a view's first element on the accelerator */
    AMPC_ARG_VIEW_STRIDE,   /* i64: bytes from one index to the next in `dimension` */
    AMPC_ARG_VIEW_EXTENT,   /* i32: length of a view in `dimension` */
    AMPC_ARG_DOMAIN_EXTENT, /* i32: length of the compute domain in `dimension` */
    AMPC_ARG_BYTES,         /* `size` bytes of the captures, as they are */
    AMPC_ARG_CONSTANTS,     /* u64: address of a copy of `constants` on the accelerator */
    AMPC_ARG_REPORTS,       /* u64: address of the launch's buffer of reports */
};

struct ampc_argument {
    uint8_t kind;
    uint8_t dimension;
    uint16_t reserved; /* 0 */
    uint32_t offset; /* in the argument block */
    uint32_t size;   /* bytes */
    uint32_t source; /* byte offset in the captures: of the view, or of the bytes */
};

/* A view or array among the captures, for coherence. */
struct ampc_captured_view {
    uint32_t source; /* byte offset in the captures of a struct ampc_view_N */
    uint32_t element_size;
    uint8_t rank;
    uint8_t read_only; /* a view of const: its data goes in and never back */
};

/* What a kernel needs beyond the base requirements (dialect.md section 8), 64-bit integers among
 * them. */
enum ampc_feature {
    AMPC_FEATURE_DOUBLE = 1,
    AMPC_FEATURE_INT8 = 2,       /* 8-bit integers, or _Bool that are packed like them, in views */
    AMPC_FEATURE_INT16 = 4,      /* 16-bit integers in views */
    AMPC_FEATURE_TILE_INT8 = 8,  /* the same in tile_static variables */
    AMPC_FEATURE_TILE_INT16 = 16,
};

/* The compute domain of one launch. */
struct ampc_domain {
    int rank;
    int tiled;
    int extent[4];
    int tile[3];
    uint32_t *reports; /* the CPU accelerator's: a buffer of reports, or NULL */
};

/* A kernel on the CPU accelerator: runs work items [begin, end), or of a tiled kernel tiles, numbered
 * with the last dimension fastest. May be called by several threads at a time. `captures` is what
 * ampc_launch got; views in it name current host memory. `arena` holds cpu_arena_bytes for the time
 * of the call, aligned to 64. */
typedef void ampc_cpu_function(const void *captures, const struct ampc_domain *domain,
                               uint64_t begin, uint64_t end, void *arena);

/* A text that a kernel can report: what amp_printf prints, or why the launch fails. */
struct ampc_report_format {
    const char *format; /* printf's */
    const char *kinds;  /* of its arguments, one letter each: i u (32 bits), l L (64 bits), f, d */
    const char *file;
    uint32_t line;
};

/* Words of the buffer that a launch of a kernel with reports gets. A record is an index into the
 * kernel's `reports` and the arguments, those of 64 bits as two words, the lower first. A failure's
 * has the work item's index (four words, unused ones 0) in between. */
enum ampc_report_word {
    AMPC_REPORT_USED = 0,     /* words of the records, with those that found no room */
    AMPC_REPORT_LOST = 1,     /* records that found no room */
    AMPC_REPORT_FAILED = 2,   /* 1 when a work item failed */
    AMPC_REPORT_CAPACITY = 3, /* of the records, in words */
    AMPC_REPORT_FAILURE = 4,  /* the record of the first failure */
    AMPC_REPORT_RECORDS = 64, /* the others, one behind the other */
};

/* What kernels with reports call on the CPU: as they start, as each work item starts, and to report
 * (the arguments are of the given kinds, promoted as C does). */
#pragma GCC visibility push(default)
void ampc_kernel_begin(const struct ampc_domain *domain);
void ampc_kernel_item(int i0, int i1, int i2, int i3);
void ampc_kernel_print(uint32_t number, const char *kinds, ...);
void ampc_kernel_fail(uint32_t number, const char *kinds, ...);
#pragma GCC visibility pop

struct ampc_kernel {
    uint32_t abi_version; /* AMPC_ABI_VERSION */
    uint32_t size;        /* sizeof(struct ampc_kernel) */
    const char *name;     /* "scale.0" */
    const char *file;     /* of the parallel_for_each */
    uint32_t line;
    uint32_t rank;         /* of the domain, 1..4 */
    uint32_t tile[3];      /* all 0 when untiled; else the first `rank` are set, dimension 0 first */
    uint32_t features;     /* enum ampc_feature, or-ed */
    uint32_t tile_static_bytes;
    uint32_t argument_bytes; /* size of the argument block */
    uint32_t indirect;       /* the push constant is the address of the block, not the block */
    uint32_t argument_count;
    uint32_t view_count;
    const struct ampc_argument *arguments;
    const struct ampc_captured_view *views;
    const uint32_t *spirv; /* entry point "main"; specialisation constant 0: work-group size of an
                              untiled kernel; 1 to 3: what is known of the driver (compiler/spirv/exact.h) */
    size_t spirv_words;
    const uint32_t *constants; /* const tables, shared by the kernels of a file; NULL: none used */
    size_t constant_words;
    ampc_cpu_function *cpu; /* NULL: not compiled for the CPU accelerator (`spirv`: for Vulkan) */
    uint64_t cpu_arena_bytes;
    const struct ampc_report_format *reports; /* shared by the kernels of a file; NULL: it never reports */
    size_t report_count;
};

#endif
