"""The compiled part of making the nodes of the automaton, level by level.

A node is one key of a few words. The key holds a window, whose first bit is the first open cell.
The high bits of its last word hold the place of that cell. Bit 0 of a window is an open cell and
would always be 0; it is set in keys, so no key is 0. Keys of a level are found by a hash and
compared in full.

A level is made from the levels before it, size of images by size. Nothing is allocated here: if
there is no room for the nodes that a node may lead to, the kernel returns and is called again.

`like` is a tuple as long as a window has words: its length is known to the compiler, so loops over
words are unrolled.
"""

from __future__ import annotations

import numpy as np

from exactcover.backends.arrays import Bits, Index, Long
from exactcover.backends.bits import lowest
from exactcover.base.compiled import jit

Like = tuple[int, ...]

# Why `grow` came back.
BUDGET, ROOM, DONE = range(3)

# Its registers: the next source, nodes made, edges made, and the steps that are left.
AT, NODES, EDGES, LEFT, REGISTERS = range(5)

U0, U1, U32, U63, U64 = (np.uint64(number) for number in (0, 1, 32, 63, 64))
ALL = np.uint64((1 << 64) - 1)
MIXER = np.uint64(0x9E3779B97F4A7C15)


@jit
def hash_of(like: Like, keys: Bits, at: int | np.int64) -> np.uint64:
    """The hash of the key that begins at a place; its high bits are the best mixed."""
    hashed = U0
    for w in range(len(like)):
        hashed = (hashed ^ keys[at + w]) * MIXER
        hashed ^= hashed >> U32
    return hashed * MIXER


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
