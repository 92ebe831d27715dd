"""A search as a user sees it: lazy, stopped and resumed, limited, and telling what came of it."""

from __future__ import annotations

from itertools import islice, pairwise, product
from typing import Any

import pytest

import exactcover as ec
from exactcover import backends as registry
from exactcover.backends.base import KeptStates
from exactcover.errors import ExactCoverError, LimitReached
from exactcover.lattices import get_lattice
from exactcover.puzzle import Piece, Puzzle, Region
from exactcover.search import clock

KNUTH = [list(option) for option in ("ce", "adg", "bcf", "adf", "bg", "deg")]


def dominoes(width: int, height: int) -> Puzzle:
    cells = list(product(range(width), range(height)))
    return Puzzle(get_lattice("square"), Region(cells), (Piece("D", [(0, 0), (1, 0)], 0, None),))


def endless() -> Puzzle:
    """More domino tilings than could be listed in a lifetime."""
    return dominoes(14, 14)


# -- the stream -----------------------------------------------------------------------------------


def test_iterating_can_be_left_and_gone_on_with() -> None:
    whole = [solution.options for solution in ec.solve(dominoes(4, 4), counted="all")]
    solving = ec.solve(dominoes(4, 4), counted="all")
    parts = [solution.options for solution in islice(solving, 10)]
    parts += [next(solving).options]
    parts += [solution.options for solution in solving]
    assert parts == whole
    assert len(set(whole)) == 36
    assert next(solving, None) is None
    assert solving.result.status == "complete"
    assert solving.result.solutions == 36
    assert solving.progress == 1


@pytest.mark.parametrize("taken", [0, 1, 35, 36])
def test_running_on_after_some_were_taken_counts_all(taken: int) -> None:
    solving = ec.solve(dominoes(4, 4), counted="all")
    assert len(list(islice(solving, taken))) == taken
    result = solving.run()
    assert (result.status, result.solutions) == ("complete", 36)
    assert list(solving) == []
    assert solving.run() == result


# -- limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [0, 1, 2, 17, 35])
def test_a_limit_is_exact(limit: int) -> None:
    solving = ec.solve(dominoes(4, 4), limit=limit, counted="all")
    assert len(list(solving)) == limit
    assert (solving.result.status, solving.result.solutions) == ("limit", limit)
    result = ec.solve(dominoes(4, 4), limit=limit, counted="all").run()
    assert (result.status, result.solutions) == ("limit", limit)


def test_a_time_limit_ends_an_endless_search() -> None:
    result = ec.solve(endless(), strategy="dlx:s", time_limit=0.2, counted="all").run()
    assert result.status == "limit"
    assert result.seconds >= 0.2
    solving = ec.solve(endless(), strategy="dlx:s", time_limit=0.2, counted="all")
    found = len(list(solving))
    assert (solving.result.status, solving.result.solutions) == ("limit", found)


def test_the_time_of_the_caller_may_count() -> None:
    """The search ends once it has handed out what it had found."""
    solving = ec.solve(endless(), strategy="dlx:s", time_limit=1000, counted="all")
    next(solving)
    assert solving.result.status == "searching"
    solving.elapse(1000)
    found = solving.found
    assert len(list(solving)) == found - 1
    assert (solving.result.status, solving.result.stopped_by) == ("limit", "time")
    assert solving.result.seconds < 1000


def test_a_count_that_is_not_complete_is_no_number() -> None:
    with pytest.raises(LimitReached, match="not complete") as caught:
        ec.count(endless(), strategy="dlx:s", time_limit=1.0, counted="all")
    assert caught.value.found > 0
    with pytest.raises(LimitReached, match="before a solution was found: there may be") as caught:
        ec.first(KNUTH, time_limit=0)
    assert caught.value.found == 0


# -- what came of it ------------------------------------------------------------------------------


def test_the_result_of_an_impossible_puzzle_has_the_reason() -> None:
    solving = ec.solve(dominoes(5, 5), counted="all")
    assert list(solving) == []
    result = solving.result
    assert (result.status, result.solutions, result.fits) == ("impossible", 0, 0)
    assert "25 cells" in result.reason
    assert ec.count(dominoes(5, 5), counted="all") == 0
    assert ec.first(dominoes(5, 5)) is None
    assert ec.first(dominoes(5, 5), time_limit=0) is None


def test_a_solution_of_a_puzzle() -> None:
    puzzle = dominoes(2, 1)
    [solution] = ec.solve(puzzle, counted="all")
    assert solution.options == (0,)
    assert solution.model is puzzle.model
    [placement] = solution.placements
    assert placement.piece == "D"
    assert set(placement.cells) == {(0, 0), (1, 0)}
    assert all(type(value) is int for cell in placement.cells for value in cell)
    assert repr(solution) == "<Solution of 1 piece: D 0,0>"


@pytest.mark.parametrize("slip", ["soma", None, 7])
def test_what_cannot_be_solved(slip: Any) -> None:
    with pytest.raises(ExactCoverError, match="list of options"):
        ec.solve(slip)


def test_a_piece_that_cannot_fit_makes_a_puzzle_without_solutions() -> None:
    puzzle = Puzzle(get_lattice("square"), Region([(0, 0)]), (Piece("D", [(0, 0), (1, 0)]),))
    for counted in ("all", "rotations", "reflections"):
        result = ec.solve(puzzle, counted=counted).run()
        assert (result.status, result.solutions) == ("impossible", 0)
        assert result.reason.startswith("piece D cannot fit: ")
        assert ec.count(puzzle, counted=counted) == 0
    assert ec.first(puzzle) is None
    assert ec.sample(puzzle, 2) == []
    assert ec.best(puzzle, most="cells").status == "impossible"
    verdict = ec.verify(puzzle)
    assert verdict.equal
    assert verdict.solutions == 0


@pytest.mark.parametrize("engine", list(registry.backends()))
def test_every_engine_finds_nothing_where_a_piece_cannot_fit(engine: str) -> None:
    puzzle = Puzzle(
        get_lattice("square"),
        Region([(0, 0), (1, 0), (0, 1), (1, 1)]),
        (Piece("I", [(0, 0), (1, 0), (2, 0)]), Piece("D", [(0, 0)])),
    )
    heuristic = registry.backends()[engine].capabilities.heuristics[0]
    assert ec.count(puzzle, strategy=f"{engine}:{heuristic}") == 0


# -- while it goes on ------------------------------------------------------------------------------


def test_a_count_by_states_goes_through_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "MOST_STEPS", 500)
    counting = ec.Counting(ec.read("pentominoes_20x3"), strategy="automaton:narrow", counted="all")
    seen: list[KeptStates] = []
    while counting.step():
        if counting.kept is not None:
            seen.append(counting.kept)
    assert counting.result.solutions == 8
    assert len(seen) > 3
    assert {kept.levels for kept in seen} == {60}
    assert all(a.level <= b.level and a.states <= b.states for a, b in pairwise(seen))
    assert 0 < seen[-1].level <= 60
