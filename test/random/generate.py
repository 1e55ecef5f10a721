#!/usr/bin/env python3
"""generate.py SEED...: prints a random program that compares kernels with the host.

For each seed, the program holds functions `restrict(cpu, amp)` that run on the host and in kernels on 64 different inputs:
functions of values; of views; of pointers, to local, tile_static and accelerator memory; and a tiled kernel with barriers. It
prints OK, or for each seed that fails the first results that differ, and exits with 1. The same seed gives the same functions,
whatever the others are. Compiled as plain C with -DPLAIN it runs its host half only, for sanitisers (sanitise.py):

    generate.py 1 | clang -x c -w -DPLAIN -fsanitize=undefined,address -
"""
import argparse
import random
import re

from expressions import Place
from statements import Statements

ITEMS, TILE, ROOTS, HELPERS = 64, 16, 1, 3

HEADER = """\
// generate.py %(options)s
#ifdef PLAIN
#define CLAUSE
#define VIEW1(T) T *
#define VIEW2(T, n) __typeof__(T(*)[n])
#define VIEW3(T, m, n) __typeof__(T(*)[m][n])
#define VECTOR(T, N) typedef T __attribute__((ext_vector_type(N)))
VECTOR(unsigned, 2) uint_2;
VECTOR(unsigned, 3) uint_3;
VECTOR(unsigned, 4) uint_4;
VECTOR(int, 2) index_2;
VECTOR(int, 3) index_3;
VECTOR(int, 4) index_4;
#else
#include <amp.h>
#define CLAUSE restrict(cpu, amp)
#define VIEW1(T) array_view(T, 1)
#define VIEW2(T, n) array_view(T, 2)
#define VIEW3(T, m, n) array_view(T, 3)
#endif
#include <math.h>
#include <stdio.h>
#include <string.h>

enum colour { red = -2, green, blue = 5, grey = 0 };
struct pair { int i; unsigned u; };
struct nest { struct pair p; float f; int a[4]; _Bool b; struct pair q[2]; };
union cell { int i; unsigned u; struct pair p; int a[2]; };
struct input { int i, j; unsigned u, v; float f, g; };
struct output { int i; unsigned u; float f; int e, b; float rounded[2]; };

static const float ftable[8] = {1.5f, -0.0f, 0.0f, -100.125f, 255.875f, 3.0f, 0.125f, -64.0f};
static const double dtable[8] = {0.5, -1.25, 3.0, -0.0, 200.125, -17.0, 8.0, 0.0};
static const struct pair stable[4] = {{1, 2u}, {-5, 4000000000u}, {.u = 7u}};
static const float specials[8] = {__builtin_inff(), -__builtin_inff(), __builtin_nanf(""), -0.0f, 0.0f, 1.0f, -2.5f, 3.0e38f};

"""

TABLES = """\
static const int itable[16] = {%(itable)s};
static const unsigned utable[8] = {%(utable)s};
static const int grid[4][3] = {{%(row)s}, {1, 2, 3}, {-4}, {%(row2)s}};

"""

COMMON = """\
enum { items = %(items)d, tile_size = %(tile)d };
/* What views show, on the host and for kernels. */
struct memory { int a[items][8]; unsigned b[items][8]; unsigned c[items][2][8]; int d[items][2][8]; int e[items][2][2][8]; };
static struct memory there, here;
/* What pointers reach: ints and unsigneds of each work item. */
struct reached { int p[items][8]; unsigned q[items][8]; };
static struct reached far, near[3];
static struct input in[items];
static struct output out[items];
static unsigned mixed[items];

static unsigned results[3][items];

static void fill_memory(void *memory, unsigned long size)
{
    unsigned state = 12345;
    for (unsigned long k = 0; k < size / 4; ++k) {
        state = state * 1664525u + 1013904223u;
        unsigned word = k %% 3 ? state >> 24 : state;
        memcpy((char *)memory + 4 * k, &word, 4);
    }
}

static void fill(unsigned state)
{
    static const int numbers[8] = {0, 1, -1, 7, -100, 2147483647, -2147483647 - 1, 65536};
    for (int k = 0; k < items; ++k) {
        state = state * 1664525u + 1013904223u;
        unsigned a = state >> 8;
        state = state * 1664525u + 1013904223u;
        in[k] = (struct input){k %% 3 ? (int)(a * 521u) : numbers[k %% 8], k %% 2 ? k : numbers[k / 8],
                               state ^ a, k %% 5 ? (unsigned)k : 0xffffffffu, (float)((int)(a %% 4095u) - 2047) / 8.0f,
                               (float)(k - 32)};
    }
}

static int differ(const char *what, int k, const void *got, const void *expected, int words)
{
    for (int w = 0; w < words; ++w) {
        unsigned g, e;
        memcpy(&g, (const char *)got + 4 * w, 4);
        memcpy(&e, (const char *)expected + 4 * w, 4);
        if (g != e) {
            printf("%%s, work item %%d, word %%d: kernel 0x%%08x, host 0x%%08x\\n", what, k, w, g, e);
            return 1;
        }
    }
    return 0;
}

static const char *const memories[3] = {"local memory", "tile_static memory", "accelerator memory"};

"""


