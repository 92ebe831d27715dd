"""A lattice describes itself: what a built-in one says can be said in a file, and does the same."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.errors import FormatError, LatticeError, PuzzleError
from exactcover.formats import parse
from exactcover.formats.document import Document
from exactcover.formats.toml.puzzles import write_toml
from exactcover.geometry.cells import CellSet
from exactcover.geometry.regions import families, region_cells
from exactcover.geometry.sketches import sketch_of, sketched_cells
from exactcover.lattices import Lattice, get_lattice, lattices
from exactcover.lattices.family import check_expression, value_of
from exactcover.lattices.lattice_file import lattice_from_fields
from exactcover.lattices.registry import BUILT_IN, Entry
from exactcover.puzzle.library import is_set, piece_set
from exactcover.show.text import places_in
from tests.helpers.lattices_under_test import DATA, EVERY, KAGOME, name_of

Cell = tuple[int, ...]


def box(lattice: Lattice, side: int) -> list[Cell]:
    ranges = [range(side)] * lattice.dimension
    if lattice.width > lattice.dimension:
        ranges.append(range(len(lattice.kinds)))
    return list(product(*ranges))


@cache
def from_file(lattice: Lattice) -> Lattice:
    """The lattice as a TOML file gives it back, under a name that is not registered."""
    own = replace(lattice, name=f"my-{lattice.name}")
    cell = box(lattice, 1)[0]
    puzzle = ec.Puzzle(own, ec.Region([cell], []), [ec.Piece("A", [cell])])
    [document] = parse(write_toml([Document("one", puzzle)]), "toml")
    assert document.puzzle is not None
    return document.puzzle.lattice


# -- every lattice --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_index_says_what_the_lattice_says(name: str) -> None:
    lattice = lattices()[name]
    assert lattice.name == name
    assert Entry.of(lattice, BUILT_IN[name].place) == BUILT_IN[name]


@pytest.mark.parametrize("lattice", EVERY, ids=name_of)
def test_a_file_says_all_that_a_lattice_is(lattice: Lattice) -> None:
    copy = from_file(lattice)
    same = [field for field in vars(copy) if field in lattice.__dataclass_fields__]
    differ = [one for one in same if getattr(copy, one) != getattr(lattice, one)]
    assert set(differ) <= {"name", "names", "views", "sketch"}


@pytest.mark.parametrize("lattice", EVERY, ids=name_of)
def test_named_sets_are_pieces_of_the_lattice(lattice: Lattice) -> None:
    for name, named in lattice.piece_names.sets.items():
        pieces = piece_set(name, lattice)
        assert list(pieces.pieces) == list(named.pieces)
        assert set(named.aliases.values()) <= set(pieces.pieces)
        assert all(is_set(other, lattice) for other in (name, *named.also))


@pytest.mark.parametrize("lattice", EVERY, ids=name_of)
def test_each_cell_has_a_place_of_its_own_in_each_view(lattice: Lattice) -> None:
    cells = CellSet.of(lattice, np.array(box(lattice, 4 if lattice.dimension < 4 else 2))).cells
    for view in lattice.views.values():
        places = places_in(view, lattice, cells, 1)
        assert places is not None
        assert len(set(places)) == len(cells)


@given(st.data())
def test_a_drawing_is_read_as_it_was_written(data: st.DataObject) -> None:
    lattice = data.draw(st.sampled_from([one for one in EVERY if one.sketch is not None]))
    some = data.draw(st.lists(st.sampled_from(box(lattice, 3)), min_size=1, unique=True))
    cells = CellSet.of(lattice, np.array(some)).cells
    text = sketch_of(lattice, cells)
    assert text is not None
    again = CellSet.of(lattice, np.array(sketched_cells(lattice, text))).cells
    moved = lattice.vectors(again) - lattice.vectors(again)[:1]
    assert np.array_equal(moved, lattice.vectors(cells) - lattice.vectors(cells)[:1])
    assert np.array_equal(lattice.kind_numbers(again), lattice.kind_numbers(cells))


# -- the kagome lattice, from a file --------------------------------------------------------------

SIX = """
lattice = "kagome.toml"
pieces = "dirhomb any"
region = "hexagon 2"
"""


TRIO = """
lattice = "kagome.toml"
pieces = "trirhombs BC, D tetrarhomb, monorhomb any"
region = { plus = "3x2", minus = { cells = [[2, 1, 0], [2, 1, 2]] } }
"""


def read(text: str) -> Any:
    [document] = parse(text, "toml", file=str(DATA / "puzzle.toml"))
    return document


def test_it_has_regions() -> None:
    """The edges of triangles inside a hexagon, without those on its sides."""
    sticks = get_lattice("sticks-triangular")
    for n in range(1, 6):
        edges = len(region_cells(sticks, "hexagon", [n]))
        assert len(region_cells(KAGOME, "hexagon", [n])) == edges - 6 * n == 3 * n * (3 * n - 1)
    assert [family.usage for family in families(KAGOME)] == [
        "box a b",
        "hexagon n",
        "strip length width",
    ]
    with pytest.raises(PuzzleError, match="it needs width <= length, not 2 3"):
        region_cells(KAGOME, "strip", [2, 3])


def test_its_puzzles_are_solved() -> None:
    puzzle = read(SIX).puzzle
    cells = frozenset(map(tuple, region_cells(KAGOME, "hexagon", [2]).tolist()))
    assert ec.count(puzzle, counted="all") == _matchings(KAGOME, cells)


def _matchings(lattice: Lattice, left: frozenset[Cell]) -> int:
    """The ways to cover cells with pairs of neighbours, one by one."""
    if not left:
        return 1
    first = min(left)
    vector, kind = lattice.vectors(np.array(first)), first[-1]
    around = ((*(vector + o[:2]).tolist(), int(o[2])) for o in lattice.adjacent[kind])
    return sum(_matchings(lattice, left - {first, other}) for other in around if other in left)


@pytest.mark.parametrize(
    "text",
    [
        SIX,
        TRIO,
        'lattice = "kagome.toml"\npieces = "trirhombs any"\nregion = "strip 3 2"\nwrap = "torus"\n',
    ],
)
def test_its_puzzles_come_back_from_a_file(text: str) -> None:
    document = read(text)
    [again] = parse(write_toml([document]), "toml")
    puzzle = document.puzzle
    assert again.puzzle.region == puzzle.region
    for one, other in zip(
        again.puzzle.pieces, puzzle.pieces, strict=True
    ):  # a drawing has no order
        assert (one.name, one.low, one.high) == (other.name, other.low, other.high)
        assert sorted(one.cells.tolist()) == sorted(other.cells.tolist())
    assert ec.first(again.puzzle) is not None
    assert again.puzzle.lattice == KAGOME


# -- what does not fit ----------------------------------------------------------------------------


def changed(old: str, new: str) -> str:
    text = (DATA / "kagome.toml").read_text()
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "hexagon"', 'name = "box"', "every lattice has a box"),
        ('sizes = ["n"]', 'sizes = ["x"]', "'x' is no name of a size"),
        ('limits = ["-n..n"', 'limits = ["-m..n"', "m is none of the names n"),
        ("abs(x) < n", "x < '", "is no expression"),
    ],
)
def test_parts_that_make_no_sense(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(changed(old, new))
    with pytest.raises(FormatError, match=message) as caught:
        get_lattice(str(path))
    assert str(path) in str(caught.value)


def test_cells_name_their_kinds() -> None:
    text, old = (DATA / "kagome.toml").read_text(), "[[[0, 0, 0], [0, 0, 1]]]"
    assert old in text
    text = text.replace(old, '[[[0, 0, "level"], [0, 0, "rising"]]]')
    assert lattice_from_fields(tomllib.loads(text)) == KAGOME


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("dimension = 2", "dimension = 7", "1 to 6 dimensions"),
        ("reflections = ", "reflections = [[[0, -1], [1, 1]]] #", "is no reflection"),
        ('rising = [0, "1/2"]', "rising = [0]", "the centre of 'rising' has 1 coordinates"),
        ("[0, 0, 1]]]", '[0, 0, "leevl"]]]', r"neighbours\[0\]\[1\]\[2\]: 'leevl' should be a wh"),
    ],
)
def test_an_error_says_its_line(tmp_path: Path, right: str, wrong: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(changed(right, wrong))
    line = next(n for n, row in enumerate(path.read_text().splitlines(), 1) if wrong in row)
    with pytest.raises(FormatError, match=message) as caught:
        get_lattice(str(path))
    assert (caught.value.file, caught.value.line) == (str(path), line)
    puzzle = f'pieces = "domino"\nlattice = "{path}"\nregion = "hexagon 2"\n'
    with pytest.raises(FormatError, match=f":2: {re.escape(str(path))}:{line}: "):
        parse(puzzle, "toml", file=str(tmp_path / "puzzle.toml"))


@given(st.text("nx+-*/%<>=()., 019abs", max_size=40))
def test_any_text_is_a_condition_or_refused(text: str) -> None:
    try:
        check_expression(text, ("n", "x"), condition=True)
        held = value_of(text, {"n": 2.0, "x": np.arange(3.0)})
    except LatticeError:
        return
    assert np.asarray(held).dtype == np.bool_
