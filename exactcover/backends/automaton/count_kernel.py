"""The compiled part of counting: states from states, level by level, in either direction.

A state is a node of the automaton and what pieces are used; its key is the words of the fields, and
the number of the node, from 1 on, in the high bits of the last word. A level is a table of rows,
the key and then the count as a number of several words; a row is found by a hash of the key,
compared in full, and a row whose last word of the key is 0 is empty.

Counts have as many words as the caller knows to suffice, so nothing overflows. Nothing is allocated
here: where the table has no room, the kernel comes back and is called again with a larger one.

`like` and `wide` are tuples as long as a key and a count: their lengths are known to the compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import extending, types

from exactcover.compiled import jit

Bits = npt.NDArray[np.uint64]
Index = npt.NDArray[np.uint32]
Long = npt.NDArray[np.int64]
Like = tuple[int, ...]

# Why a kernel came back.
BUDGET, ROOM, DONE = range(3)

# What it remembers: the next row of the source, the rows in the table, and the steps that are left.
AT, ROWS, LEFT, REGISTERS = range(4)

U0, U1, U32 = np.uint64(0), np.uint64(1), np.uint64(32)
HALF = np.uint64(0xFFFFFFFF)
NONE = np.uint32((1 << 32) - 1)

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
intrinsic: Decorator = extending.intrinsic  # their published types do not know what they do
overload: Callable[..., Decorator] = extending.overload


class Steps(NamedTuple):
    """The edges of one size from one level in one direction, and when they can be taken.

    base        the first node of the level
    starts      int64 [nodes + 1]: where the edges of each node of the level begin
    to, kind    uint32 [edges]: the node that each leads to, and the kind that it places
    word, mask, stop, change  [kinds]: an edge is barred where the word of the fields, masked, is
                `stop`; else `change` is added to it
    closed, value  uint64 [nodes * words]: the fields, masked, must have this value at a node of the
                level that the edges lead to, since no further edge changes them
    goal        the first node of that level
    """

    base: int
    starts: Long
    to: Index
    kind: Index
    word: Long
    mask: Bits
    stop: Bits
    change: Bits
    closed: Bits
    value: Bits
    goal: int


def lowest(word: np.uint64) -> np.uint64:
    """The number of the lowest bit of a word that is not 0."""
    whole = int(word)
    return np.uint64((whole & -whole).bit_length() - 1)


@intrinsic
def _lowest(_context: Any, word: Any) -> Any:
    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), code


@overload(lowest)
def _type_lowest(word: Any) -> Any:
    def code(word: Any) -> Any:
        return _lowest(word)

    return code if word == types.uint64 else None


@jit
def spread(
    like: Like, wide: Like, shift: int, fields: int, steps: int, mixer: np.uint64, source: Bits,
    edges: Steps, table: Bits, limit: int, registers: Long,
) -> int:  # fmt: skip
    """Add the counts of all states of a source to those that their edges lead to.

    shift   where the number of the node begins in the last word of a key
    fields  how many words hold fields; all of the key, or all but one
    limit   the table may hold so many rows
    """
    words, limbs = len(like), len(wide)
    stride, last = words + limbs, words - 1
    many, n_rows = source.size // stride, table.size // stride
    by, bits = np.uint64(shift), np.uint64(64 - int(lowest(np.uint64(n_rows))))
    mask, low = np.uint64(n_rows - 1), (U1 << by) - U1
    used, key = np.zeros(words, np.uint64), np.zeros(words, np.uint64)
    at, rows = registers[AT], registers[ROWS]
    status = DONE
    while at < many:
        if steps <= 0:
            status = BUDGET
            break
        here = at * stride
        if source[here + last] == U0:
            at += 1
            continue
        node = np.int64(source[here + last] >> by) - 1 - edges.base
        begin, end = edges.starts[node], edges.starts[node + 1]
        if rows + (end - begin) > limit:
            status = ROOM
            break
        for w in range(words):
            used[w] = source[here + w]
        used[last] &= low
        steps -= 1 + end - begin
        for edge in range(begin, end):
            kind, to = np.int64(edges.kind[edge]), np.int64(edges.to[edge])
            word = edges.word[kind]
            if used[word] & edges.mask[kind] == edges.stop[kind]:
                continue
            for w in range(words):
                key[w] = used[w]
            key[word] += edges.change[kind]
            wrong = U0
            for w in range(fields):
                there = (to - edges.goal) * fields + w
                wrong |= (key[w] & edges.closed[there]) ^ edges.value[there]
            if wrong != U0:
                continue
            key[last] |= np.uint64(to + 1) << by
            hashed = U0
            for w in range(words):
                hashed = (hashed ^ key[w]) * mixer
                hashed ^= hashed >> U32
            slot = (hashed * mixer) >> bits
            while True:
                place = np.int64(slot) * stride
                if table[place + last] == U0:
                    for w in range(words):
                        table[place + w] = key[w]
                    rows += 1
                    break
                differs = U0
                for w in range(words):
                    differs |= table[place + w] ^ key[w]
                if differs == U0:
                    break
                slot = (slot + U1) & mask
            carry = U0
            for w in range(limbs):
                more = source[here + words + w] + carry
                carry = np.uint64(more < carry)
                total = table[place + words + w] + more
                carry += np.uint64(total < more)
                table[place + words + w] = total
        at += 1
    registers[AT], registers[ROWS], registers[LEFT] = at, rows, steps
    return status


@jit
def enter(like: Like, wide: Like, mixer: np.uint64, source: Bits, table: Bits) -> None:
    """Enter all rows of a table into an empty larger one."""
    words, limbs = len(like), len(wide)
    stride, last = words + limbs, words - 1
    n_rows = table.size // stride
    bits = np.uint64(64 - int(lowest(np.uint64(n_rows))))
    mask = np.uint64(n_rows - 1)
    for at in range(source.size // stride):
        here = at * stride
        if source[here + last] == U0:
            continue
        hashed = U0
        for w in range(words):
            hashed = (hashed ^ source[here + w]) * mixer
            hashed ^= hashed >> U32
        slot = (hashed * mixer) >> bits
        place = np.int64(slot) * stride
        while table[place + last] != U0:
            slot = (slot + U1) & mask
            place = np.int64(slot) * stride
        for w in range(stride):
            table[place + w] = source[here + w]


@jit
def join(
    like: Like, wide: Like, far: Like, shift: int, fields: int, steps: int, mixer: np.uint64,
    source: Bits, edges: Steps, table: Bits, sums: Bits, registers: Long,
) -> int:  # fmt: skip
    """Add up the products of counts, of each state of a source and those its edges lead to.

    far   as long as a count in the table, which is not changed
    sums  uint64 [2 * (words of both counts) + 1]: the sum in 32-bit digits, carries not yet added;
          no digit overflows before 2^32 products are added
    """
    words, limbs, others = len(like), len(wide), len(far)
    stride, last, step = words + limbs, words - 1, words + others
    many, n_rows = source.size // stride, table.size // step
    by, bits = np.uint64(shift), np.uint64(64 - int(lowest(np.uint64(n_rows))))
    mask, low = np.uint64(n_rows - 1), (U1 << by) - U1
    used, key = np.zeros(words, np.uint64), np.zeros(words, np.uint64)
    at = registers[AT]
    status = DONE
    while at < many:
        if steps <= 0:
            status = BUDGET
            break
        here = at * stride
        at += 1
        if source[here + last] == U0:
            continue
        node = np.int64(source[here + last] >> by) - 1 - edges.base
        begin, end = edges.starts[node], edges.starts[node + 1]
        for w in range(words):
            used[w] = source[here + w]
        used[last] &= low
        steps -= 1 + end - begin
        for edge in range(begin, end):
            kind, to = np.int64(edges.kind[edge]), np.int64(edges.to[edge])
            word = edges.word[kind]
            if used[word] & edges.mask[kind] == edges.stop[kind]:
                continue
            for w in range(words):
                key[w] = used[w]
            key[word] += edges.change[kind]
            key[last] |= np.uint64(to + 1) << by
            hashed = U0
            for w in range(words):
                hashed = (hashed ^ key[w]) * mixer
                hashed ^= hashed >> U32
            slot = (hashed * mixer) >> bits
            while True:
                place = np.int64(slot) * step
                if table[place + last] == U0:
                    break
                differs = U0
                for w in range(words):
                    differs |= table[place + w] ^ key[w]
                if differs == U0:
                    for one in range(2 * limbs):
                        digit = source[here + words + (one >> 1)]
                        digit = digit >> U32 if one & 1 else digit & HALF
                        for other in range(2 * others):
                            factor = table[place + words + (other >> 1)]
                            factor = factor >> U32 if other & 1 else factor & HALF
                            product = digit * factor
                            sums[one + other] += product & HALF
                            sums[one + other + 1] += product >> U32
                    break
                slot = (slot + U1) & mask
    registers[AT], registers[LEFT] = at, steps
    return status


@jit
def add_edges(limbs: int, targets: Index, degrees: Index, source: Bits, table: Bits) -> None:
    """Add the counts of sources to those of the nodes that their edges lead to."""
    edge = np.int64(0)
    for node in range(degrees.size):
        for other in range(edge, edge + np.int64(degrees[node])):
            if targets[other] == NONE:
                continue
            to = np.int64(targets[other])
            carry = U0
            for w in range(limbs):
                more = source[node * limbs + w] + carry
                carry = np.uint64(more < carry)
                total = table[to * limbs + w] + more
                carry += np.uint64(total < more)
                table[to * limbs + w] = total
        edge += np.int64(degrees[node])


@jit
def by_target(goal: int, targets: Index, cursor: Long, place: Long) -> None:
    """Where each edge comes when they are ordered by the node they lead to.

    goal    the first of these nodes; cursor: where the edges of each begin, moved to where they end
    """
    for edge in range(targets.size):
        to = np.int64(targets[edge]) - goal
        place[cursor[to]] = edge
        cursor[to] += 1


@jit
def add_up(words: int, limbs: int, table: Bits, sums: npt.NDArray[np.float64]) -> None:
    """Add each word of the counts of a table to its sum, as floating numbers."""
    stride = words + limbs
    for at in range(table.size // stride):
        for w in range(limbs):
            sums[w] += np.float64(table[at * stride + words + w])
