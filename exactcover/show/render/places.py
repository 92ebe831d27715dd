"""Where the token of each cell stands on paper."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
import numpy.typing as npt

from exactcover.base.values.products import length
from exactcover.lattices.base import Cells, Lattice
from exactcover.lattices.view import View

IntArray = npt.NDArray[np.int64]

ROOM = 50_000
"""This many places for tokens are always granted; above that, `SPARSE` for each cell."""

SPARSE = 50


@dataclass(frozen=True, eq=False)
class Places:
    """Where tokens stand, one entry a cell, lines counted upwards; which layer each is in.

    layers  int64 [cells, directions in which layers are counted]
    """

    lines: IntArray
    columns: IntArray
    layers: IntArray

    def have_room(self) -> bool:
        """Whether they make a picture: cells that lie far apart would make a waste of blanks."""
        area = 1
        for values in (self.lines, self.columns, *self.layers.T):
            area *= int(values.max()) - int(values.min()) + 1
        return area <= ROOM + SPARSE * len(self.lines)


def places_in(view: View, lattice: Lattice, cells: Cells, token_width: int) -> Places:
    """The places that a view gives to cells."""
    vectors, kinds = lattice.vectors(cells), lattice.kind_numbers(cells)
    scale = ceil((token_width + 1) / view.share) if view.share else 1
    lines = vectors @ np.array(view.up, np.int64)
    if view.halves:
        lines = lines // 2
    shifts = np.array([(glyph.up, glyph.column) for glyph in view.glyphs], np.int64)
    layers = np.array(view.layers, np.int64).reshape(len(view.layers), lattice.dimension)
    return Places(
        lines + shifts[kinds, 0],
        vectors @ np.array(view.across, np.int64) * scale + shifts[kinds, 1],
        vectors @ layers.T,
    )


def places_by_position(lattice: Lattice, cells: Cells, token_width: int) -> Places | None:
    """Places for the cells of any lattice: a line for each height at which there are centres.

    Columns are to scale. The third and further coordinates in space are layers. None where cells
    lie too near each other to be distinguished.
    """
    unit = length(np.array(lattice.basis)).max()
    positions = np.round(lattice.positions(cells) / unit, 6)
    plane = np.zeros((len(cells), 2))
    plane[:, : min(2, positions.shape[1])] = positions[:, :2]
    layers = np.stack(
        [np.unique(values, return_inverse=True)[1] for values in positions[:, 2:].T]
        or [np.zeros(len(cells), np.int64)],
        axis=1,
    )
    if positions.shape[1] <= 2:
        layers = layers[:, :0]
    lines = np.unique(plane[:, 1], return_inverse=True)[1].astype(np.int64)
    order = np.lexsort([plane[:, 0], lines, *layers.T])
    in_line = (np.diff(lines[order]) == 0) & (np.diff(layers[order], axis=0) == 0).all(axis=1)
    gaps = np.diff(plane[order, 0])[in_line]
    least = float(gaps.min()) if len(gaps) else 1.0
    if least <= 0:
        return None
    shifts = (plane[:, 0] - plane[:, 0].min()) * (token_width + 1) / least
    columns = np.floor(shifts + 0.5 + 1e-4).astype(np.int64)
    return Places(lines, columns, layers.astype(np.int64))
