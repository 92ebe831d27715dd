"""Files of about 1 MB that are made to take long: each is read, or refused with its limit, soon."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import process_time

import pytest

from exactcover.errors import ExactCoverError
from exactcover.formats import parse

MB = 1 << 20
SECONDS = 10
"""What took minutes takes one or two seconds; a busy machine may take longer."""


def repeated(part: str, size: int = MB) -> str:
    return part * (size // len(part) + 1)


def numbered(part: str, count: int) -> str:
    return "".join(part.format(number) for number in range(count))


ITEMS = " ".join(f"i{number}" for number in range(70_000))
KNUTH = {
    "costs on an option": "a b\na " + repeated("|1 "),
    "an option of all items": f"{ITEMS}\n{ITEMS}\n",
    "an item twice at the end of a long option": f"{ITEMS}\n{ITEMS} i69999\n",
    "sources": repeated("|source: x\n") + "a\na\n",
    "colours": "a | c\n" + numbered("a c:{}\n", 100_000),
    "options of one item": "a\n" + repeated("a\n"),
}

BOX = "D:xDim=2:yDim=2:zDim=1\n"
POLYCUBE = {
    "pieces": BOX + numbered("C:name={}:type=M:layout=0 0 0\n", 30_000) + "~D\n",
    "puzzles": repeated("D:xDim=1:yDim=1:zDim=1\nC:name=A:type=M:layout=0 0 0\n~D\n"),
    "boxes": repeated("D:xDim=1000:yDim=1000:zDim=1\nC:name=A:type=M:layout=0 0 0\n~D\n", 200),
    "drawn pieces": f"{BOX}L\n{numbered('{} ', 150_000)}\n~L\n~D\n",
}

SQUARE = 'lattice = "square"\nregion = "2x2"\n'
TOML = {
    "a quoted key": ".".join(['"a b"'] * 30_000) + " = 1\n",
    "a quoted header": "[" + ".".join(["'a . b'"] * 30_000) + "]\n",
    "a key in an inline table": "x = {" + ".".join(['"a"'] * 30_000) + " = 1}\n",
    "keys of some parts": "[a.b.c.d.e.f.g.h]\n" + numbered("k{}.b.c.d.e.f.g.h = 1\n", 40_000),
    "tables of pieces": SQUARE + numbered("[[piece]]\nname='{}'\ncells=[[0,0]]\n", 26_000),
    "drawn pieces": f"{SQUARE}pieces='''\n{numbered('{} ', 150_000)}\n'''\n",
    "drawn pieces on rows": f"{SQUARE}pieces='''\n" + numbered("a{}\n", 9_900) + "'''\n",
    "names of pieces": f"{SQUARE}pieces=[" + repeated('"monomino",\n') + "]\n",
    "sets of pieces": repeated('[[puzzle]]\nregion="1x1x1"\npieces="hexacubes"\n'),
    "puzzles": repeated('[[puzzle]]\nregion="1x1"\npieces="monomino"\n'),
    "costs": SQUARE + 'pieces="monomino"\n' + repeated('[[costs]]\nregion="999x999"\ncost=1\n'),
    "layers": f"lattice='4d'\npieces='monocube'\nregion='''\n{repeated('#,')}\n'''\n",
    "layers and rows": "lattice='3d'\npieces='monocube'\nregion='''\n"
    + repeated("#,", MB // 2)
    + repeated("\n#", MB // 2)
    + "\n'''\n",
    "lattice": SQUARE
    + '[lattice]\nname="q"\ndimension=2\nrotations=['
    + repeated("[[0,-1],[1,0]],")
    + "]\nreflections=[]\nneighbours=[]\n",
}

VOXEL = '<voxel x="1" y="1" z="1" type="0" name="a">#</voxel>'
PIECE = '<shape id="0" count="1"/>'
PROBLEM = f'<problem><shapes>{PIECE}</shapes><result id="0"/><bitmap/></problem>'


def xmpuzzle(shapes: str, problems: str, comment: str = "", grid: int = 0) -> str:
    return (
        f'<puzzle version="2"><gridType type="{grid}"/><colors/><shapes>{shapes}</shapes>'
        f"<problems>{problems}</problems><comment>{comment}</comment></puzzle>"
    )


XMPUZZLE = {
    "problems and sources": xmpuzzle(VOXEL, PROBLEM * 2000, "source: a book\n" * 5000),
    "problems and titles": xmpuzzle(VOXEL, PROBLEM * 2000, "title: x\n" * 90_000),
    "pieces of one name": xmpuzzle(VOXEL, PROBLEM.replace(PIECE, PIECE * 40_000)),
    "shapes of prisms": xmpuzzle(VOXEL * 19_000, PROBLEM, grid=1),
    "spheres": xmpuzzle(VOXEL, PROBLEM.replace(PIECE, PIECE * 9_000) * 4, grid=2),
    "large prisms": xmpuzzle(
        f'<voxel x="100" y="100" z="1" type="0">{"#" * 10_000}</voxel>' * 99, PROBLEM, grid=1
    ),
}


def soon(read: Callable[[], object]) -> None:
    """Read it or refuse it, and either soon."""
    began = process_time()
    with suppress(ExactCoverError):
        read()
    assert process_time() - began < SECONDS


QUICK: dict[str, tuple[str | None, str]] = {
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
    "a large set in 5-D": ("toml", "lattice = '5d'\npieces = 'dodecacubes'\n"),
    "copies": ("toml", "pieces = 'domino x 999999999'\nregion = '2x2'\n"),
    "a long row": ("polycube", "D:xDim=2:yDim=2:zDim=1\nL\n" + "A " * 500_000 + "\n~L\n~D\n"),
    "many layers": ("polycube", "D:xDim=2:yDim=2:zDim=1\nL\n" + "A," * 500_000 + "\n~L\n~D\n"),
    "a long name": ("polycube", "D:" + "x" * 1_000_000),
    "many fields": ("polycube", "D" + ":" * 1_000_000),
    "many items": ("dlx", "a" + " ".join(map(str, range(100_000))) + "\n"),
    "a long multiplicity": ("dlx", "9" * 100_000 + "|a\n"),
    "many options": ("dlx", "a b | c\n" + "a c:x |3\n" * 100_000),
    "a long option": ("dlx", "a " * 100_000),
    "many numbers": ("ec", "p ec 1000000\ns " + " ".join(map(str, range(1, 100_001))) + " 100000"),
    "many costs": ("ec", "9 100000\n" + "30 2 1 3\n" * 100_000),
    "many comments": ("ec", "c\n" * 300_000),
    "many comments of no format": (None, "c p ec\n" * 200_000 + "p e"),
}


SLOW = {
    *("large parts", "a large set in 5-D", "many long keys", "many sections", "many layers"),
    *("a long row", "many comments of no format", "many costs", "many parts"),
}

SLOWER = {"dlx": KNUTH, "polycube": POLYCUBE, "toml": TOML, "xmpuzzle": XMPUZZLE}

FILES = [
    *((form, what, text, what in SLOW) for what, (form, text) in QUICK.items()),
    *((form, what, text, True) for form in SLOWER for what, text in SLOWER[form].items()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("form", "text"),
    [
        pytest.param(form, text, id=f"{form}-{what}", marks=[pytest.mark.slow] * slow)
        for form, what, text, slow in FILES
    ],
)
def test_a_large_file_is_read_or_refused_soon(form: str | None, text: str) -> None:
    soon(lambda: parse(text, form, file="x"))
