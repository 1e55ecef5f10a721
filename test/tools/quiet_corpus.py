#!/usr/bin/env python3
"""Checks that programs which ampcc accepts give no warning under -Wall.

usage: quiet_corpus.py AMPCC FOLDER...
All .ampc files of the folders, but those that are written to be refused (their RUN lines begin with %not).
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys


def program(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read()
    refused = re.search(r"RUN: .*%not %ampcc", text)
    options = re.findall(r"(?:-famp-extensions=|--accelerators=|-include |-I ?|-D)\S+", " ".join(re.findall(r"RUN:.*%ampcc.*", text)))
    return None if refused else [word for option in options for word in option.split()]


def check(ampcc, path, options):
    options = [o.replace("%S", os.path.dirname(path)) for o in options]
    run = subprocess.run([ampcc, "-fsyntax-only", "-Wall", *options, path], capture_output=True, text=True)
    return path, run.returncode, run.stderr


def main():
    ampcc, *folders = sys.argv[1:]
    paths = [p for folder in folders for p in sorted(glob.glob(os.path.join(folder, "**", "*.ampc"), recursive=True))]
    programs = [(p, program(p)) for p in paths if os.sep + "Inputs" + os.sep not in p]
    bad = len(programs) < 15
    if bad:
        print(f"only {len(programs)} programs")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, code, text in pool.map(lambda p: check(ampcc, *p), [p for p in programs if p[1] is not None]):
            if code or text:
                print(f"{path}: exit {code}\n{text}")
                bad = True
    sys.exit(bad)


main()
