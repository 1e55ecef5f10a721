#!/usr/bin/env python3
"""run.py [options] FIRST LAST: compiles and runs the random programs of these seeds; prints the ones that fail.

Host compiler (gcc, clang-19) and -O0, -O2 alternate from seed to seed. Exits with 1 when a program failed, and keeps its
source in the folder --keep names.
"""
import argparse
import os
import subprocess
import sys
import tempfile

import generate

COMPILERS = ["gcc", "clang-19"]
LEVELS = ["-O0", "-O2"]


def attempt(command, limit):
    """Empty if the command succeeds; else what it said."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit)
    except subprocess.TimeoutExpired:
        return f"still running after {limit} s"
    text = done.stdout.decode(errors="replace")
    if done.returncode == 0 and "error" not in text:
        return ""
    return f"exit status {done.returncode}: {text.strip()[:2000] or '(no output)'}"


def check(seed, options, folder):
    source, binary = os.path.join(folder, f"seed{seed}.ampc"), os.path.join(folder, f"seed{seed}")
    with open(source, "w") as file:
        file.write(generate.program(seed))
    command = [options.ampcc, "-w", f"--cc={COMPILERS[seed % 2]}", LEVELS[seed // 2 % 2], source, "-o", binary]
    failure = attempt(command, 120)
    what = "compile"
    if not failure:
        what = "run"
        failure = attempt(options.run.split() + [binary], 120)
    if os.path.exists(binary):
        os.remove(binary)
    if failure:
        print(f"seed {seed}: {what}: {failure}\n    {' '.join(command)}", flush=True)
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
            os.replace(source, os.path.join(options.keep, os.path.basename(source)))
    return not failure


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--ampcc", default="ampcc")
    parser.add_argument("--run", default="", help="a command that runs a program")
    parser.add_argument("--keep", help="folder for the sources of failing programs")
    options = parser.parse_args()
    seeds = range(options.first, options.last + 1)
    with tempfile.TemporaryDirectory(prefix="ampc-random-") as folder:
        failed = [seed for seed in seeds if not check(seed, options, folder)]
    print(f"{len(seeds) - len(failed)} of {len(seeds)} random programs agree")
    if failed:
        print("failing seeds:", *failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
