#!/usr/bin/env python3
"""Checks that the tests of each restriction rule cover its boundary.

usage: rule_rows.py AMPCC FOLDER

For each rule that `ampcc --explain all` lists, FOLDER has one file ID-....ampc with the parts
  good.ampc    programs that the rule allows, compiled by a RUN line;
  bad.ampc     programs that it refuses, each error checked with its line and the rule's tag;
  callee.ampc  a refusal in a function that a kernel calls, checked by -verify, notes included;
  nested.ampc  a refusal of what lies deeper in a type, checked by -verify;
or, instead of one of the last two, a line "// No callee case: WHY." or "// No nested case: WHY."
"""
import glob
import os
import re
import subprocess
import sys


def parts(text):
    """{"": what precedes the first part, "good.ampc": its text, ...}"""
    pieces = re.split(r"^//--- (\S+)\n", text, flags=re.M)
    return {"": pieces[0], **dict(zip(pieces[1::2], pieces[2::2]))}


def faults(folder, rule, name):
    tag = f"[{rule} {name}]"
    files = glob.glob(os.path.join(folder, rule + "-*.ampc"))
    if len(files) != 1:
        yield f"{len(files)} test files"
        return
    with open(files[0]) as f:
        part = parts(f.read())
    head = part[""]
    if "good.ampc" not in part or not re.search(r"^// RUN: %ampcc .*%t/good\.ampc", head, re.M):
        yield "nothing that is allowed is compiled"
    refused = [l for l in part.get("bad.ampc", "").splitlines() if "CHECK" in l and "error:" in l and tag in l]
    if not refused or not re.search(r"^// RUN: %not %ampcc .*%t/bad\.ampc.*FileCheck --implicit-check-not=error:", head, re.M):
        yield "nothing that is refused is checked"
    if any("@LINE" not in l and ":[[#" not in l and not re.search(r":\d+:", l) for l in refused):
        yield "a refusal is checked without its line"
    for kind in ("callee", "nested"):
        excuse = re.search(rf"^// No {kind} case: .{{20,}}\.$", head, re.M)
        text = part.get(kind + ".ampc")
        if (text is None) == (excuse is None):
            yield f"needs a {kind} case, or the reason why there is none, and not both"
        if text is None:
            continue
        if f"// RUN: %ampcc -verify %t/{kind}.ampc" not in head:
            yield f"the {kind} case is not run"
        if "expected-error" not in text:
            yield f"the {kind} case expects no error"
        if kind == "callee" and ("expected-note" not in text or "parallel_for_each" not in text):
            yield "the callee case has no kernel that leads to the fault, or no note that says so"


def main():
    ampcc, folder = sys.argv[1:]
    text = subprocess.run([ampcc, "--explain", "all"], check=True, capture_output=True, text=True).stdout
    rules = re.findall(r"^(\w+) ([\w-]+) \(C\+\+ AMP v1\.2.*\)$", text, re.M)
    bad = len(rules) < 36
    if bad:
        print(f"only {len(rules)} rules")
    for rule, name in rules:
        for fault in faults(folder, rule, name):
            print(f"{rule} {name}: {fault}")
            bad = True
    sys.exit(bad)


main()
