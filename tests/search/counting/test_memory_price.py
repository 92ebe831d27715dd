"""The states that a count expects, from the growth of its levels."""

from __future__ import annotations

import pytest

import exactcover as ec
from exactcover.backends.automaton import count as count_by_states
from exactcover.backends.base import Branching, Status

NARROW = Branching.by("narrow")


@pytest.mark.parametrize("name", ["pentominoes_12x5", "pentominoes_10x6", "dominoes_8x8"])
def test_the_expected_states_come_near_the_counted(name: str) -> None:
    """Within a factor of 30 all along, and exact at the end."""
    model = ec.read(name).model
    counting = count_by_states(model.problem, model.layout, NARROW)
    expected = []
    while counting.advance(1 << 12, keep=False).status is not Status.DONE:
        if counting.where().outlook.whole:
            expected.append(counting.where().outlook.whole)
    end = counting.where().outlook
    assert end.done == pytest.approx(1.0)
    assert end.work >= counting.states
    assert all(end.whole / 30 < one < 30 * end.whole for one in expected)
