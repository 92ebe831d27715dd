"""New inputs from old ones: changed by bytes, and by what they are made of.

Bytes alone seldom get past the first check of a reader. So words, lines, numbers and whole blocks
are taken out, put in twice, or replaced by those that have gone wrong somewhere before; and now and
then one part is repeated until the input is large, which shows what takes too long.
"""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Callable, Sequence

LARGEST = 1 << 20
LARGE_ONES = 400
"""One input of so many is large."""

NUMBERS = (
    b"0", b"1", b"-1", b"2", b"7", b"999999999", b"1000000000", b"1073741825", b"2147483648",
    b"9223372036854775808", b"99999999999999999999", b"9" * 400, b"9" * 5000, b"1e400", b"1e-400",
    b"0.1", b"-0.0", b"nan", b"inf", b"0x10", b"0x" + b"f" * 5000, b"1_0", b"1/0", b"1/3",
    b"0..3", b"3..0", b"2..",
    "\u0663".encode(), "\u00b2".encode(), b"1\x1f", b" 1 ",
)  # fmt: skip

TOKENS = (
    b"#", b"'''", b'"""', b'"', b"'", b"\n", b"\r\n", b"\r", b"[", b"]", b"{", b"}", b"=", b",",
    b":", b";", b"|", b"@", b"/", b"\\", b"~L\n", b"~D\n", b"L\n", b"D:xDim=3:yDim=3:zDim=1\n",
    b"..", b" x ", b" at ", b"any", b"cost", b"[[puzzle]]\n", b"[region]\n", b"[[piece]]\n",
    b"[[costs]]\n", b"cells = [[0,0,0]]\n", b'lattice = "triangular"\n', b'lattice = "cubic"\n',
    b"lattice = 'no.toml'\n", b"2024-01-01", b"\\u0000", b"\\u001b", b"\\u202e", b"\\ud800",
    b"\x00", b"\x1b[31m", b"\x1f", b"\x7f", b"\xff", b"\xc3", "\x9b".encode(), "\u202e".encode(),
    "\u2028".encode(), "\u00e9".encode(), "\ufeff".encode(), b"<", b"/>", b"&lt;", b"&#27;",
    b"&#x9b;", b"&#x202e;", b"<a>", b"</puzzle>", b"<!--", b"]]>", b"<![CDATA[", b"<!DOCTYPE a>",
    b"_", b"#1", b"+", b"title: x", b"source: x\n", b"count all: 5", b"a.b.c = 1\n", b'"a b".',
    b"true", b"null", b"[[[[[[[[", b"\t", b"--", b"-", b"first", b"none", b"nof", b"seed=",
    b"dlx:", b"fila:", b"automaton:", b"random", b"pentominoes", b"one-sided", b"4d", b"box",
    b"diamond", b"10x6",
)  # fmt: skip

WORD = re.compile(rb"[\w.+-]+|\s+|[^\w\s]")
NUMBER = re.compile(rb"[0-9]+")


class Mutator:
    """Draws inputs from a corpus, the same for the same seed."""

    def __init__(self, corpus: Sequence[bytes], seed: int) -> None:
        self.corpus, self.random = corpus, random.Random(seed)
        self.ways: tuple[Callable[[bytes], bytes], ...] = (
            self.byte, self.byte, self.cut, self.token, self.token, self.number, self.number,
            self.word, self.line, self.block, self.splice,
        )  # fmt: skip

    def draw(self) -> bytes:
        """An input that is made of one or two of the corpus."""
        raw = self.mutated(self.random.choice(self.corpus))
        if self.random.randrange(LARGE_ONES) == 0:
            raw = self.enlarged(raw)
        return raw

    def mutated(self, raw: bytes) -> bytes:
        """An input, changed a few times."""
        packed = raw.startswith(b"\x1f\x8b") and self.random.random() < 0.8
        if packed:
            raw = gzip.decompress(raw)
        for _ in range(self.random.choice((1, 1, 2, 3, 6))):
            raw = self.random.choice(self.ways)(raw)[:LARGEST]
        return gzip.compress(raw, 1) if packed else raw

    def place(self, raw: bytes) -> int:
        return self.random.randint(0, len(raw))

    def byte(self, raw: bytes) -> bytes:
        at = self.place(raw)
        new = self.random.choice((self.random.randrange(256), self.random.randrange(32, 127)))
        return raw[:at] + bytes([new]) + raw[at + self.random.randint(0, 1) :]

    def cut(self, raw: bytes) -> bytes:
        at = self.place(raw)
        return raw[:at] + raw[at + self.random.choice((1, 2, 5, 20, 100)) :]

    def token(self, raw: bytes) -> bytes:
        at = self.place(raw)
        gone = self.random.choice((0, 0, 1, 3))
        return raw[:at] + self.random.choice(TOKENS) + raw[at + gone :]

    def number(self, raw: bytes) -> bytes:
        found = [*NUMBER.finditer(raw[:20_000])]
        if not found:
            return self.token(raw)
        one = self.random.choice(found)
        return raw[: one.start()] + self.random.choice(NUMBERS) + raw[one.end() :]

    def word(self, raw: bytes) -> bytes:
        """One word where another was."""
        found = [*WORD.finditer(raw[:20_000])]
        if not found:
            return self.token(raw)
        one, other = self.random.choice(found), self.random.choice(found)
        return raw[: one.start()] + other.group() + raw[one.end() :]

    def line(self, raw: bytes) -> bytes:
        lines = raw.split(b"\n")
        at, other = self.random.randrange(len(lines)), self.random.randrange(len(lines))
        way = self.random.randrange(3)
        if way == 0:
            lines[at], lines[other] = lines[other], lines[at]
        elif way == 1:
            lines.insert(at, lines[other])
        else:
            del lines[at]
        return b"\n".join(lines)

    def block(self, raw: bytes) -> bytes:
        """A part once more, some times."""
        at = self.place(raw)
        part = raw[at : at + self.random.choice((1, 3, 10, 40))]
        return raw[:at] + part * self.random.choice((1, 2, 5, 70)) + raw[at:]

    def splice(self, raw: bytes) -> bytes:
        other = self.random.choice(self.corpus)
        return raw[: self.place(raw)] + other[self.place(other) :]

    def enlarged(self, raw: bytes) -> bytes:
        """A part repeated until the input is large."""
        raw = raw[:10_000]
        at = self.place(raw)
        if self.random.random() < 0.5:
            at = raw.rfind(b"\n", 0, at) + 1
            end = raw.find(b"\n", at) + 1 or len(raw)
        else:
            end = at + self.random.choice((1, 2, 5, 20))
        part = raw[at:end] or self.random.choice(TOKENS)
        size = self.random.choice((30_000, 200_000, LARGEST - len(raw)))
        if self.random.random() < 0.5 and NUMBER.search(part):
            count = size // (len(part) + 4)
            parts = [NUMBER.sub(b"%d" % number, part, count=1) for number in range(count)]
            return raw[:at] + b"".join(parts) + raw[end:]
        return raw[:at] + part * (size // len(part)) + raw[end:]
