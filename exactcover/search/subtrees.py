"""The tree of a plan's search, any subtree of which can be searched on its own.

A state is the node that a cut search hands out. A search below a state goes through the nodes that
the search of the whole plan has there, with the engines of its stages; each engine prepares its
tables once. So numbers that are measured below states say something about the whole search.

An engine looks at the whole problem when it starts. With tens of thousands of options that takes
far longer than one choice by plain arrays, a `PlainNode`, so wide states are branched on in Python.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import cached_property
from time import thread_time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Batch, CuttingSearch, Status, Task
from exactcover.backends.dlx import CLAMPS
from exactcover.backends.node import Node
from exactcover.backends.tasks import Residue
from exactcover.base import compiled
from exactcover.problem import IntArray
from exactcover.problem.filters.tree import Flags, excluded_by
from exactcover.search.driver import BATCH, Pace
from exactcover.search.plan import Plan
from exactcover.search.planned import JudgedSearch, canonical_test
from exactcover.search.stages import Stages
from exactcover.search.strategy import Strategy

SLICE = 1 << 15
"""The choices of the first slice, and of all slices of a steady tree."""

START = 1 << 13
"""The cost of starting a search of a tiny problem, in choices."""

Sums = npt.NDArray[np.float64]
"""The summed work of searches: options chosen with 0, 1, ... pieces left before, options tried with
0, 1, ... pieces left, then solutions kept and processor seconds."""

Steps = Generator[None, None, None]
"""Work in slices."""

COVERED = 1 << 40
"""More options than there are: the size of an item that is covered."""


class PlainNode(NamedTuple):
    """A state in plain arrays.

    chosen   the options chosen
    allowed  bool [options]: those that may be chosen besides
    sizes    int64 [primary]: how many of these each item has, or `COVERED`
    """

    chosen: tuple[int, ...]
    allowed: Flags
    sizes: npt.NDArray[np.int64]


class Tree:
    """The tree of a plan's search.

    pieces  left at the root
    lowest  the fewest pieces left at which a search can be cut
    steady  whether slices have a fixed number of choices. Then nothing depends on the clock

    each    the least seconds of a choice so far: that of a stretch without the work of a start
    starting  the cost of starting a search, in choices: an engine looks at the whole problem
    """

    def __init__(self, plan: Plan, strategy: Strategy, *, steady: bool = False) -> None:
        layout = plan.subject.layout
        self.plan, self.steady = plan, steady
        self.pace = Pace(SLICE)
        self.each = np.inf
        self.starting = START + plan.problem.entries.size
        self._stages = Stages(plan, strategy, Task(tally=True))
        self.pieces = self._stages.pieces
        self.lowest = 0 if layout is None else 1
        self._strategy = strategy.below(self.pieces)
        first = self._strategy.stages[0]
        self._plain = (
            (first.backend == "dlx" and first.heuristic in CLAMPS)
            and not (strategy.stepwise or plan.first or plan.triggers)
            and "multiplicities" not in plan.problem.needs
            and (layout is None or bool((layout.option_shape >= 0).all()))
        )

    def sums(self) -> Sums:
        """No search at all."""
        return np.zeros(2 * self.pieces + 4)

    def fits(self, sums: Sums) -> Sums:
        """Of sums: the options chosen with 0, 1, ... pieces left before."""
        return sums[..., : self.pieces + 1]

    def tries(self, sums: Sums) -> Sums:
        """Of sums: the options tried with 0, 1, ... pieces left."""
        return sums[..., self.pieces + 1 : -2]

    def walk(
        self, state: Node | None = None, left: int | None = None, *, cut: int | None
    ) -> SubtreeWalk:
        """A search below a state with this many pieces left, or of the whole tree."""
        node = (state or Node())._replace(left=left)
        return SubtreeWalk(self, self._stages.begin(node, cut=cut), cut)

    def plain(self, left: int) -> bool:
        """Whether the search branches on nodes with this many pieces left as `branches` does.

        It does in the first stage of `dlx`, if each choice places a piece and covers items that no
        other choice covers.
        """
        return self._plain and self._strategy.at(left) == self._strategy.stages[0]

    @cached_property
    def _root(self) -> PlainNode:
        return self.node(Node(self.plan.forced, self.plan.alive))

    def node(self, state: Node) -> PlainNode:
        """A state in plain arrays."""
        if state.allowed is None:
            return self._root
        problem = self.plan.problem
        residue = Residue.of(problem, Task(state.chosen, state.allowed))
        allowed = np.zeros(problem.n_options, bool)
        allowed[residue.options] = True
        sizes = np.bincount(residue.items, minlength=problem.n_items)[: problem.primary]
        return PlainNode(state.chosen, allowed, np.where(residue.room > 0, sizes, COVERED))

    def branches(self, node: PlainNode, left: int) -> IntArray | None:
        """The options that the search chooses from at a node; None: it is a solution."""
        stage = self._strategy.at(left)
        item = int(np.minimum(node.sizes, CLAMPS[stage.heuristic]).argmin())
        if node.sizes[item] == COVERED:
            return None
        options = self.plan.problem.options_of(item)
        return options[node.allowed[options]]

    def below(self, node: PlainNode, option: int) -> PlainNode | None:
        """The node below a choice; None: an item has no option there."""
        problem = self.plan.problem
        allowed = node.allowed & ~excluded_by(problem, node.chosen, option)
        _, gone = problem.rows(np.flatnonzero(node.allowed & ~allowed))
        sizes = np.bincount(problem.entries[gone], minlength=problem.n_items)
        left = node.sizes - sizes[: problem.primary]
        items = problem.items_of(option)
        left[items[items < problem.primary]] = COVERED
        return PlainNode((*node.chosen, option), allowed, left) if left.all() else None


class SubtreeWalk:
    """A search below a state, which measures itself.

    With a cut, `found` is the number of states at that level; otherwise it is the number
    of solutions that count.

    done     whether the search has come to its end
    seconds  of the processor, without those of compilation
    """

    def __init__(self, tree: Tree, search: CuttingSearch, cut: int | None) -> None:
        self._tree, self._search, self._cut = tree, search, cut
        self._judged = JudgedSearch(search, None if cut is not None else canonical_test(tree.plan))
        self.done, self.seconds = False, 0.0

    @property
    def choices(self) -> int:
        """Options tried so far."""
        return self._search.report(brief=True).choices

    @property
    def progress(self) -> float:
        """The share that is searched, 0 to 1."""
        return 1.0 if self.done else self._search.report().progress

    @property
    def found(self) -> int:
        """States or solutions found so far."""
        return self._judged.report(brief=True).found

    def sums(self) -> Sums:
        """The work of the search so far; states are no solutions."""
        sums = self._tree.sums()
        fits, tries = self._tree.fits(sums), self._tree.tries(sums)
        for left, tried in self._search.report().tally.items():
            fits[left], tries[left] = tried.fits, tried.attempts
        sums[-2:] = 0 if self._cut is not None else self.found, self.seconds
        return sums

    def finish(self, most: float = np.inf) -> Steps:
        """Search to the end, or until this number of choices."""
        while not self.done and self.choices < most:
            self._advance(keep=False, most=most - self.choices)
            yield

    def parts(self) -> list[Node]:
        """Hand back all branches that wait; the search goes on with the rest."""
        parts: list[Node] = []
        while back := self._search.give_back():
            parts += back
        return parts

    def rows(self) -> Generator[Batch, None, None]:
        """All states, each as its options."""
        while not self.done:
            yield self._advance(keep=True)

    def pass_over(self, states: int) -> Steps:
        """Go on past this number of states, or to the end."""
        while states > 0 and not self.done:
            states -= len(self._advance(keep=True, capacity=min(states, BATCH)))
            yield

    def hand_out(self) -> Generator[None, None, Node | None]:
        """The next state; None: there is no other."""
        while not self.done:
            if len(self._advance(keep=True, capacity=1)):
                return self._search.below()
            yield
        return None

    def _advance(self, *, keep: bool, capacity: int = BATCH, most: float = np.inf) -> Batch:
        steps = int(max(min(self._tree.pace.steps, most), 1))
        before, began, compiled_before = self.choices, thread_time(), compiled.seconds
        batch = self._judged.advance(steps, capacity=capacity, keep=keep)
        seconds = max(thread_time() - began - (compiled.seconds - compiled_before), 0.0)
        if (made := self.choices - before) > 0:
            self._tree.each = min(self._tree.each, seconds / made)
        if not self._tree.steady:
            self._tree.pace.learn(seconds, spent=batch.status is Status.BUDGET)
        self.seconds += seconds
        self.done = batch.status is Status.DONE
        return batch
