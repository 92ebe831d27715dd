"""The symmetries of a region: the motions of the lattice that take it onto itself.

On a board in the plane at most one translation goes with each turn. On a wrapped board it may be
many, and only motions that take periods to periods are motions of the board.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.errors import PuzzleError
from exactcover.geometry.cells import CellSet
from exactcover.geometry.images import translations
from exactcover.patience import patiently

MOST_MOVES = 1 << 27
"""The most cells that all symmetries of a wrapped board may move together: half a gigabyte."""


@dataclass(frozen=True, eq=False)
class RegionSymmetries:
    """The symmetries of a region, the identity first.

    motions       int64 [s]     numbers in the lattice's group
    translations  int64 [s, dimension]   added after the motion
    permutations  int32 [s, n]  cell i of the region goes to cell permutations[s, i]
    proper        bool [s]      a turn without a mirror
    """

    motions: npt.NDArray[np.int64]
    translations: npt.NDArray[np.int64]
    permutations: npt.NDArray[np.int32]
    proper: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.motions)


def region_symmetries(region: CellSet) -> RegionSymmetries:
    """Every motion of the lattice that, after a translation, keeps the region."""
    if region.periods is not None:
        return _wrapped_symmetries(region)
    lattice = region.lattice
    corner = lattice.vectors(region.cells).min(axis=0)
    motions, shifts, permutations = [], [], []
    for number in patiently(range(len(lattice.group))):
        image = lattice.moved(region.cells, [number])[0]
        vectors = lattice.vectors(image)
        shift = corner - vectors.min(axis=0)
        places = region.find(lattice.cells(vectors + shift, lattice.kind_numbers(image)))
        if (places >= 0).all():
            motions.append(number)
            shifts.append(shift)
            permutations.append(places)
    chosen = np.array(motions, np.int64)
    return RegionSymmetries(
        chosen, np.array(shifts), np.array(permutations), lattice.group.proper[chosen]
    )


def _wrapped_symmetries(region: CellSet) -> RegionSymmetries:
    """Every motion that takes periods to periods, with every translation that keeps the region."""
    lattice, periods = region.lattice, region.periods
    assert periods is not None, "for wrapped boards"
    motions, shifts, permutations = [], [], []
    room = MOST_MOVES // max(1, len(region))
    for number in range(len(lattice.group)):
        if not periods.kept_by(lattice.group.matrices[number]):
            continue
        image = lattice.moved(region.cells, [number])[0]
        # Of the identity, the first translation is by nothing: its first cell comes to lie first.
        rows = translations(region, image)
        room -= len(rows)
        if room < 0:
            raise PuzzleError(
                f"the wrapped board of {len(region):,} cells has too many symmetries to keep: "
                "count every solution instead of the unique ones"
            )
        motions += [number] * len(rows)
        there = lattice.vectors(region.cells)[rows[:, 0]]
        shifts.append(there - lattice.vectors(image)[0])
        permutations.append(rows)
    chosen = np.array(motions, np.int64)
    return RegionSymmetries(
        chosen, np.concatenate(shifts), np.concatenate(permutations), lattice.group.proper[chosen]
    )
