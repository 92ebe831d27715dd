"""Every lattice that the tests run over, and what shapes are in the plainest of Python."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from exactcover.lattices import Lattice, get_lattice, lattices

DATA = Path(__file__).parents[1] / "data"

POLYKITES = get_lattice("polykites.toml", DATA)
KAGOME = get_lattice("kagome.toml", DATA)
EVERY = (*lattices().values(), POLYKITES, KAGOME)

PlainCell = tuple[int, ...]
PlainShape = frozenset[PlainCell]


def name_of(value: object) -> str:
    """A lattice's name, for the names of tests."""
    return str(getattr(value, "name", value))


def some_cells(lattice: Lattice, side: int) -> np.ndarray:
    """All cells with vectors in a cube of this side round the origin."""
    axis = np.arange(side) - side // 2
    vectors = np.stack(np.meshgrid(*[axis] * lattice.dimension, indexing="ij"), -1)
    vectors = vectors.reshape(-1, lattice.dimension)
    return np.concatenate(
        [lattice.cells(vectors, np.full(len(vectors), kind)) for kind in range(len(lattice.kinds))]
    )


def plain_neighbours(lattice: Lattice) -> dict[int, list[PlainCell]]:
    """Kind -> the cells next to the one at the origin: those as near as the listed pairs are.

    Found by distance, not by the group: so it checks what the lattice says. Across the layers of
    prisms, and across the sides of kites, distances of several sorts are told apart.
    """
    apart = {
        far
        for pair in lattice.neighbours
        for start, stop in (pair, pair[::-1])
        for far in _apart(lattice, np.array(start), np.array([stop]))
    }
    around = some_cells(lattice, 5 if lattice.dimension < 4 else 3)
    found = {}
    for kind in range(len(lattice.kinds)):
        here = lattice.cells(np.zeros((1, lattice.dimension), int), np.array([kind]))
        near = [far in apart for far in _apart(lattice, here[0], around)]
        found[kind] = [tuple(cell) for cell in around[near].tolist()]
    return found


def _apart(lattice: Lattice, start: np.ndarray, stops: np.ndarray) -> list[tuple[float, ...]]:
    """How far cells are from one, and what else tells neighbours from others as far apart."""
    away = lattice.positions(stops) - lattice.positions(start[None])
    far = [np.linalg.norm(away, axis=1)]
    if lattice.name == "prism":
        far = [np.hypot(*away.T[:2]), abs(away[:, 2])]
    if lattice.name == "kites":
        same = (lattice.vectors(start) == lattice.vectors(stops)).all(axis=1)
        far.append(same.astype(float))
    return list(map(tuple, np.round(far, 6).T.tolist()))


def plain_moves(lattice: Lattice, reflections: bool) -> list[np.ndarray]:
    """Orthogonal maps of space that keep the lattice: all of them, or the proper ones."""
    return [m for m in _all_moves(lattice) if reflections or round(float(np.linalg.det(m))) == 1]


@cache
def _all_moves(lattice: Lattice) -> list[np.ndarray]:
    """Every map, found by trying.

    Each unit vector of the basis can only go to a lattice vector of the same length.
    """
    basis = np.array(lattice.basis)
    vectors = some_cells(lattice, 5 if lattice.dimension < 5 else 3)
    vectors = np.unique(lattice.vectors(vectors), axis=0)
    points = vectors @ basis
    gram = basis @ basis.T

    def extended(rows: list[int]) -> Iterator[list[int]]:
        if len(rows) == lattice.dimension:
            yield rows
            return
        axis = len(rows)
        for number, place in enumerate(points):
            if all(
                abs(float(place @ points[row]) - gram[axis, other]) < 1e-6
                for other, row in enumerate([*rows, number])
                if other <= axis
            ):
                yield from extended([*rows, number])

    return [vectors[rows].T for rows in extended([])]


def plain_shapes(lattice: Lattice, size: int, moves: list[np.ndarray]) -> set[PlainShape]:
    """All shapes grown cell by cell, one of each class, by exhaustive comparison of places."""
    around = plain_neighbours(lattice)
    shapes = {
        plain_canonical(lattice, frozenset([_cell(lattice, [0] * lattice.dimension, kind)]), moves)
        for kind in range(len(lattice.kinds))
    }
    for _ in range(size - 1):
        shapes = {
            plain_canonical(lattice, shape | {other}, moves)
            for shape in shapes
            for cell in shape
            for other in _next_to(lattice, cell, around)
            if other not in shape
        }
    return shapes


def plain_canonical(lattice: Lattice, shape: PlainShape, moves: list[np.ndarray]) -> PlainShape:
    """The least translate among the images of a shape."""
    images = []
    for matrix in moves:
        cells = [_moved(lattice, cell, matrix) for cell in shape]
        dimension = lattice.dimension
        low = [min(cell[axis] for cell in cells) for axis in range(dimension)]
        images.append(
            sorted(
                (*(cell[axis] - low[axis] for axis in range(dimension)), *cell[dimension:])
                for cell in cells
            )
        )
    return frozenset(min(images))


def _moved(lattice: Lattice, cell: PlainCell, matrix: np.ndarray) -> PlainCell:
    """Where a motion about the origin takes a cell: found by where its centre comes to lie."""
    key = (lattice.name, cell, matrix.tobytes())
    if key not in _MOVED:
        centres = [[float(x) for x in centre] for centre in lattice.centres.values()]
        kind = cell[lattice.dimension] if len(centres) > 1 else 0
        place = matrix @ (np.array(cell[: lattice.dimension]) + centres[kind])
        for number, centre in enumerate(centres):
            vector = place - centre
            if np.allclose(vector, np.round(vector), atol=1e-9):
                _MOVED[key] = _cell(lattice, np.round(vector).astype(int).tolist(), number)
                break
    return _MOVED[key]


_MOVED: dict[tuple[str, PlainCell, bytes], PlainCell] = {}


def _next_to(
    lattice: Lattice, cell: PlainCell, around: dict[int, list[PlainCell]]
) -> Iterator[PlainCell]:
    dimension = lattice.dimension
    kind = cell[dimension] if len(lattice.kinds) > 1 else 0
    for offset in around[kind]:
        vector = [a + b for a, b in zip(cell[:dimension], offset[:dimension], strict=True)]
        yield (*vector, *offset[dimension:])


def _cell(lattice: Lattice, vector: list[int], kind: int) -> PlainCell:
    return (*vector, kind) if len(lattice.kinds) > 1 else tuple(vector)
