"""Ctrl-C within a step of a search: what goes on goes on right, and what cannot says so."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import sleep
from typing import Any

import pytest

import exactcover as ec
from exactcover.search.stages import StageWalk
from examples.queens import queens


class Pressed(KeyboardInterrupt):
    """Ctrl-C, at a moment of our choice."""


@contextmanager
def pressing() -> Iterator[Callable[[float], None]]:
    """A function that presses Ctrl-C after so many seconds."""

    def press(number: int, frame: object) -> None:
        raise Pressed

    before = signal.signal(signal.SIGALRM, press)
    try:
        yield lambda seconds: [signal.setitimer(signal.ITIMER_REAL, seconds)].clear()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


MULTIPLE = ec.Problem.from_options(
    [[one, two] for one in "abcdefgh" for two in "12345678"],
    multiplicity={"1": (0, 2), "8": (0, 1)},
)


@pytest.mark.parametrize("limit", [1, None])
@pytest.mark.parametrize("problem", [queens(8), MULTIPLE])
def test_a_batch_keeps_the_answers_until_it_was_broken_off(
    problem: ec.Problem, limit: int | None
) -> None:
    givens = [[option] for option in range(problem.n_options)]
    givens *= 100 if problem is not MULTIPLE else 1
    whole = ec.SolvingEach(problem, givens, limit=limit).run()
    solving = ec.SolvingEach(problem, givens, limit=limit)
    with pytest.raises(Pressed):
        pressed_in(solving)
    assert list(solving.answers) == list(whole)[: solving.done]
    with suppress(ec.BrokenSearch):
        assert solving.run() == whole


def pressed_in(solving: Any) -> None:
    """Ctrl-C while it runs, or soon after."""
    with pressing() as press:
        press(0.01)
        solving.run()
        sleep(60)


def broken_off(solving: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A search with Ctrl-C in the middle of a step."""
    solving.step()  # the filters are applied

    def advance(*_: object, **__: object) -> None:
        raise Pressed

    monkeypatch.setattr(StageWalk, "advance", advance)
    with pytest.raises(Pressed):
        all(iter(solving.step, False))
    monkeypatch.undo()
    return solving


@pytest.mark.parametrize("strategy", ["dlx:s", "fila:f", "redundancy; dlx:s"])
def test_a_search_that_was_broken_off_does_not_go_on(
    strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = ec.read("pentominoes_1s_30x3")
    solving = broken_off(ec.solve(puzzle, strategy=strategy), monkeypatch)
    for go_on in (solving.run, lambda: next(solving), solving.step):
        with pytest.raises(ec.BrokenSearch, match="by Pressed, so it cannot go on: make a new"):
            go_on()
    assert solving.result.status == "searching"
    solving.stop()
    assert solving.run().status == "interrupted"


def test_an_estimate_says_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    work = ec.Estimating(ec.read("pentominoes_10x6"), time_limit=100)
    broken_off(work, monkeypatch)
    for _ in range(2):
        with pytest.raises(ec.BrokenSearch, match="by Pressed"):
            work.step()
    work.stop()
    assert not work.step()
    assert work.estimate.status == "interrupted"
