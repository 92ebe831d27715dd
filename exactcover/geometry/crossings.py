"""Where pieces of sticks would cross.

Round a point, four edges a < b < c < d in cyclic order alternate just if one piece has a and c and
another has b and d. Two pieces may cross if both of them may cross. So for each such four, where no
piece may cross, at most one placement may have either pair: that is a secondary item. On the square
grid it is the one item a point that Knuth uses for tetrasticks. Where some pieces may cross, there
are two items: the placements that have a and c and may not cross, with all that have b and d; and
the same the other way round. Two placements that share a cell exclude each other in any case. A
stationary piece leaves nothing to choose: placements that would cross it are no placements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from exactcover.geometry.cells import CellSet
from exactcover.lattices.base import Cells, Lattice

Positions = npt.NDArray[np.int32]
Pairs = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def crossings(
    region: CellSet, placements: tuple[Positions, Positions], may_cross: Flags
) -> tuple[list[Positions], list[str]]:
    """The placements, given as compressed rows of positions, that exclude each other at a point.

    Up to two lists of placement numbers, ascending, for each four edges that alternate, and a name
    for each list.

    may_cross  which of the placements may cross others that may
    """
    starts, cells = placements
    order = np.argsort(cells, kind="stable")
    owners = np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))[order]
    cuts = np.searchsorted(cells[order], np.arange(len(region) + 1))
    placements_with = [owners[cuts[cell] : cuts[cell + 1]] for cell in range(len(region))]

    @lru_cache(maxsize=64)
    def placements_with_both(one: int, other: int) -> Positions:
        return np.intersect1d(placements_with[one], placements_with[other], assume_unique=True)

    exclusive, names = [], []
    for name, (a, b, c, d) in _fours(region):
        one, other = placements_with_both(a, c), placements_with_both(b, d)
        if not (len(one) and len(other)):
            continue
        strict = one[~may_cross[one]], other[~may_cross[other]]
        if len(strict[0]) == len(one) or len(strict[1]) == len(other):
            listed = [np.union1d(one, other)]
        else:
            listed = [
                np.union1d(some, all_)
                for some, all_ in ((strict[0], other), (strict[1], one))
                if len(some)
            ]
        exclusive += listed
        names += [name, f"{name}'"][: len(listed)]
    return exclusive, names


def first_crossing(
    region: CellSet, parts: Sequence[Positions], may_cross: Sequence[bool]
) -> tuple[int, int] | None:
    """The numbers of two of these parts that cross and must not, or None where no two do."""
    if len(parts) < 2 or all(may_cross):
        return None
    owner = _owners(region, parts)
    for _, four in _fours(region):
        a, b, c, d = owner[list(four)].tolist()
        if a == c != b == d and min(a, b) >= 0 and not (may_cross[a] and may_cross[b]):
            return min(a, b), max(a, b)
    return None


def can_be_crossed(lattice: Lattice, cells: Cells) -> bool:
    """Whether a piece of these cells has two edges at a point with room for others between them."""
    for _, rings in _rings(CellSet.of(lattice, cells)):
        has = rings >= 0
        for four in combinations(range(has.shape[1]), 4):
            a, b, c, d = has[:, four].T
            if ((a & c & ~b & ~d) | (b & d & ~a & ~c)).any():
                return True
    return False


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


def have_pair(placements: Positions, pairs: Pairs) -> npt.NDArray[np.bool_]:
    """Which of the placements [m, size] have both cells of one of the pairs."""
    found = np.zeros(len(placements), bool)
    for one, other in pairs:
        found |= (placements == one).any(axis=1) & (placements == other).any(axis=1)
    return found


def _fours(region: CellSet) -> Iterator[tuple[str, tuple[int, int, int, int]]]:
    """Any four edges of the region round one point, in cyclic order, as positions; with a name."""
    for origins, rings in _rings(region):
        for origin, around in zip(origins.tolist(), rings.tolist(), strict=True):
            for number, (a, b, c, d) in enumerate(combinations(around, 4)):
                if min(a, b, c, d) >= 0:
                    yield f"x{','.join(map(str, origin))}.{number}", (a, b, c, d)


def _rings(region: CellSet) -> Iterator[tuple[Cells, Positions]]:
    """For each kind of junction, the points with an edge of the region, and the edges round them.

    Edges are positions [points, edges] in cyclic order, -1 where one is not in the region.
    """
    lattice = region.lattice
    for ring in lattice.junctions:
        edges = np.array(ring, np.int64)
        vectors, kinds = lattice.vectors(edges), lattice.kind_numbers(edges)
        origins = lattice.vectors(region.cells)[:, None] - vectors
        if region.periods is not None:
            origins = region.periods.reduced(origins)
        origins = np.unique(origins.reshape(-1, lattice.dimension), axis=0)
        around = lattice.cells(origins[:, None] + vectors, np.tile(kinds, (len(origins), 1)))
        yield origins, region.find(around)


def _owners(region: CellSet, parts: Sequence[Positions]) -> Positions:
    """For each cell of a region the part that it belongs to, -1: none."""
    owner = np.full(len(region), -1, np.int32)
    for number, part in enumerate(parts):
        owner[part] = number
    return owner
