"""The compiled part of the automaton: its nodes, and states from states, level by level.

A node is a key of a few words. The key holds a window, whose first bit is the first open cell. The
high bits of its last word hold the place of that cell. Bit 0 of a window is an open cell and would
always be 0; it is set in keys, so no key is 0. A level is made from the levels before it, size of
images by size.

A state is a node and the pieces used. Its key consists of the words of the fields; the high bits of
the last word hold the number of the node, from 1 on. A level is a table of rows. A row has the key
and then the count, a number of several words. A row is empty if the last word of its key is 0. A
table may be divided into equal parts, by the first bits of the hash. A row that collides is put
further on in its own part, so threads fill different parts side by side, see `levels`.

Keys are found by a hash and compared in full. The caller chooses enough words for counts, so
nothing overflows. Nothing is allocated here: if there is no room, the kernel returns and is called
again with larger tables.

`like` and `wide` are tuples as long as a key and a count: their lengths are known to the compiler,
so loops over words are unrolled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from exactcover.backends.arrays import Bits, Index, Long
from exactcover.backends.bits import fetch, lowest
from exactcover.base.compiled import jit

Like = tuple[int, ...]

# Why `grow` came back.
BUDGET, ROOM, DONE = range(3)

# The registers of a kernel: the next row of the source, the steps that are left; the rows in the
# part of the table, the slice that is added; nodes made, edges made.
AT, LEFT, ROWS, SLICE, NODES, EDGES, REGISTERS = range(7)

BLOCK = 128
"""About this many keys are gathered before they are looked up or dealt."""

AHEAD = 16
"""A row of a table is fetched from memory this many rows before it is looked up: each is a slow
read, and the reads overlap."""

U0, U1, U32, U63, U64 = (np.uint64(number) for number in (0, 1, 32, 63, 64))
ALL = np.uint64((1 << 64) - 1)
MIXER = np.uint64(0x9E3779B97F4A7C15)
HALF = np.uint64(0xFFFFFFFF)


@jit
def hash_of(like: Like, keys: Bits, at: int | np.int64) -> np.uint64:
    """The hash of the key that begins at a place; its high bits are the best mixed."""
    hashed = U0
    for w in range(len(like)):
        hashed = (hashed ^ keys[at + w]) * MIXER
        hashed ^= hashed >> U32
    return hashed * MIXER


# -- nodes ----------------------------------------------------------------------------------------


@jit
def grow(
    like: Like, field: int, steps: int, most: int, sources: Bits, image_at: Long, masks: Bits,
    any_at: Long, any_mask: Bits, passed: Bits, made: Bits, slots: Index, owners: Index,
    targets: Index, images: Index, registers: Long,
) -> int:  # fmt: skip
    """Place every image of one size on the first open cell of every source.

    A node on whose cell no image fits is not made, and no edge leads there.

    most       the most images with the same first cell
    image_at   int64 [n_bits + 1]: where the images of this size with a first cell begin
    any_at     int64 [n_bits + 1]: the same for the images of all sizes, in `any_mask`
    made       the keys of the level that is made; slots: their hash table, numbers from 1
    owners, targets, images  of each edge: the number of its source, that in `made` of the node that
               it leads to, and its image
    """
    words = len(like)
    shift = np.uint64(field)
    bits = np.uint64(64 - lowest(np.uint64(slots.size)))
    mask = np.uint64(slots.size - 1)
    last = words - 1
    low = (U1 << shift) - U1
    window = np.empty(words, np.uint64)
    after = np.empty(words + 1, np.uint64)
    after[words] = U0
    at, nodes, edges = registers[AT], registers[NODES], registers[EDGES]
    n_sources = sources.size // words
    most_nodes = min(made.size // words, slots.size // 2) - most
    most_edges = targets.size - most
    status = DONE
    while at < n_sources:
        if steps <= 0:
            status = BUDGET
            break
        if nodes > most_nodes or edges > most_edges:
            status = ROOM
            break
        cell = np.int64(sources[at * words + last] >> shift)
        for w in range(words):
            window[w] = sources[at * words + w]
        window[last] &= low
        window[0] &= ~U1
        steps -= 1
        for image in range(image_at[cell], image_at[cell + 1]):
            clash = U0
            for w in range(words):
                clash |= masks[image * words + w] & window[w]
            if clash != U0:
                continue
            steps -= 1
            for w in range(words):
                after[w] = masks[image * words + w] | window[w]
            # The next open cell: past the filled bits, and past those that are no cells.
            here = cell
            while True:
                away = U64 * np.uint64(words)
                for w in range(last, -1, -1):
                    filled = after[w] | passed[here * words + w]
                    if filled != ALL:
                        away = np.uint64(64 * w + lowest(~filled))
                skip, part = np.int64(away >> np.uint64(6)), away & U63
                for w in range(words):
                    word = U0
                    if w + skip < words:
                        word = after[w + skip] >> part
                        if part != U0:
                            word |= after[w + skip + 1] << (U64 - part)
                    after[w] = word
                here += np.int64(away)
                if skip < words:
                    break
            any_fits = here == any_at.size - 1
            other = any_at[here]
            while not any_fits and other < any_at[here + 1]:
                clash = U0
                for w in range(words):
                    clash |= any_mask[other * words + w] & after[w]
                any_fits = clash == U0
                other += 1
            if not any_fits:
                continue
            after[0] |= U1
            after[last] |= np.uint64(here) << shift
            slot = hash_of(like, after, 0) >> bits
            while True:
                number = np.int64(slots[slot])
                if number == 0:
                    for w in range(words):
                        made[nodes * words + w] = after[w]
                    nodes += 1
                    slots[slot] = number = nodes
                    break
                differs = U0
                for w in range(words):
                    differs |= made[(number - 1) * words + w] ^ after[w]
                if differs == U0:
                    break
                slot = (slot + U1) & mask
            owners[edges], targets[edges], images[edges] = at, number - 1, image
            edges += 1
        at += 1
    registers[AT], registers[NODES], registers[EDGES] = at, nodes, edges
    registers[LEFT] = steps
    return status


@jit
def rehash(like: Like, made: Bits, nodes: int, slots: Index) -> None:
    """Enter the first nodes of a level into an empty hash table."""
    words = len(like)
    bits = np.uint64(64 - lowest(np.uint64(slots.size)))
    mask = np.uint64(slots.size - 1)
    for node in range(nodes):
        slot = hash_of(like, made, node * words) >> bits
        while slots[slot] != 0:
            slot = (slot + U1) & mask
        slots[slot] = node + 1


# -- states ---------------------------------------------------------------------------------------


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
    like: Like, shift: int, fields: int, bits: np.uint64, source: Bits, stride: int, edges: Steps,
    at: int, steps: int, keys: Bits, slots: Long, owners: Long,
) -> tuple[int, int, int]:  # fmt: skip
    """Follow the edges of some states of a source, from row `at` on, without looking anything up.

    It gathers the keys that edges lead to, the slots where they are looked for, and the beginning
    of each one's row in the source. It ends when a block is full, or when the steps are spent.

    shift   where the number of the node begins in the last word of a key
    fields  how many words hold fields; all of the key, or all but one

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
            slots[waiting] = np.int64(hash_of(like, keys, key) >> bits)
            owners[waiting] = here
            waiting += 1
    return at, waiting, steps


