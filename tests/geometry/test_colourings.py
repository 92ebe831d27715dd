"""Sticks that can be crossed, and colourings in which neighbours differ."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from exactcover.errors import CapabilityError
from exactcover.geometry.cells import CellSet
from exactcover.geometry.colourings import colourings, natural_colouring
from exactcover.geometry.crossings import can_be_crossed
from exactcover.lattices import Lattice, get_lattice, lattices

FLAT = [one for one in lattices().values() if one.dimension <= 4]


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
