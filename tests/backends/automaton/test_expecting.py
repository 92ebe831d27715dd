"""How many states are expected: the sets of pieces by enumeration, and whole puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import factorial, prod
from typing import Any

import numpy as np
import pytest

import exactcover as ec
from exactcover.backends import Batch
from exactcover.backends.automaton import counting, outlook
from exactcover.backends.automaton.outlook import PieceSets

KINDS = [
    ([1, 1, 1, 1], [5, 5, 5, 5], [3.0, 1.0, 1.0, 2.0]),
    ([2, 1, 3], [4, 5, 1], [1.0, 1.0, 2.0]),
    ([1, 9], [4, 1], [1.0, 6.0]),
    ([3, 0, 2], [2, 4, 3], [1.0, 5.0, 1.0]),
]


def sets_of(copies: list[int], cells: list[int], placed: list[float]) -> PieceSets:
    return PieceSets.of(np.array(placed), np.array(copies), np.array(cells))


@pytest.mark.parametrize(("copies", "cells", "placed"), KINDS)
def test_sets_are_as_many_as_enumerated(
    copies: list[int], cells: list[int], placed: list[float]
) -> None:
    sets = sets_of(copies, cells, placed)
    found = np.zeros(sets.cells + 1)
    for taken in product(*(range(most + 1) for most in copies)):
        found[np.dot(taken, cells)] += 1
    assert sets.cells == np.dot(copies, cells)
    assert sets.sizes.tolist() == np.flatnonzero(found).tolist()
    assert sets.many.tolist() == found[sets.sizes].tolist()


@pytest.mark.parametrize(("copies", "cells", "placed"), KINDS)
def test_chances_of_sets_are_those_of_pieces_drawn_at_random(
    copies: list[int], cells: list[int], placed: list[float]
) -> None:
    """Of the ways that cover so many cells, those with an allowed set have a known share."""
    sets = sets_of(copies, cells, placed)
    share = np.where(np.array(copies) > 0, placed, 0.0)
    share /= share.sum()
    for size, many, chances in zip(sets.sizes, sets.many, sets.chances, strict=True):
        allowed = every = 0.0
        most = [size // one if part else 0 for one, part in zip(cells, share, strict=True)]
        for taken in product(*(range(one + 1) for one in most)):
            if np.dot(taken, cells) != size:
                continue
            ways = factorial(sum(taken)) / prod(map(factorial, taken))
            chance = ways * prod(part**one for part, one in zip(share, taken, strict=True))
            every += chance
            allowed += chance * all(one <= most for one, most in zip(taken, copies, strict=True))
        assert many * chances.mean() == pytest.approx(allowed / every, rel=0.3)


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("pentominoes_10x6", 0.8, 3.0),
        # 44 cells stay empty, as equal pieces of one cell
        pytest.param("tetrominoes_franklin", 0.5, 3.0, marks=pytest.mark.slow),
        ("tetrasticks_5x5_without_L", 0.8, 4.0),
    ],
)
def test_a_first_estimate_is_near_the_truth(
    name: str, least: float, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "MANY_NODES", 1)
    counts: list[counting.AutomatonCount] = []
    first: list[float] = []
    advance, make = counting.AutomatonCount.advance, counting.StateLevels.make

    def advanced(counted: counting.AutomatonCount, steps: int, **more: Any) -> Batch:
        counts.append(counted)
        return advance(counted, steps, **more)

    def made(*level: Any) -> Iterator[None]:
        if not first:
            first.append(counts[0].report().outlook.whole)
        return make(*level)

    monkeypatch.setattr(counting.AutomatonCount, "advance", advanced)
    monkeypatch.setattr(counting.StateLevels, "make", made)
    ec.count(ec.read(name), strategy="automaton:narrow", counted="all")
    whole = outlook.NODE_WORK * counts[0].nodes + counts[0].states
    assert least * whole < first[0] < most * whole
