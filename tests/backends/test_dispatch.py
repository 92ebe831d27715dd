"""What is asked of an engine reaches it, and what it answers comes back, with nothing in between.

The engine gives back what it was given, so that no other engine could have answered.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

import exactcover as ec
import exactcover.backends as registry
from exactcover.errors import CapabilityError, StrategyError
from exactcover.problem import Problem
from tests.helpers import loopback as installed
from tests.helpers.plugged import plugged_in

OPTIONS = [["a"], ["b"], ["a", "b"], ["b", "c"]]


@pytest.fixture
def loopback() -> Iterator[installed.LoopbackBackend]:
    """The engine, installed as one of another package is."""
    place = "tests.helpers.loopback:backend"
    with plugged_in(registry) as entries:
        entries.append(EntryPoint("loopback", place, registry.ENTRY_POINTS))
        installed.backend.asked.clear()
        yield installed.backend


def test_its_answer_is_the_answer(loopback: installed.LoopbackBackend) -> None:
    solving = ec.solve(OPTIONS, strategy="loopback:i")
    assert [solution.options for solution in solving] == [(0, 1)]
    result = solving.result
    assert (result.solutions, result.fits, result.nofits) == (1, 17, 4)
    assert (result.status, result.strategy) == ("complete", "loopback:i")
    [(problem, layout, task)] = loopback.asked
    assert problem is solving.problem
    assert layout is None
    assert task.heuristic == "i"


def test_a_puzzle_comes_with_its_layout_and_filters(loopback: installed.LoopbackBackend) -> None:
    puzzle = ec.read("dominoes_4x4")
    assert ec.count(puzzle, strategy="fit; loopback:h", counted="all") == 1
    [(problem, layout, task)] = loopback.asked
    assert problem is puzzle.model.problem
    assert layout is puzzle.model.layout
    assert task.heuristic == "h"
    assert task.allowed is not None


def test_it_may_come_last_in_a_hand_over(loopback: installed.LoopbackBackend) -> None:
    """Each state that dlx hands out is a task for it, with what dlx has chosen."""
    puzzle = ec.read("somacube")
    found = [one.options for one in ec.solve(puzzle, strategy="dlx:s; loopback:h@5", counted="all")]
    assert len(found) == len(loopback.asked) > 1
    chosen = [task.chosen for _, _, task in loopback.asked]
    assert {len(options) for options in chosen} == {2}
    assert all(set(a) <= set(b) for a, b in zip(chosen, found, strict=True))


def test_what_it_cannot_do_it_is_not_asked(loopback: installed.LoopbackBackend) -> None:
    ranged = Problem.from_options(OPTIONS, multiplicity={"a": (0, 2)})
    with pytest.raises(CapabilityError, match="'loopback' cannot do"):
        ec.count(ranged, strategy="loopback:h", counted="all")
    with pytest.raises(StrategyError, match="loopback"):
        ec.count(OPTIONS, strategy="loopback:s")
    with pytest.raises(CapabilityError, match="loopback cannot hand over"):
        ec.count(ec.read("dominoes_4x4"), strategy="loopback:h; dlx:s@3", counted="all")
    assert loopback.asked == []
