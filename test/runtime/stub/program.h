/* program.h - random programs over the runtime, beside a model of what they mean: plain bytes.
 *
 * Objects are a piece of host memory and arrays; slots hold views of them, which overlap. Each step
 * does something to a slot on some accelerator, and to the model. A step that reports an error has
 * had no effect. Once a device is lost, what was current on the host stays, and every other byte
 * has a value that it once had. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>
#include <string.h>

#include "../Inputs/check.h"
#include "../Inputs/stub_kernels.h"

enum {
    ELEMENTS = 96,
    BYTES = 4 * ELEMENTS,
    ARRAYS = 2,
    OBJECTS = 1 + ARRAYS, /* 0: the host memory */
    SLOTS = 8,
    ACCELERATORS = 3,
};

struct byte {
    unsigned char now;
    bool undefined; /* discarded */
    bool at_home;   /* host memory has it */
    bool once[256]; /* values that it has had */
};

static struct byte model[OBJECTS][BYTES];
static unsigned char host[BYTES] __attribute__((aligned(64)));
static struct slot {
    struct ampc_view_1 view;
    int object, first, count; /* elements of the object; count 0: free */
    bool is_array;
    int home; /* accelerator of an array */
} slots[SLOTS];
static accelerator machine[ACCELERATORS];
static int machines;
static bool lost;
static bool verbose;
static amp_error_handler handler_of_program = remember;

/* ---- chance --------------------------------------------------------------- */

static uint64_t chance_state;

static unsigned chance(unsigned below)
{
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 7;
    chance_state ^= chance_state << 17;
    return (unsigned)(chance_state >> 20) % below;
}

/* ---- the model ------------------------------------------------------------ */

static void put(int object, int at, unsigned char value, bool undefined, bool at_home)
{
    struct byte *b = &model[object][at];
    b->now = value;
    b->undefined = undefined;
    b->at_home = at_home;
    b->once[value] = true;
    if (undefined)
        memset(b->once, true, sizeof b->once);
}

static void check_byte(const char *what, int object, int at, unsigned char value)
{
    const struct byte *b = &model[object][at];
    if (b->undefined || value == b->now || (lost && !b->at_home && b->once[value]))
        return;
    fprintf(stderr, "%s: byte %d of object %d is %d instead of %d%s\n", what, at, object, value,
            b->now, lost ? ", and never was" : "");
    exit(1);
}

static void check_element(const char *what, int object, int element, const void *bytes)
{
    for (int k = 0; k < 4; ++k)
        check_byte(what, object, 4 * element + k, ((const unsigned char *)bytes)[k]);
}

/* Did the step go well? */
static bool good(void)
{
    bool well = !seen_count;
    lost |= seen_count && seen_error == amp_error_accelerator_view_removed;
    if (!well && verbose)
        fprintf(stderr, "  error: %s\n", seen_message);
    seen_count = 0;
    return well;
}

/* ---- steps ---------------------------------------------------------------- */

static struct slot *used_slot(void)
{
    for (int tries = 0; tries < 4 * SLOTS; ++tries) {
        struct slot *s = &slots[chance(SLOTS)];
        if (s->count)
            return s;
    }
    return NULL;
}

static struct slot *free_slot(void)
{
    for (int i = 0; i < SLOTS; ++i)
        if (!slots[i].count)
            return &slots[i];
    return NULL;
}

/* A part of a slot. */
struct part {
    struct slot *slot;
    struct ampc_view_1 view;
    int first, count; /* elements of the object */
};

static struct part part_of(struct slot *s, int most)
{
    struct part p = {.slot = s};
    int at = (int)chance((unsigned)s->count);
    p.count = 1 + (int)chance((unsigned)(s->count - at));
    if (p.count > most)
        p.count = most;
    p.first = s->first + at;
    p.view = array_view_section(s->view, at, p.count);
    return p;
}

static accelerator_view anywhere(const struct slot *s)
{
    int at = s->is_array ? s->home : (int)chance((unsigned)machines);
    return accelerator_default_view(machine[at]);
}

static void open_view(void)
{
    struct slot *s = free_slot();
    if (!s)
        return;
    *s = (struct slot){.first = (int)chance(ELEMENTS)};
    int count = 1 + (int)chance((unsigned)(ELEMENTS - s->first));
    struct ampc_view_1 view = array_view_of((unsigned *)host + s->first, count);
    if (!good())
        return;
    s->view = view;
    s->count = count;
}

/* An array takes the place of an object that no slot refers to. */
static void open_array(void)
{
    struct slot *s = free_slot();
    int object = 1 + (int)chance(ARRAYS);
    for (int i = 0; i < SLOTS; ++i)
        if (slots[i].count && slots[i].object == object)
            return;
    if (!s)
        return;
    int home = (int)chance((unsigned)machines);
    struct ampc_view_1 view =
        array_new_on(accelerator_default_view(machine[home]), unsigned, ELEMENTS);
    if (!good())
        return;
    *s = (struct slot){view, object, 0, ELEMENTS, true, home};
    for (int k = 0; k < BYTES; ++k) {
        memset(&model[object][k], 0, sizeof model[object][k]);
        put(object, k, 0, true, false);
    }
}

