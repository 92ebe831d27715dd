"""Colourings of a lattice: the colour of a cell is a linear form of its coordinates modulo m.

The natural colouring is the one with fewest colours in which cells that share a side differ: the
chessboard, up and down triangles, three colours of hexagons. Parity arguments need no more than
that; others modulo a small m can be asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from exactcover.lattices.base import Cells, Lattice

MOST_COLOURS = 8


@dataclass(frozen=True)
class Colouring:
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
        for colouring in _linear_forms(lattice, modulus):
            if _is_proper(lattice, colouring):
                return colouring
    return None


def colourings(lattice: Lattice, modulus: int) -> list[Colouring]:
    """Every colouring modulo m, up to renaming colours by a unit and a shift."""
    seen, distinct = set(), []
    for form in _linear_forms(lattice, modulus):
        values = np.array([*form.weights, *form.shifts])
        if not values.any():
            continue
        units = [unit for unit in range(1, modulus) if np.gcd(unit, modulus) == 1]
        key = min(tuple((values * unit % modulus).tolist()) for unit in units)
        if key not in seen:
            seen.add(key)
            distinct.append(form)
    return distinct


def _linear_forms(lattice: Lattice, modulus: int) -> list[Colouring]:
    """All colourings modulo m in which the first kind is not shifted."""
    kinds, dimension = len(lattice.kinds), lattice.dimension
    return [
        Colouring(modulus, numbers[:dimension], (0, *numbers[dimension:]))
        for numbers in product(range(modulus), repeat=dimension + kinds - 1)
    ]


def _is_proper(lattice: Lattice, colouring: Colouring) -> bool:
    for kind, around in enumerate(lattice.adjacent):
        offsets = lattice.cells(lattice.vectors(around), lattice.kind_numbers(around))
        here = colouring.shifts[kind] % colouring.modulus
        if (colouring.colours(lattice, offsets) == here).any():
            return False
    return True
