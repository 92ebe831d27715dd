"""The compiled part of counting: states from states, level by level, in either direction.

A state is a node of the automaton and the pieces used. Its key consists of the words of the fields;
the high bits of the last word hold the number of the node, from 1 on. A level is a table of rows. A
row has the key and then the count, a number of several words. It is found by a hash of the key,
which is compared in full. A row is empty if the last word of its key is 0.

The caller chooses enough words for counts, so nothing overflows. Nothing is allocated here: if the
table has no room, the kernel returns and is called again with a larger one.

`like` and `wide` are tuples as long as a key and a count: their lengths are known to the compiler.

A table may be divided into equal parts, by the first bits of the hash. A row that collides is put
further on in its own part, so threads fill different parts side by side, see `dealing`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.compiled import jit
from exactcover.compiled.bits import lowest

Bits = npt.NDArray[np.uint64]
Index = npt.NDArray[np.uint32]
Long = npt.NDArray[np.int64]
Like = tuple[int, ...]

# Why a kernel came back.
BUDGET, ROOM, DONE = range(3)

# What it remembers: the next row of the source, the rows in the table, the steps that are left, a
# sum of the words read ahead, so that the compiler keeps the reads, and the slice that is added.
AT, ROWS, LEFT, READ, SLICE, REGISTERS = range(6)

BLOCK = 128
"""The number of keys looked up at once: each is a slow read, and the reads may overlap."""

U0, U1, U32 = np.uint64(0), np.uint64(1), np.uint64(32)
HALF = np.uint64(0xFFFFFFFF)
NONE = np.uint32((1 << 32) - 1)


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


@jit
def gather(
    like: Like, shift: int, fields: int, mixer: np.uint64, bits: np.uint64, source: Bits,
    stride: int, edges: Steps, at: int, steps: int, space: int, keys: Bits, slots: Long,
    owners: Long,
) -> tuple[int, int, int]:  # fmt: skip
    """Follow the edges of some states of a source, from row `at` on, without looking anything up.

    It gathers the keys that edges lead to, the slots where they are looked for, and the beginning
    of each one's row in the source. It ends when a block is full, when the steps are spent, or
    before a row that may not fit.

    Returns the next row, how many were gathered, and the steps that are left.
    """
    words, last = len(like), len(like) - 1
    many = source.size // stride
    by = np.uint64(shift)
    low = (U1 << by) - U1
    used = np.zeros(words, np.uint64)
    waiting = 0
    while at < many and waiting < BLOCK and steps > 0:
        here = at * stride
        if source[here + last] == U0:
            at += 1
            continue
        node = np.int64(source[here + last] >> by) - 1 - edges.base
        begin, end = edges.starts[node], edges.starts[node + 1]
        if waiting + (end - begin) > space:
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
            key = waiting * words
            for w in range(words):
                keys[key + w] = used[w]
            keys[key + word] += edges.change[kind]
            wrong = U0
            for w in range(fields):
                there = (to - edges.goal) * fields + w
                wrong |= (keys[key + w] & edges.closed[there]) ^ edges.value[there]
            if wrong != U0:
                continue
            keys[key + last] |= np.uint64(to + 1) << by
            hashed = U0
            for w in range(words):
                hashed = (hashed ^ keys[key + w]) * mixer
                hashed ^= hashed >> U32
            slots[waiting] = np.int64((hashed * mixer) >> bits)
            owners[waiting] = here
            waiting += 1
        at += 1
    return at, waiting, steps


@jit
def touch(slots: Long, waiting: int, stride: int, table: Bits) -> np.uint64:
    """Read every slot once, so that the processor fetches them all at the same time."""
    read = U0
    for one in range(waiting):
        read ^= table[slots[one] * stride]
    return read


@jit
def add_count(
    limbs: int, source: Bits, begin: int | np.int64, table: Bits, at: int | np.int64
) -> None:
    """Add the count at a place of a source to the one at a place of a table."""
    carry = U0
    for w in range(limbs):
        more = source[begin + w] + carry
        carry = np.uint64(more < carry)
        total = table[at + w] + more
        carry += np.uint64(total < more)
        table[at + w] = total


@jit
def spread(
    like: Like, wide: Like, shift: int, fields: int, steps: int, mixer: np.uint64, source: Bits,
    edges: Steps, most: int, table: Bits, limit: int, registers: Long,
) -> int:  # fmt: skip
    """Add the counts of all states of a source to those that their edges lead to.

    shift   where the number of the node begins in the last word of a key
    fields  how many words hold fields; all of the key, or all but one
    most    the most edges of a node
    limit   the most rows of the table
    """
    words, limbs = len(like), len(wide)
    stride, last = words + limbs, words - 1
    many, n_rows = source.size // stride, table.size // stride
    bits = np.uint64(64 - lowest(np.uint64(n_rows)))
    mask = n_rows - 1
    keys = np.empty((BLOCK + most) * words, np.uint64)
    slots, owners = np.empty(BLOCK + most, np.int64), np.empty(BLOCK + most, np.int64)
    at, rows, read = registers[AT], registers[ROWS], U0
    status = DONE
    while at < many:
        if steps <= 0:
            status = BUDGET
            break
        before = at
        at, waiting, steps = gather(
            like, shift, fields, mixer, bits, source, stride, edges, at, steps, limit - rows, keys,
            slots, owners,
        )  # fmt: skip
        if at == before:
            status = ROOM
            break
        read ^= touch(slots, waiting, stride, table)
        for one in range(waiting):
            slot = slots[one]
            while True:
                place = slot * stride
                if table[place + last] == U0:
                    for w in range(words):
                        table[place + w] = keys[one * words + w]
                    rows += 1
                    break
                differs = U0
                for w in range(words):
                    differs |= table[place + w] ^ keys[one * words + w]
                if differs == U0:
                    break
                slot = (slot + 1) & mask
            add_count(limbs, source, owners[one] + words, table, place + words)
    registers[AT], registers[ROWS], registers[LEFT] = at, rows, steps
    registers[READ] ^= np.int64(read)
    return status


@jit
def deal(
    like: Like, wide: Like, shift: int, fields: int, steps: int, mixer: np.uint64, source: Bits,
    edges: Steps, most: int, n_rows: int, dealt: Bits, waiting: Long, registers: Long,
) -> None:  # fmt: skip
    """Follow the edges of some states of a source, and deal what they lead to by its part.

    It ends when the source or the steps are at an end, or when a part may have no room.

    n_rows   the rows of the table
    dealt    rows with the count of the state that an edge leaves: as many for each part
    waiting  int64 [parts]: how many of them are filled
    """
    words, limbs, parts = len(like), len(wide), waiting.size
    stride, many = words + limbs, source.size // (words + limbs)
    room = dealt.size // (parts * stride)
    bits = np.uint64(64 - lowest(np.uint64(n_rows)))
    by = lowest(np.uint64(n_rows)) - lowest(np.uint64(parts))
    keys = np.empty((BLOCK + most) * words, np.uint64)
    slots, owners = np.empty(BLOCK + most, np.int64), np.empty(BLOCK + most, np.int64)
    at, fullest = registers[AT], np.int64(0)
    while at < many and steps > 0 and fullest + BLOCK + most <= room:
        at, gathered, steps = gather(
            like, shift, fields, mixer, bits, source, stride, edges, at, steps, BLOCK + most, keys,
            slots, owners,
        )  # fmt: skip
        for one in range(gathered):
            part = slots[one] >> by
            place = (part * room + waiting[part]) * stride
            for w in range(words):
                dealt[place + w] = keys[one * words + w]
            for w in range(limbs):
                dealt[place + words + w] = source[owners[one] + words + w]
            waiting[part] += 1
        for part in range(parts):
            fullest = max(fullest, waiting[part])
    registers[AT], registers[LEFT] = at, steps


@jit
def collect(
    like: Like, wide: Like, mixer: np.uint64, part: int, dealt: Bits, waiting: Long, table: Bits,
    limit: int, registers: Long,
) -> int:  # fmt: skip
    """Add the rows dealt to a part of a table, from every slice of the source.

    dealt    the rows of every slice, see `deal`
    waiting  int64 [slices, parts]
    limit    the most rows of a part
    """
    words, limbs, (slices, parts) = len(like), len(wide), waiting.shape
    stride, last = words + limbs, words - 1
    room = dealt.size // (slices * parts * stride)
    n_rows = table.size // stride
    bits, low = np.uint64(64 - lowest(np.uint64(n_rows))), n_rows // parts - 1
    slots = np.empty(BLOCK, np.int64)
    at, rows, number, read = registers[AT], registers[ROWS], registers[SLICE], U0
    status = DONE
    while number < slices:
        many = min(np.int64(BLOCK), waiting[number, part] - at)
        if many == 0:
            number, at = number + 1, np.int64(0)
            continue
        many = min(many, limit - rows)
        if many <= 0:
            status = ROOM
            break
        begin = ((number * parts + part) * room + at) * stride
        for one in range(many):
            hashed = U0
            for w in range(words):
                hashed = (hashed ^ dealt[begin + one * stride + w]) * mixer
                hashed ^= hashed >> U32
            slots[one] = np.int64((hashed * mixer) >> bits)
        read ^= touch(slots, many, stride, table)
        for one in range(many):
            here, slot = begin + one * stride, slots[one]
            while True:
                place = slot * stride
                if table[place + last] == U0:
                    for w in range(words):
                        table[place + w] = dealt[here + w]
                    rows += 1
                    break
                differs = U0
                for w in range(words):
                    differs |= table[place + w] ^ dealt[here + w]
                if differs == U0:
                    break
                slot = (slot & ~low) | ((slot + 1) & low)
            add_count(limbs, dealt, here + words, table, place + words)
        at += many
    registers[AT], registers[ROWS], registers[SLICE] = at, rows, number
    registers[READ] ^= np.int64(read)
    return status


@jit
def enter(like: Like, wide: Like, mixer: np.uint64, source: Bits, table: Bits, parts: int) -> None:
    """Enter all rows of a table into an empty larger one of some parts."""
    words, limbs = len(like), len(wide)
    stride, last = words + limbs, words - 1
    n_rows = table.size // stride
    bits = np.uint64(64 - lowest(np.uint64(n_rows)))
    low = np.uint64(n_rows // parts - 1)
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
            slot = (slot & ~low) | ((slot + U1) & low)
            place = np.int64(slot) * stride
        for w in range(stride):
            table[place + w] = source[here + w]


@jit
def join(
    like: Like, wide: Like, far: Like, shift: int, fields: int, steps: int, mixer: np.uint64,
    source: Bits, edges: Steps, most: int, table: Bits, parts: int, sums: Bits, registers: Long,
) -> int:  # fmt: skip
    """Add up the products of counts, of each state of a source and those its edges lead to.

    far   as long as a count in the table, which is not changed; parts: how many the table has
    sums  uint64 [2 * (words of both counts) + 1]: the sum in 32-bit digits, carries not yet added;
          no digit overflows before 2^32 products are added
    """
    words, limbs, others = len(like), len(wide), len(far)
    stride, last, step = words + limbs, words - 1, words + others
    many, n_rows = source.size // stride, table.size // step
    bits = np.uint64(64 - lowest(np.uint64(n_rows)))
    low = n_rows // parts - 1
    keys = np.empty((BLOCK + most) * words, np.uint64)
    slots, owners = np.empty(BLOCK + most, np.int64), np.empty(BLOCK + most, np.int64)
    at, read = registers[AT], U0
    status = DONE
    while at < many:
        if steps <= 0:
            status = BUDGET
            break
        at, waiting, steps = gather(
            like, shift, fields, mixer, bits, source, stride, edges, at, steps, BLOCK + most, keys,
            slots, owners,
        )  # fmt: skip
        read ^= touch(slots, waiting, step, table)
        for one in range(waiting):
            slot = slots[one]
            while True:
                place = slot * step
                if table[place + last] == U0:
                    break
                differs = U0
                for w in range(words):
                    differs |= table[place + w] ^ keys[one * words + w]
                if differs == U0:
                    for digit in range(2 * limbs):
                        factor = source[owners[one] + words + (digit >> 1)]
                        factor = factor >> U32 if digit & 1 else factor & HALF
                        for other in range(2 * others):
                            times = table[place + words + (other >> 1)]
                            times = times >> U32 if other & 1 else times & HALF
                            product = factor * times
                            sums[digit + other] += product & HALF
                            sums[digit + other + 1] += product >> U32
                    break
                slot = (slot & ~low) | ((slot + 1) & low)
    registers[AT], registers[LEFT] = at, steps
    registers[READ] ^= np.int64(read)
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
            add_count(limbs, source, node * limbs, table, to * limbs)
        edge += np.int64(degrees[node])


@jit
def by_target(goal: int, targets: Index, cursor: Long, place: Long) -> None:
    """The place of each edge in the order of the nodes that they lead to.

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
