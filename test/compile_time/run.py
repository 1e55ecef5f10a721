#!/usr/bin/env python3
"""run.py AMPCC [--sizes N,N...] [--shapes NAME,NAME...]: does compile time grow linearly with the size of a kernel?

Compiles kernels of many statements (shapes.py) with -fsyntax-only, which runs every phase of ampcc but the host compiler, and
prints user CPU seconds (the least of --repeat runs) and peak memory. A shape fails when doubling it takes more than 2.3 times as
long. Times below 0.5 s are not judged. With --limit S, the largest size may take S seconds; 10,000 statements are to take at
most 5 s and 1 GB with a release build.
"""
import argparse
import os
import subprocess
import sys
import tempfile

import shapes

RATIO, NOISE, MEGABYTES = 2.3, 0.5, 1024


def measure(ampcc, text, repeat):
    """(seconds, megabytes) of the fastest run."""
    results = []
    with tempfile.NamedTemporaryFile("w", suffix=".ampc") as file:
        file.write(text)
        file.flush()
        for _ in range(repeat):
            child = subprocess.Popen([ampcc, "-w", "-fsyntax-only", file.name])
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode:
                sys.exit(f"{ampcc} failed")
            results.append((usage.ru_utime, usage.ru_maxrss / 1024))
    return min(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ampcc")
    parser.add_argument("--sizes", default="2500,5000,10000,20000")
    parser.add_argument("--shapes", default=",".join(s.__name__ for s in shapes.SHAPES))
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--limit", type=float, help="seconds for the largest size")
    parser.add_argument("--kernels", type=int, default=200, help="kernels in one file")
    options = parser.parse_args()
    failed = []
    for name in options.shapes.split(","):
        before = None
        for size in map(int, options.sizes.split(",")):
            seconds, megabytes = measure(options.ampcc, shapes.program(getattr(shapes, name), size), options.repeat)
            ratio = seconds / before if before else 0
            print(f"{name:12} {size:6} {seconds:7.2f} s {ratio:5.2f} {megabytes:6.0f} MB", flush=True)
            if ratio > RATIO and seconds > NOISE or megabytes > MEGABYTES:
                failed.append(f"{name} {size}")
            before = seconds
        if options.limit and before > options.limit:
            failed.append(f"{name}: more than {options.limit} s")
    seconds, _ = measure(options.ampcc, shapes.many_kernels(options.kernels), options.repeat)
    print(f"{options.kernels} kernels: {seconds:.2f} s")
    print("failed: " + ", ".join(failed) if failed else "grows linearly")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
