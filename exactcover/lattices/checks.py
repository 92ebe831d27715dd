"""Whether the data of a lattice fit together, checked when a lattice is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from exactcover.errors import LatticeError
from exactcover.lattices.motions import Action, Motion, within
from exactcover.lattices.view import ALL_STYLES

if TYPE_CHECKING:
    from exactcover.lattices.base import Lattice

TOLERANCE = 1e-5
"""How far a symmetry may change squared lengths, as a part of that of the shortest basis vector."""

NEARLY = 1e-2
"""Changes below this come from a basis with too few digits, not from a wrong matrix."""


def check_lattice(lattice: Lattice, basis_given: bool) -> None:
    """Raise a `LatticeError` that says what does not fit.

    basis_given  whether the definition of the lattice gave its basis: for messages
    """
    _check_points(lattice)
    for field, turns, sign, sort in (
        ("rotations", lattice.rotations, 1, "rotation"),
        ("reflections", lattice.reflections, -1, "reflection"),
    ):
        for number, motion in enumerate(turns):
            with _at(field, number):
                _check_motion(lattice, motion, sign, sort)
                _check_lengths(lattice, motion, basis_given)
    for field, pairs in (("neighbours", lattice.neighbours), ("corners", lattice.corners)):
        for number, pair in enumerate(pairs):
            with _at(field, number):
                _check_pair(lattice, pair)
    for number, ring in enumerate(lattice.junctions):
        for cell in ring:
            with _at("junctions", number):
                _check_cell(lattice, cell)
    _check_descriptions(lattice)


@contextmanager
def _at(*place: str | int) -> Iterator[None]:
    """Add this place of a lattice file to errors from this block."""
    try:
        yield
    except LatticeError as error:
        raise LatticeError(str(error), place=(*place, *error.place)) from None


def _check_points(lattice: Lattice) -> None:
    for kind, centre in lattice.centres.items():
        if len(centre) != lattice.dimension:
            raise LatticeError(
                f"{lattice.name}: the centre of {kind!r} has {len(centre)} coordinates, "
                f"{lattice.dimension} are needed",
                place=("centres", kind),
            )
    if len({within(centre) for centre in lattice.centres.values()}) < len(lattice.centres):
        raise LatticeError(
            f"{lattice.name}: two kinds have the same centre, up to a translation",
            place=("centres",),
        )
    if len(lattice.basis) != lattice.dimension or len({len(row) for row in lattice.basis}) != 1:
        raise LatticeError(
            f"{lattice.name}: the basis needs {lattice.dimension} vectors of one length",
            place=("basis",),
        )
    basis = np.array(lattice.basis)
    if not np.isfinite(basis).all() or np.linalg.matrix_rank(basis) < lattice.dimension:
        raise LatticeError(
            f"{lattice.name}: the vectors of the basis lie in fewer dimensions", place=("basis",)
        )
    for kind, outline in lattice.outlines.items():
        if kind not in lattice.centres or any(len(c) != lattice.dimension for c in outline):
            raise LatticeError(
                f"{lattice.name}: the outline of {kind!r} must be that of a kind of cell, "
                f"with corners of {lattice.dimension} coordinates",
                place=("outlines", kind),
            )


def _check_motion(lattice: Lattice, motion: Motion, sign: int, sort: str) -> None:
    rows = motion.matrix
    if len(rows) != lattice.dimension or any(len(row) != lattice.dimension for row in rows):
        raise LatticeError(
            f"{lattice.name}: a matrix must be {lattice.dimension}x{lattice.dimension}: "
            f"{motion.matrix}"
        )
    if len(motion.shift) not in (0, lattice.dimension):
        raise LatticeError(f"{lattice.name}: a shift has {lattice.dimension} coordinates")
    matrix = np.array(rows)
    determinant = round(float(np.linalg.det(matrix)))
    if determinant != sign:
        raise LatticeError(
            f"{lattice.name}: {motion.matrix} is no {sort}: its determinant is {determinant}, "
            f"not {sign}"
        )
    try:
        Action.of(motion, list(lattice.centres.values()))
    except LatticeError as error:
        raise LatticeError(f"{lattice.name}: {error}") from None


def _check_lengths(lattice: Lattice, motion: Motion, basis_given: bool) -> None:
    basis, matrix = np.array(lattice.basis), np.array(motion.matrix)
    gram = basis @ basis.T
    change = np.abs(matrix.T @ gram @ matrix - gram).max() / np.diag(gram).min()
    if change <= TOLERANCE:
        return
    if change < NEARLY:
        hint = (
            f" in the given basis: squares of lengths may differ by {TOLERANCE:g}, not by "
            f"{change:.1g}; write more digits, as 0.8660254 for half the root of 3"
        )
    elif basis_given:
        hint = " in the given basis"
    else:
        hint = ", measured in unit vectors at right angles, as no basis is given"
    raise LatticeError(f"{lattice.name}: {motion.matrix} changes lengths{hint}")


def _check_descriptions(lattice: Lattice) -> None:
    """Check what draws the lattice and names its regions."""
    kinds = len(lattice.centres)
    for style in lattice.views:
        if style not in ALL_STYLES:
            raise LatticeError(
                f"{lattice.name}: views are for the styles {', '.join(ALL_STYLES)}, not {style!r}",
                place=("views", style),
            )
    for place, what, part in (
        *((("views", style), f"the view {style}", view) for style, view in lattice.views.items()),
        (("sketch",), "the sketch", lattice.sketch),
    ):
        if part is not None:
            try:
                part.check(lattice.dimension, kinds)
            except LatticeError as error:
                message = f"{lattice.name}: {what}: {error}"
                raise LatticeError(message, place=(*place, *error.place)) from None
    for number, family in enumerate(lattice.regions):
        try:
            family.check(lattice.dimension)
        except LatticeError as error:
            message = f"{lattice.name}: the region {error}"
            raise LatticeError(message, place=("regions", number)) from None
    usages = [(family.name, len(family.sizes)) for family in lattice.regions]
    for usage in usages:
        if usages.count(usage) > 1:
            raise LatticeError(f"{lattice.name}: two regions {usage[0]} with {usage[1]} sizes")
    if lattice.board and len(lattice.board.shift) not in (0, lattice.dimension):
        raise LatticeError(
            f"{lattice.name}: the shift of the board has {lattice.dimension} numbers"
        )


def _check_pair(lattice: Lattice, pair: Sequence[Sequence[int]]) -> None:
    if len({tuple(cell) for cell in pair}) != 2 or len(pair) != 2:
        raise LatticeError(f"{lattice.name}: {pair} is no pair of different cells")
    for cell in pair:
        _check_cell(lattice, cell)


def _check_cell(lattice: Lattice, cell: Sequence[int]) -> None:
    if len(cell) != lattice.width or (
        lattice.width > lattice.dimension and not lattice.has_kind(cell[-1])
    ):
        raise LatticeError(
            f"{lattice.name}: {tuple(cell)} is no cell: it takes {lattice.coordinates_text()}"
        )
