"""Broken and half-broken programs: the .ampc files of samples/, test/run and test/restrict with random faults.

mutant(corpus, seed) is a function of the files and the seed. Most mutations keep brackets in pairs, because what the
parser throws out tests only the parser.
"""
import glob
import os
import random
import re

TOKEN = re.compile(rb"""
    \s+ | //[^\n]* | /\*.*?\*/                       # space and comments
  | [A-Za-z_]\w* | \.?\d(?:[\w.]|(?<=[eEpP])[+-])*   # names and numbers
  | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'
  | \#[^\n]*                                         # directives stay whole
  | <<= | >>= | \.\.\. | -> | \+\+ | -- | && | \|\| | [-+*/%&|^<>=!]= | << | >> | .
""", re.VERBOSE | re.DOTALL)

TYPES = """int unsigned float double _Bool void char short long volatile const static struct union enum extent_1 extent_2 index_1
    index_2 index_3 int_2 int_3 uint_4 float_2 float_3 float_4 double_2 accelerator tile_barrier""".split()
VIEWS = """array_view(int, 1) | array_view(const float, 2) | array(int, 1) | array_view(struct s, 1) | tiled_index(4, 4) |
    array_view(int_3, 1) | array_view(double, 4) | __typeof__(1) | array_view(int *, 1)""".split("|")
NUMBERS = """0 1 -1 2 4 7 31 32 33 64 255 1024 1025 65536 2147483647 -2147483648 2147483648u 4294967295u 4294967296 1e40 0x1p-149f
    1.0f 1.5 0.0 'a' 1e308 -0.0f 18446744073709551615u""".split()
OPERATORS = """+ - * / % & | ^ << >> < > <= >= == != && || = += -= *= /= %= &= |= ^= <<= >>= , ? : . -> ++ -- ! ~""".split()
WORDS = """if else for while do switch case default break continue return goto sizeof _Alignof _Generic _Static_assert restrict(amp)
    restrict(cpu) restrict(cpu,amp) restrict tile_static __typeof__ parallel_for_each tile extent_of array_view_of at_2 t.local
    t.global t.barrier tile_barrier_wait(t.barrier) array_view_section array_view_reinterpret_as ^ ^(index_1 i) __auto_type __block
    (void) (int*) (float) (_Bool) (int_2) {0} ({ }) [0] .x .xy .xyzw &v[0] asm("") inline extern _Thread_local __builtin_expect
    \\ # ## @ $ ` \x00 \xff \xc3\xa9 /* */ // " ' { } ( ) [ ] ;""".split()
PAIRS = {b"(": b")", b"[": b"]", b"{": b"}"}


def encoded(words):
    return [w.strip().encode("latin-1").replace(rb"\x00", b"\0").replace(rb"\xff", b"\xff") for w in words]


TYPES, VIEWS, NUMBERS, OPERATORS, WORDS = map(encoded, (TYPES, VIEWS, NUMBERS, OPERATORS, WORDS))


def is_word(t):
    return t[:1].isalpha() or t[:1] == b"_"


def is_space(t):
    return t.isspace() or t[:2] in (b"//", b"/*")


