"""The contents for each kind of thing that has a page: cells in blocks, and scenes that cover them.

The solutions of a puzzle are scenes on the same cells, so a page holds the cells once and for each
solution only which piece covers which cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from exactcover.base.values.arguments import shown
from exactcover.base.values.products import Floats
from exactcover.burrs.disassembly import Disassembly, Separation
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import BAR, Block, Bodies, as_tuples, bodies_of, caption
from exactcover.lattices.base import Lattice
from exactcover.puzzle import Cell, Piece, Puzzle
from exactcover.search.result import Solution
from exactcover.show.complexes import Spot
from exactcover.show.making import assembly
from exactcover.show.making.assembling import taken_apart
from exactcover.show.palette import PALETTE, colour
from exactcover.show.parts import Patch, board_parts, ground, owners_on
from exactcover.show.picture import puzzle_of
from exactcover.show.subjects import (
    PieceList,
    cells_to_fill,
    known,
    subject_of,
    title_of,
)
from exactcover.show.svg import columns_of, grid, nested_grid

MAX_CELLS = 30_000
"""A page of more cells would take minutes to make, and turn slowly."""

MOST = 1000
"""The most solutions of one page."""

FEW_STATES = 20_000
"""Positions of pieces after which a page does not say how a solution comes apart."""

MOST_IN_ORDER = 60
"""Pieces of a solution whose order of assembly is worked out; it takes long with more."""

BLOCK_GAP = 1.0
"""Between blocks, in pitches."""

SHOWN, OUTLINED = "shown", "outlined"


@dataclass(frozen=True)
class Contents:
    """The contents of a page.

    spots     the cells, each with the number of its block
    offsets   where each block lies
    captions  what each block is called; nothing if that needs no words
    scenes    what covers the cells
    one        the cells are those of one region, each there once
    solutions  the scenes are solutions
    wrapped    the board is joined at opposite sides
    """

    lattice: Lattice
    title: str
    spots: tuple[Spot, ...]
    offsets: tuple[Floats, ...]
    captions: tuple[str, ...]
    scenes: tuple[PageScene, ...]
    one: bool
    solutions: bool = False
    wrapped: bool = False


@dataclass(frozen=True)
class PageScene:
    """Parts on cells that are shown together.

    owners    the part that covers each cell, or -1
    parts     pieces, then cells without one
    states    how each part is shown at first
    order     what is known of the order of assembly, for the page
    """

    owners: tuple[int, ...]
    parts: tuple[Patch, ...]
    states: tuple[str, ...]
    order: Mapping[str, object] | None = None


def contents_of(what: object, lattice: Lattice | None) -> Contents:
    """The contents of a page of this; raises `ExactCoverError` if it has no page."""
    sort, read = subject_of(what, lattice)
    if sort in ("solution", "solutions"):
        return _of_solutions(read if sort == "solutions" else [read])
    if sort == "puzzle":
        return _of_puzzle(read)
    if sort == "region":
        chosen = known(lattice or read.lattice)
        cells = cells_to_fill(read, chosen)
        title = f"{len(cells)} {chosen.name} cells"
        return _side_by_side(chosen, title, ground(read, cells), [])
    if sort == "pieces":
        return _side_by_side(read.lattice, read.title, [], _in_colours(read))
    raise ExactCoverError(
        f"there is no page of {shown(what)}: give a solution, a puzzle, a piece, a region, a set "
        "of pieces, or a list of solutions, of pieces or of shapes"
    )


# -- solutions ------------------------------------------------------------------------------------


def _of_solutions(solutions: Sequence[Solution]) -> Contents:
    if len(solutions) > MOST:
        raise ExactCoverError(f"{len(solutions):,} solutions are too many: up to {MOST:,}")
    puzzle, *others = map(puzzle_of, solutions)
    if any(other is not puzzle and other != puzzle for other in others):
        raise ExactCoverError("solutions on one page must be of one puzzle")
    empty = OUTLINED if puzzle.lattice.dimension > 2 else SHOWN
    scenes = []
    for one in solutions:
        pieces, bare = board_parts(puzzle, one.placements)
        bare = [replace(part, title="empty cells") for part in bare]
        scenes.append(_scene(puzzle, pieces, bare, empty, _order(one, puzzle)))
    return _on_board(puzzle, scenes, solutions=True)


def _order(solution: Solution, puzzle: Puzzle) -> Mapping[str, object] | None:
    """The order of assembly as numbers: piece and direction, then the pieces that are stuck.

    If pieces are stuck alone, the solution is taken apart by moves of several pieces.
    """
    if puzzle.lattice.dimension > 3 or puzzle.region.wrap:
        return None
    bodies = bodies_of(puzzle.lattice)
    many = len(solution.placements) > MOST_IN_ORDER
    if bodies.solid and (many or any(body.sort == BAR for body in bodies.kinds)):
        return None
    found = assembly(solution)
    moves = [[move.placement, *(round(x, 6) for x in move.towards)] for move in found.moves]
    order: dict[str, object] = {"moves": moves, "stuck": list(found.stuck)}
    if not found.complete:
        taken = taken_apart(solution, FEW_STATES)
        order["status"] = taken.status
        if taken.disassembly is not None:
            order |= {"level": taken.level, "steps": _steps(bodies, taken.disassembly)}
    return order


def _steps(bodies: Bodies, made: Disassembly) -> list[dict[str, object]]:
    """The moves that put a solution together: those of its disassembly, backwards.

    parts   the pieces that move
    vector  the way that they move, in space
    count   the steps of the lattice on that way
    joins   whether a part joins with this move: it comes from far away
    seen    the pieces that are there after it, each with how far it is from its place
    """
    away: dict[Separation | None, tuple[int, ...]] = {made.separation: (0, 0, 0)}
    steps = []
    for played in made.replay():
        here = away[played.separation]
        steps.append(
            {
                "parts": list(played.move.pieces),
                "vector": _in_space(bodies, [-x for x in played.move.vector]),
                "count": played.move.steps,
                "joins": played.separates,
                "seen": [
                    [piece, *_in_space(bodies, [x - y for x, y in zip(at, here, strict=True)])]
                    for piece, at in played.before.items()
                ],
            }
        )
        if played.separates:
            # A part that came off is shown where the whole was, not far away.
            away[played.separation.stays] = here
            away[played.separation.leaves] = tuple(
                x + y for x, y in zip(here, played.move.vector, strict=True)
            )
    return steps[::-1]


def _in_space(bodies: Bodies, vector: Sequence[int]) -> list[float]:
    """A vector of the lattice in space."""
    place = bodies.in_space([tuple(x * bodies.denominator for x in vector)])[0]
    return [round(float(x), 6) + 0.0 for x in place]


# -- puzzles, pieces and regions ------------------------------------------------------------------


def _of_puzzle(puzzle: Puzzle) -> Contents:
    """The region with its stationary pieces, and the movable pieces beside it."""
    fixed, bare = board_parts(puzzle)
    wanted = PieceList(puzzle.pieces, puzzle.lattice, title_of(puzzle))
    movable = _in_colours(wanted, without=puzzle.stationary)
    shown = _side_by_side(wanted.lattice, wanted.title, [*fixed, *bare], movable)
    return replace(shown, wrapped=bool(puzzle.region.wrap))


def of_board(puzzle: Puzzle) -> Contents:
    """The region of a puzzle with its stationary pieces, its cells in the order of its space."""
    return _on_board(puzzle, [_scene(puzzle, *board_parts(puzzle), OUTLINED)])


def _scene(
    puzzle: Puzzle,
    pieces: Sequence[Patch],
    bare: Sequence[Patch],
    empty: str,
    order: Mapping[str, object] | None = None,
) -> PageScene:
    """The scene of a board; `empty` is the state of its cells without a piece."""
    parts = *pieces, *bare
    owners = owners_on(puzzle.space, [part.cells for part in parts])
    states = (SHOWN,) * len(pieces) + (empty,) * len(bare)
    return PageScene(tuple(owners.tolist()), parts, states, order)


def _on_board(puzzle: Puzzle, scenes: Sequence[PageScene], *, solutions: bool = False) -> Contents:
    """Scenes on the cells of a region, in blocks."""
    bodies, cells = bodies_of(puzzle.lattice), as_tuples(puzzle.space.cells)
    _check_number(len(cells))
    offsets = nested(bodies, cells)
    numbers = {place: number for number, place in enumerate(offsets)}
    spots = tuple((numbers[bodies.block(cell)], cell) for cell in cells)
    return Contents(
        puzzle.lattice, title_of(puzzle), spots, tuple(offsets.values()),
        tuple(map(caption, offsets)), tuple(scenes),
        one=True, solutions=solutions, wrapped=bool(puzzle.region.wrap),
    )  # fmt: skip


def _in_colours(wanted: PieceList, without: Sequence[Piece] = ()) -> list[Patch]:
    """Pieces, each in the next colour; some only take their colour."""
    return [
        Patch(cells, colour(number % len(PALETTE)), "", piece.name + noted)
        for number, (piece, cells, noted) in enumerate(wanted.with_cells())
        if piece not in without
    ]


def _side_by_side(
    lattice: Lattice, title: str, board: list[Patch], pieces: Sequence[Patch]
) -> Contents:
    """A board, and to the right of it pieces in rows: one scene."""
    bodies = bodies_of(lattice)
    groups = [board] * bool(board) + [[piece] for piece in pieces]
    _check_number(sum(len(part.cells) for group in groups for part in group))
    gap = bodies.pitch
    inner, boxes = [], []
    for group in groups:
        cells = [cell for part in group for cell in part.cells]
        offsets = nested(bodies, cells)
        low, high = extent(bodies, cells)
        low = low + np.min([*offsets.values()], axis=0)
        high = high + np.max([*offsets.values()], axis=0)
        inner.append({place: offset - low for place, offset in offsets.items()})
        boxes.append(high - low)
    places = [np.array([0.0, -boxes[0][1] / 2, 0.0])] * bool(board)
    right = float(boxes[0][0]) + 2 * gap if board else 0.0
    if pieces:
        sizes = [(float(box[0]), float(box[1])) for box in boxes[len(places) :]]
        corners = grid(sizes, columns_of(sizes, gap, 0.8 if board else 1.3), gap)
        fronts = [-(y + deep) for (_, y), (_, deep) in zip(corners, sizes, strict=True)]
        places += [
            np.array([x + right, front - min(fronts) / 2, 0.0])
            for (x, _), front in zip(corners, fronts, strict=True)
        ]
    spots: list[Spot] = []
    owners: list[int] = []
    steps: list[Floats] = []
    captions: list[str] = []
    parts: list[Patch] = []
    for group, blocks, origin in zip(groups, inner, places, strict=True):
        numbers = {place: len(steps) + count for count, place in enumerate(blocks)}
        steps += [offset + origin for offset in blocks.values()]
        captions += [caption(place) for place in blocks]
        for part in group:
            spots += [(numbers[bodies.block(cell)], cell) for cell in part.cells]
            owners += [len(parts)] * len(part.cells)
            parts.append(part)
    covered = any(part.whole for part in board) and lattice.dimension > 2
    states = tuple(SHOWN if part.whole or not covered else OUTLINED for part in parts)
    scene = PageScene(tuple(owners), tuple(parts), states)
    one = len(groups) == 1
    return Contents(lattice, title, tuple(spots), tuple(steps), tuple(captions), (scene,), one)


# -- what they share ------------------------------------------------------------------------------


def _check_number(cells: int) -> None:
    if not cells:
        raise ExactCoverError("there are no cells to show")
    if cells > MAX_CELLS:
        raise ExactCoverError(f"{cells:,} cells are too many for a page: up to {MAX_CELLS:,}")


# -- where blocks stand ----------------------------------------------------------------------------


def extent(bodies: Bodies, cells: Iterable[Cell]) -> tuple[Floats, Floats]:
    """The lowest and the highest corner of the box round cells, in their own block."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for cell in cells:
        body = bodies.body(cell)
        points = (
            bodies.in_space(bodies.corners(cell)) if body.corners else bodies.centre(cell)[None]
        )
        reach = 0.0 if body.sides else bodies.pitch / (6 if body.sort == BAR else 2)
        flat = points.shape[1]
        low[:flat] = np.minimum(low[:flat], points.min(axis=0) - reach)
        high[:flat] = np.maximum(high[:flat], points.max(axis=0) + reach)
    return np.where(np.isfinite(low), low, 0.0), np.where(np.isfinite(high), high, 0.0)


def nested(bodies: Bodies, cells: Sequence[Cell]) -> dict[Block, Floats]:
    """The offset of each block of cells, in a nested grid as on pictures, the first at the back."""
    low, high = extent(bodies, cells)
    across, deep, _ = (high - low).tolist()
    places = nested_grid(bodies.in_blocks(cells), (across, deep), BLOCK_GAP * bodies.pitch)
    return {block: np.array([x, 0.0 - y, 0.0]) for block, (x, y) in places.items()}
