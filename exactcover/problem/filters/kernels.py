"""The compiled parts of filters: the canonical test, the fit filter, flood fills for `volume`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.base.compiled import jit
from exactcover.problem import IntArray

Flags = npt.NDArray[np.bool_]
Long = npt.NDArray[np.int64]


@jit
def fixing(
    permutations: IntArray, allowed: Flags, starts: Long, options: IntArray, image: IntArray,
    out: IntArray,
) -> None:  # fmt: skip
    """Into `out`: how many symmetries fix each solution, 0 if the search can find a lesser copy."""
    for solution in range(len(out)):
        first, last = starts[solution], starts[solution + 1]
        size = last - first
        fixed = 1
        for symmetry in range(1, permutations.shape[0]):
            reachable = True
            for place in range(size):
                option = permutations[symmetry, options[first + place]]
                if not allowed[option]:
                    reachable = False
                    break
                at = place
                while at > 0 and image[at - 1] > option:
                    image[at] = image[at - 1]
                    at -= 1
                image[at] = option
            if not reachable:
                continue
            order = 0
            for place in range(size):
                if image[place] != options[first + place]:
                    order = -1 if image[place] < options[first + place] else 1
                    break
            if order < 0:
                fixed = 0
                break
            if order == 0:
                fixed += 1
        out[solution] = fixed


@jit
def misfits(
    options: Long, starts: IntArray, entries: IntArray, colours: IntArray, column_starts: IntArray,
    columns: IntArray, needs: IntArray, room: IntArray, primary: int, alive: Flags, sizes: Long,
    hit: IntArray, touched: IntArray, stamps: IntArray, bad: Flags,
) -> None:  # fmt: skip
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


@jit
def cuts_off(
    options: Long, starts: IntArray, cells: IntArray, near_starts: IntArray, near: IntArray,
    filled: Flags, optional: Flags, option_class: Long, reach: Long, seen: Flags, queue: IntArray,
    cut: Flags,
) -> None:  # fmt: skip
    """Into `cut`: whether each option leaves a part of the open cells that cannot be filled.

    reach  int64 [classes, volumes + 1]: how many volumes below v can be made, by class of option
    seen, queue  [cells]: work space
    """
    for number in range(len(options)):
        option = options[number]
        kind = option_class[option]
        for cell in range(len(seen)):
            seen[cell] = filled[cell]
        for at in range(starts[option], starts[option + 1]):
            seen[cells[at]] = True
        bad, first = False, 0
        while not bad and first < len(seen):
            head = tail = must = 0
            if not seen[first]:
                seen[first], queue[0], tail = True, first, 1
            while head < tail:
                cell = queue[head]
                head += 1
                must += not optional[cell]
                for at in range(near_starts[cell], near_starts[cell + 1]):
                    other = near[at]
                    if not seen[other]:
                        seen[other], queue[tail] = True, other
                        tail += 1
            bad = reach[kind, tail + 1] == reach[kind, must]
            first += 1
        cut[number] = bad
