"""All solutions below a node as a diagram of sums and products: to draw from them and count them.

A node of the diagram is a state of `memo`. Its number of solutions is the sum of those of the
states below it, one for each option of an item, or the product of those of its parts. So the
diagram of a problem that falls apart is small where a list of solutions, or a diagram without
products, would be too large.

States that are the same up to a swap of interchangeable items are one node. That changes no number
of solutions. It takes the options of a node to others that the swaps take them to; of these, an
*orbit*, each has the same number of solutions in the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from random import Random

import numpy as np

from exactcover.backends.arrays import Bits, Long, bits_of, numbers_of
from exactcover.backends.base import Branching
from exactcover.backends.memo import Frames, States, backend, kinds_of
from exactcover.backends.memo_kernel import completes, rename, unfold
from exactcover.backends.tasks import checked
from exactcover.base.machine import free_memory
from exactcover.base.patience import patiently
from exactcover.errors import TooLarge
from exactcover.problem import IntArray, Layout, Problem

EDGES = 1 << 14
"""The number of edges made between two checks for Ctrl-C."""

EDGE_BYTES = 80
"""The bytes of an edge and its numbers in the end, beside its state."""

Edges = tuple[Long, IntArray, Bits]
"""The node that each edge leaves; its option, -1: the edge leads to a part; the state below."""


@dataclass(frozen=True, eq=False)
class Decomposition:
    """The solutions below a node of a search.

    states   the problem below that node
    starts   int64 [nodes + 1]: where the edges of each node begin
    target   int64 [edges]: the node that an edge leads to, always a higher one
    label    int32 [edges]: the option that it chooses, as `states` numbers it; -1: it leads to a
             part, as do all edges of its node
    names, number  uint64 [nodes, words], int64 [nodes]: the states, and which node each is
    chosen   the options of the node, which are in every solution

    The root is node 0, the end the last one, which several states may be.
    """

    states: States
    starts: Long
    target: Long
    label: IntArray
    names: Bits
    number: Long
    chosen: tuple[int, ...] = ()

    @property
    def n_nodes(self) -> int:
        return self.starts.size - 1

    @property
    def count(self) -> int:
        """How many solutions there are."""
        return self._ways[0]

    @cached_property
    def _ways(self) -> list[int]:
        """The number of solutions of each node; that of the end is 1."""
        ways = [0] * (self.n_nodes - 1) + [1]
        starts, target, label = self.starts.tolist(), self.target.tolist(), self.label.tolist()
        for node in range(self.n_nodes - 2, -1, -1):
            begin, end = starts[node], starts[node + 1]
            if begin < end and label[begin] < 0:
                many = 1
                for to in target[begin:end]:
                    many *= ways[to]
            else:
                many = sum(ways[to] for to in target[begin:end])
            ways[node] = many
        return ways

    def usage(self) -> dict[int, int]:
        """The number of solutions of each option that is in a solution."""
        ways, orbit = self._ways, _orbits(self.states)
        target, label = self.target.tolist(), self.label.tolist()
        times, of_orbit = [1] + [0] * (self.n_nodes - 1), [0] * (int(orbit.max(initial=-1)) + 1)
        orbit_of = orbit.tolist()
        for node, (begin, end) in enumerate(pairwise(self.starts.tolist())):
            many = times[node]
            if not (many and ways[node]):
                continue
            for to, option in zip(target[begin:end], label[begin:end], strict=True):
                if option < 0:
                    times[to] += many * (ways[node] // ways[to])
                elif ways[to]:
                    times[to] += many
                    of_orbit[orbit_of[option]] += many * ways[to]
        sizes = np.bincount(orbit).tolist()
        options = zip(self.states.options.tolist(), orbit_of, strict=True)
        found = dict.fromkeys(self.chosen, ways[0])
        found |= {option: of_orbit[one] // sizes[one] for option, one in options}
        return {option: many for option, many in sorted(found.items()) if many}

    def samples(self, many: int, seed: int | None = None) -> Iterator[tuple[int, ...]]:
        """Solutions as ascending options, each drawn from all with the same probability."""
        random, ways, end, states = Random(seed), self._ways, self.n_nodes - 1, self.states
        node_of = dict(zip(map(bytes, self.names), self.number.tolist(), strict=True))
        work, words = Frames.of(states), states.root.size
        classes = [numbers_of(row) for row in states.class_masks.tolist()]
        items = [numbers_of(row) for row in states.masks.tolist()]
        kinds = kinds_of(states.fields, states.field_starts)
        alike: dict[bytes, list[int]] = {}
        for option, row in enumerate(np.hstack([states.masks, kinds])):
            alike.setdefault(bytes(row), []).append(option)
        for _ in range(many if ways[0] else 0):
            found = [*self.chosen]
            # The states of nodes are followed, and where the swaps took each of their bits.
            waiting = [(0, states.root, np.arange(64 * words))] if end else []
            while waiting:
                node, key, place = waiting.pop()
                [(_, label, below)] = _unfolded(states, work, key.reshape(1, -1))
                names = _named(states, below)
                nodes, edges = [node_of.get(bytes(one), -1) for one in names], range(len(label))
                if label[0] >= 0:
                    left, at = random.randrange(ways[node]), 0
                    while (left := left - (ways[nodes[at]] if nodes[at] >= 0 else 0)) >= 0:
                        at += 1
                    one, edges = int(label[at]), range(at, at + 1)
                    same = alike[bytes(states.masks[one]) + bytes(kinds[one])]
                    there = bits_of(place[items[one]], words)
                    option = alike[bytes(there) + bytes(kinds[one])][same.index(one)]
                    found.append(int(states.options[option]))
                for at in edges:
                    if nodes[at] < end:
                        moved, shut = place.copy(), {*numbers_of(below[at].tolist())}
                        for those in classes:  # a name has the closed items of a class first
                            moved[those] = place[sorted(those, key=lambda bit: bit not in shut)]
                        waiting.append((nodes[at], names[at], moved))
            yield tuple(sorted(found))


def _orbits(states: States) -> Long:
    """A number for each option: equal if swaps of interchangeable items take one to the other."""
    inside = states.class_masks
    beside = states.masks & ~np.bitwise_or.reduce(inside, axis=0, initial=0)
    each = np.bitwise_count(states.masks[:, None] & inside).sum(axis=2, dtype=np.uint64)
    rows = np.hstack([beside, each, kinds_of(states.fields, states.field_starts)])
    orbits: Long = np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
    return orbits


def diagram(problem: Problem, layout: Layout | None, how: Branching) -> Decomposition:
    """All solutions below a root as one diagram.

    Raises `TooLarge` if it does not fit, and `CapabilityError` as a count does.
    """
    how = checked(backend, problem, layout, how)
    given = how.settings.get("memory")
    limit = free_memory() // 2 if given is None else int(given) << 20
    states = States.of(problem, layout, how, how.root)
    work = Frames.of(states)
    root: Edges = np.full(1, -1), np.full(1, -1, np.int32), states.root.reshape(1, -1)
    # By the number of open items: an option or a part leaves fewer of them.
    leading: list[list[Edges]] = [[] for _ in range(states.n_items)] + [[root]]
    edges: list[tuple[Long, Long, IntArray]] = []
    known: list[tuple[Bits, Long]] = []
    nodes = taken = 0
    for left in patiently(range(states.n_items, -1, -1)):
        if not leading[left]:
            continue
        source, label, below = (np.concatenate(part) for part in zip(*leading[left], strict=True))
        leading[left] = []
        keys, to = np.unique(_named(states, below), axis=0, return_inverse=True)
        number, fine = np.arange(len(keys)) + nodes, np.ones(len(keys), bool)
        if left == 0:  # all that are complete are the end
            completes(keys, states.least, fine)
            number[:] = nodes
        to = to.reshape(-1)
        edges.append((source[fine[to]], number[to][fine[to]], label[fine[to]]))
        known.append((keys[fine], number[fine]))
        for owner, chosen, made in _unfolded(states, work, keys) if left else ():
            taken += made.nbytes + EDGE_BYTES * owner.size
            if taken > limit:
                advice = "allow more memory: all states are held at once"
                raise TooLarge("the states", nodes + int(owner[-1]), limit, advice=advice)
            items = np.bitwise_count(~made & states.asked).sum(axis=1)
            for some in np.unique(items).tolist():
                those = items == some
                leading[some].append((number[owner[those]], chosen[those], made[those]))
        nodes += len(keys) if left or not fine.any() else 0
    source, target, label = (np.concatenate(part)[1:] for part in zip(*edges, strict=True))
    names, numbers = (np.concatenate(part) for part in zip(*known, strict=True))
    in_order = np.argsort(source, kind="stable")
    degrees = np.bincount(source, minlength=nodes + 1)
    return Decomposition(
        states=states,
        starts=np.concatenate([[0], np.cumsum(degrees)]),
        target=target[in_order],
        label=label[in_order],
        names=names,
        number=numbers,
        chosen=how.root.chosen,
    )


def _named(states: States, keys: Bits) -> Bits:
    names = np.empty_like(keys)
    rename(keys, names, states)
    return names


def _unfolded(states: States, work: Frames, keys: Bits) -> Iterator[Edges]:
    """The edges of states that are not complete; the first of each is the row of a state."""
    least, begin = max(states.n_items, states.first.size), 0
    room = least + (EDGES if len(keys) > 1 else 0)
    while begin < len(keys):
        owner, label = np.empty(room, np.int64), np.empty(room, np.int32)
        below = np.empty((room, keys.shape[1]), np.uint64)
        with np.errstate(over="ignore"):
            begin, made = unfold(begin, keys, states, work, owner, label, below)
        if made:
            yield owner[:made], label[:made], below[:made]
