"""The symmetries of a region: the motions of the lattice that take it onto itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.geometry.cells import CellSet
from exactcover.patience import patiently


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
    """Every motion of the lattice that, after the one possible translation, keeps the region."""
    lattice = region.lattice
    corner = lattice.vectors(region.cells).min(axis=0)
    motions, translations, permutations = [], [], []
    for number in patiently(range(len(lattice.group))):
        image = lattice.moved(region.cells, [number])[0]
        vectors = lattice.vectors(image)
        shift = corner - vectors.min(axis=0)
        places = region.find(lattice.cells(vectors + shift, lattice.kind_numbers(image)))
        if (places >= 0).all():
            motions.append(number)
            translations.append(shift)
            permutations.append(places)
    chosen = np.array(motions, np.int64)
    return RegionSymmetries(
        chosen, np.array(translations), np.array(permutations), lattice.group.proper[chosen]
    )
