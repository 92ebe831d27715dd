"""Flood fills for the volume filter, compiled. See `volume`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.compiled import jit
from exactcover.problem import IntArray

Flags = npt.NDArray[np.bool_]
Long = npt.NDArray[np.int64]


@jit
def cuts_off(
    options: Long,
    starts: IntArray,
    cells: IntArray,
    near_starts: IntArray,
    near: IntArray,
    filled: Flags,
    optional: Flags,
    option_class: Long,
    reach: Long,
    stamps: Long,
    stack: IntArray,
    cut: Flags,
) -> None:
    """Into `cut`: whether each option leaves a part of the open cells that cannot be filled.

    reach   int64 [classes, volumes + 1]: how many volumes below v can be made, by class of option
    stamps  int64 [cells]: work space; a cell is visited where its stamp is that of the option
    """
    for number in range(len(options)):
        option = options[number]
        stamp = stamps[0] + 1
        for cell in range(len(stamps)):
            if filled[cell]:
                stamps[cell] = stamp
        for at in range(starts[option], starts[option + 1]):
            stamps[cells[at]] = stamp
        kind = option_class[option]
        bad = False
        for first in range(len(stamps)):
            if stamps[first] == stamp:
                continue
            stamps[first] = stamp
            stack[0] = first
            height, total, must = 1, 0, 0
            while height > 0:
                height -= 1
                cell = stack[height]
                total += 1
                must += not optional[cell]
                for at in range(near_starts[cell], near_starts[cell + 1]):
                    other = near[at]
                    if stamps[other] != stamp:
                        stamps[other] = stamp
                        stack[height] = other
                        height += 1
            if reach[kind, total + 1] == reach[kind, must]:
                bad = True
                break
        cut[number] = bad
        for cell in range(len(stamps)):
            stamps[cell] = stamp
