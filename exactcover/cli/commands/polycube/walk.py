"""A search as events: its solutions, or the states that count as such, and each step of a trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from exactcover.backends.base import CuttingSearch, Task, Tried
from exactcover.backends.node import Node
from exactcover.backends.tasks import Residue
from exactcover.cli.commands.polycube.switches import PolycubeSwitches, Translation
from exactcover.errors import ExactCoverError
from exactcover.problem.filters.tree import Chosen
from exactcover.problem.layout import pieces_left
from exactcover.search.driver import MOST_STEPS, Clock, Driver
from exactcover.search.plan import make_plan
from exactcover.search.planned import canonical_test
from exactcover.search.stages import start_cutting
from exactcover.search.subject import Solvable, Subject

MOST = 1 << 10
"""The most solutions of one slice."""


class Event(NamedTuple):
    """Something that happened in a search.

    kind     `placed`, `removed` or `found`
    chosen   the options of the state after it, in the order of choice
    left     how many pieces are left then
    number   the number of the solution, counted from 1; 0 for a step
    """

    kind: str
    chosen: Chosen
    left: int
    number: int = 0


class Walk:
    """A search in progress, as events; `stop` ends it from a signal handler.

    With a trace, placements and removals are events too, one step at a time. States that become
    separate puzzles are refused if their counts would not add up.

    by_remaining  the options tried, by the number of pieces left before; empty without `-i`
    finished      whether the search came to its end
    """

    def __init__(
        self, content: Solvable, switches: PolycubeSwitches, translation: Translation
    ) -> None:
        self.subject = Subject.of(content, translation.counted)
        self.strategy, self._switches = translation.strategy, switches
        self._layout = layout = self.subject.layout
        if switches.splits and layout is not None and (layout.copies[:, 1] > 1).any():
            # `_check_part` could not distinguish filtered placements from copies tried before.
            steady = tuple(f for f in self.strategy.filters if f not in self.strategy.stepwise)
            self.strategy = replace(self.strategy, filters=steady)
        self.plan = make_plan(self.subject, self.strategy)
        self.found = self.fits = self.nofits = 0
        self.by_remaining: Mapping[int, Tried] = {}
        self.clock = Clock()
        self.finished = False
        self._stopped = False
        self._seen: set[bytes] = set()
        self._judge = canonical_test(self.plan) if switches.goal is None else None
        self._search: CuttingSearch | None = None

    def stop(self) -> None:
        """End the search after the step that it is in."""
        self._stopped = True

    @property
    def progress(self) -> float:
        """The searched share of the tree, 0 to 1."""
        return 0.0 if self._search is None else self._search.report().progress

    def _cut(self) -> int | None:
        """How many pieces are left where a state counts as a solution.

        The count of a part breaks no symmetry, so the constrained piece is in each part, and must
        break all symmetries alone.
        """
        goal = self._switches.goal
        if goal is None or not self._switches.splits or self.subject.permutations is None:
            return goal
        if self._switches.unique:
            raise ExactCoverError(
                "with -u the parts would not add up: leave it out, and they add up to all "
                "solutions; or say -r instead, and they add up to the unique ones"
            )
        if self.plan.canonical is not None:
            raise ExactCoverError(
                "the parts would not add up, since the piece of -r leaves rotated copies of "
                "solutions: name another with -r=PIECE, or leave -r out"
            )
        return min(goal, self._left(()) - 1) if self.plan.first else goal

    def events(self) -> Iterator[Event | None]:
        """The events of the search, to its end; None from time to time if there is no event."""
        task = Task(cut=self._cut(), tally=self._switches.info)
        if self.plan.reason:
            return
        driver = Driver(partial(start_cutting, self.plan, self.strategy, task), self.clock)
        driver.advance()  # makes the search
        self._search = search = driver.search
        assert search is not None
        try:
            yield from self._events_of(driver, search)
        finally:
            report = search.report()
            self.fits, self.nofits, self.by_remaining = report.fits, report.nofits, report.tally
        self.finished = not self._stopped

    def _events_of(
        self, driver: Driver[CuttingSearch], search: CuttingSearch
    ) -> Iterator[Event | None]:
        traced, splits = self._switches.trace is not None, self._switches.splits
        listed, unique = not self._switches.quiet, self._switches.unique
        # Whether the solutions themselves are needed, and not only their number.
        keep = listed or traced or splits or unique or self._judge is not None
        stack = search.report().chosen if traced else ()
        while not self._stopped and not driver.done:
            before = self.found
            batch = driver.advance(
                capacity=1 if traced or splits else MOST,
                keep=keep,
                most_steps=1 if traced else MOST_STEPS,
            )
            if traced and len(batch):
                reached = _ordered(batch.solution(0), stack, search.report().chosen)
                yield from self._steps(stack, reached)
                stack = reached
            if splits and len(batch):
                self._check_part(batch.solution(0), search.below())
            kept = range(len(batch)) if self._judge is None else self._judge(batch)[0].tolist()
            for options in map(batch.solution, kept):
                if self._is_new(options):
                    self.found += 1
                    if listed:
                        yield Event("found", options, self._left(options), self.found)
            if traced:
                after = search.report().chosen
                yield from self._steps(stack, after)
                stack = after
            if not keep:
                self.found = search.report(brief=True).found
            if self.found == before:
                yield None

    def _is_new(self, options: Chosen) -> bool:
        """Whether a state that counts as a solution is no rotation of an earlier one."""
        group, switches = self.subject.permutations, self._switches
        if not switches.unique or switches.goal is None or group is None:
            return True
        moved = np.sort(group[:, list(options)], axis=1)
        first = moved[np.lexsort(moved.T[::-1])[0]].tobytes() if options else b""
        known = first in self._seen
        self._seen.add(first)
        return not known

    def _steps(self, before: Chosen, after: Chosen) -> Iterator[Event]:
        """The removals and placements between two states."""
        common = 0
        while common < min(len(before), len(after)) and before[common] == after[common]:
            common += 1
        for size in range(len(before) - 1, common - 1, -1):
            yield Event("removed", before[:size], self._left(before[:size]))
        for size in range(common + 1, len(after) + 1):
            yield Event("placed", after[:size], self._left(after[:size]))

    def _left(self, chosen: Chosen) -> int:
        return pieces_left(self.plan.problem, self._layout, chosen)

    def _check_part(self, chosen: Chosen, below: Node) -> None:
        """Refuse a state unless its solutions are exactly those of a puzzle with its pieces
        placed."""
        assert below.allowed is not None
        assert self._layout is not None
        left = Residue.of(self.plan.problem, Task(chosen, self.plan.alive)).options
        several = self._layout.copies[:, 1] > 1
        shapes = self._layout.option_shape[left]
        if ((shapes >= 0) & several[shapes] & ~below.allowed[left]).any():
            raise ExactCoverError(
                f"a state with {self._left(chosen)} pieces left was come to after other copies "
                "of a piece had been tried, which a puzzle cannot say: its part of the solutions "
                "would be counted twice. Fill cells instead of placing pieces, as with -o x"
            )


def _ordered(found: Chosen, before: Chosen, now: Chosen) -> Chosen:
    """A state as a stack that has the longest possible beginning in common with the one before."""
    if sorted(now) == list(found):
        return now
    common = 0
    while common < len(before) and before[common] in found:
        common += 1
    return (*before[:common], *(option for option in found if option not in before[:common]))
