"""The depth-first search over the edges of the automaton, on an explicit stack.

The fields of a few words record which pieces are used up, see `CopyFields`. An edge is taken if
its kind is not used up, and if every kind that must still be placed can be placed from the node
that it leads to. The automaton excludes all other faults of a placement.

`like` is a tuple as long as the fields have words: its length is known to the compiler.
"""

from __future__ import annotations

import numpy as np

from exactcover.backends.arrays import Bits, Index, Long
from exactcover.base.compiled import jit

Like = tuple[int, ...]

# Why `search` came back.
BUDGET, FULL, DONE = range(3)

# The registers: the state beside the stack.
LEVEL, EDGE, END, FITS, TRIES, FOUND, HELD, REGISTERS = range(8)

U0, U1 = np.uint64(0), np.uint64(1)


@jit
def search(
    like: Like, steps: int, keep: bool, capacity: int, longest: int, last: int, starts: Long,
    target: Index, kind: Index, tops: Bits, one: Bits, missing: Bits, ranges: Bits, used: Bits,
    stack: Long, above: Bits, registers: Long, solution_at: Long, edges: Index,
) -> int:  # fmt: skip
    """Go on for about `steps` edges.

    longest   the most edges of a solution; last: the node of the full board
    tops      uint64 [edges, words]: the highest bit of the field of the kind placed
    one       uint64 [kinds, words]: the amount added for a copy
    missing   uint64 [nodes, words]: the tops that must be set, since no path goes by that kind
    ranges    uint64 [kinds, 3]: word, field and least value of kinds that may be placed more often
    used      uint64 [words]: the fields; stack, above: the edge and the fields at each level
    solution_at, edges  compressed rows: the edges of each solution found
    """
    words = len(like)
    level, edge, end = registers[LEVEL], registers[EDGE], registers[END]
    fits, tries, found = registers[FITS], registers[TRIES], registers[FOUND]
    held, to = np.int64(0), np.int64(0)
    status = BUDGET
    now = used[0]  # the first word is kept in a register; most puzzles have no other
    while steps > 0:
        while edge != end:
            clash = now & tops[edge * words]
            for w in range(1, words):
                clash |= used[w] & tops[edge * words + w]
            if clash == U0:
                break
            edge += 1
        if edge == end:
            if level == 0:
                status = DONE
                break
            level -= 1
            edge = stack[2 * level] + 1
            end = stack[2 * level + 1]
            now = above[level * words]
            for w in range(1, words):
                used[w] = above[level * words + w]
            continue
        node = np.int64(target[edge])
        shape = np.int64(kind[edge])
        then = now + one[shape * words]
        lacking = ~then & missing[node * words]
        for w in range(1, words):
            above[level * words + w] = used[w]
            used[w] += one[shape * words + w]
            lacking |= ~used[w] & missing[node * words + w]
        if lacking == U0 and node == last:
            for at in range(ranges.size // 3):
                word = np.int64(ranges[3 * at])
                placed = then if word == 0 else used[word]
                if placed & ranges[3 * at + 1] < ranges[3 * at + 2]:
                    lacking |= U1
        if lacking == U0 and node != last:
            fits += 1
            above[level * words] = now
            stack[2 * level], stack[2 * level + 1] = edge, end
            level += 1
            now = then
            edge, end = starts[node], starts[node + 1]
            tries += end - edge
            steps -= 1 + end - edge
            continue
        for w in range(1, words):
            used[w] = above[level * words + w]
        edge += 1
        if lacking == U0:
            fits += 1
            found += 1
            if keep:
                for at in range(level):
                    edges[to + at] = stack[2 * at]
                edges[to + level] = edge - 1
                to += level + 1
                held += 1
                solution_at[held] = to
                if held == capacity or to + longest > edges.size:
                    status = FULL
                    break
    used[0] = now
    registers[LEVEL], registers[EDGE], registers[END] = level, edge, end
    registers[FITS], registers[TRIES], registers[FOUND] = fits, tries, found
    registers[HELD] = held
    return status
