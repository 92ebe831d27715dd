"""Least heights and areas against published ones, with proof."""

from __future__ import annotations

import pytest

from exactcover.backends.skyline import least_area, least_height
from exactcover.errors import PuzzleError
from exactcover.rectangles import Floor, Placed, Rectangle
from tests.backends.skyline.floors import CALIBRON


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
    bounds: list[int] = []
    found = least_height(56, CALIBRON.rectangles, tell=bounds.append)
    assert (found.status, found.bound, bounds) == ("complete", 56, [56])


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


def test_a_limit_leaves_the_bound() -> None:
    found = least_area(squares(9), time_limit=0)
    assert (found.status, found.floor, found.placed, found.bound) == ("limit", None, (), 285)
    assert least_area(squares(9), stop=lambda: True).status == "interrupted"


def test_a_strip_that_is_too_narrow_is_refused() -> None:
    with pytest.raises(PuzzleError, match="3x4: it is wider"):
        least_height(2, [Rectangle(2, 2), Rectangle(3, 4)])
