"""The flood fills of the volume filter in numpy, for a process that has not imported numba.

All options are flooded side by side: a row for each cell, with a flag for each option. A step gives
a cell the flags of its neighbours. That is as quick as compiled code for a hundred cells, and takes
longer in larger regions, where `volume_kernel` looks only near the option.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.problem import IntArray

Flags = npt.NDArray[np.bool_]
Long = npt.NDArray[np.int64]

MOST = 1 << 20
"""Up to this number of cells times options it takes some hundredths of a second."""


def cuts_off(
    open_: Flags, near_starts: IntArray, near: IntArray, optional: Flags, reach: Long
) -> Flags:
    """Whether a part of the open cells of each option cannot be filled: bool [options].

    open_  bool [cells, options]: the cells that are open after each option; it is used up
    reach  int64 [options, volumes + 1]: how many volumes below v can be made, by option
    """
    beside = _beside(near_starts, near)
    must = ~optional[:, None]
    cut = np.zeros(open_.shape[1], bool)
    left = np.flatnonzero(open_.any(axis=0))
    open_ = open_[:, left]
    while left.size:
        part = _part_of_first(open_, beside)
        total, filled = part.sum(axis=0), (part & must).sum(axis=0)
        cut[left] |= reach[left, total + 1] == reach[left, filled]
        open_ &= ~part
        more = open_.any(axis=0) & ~cut[left]
        left, open_ = left[more], open_[:, more]
    return cut


def _beside(starts: IntArray, near: IntArray) -> list[tuple[Long, Long]]:
    """The pairs of a cell and a neighbour, by the number of the neighbour: cells, neighbours."""
    counts = np.diff(starts)
    found = []
    for number in range(int(counts.max(initial=0))):
        cells = np.flatnonzero(counts > number)
        found.append((cells, near[starts[cells] + number].astype(np.int64)))
    return found


def _part_of_first(open_: Flags, beside: list[tuple[Long, Long]]) -> Flags:
    """The part of the open cells that the first of them is in, for each option."""
    part = np.zeros_like(open_)
    part[open_.argmax(axis=0), np.arange(open_.shape[1])] = True
    size = -1
    while (now := int(part.sum())) != size:
        size = now
        grown = part.copy()
        for cells, others in beside:
            grown[cells] |= part[others]
        part = grown & open_
    return part
