"""Hand-over: a search whose lower part another engine searches, or the same one in another way.

The engine above is cut where so many pieces are left. Each state that it hands out is a task for
the engine below; what that finds is one subtree of the whole. Both may be what the other is, so
hand-overs nest: dlx, then fila, then dlx again. Solutions that lie above the cut are states too,
below which nothing is left to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from exactcover.backends.base import (
    Backend,
    Batch,
    Capabilities,
    CuttingSearch,
    Opening,
    Search,
    Status,
    Task,
    Tried,
)
from exactcover.backends.tasks import opening_of
from exactcover.problem import Problem
from exactcover.problem.layout import Layout

OVERHEAD = 64
"""So many steps of the budget one state costs, beside its search."""


class HandingOver:
    """An engine made of two: from so many pieces left on the lower one searches."""

    def __init__(self, upper: Backend, lower: Backend, remaining: int) -> None:
        self.name, self.summary = f"{upper.name}; {lower.name}", upper.summary
        self.capabilities = Capabilities(
            features=upper.capabilities.shared_features(lower.capabilities),
            heuristics=upper.capabilities.heuristics,
            triggers=upper.capabilities.triggers,
            cuts=lower.capabilities.cuts,
            opens=True,
        )
        self._upper, self._lower, self._remaining = upper, lower, remaining

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> Search:
        """A search of the subtree that the task names."""
        return self.opening(problem, layout, task).start(task)

    def opening(self, problem: Problem, layout: Layout | None, task: Task) -> Opening:
        """The task made ready for many searches below it, for both engines."""
        uncut = replace(task, cut=None)
        return Opened(
            opening_of(self._upper, problem, layout, uncut),
            opening_of(self._lower, problem, layout, uncut),
            self._remaining,
        )


@dataclass(frozen=True)
class Opened:
    """A task made ready for both engines."""

    upper: Opening
    lower: Opening
    remaining: int

    def start(self, task: Task) -> Search:
        """A search of a subtree of the task; one cut above the hand-over is the upper engine's."""
        if task.cut is not None and task.cut >= self.remaining:
            return self.upper.start(task)
        upper = self.upper.start(replace(task, cut=self.remaining))
        return HandedSearch(cast("CuttingSearch", upper), self.lower, task)


class HandedSearch:
    """A search under way: where the upper engine stands, and below it the lower one."""

    def __init__(self, upper: CuttingSearch, lower: Opening, task: Task) -> None:
        self._upper, self._lower, self._task = upper, lower, task
        self._inner: CuttingSearch | None = None
        self._inner_done = False
        self._begun = 0.0  # progress of the upper search before the state it stands at
        self._below = [0, 0]  # fits and no-fits of the lower searches that are over
        self._tally: Counter[tuple[int, bool]] = Counter()
        self.found = 0

    @property
    def fits(self) -> int:
        """Options chosen so far, above and below."""
        inner = self._inner.fits if self._inner is not None else 0
        return self._upper.fits + self._below[0] + inner

    @property
    def nofits(self) -> int:
        """Options tried so far that did not fit, above and below."""
        inner = self._inner.nofits if self._inner is not None else 0
        return self._upper.nofits + self._below[1] + inner

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Search on for about `steps` choices, see `Search.advance`."""
        batches: list[Batch] = []
        held = 0
        while True:
            if self._inner_done:
                self._leave()
            if self._inner is None:
                before = self._upper.fits
                state = self._upper.advance(steps, capacity=1)
                steps -= self._upper.fits - before + OVERHEAD
                if not len(state):
                    self._begun = self._upper.progress()
                    if state.status is Status.BUDGET and steps > 0:
                        continue
                    return joined(batches, state.status)
                below = replace(self._upper.below(), cut=self._task.cut)
                self._inner = cast("CuttingSearch", self._lower.start(below))
            inner = self._inner
            fits, found = inner.fits, inner.found
            batch = inner.advance(max(steps, 1), capacity=capacity - held, keep=keep)
            steps -= inner.fits - fits
            self.found += inner.found - found
            self._inner_done = batch.status is Status.DONE
            held += len(batch)
            batches.append(batch)
            if held == capacity or batch.status is Status.FULL:
                return joined(batches, Status.FULL)
            if batch.status is Status.BUDGET or steps <= 0:
                return joined(batches, Status.BUDGET)

    def _leave(self) -> None:
        """Have done with a lower search, and go on with the upper one."""
        assert self._inner is not None
        self._below[0] += self._inner.fits
        self._below[1] += self._inner.nofits
        _count(self._tally, self._inner, self._task)
        self._begun = self._upper.progress()
        self._inner, self._inner_done = None, False

    def chosen(self) -> tuple[int, ...]:
        """The options on the stack, in the order of choice, after those of the task."""
        return (self._inner or self._upper).chosen()

    def tally(self) -> Mapping[int, Tried]:
        """What was tried, by the number of pieces left before; empty where it was not asked for."""
        sums = Counter(self._tally)
        for search in (self._upper, self._inner):
            if search is not None:
                _count(sums, search, self._task)
        return tried(sums)

    def below(self) -> Task:
        """The subtree below the state last handed out, once a batch of one is full."""
        assert self._inner is not None
        return self._inner.below()

    def progress(self) -> float:
        """How much of the tree is behind it: what lies below a state is as much as the state is."""
        if self._inner is None:
            return self._upper.progress()
        share = max(0.0, self._upper.progress() - self._begun)
        return self._begun + share * self._inner.progress()

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first: which branch of how many is being searched at each level."""
        below = self._inner.position() if self._inner is not None else ()
        return [*self._upper.position(), *below]


# -- tallies and batches --------------------------------------------------------------------------


def _count(sums: Counter[tuple[int, bool]], search: CuttingSearch, task: Task) -> None:
    """Add a search's tally to these sums, where it was asked for."""
    if task.tally:
        add_tally(sums, search.tally())


def add_tally(sums: Counter[tuple[int, bool]], tally: Mapping[int, Tried]) -> None:
    """Add a tally to sums by the number of pieces left, attempts and (true) fits apart."""
    for left, counts in tally.items():
        sums[left, False] += counts.attempts
        sums[left, True] += counts.fits


def tried(sums: Counter[tuple[int, bool]]) -> dict[int, Tried]:
    """The sums as a tally, most pieces first."""
    lefts = sorted({left for left, _ in sums}, reverse=True)
    return {left: Tried(sums[left, False], sums[left, True]) for left in lefts}


def joined(batches: Sequence[Batch], status: Status) -> Batch:
    """The solutions of several batches as one batch."""
    filled = [batch for batch in batches if len(batch)]
    if len(filled) == 1:
        return replace(filled[0], status=status)
    lengths = [np.diff(batch.starts) for batch in filled]
    starts = np.concatenate([[0], *lengths]).cumsum()
    options = [batch.options for batch in filled]
    return Batch(status, starts, np.concatenate([np.zeros(0, np.int32), *options]))
