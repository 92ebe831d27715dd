"""The contents of a board as parts of a picture: placed pieces, and cells without a piece.

On a wrapped board a piece may go on at the opposite side. Its part then says which cells across the
joint would be its own, and the picture is open towards them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from exactcover.geometry.bodies import as_tuples
from exactcover.geometry.cells import CellSet
from exactcover.geometry.neighbours import copies_beside
from exactcover.puzzle import Piece, Placement, Puzzle
from exactcover.show.render.palette import (
    EMPTY,
    FIXED,
    OPTIONAL,
    Tone,
    colour,
    colour_numbers,
    mixed,
)
from exactcover.show.render.parts import Cell, Patch
from exactcover.show.render.text_colours import touching_cells

ACROSS = "Across a dashed line a piece goes on at the opposite side"
"""The sentence for the description of a picture in which a piece does so."""


def placed(puzzle: Puzzle, placements: Sequence[Placement], *, names: bool) -> list[Patch]:
    """Placed pieces, each in a colour; those that touch differ. Stationary pieces are grey."""
    return parts_of(puzzle.space, placements, tones_of(puzzle, placements), names=names)


def parts_of(
    space: CellSet, placements: Sequence[Placement], tones: Sequence[Tone], *, names: bool
) -> list[Patch]:
    """Pieces placed on these cells, in these colours."""
    return [
        Patch(one.cells, tone, one.piece * names, one.piece, beyond=_beyond(space, one.cells))
        for one, tone in zip(placements, tones, strict=True)
    ]


def tones_of(puzzle: Puzzle, placements: Sequence[Placement]) -> list[Tone]:
    """The colours of placed pieces; those of movable pieces that touch differ."""
    fixed = {piece.name for piece in puzzle.stationary}
    movable = [placement for placement in placements if placement.piece not in fixed]
    tones = iter(tones_on(puzzle.space, movable, copies(puzzle.movable)))
    return [FIXED if placement.piece in fixed else next(tones) for placement in placements]


def tones_on(
    space: CellSet, placements: Sequence[Placement], most: Mapping[str, int | None]
) -> list[Tone]:
    """The colours of pieces on these cells; `most` has the names of all, with their copies."""
    owners = np.full(len(space), -1)
    for number, placement in enumerate(placements):
        owners[space.find(np.array(placement.cells, np.int64))] = number
    pairs = owners[touching_cells(space)]
    touching = {(min(a, b), max(a, b)) for a, b in pairs.tolist() if a != b and min(a, b) >= 0}
    names = [placement.piece for placement in placements]
    return [colour(number) for number in colour_numbers(names, most, touching)]


def copies(pieces: Iterable[Piece]) -> dict[str, int | None]:
    """How many copies of each piece there are at most; None: any number."""
    return {piece.name: piece.high for piece in pieces}


def _beyond(space: CellSet, cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells that the joint of a wrapped board parts from neighbours in the same piece."""
    if space.periods is None:
        return ()
    own = CellSet.of(space.lattice, np.array(cells, np.int64), space.periods)
    return tuple(as_tuples(copies_beside(own)))


def copies_across(space: CellSet) -> dict[Cell, int]:
    """Cells across the joint of a wrapped board, each with the number of the one it stands for."""
    if space.periods is None:
        return {}
    beside = copies_beside(space)
    return dict(zip(as_tuples(beside), space.find(beside).tolist(), strict=True))


def stationary(puzzle: Puzzle) -> list[Placement]:
    """The stationary pieces in their places."""
    return [Placement(piece.name, tuple(as_tuples(piece.cells))) for piece in puzzle.stationary]


def ground(puzzle: Puzzle, cells: Sequence[Cell]) -> list[Patch]:
    """Cells without a piece: those to be filled, those that may stay empty, and painted ones.

    A cell that costs something shows what it costs.
    """
    taken = {cell for one in stationary(puzzle) for cell in one.cells}
    optional = set(as_tuples(puzzle.region.optional))
    paint, costs = puzzle.paint, puzzle.region.costs
    kinds: dict[tuple[bool, int, float], list[Cell]] = {}
    for cell in cells:
        if cell not in taken:
            painted = paint.cells.get(cell, 0) if paint is not None else 0
            kinds.setdefault((cell in optional, painted, costs.get(cell, 0)), []).append(cell)
    parts = []
    for (may_be_empty, number, cost), those in sorted(kinds.items()):
        tone = OPTIONAL if may_be_empty else EMPTY
        words = "may stay empty" if may_be_empty else "to be filled"
        if number and paint is not None:
            tone = mixed(colour(number - 1), tone, 0.55)
            words = f"{words}, colour {paint.name(number)}"
        words += f", cost {cost:g}" * bool(cost)
        text = f"{cost:g}" if cost else ""
        parts.append(Patch(tuple(those), tone, text, words, whole=False, single=True))
    return parts
