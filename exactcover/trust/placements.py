"""Checks of solutions against the puzzle itself, not against the problem made from it.

They use only the pieces, the region and the lattice's motions. They do not use the options, items
and numbers that engines work with, so they find errors in those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np

from exactcover.geometry.crossings import first_crossing
from exactcover.puzzle import Cell, Placement, Puzzle

Form = tuple[tuple[Cell, int], ...]
"""Cells with their colours, moved so that the least is at the origin."""


class PlacementCheck:
    """A check of placements against a puzzle."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._must = set(map(tuple, puzzle.region.cells.tolist()))
        self._may = set(map(tuple, puzzle.region.optional.tolist()))
        self._pieces = {piece.name: piece for piece in puzzle.pieces}
        self._forms = cache(self._forms_of)
        self._fault_of = cache(self._misplaced)

    def fault(self, placements: Sequence[Placement]) -> str | None:
        """Why these placements are no solution, or None if they are one."""
        for fault in filter(None, map(self._fault_of, placements)):
            return fault
        return self._filling(placements) or self._numbers(placements) or self._crossing(placements)

    def _filling(self, placements: Sequence[Placement]) -> str | None:
        times = Counter(cell for placement in placements for cell in placement.cells)
        for cell, many in times.items():
            if many > 1:
                return f"cell {cell} is filled {many} times"
        open_ = self._must - times.keys()
        if open_:
            return f"cell {min(open_)} is not filled"
        empty = len(self._may - times.keys())
        if self._puzzle.region.empty is not None:
            low, high = self._puzzle.region.empty
            if not low <= empty <= high:
                return f"{empty} cells are empty, not {low}..{high}"
        return None

    def _numbers(self, placements: Sequence[Placement]) -> str | None:
        times = Counter(placement.piece for placement in placements)
        for piece in self._puzzle.pieces:
            many = times[piece.name]
            if many < piece.low or (piece.high is not None and many > piece.high):
                return f"piece {piece.name} occurs {many} times, not {piece.copies_text()}"
        return None

    def _crossing(self, placements: Sequence[Placement]) -> str | None:
        space = self._puzzle.space
        may_cross = [self._puzzle.may_cross(self._pieces[p.piece]) for p in placements]
        if all(may_cross):
            return None
        parts = [space.find(np.array(placement.cells, np.int64)) for placement in placements]
        clash = first_crossing(space, parts, may_cross)
        if clash is None:
            return None
        one, other = (placements[number].piece for number in clash)
        return f"pieces {one} and {other} cross"

    def _misplaced(self, placement: Placement) -> str | None:
        """Why a piece cannot be placed like this, or None if it can."""
        piece = self._pieces.get(placement.piece)
        if piece is None:
            return f"there is no piece {placement.piece}"
        for cell in placement.cells:
            if cell not in self._must and cell not in self._may:
                return f"piece {piece.name} lies outside the region at {cell}"
        if piece.stationary:
            if set(placement.cells) != set(map(tuple, piece.cells.tolist())):
                return f"stationary piece {piece.name} has been moved"
            return None
        if not any(self._lies(form, placement.cells) for form in self._forms(piece.name)):
            return f"piece {piece.name} does not have its shape in {placement.cells}"
        return None

    def _forms_of(self, name: str) -> set[Form]:
        """The piece in all allowed orientations."""
        piece, n, paint = self._pieces[name], self._puzzle.lattice.dimension, self._puzzle.paint
        colours = [0] * len(piece.cells)
        if paint is not None:
            colours = list(paint.pieces.get(piece.name, colours))
        forms = set()
        for cells in self._puzzle.lattice.moved(piece.cells, self._puzzle.motions(piece)).tolist():
            rows = sorted(zip(map(tuple, cells), colours, strict=True))
            origin = rows[0][0][:n]
            forms.add(tuple((_moved(cell, origin, -1), colour) for cell, colour in rows))
        return forms

    def _lies(self, form: Form, cells: Sequence[Cell]) -> bool:
        """Whether the piece in this form can fill these cells; wrapped, up to the periods."""
        paint, wanted = self._puzzle.paint, {self._class(cell): cell for cell in cells}
        for start in cells if self._puzzle.periods is not None else [min(cells)]:
            by = start[: self._puzzle.lattice.dimension]
            there = {self._class(_moved(cell, by, 1)): colour for cell, colour in form}
            if there.keys() != wanted.keys() or len(there) != len(form):
                continue
            if paint is None:
                return True
            grounds = {cell: paint.cells.get(wanted[cell], 0) for cell in wanted}
            pairs = {(own, grounds[cell]) for cell, own in there.items()}
            if all(pair in paint.allowed for pair in pairs if all(pair)):
                return True
        return False

    def _class(self, cell: Cell) -> Cell:
        """A representative of the cells that differ from a cell by a period, with its kind."""
        periods, n = self._puzzle.periods, self._puzzle.lattice.dimension
        if periods is None:
            return cell
        return (*periods.reduced(np.array(cell[:n], np.int64)).tolist(), *cell[n:])


def _moved(cell: Cell, by: Sequence[int], sign: int) -> Cell:
    """A cell moved by a vector, with its kind."""
    return (*(x + sign * y for x, y in zip(cell, by, strict=False)), *cell[len(by) :])
