"""Whatever is in a file: a puzzle, or one of our own errors, and soon."""

from __future__ import annotations

import random
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from exactcover.errors import ExactCoverError
from exactcover.formats import FORMATS, Document, parse
from exactcover.formats.contents import decoded
from exactcover.lattices import get_lattice
from tests.helpers.polycube_texts import PENTOMINOES, TETRIS_CUBE

FORMS = [form.name for form in FORMATS]

VALID = {
    "polycube": TETRIS_CUBE + PENTOMINOES,
    "toml": """\
title = "all of it"
lattice = "square"
reflections = true
pieces = ["tetrominoes", "O pentomino x 2", "domino any", '''
A A .
. A B
''']
[counts]
all = 12
[region]
plus = ["box 6x5 at -1,2", { family = "diamond", sizes = [2], at = [9, 9] }, { drawing = '''
# # .
. # #''', at = [20, 0] }]
minus = { cells = [[9, 9]] }
optional = ["1x1"]
empty = "0..1"
[[piece]]
name = "Q"
cells = [[0, 0], [1, 1]]
copies = "1..3"
[[piece]]
name = "S"
cells = [[0, 3]]
stationary = true
""",
    "xmpuzzle": """\
<?xml version="1.0"?>
<puzzle version="2"><gridType type="0"/><colors><color red="1" green="2" blue="3"/></colors>
<shapes><voxel x="3" y="2" z="1" type="0" name="box">##1#+#+1</voxel>
<voxel x="2" y="1" z="1" type="0">#1#</voxel><voxel x="1" y="1" z="1" type="0">#</voxel></shapes>
<problems><problem name="one" state="0"><shapes><shape id="1" count="2"/>
<shape id="2" min="0" max="2"/></shapes><result id="0"/>
<bitmap><pair piece="0" result="0"/></bitmap><solutions/></problem></problems>
<comment>count all: 3</comment></puzzle>
""",
    "jsonl": """\
# two
{"title": "one", "pieces": ["tetrominoes", "domino any"], "region": {"plus": ["box 6x5 at -1,2"]}}
{"lattice": "square", "piece": [{"name": "Q", "cells": [[0, 0], [1, 1]], "copies": "1..3"}],
"region": "3x2", "counts": {"all": 12}}
""".replace(",\n", ", "),
    "dlx": "| title: x\na 2|b 1:3|c | d e\na d:red b |7\nb c e:blue d:red |$1.5\nc\n",
}

TOKENS = [
    "#", "'''", '"""', '"', "\n", "\r\n", "[", "]", "{", "}", "=", ",", ":", "|", "~L\n", "~D\n",
    "L\n", "D:xDim=3:yDim=3:zDim=1\n", "-1", "0", "99999999999999999999", "1e400", "nan", "true",
    "..", "x", " at ", "any", "[[puzzle]]\n", "[region]\n", "[[piece]]\n", "cells = [[0,0,0]]\n",
    'lattice = "triangular"\n', 'lattice = "cubic"\n', "2024-01-01", "\\u0000", "\u2028", "\u00e9",
    "<", "/>", "&lt;", "<a>", "</puzzle>", "<!--", "]]>", "<![CDATA[", "<!DOCTYPE a>", "_", "#1",
    "0x10", "1_0", "a.b.c = 1\n", "inf", "[[[[[[[[", "\ufeff", "\t",
]  # fmt: skip


def read(text: str, form: str | None) -> list[Document]:
    """The documents, or none where it is one of our errors; and it must not take long."""
    began = process_time()
    try:
        return parse(text, form, file="x")
    except ExactCoverError:
        return []
    finally:
        assert process_time() - began < 20


def test_the_valid_ones_are_valid() -> None:
    for form, text in VALID.items():
        assert read(text, form)
        assert read(text, None), "and their beginning tells their format"


@given(raw=st.binary(max_size=200), form=st.sampled_from([*FORMS, None]))
def test_bytes(raw: bytes, form: str | None) -> None:
    try:
        text = decoded(raw, "x", "x", 1 << 20).text
    except ExactCoverError:
        return
    read(text, form)


@given(text=st.text(max_size=200), form=st.sampled_from(FORMS))
@example(text="a" * 100 + "." * 100, form="toml")
def test_texts(text: str, form: str) -> None:
    read(text, form)


