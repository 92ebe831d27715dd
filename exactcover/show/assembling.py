"""In which order the pieces of a solution go together, each on a straight way.

A solid is taken apart first: a piece that can move away along an axis, past all pieces that are
still there, is taken out, and so on. A piece that can leave can still leave later, since nothing is
added, so it does not matter which one is taken first: if the pieces come apart one at a time at
all, this finds it. Backwards it is an order of assembly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from exactcover.base.values.arguments import shown
from exactcover.base.values.products import dot, length
from exactcover.burrs.blocking import Blocking
from exactcover.burrs.search import TakenApart, taking_apart
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import BAR, bodies_of
from exactcover.puzzle import Placement, Puzzle
from exactcover.search.result import Solution

Flags = npt.NDArray[np.bool_]


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
    blocking = Blocking(puzzle.lattice)
    blocks = _blocked(blocking, placements)
    spaces = bodies.in_space(blocking.shapes.steps)
    spaces /= length(spaces)[:, None]
    middles = [np.mean([*map(bodies.centre, placed.cells)], axis=0) for placed in placements]
    left = set(movable)
    out: list[Move] = []
    while found := _free(blocks, left, fixed):
        # From above where possible, then the piece that lies farthest on its way.
        number, axis = max(
            found,
            key=lambda one: (
                round(spaces[one[1]][2], 6),
                round(float(dot(middles[one[0]], spaces[one[1]])), 6),
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


def _blocked(blocking: Blocking, placements: Sequence[Placement]) -> Flags:
    """Whether a placement on its way hits another one: bool [directions, moving, hit]."""
    from exactcover.burrs.moves_kernel import FREE

    images = [blocking.image(placed.cells) for placed in placements]
    blocks = np.zeros((len(blocking.shapes.steps), len(images), len(images)), np.bool_)
    for (first, (a, here)), (second, (b, there)) in permutations(enumerate(images), 2):
        blocks[:, first, second] = np.array(blocking.room(a, b, there - here)) < FREE
    return blocks


def _free(blocks: Flags, left: set[int], fixed: int) -> list[tuple[int, int]]:
    """The placements that can leave now, each with an axis along which nothing is in their way."""
    there = sorted({*range(fixed), *left})
    movable = sorted(left)
    free = ~blocks[np.ix_(range(len(blocks)), movable, there)].any(axis=2)
    return [(movable[column], int(axis)) for axis, column in np.argwhere(free)]


# -- several pieces at a time ---------------------------------------------------------------------


def taken_apart(solution: Solution, max_states: int) -> TakenApart:
    """How a solution comes apart by moves of several pieces, as `ec.apart` finds it."""
    puzzle = _puzzle_of(solution)
    *_, found = taking_apart(
        solution.placements, puzzle.pieces, _blocking(puzzle.lattice), max_states
    )
    assert found is not None, "the last slice has the outcome"
    return found


_blocking = lru_cache(maxsize=4)(Blocking)
