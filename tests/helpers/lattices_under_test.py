"""Every lattice that the tests run over, and its neighbours and motions found by trying."""

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
