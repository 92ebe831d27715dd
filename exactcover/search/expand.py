"""A node that Python branches on: its children are the states that it hands out.

Filters at every step are applied to one node after the other, before it is branched on. The top of
a tree has few nodes and a filter costs far more than a step, so this part is plain Python. Where
dlx would place a single piece, Python does that, too: the kernel takes far longer to load or to
compile.

Each set of options is reached once: an option that was tried is excluded from the branches after
it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from exactcover.backends.base import Branching, Slice, Status, Tried, Where
from exactcover.backends.dlx import DlxPhases
from exactcover.backends.node import Node
from exactcover.problem import IntArray, Problem
from exactcover.problem.filters.tree import Chosen, Flags, branches, excluded_by
from exactcover.problem.layout import Layout, pieces_left

NodeFilter = Callable[[Chosen, Flags, int], Flags]
"""A function of the options chosen, the options alive and the number of pieces that remain; it
returns the options still alive."""


@dataclass(frozen=True, eq=False)
class Top:
    """How Python searches the nodes of a stage above the engines.

    down_to  nodes are filtered while at least this many pieces remain
    phases   how nodes are branched on, as dlx would do it
    first    every solution has exactly one of these options; it is chosen first
    single   it places a single piece, so its children are for an engine
    how      whether a `tally` is wanted
    """

    problem: Problem
    layout: Layout | None
    node_filter: NodeFilter
    down_to: int
    phases: DlxPhases
    first: frozenset[int]
    single: bool
    how: Branching

    def takes(self, node: Node) -> bool:
        """Whether Python searches a node."""
        return self.left(node) >= self.down_to or self.places_first(node)

    def places_first(self, node: Node) -> bool:
        """Whether one of the options that come first is chosen here."""
        return bool(self.first) and self.first.isdisjoint(node.chosen)

    def left(self, node: Node) -> int:
        """The pieces left at a node."""
        if node.left is not None:
            return node.left
        return pieces_left(self.problem, self.layout, node.chosen)

    def branches(self, node: Node, alive: Flags) -> IntArray | None:
        """The options of the item that is branched on; None: it is a solution."""
        number = self.phases.phase[self.left(node)]
        most_spare, ranks = int(self.phases.clamps[number]) - 1, self.phases.ranks[number]
        return branches(self.problem, node.chosen, alive, most_spare, ranks)


class Expand:
    """The search of one node: it filters it, and hands out its children.

    It hands out the node itself where engines take over, or where the cut is.
    """

    def __init__(self, top: Top, node: Node, cut: int | None) -> None:
        assert node.allowed is not None
        self._top, self._node, self._cut = top, node, cut
        self._left, self._alive = top.left(node), node.allowed
        self._options: IntArray | None = None  # its branches; None: not entered yet
        self.branches = False  # whether its states are its children
        self._at = self._chosen = 0  # branches handed out, and options chosen since the last slice
        self._state = node

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Go on to the next state; see `Search.advance`. To filter the node uses up all steps."""
        if self._options is None and self._enter():
            return Slice(Status.BUDGET)
        assert self._options is not None
        while self._at < self._options.size:
            if self.branches:
                self._state = self._child(int(self._options[self._at]))
            self._at += 1
            if not self._top.single or self._goes_on(self._state):
                return self._slice(Status.FULL, [sorted(self._state.chosen)] if keep else [])
        self._state = self._node
        return self._slice(Status.DONE)

    def _slice(self, status: Status, rows: Sequence[Sequence[int]] = ()) -> Slice:
        many, self._chosen = self._chosen, 0
        tally = {self._left: Tried(many, many)} if many and self._top.how.tally else {}
        is_state = status is Status.FULL
        found = int(is_state and not self.branches)
        state = self._state if is_state else None
        return Slice.of(status, rows, found=found, fits=many, tally=tally, state=state)

    def _enter(self) -> bool:
        """Filter the node, and find its branches; return whether a filter of the plan ran.

        A node that a filter rejects has no branches. The engines take over where no child would be
        filtered.
        """
        top, node, alive = self._top, self._node, self._alive
        filtered, placing = self._left >= top.down_to, top.places_first(node)
        found: IntArray | None = None
        if filtered:
            alive = top.node_filter(node.chosen, alive, self._left)
        if placing:
            images = np.array(sorted(top.first), np.int32)
            found = images[alive[images]]
        elif filtered:
            found = top.branches(node, alive)
        is_cut = self._cut is not None and self._left <= self._cut
        goes_on = found is not None and not is_cut and (placing or self._left > top.down_to)
        if found is not None and (goes_on or not found.size):
            self.branches, self._options = True, found
        else:
            self._options, self._state = np.zeros(1, np.int32), node._replace(allowed=alive)
        self._alive = alive
        return filtered and not top.single

    def _child(self, option: int, share: float = 1.0) -> Node:
        """Choose a branch; the later ones do not try its option again."""
        self._chosen += 1
        node, problem = self._node, self._top.problem
        below = self._alive & ~excluded_by(problem, node.chosen, option)
        self._alive = self._alive.copy()
        self._alive[option] = False
        chosen = (*node.chosen, option)
        return Node(chosen, below, pieces_left(problem, self._top.layout, chosen), share)

    def where(self) -> Where:
        """Where the search is."""
        many = 1 if self._options is None else self._options.size
        return Where(
            progress=self._at / many if many else 1.0,
            position=[(self._at - 1, many)] if self.branches and self._at else [],
            chosen=self._state.chosen,
            share=1 / many if many else 0.0,
        )

    def give_back(self) -> list[Node]:
        """Hand back the branches not begun.

        A branch that ends at once is none: an engine that fills cells in order would notice far
        below that an item has no option left.
        """
        options = self._options
        if options is None or not self.branches or not self._at:
            return []
        self._options, waiting = options[: self._at], options[self._at :].tolist()
        children = [self._child(option, 1 / options.size) for option in waiting]
        return [child for child in children if self._goes_on(child)]

    def _goes_on(self, child: Node) -> bool:
        """Whether a branch has branches, or is for an engine that looks at its items."""
        assert child.allowed is not None
        if self._top.left(child) < self._top.down_to:
            return True
        found = self._top.branches(child, child.allowed)
        return found is None or found.size > 0
