"""The nodes of the automaton: every way to fill the cells, without a limit on pieces.

A node is the first open cell and the cells filled after it. An edge places an image on that cell.
The nodes are made forward from the empty board, level by level; the level of a node is its number
of filled cells. Then nodes are removed if the full board cannot be reached from them. The result is
small: 16 thousand nodes for the 18 one-sided pentominoes in 18 x 5.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from exactcover.backends.arrays import Bits, Index, Long
from exactcover.backends.automaton.memory import Memory
from exactcover.backends.automaton.sweep import CopyFields, Sweep
from exactcover.base import LazyModule
from exactcover.base.patience import patiently

if TYPE_CHECKING:
    from exactcover.backends.automaton import nodes_kernel as kernel
else:
    kernel = LazyModule("exactcover.backends.automaton.nodes_kernel")

FIRST_ROOM = 1 << 10
"""The initial room of a level, in nodes."""

MOST_EDGES = 1 << 22
"""Edges are handed on in batches of about this many."""

NODE_BYTES = 40
"""The bytes of a node with its edges."""

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
        out = memory.zeros(self.n_nodes * words, np.uint64).reshape(-1, words)
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


class Edges(NamedTuple):
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
    def owners(self) -> Long:
        """The node of the source of each edge."""
        nodes = np.arange(self.first, self.first + self.degrees.size)
        return np.repeat(nodes, self.degrees)


class GrowingLevel:
    """A level that is being made.

    keys   uint64 [room * words]: those of its nodes; slots: a hash table of them
    """

    def __init__(self, words: int, memory: Memory) -> None:
        self._words, self._memory, self.nodes = words, memory, 0
        self.keys = memory.zeros(FIRST_ROOM * words, np.uint64)
        self.slots = memory.zeros(2 * FIRST_ROOM, np.uint32)

    def make_room(self, most: int) -> None:
        """Grow the tables, unless there is room for some more nodes."""
        memory, words, room = self._memory, self._words, self.slots.size // 2
        if self.nodes + most > room:
            room = 1 << (max(2 * room, self.nodes + 2 * most) - 1).bit_length()
            keys = memory.zeros(room * words, np.uint64)
            keys[: self.nodes * words] = self.keys[: self.nodes * words]
            slots = memory.zeros(2 * room, np.uint32)
            with np.errstate(over="ignore"):
                kernel.rehash((0,) * words, keys, self.nodes, slots)
            memory.drop(self.keys, self.slots)
            self.keys, self.slots = keys, slots


class Growth:
    """The nodes made forward, level by level.

    The edges of a level are followed once it is made, to all the levels behind it; then its keys
    are dropped. So only nodes whose edges are still to be followed are in memory: with cubes of any
    size in a box of 7 x 7 x 7, a twentieth of all.

    sizes  the nodes of each level that is made
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
        self._keys = memory.copy(root)
        self._growing: dict[int, GrowingLevel] = {}
        self._edges = memory.zeros(max(8 * FIRST_ROOM, 4 * self._most), np.uint32).reshape(2, -1)

    def level(self, steps: list[int]) -> Iterator[Edges | None]:
        """Yield the edges of the last level that is made, and make the one behind it; read each
        before the next one.

        It yields None when the steps are spent; `steps` holds how many to take.
        """
        sweep, words, source = self.sweep, self.sweep.words, len(self.sizes) - 1
        memory, registers = self.memory, np.zeros(kernel.REGISTERS, np.int64)
        for size, image_at in zip(sweep.sizes, sweep.starts, strict=True):
            if source + size > sweep.n_cells or not self.sizes[source]:
                continue
            if source + size not in self._growing:
                self._growing[source + size] = GrowingLevel(words, memory)
            made = self._growing[source + size]
            degrees = np.zeros(self.sizes[source], np.uint32)
            registers[kernel.AT] = registers[kernel.EDGES] = first = 0
            registers[kernel.NODES] = made.nodes
            status = kernel.BUDGET
            while status != kernel.DONE:
                with np.errstate(over="ignore"):
                    status = kernel.grow(
                        (0,) * words, sweep.field, steps[0], self._most, self._keys, image_at,
                        sweep.masks.reshape(-1), self._any_at, self._any_masks,
                        sweep.passed.reshape(-1), made.keys, made.slots, self._edges[0],
                        self._edges[1], degrees, registers,
                    )  # fmt: skip
                before, made.nodes = made.nodes, int(registers[kernel.NODES])
                memory.made += made.nodes - before
                edges, behind = int(registers[kernel.EDGES]), int(registers[kernel.AT])
                steps[0] = int(registers[kernel.LEFT])
                if status == kernel.BUDGET:
                    yield None
                elif status == kernel.DONE or edges >= MOST_EDGES:
                    targets, images = self._edges[:, :edges]
                    yield Edges(source, size, first, targets, images, degrees[first:behind])
                    registers[kernel.EDGES], first = 0, behind
                else:
                    made.make_room(self._most + 1)
                    self._widen(edges)
        memory.drop(self._keys)
        level = self._growing.pop(source + 1, None) or GrowingLevel(words, memory)
        self._keys = memory.copy(level.keys[: level.nodes * words])
        memory.drop(level.keys, level.slots)
        self.sizes.append(level.nodes)

    def _widen(self, edges: int) -> None:
        """Double the table of edges, unless there is room for those of one more node."""
        size = self._edges.shape[1]
        if edges + self._most > size:
            wider = self.memory.zeros(4 * (size + self._most), np.uint32).reshape(2, -1)
            wider[:, :edges] = self._edges[:, :edges]
            self.memory.drop(self._edges)
            self._edges = wider

    def drop(self) -> None:
        """Give the tables back, once the last level is made."""
        self.memory.drop(self._keys, self._edges)