def numbers(rng, count, low, high, suffix=""):
    return ", ".join(f"{rng.randrange(low, high)}{suffix}" for _ in range(count))


def rounding(rng, type):
    """Statements with quotients and square roots, which are rounded. One operation in each, so that none is contracted; no NaN
    is compared, because C leaves its bits open."""
    f = "f" if type == "float" else ""
    names, lines = ["p.f", "p.g"], []
    for k in range(4):
        a, b = rng.choice(names), rng.choice(names + [f"7.0{f}", f"-0.3{f}", f"0.0{f}"])
        text = rng.choice(["{a} / {b}", "{a} / {b}", "sqrt{f}({a})", "{a} - {b}"])
        lines.append(f"    {type} {type[0]}{k} = {text.format(a=a, b=b, f=f)};")
        names += [f"{type[0]}{k}"] * 2
    lines.append(f"    o.rounded[{type == 'double':d}] = {type[0]}3 == {type[0]}3 ? (float){type[0]}3 : 0.0f;")
    return "\n".join(lines) + "\n"


def roots(g, rng, seed):
    """Functions from an input to an output, by way of everything generated before."""
    for k in range(ROOTS):
        members = [g.function(f"part{k}_{type}", type, ["i", "i", "u", "u", "f", "f"], rng.randrange(4, 10), 500)
                   for type in ["u", rng.choice("ifeb")]]
        calls = "".join(f"    o.{m.result} = {m.name}(p.i, p.j, p.u, p.v, p.f, p.g);\n" for m in members)
        own = random.Random(f"rounding {seed} {k}")
        yield (f"static struct output root{k}(struct input p) CLAUSE\n{{\n"
               f"    struct output o = {{0}};\n{calls}{rounding(own, 'float')}{rounding(own, 'double')}    return o;\n}}\n")


def plain_launch(k):
    return f"""\
static int run{k}(void)
{{
#ifndef PLAIN
    array_view(const struct input, 1) from = array_view_of(in, items);
    array_view(struct output, 1) to = array_view_of(out, items);
    parallel_for_each(extent_of(to), ^(index_1 i) restrict(amp) {{
        to[i] = root{k}(from[i]);
    }});
    array_view_synchronize(to);
#else
    for (int k = 0; k < items; ++k)
        out[k] = root{k}(in[k]);
#endif
    for (int k = 0; k < items; ++k) {{
        struct output expected = root{k}(in[k]);
        if (differ("root{k}", k, &out[k], &expected, sizeof expected / 4))
            return 1;
    }}
    return 0;
}}
"""


def tiled_launch(g, rng):
    """Rounds of: put a value into tile_static memory, wait, combine a neighbour's; the host does tile by tile."""
    device, host = [], []
    for step in range(rng.randrange(2, 5)):
        mix = rng.choice([f for f in g.functions if f.name.startswith("mix")]).name
        take = rng.choice([f for f in g.functions if f.name.startswith("mix")]).name
        trips, distance = rng.randrange(1, 5), rng.randrange(1, TILE)
        which = rng.choice(["(l + {d}) & 15", "l ^ {d}", "(l * 3 + {d}) & 15"]).format(d=distance)
        skip = rng.random() < 0.3
        wait = rng.choice(["tile_barrier_wait", "tile_barrier_wait_with_tile_static_memory_fence"])
        leave = f"        if (n{step} == 2) continue;\n" if skip else ""
        form = rng.choice(["for", "do"])
        if form == "for":
            opening, closing = f"for (int n{step} = 0; n{step} < {trips}; ++n{step}) {{", "}"
        else:
            opening, closing = f"int n{step} = {trips}; do {{", f"}} while (--n{step} > 0);"
        device.append(
            f"        {opening}\n{leave}"
            f"        shared[l] = {mix}(x, n{step}, {step}u);\n        {wait}(t.barrier);\n"
            f"        x = {take}(x, {step}, shared[{which}]);\n        {wait}(t.barrier);\n        {closing}\n")
        host.append(
            f"        {opening}\n{leave}"
            f"        for (int l = 0; l < tile_size; ++l) shared[l] = {mix}(x[l], n{step}, {step}u);\n"
            f"        for (int l = 0; l < tile_size; ++l) x[l] = {take}(x[l], {step}, shared[{which}]);\n        {closing}\n")
    return f"""\
static int run_tiled(void)
{{
    unsigned expected[items];
    for (int base = 0; base < items; base += tile_size) {{
        unsigned shared[tile_size], *x = expected + base;
        for (int l = 0; l < tile_size; ++l)
            x[l] = in[base + l].u;
{''.join(host)}    }}
#ifndef PLAIN
    array_view(const struct input, 1) from = array_view_of(in, items);
    array_view(unsigned, 1) to = array_view_of(mixed, items);
    parallel_for_each(tile(extent_of(to), tile_size), ^(tiled_index({TILE}) t) restrict(amp) {{
        tile_static unsigned shared[{TILE}];
        int l = t.local;
        unsigned x = from[t.global].u;
{''.join(device)}        to[t.global] = x;
    }});
    array_view_synchronize(to);
#else
    memcpy(mixed, expected, sizeof mixed);
#endif
    for (int k = 0; k < items; ++k)
        if (differ("tiled", k, &mixed[k], &expected[k], 1))
            return 1;
    return 0;
}}
"""


