"""Counts in the quickest way: the numbers of listings, and honest about what was passed over."""

from __future__ import annotations

import pytest

import exactcover as ec
from exactcover.errors import LimitReached
from exactcover.problem import Problem
from exactcover.search import choice
from exactcover.search.counting import states
from exactcover.search.counting.counts import Counting
from examples.queens import queens


def test_what_would_take_long_to_list_is_not_listed() -> None:
    result = Counting(ec.read("dominoes_8x8"), counted="all").run()
    assert result.solutions == 12_988_816
    assert result.strategy == "volume; automaton:narrow"


def test_a_count_that_is_stopped_says_what_it_has() -> None:
    for end in ("limit", "interrupted"):
        limit = 0.2 if end == "limit" else None
        counting = Counting(ec.read("hexominoes_15x14"), counted="all", time_limit=limit)
        for _ in range(4):
            counting.step()
        if end == "interrupted":
            counting.stop()
        while counting.step():
            pass
        result = counting.result
        assert result.status == end
        assert result.seconds > 0
        if end == "interrupted":  # the limit may come before the search does
            assert counting.position
    with pytest.raises(LimitReached):
        ec.count(ec.read("hexominoes_15x14"), time_limit=0.1, counted="all")


def test_what_does_not_fit_is_listed_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "SHORT", 64)
    monkeypatch.setattr(states, "TRIED_FEW", 1.0)
    result = Counting(ec.read("pentominoes_10x6"), counted="rotations", memory=1).run()
    assert result.solutions == 2339
    assert "automaton" not in result.strategy
    assert result.applied[0].filter == "redundancy; volume; automaton:narrow memory=1"
    assert "do not fit 1 MiB" in result.applied[0].note


def test_where_states_cannot_be_kept_solutions_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "SHORT", 64)
    result = Counting(queens(10)).run()
    assert result.solutions == 724
    problem = Problem.from_options([["a", "b"], ["b"]], primary=["a"], multiplicity={"a": (0, 2)})
    result = Counting(problem).run()
    assert result.solutions == 2
    assert result.strategy == "dlx:s"


def test_a_function_sees_the_progress_of_a_count() -> None:
    seen: list[tuple[float, int]] = []
    puzzle, strategy = ec.read("pentominoes_15x4"), "redundancy; volume; dlx:s"
    many = ec.count(
        puzzle,
        strategy=strategy,
        progress=lambda counting: seen.append((counting.progress, counting.found)),
    )
    assert many == 368
    assert len(seen) > 1
    assert seen == sorted(seen)
    assert 0 < seen[-1][0] < 1

    def stop(counting: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ec.count(puzzle, strategy=strategy, progress=stop)
