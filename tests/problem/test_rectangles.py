"""Motions are those of the floor and its pieces."""

from __future__ import annotations

import pytest

from exactcover.problem.rectangles import Floor, FloorMotions, Rectangle


@pytest.mark.parametrize(
    ("floor", "motions"),
    [
        (Floor(5, 3, (Rectangle(5, 3),)), 4),
        (Floor(4, 4, (Rectangle(4, 1, copies=4),)), 8),
        (Floor(4, 4, (Rectangle(4, 1, copies=4, turns=False),)), 4),
        (Floor(4, 4, (Rectangle(2, 2, copies=4, turns=False),)), 8),
    ],
)
def test_motions_are_as_many_as_the_floor_allows(floor: Floor, motions: int) -> None:
    found = FloorMotions.of(floor, floor.poses, "reflections")
    assert len(set(zip(found.swaps, map(tuple, found.mirrored), strict=True))) == motions
    assert not found.swaps[0]
    assert not found.mirrored[0].any()
    assert found.turns.sum() == motions // 2
    assert len(FloorMotions.of(floor, floor.poses, "rotations").swaps) == motions // 2
    assert len(FloorMotions.of(floor, floor.poses, "all").swaps) == 1
