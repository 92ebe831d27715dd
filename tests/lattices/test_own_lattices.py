"""A lattice of one's own: in Python, in a TOML file, from a plug-in; and what is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import exactcover as ec
from exactcover.errors import FormatError, LatticeError
from exactcover.formats.document import Document
from exactcover.formats.toml.puzzles import write_toml
from exactcover.geometry.enumeration import Sort, count_shapes
from exactcover.geometry.regions import region_cells
from exactcover.lattices import (
    Board,
    Family,
    Lattice,
    Letters,
    Motion,
    NamedSet,
    PieceNames,
    get_lattice,
    registry,
)
from exactcover.puzzle.library import find_piece, piece_set
from tests.helpers.lattices_under_test import POLYKITES
from tests.helpers.plugged import plugged_in

TURN = Motion(((0, -1), (1, 0)))
MIRROR = Motion(((0, 1), (1, 0)))
SQUARE: dict[str, Any] = {
    "name": "mine",
    "polyform": "polymine",
    "dimension": 2,
    "rotations": (TURN,),
    "reflections": (MIRROR,),
    "neighbours": (((0, 0), (1, 0)),),
}

TRIANGLES = """
name = "triangles-of-mine"
polyform = "polyiamond"
dimension = 2
basis = [[1, 0], [0.5, 0.8660254037844386]]
rotations = [{matrix = [[0, -1], [1, 1]]}]
reflections = [[[0, 1], [1, 0]]]
neighbours = [[[0, 0, 0], [0, 0, 1]]]
[centres]
up = ["1/3", "1/3"]
down = ["2/3", "2/3"]
"""


def test_triangles_from_a_file_are_the_built_in_ones(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(TRIANGLES)
    mine, theirs = get_lattice(tmp_path / "mine.toml"), get_lattice("triangular")
    for sort in Sort:
        for size in range(1, 7):
            assert count_shapes(mine, size, sort) == count_shapes(theirs, size, sort)


@pytest.mark.parametrize(("size", "free"), list(enumerate([1, 2, 4, 10, 27, 85, 262], 1)))
def test_polykites(size: int, free: int) -> None:
    assert count_shapes(POLYKITES, size, Sort.FREE) == free


def test_a_motion_with_a_shift() -> None:
    """Here a half turn takes one kind of cell to the other: its centre is between them."""
    rows = Lattice(
        name="two-to-a-cell",
        polyform="polybrick",
        dimension=2,
        centres={"left": (Fraction(0), Fraction(0)), "right": (Fraction(1, 2), Fraction(1, 2))},
        rotations=(Motion(((-1, 0), (0, -1)), (Fraction(1, 2), Fraction(1, 2))),),
        reflections=(Motion(((-1, 0), (0, 1))),),
        neighbours=(((0, 0, 0), (0, 0, 1)), ((0, 0, 0), (1, 0, 0))),
        basis=((2.0, 0.0), (0.0, 2.0)),
    )
    assert len(rows.group) == 4
    assert count_shapes(rows, 1, Sort.FREE) == 1
    assert count_shapes(rows, 1, Sort.FIXED) == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dimension": 0}, "1 to 6 dimensions"),
        ({"centres": {"a": (Fraction(0),)}}, "has 1 coordinates, 2 are needed"),
        ({"basis": ((1.0, 0.0),)}, "needs 2 vectors of one length"),
        ({"basis": ((1.0, 1.0), (2.0, 2.0))}, "lie in fewer dimensions"),
        ({"basis": ((1.0, 0.0), (0.5, 1.0))}, "changes lengths in the given basis$"),
        ({"reflections": (TURN,)}, "is no reflection: its determinant is 1"),
        ({"rotations": (Motion(((0, -1, 0), (1, 0, 0))),)}, "must be 2x2"),
        ({"rotations": (Motion(((0, -1), (1, 0)), (Fraction(1),)),)}, "a shift has 2 coordinates"),
        ({"neighbours": (((0, 0), (1, 0, 0)),)}, "is no cell: it takes 2 whole numbers"),
        ({"neighbours": (((0, 0), (0, 0)),)}, "no pair of different cells"),
        ({"outlines": {"nothing": ()}}, "must be that of a kind of cell"),
        ({"board": Board("square", (Fraction(1, 2),))}, "shift of the board has 2 numbers"),
    ],
)
def test_data_that_do_not_fit(change: dict[str, Any], message: str) -> None:
    with pytest.raises(LatticeError, match=message):
        Lattice(**SQUARE | change)


def test_shears_of_a_flat_basis_are_no_symmetries() -> None:
    """However small one basis vector is beside the other: the group would be infinite."""
    with pytest.raises(LatticeError, match="changes lengths"):
        Lattice(
            **SQUARE
            | {
                "basis": ((1e-4, 0.0), (0.0, 1.0)),
                "rotations": (Motion(((1, 1), (0, 1))),),
                "reflections": (),
            }
        )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0.8660254037844386", "0.866", "may differ by 1e-05, not by 4e-05; write more"),
        ("dimension = 2", "dimension = 2.5", "should be a whole number"),
        ("dimension = 2", "", "lattice needs the key 'dimension'"),
        ("neighbours", "neighbors", "no key 'neighbors': did you mean neighbours"),
        ("dimension = 2", "dimension = ", "not a TOML file"),
        ("rotations = ", "rotations = 3 #", "lattice.rotations: 3 should be a list"),
        ("[[0, 1], [1, 0]]", "{shift = [1, 1]}", "needs the key 'matrix'"),
        ('["2/3", "2/3"]', '["2/3", "1e999999999"]', "should be a number"),
        ('up = ["1/3", "1/3"]', 'up = ["1/0", "1/3"]', r"centres.up\[0\]: '1/0' should be"),
        ('up = ["1/3", "1/3"]', "up = 3", "3 should be a list"),
        ("[1, 0], [0.5", "[1, nan], [0.5", "lie in fewer dimensions"),
    ],
)
def test_files_that_make_no_sense(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "bad.toml"
    assert old in TRIANGLES
    path.write_text(TRIANGLES.replace(old, new, 1))
    with pytest.raises(FormatError, match=message) as caught:
        get_lattice(str(path))
    assert str(path) in str(caught.value)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="there is no such file"):
        get_lattice("nothing.toml", tmp_path)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="not a TOML file"):
        get_lattice("bytes.toml", tmp_path)
    (tmp_path / "long.toml").write_bytes(b"#" * (1 << 21))
    with pytest.raises(FormatError, match="may have"):
        get_lattice("long.toml", tmp_path)
    (tmp_path / "deep.toml").write_text("a = " + "[" * 100_000)
    with pytest.raises(FormatError, match="not a TOML file"):
        get_lattice("deep.toml", tmp_path)


def test_a_plug_in_has_regions_and_names() -> None:
    """Its pieces and sets are found without saying on which lattice they are."""
    names = PieceNames(
        pieces={2: Letters({"P": "0,0 1,0"}, aliases={"plank": "P"})},
        sets={"planks": NamedSet({"one": "P ditile", "two": "P ditile"})},
    )
    ring = Family("ring", ("n",), "a square", ("0..n", "0..n"), "max(x, y) == n")
    mine = Lattice(**SQUARE | {"polyform": "polytile", "regions": (ring,), "names": names})
    with plugged_in(registry.LATTICES) as entries:
        entries.append(SimpleNamespace(name="mine", value="some_package:mine", load=lambda: mine))
        assert piece_set("ditiles").lattice is mine
        assert list(piece_set("planks").pieces) == ["one", "two"]
        assert find_piece("plank").name == "P"
        assert len(region_cells(mine, "ring", [3])) == 7
        puzzle = ec.puzzle_of("P ditile any", "ring 4", "mine")
        assert ec.count(puzzle, counted="all") == 0  # nine cells
        assert 'lattice = "mine"' in write_toml([Document("one", puzzle)])
