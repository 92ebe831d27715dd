"""The neighbour graph of a region: which of its cells share a side.

On a narrow wrapped board a cell may be beside another one twice, or beside itself: that is one pair
or none.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from exactcover.geometry.cells import CellSet
from exactcover.lattices.base import Cells

Csr = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]
"""Compressed rows: the neighbours of cell i are `others[starts[i]:starts[i + 1]]`."""


def neighbour_graph(region: CellSet) -> Csr:
    """The cells of a region that share a side, as positions in the region, ascending."""
    return _graph(region, region.lattice.adjacent)


def corner_graph(region: CellSet) -> Csr:
    """The cells of a region that share only a corner."""
    return _graph(region, region.lattice.touching)


def pairs_of(graph: Csr) -> npt.NDArray[np.int64]:
    """The pairs of cells that a graph joins, the smaller position first: int64 [n, 2]."""
    starts, others = graph
    pairs = np.stack([np.repeat(np.arange(len(starts) - 1), np.diff(starts)), others], axis=1)
    return np.asarray(pairs[pairs[:, 0] < pairs[:, 1]], np.int64)


def _graph(region: CellSet, around: tuple[Cells, ...]) -> Csr:
    firsts, seconds = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
    for here, others in _beside(region, around):
        found = region.find(others)
        firsts.append(here[found >= 0])
        seconds.append(found[found >= 0])
    first, second = np.concatenate(firsts), np.concatenate(seconds)
    if region.periods is not None:
        pairs = np.unique(np.stack([first, second], axis=1)[first != second], axis=0)
        first, second = pairs[:, 0], pairs[:, 1]
    order = np.lexsort((second, first))
    starts = np.searchsorted(first[order], np.arange(len(region) + 1))
    return starts.astype(np.int32), second[order].astype(np.int32)


def _beside(
    region: CellSet, around: tuple[Cells, ...]
) -> Iterator[tuple[npt.NDArray[np.int64], Cells]]:
    """For each kind of cell and each offset: the positions of its cells, and the cells there."""
    lattice = region.lattice
    vectors, kinds = lattice.vectors(region.cells), lattice.kind_numbers(region.cells)
    for kind, offsets in enumerate(around):
        here = np.flatnonzero(kinds == kind)
        for offset in offsets:
            other = np.broadcast_to(lattice.kind_numbers(offset), here.shape)
            yield here, lattice.cells(vectors[here] + lattice.vectors(offset), other)


def copies_beside(region: CellSet) -> Cells:
    """Copies of cells of a wrapped board that lie beside them, where the board is cut open."""
    lattice = region.lattice
    around = [others for _, others in _beside(region, lattice.adjacent)]
    others = CellSet.of(lattice, np.concatenate(around)).cells
    cut_open = CellSet.of(lattice, region.cells)
    return others[(cut_open.find(others) < 0) & (region.find(others) >= 0)]


def components(graph: Csr) -> npt.NDArray[np.int32]:
    """The number of the connected part that each cell lies in, parts numbered from 0."""
    starts, others = graph
    part = np.full(len(starts) - 1, -1, np.int32)
    count = 0
    for first in range(len(part)):
        if part[first] >= 0:
            continue
        part[first] = count
        reached = [first]
        while reached:
            cell = reached.pop()
            for other in others[starts[cell] : starts[cell + 1]].tolist():
                if part[other] < 0:
                    part[other] = count
                    reached.append(other)
        count += 1
    return part
