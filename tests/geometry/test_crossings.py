"""Where pieces of sticks cross, pair by pair; and colourings in which neighbours differ."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from exactcover.errors import CapabilityError
from exactcover.geometry.cells import CellSet
from exactcover.geometry.colourings import colourings, natural_colouring
from exactcover.geometry.crossings import (
    barred_pairs,
    can_be_crossed,
    crossings,
    first_crossing,
    have_pair,
)
from exactcover.lattices import Lattice, get_lattice, lattices

STICKS = [one for one in lattices().values() if one.junctions]
FLAT = [one for one in lattices().values() if one.dimension <= 4]

Positions = frozenset[int]


@st.composite
def regions(draw: st.DrawFn, lattice: Lattice) -> CellSet:
    """The sticks round a few points, of which some may be missing."""
    vectors = np.array(list(product(range(2), repeat=lattice.dimension)))
    kinds = range(len(lattice.kinds))
    every = [lattice.cells(vectors, np.full(len(vectors), kind)) for kind in kinds]
    cells = np.concatenate([*every, lattice.cells(vectors - [1, 0], np.zeros(len(vectors), int))])
    missing = draw(st.sets(st.integers(0, len(cells) - 1), max_size=1))
    return CellSet.of(lattice, np.delete(cells, sorted(missing), axis=0))


def rings(region: CellSet) -> list[list[int]]:
    """The positions of the edges round each point near a region, in cyclic order; -1: none."""
    lattice, found = region.lattice, []
    low, high = region.cells[:, :-1].min(axis=0) - 3, region.cells[:, :-1].max(axis=0) + 3
    for origin in product(*map(range, low.tolist(), high.tolist())):
        for ring in lattice.junctions:
            edges = [(*np.add(origin, edge[:-1]).tolist(), edge[-1]) for edge in ring]
            found.append(region.find(np.array(edges)).tolist())
    return found


def cross(one: Positions, other: Positions, around: list[list[int]]) -> bool:
    """Whether edges of the one and of the other alternate round a point."""
    for ring in around:
        for a, b, c, d in combinations(ring, 4):
            if ({a, c} <= one and {b, d} <= other) or ({a, c} <= other and {b, d} <= one):
                return True
    return False


@st.composite
def some_sticks(draw: st.DrawFn, region: CellSet, around: list[list[int]]) -> Positions:
    """Two sticks at one of the points with most of them, and perhaps another one."""
    known = [[edge for edge in ring if edge >= 0] for ring in around]
    largest = sorted({tuple(ring) for ring in known}, key=len)[-2:]
    ring = draw(st.sampled_from(largest))
    start, step = draw(st.integers(0, len(ring) - 1)), draw(st.sampled_from((2, 2, 3)))
    another = [draw(st.integers(0, len(region) - 1))] if not draw(st.integers(0, 3)) else []
    return frozenset([*another, ring[start], ring[(start + step) % len(ring)]])


@pytest.mark.parametrize("lattice", STICKS, ids=lambda lattice: lattice.name)
@given(data=st.data())
def test_images_that_cross_exclude_each_other(lattice: Lattice, data: st.DataObject) -> None:
    region = data.draw(regions(lattice))
    around = rings(region)
    images = data.draw(st.lists(some_sticks(region, around), min_size=4, max_size=8, unique=True))
    may_cross = np.array([data.draw(st.booleans()) for _ in images])
    starts = np.cumsum([0, *map(len, images)])
    cells = np.array([cell for image in images for cell in sorted(image)], np.int32)
    listed, names = crossings(region, (starts.astype(np.int32), cells), may_cross)
    assert len(set(names)) == len(names) == len(listed)
    excluded = {pair for one in listed for pair in combinations(one.tolist(), 2)}
    for a, b in combinations(range(len(images)), 2):
        if not images[a] & images[b]:
            wanted = cross(images[a], images[b], around) and not (may_cross[a] and may_cross[b])
            assert ((a, b) in excluded) == wanted
            event(f"cross: {wanted}")


@pytest.mark.parametrize("lattice", STICKS, ids=lambda lattice: lattice.name)
@given(data=st.data())
def test_images_that_would_cross_a_stationary_part_are_none(
    lattice: Lattice, data: st.DataObject
) -> None:
    region = data.draw(regions(lattice))
    around = rings(region)
    parts: list[Positions] = []
    for part in data.draw(st.lists(some_sticks(region, around), min_size=2, max_size=4)):
        if not any(part & other for other in parts):
            parts.append(part)
    may_cross = [data.draw(st.booleans()) for _ in parts]
    arrays = [np.array(sorted(part), np.int32) for part in parts]
    bad = [
        (a, b)
        for a, b in combinations(range(len(parts)), 2)
        if cross(parts[a], parts[b], around) and not (may_cross[a] and may_cross[b])
    ]
    found = first_crossing(region, arrays, may_cross)
    assert found in bad if bad else found is None
    pairs = barred_pairs(region, arrays)
    for image in data.draw(st.lists(some_sticks(region, around), min_size=3, max_size=8)):
        if any(image & part for part in parts):
            continue
        wanted = any(cross(image, part, around) for part in parts)
        assert have_pair(np.array([sorted(image)], np.int32), pairs).tolist() == [wanted]
        event(f"crosses a part: {wanted}")


@pytest.mark.parametrize(
    ("name", "cells", "crossed"),
    [
        ("sticks-square", [(0, 0, 0), (1, 0, 0)], True),  # straight on
        ("sticks-square", [(0, 0, 0), (0, 0, 1)], False),  # round a corner
        ("sticks-square", [(0, 0, 0)], False),
        ("sticks-square", [(0, 0, 0), (-1, 0, 0), (0, 0, 1)], False),  # no room on one side
        ("sticks-triangular", [(0, 0, 0), (-1, 0, 0), (0, 0, 1)], True),
    ],
)
def test_a_piece_can_be_crossed_between_two_edges_that_are_not_side_by_side(
    name: str, cells: list[tuple[int, ...]], crossed: bool
) -> None:
    assert can_be_crossed(get_lattice(name), np.array(cells)) is crossed


# -- colourings -----------------------------------------------------------------------------------


def is_proper(lattice: Lattice, colours: np.ndarray, region: CellSet) -> bool:
    """Whether neighbours near the origin have different colours."""
    for cell, colour in zip(region.cells, colours.tolist(), strict=True):
        kind = int(lattice.kind_numbers(cell[None])[0])
        for offset in lattice.adjacent[kind]:
            other = lattice.cells(
                lattice.vectors(cell) + lattice.vectors(offset), lattice.kind_numbers(offset)
            )
            place = int(region.find(other[None])[0])
            if place >= 0 and colours[place] == colour:
                return False
    return True


@pytest.mark.parametrize("lattice", FLAT, ids=lambda lattice: lattice.name)
def test_the_natural_colouring_has_the_fewest_colours(lattice: Lattice) -> None:
    side = range(3 if lattice.dimension < 4 else 2)
    vectors = np.array(list(product(side, repeat=lattice.dimension)))
    cells = [
        lattice.cells(vectors, np.full(len(vectors), kind)) for kind in range(len(lattice.kinds))
    ]
    region = CellSet.of(lattice, np.concatenate(cells))
    natural = natural_colouring(lattice)
    assert natural is not None
    assert is_proper(lattice, natural.colours(lattice, region.cells), region)
    for modulus in range(2, natural.modulus):
        if modulus ** (lattice.dimension + len(lattice.kinds) - 1) <= 5000:
            for fewer in colourings(lattice, modulus):
                assert not is_proper(lattice, fewer.colours(lattice, region.cells), region)


def test_a_modulus_with_too_many_colourings_is_no_fault_of_the_puzzle() -> None:
    with pytest.raises(CapabilityError, match="colourings modulo 3"):
        colourings(get_lattice("rhombic"), 3)


@pytest.mark.parametrize(("name", "modulus"), [("square", 2), ("square", 6), ("triangular", 4)])
def test_colourings_are_different_and_all_there(name: str, modulus: int) -> None:
    """Up to a number that has an inverse, and another that is added."""
    lattice = get_lattice(name)
    forms = [(one.weights, one.shifts) for one in colourings(lattice, modulus)]
    units = [unit for unit in range(modulus) if np.gcd(unit, modulus) == 1]

    def alike(form: tuple[tuple[int, ...], tuple[int, ...]]) -> frozenset[tuple[int, ...]]:
        values = np.array([*form[0], *form[1]])
        return frozenset(tuple((values * unit % modulus).tolist()) for unit in units)

    classes = [alike(form) for form in forms]
    assert len(set(classes)) == len(classes)
    kinds = len(lattice.kinds)
    every = product(range(modulus), repeat=lattice.dimension + kinds - 1)
    wanted = {
        alike((numbers[: lattice.dimension], (0, *numbers[lattice.dimension :])))
        for numbers in every
        if any(numbers)
    }
    assert set(classes) == wanted
