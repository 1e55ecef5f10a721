"""Reads back the KIR of AMP-C files: kir_roundtrip.py AMPCC WORK_DIRECTORY SHARE FOLDER...

For every .ampc file in the folders that has kernels (SHARE "1/2": for the first of every two files):
  - its KIR with the places of expressions, read and printed again, is the same text;
  - so is the text without them;
  - the SPIR-V words made from the text are those made from the file, debugging information included.
Files that ampcc refuses are left out, if they say so themselves (a RUN line with %not, or -verify). Any difference is
an error, and so is a file that launches kernels and has no KIR.

AMPCC parses each file once; reading KIR costs little.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

ampcc, work, share, *folders = sys.argv[1:]


def run(*args):
    return subprocess.run([ampcc, *args], capture_output=True, timeout=100)


def is_refused(text):
    return re.search(r"RUN:.*(%not|-verify)", text) is not None


def launches(text):
    """Whether a kernel is launched somewhere, comments and strings aside."""
    code = re.sub(r'//[^\n]*|/\*.*?\*/|"(\\.|[^"\\\n])*"', " ", text, flags=re.S)
    return re.search(r"\bparallel_for_each\s*\(", code) is not None


def options_of(path, text):
    """The options that change what a file's kernels are."""
    found = re.findall(r"RUN:.*?(-famp-extensions=\S+)", text)
    for header in re.findall(r"RUN:.*? -include (\S+)", text):
        found += ["-include", header.replace("%S", os.path.dirname(path))]
    return list(dict.fromkeys(found))


def words(folder):
    """The SPIR-V of every kernel, by name."""
    result = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            result[name] = file.read()
    return result


def check(path):
    """What is wrong, or "", or None where there is nothing to check."""
    with open(path, encoding="utf-8", errors="replace") as file:
        source = file.read()
    with tempfile.TemporaryDirectory(dir=work) as folder:
        inside = lambda name: os.path.join(folder, name)
        os.mkdir(inside("direct"))
        os.mkdir(inside("read"))
        spirv = ["--emit-spirv", "-O0", "-g"]

        first = run(
            *spirv, "--print-after=lower", "-w", *options_of(path, source), path, "-o", inside("direct")
        )
        if first.returncode:
            return None if is_refused(source) else "refused: " + first.stderr.decode()
        headline, _, text = first.stderr.partition(b"\n")
        if headline != b"*** after lower ***":
            return "no text: " + first.stderr.decode()
        if b"\nkernel " not in text:
            return "launches kernels, and has none in KIR" if launches(source) else None
        with open(inside("debug.kir"), "wb") as file:
            file.write(text)

        again = run(*spirv, "--print-after=read", inside("debug.kir"), "-o", inside("read"))
        if again.returncode or again.stderr != b"*** after read ***\n" + text:
            return "another text when it is read and printed again\n" + again.stderr.decode()
        if words(inside("direct")) != words(inside("read")):
            return "SPIR-V differs"

        plain = run("--emit-kir", inside("debug.kir"), "-o", inside("plain.kir"))
        again = run("--emit-kir", inside("plain.kir"), "-o", inside("again.kir"))
        if plain.returncode or again.returncode:
            return "without places: refused\n" + (plain.stderr + again.stderr).decode()
        with open(inside("plain.kir"), "rb") as one, open(inside("again.kir"), "rb") as other:
            if one.read() != other.read():
                return "without places: another text when it is read and printed again"
    return ""


files = [os.path.join(f, n) for f in folders for n in sorted(os.listdir(f)) if n.endswith(".ampc")]
number, shares = map(int, share.split("/"))
files = files[number - 1 :: shares]
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    results = list(pool.map(check, files))
covered = failures = 0
for path, wrong in zip(files, results):
    if wrong is None:
        print(f"no kernels: {path}")
        continue
    covered += 1
    if wrong:
        failures += 1
        print(f"FAILED: {path}: {wrong}")
print(f"read back: {covered} of {len(files)}, {failures} failures")
sys.exit(failures != 0 or covered == 0)
