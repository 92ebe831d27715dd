"""`-s`: a trial searches all that lies below one state, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

import exactcover as ec
from exactcover.cli.commands.polycube.trials import Rate, Trials

SOMA = ec.read("somacube")
STRATEGIES = ("dlx:s", "dlx:x; dlx:s@4", "dlx:s; fila:f@5", "volume@6; dlx:s; fila:e@3")


def trials(strategy: str = "dlx:s", *, puzzle: ec.Puzzle = SOMA, **given: Any) -> Trials:
    asked = {"n": 1, "remaining": 4, "seed": 1, "counted": "all"} | given
    return Trials(puzzle, ec.Strategy.parse(strategy), **asked)


@pytest.fixture(scope="module")
def every() -> set[tuple[int, ...]]:
    return {solution.options for solution in ec.solve(SOMA, counted="all")}


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("remaining", [1, 3, 7])
def test_a_trial_finds_the_solutions_below_its_state(
    strategy: str, remaining: int, every: set[tuple[int, ...]]
) -> None:
    run = trials(strategy, n=4, remaining=remaining, seed=5, keep=True)
    for trial in run:
        assert trial.state is not None
        assert len(trial.state) == 7 - (remaining - 1)
        assert len(trial.solutions) == trial.found
        assert set(trial.solutions) == {one for one in every if set(trial.state) <= set(one)}
    assert len(run.done) == 4


def test_a_seed_makes_the_same_trials_and_another_makes_others() -> None:
    states = [[one.state for one in trials(n=n, seed=seed)] for n, seed in ((6, 1), (3, 1), (6, 2))]
    assert states[0][:3] == states[1]
    assert states[0] != states[2]
    assert len(set(states[0])) > 1


@pytest.mark.parametrize(
    ("strategy", "given", "state", "found"),
    [
        ("dlx:s", {"remaining": 8}, (), 11520),
        ("redundancy; dlx:s", {"remaining": 8, "counted": "rotations"}, (), 480),
        ("parity; dlx:s", {"puzzle": ec.read("mutilated_chessboard"), "remaining": 2}, None, 0),
    ],
)
def test_whole_searches_and_none(strategy: str, given: Any, state: object, found: int) -> None:
    assert [(one.state, one.found) for one in trials(strategy, **given)] == [(state, found)]


def test_what_was_tried_adds_up() -> None:
    run = trials("dlx:s; fila:f@4 nof=0", n=3, remaining=5, tally=True)
    done = list(run)
    tried = run.by_remaining.values()
    assert max(run.by_remaining) == 7
    assert sum(one.fits for one in tried) == sum(one.fits for one in done)
    assert sum(one.attempts for one in tried) == sum(one.fits + one.nofits for one in done)


def test_rates_have_the_errors_of_their_means() -> None:
    # The variance of 0, 4, 2, 2 is 8/3, so that of their mean 2/3.
    assert Rate.of([0, 4, 2, 2], [1.0] * 4) == Rate(2.0, pytest.approx((2 / 3) ** 0.5))
    assert Rate.of([], []) == Rate(0.0, 0.0)
    assert Rate.of([1], [1.0]).error == float("inf")


def test_trials_can_be_stopped() -> None:
    run = trials(n=1000, remaining=3)
    next(run)
    run.stop()
    assert list(run) == []
    assert len(run.done) == 1
