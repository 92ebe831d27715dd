"""The images of a piece: every translation of every orientation that lies in the region.

Vectorised over translations: for one orientation, the cells that its first cell may lie on are the
region's cells of the same kind, and the other cells are looked up for all of them at once.

On a wrapped board a piece may reach round and lie on itself, which is no image, and two
translations or orientations may cover the same cells, which is one image.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.base.patience import patiently
from exactcover.geometry.cells import CellSet
from exactcover.lattices.base import Cells


def images_of_form(region: CellSet, form: Cells) -> npt.NDArray[np.int32]:
    """The translations of these cells [n, width] in the region, as positions: int32 [images, n].

    Each row is ascending; rows are in the order of where the first cell of the form lies.
    """
    rows = np.sort(translations(region, form), axis=1)
    return rows if region.periods is None else distinct_images(rows)


def distinct_images(rows: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The distinct rows, in the order in which they first come."""
    _, first = np.unique(rows, axis=0, return_index=True)
    return rows[np.sort(first)]


def translations(region: CellSet, form: Cells) -> npt.NDArray[np.int32]:
    """The same, each row in the order of the form's cells."""
    lattice = region.lattice
    vectors, kinds = lattice.vectors(form), lattice.kind_numbers(form)
    anchors = np.flatnonzero(lattice.kind_numbers(region.cells) == kinds[0])
    shifts = lattice.vectors(region.cells)[anchors] - vectors[0]
    rows = np.empty((len(anchors), len(form)), np.int32)
    fits = np.ones(len(anchors), bool)
    for column, (vector, kind) in enumerate(zip(vectors, kinds, strict=True)):
        cells = lattice.cells(shifts[fits] + vector, np.full(int(fits.sum()), kind))
        rows[fits, column] = region.find(cells)
        fits[fits] = rows[fits, column] >= 0
    rows = rows[fits]
    if region.periods is None:
        return rows
    apart: npt.NDArray[np.bool_] = (np.diff(np.sort(rows, axis=1), axis=1) != 0).all(axis=1)
    return rows[apart]


def images_of_shape(
    region: CellSet, forms: Cells
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The images of all orientations [m, n, width]: cells int32 [images, n], orientation int32."""
    by_form = [images_of_form(region, form) for form in patiently(forms)]
    size = forms.shape[1]
    cells = np.concatenate(by_form) if by_form else np.zeros((0, size), np.int32)
    numbers = np.repeat(np.arange(len(by_form)), [len(images) for images in by_form])
    if region.periods is not None:
        first = np.sort(np.unique(cells, axis=0, return_index=True)[1])
        cells, numbers = cells[first], numbers[first]
    return cells, numbers.astype(np.int32)
