"""`-s`: a trial searches all that lies below one state, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

import exactcover as ec
from exactcover.cli.commands.polycube.searches import Trials, rate
from exactcover.cli.commands.polycube.switches import PolycubeSwitches, Sampling, Translation

SOMA = ec.read("somacube")
STRATEGIES = ("dlx:s", "dlx:x; dlx:s@4", "dlx:s; fila:f@5", "volume@6; dlx:s; fila:e@3")


def trials(strategy: str = "dlx:s", *, puzzle: ec.Puzzle = SOMA, **given: Any) -> Trials:
    how = {"trials": 1, "remaining": 4, "seed": 1} | given
    counted = how.pop("counted", "all")
    switches = PolycubeSwitches(info=True, sampling=Sampling(**how))
    return Trials(puzzle, switches, Translation(ec.Strategy.parse(strategy), counted))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_trial_finds_the_solutions_below_its_state(strategy: str) -> None:
    every = {solution.options for solution in ec.solve(SOMA, counted="all")}
    for remaining in (1, 3, 7):
        run = trials(strategy, trials=4, remaining=remaining, seed=5)
        solutions: set[tuple[int, ...]] = set()
        for event in run.events():
            if event is not None:
                solutions.add(event.chosen)
                continue
            state, found, _ = run.done[-1]
            assert state is not None
            assert len(state) == 7 - (remaining - 1)
            assert len(solutions) == found
            assert solutions == {one for one in every if set(state) <= set(one)}
            solutions.clear()
        assert len(run.done) == 4
        tried = run.by_remaining.values()
        assert max(run.by_remaining) == 7
        assert sum(one.fits for one in tried) == run.fits
        assert sum(one.attempts for one in tried) == run.fits + run.nofits


def test_a_seed_makes_the_same_trials_and_another_makes_others() -> None:
    states = []
    for many, seed in ((6, 1), (3, 1), (6, 2)):
        run = trials(trials=many, seed=seed)
        list(run.events())
        states.append([one.state for one in run.done])
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
    run = trials(strategy, **given)
    list(run.events())
    assert [(one.state, one.found) for one in run.done] == [(state, found)]


def test_rates_have_the_errors_of_their_means() -> None:
    # The variance of 0, 4, 2, 2 is 8/3, so that of their mean 2/3.
    assert rate([0, 4, 2, 2], [1.0] * 4) == (2.0, pytest.approx((2 / 3) ** 0.5))
    assert rate([], []) == (0.0, 0.0)
    assert rate([1], [1.0]) == (1.0, float("inf"))


def test_trials_can_be_stopped() -> None:
    run = trials(trials=1000, remaining=3)
    for event in run.events():
        if event is None:
            run.stop()
    assert len(run.done) == 1
    assert not run.finished
