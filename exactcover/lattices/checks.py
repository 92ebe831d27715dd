"""Whether the data of a lattice fit together, checked when a lattice is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from exactcover.errors import LatticeError
from exactcover.lattices.motions import Action, Motion, within
from exactcover.lattices.view import STYLES

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
    with _at(about=f"{lattice.name}: "):
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
                    if len({tuple(cell) for cell in pair}) != 2 or len(pair) != 2:
                        raise LatticeError(f"{pair} is no pair of different cells")
                    for cell in pair:
                        _check_cell(lattice, cell)
        for number, ring in enumerate(lattice.junctions):
            for cell in ring:
                with _at("junctions", number):
                    _check_cell(lattice, cell)
        _check_descriptions(lattice)


@contextmanager
def _at(*place: str | int, about: str = "") -> Iterator[None]:
    """Add a place of a lattice file, and what is wrong there, to errors from this block."""
    try:
        yield
    except LatticeError as error:
        raise LatticeError(f"{about}{error}", place=(*place, *error.place)) from None


def _check_points(lattice: Lattice) -> None:
    for kind, centre in lattice.centres.items():
        if len(centre) != lattice.dimension:
            raise LatticeError(
                f"the centre of {kind!r} has {len(centre)} coordinates, "
                f"{lattice.dimension} are needed",
                place=("centres", kind),
            )
    if len({within(centre) for centre in lattice.centres.values()}) < len(lattice.centres):
        raise LatticeError(
            "two kinds have the same centre, up to a translation", place=("centres",)
        )
    with _at("basis"):
        if len(lattice.basis) != lattice.dimension or len({len(row) for row in lattice.basis}) != 1:
            raise LatticeError(f"the basis needs {lattice.dimension} vectors of one length")
        basis = np.array(lattice.basis)
        if not np.isfinite(basis).all() or np.linalg.matrix_rank(basis) < lattice.dimension:
            raise LatticeError("the vectors of the basis lie in fewer dimensions")
    for kind, outline in lattice.outlines.items():
        if kind not in lattice.centres or any(len(c) != lattice.dimension for c in outline):
            raise LatticeError(
                f"the outline of {kind!r} must be that of a kind of cell, "
                f"with corners of {lattice.dimension} coordinates",
                place=("outlines", kind),
            )


def _check_motion(lattice: Lattice, motion: Motion, sign: int, sort: str) -> None:
    rows = motion.matrix
    if len(rows) != lattice.dimension or any(len(row) != lattice.dimension for row in rows):
        raise LatticeError(
            f"a matrix must be {lattice.dimension}x{lattice.dimension}: {motion.matrix}"
        )
    if len(motion.shift) not in (0, lattice.dimension):
        raise LatticeError(f"a shift has {lattice.dimension} coordinates")
    determinant = round(float(np.linalg.det(np.array(rows))))
    if determinant != sign:
        raise LatticeError(
            f"{motion.matrix} is no {sort}: its determinant is {determinant}, not {sign}"
        )
    Action.of(motion, list(lattice.centres.values()))  # raises if a centre has no image


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
    raise LatticeError(f"{motion.matrix} changes lengths{hint}")


def _check_descriptions(lattice: Lattice) -> None:
    """Check what draws the lattice and names its regions."""
    kinds = len(lattice.centres)
    for style, view in lattice.views.items():
        if style not in STYLES:
            raise LatticeError(
                f"views are for the styles {', '.join(STYLES)}, not {style!r}",
                place=("views", style),
            )
        with _at("views", style, about=f"the view {style}: "):
            view.check(lattice.dimension, kinds)
    if lattice.sketch is not None:
        with _at("sketch", about="the sketch: "):
            lattice.sketch.check(lattice.dimension, kinds)
    for number, family in enumerate(lattice.regions):
        with _at("regions", number, about="the region "):
            family.check(lattice.dimension)
    usages = [(family.name, len(family.sizes)) for family in lattice.regions]
    for usage in usages:
        if usages.count(usage) > 1:
            raise LatticeError(f"two regions {usage[0]} with {usage[1]} sizes")
    if lattice.board and len(lattice.board.shift) not in (0, lattice.dimension):
        raise LatticeError(f"the shift of the board has {lattice.dimension} numbers")


def _check_cell(lattice: Lattice, cell: Sequence[int]) -> None:
    if len(cell) != lattice.width or (
        lattice.width > lattice.dimension and not lattice.has_kind(cell[-1])
    ):
        raise LatticeError(f"{tuple(cell)} is no cell: it takes {lattice.coordinates_text()}")
