"""Polygons on whole numbers: corners of neighbours on edges, and triangles of concave polygons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from exactcover.render.bodies import Key

Triangle = tuple[int, int, int]


def cut_at(loop: Sequence[Key], corners: Iterable[Key]) -> list[Key]:
    """The loop, with each of the corners that lies on one of its edges."""
    found: list[Key] = []
    for a, b in zip(loop, (*loop[1:], loop[0]), strict=True):
        between = [corner for corner in corners if _inside(corner, a, b)]
        between.sort(key=lambda corner: abs(corner[0] - a[0]) + abs(corner[1] - a[1]))
        found += [a, *between]
    return found


def _inside(corner: Key, a: Key, b: Key) -> bool:
    """Whether a corner lies on the edge from a to b, between its ends."""
    along = _dot(_minus(corner, a), _minus(b, a))
    return not _turn(a, b, corner) and 0 < along < _dot(_minus(b, a), _minus(b, a))


def triangles(loop: Sequence[Key]) -> list[Triangle] | None:
    """Triangles that make up a polygon, as places in the loop; None if it is convex.

    One ear after the other is cut off: a corner that juts out, with no other corner in the triangle
    that it makes with the two beside it. Whole numbers make every comparison exact.
    """
    turns = [
        _turn(a, b, c)
        for a, b, c in zip((loop[-1], *loop[:-1]), loop, (*loop[1:], loop[0]), strict=True)
    ]
    sign = 1 if sum(_turn((0, 0), a, b) for a, b in _edges(loop)) > 0 else -1
    if all(sign * turn >= 0 for turn in turns):
        return None
    left = list(range(len(loop)))
    found: list[Triangle] = []
    while len(left) > 3:
        place = next(place for place in range(len(left)) if _is_ear(loop, left, place, sign))
        found.append((left[place - 1], left[place], left[(place + 1) % len(left)]))
        del left[place]
    return [*found, (left[0], left[1], left[2])]


def _is_ear(loop: Sequence[Key], left: Sequence[int], place: int, sign: int) -> bool:
    ear = left[place - 1], left[place], left[(place + 1) % len(left)]
    a, b, c = (loop[number] for number in ear)
    turn = sign * _turn(a, b, c)
    if turn <= 0:
        # A corner on a straight line is cut off as an empty triangle.
        return turn == 0
    return not any(
        all(sign * _turn(p, q, loop[other]) >= 0 for p, q in ((a, b), (b, c), (c, a)))
        for other in left
        if other not in ear
    )


def _edges(loop: Sequence[Key]) -> Iterable[tuple[Key, Key]]:
    return zip(loop, (*loop[1:], loop[0]), strict=True)


def _turn(a: Key, b: Key, c: Key) -> int:
    """Twice the area of a triangle, above 0 if it runs against the clock."""
    (ax, ay), (bx, by) = _minus(b, a), _minus(c, a)
    return ax * by - ay * bx


def _minus(a: Key, b: Key) -> Key:
    return a[0] - b[0], a[1] - b[1]


def _dot(a: Key, b: Key) -> int:
    return a[0] * b[0] + a[1] * b[1]
