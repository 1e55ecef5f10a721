#!/usr/bin/env python3
"""generate.py SEED [--no-vectors]: prints a random program that compares a kernel with the host.

The program holds functions `restrict(cpu, amp)` that run on the host and in kernels (one untiled; one tiled, with
barriers) on 64 different inputs. It prints OK, or the first results that differ, and exits with 1. The same seed gives
the same program. Compiled as plain C with -DPLAIN it runs its host half only, for sanitisers:

    generate.py 1 --no-vectors | clang -x c -w -DPLAIN -fsanitize=undefined,address -
"""
import argparse
import random

from expressions import Place
from statements import Statements

ITEMS, TILE, ROOTS, HELPERS = 64, 16, 2, 3

HEADER = """\
// generate.py %(options)s
#ifdef PLAIN
#define CLAUSE
#else
#include <amp.h>
#define CLAUSE restrict(cpu, amp)
#endif
#include <stdio.h>
#include <string.h>

enum colour { red = -2, green, blue = 5, grey = 0 };
struct pair { int i; unsigned u; };
struct nest { struct pair p; float f; int a[4]; _Bool b; struct pair q[2]; };
struct input { int i, j; unsigned u, v; float f, g; };
struct output { int i; unsigned u; float f; int e, b; };

static const int itable[16] = {%(itable)s};
static const unsigned utable[8] = {%(utable)s};
static const int grid[4][3] = {{%(row)s}, {1, 2, 3}, {-4}, {%(row2)s}};
static const float ftable[8] = {1.5f, -0.0f, 0.0f, -100.125f, 255.875f, 3.0f, 0.125f, -64.0f};
static const double dtable[8] = {0.5, -1.25, 3.0, -0.0, 200.125, -17.0, 8.0, 0.0};
static const struct pair stable[4] = {{1, 2u}, {-5, 4000000000u}, {.u = 7u}};
static const float specials[8] = {__builtin_inff(), -__builtin_inff(), __builtin_nanf(""), -0.0f, 0.0f, 1.0f, -2.5f, 3.0e38f};

"""

MAIN = """\
enum { items = %(items)d, tile_size = %(tile)d };
static struct input in[items];
static struct output out[items];
static unsigned mixed[items];

static void fill(void)
{
    static const int numbers[8] = {0, 1, -1, 7, -100, 2147483647, -2147483647 - 1, 65536};
    unsigned state = %(seed)du;
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

"""


def numbers(rng, count, low, high, suffix=""):
    return ", ".join(f"{rng.randrange(low, high)}{suffix}" for _ in range(count))


def roots(g, rng):
    """Functions from an input to an output, by way of everything generated before."""
    for k in range(ROOTS):
        members = [g.function(f"part{k}_{type}", type, ["i", "i", "u", "u", "f", "f"], rng.randrange(4, 10), 500)
                   for type in ["u", rng.choice("ifeb")]]
        calls = "".join(f"    o.{m.result} = {m.name}(p.i, p.j, p.u, p.v, p.f, p.g);\n" for m in members)
        yield (f"static struct output root{k}(struct input p) CLAUSE\n{{\n"
               f"    struct output o = {{0}};\n{calls}    return o;\n}}\n")


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


def program(seed, vectors=True):
    rng = random.Random(seed)
    g = Statements(rng, vectors)
    g.globals = [Place("stable", "i", "stable[{0}].i", (4,), False), Place("stable", "u", "stable[{0}].u", (4,), False)]
    text = HEADER % {
        "options": f"{seed}" + ("" if vectors else " --no-vectors"),
        "itable": numbers(rng, 12, -1000, 1000), "utable": numbers(rng, 8, 0, 1 << 32, "u"),
        "row": numbers(rng, 3, -9, 9), "row2": numbers(rng, 2, -99, 99),
    }
    for k in range(HELPERS):
        result = rng.choice(["i", "u", "f", "b", "e", "struct pair", "struct nest", "d"])
        params = [rng.choice(["i", "u", "f", "b", "struct pair", "struct nest", "e"]) for _ in range(rng.randrange(1, 4))]
        g.function(f"helper{k}", result, params, rng.randrange(3, 8), 150)
    for k in range(2):
        g.function(f"mix{k}", "u", ["u", "i", "u"], rng.randrange(2, 6), 150)
    outer = list(roots(g, rng))
    text += "\n".join(f.text for f in g.functions) + "\n" + "\n".join(outer) + "\n"
    text += MAIN % {"items": ITEMS, "tile": TILE, "seed": seed}
    text += "\n".join(plain_launch(k) for k in range(ROOTS)) + "\n" + tiled_launch(g, rng)
    runs = " | ".join([f"run{k}()" for k in range(ROOTS)] + ["run_tiled()"])
    return text + f"""
int main(void)
{{
    fill();
    int bad = {runs};
    if (!bad)
        puts("OK");
    return bad;
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("--no-vectors", action="store_true", help="no short vectors: plain gcc takes it with -DPLAIN")
    options = parser.parse_args()
    print(program(options.seed, not options.no_vectors), end="")


if __name__ == "__main__":
    main()
