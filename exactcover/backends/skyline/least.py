"""The least height of a strip, and the least area of a rectangle, that hold given rectangles.

They need not be filled. Candidates are tried in order of size, from a lower bound up, so the first
one that holds the rectangles is the least, and the proof is that all before it hold them not. A
candidate as large as the rectangles together is decided by skyline, the others by CP-SAT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heapreplace
from math import inf
from time import monotonic

from exactcover.backends.cpsat.no_overlap import pack_one
from exactcover.backends.skyline.search import SkylineSearch
from exactcover.errors import CapabilityError, PuzzleError
from exactcover.patience import check
from exactcover.rectangles import Floor, Placed, Rectangle

SLICE = 1 << 20
"""Placements between two looks at the time."""

Stop = Callable[[], bool]


@dataclass(frozen=True)
class Least:
    """The outcome of a search for the least floor.

    status  complete: the floor is proved to be the least; limit, interrupted: it was stopped
    floor   the least floor that holds the rectangles, or None
    placed  where they lie in it, sorted
    bound   no floor with a lower height, or area, holds them
    """

    status: str
    floor: Floor | None
    placed: tuple[Placed, ...]
    bound: int


@dataclass(frozen=True)
class _Limits:
    """When to stop, and with how many threads CP-SAT works."""

    end: float
    workers: int | None
    stop: Stop | None

    def reason(self) -> str | None:
        """Why the search must end now, or None."""
        check()
        if self.stop is not None and self.stop():
            return "interrupted"
        return "limit" if monotonic() >= self.end else None


def least_height(
    width: int,
    rectangles: Sequence[Rectangle],
    *,
    time_limit: float | None = None,
    workers: int | None = None,
    stop: Stop | None = None,
    tell: Callable[[int], None] | None = None,
) -> Least:
    """The least height of a strip of this width that holds the rectangles, with proof.

    time_limit  seconds; None: until it is known
    workers     threads of CP-SAT; None: one for each processor
    stop        called from time to time; the search ends when it returns true
    tell        called with each new lower bound
    """
    kinds = tuple(rectangles)
    lowest = [min((high for wide, high in one.sizes if wide <= width), default=0) for one in kinds]
    if 0 in lowest:
        wrong = kinds[lowest.index(0)]
        raise PuzzleError(
            f"rectangle {wrong.name}: it is wider than the strip, which is {width} wide",
            piece=wrong.name,
        )
    area = sum(one.area * one.copies for one in kinds)
    bound = max(-(-area // width), *lowest)
    most = bound + sum(one.copies * max(one.width, one.height) for one in kinds)
    floors = ((height, Floor(width, height, kinds)) for height in range(bound, most + 1))
    return _first(floors, _Limits(_end(time_limit), workers, stop), tell)


def least_area(
    rectangles: Sequence[Rectangle],
    *,
    time_limit: float | None = None,
    workers: int | None = None,
    stop: Stop | None = None,
    tell: Callable[[int], None] | None = None,
) -> Least:
    """A rectangle of least area that holds the rectangles, with proof.

    Of those with the least area it is the first that holds them, the narrowest first. Arguments are
    those of `least_height`; bounds are areas.
    """
    limits = _Limits(_end(time_limit), workers, stop)
    return _first(_by_area(tuple(rectangles)), limits, tell)


def _end(time_limit: float | None) -> float:
    return inf if time_limit is None else monotonic() + time_limit


def _by_area(kinds: tuple[Rectangle, ...]) -> Iterator[tuple[int, Floor]]:
    """The floors that may hold the rectangles, by area; upright ones alone if all may turn."""
    area = sum(one.area * one.copies for one in kinds)
    turning = all(one.turns or one.is_square for one in kinds)
    narrowest = max(min(wide for wide, _ in one.sizes) for one in kinds)
    lowest = max(min(high for _, high in one.sizes) for one in kinds)
    in_a_row = sum(one.copies * max(wide for wide, _ in one.sizes) for one in kinds)

    def first_height(width: int) -> int:
        return max(-(-area // width), lowest, width if turning else 0)

    # A floor wider than a row of all rectangles has an empty column.
    waiting = [
        (width * first_height(width), width, first_height(width))
        for width in range(narrowest, in_a_row + 1)
    ]
    heapify(waiting)
    while waiting:
        size, width, height = waiting[0]
        yield size, Floor(width, height, kinds)
        heapreplace(waiting, (size + width, width, height + 1))


def _first(
    floors: Iterator[tuple[int, Floor]], limits: _Limits, tell: Callable[[int], None] | None
) -> Least:
    """The first floor that holds its rectangles; each comes with its measure, which never falls."""
    bound = -1
    for measure, floor in floors:
        if measure > bound:
            bound = measure
            if tell is not None:
                tell(bound)
        status, placed = _decided(floor, limits)
        if status is not None:
            return Least(status, None, (), bound)
        if placed is not None:
            return Least("complete", floor, placed, bound)
    raise AssertionError("some floor is large enough")


def _decided(floor: Floor, limits: _Limits) -> tuple[str | None, tuple[Placed, ...] | None]:
    """Why a search was stopped, or None; and where the rectangles lie, or None if they cannot."""
    if floor.area == floor.rectangles_area:
        try:
            search = SkylineSearch(floor)
        except CapabilityError:  # too long for skyline: CP-SAT decides
            pass
        else:
            while (reason := limits.reason()) is None:
                batch = search.advance(SLICE, capacity=1, keep=True)
                if len(batch):
                    return None, batch.solution(0)
                if search.done:
                    return None, None
            return reason, None
    if (reason := limits.reason()) is not None:
        return reason, None
    seconds = None if limits.end == inf else limits.end - monotonic()
    packed = pack_one(floor, time_limit=seconds, workers=limits.workers, stop=limits.stop)
    if packed.status in ("limit", "interrupted"):
        return packed.status, None
    return None, packed.solutions[0] if packed.solutions else None