@jit
def find(
    like: Like, keys: Bits, key: int | np.int64, table: Bits, stride: int, slot: np.int64, low: int
) -> np.int64:
    """The place of a key in a table, from a slot on: that of its row, or of an empty one.

    low  the last slot of the first part; the search stays in the part of the slot
    """
    words, last = len(like), len(like) - 1
    while True:
        place = slot * stride
        differs = U0
        for w in range(words):
            differs |= table[place + w] ^ keys[key + w]
        if differs == U0 or table[place + last] == U0:
            return place
        slot = (slot & ~low) | ((slot + 1) & low)


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
def deal(
    like: Like, wide: Like, shift: int, fields: int, source: Bits, edges: Steps, most: int,
    n_rows: int, dealt: Bits, waiting: Long, registers: Long,
) -> None:  # fmt: skip
    """Follow the edges of some states of a source, and deal what they lead to by its part.

    It ends when the source or the steps are at an end, or when a part may have no room.

    most     the most edges of a node
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
    at, steps, fullest = registers[AT], registers[LEFT], np.int64(0)
    while at < many and steps > 0 and fullest + BLOCK + most <= room:
        at, gathered, steps = gather(
            like, shift, fields, bits, source, stride, edges, at, steps, keys, slots, owners
        )
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
    like: Like, wide: Like, part: int, dealt: Bits, waiting: Long, table: Bits, limit: int,
    registers: Long,
) -> bool:  # fmt: skip
    """Add the rows dealt to a part of a table, from every slice of the source; some may be empty.

    Returns whether all are added; else the part has no room for more.

    dealt    the rows of every slice, see `deal`; or a smaller table, as one slice
    waiting  int64 [slices, parts]
    limit    the most rows of a part; one row always stays empty
    """
    words, limbs, (slices, parts) = len(like), len(wide), waiting.shape
    stride, last = words + limbs, words - 1
    room = dealt.size // (slices * parts * stride)
    n_rows = table.size // stride
    bits, low = np.uint64(64 - lowest(np.uint64(n_rows))), n_rows // parts - 1
    at, rows, number = registers[AT], registers[ROWS], registers[SLICE]
    while number < slices and rows < limit:
        end = waiting[number, part]
        if at == end:
            number, at = number + 1, np.int64(0)
            continue
        here = ((number * parts + part) * room + at) * stride
        later = here + min(AHEAD, end - 1 - at) * stride
        fetch(table, np.int64(hash_of(like, dealt, later) >> bits) * stride)
        at += 1
        if dealt[here + last] == U0:
            continue
        slot = np.int64(hash_of(like, dealt, here) >> bits)
        place = find(like, dealt, here, table, stride, slot, low)
        if table[place + last] == U0:
            for w in range(words):
                table[place + w] = dealt[here + w]
            rows += 1
        add_count(limbs, dealt, here + words, table, place + words)
    registers[AT], registers[ROWS], registers[SLICE] = at, rows, number
    return bool(number == slices)


@jit
def join(
    like: Like, wide: Like, far: Like, shift: int, fields: int, source: Bits, edges: Steps,
    most: int, table: Bits, parts: int, sums: Bits, registers: Long,
) -> bool:  # fmt: skip
    """Add up the products of counts, of each state of a source and those its edges lead to.

    Returns whether the source is at an end; else the steps are spent.

    far   as long as a count in the table, which is not changed; parts: how many the table has
    sums  uint64 [2 * (words of both counts) + 1]: the sum in 32-bit digits, carries not yet added;
          no digit overflows before 2^32 products are added
    """
    words, limbs, others = len(like), len(wide), len(far)
    stride, last, step = words + limbs, words - 1, words + others
    many, n_rows = source.size // stride, table.size // step
    bits, low = np.uint64(64 - lowest(np.uint64(n_rows))), n_rows // parts - 1
    keys = np.empty((BLOCK + most) * words, np.uint64)
    slots, owners = np.empty(BLOCK + most, np.int64), np.empty(BLOCK + most, np.int64)
    at, steps = registers[AT], registers[LEFT]
    while at < many and steps > 0:
        at, waiting, steps = gather(
            like, shift, fields, bits, source, stride, edges, at, steps, keys, slots, owners
        )
        for one in range(waiting):
            fetch(table, slots[min(one + AHEAD, waiting - 1)] * step)
            place = find(like, keys, one * words, table, step, slots[one], low)
            if table[place + last] == U0:
                continue
            for digit in range(2 * limbs):
                factor = source[owners[one] + words + (digit >> 1)]
                factor = factor >> U32 if digit & 1 else factor & HALF
                for other in range(2 * others):
                    times = table[place + words + (other >> 1)]
                    times = times >> U32 if other & 1 else times & HALF
                    product = factor * times
                    sums[digit + other] += product & HALF
                    sums[digit + other + 1] += product >> U32
    registers[AT], registers[LEFT] = at, steps
    return bool(at == many)


@jit
def add_edges(limbs: int, owners: Index, targets: Index, source: Bits, table: Bits) -> None:
    """Add the counts of sources to those of the nodes that their edges lead to."""
    for edge in range(owners.size):
        begin, at = np.int64(owners[edge]) * limbs, np.int64(targets[edge]) * limbs
        add_count(limbs, source, begin, table, at)
