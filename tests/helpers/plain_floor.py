"""Floors filled by a plain search: each free corner in turn, and each rectangle that fits there."""

from __future__ import annotations

from collections.abc import Iterator

from exactcover.rectangles import Floor, Placed


def fillings(floor: Floor) -> Iterator[tuple[Placed, ...]]:
    """All solutions, each sorted."""
    free = {(x, y) for x in range(floor.width) for y in range(floor.height)}
    copies = [kind.copies for kind in floor.rectangles]
    if floor.area == floor.rectangles_area:
        yield from _filled(floor, free, copies, ())


def _filled(
    floor: Floor, free: set[tuple[int, int]], copies: list[int], placed: tuple[Placed, ...]
) -> Iterator[tuple[Placed, ...]]:
    if not free:
        yield tuple(sorted(placed))
        return
    y, x = min((y, x) for x, y in free)
    for number, kind in enumerate(floor.rectangles):
        if not copies[number]:
            continue
        copies[number] -= 1
        for width, height in kind.sizes:
            cells = {(a, b) for a in range(x, x + width) for b in range(y, y + height)}
            if cells <= free:
                one = Placed(number, x, y, width, height)
                yield from _filled(floor, free - cells, copies, (*placed, one))
        copies[number] += 1
