#!/usr/bin/env python3
"""Times ampcc without the host compiler's part (--emit-c) against clang-19 -fsyntax-only on the same files.

usage: compile_time.py AMPCC [FILE.ampc...]       default: three samples

Runs the two in turn and prints the medians, their ratio, and ampcc's peak memory. To reach: 0.15 s, ratio 3, 250 MB, with
a release build of ampcc.
"""
import os
import statistics
import subprocess
import sys
import time

RUNS = 15
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DEFAULT_FILES = [os.path.join(ROOT, "samples", name + ".ampc") for name in ("vector_add", "matmul", "mandelbrot")]


def measure(command):
    """Seconds and peak resident memory in MB of one run."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"exit {child.returncode}: {' '.join(command)}")
    return seconds, usage.ru_maxrss / 1024


def main(ampcc, files):
    print(f"{'file':24} {'ampcc s':>9} {'clang s':>9} {'ratio':>7} {'ampcc MB':>9}")
    for file in files:
        ours = [ampcc, "--emit-c", file, "-o", os.devnull]
        clang = ["clang-19", "-x", "c", "-std=gnu17", "-fblocks", "-D__AMPC__", "-Wno-gcc-compat"]
        clang += ["-Wno-incompatible-pointer-types-discards-qualifiers", "-I", os.path.join(ROOT, "include")]
        clang += ["-fsyntax-only", file]
        measure(ours), measure(clang)  # warm the caches
        pairs = [(measure(ours), measure(clang)) for _ in range(RUNS)]
        our_median = statistics.median(o[0] for o, _ in pairs)
        clang_median = statistics.median(c[0] for _, c in pairs)
        memory = max(o[1] for o, _ in pairs)
        name = os.path.basename(file)
        print(f"{name:24} {our_median:9.3f} {clang_median:9.3f} {our_median / clang_median:7.2f} {memory:9.0f}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:] or DEFAULT_FILES)
