#!/usr/bin/env python3
"""sanitise.py FIRST LAST: runs the host half of the random programs of these seeds under -fsanitize=undefined,address.

What the generator writes must have no undefined behaviour: else a difference between host and kernel would mean nothing.
"""
import argparse
import os
import subprocess
import sys
import tempfile

import generate

BATCH = 20


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    options = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory(prefix="ampc-sanitise-") as folder:
        source, binary = os.path.join(folder, "s.c"), os.path.join(folder, "s")
        for first in range(options.first, options.last + 1, BATCH):
            seeds = list(range(first, min(first + BATCH, options.last + 1)))
            with open(source, "w") as file:
                file.write(generate.program(seeds))
            command = ["clang-19", "-w", "-g", "-DPLAIN", "-fsanitize=undefined,address", source, "-o", binary, "-lm"]
            subprocess.run(command, check=True)
            done = subprocess.run([binary], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            text = done.stdout.decode(errors="replace")
            if done.returncode or text != "OK\n":
                bad += 1
                print(f"seeds {seeds[0]} to {seeds[-1]}: {text[:2000]}", flush=True)
    print("no undefined behaviour" if not bad else f"{bad} programs with undefined behaviour")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
