"""Kernels of a given number of statements, in the shapes that have made compilers slow."""


def kernel(body, before="", name="f"):
    return f"""{before}
static void {name}(int n, array_view(int, 1) v, array_view(const int, 1) w)
{{
    parallel_for_each(extent_of(v), ^(index_1 i) restrict(amp) {{
        {body}
    }});
}}
"""


def lines(count, text):
    return "\n        ".join(text(k) for k in range(count))


def straight(n):
    """Arithmetic on a few locals."""
    return kernel("int a = n, b = i, c = 3;\n        " +
                  lines(n, lambda k: f"{'abc'[k % 3]} = {'bca'[k % 3]} * {k % 97 + 2} + ({'cab'[k % 3]} ^ {k});") + "\n        v[i] = a + b + c;")


def views(n):
    """Loads and stores through views."""
    return kernel(lines(n, lambda k: f"v[i + {k % 100}] = w[{k}] + v[{k % 50}];"))


def ifs(n):
    return kernel("int a = n, b = i;\n        " +
                  lines(n // 2, lambda k: f"if (a > {k}) b += a ^ {k}; else a += b;") + "\n        v[i] = a + b;")


def loops(n):
    return kernel("int a = n, b = i;\n        " +
                  lines(n // 2, lambda k: f"for (int k = 0; k < a; ++k) b += k * {k};") + "\n        v[i] = a + b;")


def calls(n):
    """Calls of three helpers; one returns early."""
    before = """
static int h0(int x, int y) restrict(cpu, amp) { return x * 3 + y; }
static int h1(int x, int y) restrict(cpu, amp) { if (x > y) return x - y; return y ^ 5; }
static int h2(int x, int y) restrict(cpu, amp) { int s = 0; for (int k = 0; k < (y & 3); ++k) s += x; return s; }
"""
    return kernel("int a = n;\n        " + lines(n, lambda k: f"a = h{k % 3}(a, {k});") + "\n        v[i] = a;", before)


def arrays(n):
    """Elements of a local array, at constant and at variable places."""
    return kernel("int t[64] = {0};\n        " +
                  lines(n, lambda k: f"t[{k % 64}] = t[(n + {k}) & 63] + t[{(k * 7) % 64}];") + "\n        v[i] = t[n & 63];")


def many_locals(n):
    return kernel("int a0 = n;\n        " + lines(n, lambda k: f"int a{k + 1} = a{k} * 3 + a{k * 5 // 7};") + f"\n        v[i] = a{n};")


def nested(n):
    """Blocks of 50 nested ifs, loops and switches."""
    def one(k):
        depth, text = 50, f"a += {k};"
        for level in range(depth):
            text = [f"if (a > {level}) {{ {text} }}", f"switch (a & 3) {{ case {level % 4}: {text} }}",
                    f"while (a < {level}) {{ {text} a += 7; }}"][level % 3]
        return text
    return kernel("int a = n;\n        " + lines(n // 50, one) + "\n        v[i] = a;")


def structs(n):
    """Structures with arrays, members changed one at a time, copied now and then."""
    return kernel("struct s x = {0}, y = {0};\n        " +
                  lines(n, lambda k: "y = x;" if k % 20 == 0 else f"x.m[{k % 16}] = y.m[{k * 7 % 16}] + {k};") + "\n        v[i] = x.m[3];",
                  "struct s { int m[16]; };")


def cases(n):
    """A switch with a case for every second statement."""
    return kernel("int a = n;\n        switch (i) {\n        " + lines(n // 2, lambda k: f"case {k}: a += {k * 7}; break;") +
                  "\n        }\n        v[i] = a;")


def falling(n):
    """The same, falling through."""
    return kernel("int a = n;\n        switch (i) {\n        " + lines(n, lambda k: f"case {k}: a += {k * 7};") +
                  "\n        }\n        v[i] = a;")


def pointers(n):
    """One pointer that goes through an array."""
    return kernel("int t[16] = {0}; int *p = t;\n        " + lines(n, lambda k: f"*p++ += {k};" if k % 16 else "p = t;") +
                  "\n        v[i] = t[n & 15];")


def vectors(n):
    return kernel("float_4 a = {1, 2, 3, 4}, b = a;\n        " +
                  lines(n, lambda k: f"a.xy = b.zw * {k}.0f;" if k % 2 else "b = a.wzyx + b;") + "\n        v[i] = (int)(a.x + b.y);")


def terms(n):
    """One expression."""
    return kernel("v[i] = " + " + ".join(f"n * {k}" for k in range(n)) + ";")


def host(n):
    """No kernel: views on the host."""
    return "static int g(array_view(int, 1) v, int i)\n{\n    int s = 0;\n    " + lines(n, lambda k: f"s += v[i + {k}]; ") + "\n    return s;\n}\n"


SHAPES = [straight, views, ifs, loops, calls, arrays, many_locals, nested, structs, cases, falling, pointers, vectors, terms, host]


def program(shape, n):
    return "#include <amp.h>\n" + shape(n)


def many_kernels(count):
    return "#include <amp.h>\n" + "".join(kernel("int a = n;\n" + lines(10, lambda j: f"if (a > {j}) a += w[a + {j * k}];") + "v[i] = a;", name=f"f{k}")
                                          for k in range(count))
