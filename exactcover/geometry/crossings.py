"""Where pieces of sticks would cross.

Round a point, four edges a < b < c < d in cyclic order alternate just if one piece has a and c and
another has b and d. So for each such four, at most one image may have either pair: where pieces may
not cross, that is a secondary item. On the square grid it is the one item a point that Knuth uses
for tetrasticks. A stationary piece leaves nothing to choose: images that would cross it are no
images.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from exactcover.geometry.cells import CellSet

Positions = npt.NDArray[np.int32]
Pairs = npt.NDArray[np.int64]


def crossings(
    region: CellSet, images: tuple[Positions, Positions]
) -> tuple[list[Positions], list[str]]:
    """The images, given as compressed rows of positions, that exclude each other at a point.

    One list of image numbers, ascending, for each four edges that alternate, and a name for it.
    """
    starts, cells = images
    order = np.argsort(cells, kind="stable")
    owners = np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))[order]
    cuts = np.searchsorted(cells[order], np.arange(len(region) + 1))
    images_with = [owners[cuts[cell] : cuts[cell + 1]] for cell in range(len(region))]

    @lru_cache(maxsize=64)
    def images_with_both(one: int, other: int) -> Positions:
        return np.intersect1d(images_with[one], images_with[other], assume_unique=True)

    exclusive, names = [], []
    for name, (a, b, c, d) in _fours(region):
        one, other = images_with_both(a, c), images_with_both(b, d)
        if len(one) and len(other):
            exclusive.append(np.union1d(one, other))
            names.append(name)
    return exclusive, names


def first_crossing(region: CellSet, parts: Sequence[Positions]) -> tuple[int, int] | None:
    """The numbers of two of these parts of a region that cross, or None where no two do."""
    if len(parts) < 2:
        return None
    owner = _owners(region, parts)
    for _, four in _fours(region):
        a, b, c, d = owner[list(four)].tolist()
        if a == c != b == d and min(a, b) >= 0:
            return min(a, b), max(a, b)
    return None


def barred_pairs(region: CellSet, parts: Sequence[Positions]) -> Pairs:
    """The pairs of cells [n, 2] of which no piece may have both, since it would cross a part."""
    owner = _owners(region, parts)
    pairs = []
    for _, (a, b, c, d) in _fours(region) if parts else ():
        if owner[a] == owner[c] >= 0:
            pairs.append((b, d))
        if owner[b] == owner[d] >= 0:
            pairs.append((a, c))
    return np.array(pairs, np.int64).reshape(-1, 2)


def have_pair(images: Positions, pairs: Pairs) -> npt.NDArray[np.bool_]:
    """Which of the images [m, size] have both cells of one of the pairs."""
    found = np.zeros(len(images), bool)
    for one, other in pairs:
        found |= (images == one).any(axis=1) & (images == other).any(axis=1)
    return found


def _fours(region: CellSet) -> Iterator[tuple[str, tuple[int, int, int, int]]]:
    """Any four edges of the region round one point, in cyclic order, as positions; with a name."""
    lattice = region.lattice
    for ring in lattice.junctions:
        edges = np.array(ring, np.int64)
        vectors, kinds = lattice.vectors(edges), lattice.kind_numbers(edges)
        origins = (lattice.vectors(region.cells)[:, None] - vectors).reshape(-1, lattice.dimension)
        origins = np.unique(origins, axis=0)
        rings = lattice.cells(origins[:, None] + vectors, np.tile(kinds, (len(origins), 1)))
        for origin, around in zip(origins.tolist(), region.find(rings).tolist(), strict=True):
            for number, (a, b, c, d) in enumerate(combinations(around, 4)):
                if min(a, b, c, d) >= 0:
                    yield f"x{','.join(map(str, origin))}.{number}", (a, b, c, d)


def _owners(region: CellSet, parts: Sequence[Positions]) -> Positions:
    """For each cell of a region the part that it belongs to, -1: none."""
    owner = np.full(len(region), -1, np.int32)
    for number, part in enumerate(parts):
        owner[part] = number
    return owner
