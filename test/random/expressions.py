"""Random C expressions without undefined or unspecified behaviour, for generate.py.

Every expression knows which variables it reads and writes: operands that C does not sequence never touch what another of
them writes. Overflow, division and shifts are guarded in the text. Floating values carry a bound (multiples of 2**-frac
below 2**mag), so that all arithmetic on them is exact and agrees everywhere, contracted or not.
"""
from dataclasses import dataclass, field

NAMES = {"i": "int", "u": "unsigned", "b": "_Bool", "f": "float", "d": "double", "e": "enum colour",
         # Pointers to four elements, and to one object.
         "pi": "int *", "pu": "unsigned *", "si": "int *", "su": "unsigned *", "sf": "float *",
         # Views: of rank 1 to 3, of const elements (C), of four elements only (S).
         "V1": "VIEW1(int)", "C1": "VIEW1(const unsigned)", "S1": "VIEW1(int)", "V2": "VIEW2(unsigned, 8)",
         "C2": "VIEW2(const int, 8)", "V3": "VIEW3(int, 2, 8)"}
# Views as places: element type and extents.
VIEWS = {"V1": ("i", (8,)), "C1": ("u", (8,)), "S1": ("i", (4,)), "V2": ("u", (2, 8)), "C2": ("i", (2, 8)), "V3": ("i", (2, 2, 8))}
# A view of the first type made of one of the second.
PARTS = {("V1", "V1"): "{}", ("V1", "V3"): "{}[{}][{}]", ("C1", "C1"): "{}", ("C1", "V2"): "{}[{}]", ("S1", "S1"): "{}",
         ("S1", "V1"): "({} + (2 * {} + {}))", ("V2", "V2"): "{}", ("C2", "C2"): "{}", ("C2", "V3"): "{}[{}]", ("V3", "V3"): "{}"}
ENUMERATORS = ["red", "green", "blue", "grey"]
DIGITS = {"f": 24, "d": 53}
STORED = (8, 3)  # the bound of every floating variable: multiples of 1/8 below 256


@dataclass(frozen=True)
class Ex:
    text: str
    reads: frozenset = frozenset()
    writes: frozenset = frozenset()

    def touches(self):
        return self.reads | self.writes


@dataclass
class Place:
    """A way to reach scalars of one type: a text with %s where a subscript stands, and the size of each dimension."""
    base: str
    type: str
    text: str
    dims: tuple = ()
    writable: bool = True
    kind: str = ""  # "lane": of a vector, has no address; "view": the text without subscripts is no pointer


@dataclass
class Function:
    name: str
    result: str
    params: list
    cost: int = 1
    text: str = ""


@dataclass
class Scope:
    places: list = field(default_factory=list)
    structs: list = field(default_factory=list)  # (variable, struct tag), writable
    views: list = field(default_factory=list)  # (variable, view type)


