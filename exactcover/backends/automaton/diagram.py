"""All solutions of a puzzle as one diagram without dead ends: to draw from them and to count them.

A node is a state of the count, an edge an image placed on the first open cell, and every path from
the root to the end is a solution, once. So it answers questions for which a list would be too long:
how many solutions have an image, or a fair sample of them.

The states are made forward from the empty board, level by level, and all are kept with their edges.
At the end, states are dropped if the pieces left cannot fill the board from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from exactcover.backends.arrays import Bits, Long, expanded
from exactcover.backends.automaton.levels import Direction, KeyFormat
from exactcover.backends.automaton.memory import STATES, Memory
from exactcover.backends.automaton.nodes import Automaton, built
from exactcover.backends.automaton.sweep import CopyFields, Sweep
from exactcover.base.patience import check, patiently

STEPS = 1 << 22
"""The number of edges made between two checks for Ctrl-C."""

EDGE_BYTES = 60
"""The bytes of an edge while a diagram is made."""

Leading = tuple[Long, Long, Bits]
"""Edges to a level: the node of the diagram that each leaves, its label, the key it leads to."""


@dataclass(frozen=True, eq=False)
class Diagram:
    """The solutions below a node.

    starts   int64 [nodes + 1]: where the edges of each node begin
    target   int64 [edges]: the node an edge leads to, always a higher one
    option   int64 [edges]: the option that it chooses, -1: a cell stays empty
    chosen   the options of the node, which are in every solution

    The root is node 0, the end the last one; without solutions there are no nodes.
    """

    starts: Long
    target: Long
    option: Long
    chosen: tuple[int, ...] = ()

    @property
    def n_nodes(self) -> int:
        return self.starts.size - 1

    @property
    def count(self) -> int:
        """How many solutions there are."""
        return self._after()[0] if self.n_nodes else 0

    def usage(self) -> dict[int, int]:
        """The number of solutions of each option that is in a solution."""
        after, before = self._after(), [1, *[0] * (self.n_nodes - 1)]
        found = dict.fromkeys(self.chosen, after[0]) if after else {}
        owners, options = self._owners.tolist(), self.option.tolist()
        for node, to, option in zip(owners, self.target.tolist(), options, strict=True):
            before[to] += before[node]
            if option >= 0:
                found[option] = found.get(option, 0) + before[node] * after[to]
        return dict(sorted(found.items()))

    def _after(self) -> list[int]:
        """The number of paths from each node to the end."""
        ways = [0] * self.n_nodes
        if ways:
            ways[-1] = 1
        targets, starts = self.target.tolist(), self.starts.tolist()
        for node in range(self.n_nodes - 2, -1, -1):
            ways[node] = sum(ways[to] for to in targets[starts[node] : starts[node + 1]])
        return ways

    @property
    def _owners(self) -> Long:
        """The node of each edge."""
        return np.repeat(np.arange(self.n_nodes), np.diff(self.starts))

    def samples(self, many: int, seed: int | None = None) -> Iterator[tuple[int, ...]]:
        """Solutions as ascending options, each drawn from all with the same probability."""
        random, after = Random(seed), self._after()
        for _ in range(many if after else 0):
            node, path = 0, []
            while node < self.n_nodes - 1:
                left = random.randrange(after[node])
                for edge in range(int(self.starts[node]), int(self.starts[node + 1])):
                    left -= after[int(self.target[edge])]
                    if left < 0:
                        break
                path.append(edge)
                node = int(self.target[edge])
            options = self.option[np.array(path, np.int64)]
            yield tuple(sorted((*self.chosen, *options[options >= 0].tolist())))


def draw_up(
    sweep: Sweep, used: CopyFields, memory: Memory, chosen: tuple[int, ...] = ()
) -> Diagram:
    """The diagram of all solutions; raises `TooLarge` if it does not fit."""
    none = np.zeros(0, np.int64)
    empty = Diagram(np.zeros(1, np.int64), none, none, chosen)
    if sweep.board.hopeless or used.hopeless:
        return empty
    if not sweep.n_cells:
        one_node = Diagram(np.zeros(2, np.int64), none, none, chosen)
        return one_node if used.enough(used.start[None])[0] else empty
    steps = [STEPS]
    building = built(sweep, used, memory, steps)
    try:
        while True:
            next(building)
            check()
            steps[0] = STEPS
    except StopIteration as end:
        automaton: Automaton = end.value
    memory.what, memory.made = STATES, 0
    return _linked(automaton, memory, chosen) if automaton.n_nodes else empty


def _linked(automaton: Automaton, memory: Memory, chosen: tuple[int, ...]) -> Diagram:
    """The states with their edges; the end is the last level's states with enough of all pieces.

    The states of a level are the different keys that edges lead to, ascending.
    """
    sweep, used, last = automaton.sweep, automaton.copy_fields, automaton.sweep.n_cells
    key_format, direction = KeyFormat.of(automaton), Direction(automaton, memory, forward=True)
    root = key_format.keys(np.zeros(1, np.int64), used.start)
    none = np.zeros(0, np.int64)
    leading: list[list[Leading]] = [[(none, none, root[:0])] for _ in range(last + 1)]
    edges: list[tuple[Long, Long, Long]] = []  # to each level: sources, targets and labels
    for number in patiently(range(last + 1)):
        source, label, keys = map(np.concatenate, zip(*leading[number], strict=True))
        leading[number] = []
        if number == 0:
            keys, to = root, none
        elif number == last:
            fine = used.enough(key_format.used(keys))
            source, label, keys, to = source[fine], label[fine], root, np.zeros_like(source[fine])
        else:
            keys, to = np.unique(keys, axis=0, return_inverse=True)
        edges.append((source, to.reshape(-1) + memory.made, label))
        for size in sweep.sizes:
            goal = number + size
            if goal <= last and len(keys):
                owner, image, made = _follow(automaton, key_format, direction, keys, number, goal)
                memory.take(EDGE_BYTES * owner.size)
                leading[goal].append((owner + memory.made, sweep.image[image], made))
        memory.made += len(keys)
    live = np.zeros(memory.made, bool)
    live[-1] = True
    for number in range(last, 0, -1):
        source, target, label = edges[number]
        fine = live[target]
        edges[number] = source[fine], target[fine], label[fine]
        live[source[fine]] = True
    live[-1] = live[0]
    source, target, label = map(np.concatenate, zip(*edges, strict=True))
    in_order = np.lexsort((label, source))
    numbers, degrees = np.cumsum(live) - 1, np.bincount(source, minlength=live.size)[live]
    starts = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int64)
    option = sweep.board.option[label[in_order]]
    return Diagram(starts, numbers[target[in_order]], option, chosen)


def _follow(
    automaton: Automaton,
    key_format: KeyFormat,
    direction: Direction,
    keys: Bits,
    number: int,
    goal: int,
) -> tuple[Long, Long, Bits]:
    """The edges of states to one level: the state of each, its image, the key that it leads to."""
    _, _, images = direction.edges(number, goal)
    steps = direction.steps(number, goal)
    node, used = key_format.nodes(keys) - steps.base, key_format.used(keys)
    owner = np.repeat(np.arange(len(keys)), np.diff(steps.starts)[node])
    edge = expanded(steps.starts, node)
    kind = steps.kind[edge]
    word = steps.word[kind]
    fits = (used[owner, word] & steps.mask[kind]) != steps.stop[kind]
    owner, edge, kind, word = owner[fits], edge[fits], kind[fits], word[fits]
    fields = used[owner]
    fields[np.arange(owner.size), word] += steps.change[kind]
    to = steps.to[edge].astype(np.int64)
    closed, value = (one.reshape(-1, fields.shape[1]) for one in (steps.closed, steps.value))
    there = to - steps.goal
    fits = ((fields & closed[there]) == value[there]).all(axis=1)
    return owner[fits], images[edge[fits]], key_format.keys(to[fits], fields[fits])
