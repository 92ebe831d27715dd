"""Taking cubes apart, plainly: breadth-first over dictionaries of positions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import combinations

Cube = tuple[int, ...]
Cubes = frozenset[Cube]
Places = dict[int, Cube]

WAYS = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]


def moved(cubes: Cubes, by: Cube) -> Cubes:
    """Cubes moved by a vector."""
    return frozenset(tuple(x + d for x, d in zip(cube, by, strict=True)) for cube in cubes)


def plus(a: Cube, b: Cube, times: int = 1) -> Cube:
    return tuple(x + times * y for x, y in zip(a, b, strict=True))


def key(places: Places) -> tuple[tuple[int, Cube], ...]:
    """A state, up to moving all pieces together."""
    first = min(places)
    return tuple((piece, plus(place, places[first], -1)) for piece, place in sorted(places.items()))


def far(pieces: Mapping[int, Cubes], places: Places) -> int:
    """More steps than it takes to be clear of everything."""
    cubes = [cube for piece in places for cube in moved(pieces[piece], places[piece])]
    return max(max(axis) - min(axis) for axis in zip(*cubes, strict=True)) + 2


def steps_of(
    pieces: Mapping[int, Cubes], places: Places
) -> Iterator[tuple[tuple[int, ...], Cube, int, bool]]:
    """All moves: the pieces that move, the direction, the steps, and whether they come off."""
    most = far(pieces, places)
    for size in range(1, len(places)):
        for group in combinations(sorted(places), size):
            others = frozenset().union(
                *(moved(pieces[p], places[p]) for p in places if p not in group)
            )
            for way in WAYS:
                cubes = frozenset().union(*(moved(pieces[p], places[p]) for p in group))
                for steps in range(1, most + 1):
                    cubes = moved(cubes, way)
                    if cubes & others:
                        break
                    yield group, way, steps, steps == most


def shortest(pieces: Mapping[int, Cubes], places: Places) -> tuple[int, Places, set[int]] | None:
    """The fewest moves until some pieces come off, the state before that, and which pieces.

    None: no sequence of moves does it.
    """
    seen = {key(places)}
    waiting = deque([(places, 0)])
    while waiting:
        here, moves = waiting.popleft()
        new = []
        for group, way, steps, comes_off in steps_of(pieces, here):
            if comes_off:
                return moves + 1, here, set(group)
            there = {p: plus(at, way, steps) if p in group else at for p, at in here.items()}
            new.append(there)
        for there in new:
            if (known := key(there)) not in seen:
                seen.add(known)
                waiting.append((there, moves + 1))
    return None


def comes_apart(pieces: Mapping[int, Cubes], places: Places) -> bool:
    """Whether all pieces come apart."""
    if len(places) < 2:
        return True
    found = shortest(pieces, places)
    if found is None:
        return False
    _, here, group = found
    return all(
        comes_apart(pieces, {p: at for p, at in here.items() if (p in group) == inside})
        for inside in (True, False)
    )
