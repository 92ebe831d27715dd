"""Cubes cut into tetrahedra, in the plainest of geometry: a cell is the set of its corners.

Nothing here reads a lattice. Corners are whole numbers; two cells are neighbours where they share
three of them; motions are the signed permutations of the axes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product

Corner = tuple[int, int, int]
Solid = frozenset[Corner]
Shape = frozenset[Solid]
Motion = Callable[[Corner], Corner]


@dataclass(frozen=True)
class Honeycomb:
    """Space filled with solids.

    scale    how long the edge of a cube is
    solids   those within or about the cube with its least corner at (x, y, z) times `scale`
    uneven   whether it may be moved by whole cubes, or only by an even number of them in all
    """

    scale: int
    solids: Callable[[int, int, int], Iterable[Solid]]
    uneven: bool

    @cached_property
    def nearby(self) -> set[Solid]:
        """All solids of the cubes near the origin."""
        return {solid for cube in product(range(-2, 4), repeat=3) for solid in self.solids(*cube)}

    @cached_property
    def beside(self) -> dict[Solid, set[Solid]]:
        """The neighbours of the solids near the origin."""
        sides = defaultdict(set)
        for solid in self.nearby:
            for side in combinations(solid, 3):
                sides[frozenset(side)].add(solid)
        found: dict[Solid, set[Solid]] = defaultdict(set)
        for pair in sides.values():
            for one, other in permutations(pair, 2):
                found[one].add(other)
        return found

    def at_origin(self, shape: Iterable[Solid]) -> Shape:
        """The shape moved to about the origin: the same for all that it can be moved to."""
        shape = list(shape)
        low = [min(c[axis] for solid in shape for c in solid) for axis in range(3)]
        steps = [-(value // self.scale) for value in low]
        steps[0] += 0 if self.uneven else sum(steps) % 2
        shift = [step * self.scale for step in steps]
        return frozenset(
            frozenset((x + shift[0], y + shift[1], z + shift[2]) for x, y, z in solid)
            for solid in shape
        )

    def orientations(self, shape: Shape) -> set[Shape]:
        """The shape, turned in every way."""
        return {self.at_origin(frozenset(map(turn, solid)) for solid in shape) for turn in TURNS}

    def packings(self, region: set[Solid], pieces: list[Shape]) -> int:
        """In how many ways the pieces fill the region, turned as they may be.

        By trial: the first cell that is still empty is covered in every possible way. Pieces of
        one shape are not told apart.
        """
        turned = [self.orientations(piece) for piece in pieces]
        places = [
            {image for shape in shapes for image in self._moved_into(region, shape)}
            for shapes in turned
        ]

        def fill(left: frozenset[Solid], unused: tuple[int, ...]) -> Iterator[Shape]:
            if not left:
                yield frozenset()
                return
            first = min(left, key=sorted)
            for number in unused:
                rest = tuple(n for n in unused if n != number)
                for image in places[number]:
                    if first in image and image <= left:
                        yield from (found | {image} for found in fill(left - image, rest))

        return len(set(fill(frozenset(region), tuple(range(len(pieces))))))

    def _moved_into(self, region: set[Solid], shape: Shape) -> Iterator[Shape]:
        for steps in product(range(-4, 5), repeat=3):
            if self.uneven or sum(steps) % 2 == 0:
                a, b, c = (step * self.scale for step in steps)
                image = frozenset(
                    frozenset((x + a, y + b, z + c) for x, y, z in solid) for solid in shape
                )
                if image <= region:
                    yield image


def _signed(order: tuple[int, ...], signs: tuple[int, ...]) -> Motion:
    return lambda c: (c[order[0]] * signs[0], c[order[1]] * signs[1], c[order[2]] * signs[2])


def _is_even(order: tuple[int, ...]) -> bool:
    return sum(a > b for a, b in combinations(order, 2)) % 2 == 0


TURNS = [
    _signed(order, signs)
    for order in permutations(range(3))
    for signs in product((1, -1), repeat=3)
    if _is_even(order) == (signs[0] * signs[1] * signs[2] > 0)
]


def _rhombic(x: int, y: int, z: int) -> Iterator[Solid]:
    """A cube two units wide: its middle, the middle of a face, and two corners of the face."""
    low = (2 * x, 2 * y, 2 * z)
    middle = (low[0] + 1, low[1] + 1, low[2] + 1)
    for axis, side in product(range(3), (0, 2)):
        face = list(middle)
        face[axis] = low[axis] + side
        others = [other for other in range(3) if other != axis]
        corners = []
        for a, b in ((0, 0), (0, 2), (2, 2), (2, 0)):
            corner = list(face)
            corner[others[0]], corner[others[1]] = low[others[0]] + a, low[others[1]] + b
            corners.append((corner[0], corner[1], corner[2]))
        for one, other in zip(corners, corners[1:] + corners[:1], strict=True):
            yield frozenset([middle, (face[0], face[1], face[2]), one, other])


def _corners(x: int, y: int, z: int, parity: int) -> list[Corner]:
    """The corners of a unit cube whose coordinates have an even sum (0), or an odd one (1)."""
    every = [(x + a, y + b, z + c) for a, b, c in product((0, 1), repeat=3)]
    return [corner for corner in every if sum(corner) % 2 == parity]


def _octets(x: int, y: int, z: int) -> Iterator[Solid]:
    yield frozenset(_corners(x, y, z, 1))
    if (x + y + z) % 2 == 0:
        steps = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
        yield frozenset(
            (x + sign * a, y + sign * b, z + sign * c) for a, b, c in steps for sign in (1, -1)
        )


def _eighths(x: int, y: int, z: int) -> Iterator[Solid]:
    tetrahedron = _corners(x, y, z, 1)
    yield frozenset(tetrahedron)
    for corner in _corners(x, y, z, 0):
        near = [
            c for c in tetrahedron if sum(abs(a - b) for a, b in zip(c, corner, strict=True)) == 1
        ]
        yield frozenset([corner, *near])


HONEYCOMBS = {
    "rhombic": Honeycomb(2, _rhombic, uneven=True),
    "octet": Honeycomb(1, _octets, uneven=False),
    "octet-eighths": Honeycomb(1, _eighths, uneven=False),
}
