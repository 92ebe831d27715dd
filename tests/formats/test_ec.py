"""`p ec` files, and the texts in which set partitioning is published."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.errors import ConversionError
from exactcover.formats import Document, parse, read_file, write
from exactcover.formats.files import sniffed
from exactcover.problem import Problem

MARKED = "c n = 4, m = 5\n\np ec 4 5\ns 1 3\ns 2\ns 4\nc a remark\ns 2 4\ns 3 1\n"
COUNTED = "4 5\n2 1 3\n1 2\n1 4\n\n  2   2 4 \n2 3 1\n \n"
PRICED = "  4\t5\r\n30 2 1 3\r\n 5 1 2\r\n-7 1 4\r\n  0 2  2 4\r\n1 2 3 1\r\n"


@pytest.mark.parametrize(
    ("ending", "text"), [(".ec", MARKED), (".ec", COUNTED), (".txt", COUNTED), (".txt", PRICED)]
)
def test_one_problem_in_every_form(ending: str, text: str, tmp_path: Path) -> None:
    """Options are those of the file in its order; their number in `p ec` may be left out."""
    path = tmp_path / f"x{ending}"
    path.write_text(text.replace("p ec 4 5", "p ec 4") if ending == ".ec" else text, newline="")
    [document] = read_file(path)
    problem = document.problem
    options = [sorted((problem.items_of(o) + 1).tolist()) for o in range(problem.n_options)]
    assert options == [[1, 3], [2], [4], [2, 4], [1, 3]]
    assert list(problem.items) == [1, 2, 3, 4]
    assert ec.count(problem) == 4
    costs = None if problem.costs is None else problem.costs.tolist()
    assert costs == ([30, 5, -7, 0, 1] if text == PRICED else None)


@st.composite
def plain(draw: st.DrawFn) -> Problem:
    items = draw(st.integers(1, 6))
    row = st.lists(st.integers(0, items - 1), min_size=1, unique=True)
    rows = draw(st.lists(row, max_size=8))
    starts = np.cumsum([0, *map(len, rows)])
    return Problem.from_arrays(items, starts, np.array([*chain(*rows)], np.int32))


@given(plain())
def test_what_is_written_is_read_as_it_was(problem: Problem) -> None:
    text = write([Document("x", problem, "a title", "a book", {"all": 3})], "ec")
    assert sniffed(text) == "ec"
    [again] = parse(text)
    assert (again.title, again.source, again.counts) == ("a title", "a book", {"all": 3})
    assert np.array_equal(again.problem.starts, problem.starts)
    assert np.array_equal(again.problem.entries, problem.entries)
    assert again.problem.n_items == problem.n_items


def test_names_and_costs_become_comments() -> None:
    assert write(parse("a b\na b |2\n", "dlx"), "ec") == (
        "c the costs of the options are left out: ec cannot say them\n"
        "c 1 = a\nc 2 = b\np ec 2 1\ns 1 2\n"
    )


def test_an_item_called_c_is_still_knuths() -> None:
    assert sniffed("c d\nc\nd\n") == sniffed("c p\np c\n") == "dlx"
    assert sniffed("c d\np ec 3\n") == "ec"


@pytest.mark.parametrize("text", ["2|a\na\n", "a 0:1|b\na\n", "a | b\na b\n", "a | b\na b:x\n"])
def test_only_items_covered_once_can_be_written(text: str) -> None:
    with pytest.raises(ConversionError, match="covered exactly once"):
        write(parse(text, "dlx"), "ec")
