"""Hand-over: one engine searches the upper part of a tree, another engine the lower part.

The upper engine is cut where few enough pieces are left. Each state that it hands out is a task for
the lower engine, which searches the subtree of that state. The two may be the same engine with
another heuristic. Both may be hand-overs themselves: dlx, then fila, then dlx again. A solution
above the cut is a state too, with nothing left to do below it.

The upper engine must be a `CuttingBackend`. If the lower engine is one too, so is the pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from exactcover.backends.base import (
    Backend,
    Batch,
    Capabilities,
    CuttingSearch,
    Part,
    Search,
    Status,
    Task,
    Tried,
)
from exactcover.backends.kinds import CuttingBackend, Opening, OpeningBackend, SearchT
from exactcover.backends.tasks import opening_of
from exactcover.problem import Problem
from exactcover.problem.layout import Layout
from exactcover.search.combining import OVERHEAD, joined, sum_tallies

# -- engines --------------------------------------------------------------------------------------


def handing_over(upper: CuttingBackend, lower: Backend, remaining: int) -> Backend:
    """An engine made of two: the lower one searches while at most `remaining` pieces are left."""
    if isinstance(lower, CuttingBackend):
        return CuttingHandingOver(upper, lower, remaining)
    return HandingOver(upper, lower, remaining)


class HandingOver(OpeningBackend):
    """An engine made of two, of which the lower one cannot be cut."""

    def __init__(self, upper: CuttingBackend, lower: Backend, remaining: int) -> None:
        self.name, self.summary = f"{upper.name}; {lower.name}", upper.summary
        self.capabilities = _shared(upper, lower)
        self._upper, self._lower, self._remaining = upper, lower, remaining

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> Search:
        """A search of the subtree that the task names."""
        return self.opening(problem, layout, task).start(task)

    def opening(self, problem: Problem, layout: Layout | None, task: Task) -> Opening[Search]:
        """The task made ready for many searches below it, for both engines."""
        uncut = replace(task, cut=None)
        return HandoverOpening(
            self._upper.opening(problem, layout, uncut),
            opening_of(self._lower, problem, layout, replace(uncut, parted=False)),
            self._remaining,
        )


class CuttingHandingOver(CuttingBackend):
    """An engine made of two that can both be cut."""

    def __init__(self, upper: CuttingBackend, lower: CuttingBackend, remaining: int) -> None:
        self.name, self.summary = f"{upper.name}; {lower.name}", upper.summary
        self.capabilities = _shared(upper, lower)
        self._upper, self._lower, self._remaining = upper, lower, remaining

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> CuttingSearch:
        """A search of the subtree that the task names."""
        return self.opening(problem, layout, task).start(task)

    def opening(
        self, problem: Problem, layout: Layout | None, task: Task
    ) -> Opening[CuttingSearch]:
        """The task made ready for many searches below it, for both engines."""
        uncut = replace(task, cut=None)
        return CuttingHandoverOpening(
            self._upper.opening(problem, layout, uncut),
            self._lower.opening(problem, layout, replace(uncut, parted=False)),
            self._remaining,
        )


def _shared(upper: CuttingBackend, lower: Backend) -> Capabilities:
    """The capabilities that two engines have together."""
    return Capabilities(
        features=upper.capabilities.shared_features(lower.capabilities),
        heuristics=upper.capabilities.heuristics,
        triggers=upper.capabilities.triggers,
    )


# -- openings -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HandoverOpening:
    """A task made ready for two engines, of which the lower one cannot be cut."""

    upper: Opening[CuttingSearch]
    lower: Opening[Search]
    remaining: int

    def start(self, task: Task) -> Search:
        """A search of a subtree of the task."""
        return HandedSearch(self.upper.start(replace(task, cut=self.remaining)), self.lower, task)


@dataclass(frozen=True)
class CuttingHandoverOpening:
    """A task made ready for two engines that can both be cut."""

    upper: Opening[CuttingSearch]
    lower: Opening[CuttingSearch]
    remaining: int

    def start(self, task: Task) -> CuttingSearch:
        """A search of a subtree; the upper engine alone does one that is cut above the
        hand-over."""
        if task.cut is not None and task.cut >= self.remaining:
            return self.upper.start(task)
        upper = self.upper.start(replace(task, cut=self.remaining))
        return CuttingHandedSearch(upper, self.lower, task)


# -- searches -------------------------------------------------------------------------------------


class HandedSearch(Generic[SearchT]):
    """A search in progress: the upper search, and the lower search below its current state."""

    def __init__(self, upper: CuttingSearch, lower: Opening[SearchT], task: Task) -> None:
        self._upper, self._lower, self._task = upper, lower, task
        self._inner: SearchT | None = None
        self._inner_done = False
        self._begun = 0.0  # progress of the upper search before its current state
        self._below = [0, 0]  # fits and no-fits of the lower searches that are over
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
        """Go on for about `steps` choices, see `Search.advance`."""
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
                self._inner = self._lower.start(below)
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
        """Leave a lower search that is done, and go on with the upper one."""
        assert self._inner is not None
        self._below[0] += self._inner.fits
        self._below[1] += self._inner.nofits
        self._begun = self._upper.progress()
        self._inner, self._inner_done = None, False

    def progress(self) -> float:
        """The searched share of the tree; a subtree below a state counts as much as its state."""
        if self._inner is None:
            return self._upper.progress()
        share = max(0.0, self._upper.progress() - self._begun)
        return self._begun + share * self._inner.progress()

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first: which branch of how many is being searched at each level."""
        below = self._inner.position() if self._inner is not None else ()
        return [*self._upper.position(), *below]


class CuttingHandedSearch(HandedSearch[CuttingSearch]):
    """A search under way whose lower engine can be cut too."""

    def __init__(self, upper: CuttingSearch, lower: Opening[CuttingSearch], task: Task) -> None:
        super().__init__(upper, lower, task)
        self._tally: Mapping[int, Tried] = {}  # of the lower searches that are over

    def _leave(self) -> None:
        """Leave a lower search, and keep its tally."""
        if self._task.tally and self._inner is not None:
            self._tally = sum_tallies([self._tally, self._inner.tally()])
        super()._leave()

    def chosen(self) -> tuple[int, ...]:
        """The options on the stack, in the order of choice, after those of the task."""
        return (self._inner or self._upper).chosen()

    def tally(self) -> Mapping[int, Tried]:
        """The options tried, by the number of pieces left before; empty without a tally."""
        if not self._task.tally:
            return {}
        inner = [self._inner.tally()] if self._inner is not None else []
        return sum_tallies([self._tally, self._upper.tally(), *inner])

    def below(self) -> Task:
        """The subtree below the state last handed out, once a batch of one is full."""
        assert self._inner is not None
        return self._inner.below()

    def give_back(self) -> list[Part]:
        """Hand back the branches not begun of the highest node that has any, above or below."""
        above = self._upper.give_back()
        if self._inner is None:
            self._begun = self._upper.progress()
        if above or self._inner is None:
            return above
        share = max(0.0, self._upper.progress() - self._begun)
        return [replace(part, share=share * part.share) for part in self._inner.give_back()]
