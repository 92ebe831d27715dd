"""The compiled part of building the automaton: nodes from nodes, level by level.

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
import numpy.typing as npt

from exactcover.compiled import jit
from exactcover.compiled.bits import lowest

Bits = npt.NDArray[np.uint64]
Index = npt.NDArray[np.uint32]
Long = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Like = tuple[int, ...]

# Why `grow` came back.
BUDGET, ROOM, DONE = range(3)

# Its registers: the next source, nodes made, edges made, and the steps that are left.
AT, NODES, EDGES, LEFT, REGISTERS = range(5)

U0, U1, U63, U64 = (np.uint64(number) for number in (0, 1, 63, 64))
ALL = np.uint64((1 << 64) - 1)
NONE = np.uint32((1 << 32) - 1)


@jit
def grow(
    like: Like, field: int, steps: int, most: int, mixer: np.uint64, sources: Bits, image_at: Long,
    masks: Bits, any_at: Long, any_mask: Bits, passed: Bits, any_passed: bool, made: Bits,
    slots: Index, targets: Index, degrees: Index, registers: Long,
) -> int:  # fmt: skip
    """Place every image of one size on the first open cell of every source.

    most       the most images with the same first cell
    image_at   int64 [n_bits + 1]: where the images of this size with a first cell begin
    any_at     int64 [n_bits + 1]: the same for the images of all sizes, in `any_mask`
    made       the keys of the level that is made; slots: their hash table, numbers from 1
    targets    uint32: the number in `made` that each edge leads to, NONE: no image fits on its next
               cell; degrees: edges of each source
    """
    words = len(like)
    shift = np.uint64(field)
    bits = np.uint64(64 - lowest(np.uint64(slots.size)))
    mask = np.uint64(slots.size - 1)
    last = words - 1
    low = (U1 << shift) - U1
    window = np.empty(words + 1, np.uint64)
    after = np.empty(words + 1, np.uint64)
    window[words] = after[words] = U0
    at, nodes, edges = registers[AT], registers[NODES], registers[EDGES]
    n_sources = degrees.size
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
        begin, before = image_at[cell], edges
        for image in range(begin, image_at[cell + 1]):
            clash = U0
            for w in range(words):
                clash |= masks[image * words + w] & window[w]
            if clash != U0:
                continue
            for w in range(words):
                after[w] = masks[image * words + w] | window[w]
            # The next open cell: past the filled bits, and past those that are no cells.
            here = cell
            while True:
                away = U64 * np.uint64(words)
                for w in range(last, -1, -1):
                    filled = after[w]
                    if any_passed:
                        filled |= passed[here * words + w]
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
            # A node on whose cell nothing fits is not made.
            any_fits = here == any_at.size - 1
            begin_any = any_at[here]
            end_any = begin_any if any_fits else any_at[here + 1]
            for other in range(begin_any, end_any):
                clash = U0
                for w in range(words):
                    clash |= any_mask[other * words + w] & after[w]
                if clash == U0:
                    any_fits = True
                    break
            if not any_fits:
                targets[edges] = NONE
                edges += 1
                continue
            after[0] |= U1
            after[last] |= np.uint64(here) << shift
            hashed = U0
            for w in range(words):
                hashed = (hashed ^ after[w]) * mixer
                hashed ^= hashed >> np.uint64(32)
            slot = (hashed * mixer) >> bits
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
            targets[edges] = number - 1
            edges += 1
        degrees[at] = edges - before
        steps -= 1 + edges - before
        at += 1
    registers[AT], registers[NODES], registers[EDGES] = at, nodes, edges
    registers[LEFT] = steps
    return status


@jit
def rehash(like: Like, mixer: np.uint64, made: Bits, nodes: int, slots: Index) -> None:
    """Enter the first nodes of a level into an empty hash table."""
    words = len(like)
    bits = np.uint64(64 - lowest(np.uint64(slots.size)))
    mask = np.uint64(slots.size - 1)
    for node in range(nodes):
        hashed = U0
        for w in range(words):
            hashed = (hashed ^ made[node * words + w]) * mixer
            hashed ^= hashed >> np.uint64(32)
        slot = (hashed * mixer) >> bits
        while slots[slot] != 0:
            slot = (slot + U1) & mask
        slots[slot] = node + 1


@jit
def mark(targets: Index, degrees: Index, alive_to: Long, alive_from: Long) -> None:
    """Count the edges of each source that lead to a live node; a node is live if not 0."""
    edge = np.int64(0)
    for source in range(degrees.size):
        many = 0
        for other in range(edge, edge + np.int64(degrees[source])):
            if targets[other] != NONE and alive_to[targets[other]] != 0:
                many += 1
        edge += np.int64(degrees[source])
        alive_from[source] += many


@jit
def keep_edges(
    like: Like, field: int, sources: Bits, image_at: Long, masks: Bits, targets: Index,
    degrees: Index, number_from: Long, number_to: Long, cursor: Long, edge_target: Index,
    edge_image: Index,
) -> None:  # fmt: skip
    """Write the edges between live nodes; the edges of each source go to its cursor.

    number_from, number_to  the numbers of live nodes, -1 for others
    """
    words = len(like)
    last = words - 1
    shift = np.uint64(field)
    low = (U1 << shift) - U1
    edge = np.int64(0)
    for source in range(degrees.size):
        many, node = np.int64(degrees[source]), number_from[source]
        if node < 0 or many == 0:
            edge += many
            continue
        cell = np.int64(sources[source * words + last] >> shift)
        to = cursor[node]
        for image in range(image_at[cell], image_at[cell + 1]):
            clash = U0
            for w in range(words):
                word = sources[source * words + w]
                if w == last:
                    word &= low
                if w == 0:
                    word &= ~U1
                clash |= masks[image * words + w] & word
            if clash != U0:
                continue
            to_node = targets[edge]
            edge += 1
            target = np.int64(-1) if to_node == NONE else number_to[to_node]
            if target >= 0:
                edge_target[to], edge_image[to] = target, image
                to += 1
        cursor[node] = to


@jit
def reach_forward(
    starts: Long, edge_target: Index, edge_image: Index, tops: Bits, width: int, out: Bits
) -> None:
    """Per node the kinds that some path to it places: `out` uint64 [nodes * width], zeros.

    tops  uint64 [images * width]: the bit of the kind of each image
    """
    for node in range(starts.size - 1):
        for edge in range(starts[node], starts[node + 1]):
            to, image = np.int64(edge_target[edge]), np.int64(edge_image[edge])
            for w in range(width):
                out[to * width + w] |= out[node * width + w] | tops[image * width + w]


@jit
def reach_back(
    starts: Long, edge_target: Index, edge_image: Index, tops: Bits, width: int, out: Bits
) -> None:
    """Per node the kinds that some path from it to the end places."""
    for node in range(starts.size - 2, -1, -1):
        for edge in range(starts[node], starts[node + 1]):
            to, image = np.int64(edge_target[edge]), np.int64(edge_image[edge])
            for w in range(width):
                out[node * width + w] |= out[to * width + w] | tops[image * width + w]


@jit
def walks(
    starts: Long, edge_target: Index, edge_image: Index, kind: Long, cells: Floats,
    ahead: Floats, covered: Floats, back: Floats, by_kind: Floats,
) -> None:  # fmt: skip
    """The numbers of paths of the automaton, without a limit on pieces.

    kind     int64 [images]; cells: float64 [images], 0 where the kind is not limited
    ahead    float64 [nodes], zeros: the paths from the root to each node
    covered  the same: the mean number of cells that limited pieces cover on them
    back     the same: the paths from each node to the end
    by_kind  float64 [kinds], zeros: on how many paths through all edges each kind is placed
    """
    nodes = starts.size - 1
    ahead[0] = 1.0
    back[nodes - 1] = 1.0
    for node in range(nodes):
        paths = ahead[node]
        covered[node] /= max(paths, 1e-300)
        for edge in range(starts[node], starts[node + 1]):
            to, image = np.int64(edge_target[edge]), np.int64(edge_image[edge])
            ahead[to] += paths
            covered[to] += paths * (covered[node] + cells[image])
    for node in range(nodes - 1, -1, -1):
        for edge in range(starts[node], starts[node + 1]):
            to, image = np.int64(edge_target[edge]), np.int64(edge_image[edge])
            back[node] += back[to]
            by_kind[kind[image]] += ahead[node] * back[to]
