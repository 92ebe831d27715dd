"""The lines of the keys of a TOML text, and of what stands in their values."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.base.text.toml import KeyLines, Path

TEXT = '''\
title = "a [box]"  # b = 3
b.c = [
  1,
  "x", # y
  2,
]
"quoted key" = """
[piece]
d = 4
"""

[piece]  # x
cells = "x"
copies = { least = 1, most = 2 }

[[part]]
name = "one"

[[part]]
name = "two"
[part.paint]
x = 1
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 1),
        (("b",), 2),
        (("b", "c"), 2),
        (("quoted key",), 7),
        (("piece",), 12),
        (("piece", "cells"), 13),
        (("piece", "copies"), 14),
        (("piece", "copies", "most"), 14),  # the line of its table
        (("piece", "d"), 12),  # a text has no keys
        (("part", 0), 16),
        (("part", 0, "name"), 17),
        (("part", 1), 19),
        (("part", 1, "name"), 20),
        (("part", 1, "paint"), 21),
        (("part", 1, "paint", "x"), 22),
        (("missing",), None),
    ],
)
def test_a_key_has_its_line(path: Path, line: int | None) -> None:
    assert tomllib.loads(TEXT)["piece"]["copies"] == {"least": 1, "most": 2}
    assert KeyLines(TEXT).line(path) == line


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_word_is_found_in_the_value_of_its_key_alone(end: str) -> None:
    """It may be there twice, or on the lines of the keys around, too."""
    lines = KeyLines(TEXT.replace("\n", end))
    assert lines.line(("b", "c"), "x") == 4
    assert lines.line(("b", "c"), "2") == 5
    assert lines.line(("title",), "c") == 1
    assert lines.line(("quoted key",), "4") == 9
    assert lines.line(("piece", "copies"), "name") == 14
    assert lines.line(("piece",), "cells") == 12
    assert lines.line(("part", 1, "paint", "x"), "1") == 22
    assert lines.words(("part", 0, "name")) == {"name": 17, "=": 17, "one": 17}
    assert lines.words(("b", "c"))["x"] == 4
    assert "quoted" not in lines.words(("b", "c"))


NAMES = st.text("abc", min_size=1, max_size=3)
VALUES = st.sampled_from(['"x"', "[\n1,\n2,\n]", "'''\n[a]\nb = 1\n'''", "{ a = 1 }", "1 # [c]"])


@given(st.lists(st.tuples(NAMES, VALUES, st.integers(0, 2)), max_size=6, unique_by=lambda t: t[0]))
def test_keys_come_on_their_lines_whatever_stands_between(keys: list[tuple[str, str, int]]) -> None:
    text, wanted = "", {}
    for name, value, blank in keys:
        text += "# a = 1\n" * blank
        wanted[name] = text.count("\n") + 1
        text += f"{name} = {value}\n"
    assert tomllib.loads(text).keys() == wanted.keys()
    lines = KeyLines(text)
    assert {name: lines.line((name,)) for name in wanted} == wanted
