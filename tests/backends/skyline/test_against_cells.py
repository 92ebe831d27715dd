"""Counts by skyline against the same puzzle of cells by dlx and fila, and against CP-SAT."""

from __future__ import annotations

from random import Random

import pytest

import exactcover as ec
from exactcover.backends.cpsat.no_overlap import pack_all, pack_one
from exactcover.backends.skyline import SkylineSearch
from exactcover.rectangles import Floor, Rectangle, symmetries
from tests.backends.skyline.floors import CALIBRON, is_filled, problem_of_cells, random_floor

WHOLE = 1 << 40


def counted(floor: Floor, how: str) -> int:
    search = SkylineSearch(floor, motions=symmetries(floor, how))
    search.advance(WHOLE, capacity=1 << 30, keep=False)
    assert search.done
    return search.found


def puzzle_of_cells(floor: Floor) -> ec.Puzzle:
    """The puzzle of cells of a floor whose rectangles may turn."""
    pieces = [
        ec.Piece(
            f"p{number}",
            [(x, y) for x in range(kind.width) for y in range(kind.height)],
            kind.copies,
            kind.copies,
        )
        for number, kind in enumerate(floor.rectangles)
    ]
    return ec.Puzzle.of(pieces, f"{floor.width}x{floor.height}", "square")


@pytest.mark.parametrize("seed", range(4))
def test_puzzles_of_cells_have_as_many_solutions(seed: int) -> None:
    random = Random(100 + seed)
    with_solutions = 0
    for number in range(125):
        floor = random_floor(random, longest=6)
        turning = tuple(Rectangle(one.width, one.height, one.copies) for one in floor.rectangles)
        floor = Floor(floor.width, floor.height, turning)
        how = random.choice(["all", "reflections"])
        expected = ec.count(
            puzzle_of_cells(floor), counted=how, strategy=["dlx", "fila"][number % 2]
        )
        assert counted(floor, how) == expected, (floor, how)
        with_solutions += expected > 0
    assert with_solutions > 60


def test_rectangles_that_may_not_turn_have_as_many_solutions() -> None:
    random = Random(31)
    fixed = 0
    for _ in range(60):
        floor = random_floor(random, longest=6)
        fixed += any(not one.turns for one in floor.rectangles)
        assert counted(floor, "all") == ec.count(problem_of_cells(floor), strategy="dlx")
    assert fixed > 10


def test_cpsat_finds_the_same_solutions() -> None:
    random = Random(17)
    for _ in range(40):
        floor = random_floor(random, pieces=7)
        batch = SkylineSearch(floor).advance(WHOLE, capacity=1 << 20)
        packed = pack_all(floor)
        assert packed.status in ("complete", "impossible")
        assert packed.solutions == tuple(sorted(batch.solutions()))
        if packed.solutions:
            assert is_filled(floor, pack_one(floor, workers=1).solutions[0])


def test_cpsat_says_when_it_is_stopped() -> None:
    assert pack_all(CALIBRON, time_limit=0.05).status == "limit"
    assert pack_one(CALIBRON, workers=1, stop=lambda: True).status == "interrupted"
    assert pack_one(Floor(3, 1, (Rectangle(2, 2),))).status == "impossible"