class Expressions:
    def __init__(self, rng):
        self.rng = rng
        self.scope = Scope()
        self.functions = []
        self.multiplier = 1  # how often the code being written may run in one call
        self.cost = 1
        self.budget = 2500
        self.counter = 0
        self.nesting = 0  # of subscripts
        self.depth = 0  # of calls and structures in one another

    def fresh(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    def join(self, pattern, *operands, conflict=True):
        """Puts operands into a pattern; unsequenced ones that clash give way to constants."""
        kept = []
        for x, type in operands:
            if conflict and any(x.writes & o.touches() or o.writes & x.touches() for o in kept):
                x = self.constant(type)
            kept.append(x)
        return Ex(
            pattern.format(*(x.text for x in kept)),
            frozenset().union(*(x.reads for x in kept)),
            frozenset().union(*(x.writes for x in kept)),
        )

    def sequenced(self, pattern, *operands):
        return self.join(pattern, *operands, conflict=False)

    # Leaves ---------------------------------------------------------------------------------------------------------

    def constant(self, type):
        r = self.rng
        if type == "0":  # a subscript
            return Ex("0")
        if type[0] == "p":
            return Ex(f"(({NAMES[type[1]]}[4]){{1, 2, 3}})")
        if type[0] == "s" and len(type) == 2:
            return Ex(f"&(({NAMES[type[1]]}){{5}})")
        if type.startswith("struct"):
            return Ex(f"((({type}){{0}}))")
        if type == "i":
            return Ex(r.choice(["0", "1", "2", "3", "7", "-1", "-5", "100", "255", "-2147483647", "2147483647",
                                "(-2147483647 - 1)", str(r.randrange(-99999, 99999)), "'a'", "blue", "red"]))
        if type == "u":
            return Ex(r.choice(["0u", "1u", "5u", "31u", "255u", "2147483648u", "4294967295u", "0x55555555u",
                                f"{r.randrange(1 << 32)}u"]))
        if type == "b":
            return Ex(r.choice(["(_Bool)0", "(_Bool)1"]))
        if type == "e":
            return Ex(r.choice(ENUMERATORS))
        value = r.choice(["0", "-0", "0.5", "1", "-1", "2", "-3", "7.125", "-100.25", "255.875"])
        return Ex((value if "." in value else value + ".0") + ("f" if type == "f" else ""))

    def subscript(self, size):
        """A value within 0 ... size - 1; in join() its type is "0"."""
        if self.nesting == 2 or self.rng.random() < 0.2:
            return Ex(str(self.rng.randrange(size)))
        self.nesting += 1
        power = size & (size - 1) == 0
        kind = self.rng.choice("iiu") if power else "u"
        x = self.value(kind, self.rng.randrange(2))
        self.nesting -= 1
        return self.join(f"({{0}} & {size - 1})" if power else f"({{0}} % {size}u)", (x, kind))

    def reach(self, place):
        """The lvalue's text, with what its subscripts read and write (not the object itself)."""
        subscripts = [(self.subscript(n), "0") for n in place.dims]
        return self.join(place.text, *subscripts)

    def places(self, type, writable=False):
        return [p for p in self.scope.places if p.type == type and (p.writable or not writable)]

    def load(self, type):
        candidates = self.places(type)
        if len(candidates) > 2 and self.rng.random() < 0.8:  # rather what the function computes than a table
            candidates = self.places(type, writable=True) or candidates
        if not candidates:
            return self.converted(type)
        place = self.rng.choice(candidates)
        x = self.reach(place)
        if place.base in x.writes:
            return self.constant(type)
        return Ex(x.text, x.reads | {place.base}, x.writes)

    def converted(self, type):
        """A variable of another type, where this one has none."""
        pattern = {"b": "(_Bool){0}", "e": "(enum colour)(({0} & 7) - 2)", "f": "(float)({0} & 127)",
                   "d": "(double)({0} & 127)", "u": "(unsigned){0}"}.get(type)
        if not pattern or not self.places("i"):
            return self.constant(type)
        return self.join(f"({pattern})", (self.load("i"), "i"))

    def leaf(self, type):
        return self.load(type) if self.rng.random() < 0.85 else self.constant(type)

    # Values by type -------------------------------------------------------------------------------------------------

    def value(self, type, depth):
        if depth <= 0:
            return self.leaf(type)
        if type in "fd":
            return self.stored(type, depth)
        return getattr(self, {"i": "integer", "u": "unsigned", "b": "boolean", "e": "enumeration"}[type])(depth)

    def effects(self):
        return self.rng.random() < 0.8

    def call(self, type):
        candidates = self.callable(type)
        if not candidates:
            return self.load(type)
        f = self.rng.choice(candidates)
        self.cost += f.cost * self.multiplier
        self.depth += 1
        pattern = f.name + "(" + ", ".join("{%d}" % k for k in range(len(f.params))) + ")"
        arguments = [(self.argument(p), p) for p in f.params]
        self.depth -= 1
        if any(p in VIEWS for p in f.params):  # no constant can stand for a view
            for k, (x, _) in enumerate(arguments):
                if any(x.writes & y.touches() or y.writes & x.touches() for y, _ in arguments[:k]):
                    return self.load(type)
        return self.join(pattern, *arguments)

    def argument(self, type):
        if len(type) == 1:
            return self.value(type, self.rng.randrange(2))
        if type in VIEWS:
            return self.view(type)
        if type[0] == "p":
            return self.pointer(type)
        if type[0] == "s" and len(type) == 2:
            return self.address(type)
        return self.structure(type)

    def view(self, type):
        r = self.rng
        name, whole = r.choice([(n, t) for n, t in self.scope.views if (type, t) in PARTS])
        text = PARTS[type, whole].format(name, *r.choices("01", k=2))
        return Ex(text, frozenset({name}), frozenset({name}) if whole[0] != "C" else frozenset())

    def pointer(self, type):
        """To four elements of a local array, of what a parameter points to, of a view."""
        arrays = [p for p in self.places(type[1], writable=True) if len(p.dims) == 1 and p.dims[0] >= 4 and p.text.endswith("[{0}]")]
        if not arrays:
            return self.constant(type)
        place = self.rng.choice(arrays)
        offset = self.rng.randrange(place.dims[0] - 3)
        text = f"&{place.text.format(offset)}"
        if place.kind == "view":
            text = f"({NAMES[type]}){text}"
        return Ex(text, frozenset({place.base}), frozenset({place.base}))

    def address(self, type):
        places = [p for p in self.places(type[1], writable=True) if p.kind != "lane"]
        if not places:
            return self.constant(type)
        place = self.rng.choice(places)
        x = self.reach(place)
        if place.base in x.touches():
            return self.constant(type)
        cast = f"({NAMES[type]})" if place.kind == "view" else ""
        return Ex(f"{cast}&{x.text}", x.reads | {place.base}, x.writes | {place.base})

    def callable(self, type):
        """Functions of this result that the budget admits; none deep inside other structures."""
        return [f for f in self.functions if f.result == type and self.depth < 3 and
                self.cost + f.cost * self.multiplier < self.budget and
                all(any((p, t) in PARTS for _, t in self.scope.views) for p in f.params if p in VIEWS)]

    def shared(self, type, depth):
        """What every type offers: conditionals, commas, assignments, calls, statement expressions."""
        r, v = self.rng, self.value
        which = r.randrange(9)
        if which <= 1:
            return self.sequenced("({0} ? {1} : {2})", (self.condition(depth - 1), "b"), (v(type, depth - 1), type),
                                  (v(type, depth - 1), type))
        if which == 2 and self.effects():
            return self.sequenced("({0}, {1})", (self.effect(depth - 1), "i"), (v(type, depth - 1), type))
        if which == 3 and self.effects():
            return self.assignment(type, depth - 1)
        if which == 4 and self.effects():
            return self.step(type)
        if which == 5:
            name = self.fresh("t")
            first = v(type, depth - 1)
            rest = v(type, depth - 1)
            x = self.sequenced(f"({{{{ {NAMES[type]} {name} = {{0}}; {NAMES[type]} {name}_ = {{1}}; "
                               f"{name} == {name}_ ? {name} : {name}_; }}}})", (first, type), (rest, type))
            return x
        if which == 6 and type != "b":  # an array of _Bool is against rule T5
            size = r.choice([2, 3, 4])
            items = [(v(type, 0), type) for _ in range(r.randrange(1, size + 1))]
            text = ", ".join("{%d}" % k for k in range(len(items)))
            index = self.subscript(size)
            x = self.join(f"(({NAMES[type]}[{size}]){{{{{text}}}}})[{{{len(items)}}}]", *items, (index, "0"))
            return x
        return self.call(type)

    def integer(self, depth):
        r, v, d = self.rng, self.value, depth - 1
        which = r.randrange(22)
        two = lambda pattern, a="i", b="i": self.join(pattern, (v(a, d), a), (v(b, d), b))
        one = lambda pattern, a="i": self.join(pattern, (v(a, d), a))
        if which == 0:
            return two(r.choice(["(({0} >> 2) + ({1} >> 2))", "(({0} & 0xffff) - ({1} & 0xfffff))",
                                 "(({0} >> 17) * ({1} >> 17))"]))
        if which == 1:
            return two("(int)({0} " + r.choice("+-*") + " {1})", *r.choice(["uu", "iu", "ui"]))
        if which == 2:
            return two(r.choice(["(({0} >> 1) / ({1} | 1))", "(({0} >> 1) % ({1} | 1))", "({0} / (({1} & 7) + 1))",
                                 "({0} % (({1} & 7) + 2))", "({0} % -16 + {1} % 4)", "({0} / 3 - {1} / -7)"]))
        if which == 3:
            return two("({0} " + r.choice("&|^") + " {1})")
        if which == 4:
            return two(r.choice(["({0} >> ({1} & 31))", "(({0} & 0xff) << ({1} & 15))"]), "i", r.choice("iu"))
        if which == 5:
            return one(r.choice(["~{0}", "(-({0} >> 1))", "(+{0})", "(- - ({0} >> 1))", "(!{0})", "(!!{0})"]))
        if which in (6, 7, 8):
            return self.comparison(d)
        if which == 9:
            return self.sequenced("({0} " + r.choice(["&&", "||"]) + " {1})", (self.condition(d), "b"),
                                  (self.condition(d), "b"))
        if which == 10:
            return one("(int){0}", r.choice("ubed"))
        if which == 11:
            x, mag, _ = self.floating("f", d)
            return Ex(f"(int){x.text}", x.reads, x.writes)
        if which == 12:
            return two("({0} + {1})", "b", "b")
        if which == 13:
            return two("({0} + {1})", "e", "b")
        if which == 14:
            return self.table("itable", 16, "i")
        if which == 15:
            return self.join("grid[{0}][{1}]", (self.subscript(4), "0"), (self.subscript(3), "0"))
        if which == 16:
            return self.sequenced("({0} ?: {1})", (v("i", d), "i"), (v("i", d), "i"))
        if which == 17:
            return self.member("i")
        return self.shared("i", depth)

    def unsigned(self, depth):
        r, v, d = self.rng, self.value, depth - 1
        which = r.randrange(14)
        two = lambda pattern, a="u", b="u": self.join(pattern, (v(a, d), a), (v(b, d), b))
        if which <= 2:
            return two("({0} " + r.choice("+-*&|^") + " {1})", *r.choice(["uu", "ui", "iu", "bu"]))
        if which == 3:
            return two(r.choice(["({0} / ({1} | 1u))", "({0} % ({1} | 1u))", "({0} / 10u + {1} % 7u)"]))
        if which == 4:
            return two(r.choice(["({0} << ({1} & 31))", "({0} >> ({1} & 31))"]), "u", r.choice("iu"))
        if which == 5:
            return self.join(r.choice(["(~{0})", "(-{0})", "(0u - {0})"]), (v("u", d), "u"))
        if which == 6:
            return self.join("(unsigned){0}", (v(*(x := (r.choice("ibe"), d))), x[0]))
        if which == 7:
            x, _, _ = self.floating(r.choice("fd"), d)
            name = self.fresh("t")
            return Ex(f"({{ double {name} = {x.text}; (unsigned)({name} < 0 ? -{name} : {name}); }})", x.reads, x.writes)
        if which == 8:
            return self.table("utable", 8, "u")
        if which == 9:
            return two("({0} ? {1} : -1)", "b", "u")
        if which == 10:
            return self.member("u")
        return self.shared("u", depth)

    def boolean(self, depth):
        r, d = self.rng, depth - 1
        which = r.randrange(6)
        if which == 0:
            type = r.choice("iufde")
            return self.join("(_Bool){0}", (self.value(type, d), type))
        if which == 1:
            return Ex(*self.with_text("(_Bool)({0})", self.comparison(d)))
        if which == 2:
            return self.join("(_Bool)({0} " + r.choice("^&|") + " {1})", (self.value("b", d), "b"),
                             (self.value("b", d), "b"))
        if which == 3:
            return self.sequenced("(_Bool)({0} " + r.choice(["&&", "||"]) + " {1})", (self.condition(d), "b"),
                                  (self.condition(d), "b"))
        return self.shared("b", depth)

    def enumeration(self, depth):
        if self.rng.random() < 0.3:
            return self.join("(enum colour)(({0} & 7) - 2)", (self.value("i", depth - 1), "i"))
        return self.shared("e", depth)

    def with_text(self, pattern, x):
        return pattern.format(x.text), x.reads, x.writes

    def condition(self, depth):
        r = self.rng.random()
        if r < 0.5:
            return self.comparison(depth)
        return self.value(self.rng.choice("iiubbfe"), depth)

    def comparison(self, depth):
        r = self.rng
        op = r.choice(["<", "<=", ">", ">=", "==", "!="])
        kind = r.choice(["ii", "ii", "uu", "iu", "bi", "ei", "ff", "fd", "fi", "special", "special", "wide"])
        if kind == "special":
            left = self.join("specials[{0}]", (self.subscript(8), "0"))
            right = self.join("specials[{0}]", (self.subscript(8), "0")) if r.random() < 0.6 else self.leaf("f")
            return self.join(f"({r.choice(['', '-', '!'])}{{0}} {op} {{1}})", (left, "f"), (right, "f"))
        if kind == "wide":
            a, b = r.choice("iu"), r.choice("iu")
            return self.join(f"((float){{0}} {op} (float){{1}})", (self.value(a, depth), a), (self.value(b, depth), b))
        return self.join(f"({{0}} {op} {{1}})", *((self.value(k, depth), k) for k in kind))

    def table(self, name, size, type):
        return self.join(f"{name}[{{0}}]", (self.subscript(size), "0"))

    # Structures -----------------------------------------------------------------------------------------------------

    def structure(self, tag):
        self.depth += 1
        x = self.structure_of(tag)
        self.depth -= 1
        return x

    def structure_of(self, tag):
        """A value of a struct type."""
        r = self.rng
        variables = [name for name, t in self.scope.structs if t == tag]
        if self.callable(tag) and r.random() < 0.4:
            return self.call(tag)
        if variables and r.random() < 0.6:
            name = r.choice(variables)
            return Ex(name, frozenset({name}))
        if self.depth > 3:
            return self.constant(tag)
        if tag == "struct pair":
            a, b = (self.value("i", 1), "i"), (self.value("u", 1), "u")
            return self.join(r.choice(["((struct pair){{{0}, {1}}})", "((struct pair){{.u = {1}, .i = {0}}})",
                                       "((struct pair){{.i = {0}}})"]), a, b)
        inner = self.structure("struct pair")
        return self.join(r.choice([
            "((struct nest){{.p = {0}, .f = {1}, .a = {{{2}, [2] = {3}}}}})",
            "((struct nest){{{0}, {1}, {{{2}, {3}, 4}}, 1, {{{{1, 2}}, {0}}}}})" if not inner.writes else
            "((struct nest){{{0}, {1}, {{{2}, {3}, 4}}}})",
        ]), (inner, "struct pair"), (self.value("f", 1), "f"), (self.value("i", 1), "i"), (self.value("i", 0), "i"))

    def member(self, type):
        """A member of a struct that is no object."""
        if self.rng.random() < 0.5:
            return Ex(*self.with_text("{0}." + type, self.structure("struct pair")))
        return Ex(*self.with_text("{0}.p." + type, self.structure("struct nest")))

    # Floating point -------------------------------------------------------------------------------------------------

    def normalised(self, type, x):
        """Brings any exact value below 2**20 back into the bound of variables."""
        zero = "f" if type == "f" else ""
        return Ex(f"(({NAMES[type]})((int)({x.text} * 8.0{zero}) % 2048) * 0.125{zero})", x.reads, x.writes)

    def stored(self, type, depth):
        if self.rng.random() < 0.25:
            return self.shared(type, depth)
        x, mag, frac = self.floating(type, depth)
        if mag <= STORED[0] and frac <= STORED[1]:
            return x
        return self.normalised(type, x)

    def floating(self, type, depth):
        """(expression, mag, frac) with mag <= 18: it still converts to int when it is multiplied by 8."""
        r = self.rng
        if depth <= 0 or r.random() < 0.2:
            return (self.leaf(type), *STORED)
        which = r.randrange(9)
        if which == 0:
            k = r.choice("iu")
            mask = "0xffu" if k == "u" else r.choice(["0xff", "0x7f"])
            x = self.join(f"({NAMES[type]})({{0}} & {mask})", (self.value(k, depth - 1), k))
            return x, 8, 0
        if which == 1:
            k = r.choice("be")
            return self.join(f"({NAMES[type]}){{0}}", (self.value(k, depth - 1), k)), 4, 0
        if which == 2:
            other = "d" if type == "f" else "f"
            x = self.stored(other, depth - 1)
            return Ex(f"({NAMES[type]}){x.text}", x.reads, x.writes), *STORED
        if which == 3:
            x, mag, frac = self.floating(type, depth - 1)
            return Ex(f"(- {x.text})", x.reads, x.writes), mag, frac
        if which == 4:
            return self.table("ftable" if type == "f" else "dtable", 8, type), *STORED
        a, amag, afrac = self.floating(type, depth - 1)
        if which == 8:
            if amag + 1 > 18 or amag + afrac + 3 > DIGITS[type]:
                return a, amag, afrac
            return self.join("({0} / " + r.choice(["2", "4", "-2", "0.5f"]) + ")", (a, type)), amag + 1, afrac + 2
        b, bmag, bfrac = self.floating(type, depth - 1)
        if which in (5, 6):
            mag, frac, op = max(amag, bmag) + 1, max(afrac, bfrac), r.choice("+-")
        else:
            mag, frac, op = amag + bmag, afrac + bfrac, "*"
        if mag > 18 or mag + frac > DIGITS[type] - 1:
            return a, amag, afrac
        return self.join(f"({{0}} {op} {{1}})", (a, type), (b, type)), mag, frac

    # Side effects ---------------------------------------------------------------------------------------------------

    def target(self, type):
        candidates = self.places(type, writable=True)
        if not candidates:
            return None, None
        place = self.rng.choice(candidates)
        x = self.reach(place)
        if place.base in x.touches():
            x = self.reach(Place(place.base, type, place.text.format(*"010"[:max(len(place.dims), 1)])))
        return place, x

    def assignment(self, type, depth):
        """`place = value` or a compound assignment, guarded, as an expression."""
        r = self.rng
        place, x = self.target(type)
        if not place:
            return self.value(type, depth)
        reads, writes = x.reads, x.writes | {place.base}
        compound = r.random() < 0.6 and type in "iub" and not x.writes
        operand_type = type
        op, guard, operand = "=", "", "{0}"
        if compound and type == "i":
            op, guard, operand, operand_type = r.choice([
                ("+=", ">>= 2", "({0} >> 2)", "i"), ("-=", ">>= 2", "({0} >> 2)", "i"),
                ("*=", ">>= 17", "({0} >> 17)", "i"), ("/=", ">>= 1", "({0} | 1)", "i"),
                ("%=", ">>= 1", "({0} | 1)", "i"), ("<<=", "&= 0xff", "({0} & 15)", "u"),
                (">>=", "", "({0} & 31)", "i"), ("&=", "", "{0}", "i"), ("|=", "", "{0}", "u"), ("^=", "", "{0}", "b"),
                ("+=", "", "{0}", "u"), ("-=", "", "{0}", "u"), ("*=", "", "{0}", "u"), ("/=", "", "({0} | 1u)", "u"),
                ("+=", "&= 0xfff", "{0}", "f"), ("*=", "&= 0xff", "{0}", "d"), ("-=", "%= 1000", "{0}", "f")])
        elif compound and type == "u":
            op, operand, operand_type = r.choice([
                ("+=", "{0}", "u"), ("-=", "{0}", "i"), ("*=", "{0}", "i"), ("/=", "({0} | 1u)", "u"),
                ("%=", "({0} | 1)", "u"), ("<<=", "({0} & 31)", "i"), (">>=", "({0} & 31)", "u"), ("&=", "{0}", "i"),
                ("|=", "{0}", "b"), ("^=", "{0}", "u")])
        elif compound:
            op, operand, operand_type = r.choice([
                ("+=", "({0} & 255)", "i"), ("-=", "{0}", "b"), ("*=", "{0}", "u"), ("&=", "{0}", "i"),
                ("|=", "{0}", "i"), ("^=", "{0}", "b"), ("+=", "{0}", "f"), ("<<=", "({0} & 3)", "u")])
        elif type in "iub":
            operand_type = r.choice([type, type, "i", "u", "b", "f" if type != "u" else "i", "e"])
        elif type in "fd":
            operand_type = r.choice([type, type, "f", "d", "b"])
        y = self.value(operand_type, depth)
        if place.base in y.writes or y.writes & (reads | writes) or (
                writes & y.touches() - {place.base}):
            y = self.constant(operand_type)
        text = f"{x.text} {op} {operand.format(y.text)}"
        if guard:
            text = f"{x.text} {guard}, {text}"
        return Ex(f"({text})", reads | y.reads | {place.base}, writes | y.writes)

    def step(self, type):
        """++ or -- on a place, guarded."""
        place, x = self.target(type)
        if not place or x.writes or type == "e":
            return self.leaf(type)
        guard = {"i": f"{x.text} >>= 1, ", "f": f"{x.text} = {x.text} / 2 > 0, ", "d": f"{x.text} = 3, "}.get(type, "")
        op = self.rng.choice(["++", "--"])
        step = op + x.text if self.rng.random() < 0.5 else x.text + op
        return Ex(f"({guard}{step})", x.reads | {place.base}, x.writes | {place.base})

    def effect(self, depth):
        type = self.rng.choice([t for t in "iiuubfde" if self.places(t, writable=True)] or "i")
        return self.step(type) if self.rng.random() < 0.3 else self.assignment(type, depth)
