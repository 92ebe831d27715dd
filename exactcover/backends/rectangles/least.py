"""The least height or width of a strip, and the least area of a rectangle, that hold rectangles.

They need not be filled. Candidates are tried in order of size, from a lower bound up, so the first
one that holds the rectangles is the least, and the proof is that all before it hold them not. A
candidate as large as the rectangles together is decided by skyline, the others by CP-SAT. A packing
made at the start, see `stacked`, is the result if the search is stopped, or if no candidate is left
below it.

Rectangles that are pushed down and to the left lie at sums of sides. So sizes are divided by their
common divisor first, and a floor of a million by a million is as easy as that of the same puzzle
drawn small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heapreplace
from math import gcd, inf
from time import monotonic

from exactcover.backends.rectangles.engine import ordered
from exactcover.backends.rectangles.no_overlap import pack_one
from exactcover.backends.rectangles.skyline import SkylineSearch
from exactcover.base.patience import check, patiently
from exactcover.errors import CapabilityError, PuzzleError
from exactcover.problem.rectangles.sizes import Floor, Placed, Rectangle

SLICE = 1 << 20
"""Placements between two looks at the time."""

WIDTHS = 200
"""At most this number of widths is tried for the first packing of least area."""

PACKED_IN = ("largest", "widest")
"""The orders that are tried for the packing at the start."""

Stop = Callable[[], bool]


@dataclass(frozen=True)
class Least:
    """The outcome of a search for the least floor.

    status  complete: the floor is proved to be the least; impossible: none within the room holds
            the rectangles; limit, interrupted: it was stopped; searching while it goes on
    floor   the least floor found that holds the rectangles, or None
    placed  where they lie in it, sorted
    bound   no floor with a lower height, width or area holds them
    """

    status: str
    floor: Floor | None
    placed: tuple[Placed, ...]
    bound: int

    def turned(self) -> Least:
        """The same with the axes exchanged."""
        floor = self.floor
        if floor is not None:
            floor = Floor(floor.height, floor.width, tuple(map(_turned, floor.rectangles)))
        return replace(self, floor=floor, placed=tuple(sorted(map(_turned_place, self.placed))))

    def enlarged(self, steps: Steps, kinds: tuple[Rectangle, ...], by: int) -> Least:
        """The same for the rectangles `kinds`, which were divided by these steps.

        by  what the bound is multiplied by
        """
        across, up = steps
        placed = tuple(
            Placed(one.kind, one.x * across, one.y * up, one.width * across, one.height * up)
            for one in self.placed
        )
        floor = self.floor
        if floor is not None:
            floor = Floor(floor.width * across, floor.height * up, kinds)
        return replace(self, floor=floor, placed=placed, bound=self.bound * by)


Tell = Callable[[Least], None]

Steps = tuple[int, int]
"""The common divisors of all widths and of all heights: one if a rectangle may turn."""


def _divided(kinds: tuple[Rectangle, ...]) -> tuple[Steps, tuple[Rectangle, ...]]:
    """The steps of rectangles, and the rectangles divided by them."""
    across = gcd(*(one.width for one in kinds))
    up = gcd(*(one.height for one in kinds))
    if any(one.turns and not one.is_square for one in kinds):
        across = up = gcd(across, up)
    return (across, up), tuple(
        replace(one, width=one.width // across, height=one.height // up) for one in kinds
    )


def _telling(tell: Tell | None, enlarged: Callable[[Least], Least]) -> Tell | None:
    return None if tell is None else lambda least: tell(enlarged(least))


@dataclass(frozen=True)
class _Limits:
    """When to stop, and how CP-SAT works."""

    end: float
    workers: int | None
    seed: int
    stop: Stop | None

    @classmethod
    def of(
        cls, time_limit: float | None, workers: int | None, seed: int, stop: Stop | None
    ) -> _Limits:
        """The limits from now on."""
        end = inf if time_limit is None else monotonic() + time_limit
        return cls(end, workers, seed, stop)

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
    room: int | None = None,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    stop: Stop | None = None,
    tell: Tell | None = None,
) -> Least:
    """The least height of a strip of this width that holds the rectangles, with proof.

    room        the strip may be at most this high; None: as high as is needed
    time_limit  seconds; None: until it is known
    workers     threads of CP-SAT; None: one for each processor
    seed        for the random choices of CP-SAT
    stop        called from time to time; the search ends when it returns true
    tell        called with each new lower bound, and the best so far
    """
    kinds = tuple(rectangles)
    lowest = [min((high for wide, high in one.sizes if wide <= width), default=0) for one in kinds]
    if 0 in lowest:
        wrong = kinds[lowest.index(0)]
        raise PuzzleError(
            f"rectangle {wrong.name}: it is wider than the strip, which is {width} wide",
            piece=wrong.name,
        )
    steps, small = _divided(kinds)
    across, up = steps

    def enlarged(least: Least) -> Least:
        least = least.enlarged(steps, kinds, up)
        floor = least.floor
        return replace(least, floor=None if floor is None else replace(floor, width=width))

    wide, most = width // across, inf if room is None else room // up
    area = sum(one.area * one.copies for one in small)
    bound = max(-(-area // wide), max(lowest) // up)
    height, placed = stacked(wide, small)
    known = None
    if height <= most:
        most, known = height, (height, Floor(wide, height, small), placed)
    candidates = ((high, Floor(wide, high, small)) for high in range(bound, int(most) + 1))
    limits = _Limits.of(time_limit, workers, seed, stop)
    return enlarged(_first(candidates, known, limits, _telling(tell, enlarged)))


def least_width(
    height: int,
    rectangles: Sequence[Rectangle],
    *,
    room: int | None = None,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    stop: Stop | None = None,
    tell: Tell | None = None,
) -> Least:
    """The least width of a strip of this height: `least_height` with the axes exchanged."""
    return least_height(
        height,
        tuple(map(_turned, rectangles)),
        room=room,
        time_limit=time_limit,
        workers=workers,
        seed=seed,
        stop=stop,
        tell=None if tell is None else lambda least: tell(least.turned()),
    ).turned()


def least_area(
    rectangles: Sequence[Rectangle],
    *,
    room: tuple[int, int] | None = None,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    stop: Stop | None = None,
    tell: Tell | None = None,
) -> Least:
    """A rectangle of least area that holds the rectangles, with proof.

    Arguments are those of `least_height`, but the room is a width and a height; bounds are areas.
    """
    kinds = tuple(rectangles)
    steps, small = _divided(kinds)
    across, up = steps
    wide, high = room or (inf, inf)
    turning = across == up and all(one.turns or one.is_square for one in kinds)

    def fitted(width: int, height: int) -> tuple[int, int] | None:
        if width * across <= wide and height * up <= high:
            return width, height
        fits = turning and height * across <= wide and width * up <= high
        return (height, width) if fits else None

    def enlarged(least: Least) -> Least:
        return least.enlarged(steps, kinds, across * up)

    limits = _Limits.of(time_limit, workers, seed, stop)
    floors = _by_area(small, fitted, turning=turning)
    found = _first(floors, _small(small, fitted), limits, _telling(tell, enlarged))
    return enlarged(found)


Room = Callable[[int, int], tuple[int, int] | None]
"""The sides of a box as it lies in a room, or None; if all rectangles may turn, so may the box."""


def _widths(kinds: Sequence[Rectangle]) -> range:
    """The widths of boxes: one wider than a row of all rectangles has an empty column."""
    narrowest = max(min(wide for wide, _ in one.sizes) for one in kinds)
    return range(
        narrowest, sum(one.copies * max(wide for wide, _ in one.sizes) for one in kinds) + 1
    )


def _by_area(
    kinds: tuple[Rectangle, ...], fitted_in: Room, *, turning: bool
) -> Iterator[tuple[int, Floor]]:
    """The floors that may hold the rectangles, by area; of a floor and the turned one only one."""
    area = sum(one.area * one.copies for one in kinds)
    lowest = max(min(high for _, high in one.sizes) for one in kinds)
    waiting = []
    for width in _widths(kinds):
        height = max(-(-area // width), lowest, width if turning else 0)
        waiting.append((width * height, width, height))
    heapify(waiting)
    while waiting:
        size, width, height = waiting[0]
        fitted = fitted_in(width, height)
        if fitted is None:
            heappop(waiting)
        else:
            yield size, Floor(*fitted, kinds)
            heapreplace(waiting, (size + width, width, height + 1))


_Packed = tuple[int, Floor, tuple[Placed, ...]]
"""A measure, the floor that has it, and where the rectangles lie in it."""


def _small(kinds: tuple[Rectangle, ...], fitted_in: Room) -> _Packed | None:
    """A floor in the room that holds the rectangles, as small as a quick search finds."""
    widths = _widths(kinds)
    best: _Packed | None = None
    for width in patiently(widths[:: -(-len(widths) // WIDTHS)]):
        height, placed = stacked(width, kinds)
        fitted = fitted_in(width, height)
        if fitted is not None and (best is None or width * height < best[0]):
            if fitted != (width, height):
                placed = tuple(sorted(map(_turned_place, placed)))
            best = width * height, Floor(*fitted, kinds), placed
    return best


def _first(
    floors: Iterator[tuple[int, Floor]], known: _Packed | None, limits: _Limits, tell: Tell | None
) -> Least:
    """The first floor that holds its rectangles; each comes with its measure, which never falls.

    known  a floor that holds them
    """
    most, floor, placed = known or (inf, None, ())
    least = Least("searching", floor, placed, 0)
    for measure, candidate in floors:
        if measure >= most:
            return replace(least, status="complete", bound=int(most))
        if measure > least.bound:
            least = replace(least, bound=measure)
            if tell is not None:
                tell(least)
        status, held = _decided(candidate, limits)
        if status is not None:
            return replace(least, status=status)
        if held is not None:
            return Least("complete", candidate, held, measure)
    return replace(least, status="impossible" if known is None else "complete")


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
    packed = pack_one(
        floor,
        time_limit=None if limits.end == inf else limits.end - monotonic(),
        workers=limits.workers,
        seed=limits.seed,
        stop=limits.stop,
    )
    if packed.status in ("limit", "interrupted"):
        return packed.status, None
    return None, packed.solutions[0] if packed.solutions else None


def _turned(kind: Rectangle) -> Rectangle:
    return replace(kind, width=kind.height, height=kind.width)


def _turned_place(one: Placed) -> Placed:
    return Placed(one.kind, one.y, one.x, one.height, one.width)


# -- a packing at once: an upper bound ------------------------------------------------------------


def stacked(width: int, kinds: Sequence[Rectangle]) -> tuple[int, tuple[Placed, ...]]:
    """The height of a packing into a strip as wide as each rectangle, and the packing, sorted.

    Rectangles are taken in a few orders. Each is laid where its top is lowest, and then where it is
    farthest to the left, in the better of its ways to lie. What lies below it stays empty.
    """
    packings = [tuple(sorted(_laid(width, kinds, ordered(kinds, order)))) for order in PACKED_IN]
    return min((max(one.y + one.height for one in placed), placed) for placed in packings)


def _laid(width: int, kinds: Sequence[Rectangle], order: Sequence[int]) -> Iterator[Placed]:
    """Each copy in its place, one after the other."""
    edge = [(0, width, 0)]  # segments from left to right: where each begins and ends, its height
    for kind in order:
        for _ in range(kinds[kind].copies):
            top, x, (wide, high) = min(
                (_rest(edge, begin, wide) + high, begin, (wide, high))
                for wide, high in kinds[kind].sizes
                for begin, _, _ in edge
                if begin + wide <= width
            )
            yield Placed(kind, x, top - high, wide, high)
            left = [(begin, min(end, x), at) for begin, end, at in edge if begin < x]
            right = [(max(begin, x + wide), end, at) for begin, end, at in edge if end > x + wide]
            edge = [*left, (x, x + wide, top), *right]


def _rest(edge: Sequence[tuple[int, int, int]], begin: int, wide: int) -> int:
    """The height at which a rectangle comes to rest."""
    return max(at for start, end, at in edge if start < begin + wide and end > begin)
