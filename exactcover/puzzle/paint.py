"""Colours in BurrTools' files, which say where a piece may lie.

Paint removes placements, nothing else: one is kept if each painted cell of the piece lies on a
cell without a colour, or on one of a colour that goes with its own. Where a piece could lie in the
same cells in two ways it is one placement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.base.values import Value
from exactcover.geometry.cells import CellSet
from exactcover.geometry.shapes import normal_forms, translations
from exactcover.lattices.base import Cells, Lattice
from exactcover.problem import IntArray
from exactcover.puzzle.pieces import Cell, Piece


@dataclass(frozen=True, eq=False)
class Paint(Value):
    """Colours of cells and pieces: numbers from 1, and 0 for none, which goes with all.

    cells    the colours of cells of the region
    pieces   the colours of a piece's cells, one each, by the piece's name
    allowed  pairs of a piece's colour and a cell's colour that go together
    """

    cells: Mapping[Cell, int]
    pieces: Mapping[str, tuple[int, ...]]
    allowed: frozenset[tuple[int, int]]

    def __post_init__(self) -> None:
        self.freeze()

    def has(self, piece: Piece) -> bool:
        """Whether any cell of the piece is painted."""
        return any(self.pieces.get(piece.name, ()))

    def key(self, lattice: Lattice, piece: Piece, motions: npt.NDArray[np.int64]) -> bytes:
        """Equal for pieces that may lie in the same ways, with the same paint in each of them."""
        if not self.has(piece):
            return b""
        forms = self._forms(lattice, piece, motions)
        first = min(form.tobytes() + colours.tobytes() for form, colours in forms)
        return len(forms).to_bytes(4) + first

    def of_cells(self, free: CellSet) -> IntArray:
        """The colours of cells, 0 where there is none."""
        return np.array([self.cells.get(tuple(cell), 0) for cell in free.cells.tolist()], np.int32)

    def placements(self, free: CellSet, piece: Piece, motions: npt.NDArray[np.int64]) -> IntArray:
        """The placements of the piece that are kept, as positions: int32 [placements, size]."""
        ground = self.of_cells(free)
        found = [np.zeros((0, len(piece.cells)), np.int32)]
        for form, colours in self._forms(free.lattice, piece, motions):
            rows = translations(free, form)
            fits = np.ones(len(rows), bool)
            for column, colour in enumerate(colours.tolist()):
                if colour:
                    good = [on for own, on in self.allowed if own == colour]
                    fits &= np.isin(ground[rows[:, column]], [0, *good])
            found.append(np.sort(rows[fits], axis=1))
        return np.unique(np.concatenate(found), axis=0).astype(np.int32)

    def _forms(
        self, lattice: Lattice, piece: Piece, motions: npt.NDArray[np.int64]
    ) -> list[tuple[Cells, npt.NDArray[np.int64]]]:
        """The distinct painted orientations: cells, and their colours beside them."""
        moved = lattice.moved(piece.cells, motions)
        colours = np.array(self.pieces[piece.name], np.int64)
        distinct: dict[bytes, tuple[Cells, npt.NDArray[np.int64]]] = {}
        for image, form in zip(moved, normal_forms(lattice, moved), strict=True):
            lattice.vectors(image)[:] -= lattice.vectors(image).min(axis=0)
            place = {tuple(cell): number for number, cell in enumerate(image.tolist())}
            beside = colours[[place[tuple(cell)] for cell in form.tolist()]]
            distinct.setdefault(form.tobytes() + beside.tobytes(), (form, beside))
        return list(distinct.values())
