"""In which order the pieces of a solution go together, each on a straight way.

A solid is taken apart first: a piece that can move away along an axis, past all pieces that are
still there, is taken out, and so on. A piece that can leave can still leave later, since nothing is
added, so it does not matter which one is taken first: if the pieces come apart one at a time at
all, this finds it. Backwards it is an order of assembly.

Cells are convex. One that moves along an axis hits another just where the axis, seen from it, runs
into the inside of the difference of the two bodies. This difference is convex too, and its faces
are parallel to faces of the bodies, or to an edge of each. All corners are whole numbers, so each
comparison is exact; only balls are compared by rounded distances.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import gcd

import numpy as np
import numpy.typing as npt

from exactcover.base.values.arguments import shown
from exactcover.base.values.products import dot, length, times
from exactcover.errors import ExactCoverError
from exactcover.lattices.base import Lattice
from exactcover.puzzle import Puzzle
from exactcover.search.result import Solution
from exactcover.show.render.bodies import BALL, BAR, Bodies, Body, Key, bodies_of
from exactcover.show.render.outlines import ring

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

TOUCHING = 1e-6
"""Balls that come as near as this are only touching."""


@dataclass(frozen=True)
class Move:
    """One piece moves into its place.

    placement  which of the placements of the solution
    piece      its name
    towards    the way that it moves, in space: length 1
    """

    placement: int
    piece: str
    towards: tuple[float, float, float]


@dataclass(frozen=True)
class Assembly:
    """An order in which pieces move into their places, one at a time.

    moves  in order; stationary pieces are there from the start and do not move
    stuck  the placements that hold each other, so that none can be put in alone; empty if the order
           is complete. They are there before the first move
    """

    moves: tuple[Move, ...]
    stuck: tuple[int, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether all pieces can be put in one at a time."""
        return not self.stuck


def assembly(solution: Solution) -> Assembly:
    """The order in which the pieces of a solution can be put together, one at a time.

        >>> import exactcover as ec
        >>> order = ec.assembly(ec.first(ec.read("somacube")))
        >>> order.complete, len(order.moves)
        (True, 7)

    Each piece moves straight along an axis of the lattice: along a lattice vector, the line through
    two neighbours, or an edge of a cell. Pieces in the plane are put down from above. Wherever two
    pieces must move together, or one must turn or move twice, this finds no order.

    solution  of a puzzle with at most three dimensions, of cells that are solids or balls

    Raises `ExactCoverError` for any other solution, with the reason.
    """
    puzzle = _puzzle_of(solution)
    placements = solution.placements
    fixed = len(puzzle.stationary)
    movable = range(fixed, len(placements))
    bodies = bodies_of(puzzle.lattice)
    if not bodies.solid:
        down = (0.0, 0.0, -1.0)
        return Assembly(tuple(Move(number, placements[number].piece, down) for number in movable))
    axes = directions(puzzle.lattice)
    blocks = _blocked(bodies, [np.array(placed.cells, np.int64) for placed in placements], axes)
    spaces = bodies.in_space(axes)
    spaces /= length(spaces)[:, None]
    heights = [
        np.mean([bodies.centre(cell) for cell in placed.cells], axis=0) for placed in placements
    ]
    left = set(movable)
    out: list[Move] = []
    while found := _free(blocks, left, fixed):
        # From above where possible, then the piece that lies farthest on its way.
        number, axis = max(
            found,
            key=lambda one: (
                round(spaces[one[1]][2], 6),
                round(float(dot(heights[one[0]], spaces[one[1]])), 6),
            ),
        )
        left.remove(number)
        x, y, z = (-spaces[axis] + 0.0).tolist()
        out.append(Move(number, placements[number].piece, (x, y, z)))
    return Assembly(tuple(reversed(out)), tuple(sorted(left)))


def _puzzle_of(solution: Solution) -> Puzzle:
    """The puzzle of a solution whose pieces can be put together."""
    if not isinstance(solution, Solution):
        raise ExactCoverError(f"assembly({shown(solution)}): a solution is needed")
    if solution.model is None:
        raise ExactCoverError("a solution of a plain problem has no pieces to put together")
    puzzle = solution.model.puzzle
    if puzzle.lattice.dimension > 3:
        raise ExactCoverError(
            f"cells of the lattice {puzzle.lattice.name} have {puzzle.lattice.dimension} "
            "dimensions: pieces with at most 3 can be put together"
        )
    if puzzle.region.wrap:
        raise ExactCoverError("the board is wrapped: its pieces cannot be put together in space")
    bodies = bodies_of(puzzle.lattice)
    if bodies.solid and any(body.sort == BAR for body in bodies.kinds):
        raise ExactCoverError(
            f"cells of the lattice {puzzle.lattice.name} are bars in space: only solids and balls "
            "can be put together"
        )
    return puzzle


def _free(blocks: Flags, left: set[int], fixed: int) -> list[tuple[int, int]]:
    """The placements that can leave now, each with an axis along which nothing is in their way."""
    there = sorted({*range(fixed), *left})
    movable = sorted(left)
    free = ~blocks[np.ix_(range(len(blocks)), movable, there)].any(axis=2)
    return [(movable[column], int(axis)) for axis, column in np.argwhere(free)]


