#!/usr/bin/env python3
"""run.py [options] FIRST LAST: compiles the mutants of these seeds (mutants.py); prints those that ampcc does not survive.

A signal, an internal compiler error or more than 10 s of processor time is a failure. With --host N every Nth mutant that ampcc accepts goes
through a host compiler, too, gcc and clang in turn: C that it emits and that does not compile is a failure as well. Exits with 1
when something failed. `run.py --print SEED` writes one mutant to standard output.
"""
import argparse
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile

import mutants

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BATCH = 25  # files on one command line: starting ampcc costs more than most mutants
LIMIT = 10  # seconds of processor time for one file; each has a process of its own
STUCK = 300  # seconds of any time for a command


def limit_processor_time():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))


def compile(options, arguments, files, folder):
    """(exit status, what was said); the status is None when nothing happens any more."""
    command = [options.ampcc, "-w", "-fno-color-diagnostics"] + [
        f"-I{os.path.join(ROOT, d)}" for d in ("samples", "test/run", "test/restrict")]
    try:
        done = subprocess.run(command + arguments + files, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=STUCK, preexec_fn=limit_processor_time, env=dict(os.environ, TMPDIR=folder), cwd=folder)
    except subprocess.TimeoutExpired as e:
        return None, (e.stdout or b"").decode(errors="replace")
    return done.returncode, done.stdout.decode(errors="replace")


def fault(status, said):
    if status is None:
        return f"still running after {STUCK} s"
    if status in (-signal.SIGXCPU, -signal.SIGKILL):
        return f"more than {LIMIT} s of processor time"
    if status not in (0, 1) or "internal compiler error" in said or "was killed" in said or "Assertion" in said:
        return f"exit status {status}: {said.strip()[-1500:]}"
    return ""


def check(seeds, texts, options, folder):
    """Gives {seed: what went wrong}, the seeds that were accepted, and how many of these went to a host compiler."""
    files = {}
    for seed in seeds:
        files[seed] = os.path.join(folder, f"m{seed}.ampc")
        with open(files[seed], "wb") as file:
            file.write(mutants.mutant(texts, seed))
    status, said = compile(options, ["-fsyntax-only"], list(files.values()), folder)
    failed = {}
    if fault(status, said):
        for seed, name in files.items():
            why = fault(*compile(options, ["-fsyntax-only"], [name], folder))
            if why:
                failed[seed] = why
    named = set(re.findall(r"m(\d+)\.ampc\b.*error:", said)) | set(re.findall(r"error: .*m(\d+)\.ampc\b", said))
    accepted = [] if status is None else [s for s in seeds if s not in failed and str(s) not in named]
    hosted = [s for s in accepted if options.host and s % options.host == 0]
    for turn, seed in enumerate(hosted):
        cc = options.cc[turn % len(options.cc)]
        status, said = compile(options, [f"--cc={cc}", "-c", "-O0", "-o", os.path.join(folder, "m.o")], [files[seed]], folder)
        if status != 0:
            failed[seed] = f"accepted, but {cc}: {said.strip()[:1500]}"
    for seed, name in files.items():
        if seed in failed and options.keep:
            os.makedirs(options.keep, exist_ok=True)
            os.replace(name, os.path.join(options.keep, os.path.basename(name)))
        else:
            os.remove(name)
    return failed, accepted, len(hosted)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int, nargs="?")
    parser.add_argument("last", type=int, nargs="?")
    parser.add_argument("--ampcc", default="ampcc")
    parser.add_argument("--host", type=int, default=0, help="every Nth accepted mutant goes to a host compiler")
    parser.add_argument("--cc", nargs="+", default=["gcc", "clang-19"], help="the host compilers")
    parser.add_argument("--keep", help="folder for the mutants that failed")
    parser.add_argument("--print", type=int, help="a seed")
    options = parser.parse_args()
    texts = mutants.corpus(ROOT)
    if options.print is not None:
        sys.stdout.buffer.write(mutants.mutant(texts, options.print))
        return 0
    seeds = range(options.first, options.last + 1)
    failures = accepted = hosted = 0
    with tempfile.TemporaryDirectory(prefix="ampc-mutate-") as folder:
        for start in range(0, len(seeds), BATCH):
            failed, good, compiled = check(seeds[start:start + BATCH], texts, options, folder)
            accepted += len(good)
            hosted += compiled
            failures += len(failed)
            for seed, why in failed.items():
                print(f"mutant {seed}: {why}\n    reproduce: {os.path.abspath(__file__)} --print {seed}", flush=True)
    print(f"{len(seeds) - failures} of {len(seeds)} mutants survived ({accepted} accepted, the C of {hosted} compiled)")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
