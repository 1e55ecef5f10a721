"""Reads back the KIR of AMP-C files: kir_roundtrip.py AMPCC WORK_DIRECTORY FOLDER...

For every .ampc file in the folders that has kernels:
  - `--emit-kir` and `--emit-kir -g`, read and printed again, is the same text;
  - the SPIR-V words from the text that `-g` wrote are those from the file, debugging information included.
Files that ampcc refuses are left out, if they say so themselves (a RUN line with %not, or -verify). Prints what was
covered; any difference is an error.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

ampcc, work, *folders = sys.argv[1:]


def run(*args):
    return subprocess.run([ampcc, *args], capture_output=True, timeout=100)


def is_refused(path):
    text = open(path, encoding="utf-8", errors="replace").read()
    return re.search(r"RUN:.*(%not|-verify)", text) is not None


def options_of(path):
    """The options that change what a file's kernels are."""
    text = open(path, encoding="utf-8", errors="replace").read()
    found = re.findall(r"RUN:.*?(-famp-extensions=\S+)", text)
    for header in re.findall(r"RUN:.*? -include (\S+)", text):
        found += ["-include", header.replace("%S", os.path.dirname(path))]
    return list(dict.fromkeys(found))


def words(folder, *args):
    """The SPIR-V of every kernel, by name."""
    os.makedirs(folder)
    result = run("--emit-spirv", *args, "-o", folder)
    if result.returncode:
        return result.stderr.decode()
    return {name: open(os.path.join(folder, name), "rb").read() for name in os.listdir(folder)}


def check(path):
    """What is wrong, or "", or None where there is nothing to check."""
    options = options_of(path)
    with tempfile.TemporaryDirectory(dir=work) as folder:
        texts = {}
        for name, debug in (("plain", []), ("debug", ["-g"])):
            first = run("--emit-kir", "-w", *options, *debug, path)
            if first.returncode:
                return None if is_refused(path) else "refused: " + first.stderr.decode()
            if b"\nkernel " not in first.stdout:
                return None
            texts[name] = os.path.join(folder, name + ".kir")
            with open(texts[name], "wb") as file:
                file.write(first.stdout)
            again = run("--emit-kir", *debug, texts[name])
            if again.stderr or again.stdout != first.stdout:
                return f"{name}: another text when it is read and printed again\n" + again.stderr.decode()
        direct = words(os.path.join(folder, "direct"), "-w", "-g", *options, path)
        read = words(os.path.join(folder, "read"), "-g", texts["debug"])
        if not isinstance(direct, dict) or direct != read:
            return f"SPIR-V differs: {direct if isinstance(direct, str) else ''} {read if isinstance(read, str) else ''}"
    return ""


files = [os.path.join(f, n) for f in folders for n in sorted(os.listdir(f)) if n.endswith(".ampc")]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
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
sys.exit(failures != 0)
