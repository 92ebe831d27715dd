"""Kinds of rectangles are merged, checked, and named; motions form a group."""

from __future__ import annotations

import pytest

from exactcover.problem.rectangles import Floor, Placed, Rectangle, symmetries


def test_equal_rectangles_become_one_kind() -> None:
    floor = Floor(6, 4, (Rectangle(3, 2), Rectangle(2, 3, copies=2), Rectangle(6, 1)))
    assert [(kind.name, kind.copies) for kind in floor.rectangles] == [("3x2", 3), ("6x1", 1)]
    assert floor.area == floor.rectangles_area == 24
    assert floor.pieces == 4


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
    found = symmetries(floor)
    assert [one.is_identity for one in found] == [True] + [False] * (motions - 1)
    assert sum(one.is_turn for one in found) == motions // 2
    assert symmetries(floor, "rotations") == tuple(one for one in found if one.is_turn)
    assert len(set(found)) == motions
    assert symmetries(floor, "all") == found[:1]


def test_motions_of_a_square_are_a_group() -> None:
    floor = Floor(7, 7, (Rectangle(7, 7),))
    corner = Placed(0, 1, 0, 3, 2)
    images = {motion.place(floor, corner) for motion in symmetries(floor)}
    assert len(images) == 8
    for motion in symmetries(floor):
        assert {motion.place(floor, one) for one in images} == images