def built(
    sweep: Sweep, used: CopyFields, memory: Memory, steps: list[int]
) -> Generator[None, None, Automaton]:
    """The automaton of a board; it yields when the steps are spent."""
    growth, last = Growth(sweep, memory), sweep.n_cells
    edges_from: list[list[Edges]] = [[] for _ in range(last)]
    for _ in range(last):
        for one in growth.level(steps):
            if one is None:
                yield
            else:
                tables = (memory.copy(table) for table in (one.targets, one.images, one.degrees))
                edges_from[one.source].append(Edges(one.source, one.size, one.first, *tables))
        memory.foretell(growth.sizes, last, NODE_BYTES, last, sweep.reach)
    growth.drop()
    return _trimmed(growth, used, edges_from)


def _trimmed(growth: Growth, used: CopyFields, edges_from: list[list[Edges]]) -> Automaton:
    """The automaton of the nodes from which the full board can be reached.

    Levels are trimmed from the last one on. Meanwhile, live nodes are numbered from the end: the
    full board is 1, and 0 is a node that is not alive.
    """
    sweep, memory, sizes = growth.sweep, growth.memory, growth.sizes
    last, alive = sweep.n_cells, sizes[-1]
    numbers = {last: np.ones(alive, np.int64)}
    degrees, targets, images = [np.zeros(alive, np.int64)], [], []
    for level in patiently(range(last)[::-1]):
        leading = sorted(edges_from.pop(), key=lambda one: one.size)
        owner = np.concatenate([NONE, *(one.owners for one in leading)])
        to = np.concatenate([NONE, *(numbers[level + one.size][one.targets] for one in leading)])
        image = np.concatenate([NONE.astype(np.uint32), *(one.images for one in leading)])
        for one in leading:
            memory.drop(one.targets, one.images, one.degrees)
        live = to > 0
        in_order = np.flatnonzero(live)[places_in_order(owner[live])]
        degree = np.bincount(owner[live], minlength=sizes[level])
        alive += int(np.count_nonzero(degree))
        numbers[level] = np.where(degree > 0, alive + 1 - np.cumsum(degree > 0), 0)
        numbers.pop(level + sweep.reach, None)
        degrees.append(degree[degree > 0])
        targets.append(memory.copy(to[in_order].astype(np.uint32)))
        images.append(memory.copy(image[in_order]))
    if not numbers[0].any():
        degrees, targets, images = [NONE for _ in degrees], [], []
    levels = np.cumsum([0, *(one.size for one in degrees[::-1])])
    starts = memory.zeros(int(levels[-1]) + 1, np.int64)
    np.cumsum(np.concatenate(degrees[::-1]), out=starts[1:])
    target, image = _joined(targets, memory), _joined(images, memory)
    np.subtract(np.uint32(levels[-1]), target, out=target)
    return Automaton(sweep, used, levels, starts, target, image)


def _joined(tables: list[Index], memory: Memory) -> Index:
    """The tables of all levels as one, the last one first; each is dropped at once."""
    joined, at = memory.zeros(sum(map(len, tables)), np.uint32), 0
    while tables:
        table = tables.pop()
        joined[at : at + table.size] = table
        at += table.size
        memory.drop(table)
    return joined


def places_in_order(values: Long) -> Long:
    """The places of values from 0 on in the order of the values, equal ones in their own order.

    The smallest type is sorted: numpy sorts 16 bits by their digits, several times as quickly.
    """
    kind = np.min_scalar_type(values.max(initial=0))
    return np.argsort(values.astype(kind), kind="stable")
