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
from exactcover.backends.automaton import counting
from exactcover.backends.automaton.nodes import weights_of_sets


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize(
    ("copies", "cells", "share"),
    [
        ([1, 1, 1, 1], [5, 5, 5, 5], [1.0, 0.3, 0.3, 0.7]),
        ([2, 1, 3], [4, 5, 1], [0.5, 0.5, 1.0]),
        ([1, 9], [4, 1], [0.2, 1.0]),
    ],
)
def test_weights_of_sets_are_those_of_all_sets(
    copies: list[int], cells: list[int], share: list[float], power: int
) -> None:
    found = np.zeros(1 + np.dot(copies, cells))
    for taken in product(*(range(most + 1) for most in copies)):
        weight = prod(part**one / factorial(one) for part, one in zip(share, taken, strict=True))
        found[np.dot(taken, cells)] += weight**power
    made = weights_of_sets(np.array(copies), np.array(cells), np.array(share), power)
    assert made == pytest.approx(found)


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
    whole = counting.NODE_WORK * counts[0].nodes + counts[0].states
    assert least * whole < first[0] < most * whole