@lru_cache(maxsize=32)
def directions(lattice: Lattice) -> Ints:
    """The axes along which pieces move, both ways: int64 [n, 3], times the denominator.

    They are the lattice vectors, the lines from a cell to its neighbours, and the edges of cells.
    """
    bodies = bodies_of(lattice)
    found = [tuple(row) for row in (np.eye(3, dtype=np.int64) * bodies.denominator).tolist()]
    for kind, around in enumerate(lattice.adjacent):
        here = lattice.cells(np.zeros((1, lattice.dimension), np.int64), np.array([kind]))[0]
        start = bodies.middle(tuple(here.tolist()))
        found += [_minus(bodies.middle(tuple(cell)), start) for cell in around.tolist()]
    for body in bodies.kinds:
        found += _edges(body)
    whole = {_primitive(vector) for vector in found if any(vector)}
    return np.array(sorted(whole | {_minus((0, 0, 0), vector) for vector in whole}), np.int64)


def _edges(body: Body) -> list[Key]:
    """The edges of a solid, as vectors."""
    return [_minus(body.corners[b], body.corners[a]) for side in body.sides for a, b in ring(side)]


def _minus(a: Sequence[int], b: Sequence[int]) -> Key:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _primitive(vector: Sequence[int]) -> Key:
    """The shortest whole vector with the same direction."""
    shared = gcd(*vector)
    return tuple(x // shared for x in vector)


# -- what is in the way ---------------------------------------------------------------------------


def _blocked(bodies: Bodies, placed: Sequence[Ints], axes: Ints) -> Flags:
    """Whether a placement on its way along an axis hits another one: bool [axes, moving, hit]."""
    vectors = [np.array([bodies.shift(tuple(cell)) for cell in cells.tolist()]) for cells in placed]
    kinds = [_kinds(bodies, cells) for cells in placed]
    blocks = np.zeros((len(axes), len(placed), len(placed)), np.bool_)
    for a, b in product(range(len(bodies.kinds)), repeat=2):
        known: dict[tuple[int, ...], Flags] = {}
        for first, second in product(range(len(placed)), repeat=2):
            from_, to = vectors[first][kinds[first] == a], vectors[second][kinds[second] == b]
            if first == second or not len(from_) or not len(to):
                continue
            offsets = _offsets(from_, to)
            if new := [offset for offset in offsets if offset not in known]:
                known.update(zip(new, hits(bodies, a, b, np.array(new), axes).T, strict=True))
            blocks[:, first, second] |= np.any([known[offset] for offset in offsets], axis=0)
    return blocks


def _offsets(from_: Ints, to: Ints) -> list[tuple[int, ...]]:
    """The vectors from some places to others, each once: of large pieces most occur very often."""
    low = to.min(axis=0) - from_.max(axis=0)
    sizes = to.max(axis=0) - from_.min(axis=0) - low + 1
    weights = np.array([sizes[1] * sizes[2], sizes[2], 1])
    numbers = np.unique((to - low) @ weights - (from_ @ weights)[:, None])
    return [*map(tuple, (np.stack(np.unravel_index(numbers, sizes), axis=1) + low).tolist())]


def _kinds(bodies: Bodies, cells: Ints) -> Ints:
    """The kind of each cell."""
    several = bodies.lattice.width > bodies.lattice.dimension
    return np.asarray(cells[:, -1] if several else np.zeros(len(cells), np.int64))


def hits(bodies: Bodies, moving: int, hit: int, offsets: Ints, axes: Ints) -> Flags:
    """Whether a cell on its way along an axis hits one that lies at an offset: [axes, offsets]."""
    a, b = bodies.kinds[moving], bodies.kinds[hit]
    if BALL in (a.sort, b.sort):
        return _balls_hit(bodies, np.array(b.centre) - np.array(a.centre) + offsets, axes)
    normals, reaches = _difference(a, b)
    slopes = axes @ normals.T  # [axes, normals]
    limits = offsets @ normals.T + reaches  # [offsets, normals]
    entry = np.zeros((len(axes), len(offsets)))
    leave = np.full((len(axes), len(offsets)), np.inf)
    beside = np.zeros((len(axes), len(offsets)), np.bool_)
    for slope, limit in zip(slopes.T, limits.T, strict=True):
        with np.errstate(divide="ignore", invalid="ignore"):
            times = limit[None] / slope[:, None]
        leave = np.where(slope[:, None] > 0, np.minimum(leave, times), leave)
        entry = np.where(slope[:, None] < 0, np.maximum(entry, times), entry)
        beside |= (slope[:, None] == 0) & (limit[None] <= 0)
    return np.asarray(~beside & (entry < leave))


@lru_cache(maxsize=256)
def _difference(a: Body, b: Body) -> tuple[Ints, Ints]:
    """The difference of two bodies: the normals and the distances of its faces.

    The first body, moved by a vector, hits the second just where normal @ vector < distance for
    each. The normals are covectors in lattice coordinates, so that they are whole numbers.
    """
    spans = [pair for body in (a, b) for pair in product(_edges(body), repeat=2)]
    spans += list(product(_edges(a), _edges(b)))
    crossed = np.cross([one for one, _ in spans], [other for _, other in spans])
    found = {_primitive(row) for row in crossed.tolist() if any(row)}
    normals = np.array(sorted(found | {_minus((0, 0, 0), row) for row in found}), np.int64)
    first, second = np.array(a.corners), np.array(b.corners)
    return normals, (second @ normals.T).max(axis=0) - (first @ normals.T).min(axis=0)


def _balls_hit(bodies: Bodies, offsets: Ints, axes: Ints) -> Flags:
    """The same for balls, whose radius is half the distance of neighbours."""
    ways, places = bodies.in_space(axes), bodies.in_space(offsets)
    along = times(ways / length(ways)[:, None], places.T)
    across = np.sqrt(np.maximum((places**2).sum(axis=1)[None] - along**2, 0.0))
    return np.asarray((along > TOUCHING) & (across < bodies.pitch - TOUCHING))
