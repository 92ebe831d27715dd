"""A time limit holds while a puzzle is set up too, and spoils nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest

import exactcover as ec
from exactcover.base import patience
from exactcover.base.patience import check, patiently, within
from exactcover.errors import TimeUp
from exactcover.search import clock
from exactcover.search.counting.counts import Counting
from exactcover.search.solving import Solving
from exactcover.trust.verification import verify
from tests.helpers.commands import records
from tests.helpers.examples import some

MANY_SYMMETRIES = """
lattice = "hypercubic-6"
region = "3x3x3x3x3x3"
pieces = "L-tromino any"
"""
"""46,080 symmetries, each a permutation of 19,440 images: that takes minutes."""

SOON = 30.0
"""Seconds: far less than setting it up takes, far more than a machine is slow."""


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "large.toml"
    path.write_text(MANY_SYMMETRIES)
    return path


@pytest.mark.parametrize(
    "strategy", some([None, "dlx:s", "automaton", "redundancy; volume; fila:f"], one_in=3)
)
def test_a_search_stops_while_it_is_set_up(large: Path, strategy: str | None) -> None:
    began = monotonic()
    for one in (
        Solving(ec.read(large), counted="rotations", strategy=strategy, time_limit=0.2),
        Counting(ec.read(large), counted="rotations", strategy=strategy, time_limit=0.2),
    ):
        result = one.run()
        assert (result.status, result.solutions) == ("limit", 0)
        assert result.seconds > 0.1
    assert monotonic() - began < SOON


@pytest.mark.parametrize(
    "command", some(["count", "solve", "solve --first --stats", "count --strategy dlx:s"], one_in=4)
)
def test_a_command_stops_while_it_sets_up(large: Path, command: str) -> None:
    [record] = records(*command.split(), large, "--time-limit", "0.4", status=4)
    assert record["status"] in ("limit", "unknown")


class Clock:
    """A clock that stands still, and jumps by years when it has been looked at often enough."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def __call__(self) -> float:
        self.looks -= 1
        return 0.0 if self.looks >= 0 else 1e9


FILTERS = "redundancy; volume; parity; fit; dlx:s"

WAYS: dict[str, Callable[[ec.Puzzle], str]] = {
    "solve": lambda p: Solving(p, counted="rotations", time_limit=100).run().status,
    "filters": lambda p: Solving(p, strategy=FILTERS, time_limit=100).run().status,
    "count": lambda p: Counting(p, counted="reflections", time_limit=100).run().status,
    "automaton": lambda p: Counting(p, strategy="automaton", time_limit=100).run().status,
    "best": lambda p: ec.best(p, least="pieces", time_limit=100).status,
    "verify": lambda p: verify(p, engines=["dlx:s", "fit; bsx:s"], time_limit=100.0).status,
}


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(way, id=id_, marks=[pytest.mark.slow] * (id_ == "best"))
        for id_, way in WAYS.items()
    ],
)
def test_wherever_it_stops_the_next_one_is_right(
    way: Callable[[ec.Puzzle], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped at an early look at the clock, at a later one, ...: `limit`, until time suffices."""
    puzzle = ec.read("pentominoes_20x3")
    assert isinstance(puzzle, ec.Puzzle)
    seen = []
    for looks in range(1, 100_000):
        monkeypatch.setattr(patience, "monotonic", Clock(6**looks))
        seen.append(way(puzzle))
        if seen[-1] == "complete":
            break
    monkeypatch.undo()
    assert set(seen[:-1]) == {"limit"}
    assert seen[-1] == "complete"
    assert ec.count(puzzle, counted="all") == 8


def test_what_a_limit_stopped_can_still_be_made(large: Path) -> None:
    solving = Solving(ec.read(large), time_limit=0.0, counted="rotations")
    assert solving.run().status == "limit"
    assert solving.problem.n_options == 19_440


# -- the deadline itself --------------------------------------------------------------------------


def test_a_clock_is_over_once_its_limit_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also between two slices, where nothing is broken off."""
    now = [0.0]
    monkeypatch.setattr("exactcover.search.clock.perf_counter", lambda: now[0])
    running = clock.Clock(5.0)
    for seconds, left in [(2.0, 3.0), (2.5, 0.5), (0.5, 0.0)]:
        assert not running.over
        with running.running():
            now[0] += seconds
        assert running.left == left
    assert running.over
    assert not running.late
    shortened = clock.Clock(5.0)
    shortened.shorten(6.0)
    assert shortened.over


def test_the_earlier_deadline_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(patience, "monotonic", lambda: now)
    with within(10):
        with within(100):
            now = 9.0
            check()
            now = 11.0
            with pytest.raises(TimeUp):
                check()
        with pytest.raises(TimeUp):
            next(patiently([1]))
    check()
