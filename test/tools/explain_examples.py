#!/usr/bin/env python3
"""Checks `ampcc --explain all`: every right example compiles, every wrong one breaks just its rule.

usage: explain_examples.py AMPCC LANGUAGE.MD FOLDER
The rules' table in LANGUAGE.MD must have a row for each rule, too, which begins with the rule's own words.
"""
import os
import re
import subprocess
import sys


def rules(ampcc):
    """Yields (id, name, text, wrong, right)."""
    text = subprocess.run([ampcc, "--explain", "all"], check=True, capture_output=True, text=True).stdout
    heads = list(re.finditer(r"^(\w+) ([\w-]+) \(C\+\+ AMP v1\.2, .*\)$", text, re.M))
    for head, after in zip(heads, heads[1:] + [None]):
        body = text[head.end() : after.start() if after else len(text)]
        parts = re.fullmatch(r"\n\n(\S.*)\n\nWrong:\n((?:    .*\n|\n)+?)\nRight:\n((?:    .*\n|\n)+)", body)
        if not parts:
            sys.exit(f"{head.group(1)}: no explanation with a wrong and a right example")
        yield head.group(1), head.group(2), *parts.groups()


def errors(ampcc, path, program):
    with open(path, "w") as f:
        f.write("#include <amp.h>\n" + re.sub(r"^    ", "", program, flags=re.M))
    result = subprocess.run([ampcc, "-fsyntax-only", path], capture_output=True, text=True)
    found = re.findall(r"error: .*", result.stderr)
    return found, result


def main():
    ampcc, language, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    bad = 0
    seen = {}
    for rule, name, text, wrong, right in rules(ampcc):
        seen[rule] = re.sub(r"(?<!\w)'([^']+)'(?!\w)", r"`\1`", text)
        found, result = errors(ampcc, os.path.join(folder, rule + ".wrong.ampc"), wrong)
        if result.returncode != 1 or len(found) != 1 or f"[{rule} {name}]" not in found[0]:
            print(f"{rule}: the wrong example should give one error [{rule} {name}], but gives\n{result.stderr}")
            bad += 1
        found, result = errors(ampcc, os.path.join(folder, rule + ".right.ampc"), right)
        if result.returncode != 0:
            print(f"{rule}: the right example should compile, but gives\n{result.stderr}")
            bad += 1
    if len(seen) < 30:
        sys.exit(f"only {len(seen)} rules")
    with open(language) as f:
        rows = dict(re.findall(r"^\| ([A-Z]\d+) \| (.*) \|$", f.read(), re.M))
    # B2 defines a term of B1.
    for rule in sorted(set(seen) ^ (set(rows) - {"B2"})):
        print(f"{rule}: not both in the compiler's table and in {language}")
        bad += 1
    for rule in set(seen) & set(rows):
        if not rows[rule].startswith(seen[rule]):
            print(f"{rule}: the compiler says\n{seen[rule]}\n{language} has\n{rows[rule]}")
            bad += 1
    sys.exit(bad != 0)


main()