def view_launch(name):
    """One function on parts of views of rank 2 to 4, in a kernel and on the host."""
    opens = "".join(f"    array_view({const}, {rank}) {m} = array_view_of({cast}&MEMORY.{m}{'[0]' * rank}, items, {extents});\n"
                    for m, const, rank, cast, extents in [
                        ("a", "int", 2, "", "8"), ("b", "const unsigned", 2, "(const unsigned *)", "8"), ("c", "unsigned", 3, "", "2, 8"),
                        ("d", "const int", 3, "(const int *)", "2, 8"), ("e", "int", 4, "", "2, 2, 8")])
    return f"""\
static void host_views(void)
{{
#ifndef PLAIN
{opens.replace('MEMORY', 'here')}#else
    struct memory *m = &here;
#define a m->a
#define b m->b
#define c m->c
#define d m->d
#define e m->e
#endif
    for (int k = 0; k < items; ++k)
        results[0][k] = {name}(a[k], b[k], c[k], d[k], e[k], in[k].i, in[k].u);
#ifdef PLAIN
#undef a
#undef b
#undef c
#undef d
#undef e
#endif
}}

static int run_views(void)
{{
    fill_memory(&there, sizeof there);
    fill_memory(&here, sizeof here);
    host_views();
#ifndef PLAIN
    {{
    {opens.replace('MEMORY', 'there')}
        array_view(const struct input, 1) from = array_view_of(in, items);
        array_view(unsigned, 1) to = array_view_of(mixed, items);
        parallel_for_each(extent_of(to), ^(index_1 i) restrict(amp) {{
            to[i] = {name}(a[i], b[i], c[i], d[i], e[i], from[i].i, from[i].u);
        }});
    }}
    for (int k = 0; k < items; ++k)
        if (differ("views' function", k, &mixed[k], &results[0][k], 1))
            return 1;
    if (differ("views", -1, &there, &here, sizeof here / 4))
        return 1;
#endif
    return 0;
}}
"""


