"""Puzzles of rectangles: the same solutions by sizes, by cells, and by CP-SAT."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import exactcover as ec
from tests.backends.skyline.floors import puzzle_of, turning_floor

FILLING = ("skyline:largest", "skyline:widest rule=plain", "dlx:s", "fila:f", "nooverlap")


def agree(puzzle: ec.Puzzle, engines: tuple[str, ...]) -> None:
    """Engines that see sizes and engines that see cells find the same, and the same symmetries."""
    found = [
        sorted(one.options for one in ec.solve(puzzle, strategy=engine, counted="all"))
        for engine in engines
    ]
    assert all(one == found[0] for one in found)
    for counted in ("rotations", "reflections"):
        counts = {one: ec.count(puzzle, strategy=one, counted=counted) for one in engines}
        assert len(set(counts.values())) == 1, (counted, counts)
        groups = []
        for engine in ("skyline", "dlx:s"):
            solving = ec.solve(puzzle, strategy=engine, counted=counted)
            assert len(list(solving)) == solving.result.solutions == counts["dlx:s"]
            groups.append(Counter(solving.result.symmetric))
        assert groups[0] == groups[1] or len(puzzle.model.symmetries.selected(counted)) == 1


@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(4, 200), marks=pytest.mark.slow)])
def test_engines_of_sizes_and_of_cells_agree(seeds: range) -> None:
    for seed in seeds:
        agree(puzzle_of(turning_floor(Random(seed))), FILLING)


@pytest.mark.parametrize(
    ("name", "unique", "every"),
    [
        ("calibron_12", 1, 8),
        ("squared_rectangle_33x32", 1, 4),
        ("squared_rectangle_69x61", 1, 4),
        ("squared_square_112x112", 1, 8),
    ],
)
def test_published_counts(name: str, unique: int, every: int) -> None:
    puzzle = ec.read(name)
    assert (ec.count(puzzle), ec.count(puzzle, counted="all")) == (unique, every)
    assert ec.solve(puzzle).result.strategy == "skyline:largest"


def test_a_limit_and_a_stop_end_a_search() -> None:
    puzzle = ec.read("partridge_8")
    solving = ec.solve(puzzle, limit=3)
    found = list(solving)
    assert len(found) == 3
    assert solving.result.stopped_by == "solutions"
    assert len({one.options for one in found}) == 3
    endless = ec.solve(puzzle)
    next(endless)
    endless.stop()
    assert endless.run().status == "interrupted"
    assert ec.solve(puzzle, time_limit=0.05).run().stopped_by == "time"


@pytest.mark.parametrize(
    ("strategy", "why"),
    [
        ("volume; skyline", "no filter"),
        ("dlx:s; skyline:largest@3", "no other stage"),
        ("skyline:s", "no heuristic 's': it has largest"),
        ("skyline rule=best", "one of pruned, plain"),
        ("nooverlap:f", "no heuristic"),
    ],
)
def test_what_makes_no_sense_for_rectangles_is_refused(strategy: str, why: str) -> None:
    with pytest.raises(ec.ExactCoverError, match=why):
        ec.count(ec.puzzle_of("3x2 * 2", "3x4"), strategy=strategy)


def test_what_needs_cells_says_so() -> None:
    puzzle = ec.read("calibron_12")
    for asked, why in (
        (ec.estimate, "an estimate"),
        (ec.compare, "comparing"),
        (ec.sample, "a sa"),
    ):
        with pytest.raises(ec.CapabilityError, match=f"^{why}.* looks at the cells of the pieces"):
            asked(puzzle)


def test_the_usual_second_opinion_on_rectangles_is_cpsat() -> None:
    verdict = ec.verify(ec.read("squared_rectangle_33x32"))
    assert [one.engine for one in verdict.engines] == ["auto", "nooverlap"]
    assert verdict.equal
    assert verdict.compared == "sets"


def test_a_floor_that_is_too_long_is_filled_by_cpsat() -> None:
    long, short = (
        ec.puzzle_of(f"{side - 1}x2 * 2, {side}x2, {side}x1 * 2", f"{2 * side - 1}x4")
        for side in (5000, 50)
    )
    solving = ec.solve(long, counted="all")
    assert solving.run().solutions == ec.count(short, strategy="skyline", counted="all") == 10
    assert solving.result.strategy == "nooverlap:s"
