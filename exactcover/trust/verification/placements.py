"""Checks of solutions against the puzzle itself, not against the problem made from it.

They use only the pieces, the region and the lattice's motions. They do not use the images, items
and numbers that engines work with, so they find errors in those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from exactcover.geometry.crossings import first_crossing
from exactcover.puzzle import Cell, Piece, Placement, Puzzle

NormalForm = tuple[tuple[Cell, int, int], ...]
"""Cells as vector, kind and colour, moved so that the first vector is the origin, and sorted."""


class PlacementCheck:
    """A check of placements against a puzzle."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._dimension = puzzle.lattice.dimension
        self._must = set(map(tuple, puzzle.region.cells.tolist()))
        self._may = set(map(tuple, puzzle.region.optional.tolist()))
        self._pieces = {piece.name: piece for piece in puzzle.pieces}
        self._forms: dict[str, set[NormalForm]] = {}
        self._known: dict[Placement, str | None] = {}

    def fault(self, placements: Iterable[Placement]) -> str | None:
        """Why these placements are no solution, or None if they are one."""
        listed = list(placements)
        for placement in listed:
            if placement not in self._known:
                self._known[placement] = self._misplaced(placement)
            if self._known[placement] is not None:
                return self._known[placement]
        return self._filling(listed) or self._numbers(listed) or self._crossing(listed)

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
        if piece.name not in self._forms:
            self._forms[piece.name] = self._forms_of(piece)
        if self._puzzle.periods is not None:
            if not any(self._wraps(form, placement.cells) for form in self._forms[piece.name]):
                return f"piece {piece.name} does not have its shape in {placement.cells}"
            return None
        ground = self._form(placement.cells, [self._ground(cell) for cell in placement.cells])
        if not any(self._lies(form, ground) for form in self._forms[piece.name]):
            return f"piece {piece.name} does not have its shape in {placement.cells}"
        return None

    def _forms_of(self, piece: Piece) -> set[NormalForm]:
        """The piece in all allowed orientations."""
        lattice, paint = self._puzzle.lattice, self._puzzle.paint
        colours = [0] * len(piece.cells)
        if paint is not None:
            colours = list(paint.pieces.get(piece.name, colours))
        motions = self._puzzle.motions(piece)
        return {
            self._form(map(tuple, cells), colours)
            for cells in lattice.moved(piece.cells, motions).tolist()
        }

    def _form(self, cells: Iterable[Cell], colours: Sequence[int]) -> NormalForm:
        n = self._dimension
        rows = sorted(
            (cell[:n], cell[n] if len(cell) > n else 0, colour)
            for cell, colour in zip(cells, colours, strict=True)
        )
        origin = rows[0][0]
        return tuple(
            (tuple(x - o for x, o in zip(vector, origin, strict=True)), kind, colour)
            for vector, kind, colour in rows
        )

    def _wraps(self, form: NormalForm, cells: Sequence[Cell]) -> bool:
        """Whether the piece in this form can fill these cells of a wrapped board."""
        n, wanted = self._dimension, {self._class(cell): self._ground(cell) for cell in cells}
        _, kind, _ = form[0]  # at the origin
        for start in cells:
            if (start[n] if len(start) > n else 0) != kind:
                continue
            there = {
                self._class((*(a + b for a, b in zip(vector, start, strict=False)), kind)): colour
                for vector, kind, colour in form
            }
            same = there.keys() == wanted.keys() and len(there) == len(form)
            if same and all(self._go_together(there[cell], wanted[cell]) for cell in wanted):
                return True
        return False

    def _class(self, cell: Cell) -> Cell:
        """A representative of the cells that differ from a cell by a period, with its kind."""
        periods, n = self._puzzle.periods, self._dimension
        assert periods is not None, "for wrapped boards"
        vector = periods.reduced(np.array(cell[:n], np.int64)).tolist()
        return (*vector, cell[n] if len(cell) > n else 0)

    def _ground(self, cell: Cell) -> int:
        paint = self._puzzle.paint
        return 0 if paint is None else paint.cells.get(cell, 0)

    def _lies(self, form: NormalForm, ground: NormalForm) -> bool:
        """Whether the piece in this form may lie on cells with these colours."""
        return len(form) == len(ground) and all(
            own[:2] == cell[:2] and self._go_together(own[2], cell[2])
            for own, cell in zip(form, ground, strict=True)
        )

    def _go_together(self, own: int, ground: int) -> bool:
        """Whether a cell of a piece of one colour may lie on a cell of the other."""
        paint = self._puzzle.paint
        return paint is None or not own or not ground or (own, ground) in paint.allowed
