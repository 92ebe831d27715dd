"""What searches say of their workers, their states and the time between slices."""

from __future__ import annotations

from itertools import pairwise

import pytest

import exactcover as ec
from exactcover.backends.base import KeptStates
from exactcover.search import driver


def test_a_listing_has_one_worker_and_keeps_no_states() -> None:
    solving = ec.Solving(ec.read("pentominoes_20x3"))
    assert (solving.workers, solving.kept) == (1, None)
    solving.run()
    assert (solving.workers, solving.kept) == (1, None)


def test_a_count_by_states_goes_through_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "MOST_STEPS", 500)
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


def test_a_function_sees_the_progress_of_solve_and_first() -> None:
    """An error that it raises ends the search."""
    seen: list[tuple[float, int, float]] = []

    def see(solving: ec.Solving) -> None:
        seen.append((solving.progress, solving.found, solving.seconds))

    puzzle = ec.read("pentominoes_20x3")
    assert len(list(ec.solve(puzzle, strategy="dlx:s", counted="all", progress=see))) == 8
    assert len(seen) > 2
    assert seen == sorted(seen)
    assert 0 < seen[-1][0] <= 1
    assert seen[-1][2] > 0
    seen.clear()
    assert ec.first(puzzle, strategy="dlx:s", progress=see) is not None
    assert len(seen) > 1

    def stop(solving: ec.Solving) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        next(ec.solve(puzzle, progress=stop))
    with pytest.raises(KeyboardInterrupt):
        ec.first(puzzle, progress=stop)
