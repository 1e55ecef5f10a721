/* ampc/own.h - who closes what (dialect.md section 5, "Closing"). Emitted code only.
 *
 * An owner is a hidden variable beside the user's: it remembers what the initialiser opened and
 * closes that, whatever the user's variable holds by then, when its scope ends. Owners are not
 * shared between threads. */
#ifndef AMPC_OWN_H
#define AMPC_OWN_H

#include <ampc/types.h>

/* The library's functions, whatever the default of the file is. */
#pragma GCC visibility push(default)

struct ampc_owner {
    struct ampc_source *source; /* NULL: owns nothing */
    uint64_t key;
};

/* The cleanup: closes what the owner holds, which then holds nothing. */
void ampc_owner_finish(struct ampc_owner *);
/* Closes what the owner holds and takes another source. */
void ampc_owner_set(struct ampc_owner *, struct ampc_source *, uint64_t key);
/* `return e`: if the owner holds this source, it lets go and the source is marked as handed over.
 */
void ampc_hand_over(struct ampc_owner *, struct ampc_source *, uint64_t key);
/* The other end: takes a source that was handed over, and no other. */
struct ampc_owner ampc_adopt(struct ampc_source *, uint64_t key);
/* A returned view that no variable is initialised with: nobody adopts it later. */
#define AMPC_DEFINE_LEFT_OPEN(N)                                                                   \
    AMPC_INLINE struct ampc_view_##N ampc_left_open_##N(struct ampc_view_##N v)                    \
    {                                                                                              \
        ampc_adopt(v.source, v.key);                                                               \
        return v;                                                                                  \
    }
AMPC_EACH_RANK(AMPC_DEFINE_LEFT_OPEN)
#undef AMPC_DEFINE_LEFT_OPEN
/* A view opened in one branch of ?:, or inside a value: handed over to the variable that adopts what
 * the whole expression gives. */
#define AMPC_DEFINE_GIVE(N)                                                                        \
    AMPC_INLINE struct ampc_view_##N ampc_give_##N(struct ampc_view_##N v)                         \
    {                                                                                              \
        ampc_hand_over(&(struct ampc_owner){v.source, v.key}, v.source, v.key);                    \
        return v;                                                                                  \
    }
AMPC_EACH_RANK(AMPC_DEFINE_GIVE)
#undef AMPC_DEFINE_GIVE

#define AMPC_OWNER_VARIABLE(id)                                                                    \
    struct ampc_owner ampc_own_##id __attribute__((unused, cleanup(ampc_owner_finish)))
/* After `array_view(T, N) a = array_view_of(...);`. */
#define AMPC_OWN(a) AMPC_OWNER_VARIABLE(a) = {(a).source, (a).key}
/* After an initialiser that opened the view `v` inside a struct or an array. */
#define AMPC_OWN_AS(id, v) AMPC_OWNER_VARIABLE(id) = {(v).source, (v).key}
/* At the start of a block, for a declaration further down that a label or case can jump over. */
#define AMPC_OWNER(id) AMPC_OWNER_VARIABLE(id) = {0, 0}
/* After `array_view(T, N) a = f(...);`. */
#define AMPC_ADOPT(a) AMPC_OWNER_VARIABLE(a) = ampc_adopt((a).source, (a).key)
#define AMPC_ADOPT_AS(id, v) AMPC_OWNER_VARIABLE(id) = ampc_adopt((v).source, (v).key)

#pragma GCC visibility pop

#endif
