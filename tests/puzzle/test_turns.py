"""Pieces that may not be turned: they lie as they are drawn, in files, searches and checks."""

from __future__ import annotations

from random import Random

import pytest

import exactcover as ec
from exactcover.formats import Document, parse
from exactcover.formats.toml.puzzles import write_toml
from exactcover.puzzle.rectangles import FloorModel
from exactcover.puzzle.symmetry import puzzle_symmetries
from tests.backends.skyline.floors import problem_of_cells, puzzle_of, random_floor
from tests.helpers.examples import some

FIXED = {"turns": False}


@pytest.mark.parametrize("seed", some(range(10), one_in=2))
def test_rectangles_that_may_not_turn(seed: int) -> None:
    """Against the exact cover written out from the sizes, and between engines."""
    floor = random_floor(Random(seed), longest=6)
    puzzle = puzzle_of(floor)
    assert puzzle.floor is not None
    assert {(*sorted(one.sizes), one.copies) for one in puzzle.floor.rectangles} == {
        (*sorted(one.sizes), one.copies) for one in floor.rectangles
    }
    every = ec.count(problem_of_cells(floor), strategy="dlx")
    for engine in ("skyline", "dlx:s", *(("nooverlap",) if seed % 5 == 0 else ())):
        assert ec.count(puzzle, strategy=engine, counted="all") == every
    unique = {
        ec.count(puzzle, strategy=engine, counted="rotations") for engine in ("skyline", "dlx:s")
    }
    assert len(unique) == 1
    kept = FloorModel(puzzle)
    assert (kept.symmetries.options == puzzle_symmetries(kept.whole).options).all()


def test_fixed_and_turning_pieces_of_a_shape_are_not_copies() -> None:
    fixed = {"name": "f", "shape": "2x1", "copies": 2, **FIXED}
    puzzle = ec.puzzle_of([fixed, {"name": "d", "shape": "2x1"}], "3x2")
    assert len(puzzle.groups) == 2
    assert ec.count(puzzle, counted="all") == 2
    square = {"name": "f", "shape": "2x2", **FIXED}
    same = ec.puzzle_of([square, {"name": "d", "shape": "2x2"}], "4x2")
    assert len(same.groups) == 1


def test_bricks_that_may_not_turn() -> None:
    fixed, free = (ec.puzzle_of("2x1x1 * 4", "2x2x2", turns=turns) for turns in (False, True))
    assert ec.count(fixed, counted="all") == 1
    assert ec.count(free, counted="all") == 9


@pytest.mark.parametrize("said", [{"turns": False}, {}])
def test_a_toml_file_keeps_it(said: dict[str, bool]) -> None:
    puzzle = ec.puzzle_of(["3x2 * 2", {"shape": "2x2", **FIXED}], "8x2", **said)
    [document] = [Document("x", puzzle)]
    text = write_toml([document])
    assert text.count("turns = false") == 1 + bool(said)
    assert parse(text)[0].puzzle == puzzle
