"""Ctrl-C within a step of a search: what goes on goes on right, and what cannot says so."""

from __future__ import annotations

from typing import Any

import pytest

import exactcover as ec
from exactcover.search.stages import StageWalk


class Pressed(KeyboardInterrupt):
    """Ctrl-C, at a moment of our choice."""


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
