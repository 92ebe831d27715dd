"""How many cells can be filled and pieces placed, as far as their numbers alone tell.

Sizes and copies of the pieces say which numbers of cells can be filled at all, and with how few
and how many pieces each. Often that is all there is to a bound: sixty cells are twelve pentominoes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from exactcover.puzzle.model import Model

NEVER = 1 << 40
"""More pieces than there are."""


@dataclass(frozen=True)
class Amounts:
    """The least and the most of each that a solution can have; None where there is none."""

    cells: tuple[int, int]
    pieces: tuple[int, int]


def amounts(model: Model) -> Amounts | None:
    """The bounds from the numbers of cells and pieces; None if they allow no solution."""
    n_cells, optional = len(model.free), int(model.layout.optional.sum())
    least_empty, most_empty = model.puzzle.region.empty or (0, optional)
    fewest = np.full(n_cells + 1, NEVER, np.int64)
    most = np.full(n_cells + 1, -NEVER, np.int64)
    fewest[0] = most[0] = 0
    for size, copies, must in _batches(model):
        if size * copies > n_cells:
            if must:
                return None
            continue
        more_cells = n_cells + 1 - size * copies
        with_few, with_many = np.full_like(fewest, NEVER), np.full_like(most, -NEVER)
        with_few[size * copies :] = fewest[:more_cells] + copies
        with_many[size * copies :] = most[:more_cells] + copies
        fewest = with_few if must else np.minimum(fewest, with_few)
        most = with_many if must else np.maximum(most, with_many)
    filled = np.arange(max(0, n_cells - min(most_empty, optional)), n_cells - least_empty + 1)
    filled = filled[most[filled] >= 0]
    if not filled.size:
        return None
    return Amounts(
        (int(filled[0]), int(filled[-1])), (int(fewest[filled].min()), int(most[filled].max()))
    )


def _batches(model: Model) -> Iterator[tuple[int, int, bool]]:
    """Size, number of copies, whether they must be placed: any number is a sum of some batches."""
    for size, (low, high) in zip(model.layout.shape_size, model.layout.copies, strict=True):
        if low:
            yield int(size), int(low), True
        spare, step = int(high) - int(low), 1
        while spare > 0:
            step = min(step, spare)
            yield int(size), step, False
            spare -= step
            step *= 2
