"""Counts in which no piece is limited: the ways to each node of the automaton, level by level.

A state is only a node there, so the automaton itself is not kept: edges are followed as they are
made, and levels are dropped when no later level is made from them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from exactcover.backends.automaton.memory import Memory
from exactcover.backends.automaton.nodes import Edges, Growth
from exactcover.backends.automaton.outlook import NODE_BYTES, foretell
from exactcover.backends.automaton.sweep import Sweep
from exactcover.backends.automaton.tables import STATES, no_less_than

Bits = npt.NDArray[np.uint64]

FIRST_NODES = 1 << 10


class Flow:
    """A count in progress: each step of `levels` works on it; the result is in `count`.

    sizes   the nodes of each level so far
    states  nodes made so far, without the root
    """

    def __init__(self, sweep: Sweep, memory: Memory) -> None:
        self._sweep, self._memory = sweep, memory
        self._growth = Growth(sweep, memory)
        self._most: list[int] = np.diff(sweep.starts, axis=1).max(axis=1, initial=0).tolist()
        self._ways = {0: memory.copy(np.ones(1, np.uint64), STATES, 0).reshape(1, 1)}
        self.count: int | None = None

    @property
    def sizes(self) -> list[int]:
        return self._growth.sizes

    @property
    def states(self) -> int:
        return sum(self._growth.sizes) - 1

    def levels(self, steps: list[int]) -> Iterator[None]:
        """Make level after level; it yields after each, and when the steps are spent."""
        sweep, memory = self._sweep, self._memory
        for number in range(1, sweep.n_cells + 1):
            limbs = self._limbs(number)
            memory.take(8 * FIRST_NODES * limbs, STATES, self.states)
            table = np.zeros(FIRST_NODES * limbs, np.uint64)
            for edges in self._growth.level(steps):
                if edges is None:
                    yield
                else:
                    table = self._add(edges, table, limbs)
            nodes = self.sizes[number]
            ways = memory.copy(table[: nodes * limbs], STATES, self.states)
            memory.give(table.nbytes)
            self._ways[number] = ways.reshape(nodes, limbs)
            if number >= sweep.reach:
                memory.drop(self._ways.pop(number - sweep.reach))
            foretell(memory, STATES, self.sizes, sweep.n_cells, NODE_BYTES, sweep.reach)
            yield
        self.count = sum(whole(ways) for ways in self._ways[sweep.n_cells])

    def _add(self, edges: Edges, table: Bits, limbs: int) -> Bits:
        """Add the ways along some edges to a table of ways, or to a larger one; returns it."""
        from exactcover.backends.automaton import count_kernel as kernel

        needed = limbs * (int(edges.targets.max(initial=0)) + 1)
        if needed > table.size:
            self._memory.take(16 * needed, STATES, self.states)
            self._memory.give(table.nbytes)
            table = np.append(table, np.zeros(2 * needed - table.size, np.uint64))
        ways = self._ways[edges.source][edges.first : edges.first + edges.degrees.size]
        source = np.zeros((len(ways), limbs), np.uint64)
        source[:, : ways.shape[1]] = ways
        with np.errstate(over="ignore"):
            kernel.add_edges(limbs, edges.targets, edges.degrees, source.reshape(-1), table)
        return table

    def _limbs(self, number: int) -> int:
        """The number of words that hold every number of ways of a level."""
        both = zip(self._sweep.sizes, self._most, strict=True)
        near = [(self._ways[number - size], most) for size, most in both if size <= number]
        bound = sum(no_less_than(ways.sum(axis=0, dtype=np.float64)) * most for ways, most in near)
        return max([bound.bit_length() // 64 + 1, *(int(ways.shape[1]) for ways, _ in near)])


def whole(limbs: Bits) -> int:
    """A number of several words."""
    digits: list[int] = limbs.tolist()
    return sum(one << (64 * place) for place, one in enumerate(digits))
