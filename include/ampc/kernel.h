/* ampc/kernel.h - what a compiled kernel looks like to the runtime.
 *
 * The emitted C file holds one `static const struct ampc_kernel` per parallel_for_each; ampc_launch()
 * takes it together with the launch's domain and captured values. Both sides check abi_version.
 * All tables are constant, live as long as the program, and may be shared by threads. */
#ifndef AMPC_KERNEL_H
#define AMPC_KERNEL_H

#include <stddef.h>
#include <stdint.h>

enum { AMPC_ABI_VERSION = 1 };

/* One piece of the argument block that a kernel reads: where the runtime takes it from and where it
 * puts it. Little-endian, no padding that anyone reads. */
enum ampc_argument_kind {
    AMPC_ARG_VIEW_ADDRESS,  /* u64: address of a view's first element on the accelerator */
    AMPC_ARG_VIEW_STRIDE,   /* i64: bytes from one index to the next in `dimension` */
    AMPC_ARG_VIEW_EXTENT,   /* i32: length of a view in `dimension` */
    AMPC_ARG_DOMAIN_EXTENT, /* i32: length of the compute domain in `dimension` */
    AMPC_ARG_BYTES,         /* `size` bytes of the captures, as they are */
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

/* What a kernel needs beyond the base requirements (dialect.md section 8). */
enum ampc_feature { AMPC_FEATURE_DOUBLE = 1 };

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
    const uint32_t *spirv; /* entry point "main"; specialisation constants 0, 1, 2: work-group size
                              of an untiled kernel */
    size_t spirv_words;
};

/* The compute domain of one launch. */
struct ampc_domain {
    int rank;
    int tiled;
    int extent[4];
    int tile[3];
};

#endif