def pointer_launch(name):
    """One function on local, tile_static and accelerator memory."""
    return f"""\
static int run_pointers(void)
{{
    static struct reached start;
    fill_memory(&start, sizeof start);
    far = start;
    struct reached expected = start;
    unsigned value[items];
    for (int k = 0; k < items; ++k)
        value[k] = {name}(expected.p[k] + 1, expected.q[k], &expected.p[k][0], in[k].i, in[k].u);
#ifndef PLAIN
    {{
    array_view(int, 2) p = array_view_of(&far.p[0][0], items, 8), p0 = array_view_of(&near[0].p[0][0], items, 8),
                       p1 = array_view_of(&near[1].p[0][0], items, 8);
    array_view(unsigned, 2) q = array_view_of(&far.q[0][0], items, 8), q0 = array_view_of(&near[0].q[0][0], items, 8),
                            q1 = array_view_of(&near[1].q[0][0], items, 8);
    array_view(const struct input, 1) from = array_view_of(in, items);
    array_view(unsigned, 2) to = array_view_of(&results[0][0], 3, items);
    parallel_for_each(tile(extent_of(from), tile_size), ^(tiled_index({TILE}) t) restrict(amp) {{
        tile_static int shared_p[{TILE}][8];
        tile_static unsigned shared_q[{TILE}][8];
        int l = t.local, g = t.global, own_p[8];
        unsigned own_q[8];
        for (int k = 0; k < 8; ++k) {{
            own_p[k] = shared_p[l][k] = p[g][k];
            own_q[k] = shared_q[l][k] = q[g][k];
        }}
        to[0][g] = {name}(own_p + 1, own_q, own_p, from[g].i, from[g].u);
        to[1][g] = {name}(shared_p[l] + 1, shared_q[l], &shared_p[l][0], from[g].i, from[g].u);
        to[2][g] = {name}((int *)&p[g][1], (unsigned *)&q[g][0], (int *)&p[g][0], from[g].i, from[g].u);
        for (int k = 0; k < 8; ++k) {{
            p0[g][k] = own_p[k];
            p1[g][k] = shared_p[l][k];
            q0[g][k] = own_q[k];
            q1[g][k] = shared_q[l][k];
        }}
    }});
    }}
    near[2] = far;
    for (int m = 0; m < 3; ++m) {{
        for (int k = 0; k < items; ++k)
            if (differ(memories[m], k, &results[m][k], &value[k], 1))
                return 1;
        if (differ(memories[m], -1, &near[m], &expected, sizeof expected / 4))
            return 1;
    }}
#endif
    return 0;
}}
"""


OWN_NAMES = re.compile(r"\b(helper\d|mix\d|part\d_\w|root\d|run\d|run_tiled|run_views|run_pointers|host_views|on_views|on_pointers|itable|utable|grid)\b")


def unit(seed):
    """The functions of one seed, and the name of the one that runs them."""
    rng = random.Random(seed)
    g = Statements(rng, True)
    g.globals = [Place("stable", "i", "stable[{0}].i", (4,), False), Place("stable", "u", "stable[{0}].u", (4,), False)]
    text = TABLES % {
        "itable": numbers(rng, 12, -1000, 1000), "utable": numbers(rng, 8, 0, 1 << 32, "u"),
        "row": numbers(rng, 3, -9, 9), "row2": numbers(rng, 2, -99, 99),
    }
    for k in range(HELPERS):
        result = rng.choice(["i", "u", "f", "b", "e", "struct pair", "struct nest", "d"])
        params = [rng.choice(["i", "u", "f", "b", "struct pair", "struct nest", "e", "pi", "si", "su", "sf"])
                  for _ in range(rng.randrange(1, 4))]
        g.function(f"helper{k}", result, params, rng.randrange(3, 8), 150)
    for k in range(2):
        g.function(f"mix{k}", "u", ["u", "i", "u"], rng.randrange(2, 6), 150)
    outer = list(roots(g, rng, seed))
    g.function(f"helper{HELPERS}", "i", [rng.choice(["V1", "S1", "V2"]), rng.choice(["C1", "C2", "i"]), "u"], rng.randrange(2, 5), 150)
    g.function(f"on_views", "u", ["V1", "C1", "V2", "C2", "V3", "i", "u"], rng.randrange(4, 9), 400)
    g.function(f"on_pointers", "u", ["pi", "pu", "si", "i", "u"], rng.randrange(4, 9), 400)
    text += "\n".join(f.text for f in g.functions) + "\n" + "\n".join(outer) + "\n"
    text += "\n".join([plain_launch(k) for k in range(ROOTS)] + [tiled_launch(g, rng), view_launch("on_views"), pointer_launch("on_pointers")])
    runs = " | ".join([f"run{k}()" for k in range(ROOTS)] + ["run_tiled()", "run_views()", "run_pointers()"])
    text += f"\nstatic int all(void)\n{{\n    fill({seed}u);\n    return {runs};\n}}\n"
    return OWN_NAMES.sub(rf"\1_{seed}", text.replace("all(void)", f"seed_{seed}(void)"))


def program(seeds):
    text = HEADER % {"options": " ".join(map(str, seeds))} + COMMON % {"items": ITEMS, "tile": TILE}
    text += "".join(f"/* seed {seed} */\n{unit(seed)}\n" for seed in seeds)
    calls = "".join(f"    if (seed_{seed}())\n        bad = 1, printf(\"seed {seed} fails\\n\");\n" for seed in seeds)
    return text + f"""
int main(void)
{{
    int bad = 0;
    setbuf(stdout, NULL);
{calls}    if (!bad)
        puts("OK");
    return bad;
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", type=int, nargs="+", metavar="SEED")
    print(program(parser.parse_args().seeds), end="")


if __name__ == "__main__":
    main()
