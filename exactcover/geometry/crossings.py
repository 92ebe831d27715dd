"""Where pieces of sticks would cross.

Round a point, four edges a < b < c < d in cyclic order alternate just if one piece has a and c and
another has b and d. So for each such four, at most one image may have either pair: where pieces may
not cross, that is a secondary item. On the square grid it is the one item a point that Knuth uses
for tetrasticks.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

from exactcover.geometry.cells import CellSet

Positions = npt.NDArray[np.int32]


def crossings(
    region: CellSet, images: tuple[Positions, Positions]
) -> tuple[list[Positions], list[str]]:
    """The images, given as compressed rows of positions, that exclude each other at a point.

    One list of image numbers, ascending, for each four edges that alternate, and a name for it.
    """
    lattice = region.lattice
    starts, cells = images
    order = np.argsort(cells, kind="stable")
    owners = np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))[order]
    cuts = np.searchsorted(cells[order], np.arange(len(region) + 1))
    images_with = [owners[cuts[cell] : cuts[cell + 1]] for cell in range(len(region))]

    exclusive, names = [], []
    for ring in lattice.junctions:
        edges = np.array(ring, np.int64)
        vectors, kinds = lattice.vectors(edges), lattice.kind_numbers(edges)
        origins = (lattice.vectors(region.cells)[:, None] - vectors).reshape(-1, lattice.dimension)
        for origin in np.unique(origins, axis=0):
            around = region.find(lattice.cells(vectors + origin, kinds))
            for number, four in enumerate(combinations(around.tolist(), 4)):
                if min(four) < 0:
                    continue
                a, b, c, d = (images_with[cell] for cell in four)
                one, other = np.intersect1d(a, c), np.intersect1d(b, d)
                if len(one) and len(other):
                    exclusive.append(np.union1d(one, other))
                    names.append(f"x{','.join(map(str, origin.tolist()))}.{number}")
    return exclusive, names
