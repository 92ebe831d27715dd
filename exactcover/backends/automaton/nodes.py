"""The nodes of the automaton: every way to fill the cells, without a limit on pieces.

A node is the first open cell and the cells filled after it. An edge places an image on that cell.
The nodes are made forward from the empty board, level by level; the level of a node is its number
of filled cells. Then nodes are removed if the full board cannot be reached from them. The result is
small: 16 thousand nodes for the 18 one-sided pentominoes in 18 x 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from exactcover.backends.arrays import Bits, Index, Long
from exactcover.backends.automaton.memory import Memory
from exactcover.backends.automaton.sweep import CopyFields, Sweep
from exactcover.base.patience import patiently
from exactcover.errors import BrokenSearch

FIRST_ROOM = 1 << 10
"""The initial room of a level, in nodes."""

MOST_EDGES = 1 << 22
"""Edges are handed on in batches of about this many."""

NODE_BYTES = 40
"""The bytes of a node with its edges."""

NODES = "the nodes of the automaton"

NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class Automaton:
    """The nodes from which the full board can be reached, in the order of levels; trimmed.

    sweep, copy_fields  the board and the fields that it was made of
    levels   int64 [cells + 2]: where the nodes of each level begin
    starts   int64 [nodes + 1]: where the edges of each node begin; images of fewer cells come first
    target   uint32 [edges]: the node an edge leads to, a higher number
    image    uint32 [edges]: the image that it places, as the sweep numbers them

    The root is node 0, and the full board the last node. Without solutions there are no nodes.
    """

    sweep: Sweep
    copy_fields: CopyFields
    levels: Long
    starts: Long
    target: Index
    image: Index

    @property
    def n_nodes(self) -> int:
        return self.starts.size - 1

    def edges_of(self, level: int) -> tuple[int, int, Long, slice]:
        """The first node of a level and the one behind it, the edges of each, and all edges."""
        first, end = self.levels[level : level + 2].tolist()
        begins = self.starts[first : end + 1]
        return first, end, np.diff(begins), slice(int(begins[0]), int(begins[-1]))

    def reached(self, memory: Memory, *, forward: bool) -> Bits:
        """The tops of the kinds that some path to a node places, or from it: [nodes, words].

        forward  whether the paths lead to the node
        """
        used, words = self.copy_fields, self.copy_fields.words
        tops = used.by_kind(used.top)[self.sweep.kind]
        out = memory.table(self.n_nodes * words, np.uint64, NODES, self.n_nodes)
        out = out.reshape(-1, words)
        levels = range(self.sweep.n_cells)
        for level in levels if forward else levels[::-1]:
            first, end, degrees, edges = self.edges_of(level)
            if first == end:
                continue
            target, placed = self.target[edges], tops[self.image[edges]]
            if forward:
                placed |= np.repeat(out[first:end], degrees, axis=0)
                np.bitwise_or.at(out, target, placed)
            else:
                begins = np.cumsum(degrees) - degrees
                out[first:end] = np.bitwise_or.reduceat(placed | out[target], begins)
        return out


@dataclass(frozen=True, eq=False)
class Edges:
    """Edges from one level by images of one size, to the nodes as they were made.

    source   the level
    first    the edges are of its nodes from this one on
    targets, images  uint32 [edges]: the node that each leads to, and the image that it places
    degrees  uint32 [nodes]: the edges of each
    """

    source: int
    size: int
    first: int
    targets: Index
    images: Index
    degrees: Index

    @property
    def tables(self) -> tuple[Index, Index, Index]:
        return self.targets, self.images, self.degrees


class GrowingLevel:
    """A level that is being made: keys, a hash table of them, and the edges that lead to it."""

    def __init__(self, words: int, memory: Memory) -> None:
        self._words, self._memory = words, memory
        self.nodes, self.room = 0, FIRST_ROOM
        memory.take(8 * (words + 1) * self.room + 32 * self.room, NODES, 0)
        self.keys = np.zeros(self.room * words, np.uint64)
        self.slots = np.zeros(2 * self.room, np.uint32)
        self.targets = np.empty(4 * self.room, np.uint32)
        self.images = np.empty(4 * self.room, np.uint32)

    def make_room(self, most: int, edges: int, so_far: int) -> None:
        """Grow the tables for some more nodes, and for the edges of the next one."""
        from exactcover.backends.automaton import nodes_kernel as kernel

        memory, words = self._memory, self._words
        if self.nodes + most > self.room:
            room = max(2 * self.room, self.nodes + 2 * most)
            room = 1 << (room - 1).bit_length()
            memory.take(8 * (words + 1) * room, NODES, so_far)
            keys = np.zeros(room * words, np.uint64)
            keys[: self.nodes * words] = self.keys[: self.nodes * words]
            slots = np.zeros(2 * room, np.uint32)
            with np.errstate(over="ignore"):
                kernel.rehash((0,) * words, keys, self.nodes, slots)
            memory.give(self.keys.nbytes + self.slots.nbytes)
            self.keys, self.slots, self.room = keys, slots, room
        if edges + most > self.targets.size:
            size = max(2 * self.targets.size, edges + 2 * most)
            memory.take(8 * size, NODES, so_far)
            memory.give(8 * self.targets.size)
            self.targets = np.append(self.targets[:edges], np.empty(size - edges, np.uint32))
            self.images = np.append(self.images[:edges], np.empty(size - edges, np.uint32))

    def closed(self) -> Bits:
        """The keys, once the level is made; frees the tables."""
        keys = self._memory.copy(self.keys[: self.nodes * self._words], NODES, self.nodes)
        for table in (self.keys, self.slots, self.targets, self.images):
            self._memory.give(table.nbytes)
        return keys


class Growth:
    """The nodes made forward, level by level; keys that no later level is made from are dropped.

    sizes  the nodes of each level so far
    """

    def __init__(self, sweep: Sweep, memory: Memory) -> None:
        self.sweep, self.memory = sweep, memory
        self._most = int(np.diff(sweep.starts, axis=1).max(initial=0))
        by_cell = np.argsort(sweep.first, kind="stable")
        self._any_at = np.searchsorted(sweep.first[by_cell], np.arange(sweep.n_bits + 1))
        self._any_masks = sweep.masks[by_cell].reshape(-1)
        first = int(np.argmax(sweep.cell_at >= 0)) if sweep.n_cells else sweep.n_bits
        root = np.zeros(sweep.words, np.uint64)
        root[-1] |= np.uint64(first) << np.uint64(sweep.field)
        root[0] |= np.uint64(1)
        self.sizes = [1]
        self._keys = {0: memory.copy(root, NODES, 0)}

    def level(self, steps: list[int]) -> Iterator[Edges | None]:
        """Make the next level and yield the edges that lead to it; read each before the next one.

        It yields None when the steps are spent; `steps` holds how many to take.
        """
        from exactcover.backends.automaton import nodes_kernel as kernel

        sweep, words, number = self.sweep, self.sweep.words, len(self.sizes)
        made = GrowingLevel(words, self.memory)
        registers = np.zeros(kernel.REGISTERS, np.int64)
        for size, image_at in zip(sweep.sizes, sweep.starts, strict=True):
            source = number - size
            if source < 0 or not self.sizes[source]:
                continue
            degrees = np.zeros(self.sizes[source], np.uint32)
            registers[kernel.AT] = registers[kernel.EDGES] = first = 0
            status = kernel.BUDGET
            while status != kernel.DONE:
                with np.errstate(over="ignore"):
                    status = kernel.grow(
                        (0,) * words, sweep.field, steps[0], self._most, self._keys[source],
                        image_at, sweep.masks.reshape(-1), self._any_at, self._any_masks,
                        sweep.passed.reshape(-1), made.keys, made.slots, made.targets,
                        made.images, degrees, registers,
                    )  # fmt: skip
                made.nodes = int(registers[kernel.NODES])
                edges, behind = int(registers[kernel.EDGES]), int(registers[kernel.AT])
                steps[0] = int(registers[kernel.LEFT])
                if status == kernel.BUDGET:
                    yield None
                elif status == kernel.DONE or edges >= MOST_EDGES:
                    yield Edges(
                        source, size, first, made.targets[:edges], made.images[:edges],
                        degrees[first:behind],
                    )  # fmt: skip
                    registers[kernel.EDGES], first = 0, behind
                else:
                    made.make_room(self._most + 1, edges, sum(self.sizes) + made.nodes)
        self._keys[number] = made.closed()
        self.sizes.append(made.nodes)
        behind = number - sweep.reach
        if behind >= 0:
            self.memory.drop(self._keys.pop(behind))

    def close(self) -> None:
        """Drop all keys."""
        for keys in self._keys.values():
            self.memory.drop(keys)
        self._keys.clear()


class Building:
    """An automaton in progress: `advance` works on it; the result is in `automaton`.

    sizes  the nodes of each level so far
    """

    def __init__(self, sweep: Sweep, used: CopyFields, memory: Memory) -> None:
        self._sweep, self._used, self._memory = sweep, used, memory
        self.automaton: Automaton | None = None
        self._growth = Growth(sweep, memory)
        self.sizes = self._growth.sizes
        self._steps = [0]
        self._work = self._grown()

    def advance(self, steps: int) -> int:
        """Make about `steps` nodes and edges; return how many steps are left, 0 if it is not
        done."""
        self._steps[0] = steps
        while self._steps[0] > 0:
            if next(self._work, None) is None:
                if self.automaton is None:
                    raise BrokenSearch
                return max(self._steps[0], 1)
        return 0

    @property
    def made(self) -> int:
        """The nodes of all levels that are made."""
        return sum(self.sizes)

    def _grown(self) -> Iterator[bool]:
        growth, last, memory = self._growth, self._sweep.n_cells, self._memory
        edges_from: list[list[Edges]] = [[] for _ in range(last)]
        for _ in range(last):
            for one in growth.level(self._steps):
                if one is not None:
                    kept = [memory.copy(table, NODES, self.made) for table in one.tables]
                    edges_from[one.source].append(Edges(one.source, one.size, one.first, *kept))
                yield True
            memory.foretell(NODES, self.sizes, last, NODE_BYTES)
        growth.close()
        self.automaton = self._trimmed(edges_from)

    def _trimmed(self, edges_from: list[list[Edges]]) -> Automaton:
        """The automaton of the nodes from which the full board can be reached.

        Levels are trimmed from the last one on. Meanwhile, live nodes are numbered from the end:
        the full board is 1, and 0 is a node that is not alive.
        """
        memory, last, sizes = self._memory, self._sweep.n_cells, self.sizes
        numbers = {last: np.ones(sizes[last], np.int64)}
        alive = sizes[last]
        degrees, targets, images = [np.zeros(alive, np.int64)], [], []
        for level in patiently(range(last)[::-1]):
            leading = sorted(edges_from.pop(), key=lambda one: one.size)
            owner = np.concatenate([NONE, *map(_owners, leading)])
            to = np.concatenate(
                [NONE, *(numbers[level + one.size][one.targets] for one in leading)]
            )
            image = np.concatenate([np.zeros(0, np.uint32), *(one.images for one in leading)])
            for table in (table for one in leading for table in one.tables):
                memory.drop(table)
            live = to > 0
            in_order = np.flatnonzero(live)[places_in_order(owner[live])]
            degree = np.bincount(owner[live], minlength=sizes[level])
            alive += int(np.count_nonzero(degree))
            numbers[level] = np.where(degree > 0, alive + 1 - np.cumsum(degree > 0), 0)
            numbers.pop(level + self._sweep.reach, None)
            degrees.append(degree[degree > 0])
            targets.append(memory.copy(to[in_order].astype(np.uint32), NODES, self.made))
            images.append(memory.copy(image[in_order], NODES, self.made))
        if not numbers[0].any():
            degrees, targets, images = [NONE for _ in degrees], [], []
        levels = np.cumsum([0, *(one.size for one in degrees[::-1])])
        starts = memory.table(int(levels[-1]) + 1, np.int64, NODES, self.made)
        np.cumsum(np.concatenate(degrees[::-1]), out=starts[1:])
        target, image = self._joined(targets), self._joined(images)
        np.subtract(np.uint32(levels[-1]), target, out=target)
        return Automaton(self._sweep, self._used, levels, starts, target, image)

    def _joined(self, tables: list[Index]) -> Index:
        """The tables of all levels as one, the last one first."""
        joined = self._memory.table(sum(map(len, tables)), np.uint32, NODES, self.made)
        at = 0
        while tables:
            table = tables.pop()
            joined[at : at + table.size] = table
            at += table.size
            self._memory.drop(table)
        return joined


def _owners(edges: Edges) -> Long:
    """The node of the source of each edge."""
    nodes = np.arange(edges.first, edges.first + edges.degrees.size)
    return np.repeat(nodes, edges.degrees)


def places_in_order(values: Long) -> Long:
    """The places of values from 0 on in the order of the values, equal ones in their own order.

    The smallest type is sorted: numpy sorts 16 bits by their digits, several times as quickly.
    """
    kind = np.min_scalar_type(values.max(initial=0))
    return np.argsort(values.astype(kind), kind="stable")
