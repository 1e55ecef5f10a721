#!/usr/bin/env python3
"""Checks the messages for typical mistakes, and that the mended programs compile.

usage: mistakes.py AMPCC FOLDER
"""
import glob
import os
import subprocess
import sys


def check(ampcc, name):
    return subprocess.run([ampcc, "-fsyntax-only", "-fno-caret-diagnostics", name], capture_output=True, text=True)


def main():
    ampcc, folder = sys.argv[1:]
    os.chdir(folder)
    names = sorted(n[: -len(".txt")] for n in glob.glob("*.txt"))
    bad = len(names) != 20
    if bad:
        print(f"{len(names)} mistakes, not 20")
    for name in names:
        with open(name + ".txt") as f:
            expected = f.read()
        wrong = check(ampcc, name + ".ampc")
        if wrong.returncode != 1 or wrong.stderr != expected:
            print(f"{name}: expected\n{expected}but got (exit {wrong.returncode})\n{wrong.stderr}")
            bad = True
        fixed = check(ampcc, name + ".fixed.ampc")
        if fixed.returncode != 0 or fixed.stderr:
            print(f"{name}.fixed.ampc: exit {fixed.returncode}\n{fixed.stderr}")
            bad = True
    sys.exit(bad)


main()
