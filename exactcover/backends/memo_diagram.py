"""The diagram of all states of `memo`, which has products where a state falls apart.

So that of a problem that falls apart is small where a list of solutions, or a diagram without
products, would be too large.

States that are the same up to a swap of interchangeable items are one node. That changes no number
of solutions. It takes the options of a node to others that the swaps take them to; of these, an
*orbit*, each has the same number of solutions in the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from exactcover.backends.arrays import Bits, Flags, Long, bits_of, numbers_of
from exactcover.backends.automaton.memory import STATES, Memory
from exactcover.backends.base import Branching
from exactcover.backends.diagram import ADVICE, PART, Diagram, Unfolded, Walk, draw_up
from exactcover.backends.memo import Frames, States, backend, kinds_of
from exactcover.backends.memo_kernel import completes, rename, unfold
from exactcover.backends.tasks import checked
from exactcover.problem import IntArray, Layout, Problem

EDGES = 1 << 14
"""The number of edges made between two checks for Ctrl-C."""


@dataclass(frozen=True, eq=False)
class Decomposition(Diagram):
    """The solutions below a node of a search, up to swaps of interchangeable items.

    states  the problem below that node
    """

    states: States

    def _through(self) -> dict[int, int]:
        orbits, of_orbit = _orbits(self.states), Counter[int]()
        sizes = np.bincount(orbits).tolist()
        orbit = dict(zip(self.states.options.tolist(), orbits.tolist(), strict=True))
        for option, many in super()._through().items():
            if option != PART:
                of_orbit[orbit[option]] += many
        return {option: of_orbit[one] // sizes[one] for option, one in orbit.items()}

    def _options(self, walks: Iterable[Walk]) -> Iterator[list[int]]:
        states = self.states
        work, words = Frames.of(states), states.root.size
        classes = [numbers_of(row) for row in states.class_masks.tolist()]
        items = [numbers_of(row) for row in states.masks.tolist()]
        kinds = kinds_of(states.fields, states.field_starts)
        alike: dict[bytes, list[int]] = {}
        for option, row in enumerate(np.hstack([states.masks, kinds])):
            alike.setdefault(bytes(row), []).append(option)
        for walk in walks:
            found = []
            # The states of nodes are followed, and where the swaps took each of their bits.
            waiting = [(states.root, np.arange(64 * words))]
            for edges in walk:
                key, place = waiting.pop()
                if not edges:
                    continue
                [(_, label, below)] = _unfolded(states, work, key.reshape(1, -1))
                names, chosen = _named(states, below), int(self.option[edges[0]])
                taken = [*range(len(label))]
                if chosen != PART:
                    taken = [states.options[label].tolist().index(chosen)]
                    one = int(label[taken[0]])
                    same = alike[bytes(states.masks[one]) + bytes(kinds[one])]
                    there = bits_of(place[items[one]], words)
                    option = alike[bytes(there) + bytes(kinds[one])][same.index(one)]
                    found.append(int(states.options[option]))
                for at in taken:
                    moved, shut = place.copy(), {*numbers_of(below[at].tolist())}
                    for those in classes:  # a name has the closed items of a class first
                        moved[those] = place[sorted(those, key=lambda bit: bit not in shut)]
                    waiting.append((names[at], moved))
            yield found


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
    memory = Memory.by(how.settings, ADVICE)
    memory.what = STATES
    states = States.of(problem, layout, how, how.root)
    work = Frames.of(states)

    def edges(_: int, keys: Bits) -> Iterator[Unfolded]:
        for owner, label, below in _unfolded(states, work, keys):
            option = np.where(label < 0, PART, states.options[label]).astype(np.int64)
            left = np.bitwise_count(~below & states.asked).sum(axis=1).astype(np.int64)
            yield owner, option, _named(states, below), states.n_items - left

    def complete(keys: Bits) -> Flags:
        fine = np.ones(len(keys), bool)
        completes(keys, states.least, fine)
        return fine

    made = draw_up(states.root, states.n_items, edges, complete, memory, how.root.chosen)
    return Decomposition(**vars(made), states=states)


def _named(states: States, keys: Bits) -> Bits:
    names = np.empty_like(keys)
    rename(keys, names, states)
    return names


def _unfolded(states: States, work: Frames, keys: Bits) -> Iterator[tuple[Long, IntArray, Bits]]:
    """The edges of states that are not complete: the row of the state of each, the option that it
    chooses as `states` numbers it, or -1: a part, and the state that is left."""
    least, begin = max(states.n_items, states.first.size), 0
    room = least + (EDGES if len(keys) > 1 else 0)
    while begin < len(keys):
        owner, label = np.empty(room, np.int64), np.empty(room, np.int32)
        below = np.empty((room, keys.shape[1]), np.uint64)
        with np.errstate(over="ignore"):
            begin, made = unfold(begin, keys, states, work, owner, label, below)
        if made:
            yield owner[:made], label[:made], below[:made]
