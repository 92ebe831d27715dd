"""Counts in which no piece is limited: the ways to each node of the automaton, level by level.

A state is only a node there, so the automaton itself is not kept: edges are followed as they are
made, and levels are dropped when no later level is made from them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from exactcover.backends.automaton.memory import Memory
from exactcover.backends.automaton.relaxed import Growth, LevelEdges
from exactcover.backends.automaton.sweep import Sweep
from exactcover.backends.automaton.tables import STATES, no_less_than

Bits = npt.NDArray[np.uint64]

FIRST_NODES = 1 << 10

NODE_BYTES = 40
"""The bytes of a node in a level being made: its key, its place in a hash table and its ways."""


class PathCounts:
    """The number of ways to each node of a level: numbers of `limbs` words."""

    def __init__(self, limbs: int, memory: Memory) -> None:
        self.limbs, self._memory = limbs, memory
        self.nodes = 0
        self._table = self._taken(FIRST_NODES)

    def _taken(self, nodes: int) -> Bits:
        self._memory.take(8 * nodes * self.limbs, STATES, self.nodes)
        return np.zeros(nodes * self.limbs, np.uint64)

    def add(self, one: LevelEdges, source: Bits) -> None:
        """Add the ways along some edges, from nodes with these ways."""
        from exactcover.backends.automaton import count_kernel as kernel

        fit = one.targets[one.targets != kernel.NONE]
        self.nodes = max(self.nodes, int(fit.max(initial=0)) + 1 if fit.size else 0)
        if self.nodes * self.limbs > self._table.size:
            small, self._table = self._table, self._taken(2 * self.nodes)
            self._table[: small.size] = small
            self._memory.give(small.nbytes)
        with np.errstate(over="ignore"):
            kernel.add_edges(self.limbs, one.targets, one.degrees, source, self._table)

    def closed(self) -> Bits:
        """The ways to all nodes, once all are added: uint64 [nodes, limbs]."""
        out = self._memory.table(self.nodes * self.limbs, np.uint64, STATES, self.nodes)
        out[:] = self._table[: out.size]
        self._memory.give(self._table.nbytes)
        return out.reshape(-1, self.limbs)


class Flow:
    """A count in progress: each step of `levels` works on it; the result is in `count`.

    states  nodes made so far; done: how many levels are
    """

    def __init__(self, sweep: Sweep, memory: Memory, mixer: np.uint64) -> None:
        self._sweep, self._memory = sweep, memory
        self._growth = Growth(sweep, memory, mixer)
        self._most: list[int] = np.diff(sweep.starts, axis=1).max(axis=1, initial=0).tolist()
        self._ways: list[Bits] = []
        self.count: int | None = None
        self.states = self.done = 0

    @property
    def sizes(self) -> list[int]:
        """The nodes of each level so far."""
        return self._growth.sizes

    def levels(self, steps: list[int]) -> Iterator[None]:
        """Make level after level; it yields after each, and when the steps are spent."""
        sweep, growth, memory = self._sweep, self._growth, self._memory
        growth.begin()
        self._ways.append(np.ones((1, 1), np.uint64))
        reach = max(sweep.sizes, default=1)
        for number in range(1, sweep.n_cells + 1):
            made = PathCounts(self._limbs(number), memory)
            for one in growth.level(number, steps):
                if one is None:
                    yield
                else:
                    made.add(one, self._source(one, made.limbs))
            self._ways.append(made.closed())
            self.states += made.nodes
            self.done = number
            if number >= reach:
                self._drop(number - reach)
            memory.foretell(STATES, growth.sizes, sweep.n_cells, NODE_BYTES, reach)
            yield
        self.count = whole(self._ways[-1][0]) if self._ways[-1].size else 0

    def _limbs(self, number: int) -> int:
        """The number of words that hold every number of ways of a level."""
        near = [(self._ways[number - size], most) for size, most in self._sources(number)]
        bound = sum(no_less_than(ways.sum(axis=0, dtype=np.float64)) * most for ways, most in near)
        return max([bound.bit_length() // 64 + 1, *(int(ways.shape[1]) for ways, _ in near)])

    def _sources(self, number: int) -> list[tuple[int, int]]:
        """The sizes of images that lead to a level, and the most images of that size at a node."""
        both = zip(self._sweep.sizes, self._most, strict=True)
        return [(size, most) for size, most in both if size <= number]

    def _source(self, one: LevelEdges, limbs: int) -> Bits:
        """The ways to the nodes that edges leave from, with `limbs` words."""
        ways = self._ways[one.source][one.first : one.first + one.degrees.size]
        if ways.shape[1] == limbs:
            return ways.reshape(-1)
        wider = np.zeros((len(ways), limbs), np.uint64)
        wider[:, : ways.shape[1]] = ways
        return wider.reshape(-1)

    def _drop(self, number: int) -> None:
        """Drop a level that no later level is made from."""
        keys, ways = self._growth.keys, self._ways
        if number:  # the first level was never taken
            self._memory.drop(keys[number])
            self._memory.drop(ways[number])
        keys[number], ways[number] = keys[number][:0], ways[number][:0]


def whole(limbs: Bits) -> int:
    """A number of several words."""
    digits: list[int] = limbs.tolist()
    return sum(one << (64 * place) for place, one in enumerate(digits))
