"""Files of about 1 MB that are made to take long: each is read, or refused with its limit, soon."""

from __future__ import annotations

from contextlib import suppress
from time import process_time

import pytest

from exactcover.errors import ExactCoverError
from exactcover.formats import parse

SECONDS = 10
"""What took minutes takes one or two seconds; a busy machine may take longer."""


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


@pytest.mark.parametrize(
    ("form", "text"),
    [
        pytest.param(form, text, id=f"{form}-{what}", marks=[pytest.mark.slow] * (what in SLOW))
        for what, (form, text) in LARGE.items()
    ],
)
def test_a_large_file_is_read_or_refused_soon(form: str | None, text: str) -> None:
    began = process_time()
    with suppress(ExactCoverError):
        parse(text, form, file="x")
    assert process_time() - began < SECONDS
