"""The fit filter, compiled. See `fit`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.base.compiled import jit
from exactcover.problem import IntArray

Flags = npt.NDArray[np.bool_]
Long = npt.NDArray[np.int64]


@jit
def misfits(
    options: Long,
    starts: IntArray,
    entries: IntArray,
    colours: IntArray,
    column_starts: IntArray,
    columns: IntArray,
    needs: IntArray,
    room: IntArray,
    primary: int,
    alive: Flags,
    sizes: Long,
    hit: IntArray,
    touched: IntArray,
    stamps: IntArray,
    bad: Flags,
) -> None:
    """Into `bad`: whether choosing each option leaves an item with fewer options than it needs.

    needs, room  int32 [primary]: how many more options each item needs and can take
    sizes   int64 [items]: how many options of each item are alive
    hit     int32 [items], all 0: how many of these the option excludes; touched: which items
    stamps  int32 [options]: the last option that excluded this one
    """
    for number in range(len(options)):
        option = options[number]
        stamps[option] = option
        met = 0
        for at in range(starts[option], starts[option + 1]):
            item = entries[at]
            if hit[item] == 0:
                touched[met] = item
                met += 1
            hit[item] += 1  # the option itself is no longer available
        for at in range(starts[option], starts[option + 1]):
            item = entries[at]
            if item < primary and room[item] > 1:
                continue  # others may still be chosen beside it
            for place in range(column_starts[item], column_starts[item + 1]):
                other = columns[place]
                if not alive[other] or stamps[other] == option:
                    continue
                if item >= primary and colours[at] != 0:
                    agrees = False
                    for there in range(starts[other], starts[other + 1]):
                        if entries[there] == item:
                            agrees = colours[there] == colours[at]
                    if agrees:
                        continue
                stamps[other] = option
                for there in range(starts[other], starts[other + 1]):
                    also = entries[there]
                    if hit[also] == 0:
                        touched[met] = also
                        met += 1
                    hit[also] += 1
        failed = False
        for place in range(met):
            item = touched[place]
            if item < primary:
                need = needs[item]
                for at in range(starts[option], starts[option + 1]):
                    if entries[at] == item:
                        need -= 1
                if sizes[item] - hit[item] < need:
                    failed = True
            hit[item] = 0
        bad[number] = failed
