#!/usr/bin/env python3
"""sizes.py AMPCC: programs of hostile sizes. Each compiles, or is refused with the message that stands beside it, within 10 s of
processor time.
"""
import os
import resource
import subprocess
import sys
import tempfile

LIMIT = 10


def kernel(body, before=""):
    return f"""#include <amp.h>
{before}
void f(int n, array_view(int, 1) v)
{{
    parallel_for_each(extent_of(v), ^(index_1 i) restrict(amp) {{ {body} }});
}}
"""


def joined(count, text, separator=" "):
    return separator.join(text(k) for k in range(count))


BRACKETS = "bracket nesting level exceeded maximum of 256"
PROGRAMS = {
    "a sum of 20,000 terms": (kernel("v[i] = " + joined(20000, lambda k: f"n * {k}", " + ") + ";"), ""),
    "a sum on the host": ("#include <amp.h>\nint f(array_view(int, 1) v, int i) { return " +
                          joined(6000, lambda k: f"v[i + {k}]", " + ") + "; }\n", ""),
    "10,000 parentheses": (kernel("v[i] = " + "(" * 10000 + "1" + ")" * 10000 + ";"), BRACKETS),
    "10,000 blocks": (kernel("{" * 10000 + "v[i] = 1;" + "}" * 10000), BRACKETS),
    "10,000 braces": (kernel("int x = " + "{" * 10000 + "1" + "}" * 10000 + "; v[i] = x;"), BRACKETS),
    "5,000 nested ifs": (kernel("if (n) " * 5000 + "v[i] = 1;"), "nested too deeply"),
    "1,000 nested loops": (kernel("while (n) " * 1000 + "v[i] = 1;"), "levels deep"),
    "2,000 else-ifs": (kernel("if (n == 0) v[i] = 0; " + joined(2000, lambda k: f"else if (n == {k + 1}) v[i] = {k};")), ""),
    "10,000 conditional operators": (kernel("v[i] = " + joined(10000, lambda k: f"n == {k} ? {k} :") + " 5;"), ""),
    "200 nested loops": (kernel("for (int a = 0; a < n; ++a) " * 200 + "v[i] += 1;"), ""),
    "10,000 minus signs": (kernel("v[i] = " + "- " * 10000 + "n;"), ""),
    "3,000 assignments in one": (kernel("int x = 0; " + "x = " * 3000 + "n; v[i] = x;"), ""),
    "5,000 cases": (kernel("switch (n) {" + joined(5000, lambda k: f"case {k}: v[i] = {k}; break;") + "}"), ""),
    "20,000 cases": (kernel("switch (n) {" + joined(20000, lambda k: f"case {k}: break;") + "}"), "not supported yet: a switch of more than"),
    "1,000 parameters": (kernel("v[i] = h(" + ", ".join(["n"] * 1000) + ");", "static int h(" + joined(1000, lambda k: f"int a{k}", ", ") +
                                ") restrict(amp) { return a0 + a999; }"), ""),
    "1,000 captures": ("#include <amp.h>\nvoid f(array_view(int, 1) v, " + joined(1000, lambda k: f"int a{k}", ", ") +
                       ")\n{ parallel_for_each(extent_of(v), ^(index_1 i) restrict(amp) { v[i] = " + joined(1000, lambda k: f"a{k}", " + ") +
                       "; }); }\n", ""),
    "a table of 1 MB on the host": (kernel("v[i] = n;", "const int t[262144] = {" + joined(262144, str, ",") + "};"), ""),
    "100,000 lines": ("#include <amp.h>\n" + joined(100000, lambda k: f"int g{k};", "\n") + "\n", ""),
    "a name of 10,000 characters": (kernel("int " + "a" * 10000 + " = n; v[i] = " + "a" * 10000 + ";"), ""),
    "calls 1,000 deep": (kernel("v[i] = h1000(n);", "static int h0(int x) restrict(amp) { return x; }\n" + joined(1000, lambda k:
                                f"static int h{k + 1}(int x) restrict(amp) {{ return h{k}(x) + 1; }}", "\n")), ""),
    "macros that call each other": ("#include <amp.h>\n#define A B B\n#define B A A\nint A;\n", "expected ';'"),
    "a file that includes itself": ("#include <amp.h>\n#include __FILE__\n", "#include nested too deeply"),
    "a zero byte": ("#include <amp.h>\nint a\0b;\n", "has a zero byte"),
    "an open comment": ("#include <amp.h>\n/* a", "unterminated /* comment"),
    "an open string": ("#include <amp.h>\nchar *s = \"a", "expected expression"),
    "an open kernel": (kernel("v[i] = 1;")[:-15], "expected '}'"),
    "an open condition": ("#include <amp.h>\n#if 1\nint x;", "unterminated conditional directive"),
    "an open macro call": ("#include <amp.h>\n#define f(a) a\nint x = f(1", "unterminated function-like macro invocation"),
    "nothing": ("", ""),
}


def limit_processor_time():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))


def main(ampcc):
    bad = 0
    with tempfile.TemporaryDirectory(prefix="ampc-sizes-") as folder:
        path = os.path.join(folder, "p.ampc")
        for name, (text, message) in PROGRAMS.items():
            with open(path, "w") as file:
                file.write(text)
            done = subprocess.run([ampcc, "-w", "-fsyntax-only", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  stdin=subprocess.DEVNULL, preexec_fn=limit_processor_time, env=dict(os.environ, TMPDIR=folder))
            said = done.stdout.decode(errors="replace")
            if done.returncode != (1 if message else 0) or message not in said:
                bad += 1
                print(f"{name}: exit status {done.returncode}: {said.strip()[:400]}", flush=True)
        done = subprocess.run([ampcc, "-fsyntax-only", "-x", "ampc", folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 1 or b"it is a directory" not in done.stdout:
            bad += 1
            print(f"a directory: {done.stdout.decode(errors='replace')[:400]}")
    print(f"{len(PROGRAMS) + 1 - bad} of {len(PROGRAMS) + 1} sizes survived")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
