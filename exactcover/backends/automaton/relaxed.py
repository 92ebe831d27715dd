"""The relaxed automaton: every way to fill the cells, without a limit on pieces.

A node is the first open cell and the cells filled after it. An edge places an image on that cell.
The nodes are made forward from the empty board, level by level; the level of a node is its number
of filled cells. Then nodes are removed if the full board cannot be reached from them. The result is
small - 16 thousand nodes for the 18 one-sided pentominoes in 18 x 5 - and its only dead ends come
from pieces that are used up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from exactcover.backends.automaton.copy_fields import CopyFields
from exactcover.backends.automaton.memory import Memory
from exactcover.backends.automaton.sweep import Sweep
from exactcover.errors import BrokenSearch
from exactcover.patience import patiently

Long = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]
Index = npt.NDArray[np.uint32]

MIXER = np.uint64(0x9E3779B97F4A7C15)
"""The multiplier of a key's hash; every number gives the same counts."""

FIRST_ROOM = 1 << 10
"""The initial room of a level, in nodes."""

MOST_EDGES = 1 << 22
"""Edges are handed on in batches of about this many."""

NODE_BYTES = 40
"""The bytes of a node with its edges, for estimates."""

NODES = "the nodes of the automaton"


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

    @property
    def n_edges(self) -> int:
        return self.target.size

    def reached(self, memory: Memory, *, forward: bool) -> Bits:
        """The tops of the kinds that some path to a node places, or from it: [nodes, words].

        forward  whether the paths lead to the node
        """
        from exactcover.backends.automaton import build_kernel as kernel

        used, words = self.copy_fields, self.copy_fields.words
        tops = np.zeros((used.top.size, words), np.uint64)
        tops[np.arange(used.top.size), used.word] = used.top
        of_image = tops[self.sweep.kind].reshape(-1)
        out = memory.table(self.n_nodes * words, np.uint64, NODES, self.n_nodes)
        reach = kernel.reach_forward if forward else kernel.reach_back
        reach(self.starts, self.target, self.image, of_image, words, out)
        return out.reshape(-1, words)


@dataclass(frozen=True, eq=False)
class LevelEdges:
    """Edges from one level by images of one size, to the nodes as they were made.

    source   the level
    first    the edges are of its nodes from this one on
    targets  uint32 [edges]; degrees: uint32 [nodes], the edges of each
    """

    source: int
    size: int
    first: int
    targets: Index
    degrees: Index


class Level:
    """A level that is being made: keys, a hash table of them, and the edges that lead to it."""

    def __init__(self, words: int, memory: Memory, mixer: np.uint64) -> None:
        self._words, self._memory, self._mixer = words, memory, mixer
        self.room = FIRST_ROOM
        self.keys = self._taken(np.zeros(self.room * words, np.uint64))
        self.slots = self._taken(np.zeros(2 * self.room, np.uint32))
        self.targets = self._taken(np.empty(4 * self.room, np.uint32))
        self.nodes = 0

    def _taken(self, table: npt.NDArray[Any]) -> npt.NDArray[Any]:
        self._memory.take(table.nbytes, NODES, 0)
        return table

    def make_room(self, most: int, edges: int, so_far: int) -> None:
        """Grow the tables for some more nodes, and for the edges of the next one."""
        from exactcover.backends.automaton import build_kernel as kernel

        memory, words = self._memory, self._words
        if self.nodes + most > self.room:
            room = max(2 * self.room, self.nodes + 2 * most)
            room = 1 << (room - 1).bit_length()
            memory.take(8 * words * room + 8 * room, NODES, so_far)
            keys = np.zeros(room * words, np.uint64)
            keys[: self.nodes * words] = self.keys[: self.nodes * words]
            slots = np.zeros(2 * room, np.uint32)
            kernel.rehash((0,) * words, self._mixer, keys, self.nodes, slots)
            memory.give(self.keys.nbytes + self.slots.nbytes)
            self.keys, self.slots, self.room = keys, slots, room
        if edges + most > self.targets.size:
            size = max(2 * self.targets.size, edges + 2 * most)
            memory.take(4 * size, NODES, so_far)
            targets = np.empty(size, np.uint32)
            targets[:edges] = self.targets[:edges]
            memory.give(self.targets.nbytes)
            self.targets = targets

    def closed(self) -> Bits:
        """The keys, once the level is made; frees the tables."""
        memory = self._memory
        keys = memory.table(self.nodes * self._words, np.uint64, NODES, self.nodes)
        keys[:] = self.keys[: keys.size]
        memory.give(self.keys.nbytes + self.slots.nbytes + self.targets.nbytes)
        return keys


