"""Least heights and areas against published ones, with proof."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from exactcover.backends.rectangles.least import (
    Least,
    least_area,
    least_height,
    least_width,
    stacked,
)
from exactcover.errors import PuzzleError
from exactcover.problem.rectangles import Floor, Placed, Rectangle
from tests.backends.skyline.floors import CALIBRON, random_floor


def squares(most: int) -> list[Rectangle]:
    return [Rectangle(side, side) for side in range(1, most + 1)]


def holds(floor: Floor, placed: tuple[Placed, ...]) -> bool:
    """Whether the rectangles lie in the floor, each where no other is."""
    cells = [
        (x, y)
        for one in placed
        for x in range(one.x, one.x + one.width)
        for y in range(one.y, one.y + one.height)
    ]
    return (
        len(cells) == len(set(cells)) == floor.rectangles_area
        and all(0 <= x < floor.width and 0 <= y < floor.height for x, y in cells)
        and all((one.width, one.height) in floor.rectangles[one.kind].sizes for one in placed)
        and sorted(one.kind for one in placed)
        == [kind for kind, one in enumerate(floor.rectangles) for _ in range(one.copies)]
    )


@pytest.mark.parametrize(
    ("most", "area"), [(1, 1), (2, 6), (3, 15), (4, 35), (5, 60), (6, 99), (7, 154), (8, 210)]
)
def test_consecutive_squares_need_the_published_areas(most: int, area: int) -> None:
    """OEIS A038666, the least area that holds squares of sides 1 to n."""
    found = least_area(squares(most), workers=1)
    assert (found.status, found.bound) == ("complete", area)
    assert found.floor is not None
    assert found.floor.area == area
    assert holds(found.floor, found.placed)


def test_a_floor_that_is_filled_is_the_least() -> None:
    told: list[Least] = []
    found = least_height(56, CALIBRON.rectangles, tell=told.append)
    assert (found.status, found.bound) == ("complete", 56)
    assert [(one.status, one.bound) for one in told] == [("searching", 56)]
    assert told[0].floor is not None
    assert holds(told[0].floor, told[0].placed)


@pytest.mark.parametrize(("width", "height"), [(14, 15), (15, 14), (22, 11), (13, 17)])
def test_the_least_height_is_proved(width: int, height: int) -> None:
    """14 x 15 is the least area for eight squares, so width 13 needs more than 16 x 13 = 208."""
    found = least_height(width, squares(8), workers=1)
    assert (found.status, found.bound) == ("complete", height)
    assert found.floor is not None
    assert holds(found.floor, found.placed)


def test_rectangles_that_may_not_turn_take_more_room() -> None:
    turning, fixed = (
        [Rectangle(5, 1, turns=turns), Rectangle(1, 5, turns=turns)] for turns in (True, False)
    )
    assert least_area(turning, workers=1).bound == 10
    assert least_area(fixed, workers=1).bound == 30


def test_a_limit_leaves_the_bound_and_a_packing() -> None:
    for found in (least_area(squares(9), time_limit=0), least_area(squares(9), stop=lambda: True)):
        assert found.status in ("limit", "interrupted")
        assert found.bound == 285
        assert found.floor is not None
        assert found.floor.area < 400
        assert holds(found.floor, found.placed)


def test_a_room_says_how_wide_and_high_a_box_may_be() -> None:
    flat = least_area(squares(4), room=(20, 4))
    assert (flat.status, flat.bound) == ("complete", 36)
    small = least_area(squares(4), room=(6, 6))
    assert (small.status, small.floor, small.bound) == ("impossible", None, 36)
    high = least_area([Rectangle(4, 1), Rectangle(2, 1)], room=(1, 9))
    assert high.floor is not None
    assert (high.floor.width, high.floor.height) == (1, 6)
    assert least_height(5, squares(4), room=6).status == "impossible"


def test_the_least_width_is_a_height_turned() -> None:
    kinds = [Rectangle(3, 5, turns=False), Rectangle(4, 2), Rectangle(1, 1, copies=3)]
    told: list[Least] = []
    found = least_width(5, kinds, tell=told.append)
    assert (found.status, found.bound) == ("complete", 6)
    for one in (*told, found):
        assert one.floor is not None
        assert one.floor.height == 5
        assert holds(one.floor, one.placed)
        assert all((p.width, p.height) == (3, 5) for p in one.placed if p.kind == 0)


@pytest.mark.parametrize("seed", range(5))
def test_a_first_packing_is_one(seed: int) -> None:
    random = Random(seed)
    for _ in range(20):
        floor = random_floor(random)
        width = max(max(one.width, one.height) for one in floor.rectangles) + random.randint(0, 3)
        height, placed = stacked(width, floor.rectangles)
        assert holds(Floor(width, height, floor.rectangles), placed)


def test_a_strip_that_is_too_narrow_is_refused() -> None:
    with pytest.raises(PuzzleError, match="3x4: it is wider"):
        least_height(2, [Rectangle(2, 2), Rectangle(3, 4)])


@pytest.mark.parametrize("turns", [True, False])
@pytest.mark.parametrize("least", [least_area, least_height], ids=["area", "height"])
def test_sizes_are_divided_by_their_common_divisor(least: object, turns: bool) -> None:
    across, up = (200, 200) if turns else (200, 70)
    small = [Rectangle(width, height, turns=turns) for width, height in [(5, 3), (4, 2), (3, 3)]]
    large = [replace(one, width=one.width * across, height=one.height * up) for one in small]
    told: list[Least] = []
    if least is least_area:
        one, other = least_area(small, workers=1), least_area(large, workers=1, tell=told.append)
        by = across * up
    else:
        one = least_height(7, small, workers=1)
        other = least_height(8 * across - 1, large, workers=1, tell=told.append)
        by = up
    assert (one.status, other.status) == ("complete", "complete")
    assert other.bound == one.bound * by
    assert [found.bound % by for found in told] == [0] * len(told)
    assert one.floor is not None
    assert other.floor is not None
    assert [(spot.x * across, spot.y * up) for spot in one.placed] == [
        (spot.x, spot.y) for spot in other.placed
    ]
    assert other.floor.height == one.floor.height * up
    assert other.floor.width == (one.floor.width * across if by > up else 8 * across - 1)
    assert {(kind.width, kind.height) for kind in other.floor.rectangles} == {
        (kind.width, kind.height) for kind in large
    }
