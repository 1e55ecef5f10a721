"""Runs the pieces of test/kir/verifier.test: kir_breaches.py AMPCC WORK_DIRECTORY FILE

Each piece has to be refused with one error: the message of its `// breach: MESSAGE` comment, at that line. Fails, too,
when a message of compiler/kir/verifier is in no piece.
"""
import glob
import os
import re
import subprocess
import sys

# Pieces that begin with "#--- body" stand here.
BEFORE = """\
struct pair size 8 align 4 { a: int @0, b: float @4 }
func @one(%x: int) -> int inline {
  return %x
}
func @nothing() -> void inline {
}
kernel @k domain rank 1 in @f symbol s {
  capture %v: view<int, 1>
  capture %c: view<const int, 1>
  capture %m: view<int, 2>
  capture %n: int
  capture %x: float
  capture %b: bool
  capture %two: int_2
  capture %narrow: int8
  capture %p: struct pair
  index %i
"""
AFTER = "}\n"

# The reader makes well-formed nodes, and refuses the rest itself: these are there for KIR that a pass has made.
FROM_PASSES_ONLY = {
    "report that the module's table does not have",
    "report of other values than the module's table says",
    "missing place",
    "missing operand",
    "missing statement",
    "node with more than one parent",
    "no type",
    "reference of another type than its variable",
    "address of another type",
    "distance that is no int64",
    "comparison that is no bool",
    "result of another type",
    "lanes of no vector",
    "wrong number of lanes",
    "lanes of another type",
    "call of a function that does not stand before its caller",
    "extent that is no int",
    "section of another type than its view",
    "projection of another type",
    "no such member",
    "element of no array or vector",
    "element of no view",
    "load of another type",
    "construction from no field of a union",
    "integer constant wider than its type",
    "floating constant wider than its type",
    "bool constant of another type",
    "declaration of no local variable",
    "do loop with a step",
    "case without a value",
    "integer of a width that there is not",
    "floating-point type of a width that there is not",
    "vector of no 2 to 4 scalars",
    "global of another storage class",
    "parameter of another storage",
    "index of another storage",
    "capture of another storage",
    "variable with two declarations",
    "two functions of one name",
    "two kernels of one name",
}

ampcc, work, path = sys.argv[1:]


def messages():
    """The verifier's, from its source: what has at least two words and is no part of another message."""
    found = set()
    folder = os.path.join(os.path.dirname(path), "..", "..", "compiler", "kir", "verifier")
    for name in glob.glob(os.path.join(folder, "*.cpp")) + glob.glob(os.path.join(folder, "*.h")):
        with open(name, encoding="utf-8") as file:
            text = re.sub(r"//[^\n]*|#include[^\n]*", "", file.read())
        for literals in re.findall(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', text):
            message = re.sub(r'"\s*"', "", literals)[1:-1]
            if re.fullmatch(r"[\w-]+( [\w,-]+(?:'s)?)+", message):
                found.add(message)
    return found


def pieces():
    with open(path, encoding="utf-8") as file:
        parts = re.split(r"^#--- (body|text)\n", file.read(), flags=re.M)
    for kind, text in zip(parts[1::2], parts[2::2]):
        text = re.sub(r"\n\n.*", "\n", text, flags=re.S)  # the next chapter's name
        yield BEFORE + text + AFTER if kind == "body" else text


failures = 0
tested = set()
all_pieces = list(pieces())
for number, text in enumerate(all_pieces):
    (line, where, wanted), = [
        (i, m[1], m[2]) for i, l in enumerate(text.splitlines(), 1) if (m := re.search(r"// (\w[\w ]*): (.*)", l))
    ]
    if where == "breach in kernel":  # found last of all; the kernel is to blame
        line = 1 + text[: text.index("kernel @k")].count("\n")
    if where.startswith("breach"):
        tested.add(wanted.partition(": '")[0])
        wanted = rf"(kernel|function|global) '\w+': {re.escape(wanted)}"
    else:
        wanted = re.escape(wanted)
    name = os.path.join(work, f"{number}.kir")
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    result = subprocess.run([ampcc, "-fsyntax-only", name], capture_output=True, text=True, timeout=60)
    pattern = rf"{re.escape(name)}:{line}:\d+: error: {wanted}\n"
    if result.returncode != 1 or not re.fullmatch(pattern, result.stderr):
        failures += 1
        print(f"FAILED: {pattern}\n  exit code {result.returncode}: {result.stderr}{text}")

known = messages()
for what, which in [
    ("no test", known - tested - FROM_PASSES_ONLY),
    ("a test, and is called one from passes only", tested & FROM_PASSES_ONLY),
    ("no place in the verifier", tested - known),
]:
    for message in sorted(which):
        failures += 1
        print(f"'{message}' has {what}")
print(f"{len(all_pieces)} pieces, {len(known)} messages, {failures} failures")
sys.exit(failures != 0)