class Growth:
    """The nodes made forward, level by level; the first half of building, and all of it for counts
    in which no piece is limited.
    """

    def __init__(self, sweep: Sweep, memory: Memory, mixer: np.uint64 = MIXER) -> None:
        self.sweep, self.memory, self._mixer = sweep, memory, mixer
        self.sizes: list[int] = []
        self.keys: list[Bits] = []
        self._most = int(np.diff(sweep.starts, axis=1).max(initial=0))
        self._any_passed = bool(sweep.passed.any())
        by_cell = np.argsort(sweep.first, kind="stable")
        self._any_at = np.searchsorted(sweep.first[by_cell], np.arange(sweep.n_bits + 1))
        self._any_masks = sweep.masks[by_cell].reshape(-1)

    def begin(self) -> None:
        """The level of the empty board."""
        first = int(np.argmax(self.sweep.cell_at >= 0)) if self.sweep.n_cells else self.sweep.n_bits
        root = np.zeros(self.sweep.words, np.uint64)
        root[-1] |= np.uint64(first) << np.uint64(self.sweep.field)
        root[0] |= np.uint64(1)
        self.keys.append(root)
        self.sizes.append(1)

    def level(self, number: int, steps: list[int]) -> Iterator[LevelEdges | None]:
        """Make a level and yield the edges that lead to it; read each before the next one.

        It yields None when the steps are spent; `steps` holds how many to take.
        """
        from exactcover.backends.automaton import build_kernel as kernel

        sweep, words, most = self.sweep, self.sweep.words, self._most + 1
        made = Level(words, self.memory, self._mixer)
        registers = np.zeros(kernel.REGISTERS, np.int64)
        for at, size in enumerate(sweep.sizes):
            source = number - size
            if source < 0 or not self.sizes[source]:
                continue
            degrees = np.zeros(self.sizes[source], np.uint32)
            registers[kernel.AT] = registers[kernel.EDGES] = first = 0
            status = kernel.BUDGET
            while status != kernel.DONE:
                with np.errstate(over="ignore"):
                    status = kernel.grow(
                        (0,) * words, sweep.field, steps[0], self._most, self._mixer,
                        self.keys[source], sweep.starts[at], sweep.masks.reshape(-1),
                        self._any_at, self._any_masks, sweep.passed.reshape(-1),
                        self._any_passed, made.keys, made.slots, made.targets, degrees, registers,
                    )  # fmt: skip
                made.nodes = int(registers[kernel.NODES])
                edges, behind = int(registers[kernel.EDGES]), int(registers[kernel.AT])
                steps[0] = int(registers[kernel.LEFT])
                if status == kernel.BUDGET:
                    yield None
                elif status == kernel.DONE or edges >= MOST_EDGES:
                    yield LevelEdges(
                        source, size, first, made.targets[:edges], degrees[first:behind]
                    )
                    registers[kernel.EDGES], first = 0, behind
                else:
                    made.make_room(most, edges, sum(self.sizes) + made.nodes)
        self.keys.append(made.closed())
        self.sizes.append(made.nodes)


