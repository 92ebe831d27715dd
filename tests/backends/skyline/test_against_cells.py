"""Counts by skyline against the same puzzle of cells by dlx and fila, and against CP-SAT."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import exactcover as ec
from exactcover.backends.base import Status
from exactcover.backends.rectangles.no_overlap import NoOverlapFilling
from exactcover.backends.rectangles.skyline import SkylineSearch
from exactcover.problem.rectangles import Floor, Rectangle, symmetries
from tests.backends.skyline.floors import problem_of_cells, random_floor
from tests.helpers.examples import some

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


def instances(seed: int) -> Iterator[tuple[Floor, str]]:
    """Sixty floors whose rectangles may turn, and what counts as one solution."""
    random = Random(100 + seed)
    for _ in range(60):
        floor = random_floor(random, longest=6)
        turning = tuple(Rectangle(one.width, one.height, one.copies) for one in floor.rectangles)
        yield Floor(floor.width, floor.height, turning), random.choice(["all", "reflections"])


@pytest.mark.parametrize("seed", some(range(4), one_in=4))
def test_puzzles_of_cells_have_as_many_solutions(seed: int) -> None:
    with_solutions = 0
    for number, (floor, how) in enumerate(instances(seed)):
        expected = ec.count(
            puzzle_of_cells(floor), counted=how, strategy=["dlx", "fila"][number % 2]
        )
        assert counted(floor, how) == expected, (floor, how)
        with_solutions += expected > 0
    assert with_solutions > 25


def test_rectangles_that_may_not_turn_have_as_many_solutions() -> None:
    random = Random(31)
    fixed = 0
    for _ in range(60):
        floor = random_floor(random, longest=6)
        fixed += any(not one.turns for one in floor.rectangles)
        assert counted(floor, "all") == ec.count(problem_of_cells(floor), strategy="dlx")
    assert fixed > 10


def same_as_cpsat(floor: Floor) -> bool:
    """Whether CP-SAT finds the same solutions."""
    filling, found = NoOverlapFilling(floor), []
    while (filled := filling.advance(1)).status is not Status.DONE:
        found += filled.solutions
    found += filled.solutions
    ours = SkylineSearch(floor).advance(WHOLE, capacity=1 << 20).solutions
    return sorted(found) == sorted(ours)


def test_cpsat_finds_the_same_solutions() -> None:
    random = Random(17)
    for _ in range(40):
        floor = random_floor(random, pieces=7)
        assert same_as_cpsat(floor), floor
