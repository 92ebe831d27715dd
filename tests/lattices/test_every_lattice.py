"""What must hold on every lattice: of its group, its neighbours and its drawing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.lattices import Lattice
from exactcover.lattices.registry import LATTICES
from tests.helpers.lattices_under_test import (
    EVERY,
    name_of,
    plain_moves,
    plain_neighbours,
    some_cells,
)

ORDERS = {
    "hypercubic-1": (2, 1),
    "square": (8, 4),
    "cubic": (48, 24),
    "hypercubic": (384, 192),
    "hypercubic-5": (3840, 1920),
    "hypercubic-6": (46080, 23040),
    "hexagonal": (12, 6),
    "triangular": (12, 6),
    "sticks-square": (8, 4),
    "sticks-triangular": (12, 6),
    "sticks-hexagonal": (12, 6),
    "prism": (24, 12),
    "fcc": (48, 24),
    "bcc": (48, 24),
    "rhombic": (48, 24),
    "octet": (48, 24),
    "octet-eighths": (48, 24),
    "kites": (12, 6),
    "kagome": (12, 6),
}

every = pytest.mark.parametrize("lattice", EVERY, ids=name_of)


def random_cells(lattice: Lattice, seed: int, count: int = 12) -> np.ndarray:
    """Some cells anywhere near the origin, not all different."""
    rng = np.random.default_rng(seed)
    vectors = rng.integers(-6, 7, (count, lattice.dimension))
    return lattice.cells(vectors, rng.integers(0, len(lattice.kinds), count))


@every
def test_order_of_the_group(lattice: Lattice) -> None:
    group = lattice.group
    if lattice.name not in LATTICES.plug_ins:
        assert (len(group), int(group.proper.sum())) == ORDERS[lattice.name]
    assert (group.matrices[0] == np.eye(lattice.dimension)).all()
    assert (group.kinds[0] == np.arange(len(lattice.kinds))).all()
    assert group.proper[: int(group.proper.sum())].all()


@pytest.mark.parametrize(
    "lattice", [lattice for lattice in EVERY if lattice.dimension < 5], ids=name_of
)
def test_the_group_is_the_whole_one(lattice: Lattice) -> None:
    """As many as there are maps of space that keep the vectors and the centres of cells.

    Its motions are all of them, then, and so a group.
    """
    keeping = []
    centres = np.array([[float(x) for x in c] for c in lattice.centres.values()])
    for matrix in plain_moves(lattice, reflections=True):
        turned = centres @ matrix.T
        shifts = turned[:1] - centres  # the first kind may go to any kind
        if any(_same_places(turned - shift, centres) for shift in shifts):
            keeping.append(matrix)
    assert len(keeping) == len(lattice.group)


def _same_places(some: np.ndarray, others: np.ndarray) -> bool:
    apart = some[:, None] - others[None]
    return bool((abs(apart - np.round(apart)).max(axis=2) < 1e-9).any(axis=1).all())


@every
@given(seed=st.integers(0, 10_000))
def test_motions_keep_distances(lattice: Lattice, seed: int) -> None:
    cells = random_cells(lattice, seed)
    number = seed % len(lattice.group)
    moved = lattice.moved(cells, [number])[0]
    before, after = lattice.positions(cells), lattice.positions(moved)
    apart = np.linalg.norm(before[:, None] - before, axis=-1)
    assert np.allclose(apart, np.linalg.norm(after[:, None] - after, axis=-1))


@pytest.mark.parametrize(
    "lattice", [lattice for lattice in EVERY if lattice.dimension < 6], ids=name_of
)
def test_neighbours_are_as_near_as_they_should_be(lattice: Lattice) -> None:
    """So they are mutual, and each motion, which keeps distances, keeps them."""
    around = plain_neighbours(lattice)
    if not lattice.name.startswith("sticks"):
        for kind, offsets in enumerate(lattice.adjacent):
            assert {tuple(cell) for cell in offsets.tolist()} == set(around[kind])


SHARED = {  # corners shared by neighbours across a side, one number for each sort of side
    "hypercubic-1": {1},
    "square": {2},
    "cubic": {4},
    "hypercubic": {8},
    "triangular": {2},
    "hexagonal": {2},
    "kites": {2},
    "prism": {3, 4},
    "fcc": {4},
    "bcc": {4, 6},
    "rhombic": {3},
    "octet": {3},
    "octet-eighths": {3},
    "sticks-square": {1},
    "sticks-triangular": {1},
    "sticks-hexagonal": {1},
}


@pytest.mark.parametrize("name", SHARED)
def test_neighbours_share_a_side_and_others_at_most_a_corner(name: str) -> None:
    """The outlines say it: cells that share corners are neighbours or touch, others are neither."""
    lattice = next(entry for entry in EVERY if entry.name == name)
    around = some_cells(lattice, 5 if lattice.dimension < 3 else 3)
    for kind in range(len(lattice.kinds)):
        here = lattice.cells(np.zeros((1, lattice.dimension), int), np.array([kind]))[0]
        mine = _corners(lattice, here)
        adjacent = {tuple(cell) for cell in lattice.adjacent[kind].tolist()}
        touching = {tuple(cell) for cell in lattice.touching[kind].tolist()}
        assert not adjacent & touching
        for cell in around:
            if (cell == here).all():
                continue
            shared = len(mine & _corners(lattice, cell))
            assert (tuple(cell.tolist()) in adjacent) == (shared in SHARED[name])
            if not name.startswith("sticks"):
                touches = 0 < shared and shared not in SHARED[name]
                assert (tuple(cell.tolist()) in touching) == touches, cell


def _corners(lattice: Lattice, cell: np.ndarray) -> set:
    kind = lattice.kinds[int(lattice.kind_numbers(cell))]
    vector = lattice.vectors(cell).tolist()
    return {
        tuple(a + b for a, b in zip(corner, vector, strict=True))
        for corner in lattice.outlines[kind]
    }


def test_edges_alternate_round_each_junction() -> None:
    for lattice in EVERY:
        for ring in lattice.junctions:
            places = lattice.positions(np.array(ring))
            middle = places.mean(axis=0)
            angles = np.unwrap(np.arctan2(*(places - middle).T[::-1]))
            assert np.allclose(np.diff(angles), 2 * np.pi / len(ring))
            assert len(set(ring)) == len(ring)
