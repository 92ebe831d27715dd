"""Filters at every step: a search that filters each node before it branches.

While enough pieces remain, a node is a task: the options chosen and those alive. The search applies
the filters of the strategy to it, then branches on the item with the fewest options left. Below
these nodes the engines of the stages take over: each node at the boundary is handed out as a state,
as an engine does where it is cut. The top of a tree has few nodes and a filter costs far more than
a step, so this part is plain Python.

Each set of options is reached once: an option that was tried is excluded from the branches after
it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from exactcover.backends.base import Batch, Part, Phase, Report, Status, Task, Tried, searched_share
from exactcover.backends.dlx import read_phases
from exactcover.problem import IntArray, Problem
from exactcover.problem.filters.tree import Chosen, Flags, branches, excluded_by
from exactcover.problem.layout import Layout, pieces_left

NodeFilter = Callable[[Chosen, Flags, int], Flags]
"""A function of the options chosen, the options alive and the number of pieces that remain; it
returns the options still alive."""


@dataclass(frozen=True)
class FilteredTop:
    """How the top of a tree is searched, above the engines.

    down_to  nodes are filtered while at least this many pieces remain
    phases   how nodes are branched, phase by phase
    first    every solution has exactly one of these options; it is chosen first
    """

    node_filter: NodeFilter
    down_to: int
    phases: tuple[Phase, ...] = (Phase("s"),)
    first: frozenset[int] = frozenset()


@dataclass
class FilteredNode:
    """A node with its branches, and the branch being searched."""

    chosen: Chosen
    alive: Flags
    branches: IntArray
    remain: int
    at: int = 0


class SteppingSearch:
    """The search of a tree whose top is filtered: its solutions are states for an engine below.

    States of a cut are handed out too, where the top is cut.
    """

    def __init__(
        self, problem: Problem, layout: Layout | None, task: Task, top: FilteredTop
    ) -> None:
        self._problem, self._layout, self._task = problem, layout, task
        self._filter, self._down_to, self._first = top.node_filter, top.down_to, top.first
        self._phases = read_phases(
            top.phases, layout, problem.n_items, pieces_left(problem, layout)
        )
        alive = problem.choosable
        if task.allowed is not None:
            alive = alive & task.allowed
        for place, option in enumerate(task.chosen):
            alive = alive & ~excluded_by(problem, task.chosen[:place], option)
        self._place: IntArray | None = None
        if task.order is not None:
            self._place = np.empty(problem.n_options, np.int32)
            self._place[task.order] = np.arange(problem.n_options)
        self._stack: list[FilteredNode] = []
        self._at: Task | None = Task(task.chosen, alive)  # a node not entered yet
        self._entered = task.chosen  # of the last node entered
        self._state: Task | None = None  # a node that is a state
        self._waits = False  # the state is not handed out yet
        self._chosen_at: Counter[int] = Counter()  # options chosen, by the pieces left before
        self._done, self._found = False, 0

    # -- the search ---------------------------------------------------------------------------

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on to the next state; see `Search.advance`. A node that is filtered uses up all
        steps."""
        while not self._done and steps > 0:
            if self._waits:
                assert self._state is not None
                self._waits = False
                self._found += 1
                kept = [sorted(self._state.chosen)] if keep else []
                return Batch.of(Status.FULL if keep else Status.BUDGET, kept)
            if self._next():
                break
        return Batch.of(Status.DONE if self._done else Status.BUDGET)

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search; `chosen` has the options of the node entered last."""
        report = Report(self._chosen_at.total(), 0, self._found)
        if brief:
            return report
        tried = sorted(self._chosen_at.items(), reverse=True) if self._task.tally else ()
        return replace(
            report,
            progress=self._progress(),
            position=[(node.at - 1, len(node.branches)) for node in self._stack if node.at],
            chosen=self._task.chosen if self._done else self._entered,
            tally={left: Tried(many, many) for left, many in tried},
        )

    def _progress(self) -> float:
        """The searched share of the tree; sibling branches count equally."""
        if self._done:
            return 1.0
        at = ((max(0, node.at - 1), len(node.branches)) for node in self._stack)
        behind, share = searched_share(at)
        if self._at is not None or self._waits or (self._stack and not self._stack[-1].at):
            return behind
        return behind + share

    def below(self) -> Task:
        """The subtree below the state last handed out, once a batch of one is full."""
        assert self._state is not None
        return self._state

    def give_back(self) -> list[Part]:
        """Hand back the branches not begun of the highest node that has any.

        A branch that ends at once, as `_enter` would find, is none: an engine that fills cells in
        order would notice far below that an item has no option left.
        """
        share = 1.0
        for node in self._stack:
            if not node.at:
                return []
            share /= len(node.branches)
            waiting, node.branches = node.branches[node.at :], node.branches[: node.at]
            parts = [self._part(node, option, share) for option in waiting.tolist()]
            if parts := [part for part in parts if self._goes_on(part)]:
                return parts
        return []

    def _goes_on(self, part: Part) -> bool:
        """Whether a branch has branches, or is for an engine below that looks at its items."""
        assert part.task.allowed is not None
        if part.remaining < self._down_to:
            return True
        found = self._branches(part.task.chosen, part.task.allowed, part.remaining)
        return found is None or len(found) > 0

    def _branches(self, chosen: Chosen, alive: Flags, remain: int) -> IntArray | None:
        """The options of the item that is branched on; None: it is a solution."""
        number = self._phases.phase[remain]
        most_spare, ranks = int(self._phases.clamps[number]) - 1, self._phases.ranks[number]
        return branches(self._problem, chosen, alive, most_spare, ranks)

    def _part(self, node: FilteredNode, option: int, share: float) -> Part:
        """The subtree below a branch that is not begun; the later branches do not try it again."""
        chosen = (*node.chosen, option)
        task = replace(self._task, chosen=chosen, allowed=self._choose(node, option), cut=None)
        return Part(task, pieces_left(self._problem, self._layout, chosen), share)

    # -- its nodes ----------------------------------------------------------------------------

    def _next(self) -> bool:
        """Go to the next node and enter it; return whether it was filtered."""
        while self._at is None:
            if not self._stack:
                self._done = True
                return False
            node = self._stack[-1]
            if node.at == len(node.branches):
                self._stack.pop()
                continue
            option = int(node.branches[node.at])
            node.at += 1
            self._at = Task((*node.chosen, option), self._choose(node, option))
        entered, self._at = self._at, None
        assert entered.allowed is not None
        self._entered = entered.chosen
        return self._enter(entered.chosen, entered.allowed)

    def _choose(self, node: FilteredNode, option: int) -> Flags:
        """Choose a branch of a node; return the options alive below. The later branches do not try
        it again."""
        self._chosen_at[node.remain] += 1
        below = node.alive & ~excluded_by(self._problem, node.chosen, option)
        node.alive = node.alive.copy()
        node.alive[option] = False
        return below

    def _enter(self, chosen: Chosen, alive: Flags) -> bool:
        """Filter a node, then branch, or keep it as a state; return whether it was filtered.

        A node that a filter rejects has no branches. The engines below take over where no child
        would be filtered.
        """
        remain = pieces_left(self._problem, self._layout, chosen)
        filtered = remain >= self._down_to
        placing = bool(self._first) and self._first.isdisjoint(chosen)
        found: IntArray | None = None
        if filtered:
            alive = self._filter(chosen, alive, remain)
        if placing:
            images = np.array(sorted(self._first), np.int32)
            found = images[alive[images]]
        elif filtered:
            found = self._branches(chosen, alive, remain)
        if found is not None and not len(found):
            return True
        is_cut = self._task.cut is not None and remain <= self._task.cut
        if found is not None and not is_cut and (placing or remain > self._down_to):
            if self._place is not None:
                found = found[np.argsort(self._place[found])]
            self._stack.append(FilteredNode(chosen, alive, found, remain))
        else:
            self._state = replace(self._task, chosen=chosen, allowed=alive, cut=None)
            self._waits = True
        return filtered