class Building:
    """An automaton in progress: `advance` works on it; the result is in `automaton`."""

    def __init__(
        self, sweep: Sweep, used: CopyFields, memory: Memory, mixer: np.uint64 = MIXER
    ) -> None:
        self._sweep, self._used, self._memory = sweep, used, memory
        self.automaton: Automaton | None = None
        self._growth = Growth(sweep, memory, mixer)
        self._steps = [0]
        self._work = self._grown()
        self.made = 0

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
    def sizes(self) -> list[int]:
        """The nodes of each level so far."""
        return self._growth.sizes

    def progress(self) -> float:
        """The share of the levels that is made."""
        if self.automaton is not None:
            return 1.0
        return len(self._growth.sizes) / (self._sweep.n_cells + 1)

    def _grown(self) -> Iterator[bool]:
        growth, last, memory = self._growth, self._sweep.n_cells, self._memory
        growth.begin()
        edges_into: list[list[LevelEdges]] = [[]]
        for number in range(1, last + 1):
            edges_into.append([])
            for one in growth.level(number, self._steps):
                if one is not None:
                    edges_into[-1].append(self._kept(one))
                yield True
            self.made = sum(growth.sizes)
            memory.foretell(NODES, growth.sizes, last, NODE_BYTES)
        self.automaton = self._trimmed(edges_into)

    def _kept(self, one: LevelEdges) -> LevelEdges:
        """A copy of edges that have been handed on."""
        copies = []
        for table in (one.targets, one.degrees):
            copies.append(self._memory.table(table.size, np.uint32, NODES, self.made))
            copies[-1][:] = table
        return replace(one, targets=copies[0], degrees=copies[1])

    def _trimmed(self, edges_into: list[list[LevelEdges]]) -> Automaton:
        """The automaton of the nodes from which the full board can be reached."""
        from exactcover.backends.automaton import build_kernel as kernel

        sweep, growth, memory, words = self._sweep, self._growth, self._memory, self._sweep.words
        alive = [memory.table(many, np.int64, NODES, self.made) for many in growth.sizes]
        alive[-1][:] = 1
        for to, into in patiently(list(enumerate(edges_into))[::-1]):
            for one in into:
                degrees = alive[one.source][one.first : one.first + one.degrees.size]
                kernel.mark(one.targets, one.degrees, alive[to], degrees)
        alive[-1][:] = 0  # now it is the number of edges
        solvable = not sweep.n_cells or bool(alive[0].any())
        numbers, levels, degree = [], [0], []
        for level, leading in enumerate(patiently(alive)):
            live = (leading > 0) | (level == sweep.n_cells)
            live &= solvable
            number = memory.table(live.size, np.int64, NODES, self.made)
            number[:] = np.where(live, levels[-1] + np.cumsum(live) - 1, -1)
            numbers.append(number)
            levels.append(levels[-1] + int(live.sum()))
            degree.append(leading[live])
        many = levels[-1]
        starts = memory.table(many + 1, np.int64, NODES, self.made)
        np.cumsum(np.concatenate(degree), out=starts[1:])
        edges = int(starts[-1])
        target = memory.table(edges, np.uint32, NODES, self.made)
        image = memory.table(edges, np.uint32, NODES, self.made)
        cursor = starts[:-1].copy()
        for size, image_at in zip(sweep.sizes, sweep.starts, strict=True):
            for to, into in patiently(enumerate(edges_into if many else [])):
                for one in into:
                    if one.size != size:
                        continue
                    behind = one.first + one.degrees.size
                    kernel.keep_edges(
                        (0,) * words, sweep.field,
                        growth.keys[one.source][one.first * words : behind * words], image_at,
                        sweep.masks.reshape(-1), one.targets, one.degrees,
                        numbers[one.source][one.first : behind], numbers[to], cursor, target, image,
                    )  # fmt: skip
        for table in (*alive, *numbers, *growth.keys):
            memory.drop(table)
        for one in (one for into in edges_into for one in into):
            memory.drop(one.targets)
            memory.drop(one.degrees)
        growth.keys.clear()
        return Automaton(sweep, self._used, np.array(levels, np.int64), starts, target, image)
