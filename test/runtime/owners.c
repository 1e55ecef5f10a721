/* Owners: closing at the end of a scope, `return`, adoption, jumps; see ampc/own.h.
 * REQUIRES: vulkan
 * RUN: %kernels
 * RUN: %build -o %t && %run %t
 */
#include "check.h"
#include "kernels.h"

enum { N = 8 };

static float p[N], q[N];

static array_view(float, 1) make(float *data, int keep)
{
    array_view(float, 1) a = array_view_of(data, N);
    AMPC_OWN(a);
    fill_row(a, 10);
    if (keep) {
        __typeof__(a) result = array_view_section(a, 2, 3);
        ampc_hand_over(&ampc_own_a, result.source, result.key);
        return result;
    }
    return a;
}

int main(void)
{
    amp_set_error_handler(remember, NULL);
    {
        array_view(float, 1) a = array_view_of(p, N);
        AMPC_OWN(a);
        array_view(float, 1) b = array_view_of(q, N);
        AMPC_OWN(b);
        fill_row(a, 1);
        fill_row(b, 2);
        array_view(float, 1) t =
            a; /* swapped: each owner still closes what its initialiser opened */
        a = b;
        b = t;
    }
    CHECK(p[0] == 1 && q[0] == 2);

    array_view(float, 1) gone = make(p, 0);
    CHECK(p[1] == 11);
    (void)*AMPC_READ(float, gone, 0);
    CHECK_ERROR(amp_error_runtime, "after its source was closed");

    array_view(float, 1) copy;
    {
        array_view(float, 1) kept = make(q, 1);
        AMPC_ADOPT(kept);
        CHECK(q[0] == 2 && *AMPC_READ(float, kept, 0) == 12 && extent_of(kept) == 3);
        array_view(float, 1) borrowed = kept;
        AMPC_ADOPT(borrowed); /* handed over once: owns nothing */
        copy = kept;
        fill_row(kept, 50);
    }
    CHECK(q[2] == 50 && q[5] == 15);
    (void)*AMPC_READ(float, copy, 0);
    CHECK_ERROR(amp_error_runtime, "after its source was closed");

    {
        AMPC_OWNER(late);
        for (int round = 0; round < 3; ++round) {
            array_view(float, 1) v = array_view_of(p, N);
            ampc_owner_set(&ampc_own_late, v.source,
                           v.key); /* closes the one of the round before */
            CHECK(round == 0 || p[0] == (float)(round - 1));
            fill_row(v, (float)round);
        }
    }
    CHECK(p[0] == 2 && seen_count == 0);
}
