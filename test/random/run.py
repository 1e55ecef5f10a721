#!/usr/bin/env python3
"""run.py [options] FIRST LAST: compiles and runs the random programs of these seeds; prints the ones that fail.

Some seeds share a program (--batch), so that starting compilers and devices costs little. Host compiler (gcc, clang-19) and -O0,
-O2 alternate from program to program. Every accelerator of --accelerators runs every program. Exits with 1 when a seed failed,
and says how to get that seed alone.
"""
import argparse
import os
import subprocess
import sys
import tempfile

import generate

COMPILERS = ["gcc", "clang-19"]
LEVELS = ["-O0", "-O2"]
HERE = os.path.dirname(os.path.abspath(__file__))


def attempt(command, limit, accelerator=None):
    """Empty if the command succeeds; else what it said."""
    environment = dict(os.environ, **({"AMPC_ACCELERATOR": accelerator} if accelerator else {}))
    # llvmpipe's optimiser takes half of the time of a run on it, and is not what these programs test.
    environment.setdefault("GALLIVM_PERF", "nopt")
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit, env=environment)
    except subprocess.TimeoutExpired:
        return f"still running after {limit} s"
    text = done.stdout.decode(errors="replace")
    if done.returncode == 0 and "error" not in text:
        return ""
    return f"exit status {done.returncode}: {text.strip()[:2000] or '(no output)'}"


def check(seeds, options, folder):
    """Runs one program; gives the seeds that failed. A program with several that fails is taken apart."""
    number = seeds[0] // options.batch
    source, binary = os.path.join(folder, f"seed{seeds[0]}.ampc"), os.path.join(folder, f"seed{seeds[0]}")
    with open(source, "w") as file:
        file.write(generate.program(seeds))
    command = [options.ampcc, "-w", f"--cc={COMPILERS[number % 2]}", LEVELS[number // 2 % 2], source, "-o", binary]
    what, failure = "compile", attempt(command, options.limit)
    for accelerator in options.accelerators.split(",") if not failure else []:
        what = f"run on {accelerator}"
        failure = failure or attempt(options.run.split() + [binary], options.limit, accelerator)
        if failure:
            break
    if os.path.exists(binary):
        os.remove(binary)
    if not failure:
        return []
    if len(seeds) > 1:
        return [s for seed in seeds for s in check([seed], options, folder)] or list(seeds)
    print(f"seed {seeds[0]}: {what}: {failure}\n    reproduce: {HERE}/generate.py {seeds[0]} > seed{seeds[0]}.ampc; {' '.join(command)}",
          flush=True)
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        os.replace(source, os.path.join(options.keep, os.path.basename(source)))
    return list(seeds)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--ampcc", default="ampcc")
    parser.add_argument("--run", default="", help="a command that runs a program")
    parser.add_argument("--accelerators", default="vulkan", help="AMPC_ACCELERATOR for each run, with commas")
    parser.add_argument("--batch", type=int, default=10, help="seeds in one program")
    parser.add_argument("--limit", type=int, default=300, help="seconds for one compilation or run")
    parser.add_argument("--keep", help="folder for the sources of failing programs")
    options = parser.parse_args()
    seeds = range(options.first, options.last + 1)
    failed = []
    with tempfile.TemporaryDirectory(prefix="ampc-random-") as folder:
        for k in range(0, len(seeds), options.batch):
            failed += check(list(seeds[k:k + options.batch]), options, folder)
    print(f"{len(seeds) - len(failed)} of {len(seeds)} random programs agree")
    if failed:
        print("failing seeds:", *failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
