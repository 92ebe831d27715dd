"""The least height, width and area of packed rectangles, against published ones."""

from __future__ import annotations

from random import Random

import pytest

import exactcover as ec


def squares(most: int, room: str) -> ec.Puzzle:
    """Squares of sides 1 to a number in a room."""
    pieces = ", ".join(f"{side}x{side}" for side in range(1, most + 1))
    return ec.Puzzle.of(pieces, {"optional": room})


@pytest.mark.parametrize(("most", "area"), [(3, 15), (6, 99), (8, 210)])
def test_the_least_area_of_consecutive_squares(most: int, area: int) -> None:
    """R. E. Korf, Optimal rectangle packing: initial results (2003)."""
    found = ec.best(squares(most, "30x30"), least="area")
    assert (found.status, found.value, found.bound) == ("complete", area, area)
    assert found.solution is not None
    cells = [cell for placement in found.solution.placements for cell in placement.cells]
    assert len(cells) == len(set(cells))
    across, up = (max(cell[axis] for cell in cells) + 1 for axis in (0, 1))
    assert across * up == area


@pytest.mark.parametrize("name", ["squares_1_to_9", "squares_1_to_9_strip"])
def test_shipped_rooms(name: str) -> None:
    strip = name.endswith("strip")
    value = 20 if strip else 300
    found = ec.best(ec.read(name), least="height" if strip else "area")
    assert (found.status, found.value, found.bound) == ("complete", value, value)


@pytest.mark.parametrize("seed", range(6))
def test_no_smaller_box_holds_the_rectangles(seed: int) -> None:
    """The puzzle of cells, with as many holes as cells are left over, in every smaller box."""
    random = Random(seed)
    sizes = [(random.randint(1, 4), random.randint(1, 4)) for _ in range(random.randint(3, 5))]
    pieces = ", ".join(f"{wide}x{high}" for wide, high in sizes)
    area = ec.best(ec.Puzzle.of(pieces, {"optional": "25x25"}), least="area").value
    boxes = [(w, h) for w in range(1, 26) for h in range(1, w + 1) if area and w * h <= area]
    fitting = [w * h for w, h in boxes if _holds(pieces, sizes, w, h)]
    assert min(fitting) == area
    height = ec.best(ec.Puzzle.of(pieces, {"optional": "5x40"}), least="height").value
    assert height == next(h for h in range(1, 40) if _holds(pieces, sizes, 5, h))


def _holds(pieces: str, sizes: list[tuple[int, int]], width: int, height: int) -> bool:
    """Whether a box holds rectangles, by an engine of cells."""
    empty = width * height - sum(wide * high for wide, high in sizes)
    if empty < 0:
        return False
    region = {"optional": f"{width}x{height}", "empty": empty}
    return bool(list(ec.solve(ec.Puzzle.of(pieces, region), strategy="dlx:s", limit=1)))


def test_a_small_room_holds_nothing() -> None:
    assert ec.best(squares(3, "3x4"), least="area").status == "impossible"
    assert ec.best(ec.Puzzle.of("1x7, 1x1", {"optional": "6x6"})).status == "impossible"


def test_the_area_is_least_if_nothing_is_said() -> None:
    assert str(ec.best(squares(3, "9x9")).aim) == "least area"


@pytest.mark.parametrize(
    ("subject", "asked"),
    [("calibron_12", {"least": "area"}), ("pentominoes_10x6", {"least": "height"})],
)
def test_other_puzzles_have_no_least_size(subject: str, asked: dict[str, str]) -> None:
    with pytest.raises(ec.ExactCoverError, match="rectangles in a room"):
        ec.best(ec.read(subject), **asked)


def test_a_size_is_never_most() -> None:
    with pytest.raises(ec.ExactCoverError, match="least, not most"):
        ec.best(squares(3, "9x9"), most="height")


def test_a_search_that_is_stopped_has_a_bound_and_a_packing() -> None:
    found = ec.best(squares(32, "140x140"), least="area", stop=lambda: True)
    assert found.status == "interrupted"
    assert found.solution is not None
    assert found.bound is not None
    assert found.value is not None
    assert 11440 <= found.bound <= found.value < 13000
    cells = [cell for placement in found.solution.placements for cell in placement.cells]
    assert len(cells) == len(set(cells)) == 11440


def test_a_time_limit_ends_a_search() -> None:
    assert ec.best(squares(32, "140x140"), least="area", time_limit=0.5).status == "limit"
