"""A shape: cells up to translation, turning and turning over.

The *normal form* of cells is their translate whose least coordinate along each axis is 0, sorted.
The *orientations* of a shape are the distinct normal forms of its images under the motions that are
allowed; the *canonical form* is the first of them, so two pieces have the same shape just where
their canonical forms are equal.

The *placements* of a shape are the translations of its orientations that lie in a region. For one
orientation, the cells that its first cell may lie on are the region's cells of the same kind; the
other cells are looked up for all of them at once. On a wrapped board a piece may reach round and
lie on itself, which is no placement, and two translations or orientations may cover the same cells,
which is one placement.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.base.patience import patiently
from exactcover.geometry.cells import CellSet, Frame
from exactcover.geometry.neighbours import components, neighbour_graph
from exactcover.lattices.base import Cells, Lattice


def normal_forms(lattice: Lattice, images: Cells) -> Cells:
    """Each of the images [m, n, width] moved to the origin, its cells sorted."""
    images = images.copy()
    vectors = lattice.vectors(images)
    vectors -= vectors.min(axis=1, keepdims=True)
    codes = Frame.around(images).codes(images)
    order = np.argsort(codes, axis=1)
    return np.take_along_axis(images, order[..., None], axis=1)


def normal_form(lattice: Lattice, cells: Cells) -> Cells:
    """The cells [n, width] moved to the origin and sorted."""
    form: Cells = normal_forms(lattice, cells[None])[0]
    return form


def orientations(lattice: Lattice, cells: Cells, *, reflections: bool) -> Cells:
    """The distinct orientations of a shape, sorted: [orientations, n, width]."""
    return forms_under(lattice, cells, lattice.group.selected(reflections))


def forms_under(lattice: Lattice, cells: Cells, motions: npt.NDArray[np.int64]) -> Cells:
    """The distinct forms that motions of the lattice give a shape, sorted: [forms, n, width]."""
    forms = normal_forms(lattice, lattice.moved(cells, motions))
    count, size, width = forms.shape
    distinct = sorted(set(map(tuple, forms.reshape(count, size * width).tolist())))
    return np.array(distinct, np.int64).reshape(-1, size, width)


def drawn_first(lattice: Lattice, cells: Cells, motions: npt.NDArray[np.int64]) -> Cells:
    """The same, but the form in which the shape is given comes first."""
    forms = forms_under(lattice, cells, motions)
    drawn = (forms == normal_form(lattice, cells)).all(axis=(1, 2))
    return np.concatenate([forms[drawn], forms[~drawn]])


def shape_key(lattice: Lattice, cells: Cells, *, reflections: bool) -> bytes:
    """Equal just for cells of the same shape."""
    canonical: Cells = orientations(lattice, cells, reflections=reflections)[0]
    return canonical.tobytes()


def is_mirror_symmetric(lattice: Lattice, cells: Cells) -> bool:
    """Whether turning over gives nothing that turning does not."""
    turned = orientations(lattice, cells, reflections=False)
    return len(turned) == len(orientations(lattice, cells, reflections=True))


def is_connected(lattice: Lattice, cells: Cells) -> bool:
    """Whether one can go from any of the cells to any other across shared sides."""
    return bool(components(neighbour_graph(CellSet.of(lattice, cells))).max(initial=0) == 0)


def as_cells(lattice: Lattice, cells: npt.ArrayLike) -> Cells:
    """Cells in any form as an array [n, width]."""
    return np.asarray(cells, np.int64).reshape(-1, lattice.width)


# -- placements ------------------------------------------------------------------------------------


def placements(region: CellSet, forms: Cells) -> npt.NDArray[np.int32]:
    """Where forms [m, n, width] can lie in a region, as positions: int32 [placements, n].

    Each row is ascending. The first form comes first; the placements of a form are in the order of
    where its first cell lies.
    """
    found = [np.zeros((0, forms.shape[1]), np.int32)]
    found += [np.sort(translations(region, form), axis=1) for form in patiently(forms)]
    rows = np.concatenate(found)
    if region.periods is None:
        return rows
    _, first = np.unique(rows, axis=0, return_index=True)
    return rows[np.sort(first)]


def translations(region: CellSet, form: Cells) -> npt.NDArray[np.int32]:
    """The placements of one form, each row in the order of the form's cells."""
    lattice = region.lattice
    vectors, kinds = lattice.vectors(form), lattice.kind_numbers(form)
    anchors = anchors_of(region, form)
    shifts = lattice.vectors(region.cells)[anchors] - vectors[0]
    rows = np.empty((len(anchors), len(form)), np.int32)
    fits = np.ones(len(anchors), bool)
    for column, (vector, kind) in enumerate(patiently(zip(vectors, kinds, strict=True))):
        if not fits.any():
            break
        cells = lattice.cells(shifts[fits] + vector, np.full(int(fits.sum()), kind))
        rows[fits, column] = region.find(cells)
        fits[fits] = rows[fits, column] >= 0
    rows = rows[fits]
    if region.periods is None:
        return rows
    apart: npt.NDArray[np.bool_] = (np.diff(np.sort(rows, axis=1), axis=1) != 0).all(axis=1)
    return rows[apart]


def anchors_of(region: CellSet, form: Cells) -> npt.NDArray[np.int64]:
    """The cells of a region on which the first cell of a form may lie, if the others fit: their
    number is an upper bound of that of the placements."""
    lattice = region.lattice
    anchors = np.flatnonzero(lattice.kind_numbers(region.cells) == lattice.kind_numbers(form)[0])
    if region.periods is not None or not len(anchors):
        return anchors
    # Those that would take a cell beyond the outermost cells of the region cannot be.
    there, vectors = lattice.vectors(region.cells), lattice.vectors(form)
    shifts = there[anchors] - vectors[0]
    low, high = there.min(axis=0) - vectors.min(axis=0), there.max(axis=0) - vectors.max(axis=0)
    near: npt.NDArray[np.bool_] = ((shifts >= low) & (shifts <= high)).all(axis=1)
    return anchors[near]
