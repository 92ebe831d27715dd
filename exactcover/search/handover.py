"""Hand-over: a search that goes from engine to engine on the way down.

Each engine above the last one is cut where the next one takes over. A state that it hands out is a
task for the next engine, which searches the subtree of that state. The engines may be one engine
with another heuristic: dlx, then fila, then dlx again. Where filters are applied at every step,
Python searches the top of the tree, and hands over as an engine does. A solution above a cut is a
state too, with nothing left to do below it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import cast

from exactcover.backends.base import (
    Backend,
    Batch,
    CuttingSearch,
    Part,
    Report,
    Status,
    Task,
    Tried,
)
from exactcover.backends.kinds import Opening
from exactcover.backends.tasks import opening_of
from exactcover.problem import Problem
from exactcover.problem.layout import Layout
from exactcover.search.combining import OVERHEAD, joined, sum_tallies
from exactcover.search.stepping import SteppingSearch, Top


@dataclass(frozen=True)
class Leg:
    """Consecutive stages of one backend.

    remaining  it searches while at most this many pieces are left; None: from the start
    branching  a task that branches as the stages do
    """

    backend: Backend
    remaining: int | None
    branching: Task

    def task(self, task: Task, cut: int | None) -> Task:
        """A task for this leg, cut there."""
        how = self.branching
        return replace(
            task, cut=cut, heuristic=how.heuristic, settings=how.settings, phases=how.phases
        )


@dataclass(frozen=True, eq=False)
class LegsOpening:
    """A task made ready for many searches below it, by all legs of an engine."""

    legs: Sequence[Leg]
    top: Top | None
    problem: Problem
    layout: Layout | None
    task: Task

    @cached_property
    def _openings(self) -> list[Opening[CuttingSearch]]:
        """The engines made ready, once the top is searched down to the first of them.

        The last one may be one that cannot be cut; `cutting` refuses it where that is needed.
        """
        openings, task = [], replace(self.task, parted=self.task.parted and self.top is None)
        for leg in self.legs:
            made = opening_of(leg.backend, self.problem, self.layout, leg.task(task, None))
            openings.append(cast("Opening[CuttingSearch]", made))
            task = replace(task, parted=False)  # an engine below searches many trees
        return openings

    def start(self, task: Task) -> CuttingSearch:
        """A search of a subtree; legs below its cut have no part in it."""
        cuts: list[int | None] = []
        for leg in self.legs[1:]:
            assert leg.remaining is not None  # only the first stage may have none
            if task.cut is not None and task.cut >= leg.remaining:
                break
            cuts.append(leg.remaining)
        below = [partial(self._begin, number, cut) for number, cut in enumerate([*cuts, task.cut])]
        if self.top is None:
            first = below.pop(0)(task)
        else:
            first = SteppingSearch(self.problem, self.layout, task, self.top)
            if task.cut is not None and task.cut >= self.top.down_to:
                return first
        return HandedSearch(first, below, tally=task.tally) if below else first

    def _begin(self, number: int, cut: int | None, task: Task) -> CuttingSearch:
        """The search of a subtree by one leg."""
        return self._openings[number].start(self.legs[number].task(task, cut))


class HandedSearch:
    """A search in progress: one engine's search, and below its current state that of the next.

    Only the last engine may be one that cannot be cut.
    """

    def __init__(
        self, first: CuttingSearch, below: Sequence[Callable[[Task], CuttingSearch]], *, tally: bool
    ) -> None:
        """A search, not yet begun.

        below  for each engine below the first: it starts a search of a subtree
        """
        self._begin_below, self._tallies = below, tally
        self._searches = [first]  # each below the current state of the one before it
        self._begun = [0.0]  # the progress of each before its current state
        self._counted = [(0, 0)]  # the fits of each, and the solutions
        self._last_done = False
        self._fits = self._nofits = 0  # of the searches that are over, as is the tally
        self._tally: Mapping[int, Tried] = {}
        self._found = 0

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on for about `steps` choices, see `Search.advance`."""
        batches: list[Batch] = []
        held = 0
        while True:
            if self._last_done:
                self._leave()
            search, level = self._searches[-1], len(self._searches) - 1
            fits, found = self._counted[level]
            if level < len(self._begin_below):
                batch = search.advance(max(steps, 1), capacity=1)
                after = search.report(brief=True)
                self._counted[level] = after.fits, after.found
                steps -= after.fits - fits + OVERHEAD
                if len(batch):
                    self._searches.append(self._begin_below[level](search.below()))
                    self._begun.append(0.0)
                    self._counted.append((0, 0))
                    continue
                self._begun[level] = search.report().progress
            else:
                batch = search.advance(max(steps, 1), capacity=capacity - held, keep=keep)
                after = search.report(brief=True)
                self._counted[level] = after.fits, after.found
                steps -= after.fits - fits
                self._found += after.found - found
                held += len(batch)
                batches.append(batch)
            done = batch.status is Status.DONE
            self._last_done = done and level > 0
            if held == capacity or batch.status is Status.FULL:
                return joined(batches, Status.FULL)
            if done and not level:
                return joined(batches, Status.DONE)
            if not done or steps <= 0:
                return joined(batches, Status.BUDGET)

    def _leave(self) -> None:
        """Leave the last search, which is done, and go on with the one above."""
        report, self._last_done = self._searches.pop().report(brief=not self._tallies), False
        self._begun.pop()
        self._counted.pop()
        self._begun[-1] = self._searches[-1].report().progress
        self._fits += report.fits
        self._nofits += report.nofits
        if self._tallies:
            self._tally = sum_tallies([self._tally, report.tally])

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search, of all engines together.

        A subtree below a state counts as much as its state. An engine that cannot show its options
        is left out of those chosen.
        """
        reports = [search.report(brief=brief) for search in self._searches]
        fits = self._fits + sum([report.fits for report in reports])
        nofits = self._nofits + sum([report.nofits for report in reports])
        if brief:
            return Report(fits, nofits, self._found)
        progress, share = 0.0, 1.0
        for report, begun in zip(reports[:-1], self._begun, strict=False):
            progress += share * begun
            share *= max(0.0, report.progress - begun)
        return Report(
            fits,
            nofits,
            self._found,
            progress=progress + share * reports[-1].progress,
            position=[frame for report in reports for frame in report.position],
            chosen=next(filter(None, (report.chosen for report in reversed(reports))), ()),
            tally=sum_tallies([self._tally, *(report.tally for report in reports)]),
        )

    def below(self) -> Task:
        """The subtree below the state last handed out, once a batch of one is full."""
        return self._searches[-1].below()

    def give_back(self) -> list[Part]:
        """Hand back the branches not begun of the highest node that has any, above or below."""
        share = 1.0
        for level, search in enumerate(self._searches):
            before, parts = search.report().progress, search.give_back()
            if parts:
                if before:  # its tree is smaller now, so what is behind is a larger share of it
                    self._begun[level] *= search.report().progress / before
                return [replace(part, share=share * part.share) for part in parts]
            share *= max(0.0, before - self._begun[level])
        return []
