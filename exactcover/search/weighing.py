"""The weighing of the subtrees near the root of a search, by probes.

The branches of the root are weighed, or those one or two levels further down if these are few.
First, the states at some depth below each of them are counted, which is quick. Then searches below
a few of these states, drawn at random, say how large they are on average.

`weigh` does this at once. A search that runs long does it in slices, see `PlannedSearch.weigh`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from itertools import pairwise
from math import prod
from random import Random
from time import perf_counter, thread_time

from exactcover.backends.base import CuttingSearch, Status, Task
from exactcover.backends.kinds import CuttingBackend
from exactcover.search.driver import SLICE
from exactcover.search.openings import Openings
from exactcover.search.plan import Plan
from exactcover.search.stages import engine_of
from exactcover.search.strategy import Strategy
from exactcover.search.weights import Subtree, Weights, weights_of

BRANCHES = 8
"""The fewest subtrees that are weighed; with fewer branches at the root, those below them."""

DEEPEST = 4
"""The subtrees that are weighed hang at most this many pieces below the root."""

STATES = 1 << 14
"""The fewest states from which probes are drawn, if there is a depth that has them."""

PROBE = 1 << 14
"""The choices that a probe should take on average."""

LONGEST = 1 << 22
"""The most choices of one probe; what is left of its subtree is then estimated."""

LEAST = 1e-3
"""The least progress that a probe is taken to have made by then."""

ROUND = 8
"""The probes of each subtree in a round."""

LATE = 2
"""Weighing that takes this many times as long as it may is given up."""

STEPS = 1 << 18
"""Choices between two looks at the clock, about 5 ms."""


class Weighing:
    """The weighing of a plan's subtrees, in slices, with searches of its own.

    plan, strategy  of the search
    seconds  of this thread that it may take
    choices  what the search is thought to take; None: unknown
    random   draws the probes

    weights  None before the end, and if the search cannot be cut, hardly branches or takes too long
             to probe
    """

    def __init__(
        self,
        plan: Plan,
        strategy: Strategy,
        *,
        seconds: float,
        choices: float | None = None,
        random: Random | None = None,
    ) -> None:
        self.weights: Weights | None = None
        self.seconds = 0.0  # that it has taken
        self._limit = seconds
        self._wanted = max(STATES, round((choices or 0) / PROBE))
        self._plan, self._strategy = plan, strategy
        self._random = random or Random(0)
        self._steps = self._work()

    def advance(self, seconds: float = SLICE) -> bool:
        """Go on for about so long; return whether there is more to do."""
        began = perf_counter()
        try:
            while perf_counter() - began < seconds and self.seconds < LATE * self._limit:
                self._step()
        except StopIteration:
            return False
        return self.seconds < LATE * self._limit

    def _step(self) -> None:
        began = thread_time()
        try:
            next(self._steps)
        finally:
            self.seconds += thread_time() - began

    def _work(self) -> Iterator[None]:
        """All of the weighing, one subtree after another."""
        if not isinstance(engine_of(self._strategy, self._plan.subject.layout), CuttingBackend):
            return
        self._openings = Openings(self._plan, self._strategy)
        top, subtrees = yield from self._divide()
        if len({one.path for one in subtrees}) < 2:
            return
        for number, one in enumerate(subtrees, 1):
            left = yield from self._count(one, top, self._wanted / len(subtrees))
            while left is not None and not one.known:
                yield from self._probe(one, top, left)
                if self.seconds >= self._limit * number / len(subtrees):
                    break
        self.weights = weights_of(subtrees)

    def _divide(self) -> Generator[None, None, tuple[int, list[Subtree]]]:
        """The subtrees that are weighed, and the pieces left there."""
        subtrees: list[Subtree] = []
        left = pieces = self._openings.pieces
        while left > 1 and pieces - left < DEEPEST:
            left -= 1
            search, subtrees = self._search(Task(), pieces, left), []
            while (task := (yield from next_state(search))) is not None:
                position = search.position()
                equal = prod(1 / branches for _, branches in position)
                subtrees.append(Subtree(task, tuple(branch for branch, _ in position), equal))
            if len({one.path for one in subtrees}) >= BRANCHES:
                break
        return left, subtrees

    def _count(self, one: Subtree, top: int, wanted: float) -> Generator[None, None, int | None]:
        """Count the states from which probes are drawn; return the pieces left there.

        None: the subtree ends before, so counting has searched it.
        """
        for left in range(top - 1, 0, -1):
            search = self._search(one.task, top, left)
            while search.advance(STEPS, keep=False).status is not Status.DONE:
                yield
            yield
            one.states, one.choices = search.found, search.fits + search.nofits
            if not one.states:
                return None
            if one.states >= wanted:
                return left
        return None

    def _probe(self, one: Subtree, top: int, left: int) -> Iterator[None]:
        """Search below some states of a subtree, drawn at random."""
        search = self._search(one.task, top, left)
        draws = [0] * one.states
        if one.states > ROUND:
            draws = sorted(self._random.randrange(one.choices) for _ in range(ROUND))
        for before, draw in pairwise([0, *draws]):
            if draw > before:
                search.advance(draw - before, keep=False)
            task = yield from next_state(search)
            if task is None:
                return
            one.sizes.append((yield from _size(self._search(task, left))))
            yield

    def _search(self, task: Task, left: int, cut: int | None = None) -> CuttingSearch:
        """A search below a state with this many pieces left."""
        return self._openings.start(replace(task, cut=cut), left)


def next_state(search: CuttingSearch) -> Generator[None, None, Task | None]:
    """The next state that a search hands out; None: there is none."""
    while True:
        batch = search.advance(STEPS, capacity=1)
        if len(batch):
            return replace(search.below(), cut=None)
        if batch.status is Status.DONE:
            return None
        yield


def _size(search: CuttingSearch) -> Generator[None, None, float]:
    """The choices of a search; a long one is not finished, and the rest is estimated."""
    while search.advance(STEPS, keep=False).status is not Status.DONE:
        choices = search.fits + search.nofits
        if choices >= LONGEST:
            return choices / max(search.progress(), LEAST)
        yield
    return search.fits + search.nofits


def weigh(plan: Plan, strategy: Strategy, *, seconds: float = 0.5) -> Weights | None:
    """The shares of the subtrees near the root of a search, estimated by probes.

    None if it cannot be cut, hardly branches, or takes too long to probe.
    """
    weighing = Weighing(plan, strategy, seconds=seconds)
    while weighing.advance():
        pass
    return weighing.weights