static void open_over_array(void)
{
    struct slot *array = used_slot(), *s = free_slot();
    if (!array || !array->is_array || !s)
        return;
    struct ampc_view_1 view = array_view_from_array(array->view);
    if (good())
        *s = (struct slot){view, array->object, 0, ELEMENTS, false, 0};
}

static void close_slot(void)
{
    struct slot *s = used_slot();
    if (!s)
        return;
    if (s->is_array) {
        int object = s->object;
        array_free(s->view);
        for (int i = 0; i < SLOTS; ++i)
            if (slots[i].count && slots[i].object == object)
                slots[i].count = 0;
    } else {
        if (!s->object) { /* closing would lose what cannot come back for lack of memory just now */
            array_view_synchronize(s->view);
            if (!good())
                array_view_synchronize(s->view);
            good();
        }
        if (s->object)
            for (int i = 0; i < SLOTS; ++i) /* views over one array share their source */
                if (&slots[i] != s && slots[i].count && slots[i].object == s->object &&
                    !slots[i].is_array)
                    slots[i].count = 0;
        array_view_close(s->view);
        for (int k = 4 * s->first; !s->object && k < 4 * (s->first + s->count); ++k)
            model[0][k].at_home |= !lost;
    }
    s->count = 0;
    good();
}

static void add_step(void)
{
    struct slot *s = used_slot();
    if (!s)
        return;
    struct part p = part_of(s, ELEMENTS);
    accelerator_view on = anywhere(s);
    int factor = (int)chance(3), first = (int)chance(100);
    int columns = 1 + (int)chance((unsigned)p.count), rows = p.count / columns;
    struct ampc_view_2 all = array_view_view_as(p.view, rows, columns);
    int row = (int)chance((unsigned)rows), column = (int)chance((unsigned)columns);
    struct ampc_view_2 v = array_view_section_from(all, make_index(row, column));
    add(on, v, factor, first);
    if (!good())
        return;
    for (int i = 0; i < rows - row; ++i)
        for (int j = 0; j < columns - column; ++j)
            for (int k = 0; k < 4; ++k) {
                int at = 4 * (p.first + (row + i) * columns + column + j) + k;
                const struct byte *b = &model[s->object][at];
                put(s->object, at, (unsigned char)(b->now * factor + first + 16 * i + j),
                    b->undefined && factor, false);
            }
}

static bool apart(const struct part *a, const struct part *b)
{
    return a->slot->object != b->slot->object || a->first + a->count <= b->first ||
           b->first + b->count <= a->first;
}

/* Two parts of one length that do not overlap. */
static bool two_parts(struct part *from, struct part *to)
{
    struct slot *a = used_slot(), *b = used_slot();
    if (!a || !b)
        return false;
    *from = part_of(a, ELEMENTS);
    *to = part_of(b, from->count);
    from->count = to->count;
    from->view = array_view_section(from->view, 0, to->count);
    return apart(from, to);
}

static void take_step(void)
{
    struct part from, to;
    if (!two_parts(&from, &to))
        return;
    unsigned key = chance(256);
    accelerator_view on = anywhere(from.slot->is_array ? from.slot : to.slot);
    bool possible = !from.slot->is_array || !to.slot->is_array || from.slot->home == to.slot->home;
    take(on, from.view, to.view, key);
    if (!good())
        return;
    CHECK(possible);
    for (int i = 0; i < to.count; ++i) {
        unsigned mask = (key + (unsigned)i % 64) ^ take_constants[i % 2];
        for (int k = 0; k < 4; ++k) {
            const struct byte *b = &model[from.slot->object][4 * (from.first + i) + k];
            put(to.slot->object, 4 * (to.first + i) + k, b->now ^ (unsigned char)(mask >> 8 * k),
                b->undefined, false);
        }
    }
}

/* Of the last asynchronous copy. What is given later to the runtime waits for it where it must; the
 * host's accesses to elements do not. */
static completion_future pending;

static void finish_pending(void)
{
    completion_future_wait(pending);
    completion_future_free(pending);
    pending = NULL;
}

static void copy_step(void)
{
    struct part from, to;
    if (!two_parts(&from, &to))
        return;
    if (chance(3)) {
        amp_copy(from.view, to.view);
    } else {
        completion_future_free(pending);
        pending = amp_copy_async(from.view, to.view);
        if (chance(2))
            finish_pending();
    }
    bool well = good();
    if (well)
        for (int k = 0; k < 4 * to.count; ++k) {
            const struct byte *b = &model[from.slot->object][4 * from.first + k];
            put(to.slot->object, 4 * to.first + k, b->now, b->undefined, false);
        }
}

static void copy_out_step(void)
{
    struct slot *s = used_slot();
    unsigned bytes[ELEMENTS];
    if (!s)
        return;
    struct part p = part_of(s, ELEMENTS);
    amp_copy(p.view, bytes);
    if (!good())
        return;
    for (int i = 0; i < p.count; ++i)
        check_element("copied to the host", s->object, p.first + i, &bytes[i]);
}

