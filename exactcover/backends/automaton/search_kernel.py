"""The depth-first search over the edges of the automaton, on an explicit stack.

What pieces are used up is in the fields of a few words, see `used`. An edge is taken if its kind is
not used up, and if every kind that must still be placed can be, from the node it leads to on. All
else that may be wrong about a placement the automaton has seen to.

`like` is a tuple as long as the fields have words: its length is known to the compiler.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.compiled import jit

Bits = npt.NDArray[np.uint64]
Index = npt.NDArray[np.uint32]
Long = npt.NDArray[np.int64]
Like = tuple[int, ...]

# Why `search` came back.
BUDGET, FULL, DONE = range(3)

# What it remembers beside the stack.
LEVEL, EDGE, END, FITS, TRIES, FOUND, HELD, REGISTERS = range(8)

U0 = np.uint64(0)


@jit
def search(
    like: Like, steps: int, keep: bool, capacity: int, longest: int, last: int, starts: Long,
    target: Index, kind: Index, tops: Bits, one: Bits, missing: Bits, ranges: Bits, used: Bits,
    stack: Long, above: Bits, registers: Long, solution_at: Long, edges: Index,
) -> int:  # fmt: skip
    """Search on for about `steps` edges.

    longest   a solution has no more edges; last: the node of the full board
    tops      uint64 [edges, words]: the highest bit of the field of the kind placed
    one       uint64 [kinds, words]: a copy more
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
    while steps > 0:
        if edge == end:
            if level == 0:
                status = DONE
                break
            level -= 1
            edge = stack[2 * level] + 1
            end = stack[2 * level + 1]
            for w in range(words):
                used[w] = above[level * words + w]
            continue
        steps -= 1
        clash = U0
        for w in range(words):
            clash |= used[w] & tops[edge * words + w]
        if clash != U0:
            edge += 1
            continue
        node = np.int64(target[edge])
        shape = np.int64(kind[edge])
        lacking = U0
        for w in range(words):
            now = used[w]
            above[level * words + w] = now
            now += one[shape * words + w]
            lacking |= ~now & missing[node * words + w]
            used[w] = now
        if lacking == U0 and node == last:
            for at in range(ranges.size // 3):
                if used[ranges[3 * at]] & ranges[3 * at + 1] < ranges[3 * at + 2]:
                    lacking |= np.uint64(1)
        if lacking != U0:
            for w in range(words):
                used[w] = above[level * words + w]
            edge += 1
            continue
        fits += 1
        if node == last:
            found += 1
            for w in range(words):
                used[w] = above[level * words + w]
            if keep:
                for at in range(level):
                    edges[to + at] = stack[2 * at]
                edges[to + level] = edge
                to += level + 1
                held += 1
                solution_at[held] = to
                if held == capacity or to + longest > edges.size:
                    edge += 1
                    status = FULL
                    break
            edge += 1
            continue
        stack[2 * level], stack[2 * level + 1] = edge, end
        level += 1
        edge, end = starts[node], starts[node + 1]
        tries += end - edge
    registers[LEVEL], registers[EDGE], registers[END] = level, edge, end
    registers[FITS], registers[TRIES], registers[FOUND] = fits, tries, found
    registers[HELD] = held
    return status
