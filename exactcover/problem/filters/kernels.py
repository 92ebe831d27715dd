"""The compiled parts of the filters: the canonical test, the fit filter, flood fills for `volume`.

A placement lies in one part of the open cells, if it lies in open cells at all: pieces hang
together. So where it is placed the other parts stay as they are, and of this one only what is near
the placement is flooded: as soon as all open cells round the placement have been reached, what is
left of the part is known by subtraction.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.base.compiled import jit
from exactcover.problem import IntArray

Flags = npt.NDArray[np.bool_]
Long = npt.NDArray[np.int64]


@jit
def fixing(
    permutations: IntArray,
    allowed: npt.NDArray[np.bool_],
    starts: npt.NDArray[np.int64],
    options: IntArray,
    image: IntArray,
    out: IntArray,
) -> None:
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


@jit
def parts_of(
    near_starts: IntArray, near: IntArray, filled: Flags, optional: Flags, part: Long, sizes: Long,
    queue: IntArray,
) -> int:  # fmt: skip
    """Number the parts of the open cells; how many there are.

    part   int64 [cells]: the number of its part, -1 for a filled cell
    sizes  int64 [cells, 2]: for each part its cells, and those that must be filled
    queue  int32 [cells]: work space
    """
    count = 0
    for cell in range(len(part)):
        part[cell] = -1
    for first in range(len(part)):
        if filled[first] or part[first] >= 0:
            continue
        part[first] = count
        queue[0] = first
        head, tail, must = 0, 1, 0
        while head < tail:
            cell = queue[head]
            head += 1
            must += not optional[cell]
            for at in range(near_starts[cell], near_starts[cell + 1]):
                other = near[at]
                if part[other] < 0 and not filled[other]:
                    part[other] = count
                    queue[tail] = other
                    tail += 1
        sizes[count, 0], sizes[count, 1] = tail, must
        count += 1
    return count


@jit
def cuts_off(
    options: Long,
    starts: IntArray,
    cells: IntArray,
    near_starts: IntArray,
    near: IntArray,
    optional: Flags,
    option_class: Long,
    reach: Long,
    part: Long,
    sizes: Long,
    parts: int,
    stamps: Long,
    queue: IntArray,
    cut: Flags,
) -> None:
    """Into `cut`: whether each option leaves a part of the open cells that cannot be filled.

    reach   int64 [classes, volumes + 1]: how many volumes below v can be made, by class of option
    part, sizes, parts  the parts before any option, see `parts_of`
    stamps  int64 [cells]: work space, the greatest stamp used so far everywhere; the cells of an
            option, and what was reached, have its own two stamps
    """
    stamp = stamps[0]
    for number in range(len(options)):
        option = options[number]
        kind = option_class[option]
        wanted, reached = stamp + 1, stamp + 2
        stamp += 2
        home, left, must_left = np.int64(-1), np.int64(0), np.int64(0)
        for at in range(starts[option], starts[option + 1]):
            cell = cells[at]
            stamps[cell] = reached
            if part[cell] >= 0:
                if home < 0:
                    home = part[cell]
                    left, must_left = sizes[home, 0], sizes[home, 1]
                left -= 1
                must_left -= not optional[cell]
        bad = False
        for other_part in range(parts):
            if other_part != home:
                total, must = sizes[other_part, 0], sizes[other_part, 1]
                bad = bad or reach[kind, total + 1] == reach[kind, must]
        # The open cells around the option must be reached.
        missing = 0
        for at in range(starts[option], starts[option + 1]):
            for by in range(near_starts[cells[at]], near_starts[cells[at] + 1]):
                other = near[by]
                if part[other] >= 0 and stamps[other] < wanted:
                    stamps[other] = wanted
                    missing += 1
        for at in range(starts[option], starts[option + 1]):
            for by in range(near_starts[cells[at]], near_starts[cells[at] + 1]):
                first = near[by]
                if bad or stamps[first] != wanted:
                    continue
                stamps[first] = reached
                missing -= 1
                queue[0] = first
                head, tail, total, must = 0, 1, 0, 0
                while head < tail and missing > 0:
                    cell = queue[head]
                    head += 1
                    total += 1
                    must += not optional[cell]
                    for out in range(near_starts[cell], near_starts[cell + 1]):
                        other = near[out]
                        if part[other] >= 0 and stamps[other] != reached:
                            missing -= stamps[other] == wanted
                            stamps[other] = reached
                            queue[tail] = other
                            tail += 1
                if missing == 0:  # nothing else is near: this is all that is left
                    total, must = left, must_left
                left -= total
                must_left -= must
                bad = reach[kind, total + 1] == reach[kind, must]
        cut[number] = bad
    for cell in range(len(stamps)):
        stamps[cell] = stamp
