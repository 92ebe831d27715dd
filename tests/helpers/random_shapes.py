"""Connected shapes at random, grown cell by cell along neighbours."""

from __future__ import annotations

import random

from exactcover.lattices import Lattice

Cell = tuple[int, ...]


def random_shape(lattice: Lattice, size: int, seed: int) -> list[Cell]:
    """A connected shape of this many cells; the same for the same seed."""
    choices = random.Random(f"{lattice.name} {size} {seed}")
    kinds = len(lattice.kinds)
    several = lattice.width > lattice.dimension
    start = (0,) * lattice.dimension + ((choices.randrange(kinds),) if several else ())
    cells = [start]
    while len(cells) < size:
        cell = choices.choice(cells)
        step = choices.choice(lattice.adjacent[cell[-1] if several else 0].tolist())
        vector = [a + b for a, b in zip(cell[: lattice.dimension], step, strict=False)]
        other = (*vector, *step[lattice.dimension :])
        if other not in cells:
            cells.append(other)
    return cells