@given(data=st.data(), form=st.sampled_from(FORMS))
def test_mutations(data: st.DataObject, form: str) -> None:
    text = VALID[form]
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        stop = start + data.draw(st.sampled_from([0, 0, 1, 2, 5, 30]))
        text = text[:start] + data.draw(st.sampled_from(["", *TOKENS])) + text[stop:]
    for document in read(text, form):
        assert document.content is not None


@given(words=st.lists(st.sampled_from(TOKENS), max_size=30), form=st.sampled_from(FORMS))
def test_shuffled_tokens(words: list[str], form: str) -> None:
    read("".join(words), form)


@given(
    lattice=st.sampled_from(
        ["line", "square", "cubic", "hypercubic", "hexagonal", "triangular", "sticks", "fcc"]
    ),
    drawing=st.text("#.^v-|+, \n\tA", max_size=40),
    key=st.sampled_from(["region", "pieces"]),
)
def test_drawings(lattice: str, drawing: str, key: str) -> None:
    read(f'lattice = "{lattice}"\npieces = "monomino"\nregion = "1"\n', "toml")
    width = get_lattice(lattice).width
    piece = f"[[piece]]\nname = 'p'\ncells = [{[0] * width}]\n"
    read(f"lattice = '{lattice}'\n{key} = '''\n{drawing}\n'''\n{piece}", "toml")


LARGE: dict[str, tuple[str | None, str]] = {
    "deep arrays": ("toml", "a = " + "[" * 100_000),
    "deep tables": ("toml", "a = " + "{a=" * 50_000),
    "a long number": ("toml", "a = " + "9" * 100_000),
    "many sections": ("toml", "[[puzzle]]\n" * 20_000),
    "quotes": ("toml", 'a = "' + '\\"' * 200_000),
    "a long key": ("toml", ".".join("a" * 500) + " = 1"),
    "a longer key": ("toml", ".".join("a" * 1_000_000) + " = 1"),
    "many long keys": ("toml", "".join(f"k{n}{'.a' * 60} = 1\n" for n in range(3000))),
    "many blanks": ("toml", "pieces = 'a" + " " * 1_000_000 + "'\n"),
    "a region of blanks": ("toml", "lattice = '2d'\nregion = 'a" + " 1" * 1_000_000 + " a'\n"),
    "no sign of a format": (None, "a." * 1_000_000 + "\n"),
    "many parts": ("toml", "lattice = 'square'\nregion = [" + "'1x1'," * 5000 + "]\n"),
    "large parts": ("toml", "lattice = 'square'\nregion = [" + "'999x999'," * 999 + "]\n"),
    "a large set": ("toml", "pieces = 'polyominoes of 99'\n"),
    "a large set in 6-D": ("toml", "lattice = '6d'\npieces = 'dodecacubes'\n"),
    "copies": ("toml", "pieces = 'domino x 999999999'\nregion = '2x2'\n"),
    "a long row": ("polycube", "D:xDim=2:yDim=2:zDim=1\nL\n" + "A " * 500_000 + "\n~L\n~D\n"),
    "many layers": ("polycube", "D:xDim=2:yDim=2:zDim=1\nL\n" + "A," * 500_000 + "\n~L\n~D\n"),
    "many puzzles": (
        "polycube",
        "D:xDim=1:yDim=1:zDim=1\nC:name=A:type=M:layout=0 0 0\n~D\n" * 5000,
    ),
    "a long name": ("polycube", "D:" + "x" * 1_000_000),
    "many fields": ("polycube", "D" + ":" * 1_000_000),
    "many items": ("dlx", "a" + " ".join(map(str, range(100_000))) + "\n"),
    "a long multiplicity": ("dlx", "9" * 100_000 + "|a\n"),
    "many options": ("dlx", "a b | c\n" + "a c:x |3\n" * 100_000),
    "a long option": ("dlx", "a " * 100_000),
}


SLOW = (
    "large parts",
    "a large set in 6-D",
    "many long keys",
    "many puzzles",
    "many sections",
    "many layers",
)


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=[pytest.mark.slow] * (what in SLOW)) for what in LARGE]
)
def test_large_and_odd(what: str) -> None:
    form, text = LARGE[what]
    read(text, form)


def test_single_bytes_changed() -> None:
    """Every byte of a small file, replaced: no reader ever fails in a way of its own."""
    dice = random.Random(1)
    for form, text in VALID.items():
        places = range(len(text)) if form == "dlx" else dice.sample(range(len(text)), 150)
        for place in places:
            changed = text[:place] + dice.choice("#[]{}=,:|~LDx0 9'\"\n") + text[place + 1 :]
            read(changed, form)
