/* ampc/dialect.h - how <amp.h> spells the dialect so that an unmodified Clang parses and
 * type-checks it.
 *
 * Included by amp.h when __AMPC__ is defined; macros only. The encoding, which
 * compiler/frontend/dialect.cpp reads back:
 * - a view or array is a nested pointer, one address space per rank (101..104 views, 201..204
 * arrays), so that v[i][j] is
 *   an lvalue of the element type, v[i] is the view of one rank less, and views, arrays and C
 * pointers do not mix; - clauses, tile_static and the dimensions of a tile are `annotate`
 * attributes; - the generic library is `overloadable` functions without a body. A macro that must
 * give a typed view casts the
 *   `void` view that such a function returns. */
#ifndef AMPC_DIALECT_H
#define AMPC_DIALECT_H

#define AMP_CAT_(a, b) a##b
#define AMP_CAT(a, b) AMP_CAT_(a, b)
#define AMP_COUNT_(a1, a2, a3, a4, n, ...) n
#define AMP_COUNT(...) AMP_COUNT_(__VA_ARGS__, 4, 3, 2, 1, 0)
#define AMP_EACH_RANK(F) F(1) F(2) F(3) F(4)
#define AMP_GENERIC __attribute__((overloadable))

/* ---- views and arrays as pointers
 * ------------------------------------------------------------------- */
#define AMP_V1 __attribute__((address_space(101)))
#define AMP_V2 __attribute__((address_space(102)))
#define AMP_V3 __attribute__((address_space(103)))
#define AMP_V4 __attribute__((address_space(104)))
#define AMP_A1 __attribute__((address_space(201)))
#define AMP_A2 __attribute__((address_space(202)))
#define AMP_A3 __attribute__((address_space(203)))
#define AMP_A4 __attribute__((address_space(204)))

#define AMP_VIEW_1(T) __typeof__(T AMP_V1 *)
#define AMP_VIEW_2(T) __typeof__(T AMP_V1 *AMP_V2 *)
#define AMP_VIEW_3(T) __typeof__(T AMP_V1 *AMP_V2 *AMP_V3 *)
#define AMP_VIEW_4(T) __typeof__(T AMP_V1 *AMP_V2 *AMP_V3 *AMP_V4 *)
#define AMP_ARRAY_1(T) __typeof__(T AMP_A1 *)
#define AMP_ARRAY_2(T) __typeof__(T AMP_A1 *AMP_A2 *)
#define AMP_ARRAY_3(T) __typeof__(T AMP_A1 *AMP_A2 *AMP_A3 *)
#define AMP_ARRAY_4(T) __typeof__(T AMP_A1 *AMP_A2 *AMP_A3 *AMP_A4 *)

/* The type of a view (KIND VIEW) or array (KIND ARRAY) of T made with these lengths: their number
 * is the rank, but a single one may also be an extent_N. */
#define AMP_RESULT(KIND, T, ...) AMP_CAT(AMP_RANKED_, AMP_COUNT(__VA_ARGS__))(KIND, T, __VA_ARGS__)
#define AMP_RANKED_1(KIND, T, e)                                                                   \
    __typeof__(*_Generic((e), extent_2: (AMP_##KIND##_2(T) *)0, extent_3: (AMP_##KIND##_3(T) *)0,  \
                         extent_4: (AMP_##KIND##_4(T) *)0, default: (AMP_##KIND##_1(T) *)0))
#define AMP_RANKED_2(KIND, T, ...) AMP_##KIND##_2(T)
#define AMP_RANKED_3(KIND, T, ...) AMP_##KIND##_3(T)
#define AMP_RANKED_4(KIND, T, ...) AMP_##KIND##_4(T)

/* The type of a rank-1 view of type V seen with 1 to 4 dimensions. */
#define AMP_VIEW_AS_1(V) __typeof__(V)
#define AMP_VIEW_AS_2(V) __typeof__(V AMP_V2 *)
#define AMP_VIEW_AS_3(V) __typeof__(V AMP_V2 *AMP_V3 *)
#define AMP_VIEW_AS_4(V) __typeof__(V AMP_V2 *AMP_V3 *AMP_V4 *)

/* ---- tiles: the dimensions as an attribute of the declaration
 * ------------------------------------------ */
#define AMP_TI_1(a) __attribute__((annotate("amp.tile", a))) tiled_index_1
#define AMP_TI_2(a, b) __attribute__((annotate("amp.tile", a, b))) tiled_index_2
#define AMP_TI_3(a, b, c) __attribute__((annotate("amp.tile", a, b, c))) tiled_index_3

#endif