class Mutator:
    def __init__(self, rng, text, other):
        self.rng = rng
        self.tokens = TOKEN.findall(text)
        self.other = TOKEN.findall(other)

    def solid(self, tokens, wanted=lambda t: True):
        return [k for k, t in enumerate(tokens) if not is_space(t) and t[:1] != b"#" and wanted(t)]

    def pick(self, wanted=lambda t: True, tokens=None):
        """The place of a token, or None."""
        places = self.solid(self.tokens if tokens is None else tokens, wanted)
        return self.rng.choice(places) if places else None

    def group(self, tokens, opening=b"([{"):
        """(first, last + 1) of something in brackets."""
        first = self.pick(lambda t: t in PAIRS and t in opening, tokens)
        if first is None:
            return None
        depth = 0
        for k in range(first, len(tokens)):
            depth += (tokens[k] in PAIRS) - (tokens[k] in PAIRS.values())
            if depth == 0:
                return first, k + 1
        return None

    def statement(self, tokens):
        """(first, last + 1) of something that ends with a semicolon on the same level."""
        end = self.pick(lambda t: t == b";", tokens)
        if end is None:
            return None
        depth, first = 0, end - 1
        while first > 0:
            depth += (tokens[first] in PAIRS.values()) - (tokens[first] in PAIRS)
            if depth < 0 or depth == 0 and tokens[first] in (b";", b"}") or tokens[first][:1] == b"#":
                break
            first -= 1
        return first + 1, end + 1

    def put(self, at, new, size=1):
        self.tokens[at:at + size] = new

    # Mutations: each changes self.tokens, or does nothing where the file has no such place -----------------------------

    def delete(self):
        at = self.pick()
        self.put(at, [], self.rng.choice([1, 1, 1, 2, 5]))

    def duplicate(self):
        at, size = self.pick(), self.rng.choice([1, 1, 2, 6])
        self.put(at, self.tokens[at:at + size] * self.rng.choice([2, 2, 3]), size)

    def swap(self):
        a, b = self.pick(), self.pick()
        self.tokens[a], self.tokens[b] = self.tokens[b], self.tokens[a]

    def replace(self):
        self.put(self.pick(), [self.rng.choice(WORDS + OPERATORS + TYPES), b" "])

    def insert(self):
        self.put(self.pick(), [b" ", self.rng.choice(WORDS + OPERATORS + TYPES + NUMBERS), b" "], 0)

    def rename(self):
        """Another name from near by, which may well be in scope."""
        at = self.pick(is_word)
        if at is not None:
            near = self.tokens[max(0, at - 150):at + 50] if self.rng.random() < 0.9 else self.other
            place = self.pick(is_word, near)
            self.put(at, [near[place]] if place is not None else [])

    def renumber(self):
        at = self.pick(lambda t: t[:1].isdigit())
        if at is not None:
            self.put(at, [self.rng.choice(NUMBERS)])

    def retype(self):
        at = self.pick(lambda t: t in TYPES)
        if at is not None:
            self.put(at, [self.rng.choice(TYPES + VIEWS)])

    def other_operator(self):
        at = self.pick(lambda t: t in OPERATORS)
        if at is not None:
            self.put(at, [self.rng.choice(OPERATORS)])

    def add_type_word(self):
        at = self.pick(lambda t: t in TYPES)
        if at is not None:
            self.put(at, [self.rng.choice([b"const", b"static", b"volatile", b"_Atomic", b"tile_static", b"extern", b"__block",
                                           b"unsigned", b"long", b"register"]), b" "], 0)

    def pointer(self):
        at = self.pick(is_word)
        if at is not None:
            self.put(at, [self.rng.choice([b"*", b"&", b"**", b"*&", b"(*", b"!", b"-", b"~", b"++"])], 0)

    def exchange_groups(self):
        a = self.group(self.tokens)
        source = self.tokens if self.rng.random() < 0.7 else self.other
        b = a and self.group(source, self.tokens[a[0]])
        if b:
            self.put(a[0], source[b[0]:b[1]], a[1] - a[0])

    def empty_group(self):
        a = self.group(self.tokens)
        if a:
            self.put(a[0] + 1, [], a[1] - a[0] - 2)

    def wrap_group(self):
        a = self.group(self.tokens, [b"("])
        if a:
            inside = self.tokens[a[0]:a[1]]
            before, after = self.rng.choice([(b"(-", b")"), (b"({", b";})"), (b"(int)", b""), (b"&", b""), (b"(0,", b")"), (b"(0 ?:", b")"),
                                             (b"(1 ? 0 :", b")"), (b"sizeof", b""), (b"(__typeof__", b"){0}"), (b"*&", b""), (b"(float_2)", b"")])
            self.put(a[0], [before] + inside + [after], a[1] - a[0])

    def delete_statement(self):
        a = self.statement(self.tokens)
        if a:
            self.put(a[0], [], a[1] - a[0])

    def move_statement(self):
        source = self.tokens if self.rng.random() < 0.6 else self.other
        a = self.statement(source)
        at = self.pick(lambda t: t in (b";", b"{", b"}"))
        if a and at is not None:
            moved = source[a[0]:a[1]]
            wrap = self.rng.choice([None] * 4 + [b"if (1)", b"for (;;)", b"switch (1) { case 1: default:", b"while (0)", b"do {"])
            if wrap:
                closing = {b"s": [b"}"], b"d": [b"} while (0);"]}.get(wrap[:1], [])
                moved = [wrap, b" "] + moved + closing
            self.put(at + 1, [b"\n"] + moved, 0)

    def splice(self):
        """The head of this file, the tail of another one."""
        self.tokens = self.tokens[:self.pick()] + self.other[self.rng.choice(self.solid(self.other)):]

    def truncate(self):
        del self.tokens[self.pick():]

    def garble(self):
        text = bytearray(b"".join(self.tokens))
        for _ in range(self.rng.choice([1, 1, 3, 20])):
            text[self.rng.randrange(len(text))] = self.rng.choice([0, 10, 34, 39, 40, 41, 92, 123, 125, 255, self.rng.randrange(256)])
        self.tokens = TOKEN.findall(bytes(text))

    WEIGHTED = [delete] * 2 + [duplicate] * 2 + [swap] + [replace] * 2 + [insert] * 2 + [rename] * 10 + [renumber] * 8 + \
        [retype] * 6 + [other_operator] * 6 + [add_type_word] * 3 + [pointer] * 4 + [exchange_groups] * 6 + [empty_group] * 2 + \
        [wrap_group] * 5 + [delete_statement] * 3 + [move_statement] * 7 + [splice, truncate, garble]

    def mutate(self):
        if self.solid(self.tokens):
            self.rng.choice(self.WEIGHTED)(self)


def corpus(root):
    """The texts of the test programs, in an order that does not depend on the machine. What is right counts three times:
    few mutants of the programs that break a rule get past the rules."""
    folders = ["samples", "test/run"] * 3 + ["test/restrict"]
    names = sorted(n for folder in folders for n in glob.glob(os.path.join(root, folder, "*.ampc")))
    return [open(name, "rb").read() for name in names]


def mutant(texts, seed):
    rng = random.Random(seed)
    m = Mutator(rng, rng.choice(texts), rng.choice(texts))
    for _ in range(rng.choice([1, 1, 1, 1, 2, 3, 8])):
        m.mutate()
    return b"".join(m.tokens)
