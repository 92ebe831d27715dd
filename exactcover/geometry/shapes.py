"""A shape: cells up to translation, turning and turning over.

The *normal form* of cells is their translate whose least coordinate along each axis is 0, sorted.
The *orientations* of a shape are the distinct normal forms of its images under the motions that are
allowed; the *canonical form* is the first of them, so two pieces have the same shape just where
their canonical forms are equal.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from exactcover.geometry.cells import Frame
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
    distinct = np.unique(forms.reshape(count, size * width), axis=0)
    return distinct.reshape(len(distinct), size, width)


def drawn_first(lattice: Lattice, cells: Cells, motions: npt.NDArray[np.int64]) -> Cells:
    """The same, but the form in which the shape is given comes first."""
    forms = forms_under(lattice, cells, motions)
    drawn = (forms == normal_form(lattice, cells)).all(axis=(1, 2))
    return np.concatenate([forms[drawn], forms[~drawn]])


def canonical_form(lattice: Lattice, cells: Cells, *, reflections: bool) -> Cells:
    """The first of the orientations."""
    first: Cells = orientations(lattice, cells, reflections=reflections)[0]
    return first


def shape_key(lattice: Lattice, cells: Cells, *, reflections: bool) -> bytes:
    """Equal just for cells of the same shape."""
    return canonical_form(lattice, cells, reflections=reflections).tobytes()


def is_mirror_symmetric(lattice: Lattice, cells: Cells) -> bool:
    """Whether turning over gives nothing that turning does not."""
    turned = orientations(lattice, cells, reflections=False)
    return len(turned) == len(orientations(lattice, cells, reflections=True))


def is_connected(lattice: Lattice, cells: Cells) -> bool:
    """Whether one can go from any of the cells to any other across shared sides."""
    left = {tuple(cell) for cell in cells.tolist()}
    if not left:
        return True
    reached = [left.pop()]
    while reached:
        cell = reached.pop()
        for other in neighbours_of(lattice, cell):
            if other in left:
                left.remove(other)
                reached.append(other)
    return not left


def neighbours_of(lattice: Lattice, cell: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
    """The cells that share a side with this one."""
    dimension = lattice.dimension
    kind = cell[dimension] if lattice.width > dimension else 0
    for offset in lattice.adjacent[kind].tolist():
        vector = (a + b for a, b in zip(cell[:dimension], offset[:dimension], strict=True))
        yield (*vector, *offset[dimension:])


def as_cells(lattice: Lattice, cells: npt.ArrayLike) -> Cells:
    """Cells in any form as an array [n, width]."""
    return np.asarray(cells, np.int64).reshape(-1, lattice.width)
