"""Filters at every step: a search that filters each node before it branches.

While enough pieces remain, a node is a task: the options chosen and those alive. The filters of the
strategy are applied to it, then the item with fewest options left is branched on. Below that the
backend takes over, and each node where it does is one task of its own. There are few nodes so high
in a tree and a filter costs far more than a step, so this part is plain Python.

Each set of options is reached once: an option that has been tried is not tried again beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from exactcover.backends.base import Backend, Batch, Search, Status, Task
from exactcover.filters.tree import Chosen, Flags, branches, choosable, excluded_by
from exactcover.layout import Layout
from exactcover.problem import IntArray, Problem

NodeFilter = Callable[[Chosen, Flags, int], Flags]
"""From the options chosen, those alive, and the number of pieces that remain, to those alive."""


@dataclass
class Node:
    """A node with its branches: which of them is being searched."""

    chosen: Chosen
    alive: Flags
    branches: IntArray
    at: int = 0


class SteppingSearch:
    """The search of a tree whose top is filtered and whose subtrees a backend searches."""

    def __init__(
        self,
        backend: Backend,
        problem: Problem,
        layout: Layout | None,
        task: Task,
        *,
        node_filter: NodeFilter,
        down_to: int,
        pieces: int,
        heuristic: str = "s",
    ) -> None:
        self._backend, self._problem, self._layout, self._task = backend, problem, layout, task
        self._filter, self._down_to, self._pieces = node_filter, down_to, pieces
        self._most_spare = None if heuristic == "s" else 1
        alive = choosable(problem)
        if task.allowed is not None:
            alive &= task.allowed
        for place, option in enumerate(task.chosen):
            alive = alive & ~excluded_by(problem, task.chosen[:place], option)
        self._stack: list[Node] = []
        self._inner: Search | None = None
        self._done = False
        self.fits = 0
        self.nofits = 0
        self.found = 0
        self._enter(task.chosen, alive)

    # -- the search ---------------------------------------------------------------------------

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Search on; see `Search.advance`. A node that is filtered counts as many steps."""
        if self._inner is None and not self._done:
            self._next()
        if self._inner is None:
            nothing = np.zeros(1, np.int64), np.zeros(0, np.int32)
            return Batch(Status.DONE if self._done else Status.BUDGET, *nothing)
        inner, before = self._inner, (self._inner.found, self._inner.fits, self._inner.nofits)
        batch = inner.advance(steps, capacity=capacity, keep=keep)
        self.found += inner.found - before[0]
        self.fits += inner.fits - before[1]
        self.nofits += inner.nofits - before[2]
        if batch.status is not Status.DONE:
            return batch
        self._inner = None
        self._next()
        return replace(batch, status=Status.DONE if self._done else Status.BUDGET)

    def progress(self) -> float:
        """How much of the tree is behind it, taking sibling branches as equals."""
        if self._done:
            return 1.0
        behind, share = 0.0, 1.0
        for node in self._stack:
            share /= max(1, len(node.branches))
            behind += share * (node.at - 1)
        return behind + share * (self._inner.progress() if self._inner is not None else 0.0)

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first: which branch of how many is being searched at each level."""
        above = [(node.at - 1, len(node.branches)) for node in self._stack]
        return above + list(self._inner.position() if self._inner is not None else ())

    # -- the tree above -----------------------------------------------------------------------

    def _enter(self, chosen: Chosen, alive: Flags) -> None:
        """Come to a node: filter it, then branch, or hand it to the backend."""
        remain = self._pieces - len(chosen)
        if remain >= self._down_to:
            alive = self._filter(chosen, alive, remain)
            found = branches(self._problem, chosen, alive, self._most_spare)
            if found is not None:
                self._stack.append(Node(chosen, alive, found))
                return
        task = Task(chosen, alive, self._task.heuristic, self._task.settings)
        self._inner = self._backend.start(self._problem, self._layout, task)

    def _next(self) -> None:
        """Go to the next node: the next branch of the lowest node that has one."""
        while self._stack:
            node = self._stack[-1]
            if node.at < len(node.branches):
                option = int(node.branches[node.at])
                node.at += 1
                self.fits += 1
                below = node.alive & ~excluded_by(self._problem, node.chosen, option)
                node.alive = node.alive.copy()
                node.alive[option] = False  # beside it, it is not tried again
                self._enter((*node.chosen, option), below)
                return
            self._stack.pop()
        self._done = True
