"""Colourings of a lattice: the colour of a cell is a linear form of its coordinates modulo m.

The natural colouring is the one with fewest colours in which cells that share a side differ: the
chessboard, up and down triangles, three colours of hexagons. Parity arguments need no more than
that; other colourings modulo a small m are available.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.errors import CapabilityError
from exactcover.lattices.base import Cells, Lattice

MOST_COLOURS = 8

MOST_FORMS = 100_000
"""The most colourings modulo m to try; on lattices of many kinds there are millions."""


class Colouring(NamedTuple):
    """Colour `(weights . vector + shift of the kind) mod modulus`."""

    modulus: int
    weights: tuple[int, ...]
    shifts: tuple[int, ...]

    def colours(self, lattice: Lattice, cells: Cells) -> npt.NDArray[np.int32]:
        """The colours of cells [n, width], 0 to modulus - 1."""
        values = lattice.vectors(cells) @ np.array(self.weights)
        values = values + np.array(self.shifts)[lattice.kind_numbers(cells)]
        colours: npt.NDArray[np.int32] = (values % self.modulus).astype(np.int32)
        return colours


@lru_cache(maxsize=64)
def natural_colouring(lattice: Lattice) -> Colouring | None:
    """The first colouring, with fewest colours, in which neighbours differ; None beyond eight."""
    for modulus in range(2, MOST_COLOURS + 1):
        for weights in product(range(modulus), repeat=lattice.dimension):
            shifts = _proper_shifts(lattice, modulus, np.array(weights))
            if shifts is not None:
                return Colouring(modulus, weights, shifts)
    return None


def colourings(lattice: Lattice, modulus: int) -> list[Colouring]:
    """Every colouring modulo m, up to renaming colours by a unit and a shift."""
    many = modulus ** (lattice.dimension + len(lattice.kinds) - 1)
    if many > MOST_FORMS:
        raise CapabilityError(
            f"the lattice {lattice.name} has {many:,} colourings modulo {modulus}: at most "
            f"{MOST_FORMS:,} are tried; without a modulus the natural one is taken"
        )
    seen, distinct = set(), []
    dimension = lattice.dimension
    for numbers in product(range(modulus), repeat=dimension + len(lattice.kinds) - 1):
        values = np.array(numbers)
        if not values.any():
            continue
        units = [unit for unit in range(1, modulus) if np.gcd(unit, modulus) == 1]
        key = min(tuple((values * unit % modulus).tolist()) for unit in units)
        if key not in seen:
            seen.add(key)
            # The first kind is not shifted.
            distinct.append(Colouring(modulus, numbers[:dimension], (0, *numbers[dimension:])))
    return distinct


def _proper_shifts(
    lattice: Lattice, modulus: int, weights: npt.NDArray[np.int64]
) -> tuple[int, ...] | None:
    """The first shifts of the kinds, that of the first 0, with which neighbours differ."""
    apart: list[set[tuple[int, int]]] = []
    for around in lattice.adjacent:
        steps = (lattice.vectors(around) @ weights % modulus).tolist()
        apart.append(set(zip(lattice.kind_numbers(around).tolist(), steps, strict=True)))
    chosen: list[int] = []
    tried = [0]
    while tried:
        kind = len(chosen)
        if kind == len(lattice.kinds):
            return tuple(chosen)
        for shift in range(tried[-1], 1 if kind == 0 else modulus):
            held = [*chosen, shift]
            if all(
                (held[other] + step - shift) % modulus
                for other, step in apart[kind]
                if other <= kind
            ):
                chosen.append(shift)
                tried[-1] = shift + 1
                tried.append(0)
                break
        else:
            tried.pop()
            if chosen:
                chosen.pop()
    return None
