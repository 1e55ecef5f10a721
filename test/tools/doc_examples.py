#!/usr/bin/env python3
"""doc_examples.py AMPCC DIRECTORY FILE.md...: compiles and runs the complete programs of the documents.

A program is a fenced block marked "c program"; a block marked "output" that follows it is what it must print. Stays quiet
unless something differs; a file without programs is an error, so that a changed mark does not hide them.
"""
import os
import re
import subprocess
import sys

BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.S | re.M)


def programs(text):
    """Yields (line, program, expected output or None)."""
    blocks = list(BLOCK.finditer(text))
    for i, block in enumerate(blocks):
        if block.group(1) != "c program":
            continue
        following = blocks[i + 1] if i + 1 < len(blocks) else None
        expected = following.group(2) if following and following.group(1) == "output" else None
        yield text.count("\n", 0, block.start()) + 2, block.group(2), expected


def check(ampcc, directory, file):
    failures, count = 0, 0
    for line, program, expected in programs(open(file).read()):
        count += 1
        source = os.path.join(directory, f"{os.path.basename(file)}.{line}.ampc")
        with open(source, "w") as out:
            out.write(program)
        binary = source[: -len(".ampc")]
        runner = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run_validated.py")
        for command in (
            [ampcc, "-Wall", "-Werror", source, "-o", binary, "-lm"],
            [sys.executable, runner, binary],
        ):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                print(f"{file}:{line}: exit {done.returncode} of {' '.join(command)}\n{done.stdout}{done.stderr}")
                failures += 1
                break
        else:
            if expected is not None and done.stdout != expected:
                print(f"{file}:{line}: prints\n{done.stdout}and not\n{expected}")
                failures += 1
    if count == 0:
        print(f"{file}: no program found")
        failures += 1
    return failures


if __name__ == "__main__":
    ampcc, directory, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    os.makedirs(directory, exist_ok=True)
    sys.exit(sum(check(ampcc, directory, file) for file in files) != 0)
