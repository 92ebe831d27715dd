"""The numpy forms of compiled filters, which serve small puzzles: the same results."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import exactcover as ec
from exactcover.problem.filters import redundancy, totals
from exactcover.problem.filters.redundancy import Canonical
from exactcover.problem.filters.tree import FilterState
from exactcover.search import Solving
from exactcover.search.subject import Subject

PUZZLES = [
    "somacube",
    "dominoes_3x3x2",
    "tetrahexes_7x4",
    "tetrahexes_torus_7x4",
    "bcc/pairs_3x2x2",
    "pentominoes_any_5x5",
    "calendar_any",
    "hexiamonds_6x6",
    "tetrasticks_5x5_without_H",
]


@pytest.fixture
def unload(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Makes filters believe that the process has not imported numba."""

    def unload() -> None:
        for module in (totals, redundancy):
            monkeypatch.setattr(module, "is_loaded", lambda: False)
            monkeypatch.setattr(totals, "SMALL", 1 << 40)

    return unload


@pytest.mark.parametrize("name", PUZZLES)
def test_flooding_side_by_side_is_the_compiled_volume_filter(
    name: str, unload: Callable[[], None]
) -> None:
    model = ec.read(name).model
    rng = np.random.default_rng(5)
    positions = []
    for depth in [0, 1, 2, 3, 4, 5, 3, 4, 5, 3, 4, 5]:
        chosen, alive = [], model.problem.choosable.copy()
        for _ in range(depth):
            if not alive.any():
                break
            option = int(rng.choice(np.flatnonzero(alive)))
            chosen.append(option)
            for item in model.problem.items_of(option).tolist():
                alive[model.problem.options_of(item)] = False
            alive[option] = False
        positions.append(FilterState(model.board, tuple(chosen), alive))
    expected = [totals.volume(position) for position in positions]
    removed = [one.alive.sum() - kept.sum() for one, kept in zip(positions, expected, strict=True)]
    assert any(removed) or name == "calendar_any"
    unload()
    for kept, position in zip(expected, positions, strict=True):
        assert (totals.volume(position) == kept).all()


@pytest.mark.parametrize("name", ["somacube", "dominoes_3x3x2", "tetrominoes_any_5x4"])
def test_the_canonical_test_in_numpy_is_the_compiled_one(
    name: str, unload: Callable[[], None]
) -> None:
    subject = Subject.of(ec.read(name), "reflections")
    assert subject.group is not None
    found = [one.options for one in Solving(ec.read(name), counted="all")]
    found = found[:: 1 + len(found) // 400]
    starts = np.cumsum([0, *map(len, found)])
    options = np.concatenate(found).astype(np.int32)
    rng = np.random.default_rng(3)
    allowed = rng.random(subject.problem.n_options) < 0.9
    for flags in (np.ones_like(allowed), allowed):
        test = Canonical(subject.group, flags)
        expected = test.fixing(starts, options)
        assert 0 < (expected > 0).sum() < len(found)
        unload()
        assert (test.fixing(starts, options) == expected).all()
        empty = np.zeros(1, np.int64)
        assert test.fixing(empty, options[:0]).size == 0
