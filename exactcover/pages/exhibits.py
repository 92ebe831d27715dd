"""What a page shows of each kind of thing: cells in blocks, and scenes, which say what covers them.

The solutions of a puzzle are scenes on the same cells, so a page holds the cells once and for each
solution only which piece covers which cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from exactcover.errors import ExactCoverError
from exactcover.lattices.base import Lattice
from exactcover.library import PieceSet, piece_set
from exactcover.making import assembly
from exactcover.pages.blocks import caption, extent, in_rows, nested, place_of
from exactcover.pages.complexes import Spot
from exactcover.puzzle import Piece, Puzzle, Region, cells_array
from exactcover.render.bodies import BAR, Bodies, Floats, as_tuples, bodies_of
from exactcover.render.palette import EMPTY, OPTIONAL, PALETTE, colour
from exactcover.render.parts import Cell, Part
from exactcover.render.scenes import Wishes, puzzle_parts, solution_parts
from exactcover.search.result import Solution
from exactcover.values.arguments import shown

MAX_CELLS = 20_000
"""A page of more cells would take minutes to make, and turn slowly."""

MOST = 1000
"""The most solutions of one page."""

MOST_IN_ORDER = 60
"""Pieces of a solution whose order of assembly is worked out; it takes long with more."""

SHOWN, OUTLINED = "shown", "outlined"

WISHES = Wishes(layers=False, names=True)


@dataclass(frozen=True)
class Exhibit:
    """What a page shows.

    spots     the cells, each with the number of its block
    offsets   where each block lies
    captions  what each block is called; nothing if that needs no words
    scenes    what covers the cells
    one        the cells are those of one region, each there once
    solutions  the scenes are solutions
    """

    lattice: Lattice
    title: str
    spots: tuple[Spot, ...]
    offsets: tuple[Floats, ...]
    captions: tuple[str, ...]
    scenes: tuple[Scene, ...]
    one: bool
    solutions: bool = False


@dataclass(frozen=True)
class Scene:
    """Parts on the cells of an exhibit.

    owners    the part that covers each cell, or -1
    parts     pieces, then cells without one
    states    how each part is shown at first
    order     what is known of the order of assembly, for the page
    """

    owners: tuple[int, ...]
    parts: tuple[Part, ...]
    states: tuple[str, ...]
    order: Mapping[str, object] | None = None


def exhibit_of(what: object, lattice: Lattice | None) -> Exhibit:
    """What a page of this shows; raises `ExactCoverError` for what has no page."""
    if isinstance(what, Solution):
        return _of_solutions([what])
    if isinstance(what, Puzzle):
        return _of_puzzle(what)
    if isinstance(what, str):
        what = piece_set(what, lattice)
    if isinstance(what, PieceSet):
        pieces = [Piece(name, cells) for name, cells in what.pieces.items()]
        return _of_pieces(pieces, what.lattice, what.name)
    if isinstance(what, Region):
        return _of_region(what, _known(lattice or what.lattice))
    if isinstance(what, Piece):
        what = [what]
    if isinstance(what, Iterable):
        return _of_many(list(what), lattice)
    raise ExactCoverError(
        f"there is no page of {shown(what)}: give a solution, a puzzle, a piece, a region, a set "
        "of pieces, or a list of them"
    )


def _of_many(many: list[Any], lattice: Lattice | None) -> Exhibit:
    if not many:
        raise ExactCoverError("the list is empty: there is nothing to show")
    if all(isinstance(one, Solution) for one in many):
        return _of_solutions(many)
    if all(isinstance(one, Piece) for one in many):
        own = next((piece.lattice for piece in many if piece.lattice is not None), None)
        title = many[0].name if len(many) == 1 else f"{len(many)} pieces"
        return _of_pieces(many, _known(lattice or own), title)
    if any(isinstance(one, Solution | Piece | Puzzle) for one in many):
        raise ExactCoverError("a list must hold solutions only, pieces only or shapes only")
    pieces = [Piece(str(number), cells) for number, cells in enumerate(many, 1)]
    return _of_pieces(pieces, _known(lattice), f"{len(many)} shapes")


# -- solutions ------------------------------------------------------------------------------------


def _of_solutions(solutions: Sequence[Solution]) -> Exhibit:
    if len(solutions) > MOST:
        raise ExactCoverError(f"{len(solutions):,} solutions are too many: up to {MOST:,}")
    found = [solution_parts(one, WISHES) for one in solutions]
    puzzle = found[0][0]
    if any(other is not puzzle and other != puzzle for other, _, _ in found):
        raise ExactCoverError("solutions on one page must be of one puzzle")
    cells = as_tuples(puzzle.space.cells)
    _check_number(len(cells))
    spots, offsets, captions = _in_blocks(bodies_of(puzzle.lattice), cells)
    scenes = []
    for solution, (_, pieces, bare) in zip(solutions, found, strict=True):
        parts = [*pieces, *(replace(part, title="empty cells") for part in bare)]
        owners = np.full(len(cells), -1)
        for number, part in enumerate(parts):
            owners[puzzle.space.find(np.array(part.cells, np.int64))] = number
        empty = OUTLINED if puzzle.lattice.dimension > 2 else SHOWN
        states = (SHOWN,) * len(pieces) + (empty,) * len(bare)
        scenes.append(Scene(tuple(owners.tolist()), tuple(parts), states, _order(solution)))
    return Exhibit(
        puzzle.lattice, _title(puzzle), spots, offsets, captions, tuple(scenes), True, True
    )


def _order(solution: Solution) -> Mapping[str, object] | None:
    """The order of assembly as numbers: piece and direction, then the pieces that are stuck."""
    if solution.model is None:
        return None
    puzzle = solution.model.puzzle
    if puzzle.lattice.dimension > 3 or puzzle.region.wrap:
        return None
    bodies = bodies_of(puzzle.lattice)
    many = len(solution.placements) > MOST_IN_ORDER
    if bodies.solid and (many or any(body.sort == BAR for body in bodies.kinds)):
        return None
    found = assembly(solution)
    moves = [[move.placement, *(round(x, 6) for x in move.towards)] for move in found.moves]
    return {"moves": moves, "stuck": list(found.stuck)}


# -- puzzles, pieces and regions ------------------------------------------------------------------


def _of_puzzle(puzzle: Puzzle) -> Exhibit:
    """The region with its stationary pieces, and the movable pieces beside it."""
    fixed, bare = puzzle_parts(puzzle, WISHES)
    movable = [piece for piece in puzzle.pieces if piece not in puzzle.stationary]
    known = {piece.name: number for number, piece in enumerate(puzzle.pieces)}
    parts = [
        Part(tuple(as_tuples(piece.cells)), colour(known[piece.name] % len(PALETTE)), "",
             _with_copies(piece))
        for piece in movable
    ]  # fmt: skip
    return _side_by_side(puzzle.lattice, _title(puzzle), [[*fixed, *bare]], parts)


def _of_region(region: Region, lattice: Lattice) -> Exhibit:
    must = tuple(as_tuples(cells_array(lattice, region.cells, "the region")))
    may = tuple(as_tuples(cells_array(lattice, region.optional, "the optional cells")))
    parts = [
        Part(cells, tone, "", title, whole=False)
        for cells, tone, title in (
            (must, EMPTY, "to be filled"),
            (may, OPTIONAL, "may stay empty"),
        )
        if cells
    ]
    return _side_by_side(lattice, f"{len(must) + len(may)} {lattice.name} cells", [parts], [])


def _of_pieces(pieces: Sequence[Piece], lattice: Lattice, title: str) -> Exhibit:
    parts = []
    for number, piece in enumerate(pieces):
        cells = cells_array(lattice, piece.cells, f"piece {piece.name}")
        parts.append(
            Part(tuple(as_tuples(cells)), colour(number % len(PALETTE)), "", _with_copies(piece))
        )
    return _side_by_side(lattice, title, [], parts)


def _side_by_side(
    lattice: Lattice, title: str, boards: Sequence[list[Part]], pieces: Sequence[Part]
) -> Exhibit:
    """Boards, and to the right of them pieces in rows: one scene."""
    bodies = bodies_of(lattice)
    groups = [*boards, *([piece] for piece in pieces)]
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
    places: list[Floats] = []
    right = 0.0
    for box in boxes[: len(boards)]:
        places.append(np.array([right, -box[1] / 2, 0.0]))
        right += float(box[0]) + 2 * gap
    if pieces:
        rows = in_rows(boxes[len(boards) :], gap, 0.8 if boards else 1.3)
        middle = (min(float(place[1]) for place in rows)) / 2
        places += [place + np.array([right, -middle, 0.0]) for place in rows]
    spots: list[Spot] = []
    owners: list[int] = []
    steps: list[Floats] = []
    captions: list[str] = []
    parts: list[Part] = []
    for group, blocks, origin in zip(groups, inner, places, strict=True):
        numbers = {place: len(steps) + count for count, place in enumerate(blocks)}
        steps += [offset + origin for offset in blocks.values()]
        captions += [caption(place) for place in blocks]
        for part in group:
            spots += [(numbers[place_of(bodies, cell)], cell) for cell in part.cells]
            owners += [len(parts)] * len(part.cells)
            parts.append(part)
    covered = any(part.whole for group in boards for part in group) and lattice.dimension > 2
    states = tuple(SHOWN if part.whole or not covered else OUTLINED for part in parts)
    scene = Scene(tuple(owners), tuple(parts), states)
    one = len(groups) == 1
    return Exhibit(lattice, title, tuple(spots), tuple(steps), tuple(captions), (scene,), one)


# -- what they share ------------------------------------------------------------------------------


def _in_blocks(
    bodies: Bodies, cells: Sequence[Cell]
) -> tuple[tuple[Spot, ...], tuple[Floats, ...], tuple[str, ...]]:
    """Cells with the numbers of their blocks, the offsets of these, and their names."""
    offsets = nested(bodies, cells)
    numbers = {place: number for number, place in enumerate(offsets)}
    spots = tuple((numbers[place_of(bodies, cell)], cell) for cell in cells)
    return spots, tuple(offsets.values()), tuple(map(caption, offsets))


def _check_number(cells: int) -> None:
    if not cells:
        raise ExactCoverError("there are no cells to show")
    if cells > MAX_CELLS:
        raise ExactCoverError(f"{cells:,} cells are too many for a page: up to {MAX_CELLS:,}")


def _with_copies(piece: Piece) -> str:
    copies = piece.copies_text()
    return piece.name if copies == "1" else f"{piece.name} ({copies})"


def _known(lattice: Lattice | None) -> Lattice:
    if lattice is None:
        raise ExactCoverError(
            'cells alone do not say on which lattice they lie: view(..., lattice="square")'
        )
    return lattice


def _title(puzzle: Puzzle) -> str:
    return puzzle.name or f"a puzzle on {puzzle.lattice.name} cells"
