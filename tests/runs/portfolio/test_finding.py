"""`first` of a hard puzzle: the seed repeats it, and a time limit leaves the best packing."""

from __future__ import annotations

import json

import numpy as np
import pytest

import exactcover as ec
from exactcover.errors import ExactCoverError, LimitReached
from exactcover.runs import Finding
from exactcover.runs.portfolio import finding as portfolio
from exactcover.search.result import Solution
from tests.helpers.commands import ran, refused


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The portfolio begins at once, with short dives."""
    monkeypatch.setattr(portfolio, "FEWEST", 0)
    monkeypatch.setattr(portfolio, "MOST", 0)
    monkeypatch.setattr(portfolio, "STEPS", 100_000)


def found(puzzle: ec.Puzzle | ec.Problem, seed: int, workers: int) -> tuple[int, ...]:
    solution = ec.first(puzzle, seed=seed, workers=workers)
    assert solution is not None
    return solution.options


@pytest.mark.usefixtures("at_once")
def test_a_seed_gives_the_same_solution_with_any_number_of_workers() -> None:
    puzzle = ec.read("pentominoes_20x3")
    one = [found(puzzle, seed, 1) for seed in range(3)]
    assert [found(puzzle, seed, 3) for seed in range(3)] == one
    assert [found(puzzle, seed, 1) for seed in range(3)] == one
    puzzle = ec.read("pentominoes_10x6")
    assert len({found(puzzle, seed, 2) for seed in range(4)}) > 1


@pytest.mark.usefixtures("at_once")
def test_no_solution_is_proved_by_the_plain_search() -> None:
    puzzle = ec.read("tetrominoes_1s_7x4")
    finding = Finding(puzzle, workers=2)
    assert next(finding, None) is None
    assert finding.result.status in ("complete", "impossible")


def test_the_plain_search_gets_its_share_beside_the_packers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It needs 839 choices, and makes eight times its first 20 in one attempt of sixteen."""
    monkeypatch.setattr(portfolio, "FEWEST", 20)
    monkeypatch.setattr(portfolio, "MOST", 20)
    monkeypatch.setattr(portfolio, "STEPS", 3_000)  # too few for the packers
    with Finding(ec.read("pentominoes_20x3"), workers=1) as finding:
        assert next(finding, None) is not None
        assert int(finding.told.split()[-2]) < 200  # restarts


def test_an_easy_puzzle_needs_no_portfolio() -> None:
    puzzle = ec.read("somacube")
    solution = ec.first(puzzle)
    assert solution is not None
    assert solution.options == next(ec.solve(puzzle)).options
    with Finding(puzzle) as finding:
        assert next(finding).options == solution.options
        assert finding.best is None
        assert finding.workers == 1


def is_packing(solution: Solution) -> bool:
    """Whether no two pieces share a cell, and no piece occurs too often."""
    problem = solution.problem
    items = [item for one in solution.options for item in problem.items_of(one).tolist()]
    return bool((np.bincount(items, minlength=problem.n_items)[: problem.primary] <= 1).all())


@pytest.mark.usefixtures("at_once")
def test_a_time_limit_leaves_the_best_partial_packing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "STEPS", 3_000)
    puzzle = ec.read("hexominoes_box_in_a_diamond")
    with Finding(puzzle, time_limit=1e9, workers=1) as finding:
        while finding.best is None:
            assert finding.step()
        finding.elapse(1e9)  # the time is over
        assert next(finding, None) is None
        assert finding.result.status == "unknown"
        assert finding.best is not None
        assert is_packing(finding.best)
        assert 0 < len(finding.best.placements) < 35
        assert "restarts" in finding.told


def test_too_little_time_raises_without_a_packing() -> None:
    with pytest.raises(LimitReached) as raised:
        ec.first(ec.read("hexominoes_15x14"), time_limit=0)
    assert raised.value.best is None


def test_the_command_says_unknown() -> None:
    said = ran(
        "solve", "--first", "hexominoes_15x14", "--time-limit", "0", "--json", status=4
    ).stdout
    assert json.loads(said)["status"] == "unknown"
    assert "--seed goes with --first" in refused("solve", "--seed", "1", "somacube", status=2)


def test_invalid_arguments() -> None:
    with pytest.raises(ExactCoverError):
        ec.first([["a"]], seed=-1)
    with pytest.raises(ExactCoverError):
        ec.first([["a"]], workers=0)
