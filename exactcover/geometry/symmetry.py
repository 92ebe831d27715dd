"""The symmetries of a region: the motions of the lattice that take it onto itself.

On a board in the plane at most one translation goes with each turn. On a wrapped board it may be
many, and only motions that take periods to periods are motions of the board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from exactcover.base.patience import patiently
from exactcover.errors import PuzzleError
from exactcover.geometry.cells import CellSet
from exactcover.lattices.base import Cells

SAMPLE = 40
"""Translations are tried with this many cells before they are tried with all."""

AT_ONCE = 1 << 20
"""The most cells moved in one step."""

MOST_MOVES = 1 << 25
"""The most cells that all symmetries of a wrapped board may move together: 128 MB."""


@dataclass(frozen=True, eq=False)
class RegionSymmetries:
    """The symmetries of a region, the identity first.

    motions       int64 [s]     numbers in the lattice's group
    permutations  int32 [s, n]  cell i of the region goes to cell permutations[s, i]
    proper        bool [s]      a turn without a mirror
    """

    motions: npt.NDArray[np.int64]
    permutations: npt.NDArray[np.int32]
    proper: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.motions)


def region_symmetries(region: CellSet) -> RegionSymmetries:
    """Every motion of the lattice with every translation after it that keeps the region.

    On a wrapped board these are motions that take periods to periods.
    """
    group, periods = region.lattice.group, region.periods
    motions, permutations = [], []
    room = inf if periods is None else MOST_MOVES // max(1, len(region))
    for number in patiently(range(len(group))):
        if periods is not None and not periods.kept_by(group.matrices[number]):
            continue
        image = region.lattice.moved(region.cells, [number])[0]
        # Of the identity, the first translation is by nothing: the first cell stays where it is.
        for places in _translations_onto(region, image):
            motions += [number] * len(places)
            permutations.append(places)
            room -= len(places)
            if room < 0:
                raise PuzzleError(
                    f"the wrapped board of {len(region):,} cells has too many symmetries to keep: "
                    "count every solution instead of the unique ones"
                )
    chosen = np.array(motions, np.int64)
    return RegionSymmetries(chosen, np.concatenate(permutations), group.proper[chosen])


def _translations_onto(region: CellSet, image: Cells) -> Iterator[npt.NDArray[np.int32]]:
    """Where each cell of an image of a region goes, for each translation that takes it there."""
    lattice = region.lattice
    vectors, kinds = lattice.vectors(image), lattice.kind_numbers(image)
    targets = lattice.vectors(region.cells)
    if region.periods is None:  # the lowest coordinates come to those of the region
        shifts = (targets.min(axis=0) - vectors.min(axis=0))[None]
    else:
        shifts = targets[lattice.kind_numbers(region.cells) == kinds[0]] - vectors[0]

    def places(cells: npt.NDArray[np.int64], steps: npt.NDArray[np.int64]) -> Any:
        there = vectors[cells] + steps[:, None]
        return region.find(lattice.cells(there, np.broadcast_to(kinds[cells], there.shape[:2])))

    for cell in np.linspace(0, len(image) - 1, SAMPLE).astype(np.int64):
        if len(shifts) < 2:
            break
        shifts = shifts[places(cell[None], shifts)[:, 0] >= 0]
    everything, many = np.arange(len(image)), max(1, AT_ONCE // len(image))
    for start in range(0, len(shifts), many):
        found = places(everything, shifts[start : start + many])
        yield found[(found >= 0).all(axis=1)]
