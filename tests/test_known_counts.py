"""Every row of tests/data/known_counts.csv that counts the solutions of a puzzle, solved.

A row is solved as a puzzle built here from the words of the row, or as a shipped puzzle. Rows that
count shapes are tested with the geometry.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

import exactcover as ec
from exactcover.formats import shipped
from exactcover.formats.files import parse, read_file

DATA = Path(__file__).parent / "data" / "known_counts.csv"

KINDS = {
    "all": "all",
    "all (identical rectangles not distinguished: 1 up to rotation+reflection)": "all",
    "up to rotation": "rotations",
    "up to rotation+reflection": "reflections",
    "one 8-orientation pentomino fixed (= up to rotation+reflection)": "reflections",
}
"""What was counted, in the words of the rows, and what we call it."""


@dataclass(frozen=True)
class Row:
    puzzle: str
    pieces: str
    region: str
    count: int
    counted: str

    @property
    def title(self) -> str:
        return f"{self.puzzle}, {self.counted}"


def _rows() -> list[Row]:
    with DATA.open(encoding="utf-8", newline="") as stream:
        table = list(csv.DictReader(stream))
    return [
        Row(
            row["puzzle"],
            row["pieces"],
            row["region"],
            int(row["count"]),
            row["what_is_counted"],
        )
        for row in table
        if not row["puzzle"].startswith("number of ")
    ]


# -- puzzles in the words of the rows --------------------------------------------------------------


def _tiling(pieces: str, box: str, lattice: str = "square") -> ec.Puzzle:
    text = f'lattice = "{lattice}"\npieces = "{pieces}"\nregion = "{box}"'
    [document] = parse(text, "toml")
    assert isinstance(document.content, ec.Puzzle)
    return document.content


def _dominoes_in_a_cube(dimension: str) -> ec.Puzzle:
    lattices = {
        "2": "square", "3": "cubic", "4": "hypercubic", "5": "hypercubic-5", "6": "hypercubic-6"
    }  # fmt: skip
    return _tiling("domino any", "x".join(["2"] * int(dimension)), lattices[dimension])


def _queens(size: str) -> ec.Problem:
    n = int(size)
    cells = list(product(range(n), repeat=2))
    options = [[("row", r), ("column", c), ("up", r + c), ("down", r - c)] for r, c in cells]
    lines = [(kind, k) for kind in ("row", "column") for k in range(n)]
    return ec.Problem.from_options(options, primary=lines)


def _langford(size: str) -> ec.Problem:
    n = int(size)
    return ec.Problem.from_options(
        [(f"k{k}", i, i + k + 1) for k in range(1, n + 1) for i in range(2 * n - k - 1)]
    )


def _latin_squares(size: str) -> ec.Problem:
    places = product(range(int(size)), repeat=3)
    return ec.Problem.from_options(
        [[("place", r, c), ("row", r, v), ("column", c, v)] for r, c, v in places]
    )


def _sudoku_grids(size: str) -> ec.Problem:
    n = int(size)
    side = int(n**0.5)
    return ec.Problem.from_options(
        [
            [("place", r, c), ("row", r, v), ("column", c, v), ("block", r // side, c // side, v)]
            for r, c, v in product(range(n), repeat=3)
        ]
    )


BUILT: tuple[tuple[str, Callable[..., ec.Puzzle | ec.Problem]], ...] = (
    (r"domino tilings (\d+x\d+)", lambda box: _tiling("domino any", box)),
    (r"dominoes (2x2x2)", lambda box: _tiling("dicube any", box, "cubic")),
    (r"domino tilings of 2\^(\d) box", _dominoes_in_a_cube),
    (r"tetromino tilings (\d+x\d+) .*", lambda box: _tiling("tetrominoes any", box)),
    (r"pentomino tilings (\d+x\d+) .*", lambda box: _tiling("pentominoes any", box)),
    (r"L-tromino tilings (\d+x\d+)", lambda box: _tiling("V tromino any", box)),
    (r"pentominoes (\d+x\d+)", lambda box: _tiling("pentominoes", box)),
    (r"(\d+) queens", _queens),
    (r"Langford pairs n=(\d+)", _langford),
    (r"Latin squares (\d+)", _latin_squares),
    (r"Sudoku grids (\d+)x\d+", _sudoku_grids),
)

SHIPPED = {
    "one-sided pentominoes 18x5": "square/pentominoes_1s_18x5",
    "one-sided pentominoes 30x3": "square/pentominoes_1s_30x3",
    "Tetris Cube": "cubic/tetriscube",
    "tetrominoes+pentominoes 13x13 diamond (PT12)": "square/PT12",
    "tetro+pento 13x13 diamond hole plus": "square/PT12_plus",
    "tetro+pento 13x13 diamond hole saltire": "square/PT12_saltire",
    "tetro+pento 13x13 diamond hole spread": "square/PT12_spread",
    "Calibron 12": "square/calibron_12",
    "Soma cube": "cubic/somacube",
    "Soma Tower": "cubic/soma_tower",
    "Soma Stairs": "cubic/soma_stairs",
    "Soma Steamer": "cubic/soma_steamer",
    "pentominoes 8x8 minus 4 corners": "square/pentominoes_8x8_corners",
    "Scott pentomino problem": "square/pentominoes_8x8_hole",
    "Y pentominoes 5x10": "square/y_pentominoes_10x5",
    "45 Y pentominoes 15x15": "square/y_pentominoes_15x15",
    "Hivert 10-piece 8x8 puzzle": "square/hivert_8x8",
    "sticks 1,2,3 in length 6": "hypercubic-1/rods_6",
    "25 Y-pentacubes 5x5x5": "cubic/y_pentacubes_5x5x5",
    "18 S tetracubes 6x6x2": "cubic/s_tetracubes_6x6x2",
    "Steinhaus/Mikusinski cube": "cubic/steinhaus_cube",
    "pentominoes + square tetromino 8x8": "square/pentominoes_square_8x8",
    "4D dominoes 2x2x2x3": "hypercubic/dominoes_3x2x2x2",
    "4D dominoes 2x2x2x2": "hypercubic/dominoes_2x2x2x2",
    "4D L-trominoes x8": "hypercubic/l_trominoes_3x2x2x2",
    "4 x square tetromino in a tesseract": "hypercubic/squares_2x2x2x2",
    "4 x tripod tetracube (1 corner + 3 axes) in a tesseract": "hypercubic/tripods_2x2x2x2",
    "any 4-cell pieces in a tesseract": "hypercubic/tetratesseracts_any_2x2x2x2",
    "six non-straight 4D tetracubes, once each": "hypercubic/tetratesseracts_3x2x2x2",
    "Slothouber-Graatsma": "cubic/slothouber_graatsma",
    "9 L-tricubes 3x3x3": "cubic/l_tricubes_3x3x3",
}

MINUTES = {
    ("pentomino tilings 5x8 (any shapes)", "all"),
    ("pentomino tilings 5x9 (any shapes)", "all"),
    ("pentomino tilings 4x10 (any shapes)", "all"),
    ("tetromino tilings 6x8 (any shapes)", "all"),
    ("Tetris Cube", "up to rotation"),
}
"""Rows that take more than some seconds, up to some minutes."""

TOO_LONG = {
    "one-sided pentominoes 18x5",
    "tetrominoes+pentominoes 13x13 diamond (PT12)",
    "tetro+pento 13x13 diamond hole plus",
    "tetro+pento 13x13 diamond hole saltire",
    "tetro+pento 13x13 diamond hole spread",
    "45 Y pentominoes 15x15",
    "25 Y-pentacubes 5x5x5",
    "pentominoes + square tetromino 8x8",
    "pentomino tilings 5x10 (any shapes)",
    "tetromino tilings 7x8 (any shapes)",
    "domino tilings 10x10",
    "domino tilings of 2^6 box",
    "Langford pairs n=15",
    "Langford pairs n=16",
    "Sudoku grids 9x9",
}
"""Rows that no test runs: the count of a shipped puzzle is compared with the row all the same."""

TOO_LONG_ALL = {"Tetris Cube"}
"""Counted in minutes up to symmetry, in an hour without."""


def _built(row: Row) -> ec.Puzzle | ec.Problem | None:
    """The puzzle that the words of a row say, if they do."""
    for words, build in BUILT:
        if row.puzzle not in SHIPPED and (found := re.fullmatch(words, row.puzzle)):
            return build(*found.groups())
    return None


def _is_too_long(row: Row) -> bool:
    return row.puzzle in TOO_LONG or (row.puzzle in TOO_LONG_ALL and row.counted.startswith("all"))


def _solved() -> list[object]:
    return [
        pytest.param(
            row,
            id=row.title,
            marks=pytest.mark.slow if (row.puzzle, row.counted) in MINUTES else (),
        )
        for row in _rows()
        if not _is_too_long(row)
    ]


def _kind(row: Row) -> str:
    return KINDS.get(row.counted, "all")


def _expected(row: Row) -> int:
    """Langford pairs are the same read backwards, which is no symmetry that a problem knows."""
    return 2 * row.count if row.counted == "up to reversal (all = 2x)" else row.count


@pytest.mark.parametrize("row", _solved())
def test_as_many_solutions_as_known(row: Row) -> None:
    content = _built(row)
    if content is None:
        name = SHIPPED[row.puzzle]
        content = read_file(shipped.paths()[name], name=name)[0].content
    assert ec.count(content, counted=_kind(row)) == _expected(row)


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row.title) for row in _rows() if row.puzzle in SHIPPED]
)
def test_the_shipped_puzzle_says_the_same(row: Row) -> None:
    name = SHIPPED[row.puzzle]
    counts = read_file(shipped.paths()[name], name=name)[0].counts
    assert counts[_kind(row)] == row.count


def test_every_row_is_solved_or_too_long() -> None:
    rows = _rows()
    assert len(rows) > 100
    for row in rows:
        assert row.puzzle in SHIPPED or any(re.fullmatch(words, row.puzzle) for words, _ in BUILT)
        assert row.counted in KINDS or "reversal" in row.counted or "rows" in row.counted, row
    assert set(SHIPPED) | set(TOO_LONG) <= {row.puzzle for row in rows}
    assert MINUTES <= {(row.puzzle, row.counted) for row in rows}
