"""All solutions below a node as one diagram: to draw from them and to count those of each option.

A node is a state of a count, and an edge leads to a state that is left. The number of solutions of
a state is the sum of those of the states that its edges lead to, or their product if it falls into
parts. So the diagram answers questions for which a list would be too long: how many solutions have
an option, or a fair sample of them.

The engines `automaton` and `memo` follow the states, level by level; all are kept with their edges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import prod
from random import Random

import numpy as np

from exactcover.backends.arrays import Bits, Flags, Long
from exactcover.backends.memory import Memory
from exactcover.base.patience import patiently

ADVICE = "allow more memory: all states are held at once"

EDGE_BYTES = 80
"""The bytes of an edge with its numbers, beside the state that it leads to."""

NO_OPTION, PART = -1, -2
"""Instead of an option, where an edge chooses none: a cell stays empty, or a state falls apart."""

Unfolded = tuple[Long, Long, Bits, Long]
"""Edges of some states: the row of each one's state, the option that it chooses, the state that it
leads to, and the level of that one."""


@dataclass(frozen=True, eq=False)
class Diagram:
    """The solutions below a node of a search.

    starts  int64 [nodes + 1]: where the edges of each node begin
    target  int64 [edges]: the node that an edge leads to, always a higher one
    option  int64 [edges]: the option that it chooses, or `NO_OPTION`; `PART`: it leads to a part,
            as do all edges of its node
    ends    bool [nodes]: the states with nothing left to choose, which are one solution
    chosen  the options of the node of the search, which are in every solution

    The root is node 0. It has no edges if there is no solution; every other node has one.
    """

    starts: Long
    target: Long
    option: Long
    ends: Flags
    chosen: tuple[int, ...]

    @property
    def n_nodes(self) -> int:
        return self.starts.size - 1

    @property
    def count(self) -> int:
        """How many solutions there are."""
        return self.ways[0]

    @cached_property
    def ways(self) -> list[int]:
        """The number of solutions of each node."""
        ways: list[int] = self.ends.astype(int).tolist()
        starts, target, option = self.starts.tolist(), self.target.tolist(), self.option.tolist()
        for node in range(self.n_nodes - 1, -1, -1):
            begin, end = starts[node : node + 2]
            if begin < end:
                below = [ways[to] for to in target[begin:end]]
                ways[node] = prod(below) if option[begin] == PART else sum(below)
        return ways

    def usage(self) -> dict[int, int]:
        """The number of solutions of each option that is in a solution."""
        ways, times = self.ways, [1] + [0] * (self.n_nodes - 1)
        found = Counter(dict.fromkeys(self.chosen, self.count))
        target, option = self.target.tolist(), self.option.tolist()
        for node, (begin, end) in enumerate(pairwise(self.starts.tolist())):
            for to, chosen in zip(target[begin:end], option[begin:end], strict=True):
                times[to] += times[node] * (ways[node] // ways[to] if chosen == PART else 1)
                found[chosen] += times[node] * ways[to]
        return {option: many for option, many in sorted(found.items()) if many and option >= 0}

    def samples(self, many: int, seed: int | None = None) -> Iterator[tuple[int, ...]]:
        """Solutions as ascending options, each drawn from all with the same probability."""
        random = Random(seed)
        for _ in range(many if self.count else 0):
            found, waiting = [*self.chosen], [0]
            while waiting:
                node = waiting.pop()
                edges = range(*self.starts[node : node + 2].tolist())
                if edges and self.option[edges[0]] != PART:
                    left, edge = random.randrange(self.ways[node]), edges[0]
                    while (left := left - self.ways[self.target[edge]]) >= 0:
                        edge += 1
                    edges = range(edge, edge + 1)
                found += self.option[edges.start : edges.stop].tolist()
                waiting += self.target[edges.start : edges.stop].tolist()
            yield tuple(sorted(option for option in found if option >= 0))


def draw_up(
    root: Bits,
    levels: int,
    unfold: Callable[[int, Bits], Iterable[Unfolded]],
    complete: Callable[[Bits], Flags],
    memory: Memory,
    chosen: tuple[int, ...],
) -> Diagram:
    """The diagram of the states that follow from a root, without those that have no solution.

    Raises `TooLarge` if they do not fit.

    levels    the number of the last level; the root is on level 0, and edges lead to higher ones
    unfold    the edges of the states of a level, in their order for each state
    complete  which of the states of the last level are solutions
    """
    leading: list[list[tuple[Long, Bits]]] = [[] for _ in range(levels + 1)]
    leading[0] = [(np.zeros(1, np.int64), root.reshape(1, -1))]
    first = np.zeros(1, np.int64)  # an edge that leads to the root
    owners, options, targets = [first], [first], list[tuple[Long, Long]]()
    edges, ends = 1, np.zeros(0, bool)
    for level in patiently(range(levels + 1)):
        if not leading[level]:
            continue
        arriving, below = map(np.concatenate, zip(*leading[level], strict=True))
        leading[level] = []
        keys, to = np.unique(below, axis=0, return_inverse=True)
        targets.append((arriving, to.reshape(-1) + memory.made))
        for owner, option, below, there in unfold(level, keys) if level < levels else ():
            memory.take(below.nbytes + EDGE_BYTES * owner.size)
            owners.append(owner + memory.made)
            options.append(option)
            for goal in np.unique(there).tolist():
                those = np.flatnonzero(there == goal)
                leading[goal].append((those + edges, below[those]))
            edges += owner.size
        memory.made += len(keys)
        if level == levels:
            ends = complete(keys)
    owner, option = np.concatenate(owners), np.concatenate(options)
    every = np.append(np.zeros(memory.made - ends.size, bool), ends)
    live, broken, target = every.copy(), np.zeros(memory.made, bool), np.empty(edges, np.int64)
    for arriving, to in reversed(targets):
        fine = live[to] & ~broken[to]
        live[owner[arriving[fine]]] = True
        broken[owner[arriving[~fine & (option[arriving] == PART)]]] = True
        target[arriving] = to
    live &= ~broken
    kept = live[target] & live[owner]
    kept[0], live[0] = False, True
    in_order = np.flatnonzero(kept)[np.argsort(owner[kept], kind="stable")]
    degrees, number = np.bincount(owner[kept], minlength=live.size)[live], np.cumsum(live) - 1
    starts = np.append(0, np.cumsum(degrees))
    return Diagram(starts, number[target[in_order]], option[in_order], every[live], chosen)
