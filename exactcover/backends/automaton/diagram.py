"""The diagram of all solutions of a board: its states, made forward from the empty board.

An edge places an image on the first open cell, and every path to an end is a solution, once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from exactcover.backends.arrays import Bits, Flags, expanded
from exactcover.backends.automaton.counting import backend, board_below
from exactcover.backends.automaton.levels import Direction, KeyFormat
from exactcover.backends.automaton.nodes import Automaton, built
from exactcover.backends.base import Branching
from exactcover.backends.diagram import ADVICE, Diagram, Unfolded, draw_up
from exactcover.backends.memory import STATES
from exactcover.backends.tasks import checked
from exactcover.base.patience import check
from exactcover.problem import Layout, Problem

STEPS = 1 << 22
"""The number of edges made between two checks for Ctrl-C."""


def diagram(problem: Problem, layout: Layout | None, how: Branching) -> Diagram:
    """All solutions below a root as one diagram; raises `TooLarge` if it does not fit."""
    how = checked(backend, problem, layout, how)
    sweep, used, memory = board_below(problem, layout, how, how.root)
    memory.advice = ADVICE
    none, last = np.zeros(0, np.int64), sweep.n_cells
    nothing = Diagram(np.zeros(2, np.int64), none, none, np.zeros(1, bool), how.root.chosen)
    if sweep.board.hopeless or used.hopeless:
        return nothing
    steps = [STEPS]
    building = built(sweep, used, memory, steps)
    try:
        while True:
            next(building)
            check()
            steps[0] = STEPS
    except StopIteration as end:
        automaton: Automaton = end.value
    if not automaton.n_nodes:
        return nothing
    memory.what, memory.made = STATES, 0
    key_format, direction = KeyFormat.of(automaton), Direction(automaton, memory, forward=True)
    root = key_format.keys(np.zeros(1, np.int64), used.start)
    unfold = partial(_unfolded, automaton, key_format, direction)

    def complete(keys: Bits) -> Flags:
        return used.enough(key_format.used(keys))

    return draw_up(root, last, unfold, complete, memory, how.root.chosen)


def _unfolded(
    automaton: Automaton, key_format: KeyFormat, direction: Direction, level: int, keys: Bits
) -> Iterator[Unfolded]:
    """The edges of states of a level, by the size of the images that they place."""
    sweep = automaton.sweep
    for goal in (level + size for size in sweep.sizes):
        if goal > sweep.n_cells:
            break
        _, _, images = direction.edges(level, goal)
        steps = direction.steps(level, goal)
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
        owner, edge = owner[fits], edge[fits]
        option = sweep.board.option[sweep.image[images[edge]]]
        below = key_format.keys(to[fits], fields[fits])
        yield owner, option, below, np.full(owner.size, goal)
