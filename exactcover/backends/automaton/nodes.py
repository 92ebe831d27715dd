"""The nodes of the automaton: every way to fill the cells, without a limit on pieces.

A node is the first open cell and the cells filled after it. An edge places an image on that cell.
The nodes are made forward from the empty board, level by level; the level of a node is its number
of filled cells. Then nodes are removed if the full board cannot be reached from them. The result is
small: 16 thousand nodes for the 18 one-sided pentominoes in 18 x 5.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from exactcover.backends.arrays import Bits, Index, Long, Numbers
from exactcover.backends.automaton.sweep import CopyFields, Sweep
from exactcover.backends.memory import Memory
from exactcover.base import LazyModule
from exactcover.base.patience import patiently

if TYPE_CHECKING:
    from exactcover.backends.automaton import kernel
else:
    kernel = LazyModule("exactcover.backends.automaton.kernel")

FIRST_ROOM = 1 << 10
"""The initial room of a level, in nodes."""

MOST_EDGES = 1 << 22
"""Edges are handed on in batches of about this many."""

NODE_BYTES = 40
"""The bytes of a node with its edges."""


class Edges(NamedTuple):
    """Edges from one level by images of one size, in the order of the nodes that they leave.

    source   the level
    owners, targets, images  uint32 [edges]: the node of the level that each leaves, the node of the
             level that it leads to, and the image that it places, as the sweep numbers them
    """

    source: int
    size: int
    owners: Index
    targets: Index
    images: Index


@dataclass(frozen=True, eq=False)
class Automaton:
    """The nodes from which the full board can be reached, in the order of levels.

    sweep, copy_fields  the board and the fields that it was made of
    levels  int64 [cells + 2]: where the nodes of each level begin
    edges   those of each level and size, in the order of the levels

    The root is node 0, and the full board the last node. Without solutions there are no nodes.
    """

    sweep: Sweep
    copy_fields: CopyFields
    levels: Long
    edges: dict[tuple[int, int], Edges]

    @property
    def n_nodes(self) -> int:
        return int(self.levels[-1])

    def reached(self, memory: Memory, *, forward: bool) -> Bits:
        """The tops of the kinds that some path to a node places, or from it: [nodes, words].

        forward  whether the paths lead to the node
        """
        used, words = self.copy_fields, self.copy_fields.words
        tops = used.by_kind(used.top)[self.sweep.kind]
        out = memory.zeros(self.n_nodes * words, np.uint64).reshape(-1, words)
        for one in self.edges.values() if forward else reversed(self.edges.values()):
            here = self.levels[one.source] + one.owners
            there = self.levels[one.source + one.size] + one.targets
            if not forward:
                here, there = there, here
            for word in range(words):
                placed = out[here, word] | tops[one.images, word]
                np.bitwise_or.at(out[:, word], there, placed)
        return out


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
        root = np.zeros(sweep.words, np.uint64)
        root[-1] |= np.uint64(sweep.begin) << np.uint64(sweep.field)
        root[0] |= np.uint64(1)
        self.sizes = [1]
        self._keys = memory.copy(root)
        self._growing: dict[int, GrowingLevel] = {}
        room = max(4 * FIRST_ROOM, 2 * self._most)
        self._edges = memory.zeros(3 * room, np.uint32).reshape(3, room)

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
            registers[kernel.AT] = registers[kernel.EDGES] = 0
            registers[kernel.NODES] = made.nodes
            status = kernel.BUDGET
            while status != kernel.DONE:
                owners, targets, images = self._edges
                with np.errstate(over="ignore"):
                    status = kernel.grow(
                        (0,) * words, sweep.field, steps[0], self._most, self._keys, image_at,
                        sweep.masks.reshape(-1), self._any_at, self._any_masks,
                        sweep.passed.reshape(-1), made.keys, made.slots, owners, targets,
                        images, registers,
                    )  # fmt: skip
                before, made.nodes = made.nodes, int(registers[kernel.NODES])
                memory.made += made.nodes - before
                edges, steps[0] = int(registers[kernel.EDGES]), int(registers[kernel.LEFT])
                if status == kernel.BUDGET:
                    yield None
                elif status == kernel.DONE or edges >= MOST_EDGES:
                    yield Edges(source, size, *self._edges[:, :edges])
                    registers[kernel.EDGES] = 0
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
            wider = self.memory.zeros(6 * (size + self._most), np.uint32).reshape(3, -1)
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
    made: list[Edges] = []
    for _ in range(last):
        for one in growth.level(steps):
            if one is None:
                yield
            else:
                made.append(Edges(*one[:2], *map(memory.copy, one[2:])))
        memory.foretell(growth.sizes, last, NODE_BYTES, last, sweep.reach)
    growth.drop()
    return _trimmed(growth, used, made)


def _trimmed(growth: Growth, used: CopyFields, made: list[Edges]) -> Automaton:
    """The automaton of the nodes from which the full board can be reached."""
    memory, alive = growth.memory, [np.zeros(size, bool) for size in growth.sizes]
    alive[-1][:] = True
    for one in patiently(reversed(made)):
        alive[one.source][one.owners[alive[one.source + one.size][one.targets]]] = True
    if not alive[0].any():
        alive = [np.zeros_like(level) for level in alive]
    numbers = [np.cumsum(level, dtype=np.uint32) - np.uint32(1) for level in alive]
    edges: dict[tuple[int, int], Edges] = {}
    made.reverse()
    in_order = patiently(made.pop() for _ in range(len(made)))  # each is dropped at once
    for (source, size), batches in groupby(in_order, key=lambda one: one[:2]):
        owner, target, kept = numbers[source], numbers[source + size], []
        for one in batches:
            live = alive[source + size][one.targets]
            kept.append((owner[one.owners[live]], target[one.targets[live]], one.images[live]))
            memory.drop(*one[2:])
        tables = [np.concatenate(parts) for parts in zip(*kept, strict=True)]
        memory.take(sum(table.nbytes for table in tables))
        edges[source, size] = Edges(source, size, *tables)
    levels = np.cumsum([0, *map(np.count_nonzero, alive)])
    return Automaton(growth.sweep, used, levels, edges)


def places_in_order(values: Numbers) -> Long:
    """The places of values from 0 on in the order of the values, equal ones in their own order.

    The smallest type is sorted: numpy sorts 16 bits by their digits, several times as quickly.
    """
    kind = np.min_scalar_type(values.max(initial=0))
    return np.argsort(values.astype(kind), kind="stable")
