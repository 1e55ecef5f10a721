#!/usr/bin/env python3
"""Times ampcc: translation alone against clang-19 -fsyntax-only, and a whole compilation against the host compiler's part.

usage: compile_time.py [--whole] AMPCC [FILE.ampc...]       default: three samples

For each file, medians of alternating runs. Seconds of --emit-c and of clang-19 -fsyntax-only on the same file, their ratio, ampcc's
peak memory (to reach: 0.15 s, ratio 3, 250 MB). Then CPU seconds of `ampcc -O2 -c` for both accelerators and of the host compiler on
the emitted C alone, and the first less 0.15 s over the second (to reach: 1.5). With a release build of ampcc. --whole measures
whole compilations only, RUNS times, and fails where the ratio is above 1.5.
"""
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = int(os.environ.get("RUNS", "15"))
MOST = 1.5
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DEFAULT_FILES = [os.path.join(ROOT, "samples", name + ".ampc") for name in ("vector_add", "matmul", "mandelbrot")]
OVERHEAD = 0.15


def measure(command):
    """Wall and CPU seconds, and peak resident memory in MB, of one run."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"exit {child.returncode}: {' '.join(command)}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def alternating(ours, theirs, column):
    """Medians of a column of what the two commands' runs measured, and all runs of the first."""
    measure(ours), measure(theirs)  # warm the caches
    pairs = [(measure(ours), measure(theirs)) for _ in range(RUNS)]
    return (statistics.median(o[column] for o, _ in pairs), statistics.median(t[column] for _, t in pairs),
            [o for o, _ in pairs])


def translation(ampcc, file):
    clang = ["clang-19", "-x", "c", "-std=gnu17", "-fblocks", "-D__AMPC__", "-Wno-gcc-compat"]
    clang += ["-Wno-incompatible-pointer-types-discards-qualifiers", "-I", os.path.join(ROOT, "include")]
    clang += ["-fsyntax-only", file]
    ours, theirs, runs = alternating([ampcc, "--emit-c", file, "-o", os.devnull], clang, 0)
    return ours, theirs, max(r[2] for r in runs)


def whole(ampcc, file, folder):
    """ampcc and its host compiler, the latter as ampcc calls it."""
    ours = [ampcc, "-O2", "-w", "-c", file, "-o", os.path.join(folder, "a.o")]
    shown = subprocess.run(ours + ["-###"], capture_output=True, text=True, check=True).stderr
    host = shlex.split([line for line in shown.splitlines() if "-idirafter" in line][-1])
    text = os.path.join(folder, "a.c")
    subprocess.run([ampcc, "-O2", "-w", "--emit-c", file, "-o", text], check=True)
    host[-1] = text  # ampcc's own is gone
    return alternating(ours, host, 1)[:2]


def main(ampcc, files):
    print(f"{'file':24} {'ampcc s':>9} {'clang s':>9} {'ratio':>7} {'ampcc MB':>9} {'-O2 -c s':>9} {'host s':>9} {'ratio':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            ours, clang, memory = translation(ampcc, file)
            both, host = whole(ampcc, file, folder)
            print(f"{os.path.basename(file):24} {ours:9.3f} {clang:9.3f} {ours / clang:7.2f} {memory:9.0f} "
                  f"{both:9.3f} {host:9.3f} {(both - OVERHEAD) / host:7.2f}", flush=True)


def main_whole(ampcc, files):
    slow = []
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            both, host = whole(ampcc, file, folder)
            ratio = (both - OVERHEAD) / host
            print(f"{os.path.basename(file):24} ampcc {both:.3f} s, host compiler {host:.3f} s, ratio {ratio:.2f}", flush=True)
            slow += [file] if ratio > MOST else []
    sys.exit(f"above {MOST}: {', '.join(slow)}" if slow else 0)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    run = main
    if arguments[:1] == ["--whole"]:
        arguments.pop(0)
        run = main_whole
    if not arguments:
        sys.exit(__doc__)
    run(arguments[0], arguments[1:] or DEFAULT_FILES)