static void copy_in_step(void)
{
    struct slot *s = used_slot();
    unsigned bytes[ELEMENTS];
    if (!s)
        return;
    struct part p = part_of(s, ELEMENTS);
    for (int i = 0; i < ELEMENTS; ++i)
        bytes[i] = chance(1u << 31);
    amp_copy((const unsigned *)bytes, p.view);
    if (!good())
        return;
    for (int k = 0; k < 4 * p.count; ++k)
        put(s->object, 4 * p.first + k, ((unsigned char *)bytes)[k], false, false);
}

static void host_step(void)
{
    struct slot *s = used_slot();
    if (!s || s->is_array)
        return;
    finish_pending();
    int at = (int)chance((unsigned)s->count);
    if (chance(2)) {
        unsigned element = *AMPC_READ(unsigned, s->view, at);
        if (good())
            check_element("read on the host", s->object, s->first + at, &element);
        return;
    }
    unsigned element = chance(1u << 31);
    *AMPC_WRITE(unsigned, s->view, at) = element;
    if (good())
        for (int k = 0; k < 4; ++k)
            put(s->object, 4 * (s->first + at) + k, ((unsigned char *)&element)[k], false,
                !s->object);
}

/* The view's elements are in host memory then; false after an error. */
static bool synchronize(struct slot *s)
{
    if (chance(2)) {
        array_view_synchronize(s->view);
    } else {
        completion_future future = array_view_synchronize_async(s->view);
        completion_future_wait(future);
        completion_future_free(future);
    }
    if (!good())
        return false;
    for (int i = s->first; i < s->first + s->count; ++i) {
        check_element("synchronized", 0, i, host + 4 * i);
        for (int k = 0; k < 4; ++k)
            if (!model[0][4 * i + k].undefined)
                put(0, 4 * i + k, host[4 * i + k], false, true);
    }
    return true;
}

static void synchronize_step(void)
{
    struct slot *s = used_slot();
    if (!s || s->object || !synchronize(s) || chance(2))
        return;
    /* The program changes its memory itself. */
    struct part p = part_of(s, ELEMENTS);
    unsigned char before[BYTES];
    memcpy(before, host, BYTES);
    for (int k = 4 * p.first; k < 4 * (p.first + p.count); ++k)
        host[k] = (unsigned char)chance(256);
    array_view_refresh(p.view);
    if (!good()) {
        memcpy(host, before, BYTES);
        return;
    }
    for (int k = 4 * p.first; k < 4 * (p.first + p.count); ++k)
        put(0, k, host[k], false, true);
}

static void discard_step(void)
{
    struct slot *s = used_slot();
    if (!s)
        return;
    struct part p = part_of(s, ELEMENTS);
    array_view_discard_data(p.view);
    if (!good())
        return;
    for (int k = 4 * p.first; k < 4 * (p.first + p.count); ++k)
        put(s->object, k, model[s->object][k].now, true, false);
}

static void queue_step(void)
{
    accelerator a = machine[chance((unsigned)machines)];
    accelerator_view view =
        accelerator_create_view(a, chance(2) ? queuing_mode_immediate : queuing_mode_automatic);
    good();
    completion_future marker = accelerator_view_create_marker(view);
    accelerator_view_flush(accelerator_default_view(a));
    accelerator_view_wait(accelerator_default_view(a));
    completion_future_wait_for(marker, 1);
    completion_future_free(marker);
    accelerator_view_free(view);
    good();
}

static void step(void)
{
    static void (*const steps[])(void) = {
        open_view,     open_view,        open_array, open_over_array, close_slot, add_step,
        add_step,      add_step,         add_step,   take_step,       take_step,  copy_step,
        copy_out_step, copy_in_step,     host_step,  host_step,       host_step,  synchronize_step,
        discard_step,  synchronize_step, queue_step,
    };
    unsigned which = chance(sizeof steps / sizeof *steps);
    if (verbose)
        fprintf(stderr, "step %u\n", which);
    steps[which]();
}

/* Runs a program of so many steps. Sees to it that everything is closed. */
static void run_program(uint64_t seed, int count)
{
    amp_set_error_handler(handler_of_program, NULL);
    chance_state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    accelerator all[ACCELERATORS];
    machines = (int)accelerator_get_all(all, ACCELERATORS);
    for (int i = 0; i < machines; ++i)
        machine[i] = all[i];
    if (!machines)
        return;
    for (int k = 0; k < BYTES; ++k) {
        host[k] = (unsigned char)chance(256);
        put(0, k, host[k], false, true);
    }
    for (int i = 0; i < count; ++i)
        step();
    finish_pending();
    for (int i = 0; i < SLOTS; ++i)
        if (slots[i].count && !slots[i].object && !synchronize(&slots[i]))
            synchronize(&slots[i]);
    for (int i = 0; i < SLOTS; ++i) {
        if (slots[i].count && slots[i].is_array)
            array_free(slots[i].view);
        else if (slots[i].count)
            array_view_close(slots[i].view);
        slots[i].count = 0;
    }
    seen_count = 0;
    for (int i = 0; i < ELEMENTS; ++i)
        check_element("in the end", 0, i, host + 4 * i);
}

#endif
