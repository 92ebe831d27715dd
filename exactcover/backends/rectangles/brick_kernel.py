"""The search of bricks in a box, compiled: the skyline with one more axis.

The upper face of what is filled is a height for each cell of the ground. The next brick is placed
at the lowest cell: of those, in the nearest row, the leftmost. Its corner lies there, and all cells
below it must have this height. So it overlaps nothing and leaves no hole below it.

The cells at this height from there to the right lie between higher ones, and so do those behind it.
So what a brick leaves of either line must be reachable, as must be what is above it. See `reach`.

All state is in arrays, so a search can be left after any number of steps and resumed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.backends.arrays import Bits, Flags, Long
from exactcover.backends.rectangles.placing import BACKTRACKS, DEPTH, SOLVED, STATE
from exactcover.base.compiled import jit

U1, LOW6 = np.uint64(1), np.uint64(63)


class BrickTables(NamedTuple):
    """The tables of a search; nothing in them changes.

    sides      [3]
    kind       [ways]
    sizes      [ways, 3]
    reach      [states, words], parts [3], weight [kinds]: see `skyline.Reach`
    forbidden  [ways, corners, ways]  whether a way is forbidden at a corner by the way at the first
    at_first   [ways]                 whether it is allowed at the first corner
    """

    sides: Long
    kind: Long
    sizes: Long
    reach: Bits
    parts: Long
    weight: Long
    forbidden: Flags
    at_first: Flags


class Pile(NamedTuple):
    """The state of a search.

    registers           see `placing`
    tally     [levels, 2]  the ways that fit at each level, and those that do not
    heights   [cells]   row by row
    left      [kinds]   the copies left
    next_way  [levels]  the way to try next
    way, cell [levels]  the brick at each level, and the cell of its corner
    """

    registers: Long
    tally: Long
    heights: Long
    left: Long
    next_way: Long
    way: Long
    cell: Long


@jit
def stack_bricks(tables: BrickTables, pile: Pile, steps: int, out: npt.NDArray[np.int32]) -> int:
    """Go on for some placements, or until `out` is full.

    Returns how many solutions are in `out`: [solutions, bricks, 4], the way, x, y and z of each.
    """
    registers, tally, heights, left = pile.registers, pile.tally, pile.heights, pile.left
    next_way, way_at, cell_at = pile.next_way, pile.way, pile.cell
    sizes, kind_of, reach, parts = tables.sizes, tables.kind, tables.reach, tables.parts
    weight, forbidden, at_first = tables.weight, tables.forbidden, tables.at_first
    width, depth, height = tables.sides[0], tables.sides[1], tables.sides[2]
    ways, pieces = kind_of.size, next_way.size - 1
    level, state = registers[DEPTH], registers[STATE]
    backtracks, solved = registers[BACKTRACKS], registers[SOLVED]
    placed, written = 0, 0
    if level < 0:
        return written
    cell = cell_at[level]
    while True:
        found = -1
        if level < pieces:
            if placed >= steps:
                break
            x, y, z = cell % width, cell // width, heights[cell]
            run, rows = 1, 1
            while x + run < width and heights[cell + run] == z:
                run += 1
            while y + rows < depth and heights[cell + rows * width] == z:
                rows += 1
            for way in range(next_way[level], ways):
                kind = kind_of[way]
                if left[kind] == 0:
                    continue
                wide, deep, high = sizes[way, 0], sizes[way, 1], sizes[way, 2]
                good = wide <= run and deep <= rows and z + high <= height
                if good:
                    line = state - weight[kind]
                    for axis in range(3):
                        rest = run - wide
                        if axis == 1:
                            rest = rows - deep
                        elif axis == 2:
                            rest = height - z - high
                        word = reach[line, parts[axis] + (rest >> 6)]
                        good = good and bool((word >> (np.uint64(rest) & LOW6)) & U1)
                if good and level == 0:
                    good = at_first[way]
                elif good:
                    for corner in range(1, 8):
                        right = x + wide == width if corner & 1 else x == 0
                        back = y + deep == depth if corner & 2 else y == 0
                        top = z + high == height if corner & 4 else z == 0
                        if right and back and top and forbidden[way_at[0], corner, way]:
                            good = False
                if good:
                    for row in range(1, deep):
                        for column in range(1, wide):
                            if heights[cell + row * width + column] != z:
                                good = False
                if good:
                    found = way
                    break
                tally[level, 1] += 1
        if found < 0:
            backtracks += 1 - solved
            solved = 0
            level -= 1
            if level < 0:
                break
            way, cell = way_at[level], cell_at[level]
            kind = kind_of[way]
            left[kind] += 1
            state += weight[kind]
            for row in range(sizes[way, 1]):
                for column in range(sizes[way, 0]):
                    heights[cell + row * width + column] -= sizes[way, 2]
            continue

        kind, z = kind_of[found], heights[cell]
        placed += 1
        tally[level, 0] += 1
        left[kind] -= 1
        state -= weight[kind]
        way_at[level], cell_at[level], next_way[level] = found, cell, found + 1
        for row in range(sizes[found, 1]):
            for column in range(sizes[found, 0]):
                heights[cell + row * width + column] += sizes[found, 2]
        level += 1
        next_way[level] = 0
        if level == pieces:
            # All bricks are placed, and their volume is that of the box: it is full.
            for one in range(heights.size):
                heights[one] = 0
            for one in range(pieces):
                way, cell = way_at[one], cell_at[one]
                out[written, one, 0] = way
                out[written, one, 1] = cell % width
                out[written, one, 2] = cell // width
                out[written, one, 3] = heights[cell]
                for row in range(sizes[way, 1]):
                    for column in range(sizes[way, 0]):
                        heights[cell + row * width + column] += sizes[way, 2]
            written += 1
            solved = 1
            cell_at[level] = 0
            if written == len(out):
                break
            continue
        after = cell + 1
        while after < heights.size and heights[after] != z:
            after += 1
        if after < heights.size:
            cell = after
        else:
            cell = 0
            for one in range(1, heights.size):
                if heights[one] < heights[cell]:
                    cell = one
        cell_at[level] = cell
    registers[DEPTH], registers[STATE] = level, state
    registers[BACKTRACKS], registers[SOLVED] = backtracks, solved
    return written
