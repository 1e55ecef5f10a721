/* owner.c - see ampc/own.h. */
#include "registry.h"
#include "source.h"
#include "view.h"
#include <ampc/own.h>

void ampc_owner_finish(struct ampc_owner *owner)
{
    struct ampc_owner held = *owner;
    owner->source = NULL;
    if (held.source)
        ampc_view_close(held.source, held.key);
}

void ampc_owner_set(struct ampc_owner *owner, struct ampc_source *source, uint64_t key)
{
    ampc_owner_finish(owner);
    *owner = (struct ampc_owner){source, key};
}

void ampc_hand_over(struct ampc_owner *owner, struct ampc_source *source, uint64_t key)
{
    if (!source || owner->source != source || owner->key != key)
        return;
    ampc_lock();
    struct ampc_source_record *record = ampc_source_peek(source, key);
    if (record) {
        record->handed_over = true;
        owner->source = NULL;
    }
    ampc_unlock();
}

struct ampc_owner ampc_adopt(struct ampc_source *source, uint64_t key)
{
    struct ampc_owner owner = {0};
    ampc_lock();
    struct ampc_source_record *record = ampc_source_peek(source, key);
    if (record && record->handed_over) {
        record->handed_over = false;
        owner = (struct ampc_owner){source, key};
    }
    ampc_unlock();
    return owner;
}
