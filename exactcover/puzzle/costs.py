"""The cost of a placement: that of the piece, and those of the cells that it fills.

Costs are added as the decimals that they print as, exactly. So places that cost the same have the
same number, in whatever order their cells are added, and a symmetry that keeps costs is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactcover.errors import PuzzleError
from exactcover.geometry.cells import CellSet
from exactcover.problem import IntArray
from exactcover.puzzle.pieces import Piece, Region, cells_array

if TYPE_CHECKING:
    from exactcover.puzzle.puzzle import Puzzle

LARGEST = 1 << 53
"""Sums of costs, in units of their last decimal place, stay below this: so they are exact."""

FINEST = 10**15
"""The last decimal place of a cost is not below this part of one."""


def check_costs(space: CellSet, pieces: Sequence[Piece], region: Region) -> None:
    """Refuse costs of what is not there, and costs that cannot be added exactly."""
    if region.costs:
        priced = cells_array(space.lattice, list(region.costs), "the costs")
        outside = space.find(priced) < 0
        if outside.any():
            cell = tuple(priced[outside.argmax()].tolist())
            raise PuzzleError(f"a cost for the cell {cell}, which is not in the region")
    for cell, cost in region.costs.items():
        if not isfinite(cost):
            raise PuzzleError(f"the cost of the cell {cell} must be a finite number, not {cost}")
    if not region.costs and not any(piece.cost for piece in pieces):
        return
    scale = _scale([*region.costs.values(), *(piece.cost for piece in pieces)])
    dearest = max(abs(piece.cost) for piece in pieces)
    dearest += max(len(piece.cells) for piece in pieces) * max(
        map(abs, region.costs.values()), default=0
    )
    if scale > FINEST or Fraction(dearest) * scale >= LARGEST:
        raise PuzzleError(
            f"costs of up to {dearest:g} with these decimal places cannot be added exactly: "
            "round them"
        )


def option_costs(
    puzzle: Puzzle, free: CellSet, blocks: Sequence[IntArray]
) -> npt.NDArray[np.float64] | None:
    """The cost of each option; None if the puzzle has no costs.

    blocks  for each shape its images, as positions in `free`; behind them the holes, which cost
            nothing
    """
    groups, of_cells = puzzle.groups, puzzle.region.costs
    if not of_cells and not any(group.cost for group in groups):
        return None
    scale = _scale([*of_cells.values(), *(group.cost for group in groups)])
    listed = [_units(of_cells.get(tuple(cell), 0), scale) for cell in free.cells.tolist()]
    ground = np.array(listed, np.int64)
    sums = [np.zeros(len(block), np.int64) for block in blocks]
    for number, group in enumerate(groups):
        sums[number] = ground[blocks[number]].sum(axis=1) + _units(group.cost, scale)
    return np.concatenate([np.zeros(0, np.int64), *sums]) / float(scale)


def _scale(costs: Sequence[float]) -> int:
    """The power of ten that makes all these costs whole."""
    places = [-int(Decimal(repr(cost)).normalize().as_tuple().exponent) for cost in costs]
    return int(10 ** max(0, *places))


def _units(cost: float, scale: int) -> int:
    return int(Fraction(repr(cost)) * scale)
