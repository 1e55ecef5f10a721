"""Random C statements and functions, for generate.py."""
from expressions import NAMES, VIEWS, Expressions, Function, Place, Scope

VALUE_TYPES = "iiuubfde"


class Statements(Expressions):
    def __init__(self, rng, with_vectors):
        super().__init__(rng)
        self.with_vectors = with_vectors
        self.lines = []
        self.indent = 1
        self.loops = 0  # enclosing loops
        self.breakable = 0  # enclosing loops and switches
        self.result = "i"
        self.size = 0  # statements left to write

    def put(self, text):
        self.lines.append("    " * self.indent + text)

    def put_effect(self, depth):
        """An assignment or the like. One that came out without any makes gcc 12 stop with an internal error at times."""
        for _ in range(4):
            x = self.effect(depth)
            if x.writes:
                return self.put(x.text + ";")
        self.put(";")

    # Declarations ---------------------------------------------------------------------------------------------------

    def declare(self):
        r, name = self.rng, self.fresh("v")
        kind = r.random()
        if kind < 0.5:
            type = r.choice(VALUE_TYPES)
            self.put(f"{NAMES[type]} {name} = {self.value(type, 2).text};")
            self.scope.places.append(Place(name, type, name))
        elif kind < 0.7:
            type, dims = r.choice("iufe"), r.choice([(4,), (8,), (3,), (2, 4), (3, 2), (40,)])
            items = self.items(type, r.randrange(1, 1 + dims[0]))
            if len(dims) == 2:
                items = f"{{{self.items(type, dims[1])}}}, [1][1] = {self.constant(type).text}" \
                    if r.random() < 0.7 else "0"
            self.put(f"{NAMES[type]} {name}{''.join(f'[{n}]' for n in dims)} = {{{items}}};")
            self.scope.places.append(Place(name, type, name + "".join("[{%d}]" % k for k in range(len(dims))), dims))
        elif kind < 0.75:
            type = r.choice("iuf")
            self.put(f"static const {NAMES[type]} {name}[4] = {{{', '.join(self.constant(type).text for _ in range(3))}}};")
            self.scope.places.append(Place(name, type, name + "[{0}]", (4,), False))
        elif kind < 0.79:
            self.put(f"union cell {name} = {{.p = {self.structure('struct pair').text}}};")
            self.scope.places += [Place(name, t, name + m) for t, m in [
                ("i", ".i"), ("u", ".u"), ("i", ".p.i"), ("u", ".p.u")]] + [Place(name, "i", name + ".a[{0}]", (2,))]
        elif kind < 0.82:
            self.put(f"struct pair {name}[2] = {{{self.structure('struct pair').text}}};")
            self.scope.places += [Place(name, "i", name + "[{0}].i", (2,)), Place(name, "u", name + "[{0}].u", (2,))]
        elif kind < 0.9 and self.with_vectors:
            lanes = r.choice([2, 3, 4])
            self.put(f"uint_{lanes} {name} = {{{self.items('u', lanes)}}};")
            self.scope.places += [Place(name, "u", f"{name}.{c}", kind="lane") for c in "xyzw"[:lanes]]
            self.vectors.append((name, lanes))
        elif kind < 0.93 and self.with_vectors:
            rank = r.choice([2, 3, 4])
            self.put(f"index_{rank} {name} = {{{self.items('i', rank)}}};")
            self.put(f"{name} = ({name} >> 16) * {r.choice(['2', '-3', '7'])} + {r.randrange(9)};")
            self.scope.places += [Place(name, "i", f"{name}[{c}]", kind="lane") for c in range(rank)]
        elif kind < 0.97:
            self.declare_pointer(name)
        else:
            tag = r.choice(["struct pair", "struct nest"])
            self.put(f"{tag} {name} = {self.structure(tag).text};")
            self.add_struct(name, tag)

    def declare_pointer(self, name):
        """A pointer, and the two arrays into which it may point: to one of their first five elements. All three count as
        one object."""
        type, other, pointer = self.rng.choice("iuf"), name + "_", self.fresh("q")
        for array in (name, other):
            self.put(f"{NAMES[type]} {array}[8] = {{{self.items(type, 3)}}};")
        self.put(f"{NAMES[type]} *{pointer} = {name} + {self.rng.randrange(5)};")
        self.scope.places += [Place(name, type, f"{a}[{{0}}]", (8,)) for a in (name, other)]
        self.scope.places += [Place(name, type, f"{pointer}[{{0}}]", (4,)), Place(name, type, f"(*{pointer})"),
                              Place(name, "i", f"({pointer} == {name} + 2)", writable=False)]
        self.pointers.append((pointer, type, name, other))

    def pointer_statement(self):
        r = self.rng
        pointer, type, one, two = r.choice(self.pointers)
        x = self.value(type, 1).text
        which = r.randrange(7)
        if which == 0:
            self.put(f"{pointer} = {r.choice([one, two])} + ({self.value('i', 1).text} & 3);")
        elif which == 1:
            self.put(f"{pointer} = {self.condition(1).text} ? {one} + {r.randrange(4)} : {two};")
        elif which == 2:
            self.put(f"{{ {NAMES[type]} x = {x}; *{pointer}++ = x; if ({pointer} == {one} + 5 || {pointer} == {two} + 5) {pointer} -= {r.randrange(1, 5)}; }}")
        elif which == 3:
            self.body(f"if ({pointer} {r.choice(['==', '!='])} {r.choice([one, two])} + {r.randrange(4)})")
        elif which == 4:
            self.put(f"{{ {NAMES[type]} *old = {pointer}; {pointer} = {one} + 1; *old = {x}; }}")
        elif which == 5 and self.cost + 8 * self.multiplier < self.budget // 2:
            self.cost += 8 * self.multiplier
            if r.random() < 0.5:
                self.put(f"for ({NAMES[type]} *at = {one}; at != {one} + 8; ++at) *at = *at > 3 ? at[0] / 2 : {two}[at - {one}];")
            else:
                self.put(f"for ({NAMES[type]} *at = {two} + 8, *end = {two}; at-- > end;) *at = {pointer}[at - end & 3];")
        else:
            self.put(f"if ((void *){pointer} != (void *){r.choice([one, two])}) *{pointer} = {x};")

    def items(self, type, count):
        """Initialisers; C leaves the order of their side effects open."""
        return self.join(", ".join("{%d}" % k for k in range(count)), *((self.value(type, 0), type) for _ in range(count))).text

    def add_struct(self, name, tag):
        self.scope.structs.append((name, tag))
        if tag == "struct pair":
            self.scope.places += [Place(name, "i", name + ".i"), Place(name, "u", name + ".u")]
        else:
            self.scope.places += [
                Place(name, "i", name + ".p.i"), Place(name, "u", name + ".p.u"), Place(name, "f", name + ".f"),
                Place(name, "i", name + ".a[{0}]", (4,)), Place(name, "b", name + ".b"),
                Place(name, "i", name + ".q[{0}].i", (2,)), Place(name, "u", name + ".q[{0}].u", (2,))]

    # Statements -----------------------------------------------------------------------------------------------------

    def block(self, count):
        """Statements in a scope of their own."""
        places, structs, vectors, pointers = (list(x) for x in (self.scope.places, self.scope.structs, self.vectors, self.pointers))
        self.indent += 1
        for _ in range(count):
            self.statement()
        self.indent -= 1
        self.scope.places, self.scope.structs, self.vectors, self.pointers = places, structs, vectors, pointers

    def body(self, opening, closing="}"):
        self.put(opening + " {")
        self.block(self.rng.randrange(1, 4))
        self.put(closing)

    def statement(self):
        r = self.rng
        self.size -= 1
        deep = self.indent > 5 or self.size <= 0
        which = r.randrange(28)
        if which < 5 or deep and which < 16:
            self.put_effect(3)
        elif which < 8:
            self.declare()
        elif which < 11 and not deep:
            self.body(f"if ({self.condition(2).text})")
            if r.random() < 0.5:
                self.body("else" if r.random() < 0.7 else f"else if ({self.condition(1).text})")
        elif which < 15 and not deep:
            self.loop()
        elif which < 17 and not deep:
            self.switch()
        elif which == 17 and self.loops:
            self.put(f"if ({self.condition(2).text}) continue;")
        elif which == 18 and self.breakable:
            self.put(f"if ({self.condition(2).text}) break;")
        elif which == 19 and self.indent > 1:
            self.put(f"if ({self.condition(2).text})")
            self.put(f"    return {self.returned().text};")
        elif which == 20:
            self.put(self.sequenced("({0} ? {1} : {2});", (self.condition(1), "b"), (self.effect(1), "i"),
                                    (self.effect(1), "i")).text)
        elif which == 21:
            self.put(self.sequenced("(void)({0} " + r.choice(["&&", "||", ","]) + " {1});", (self.condition(1), "b"),
                                    (self.effect(1), "i")).text)
        elif which == 22 and not deep:
            self.body("")
        elif which in (23, 24) and self.scope.structs:
            name, tag = r.choice(self.scope.structs)
            x = self.structure(tag)
            if name not in x.writes:
                self.put(f"{name} = {x.text};")
        elif which >= 26 and self.pointers:
            self.pointer_statement()
        elif self.vectors:
            self.vector_statement()
        else:
            self.put_effect(2)

    def vector_statement(self):
        r = self.rng
        name, lanes = r.choice(self.vectors)
        others = [n for n, l in self.vectors if l == lanes]
        other = r.choice(others)
        which = r.randrange(4)
        if which == 0:
            self.put(f"{name} {r.choice(['+=', '*=', '^=', '-=', '='])} {other} {r.choice('+-*&|^')} {r.choice(others)};")
        elif which == 1:
            self.put(f"{name} = {other} >> ({r.choice(others)} & 31u);")
        elif which == 2:
            if r.random() < 0.6:
                lane = "".join(r.sample("xyzw"[:lanes], 2))
                return self.put(f"{name}.{lane} {r.choice(['=', '+=', '^='])} {other}.{r.choice(['yx', 'xx', 'xy'])};")
            source = "".join(r.choice("xyzw"[:lanes]) for _ in range(lanes))
            self.put(f"{name} = {other}.{source};")
        else:
            self.put(f"{name} = ({other} + {self.leaf('u').text}) / ({r.choice(others)} | 1u);")

    def loop(self):
        r = self.rng
        trips = r.choice([1, 2, 3, 5, 8])
        if self.cost + trips * self.multiplier > self.budget // 2:
            return self.put_effect(2)
        name = self.fresh("n")
        kind = r.choice(["for", "for", "down", "while", "do", "forever", "unsigned"])
        readonly = Place(name, "u" if kind == "unsigned" else "i", name, (), False)
        places = list(self.scope.places)
        saved = self.multiplier, self.loops, self.breakable
        self.multiplier *= trips + 1
        self.cost += self.multiplier
        self.loops += 1
        self.breakable += 1
        extra = f" && {self.condition(1).text}" if r.random() < 0.4 else ""
        self.scope.places.append(readonly)
        if kind == "for":
            step = r.choice([f"++{name}", f"{name}++", f"{name} += 1", f"{name}++, {self.effect(1).text}"])
            self.body(f"for (int {name} = 0; {name} < {trips}{extra}; {step})")
        elif kind == "down":
            self.body(f"for (int {name} = {trips}; {name}-- > 0{extra};)")
        elif kind == "unsigned":
            self.body(f"for (unsigned {name} = {trips}u; {name};" + f" {name} >>= 1)")
        elif kind == "while":
            self.put(f"int {name} = {trips};")
            self.body(f"while ({name}-- > 0{extra})")
        elif kind == "do":
            self.put(f"int {name} = {trips};")
            # lavapipe (Mesa 22.3) repeats the loads of a loop for work items that have left it. What is loaded from an
            # array, then overwritten there, and read after a loop that ends in one place only, comes out wrong; a
            # second way out makes it a phi, which is masked.
            self.put("do {")
            self.put(f"    if ({name} > 99) break;")
            self.block(r.randrange(1, 4))
            self.put(f"}} while (--{name} > 0{extra});")
        else:
            self.put(f"int {name} = 0;")
            self.put("for (;;) {")
            self.put(f"    if (++{name} > {trips}{extra.replace('&&', '||')}) break;")
            self.block(r.randrange(1, 4))
            self.put("}")
        self.scope.places = places
        self.multiplier, self.loops, self.breakable = saved

    def switch(self):
        r = self.rng
        kind = r.choice("iiue")
        subject = self.value(kind, 2).text
        if kind != "e" and r.random() < 0.7:
            subject = f"({subject} {'& 7' if kind == 'u' else '% 5'})"
        pool = {"u": ["0", "1", "2u", "3", "4", "5", "6", "7", "4294967295u", "2147483648u"],
                "i": ["-4", "-3", "-2", "-1", "0", "1", "2", "3", "4", "-2147483647 - 1", "2147483647"],
                "e": ENUM_CASES}[kind]
        labels = r.sample(pool, r.randrange(1, min(7, len(pool))))
        default = r.randrange(-2, len(labels) + 1)
        self.put(f"switch ({subject}) {{")
        self.breakable += 1
        for k, label in enumerate(labels):
            if k == default:
                self.put("default:")
            self.put(f"case {label}:")
            if r.random() < 0.2 and k + 1 < len(labels):
                continue
            self.block(r.randrange(1, 3))
            if r.random() < 0.6:
                self.put("    break;")
            elif r.random() < 0.2:
                self.put(f"    return {self.returned().text};")
            elif r.random() < 0.2 and self.loops:
                self.put("    continue;")
        if default == len(labels):
            self.put("default:")
            self.block(1)
        self.put("    ;")
        self.put("}")
        self.breakable -= 1

    def returned(self):
        return self.value(self.result, 2) if len(self.result) == 1 else self.structure(self.result)

    def put_sum(self):
        """Returns a value into which every variable of the function's outermost scope goes, where the type allows."""
        if self.result not in "iu":
            return self.put(f"return {self.returned().text};")
        last = self.returned().text
        self.put(f"unsigned sum = {last};")
        for p in self.scope.places:
            if not p.writable:
                continue
            indices = ["m", "k", "l"][:len(p.dims)]
            loops = "".join(f"for (int {i} = 0; {i} < {n}; ++{i}) " for i, n in zip(indices, p.dims))
            text = p.text.format(*indices)
            word = f"(unsigned)(int)({text} * 8)" if p.type in "fd" else f"(unsigned){text}"
            self.put(f"{loops}sum = sum * 31u + {word};")
            size = 1
            for n in p.dims:
                size *= n
            self.cost += size if p.dims else 0
        self.put(f"return ({NAMES[self.result]})sum;")

    # Functions ------------------------------------------------------------------------------------------------------

    def function(self, name, result, params, size, budget):
        self.lines, self.result, self.size = [], result, size
        self.scope = Scope(list(self.globals), [])
        self.vectors, self.pointers = [], []
        self.cost, self.multiplier, self.budget = 1, 1, budget
        names = []
        for k, type in enumerate(params):
            names.append(f"{NAMES.get(type, type)} p{k}")
            if len(type) == 1:
                self.scope.places.append(Place(f"p{k}", type, f"p{k}"))
            elif type in VIEWS:
                element, dims = VIEWS[type]
                self.scope.views.append((f"p{k}", type))
                text = f"p{k}" + "".join("[{%d}]" % d for d in range(len(dims)))
                self.scope.places.append(Place(f"p{k}", element, text, dims, type[0] != "C", "view"))
            elif type[0] == "p":
                self.scope.places.append(Place(f"p{k}", type[1], f"p{k}[{{0}}]", (4,)))
            elif len(type) == 2:
                self.scope.places.append(Place(f"p{k}", type[1], f"(*p{k})"))
            else:
                self.add_struct(f"p{k}", type)
        for _ in range(3):
            self.declare()
        while self.size > 0:
            self.statement()
        self.put_sum()
        head = f"static {NAMES.get(result, result)} {name}({', '.join(names)})"
        text = head + " CLAUSE\n{\n" + "\n".join(self.lines) + "\n}\n"
        f = Function(name, result, list(params), self.cost, text)
        self.functions.append(f)
        return f


ENUM_CASES = ["red", "green", "blue", "grey", "2", "7"]
