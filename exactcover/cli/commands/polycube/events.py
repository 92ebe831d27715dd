"""A search reported as events: cut where states count as solutions, or step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from exactcover.backends import get_backend
from exactcover.backends.base import Batch, CuttingSearch, Search, Task, Tried, sum_tallies
from exactcover.backends.tasks import Residue, require
from exactcover.cli.commands.polycube.breaking import Breaking
from exactcover.cli.commands.polycube.switches import PolycubeSwitches
from exactcover.cli.commands.polycube.translation import Translation
from exactcover.errors import CapabilityError, ExactCoverError
from exactcover.problem import IntArray
from exactcover.problem.layout import pieces_left
from exactcover.search.driver import MOST_STEPS, Driver, Pace
from exactcover.search.engine import start_search
from exactcover.search.plan import make_plan
from exactcover.search.subject import Subject

if TYPE_CHECKING:
    from exactcover.formats import Document

MOST = 1 << 10


@dataclass(frozen=True)
class Event:
    """Something that happened in a search.

    kind     `placed`, `removed` or `found`
    chosen   the options of the state after it, in the order of choice
    left     how many pieces are left then
    number   the number of the solution, counted from 1; 0 for a step
    """

    kind: str
    chosen: tuple[int, ...]
    left: int
    number: int = 0


class Walk:
    """A search in progress, as events; `stop` ends it from a signal handler.

    With a trace, placements and removals are events too, one step at a time. States that become
    separate puzzles are refused if their counts would not add up.
    """

    def __init__(
        self, document: Document, switches: PolycubeSwitches, translation: Translation
    ) -> None:
        goal, parts, unique = switches.goal, switches.splits, switches.unique
        traced, tally = switches.trace is not None, switches.info
        self.problem, self.model = document.problem, document.model
        self.strategy = translation.strategy
        for stage in self.strategy.stages:
            backend = get_backend(stage.backend)
            require(backend, self.problem)
            looked_into = goal is not None or traced or tally or len(self.strategy.stages) > 1
            if looked_into and not backend.capabilities.cuts:
                raise CapabilityError(f"{stage}: the searches of {backend.name} cannot be cut")
        self._layout = self.model.layout if self.model is not None else None
        self.subject = Subject.of(document.content, translation.counted)
        permutations = self.subject.permutations
        if parts and self._layout is not None and (self._layout.copies[:, 1] > 1).any():
            # `_check_part` could not distinguish filtered placements from copies tried before.
            steady = tuple(f for f in self.strategy.filters if f not in self.strategy.stepwise)
            self.strategy = replace(self.strategy, filters=steady)
        self.plan = make_plan(self.subject, self.strategy)
        self._permutations = permutations if unique else None
        self._goal, self._traced, self._parts = goal, traced, parts
        self._listed = not switches.quiet
        self._seen: set[bytes] = set()
        self._stopped = False
        self.finished = False
        self.found = 0
        self.seconds = 0.0
        self._searches: list[Search] = []
        self._tasks = [Task(cut=goal, tally=tally)]
        self._pace = Pace()
        if parts and unique:
            raise ExactCoverError(
                "with -u the parts would not add up: leave it out, and they add up to all "
                "solutions; or say -r instead, and they add up to the unique ones"
            )
        if parts and permutations is not None:
            self._start_below_broken(permutations)

    def _start_below_broken(self, permutations: IntArray) -> None:
        """Give each part pieces that break every symmetry, since the count of a part breaks none.

        The constrained piece breaks all symmetries alone if it is placed first and leaves no
        copies.
        """
        if self.plan.canonical is None:
            if self.plan.first and self._goal is not None:
                highest = self._left(()) - 1
                self._tasks = [replace(self._tasks[0], cut=min(self._goal, highest))]
            return
        assert self.model is not None
        plain = replace(self.strategy, filters=tuple(
            one for one in self.strategy.filters if one.kind.symmetry != "broken"
        ))  # fmt: skip
        shapes = self.model.layout.option_shape[sorted(self.plan.first)]
        shape = int(shapes[0]) if len(shapes) else None
        before = self.plan.applied
        self.strategy = plain
        self.plan = make_plan(self.subject.counting("all"), plain)
        self.plan = replace(self.plan, applied=before)
        symmetries = self.model.symmetries
        breaking = Breaking(
            self.problem, self.model.layout, permutations, symmetries.cells[symmetries.rotation]
        )
        states = breaking.states(self.plan.alive, shape)
        self._tasks = [replace(self._tasks[0], chosen=state) for state in states]

    def stop(self) -> None:
        """End the search after the step that it is in."""
        self._stopped = True

    @property
    def progress(self) -> float:
        """The searched share of the tree, 0 to 1."""
        if not self._searches:
            return 0.0
        now = self._searches[-1].report().progress
        return (len(self._searches) - 1 + now) / len(self._tasks)

    @property
    def fits(self) -> int:
        return sum(search.report(brief=True).fits for search in self._searches)

    @property
    def nofits(self) -> int:
        return sum(search.report(brief=True).nofits for search in self._searches)

    @property
    def by_remaining(self) -> Mapping[int, Tried]:
        """The options tried, by the number of pieces left before."""
        return sum_tallies(search.report().tally for search in self._searches)

    def events(self) -> Iterator[Event | None]:
        """The events of the search, to its end; None from time to time if there is no event."""
        if self.plan.reason:
            return
        began = perf_counter()
        for task in self._tasks:
            driver = Driver(partial(start_search, self.plan, self.strategy, task), pace=self._pace)
            for event in self._events_of(driver):
                self.seconds = perf_counter() - began
                yield event
        self.seconds = perf_counter() - began
        self.finished = not self._stopped

    def _events_of(self, driver: Driver[Search]) -> Iterator[Event | None]:
        driver.advance()  # makes the search
        search = driver.search
        assert search is not None
        self._searches.append(search)
        cutting = search if isinstance(search, CuttingSearch) else None
        traced = cutting if self._traced else None
        parted = cutting if self._parts else None
        stack = traced.report().chosen if traced is not None else ()
        already = self.found
        while not self._stopped and not driver.done:
            batch, before = self._advance(driver), self.found
            found = [batch.solution(number) for number in range(len(batch))]
            if traced is not None and found:
                reached = _ordered(found[0], stack, traced.report().chosen)
                yield from self._steps(stack, reached)
                stack = reached
            if parted is not None and found:
                self._check_part(found[0], parted.below())
            for options, wanted in zip(found, self._wanted(found), strict=True):
                if wanted:
                    self.found += 1
                    if self._listed:
                        yield Event("found", options, self._left(options), self.found)
            if traced is not None:
                after = traced.report().chosen
                yield from self._steps(stack, after)
                stack = after
            if not self._keeps:
                self.found = already + search.report(brief=True).found
            if self.found == before:
                yield None

    @property
    def _keeps(self) -> bool:
        """Whether the solutions themselves are needed, and not only their number."""
        unsure = self.plan.canonical is not None or self._permutations is not None
        return self._listed or self._traced or self._parts or unsure

    def _advance(self, driver: Driver[Search]) -> Batch:
        """A slice of the search; a single choice if it is traced."""
        return driver.advance(
            capacity=1 if self._traced or self._parts else MOST,
            keep=self._keeps,
            most_steps=1 if self._traced else MOST_STEPS,
        )

    def _steps(self, before: tuple[int, ...], after: tuple[int, ...]) -> Iterator[Event]:
        """The removals and placements between two states."""
        common = 0
        while common < min(len(before), len(after)) and before[common] == after[common]:
            common += 1
        for size in range(len(before) - 1, common - 1, -1):
            yield Event("removed", before[:size], self._left(before[:size]))
        for size in range(common + 1, len(after) + 1):
            yield Event("placed", after[:size], self._left(after[:size]))

    def _wanted(self, found: list[tuple[int, ...]]) -> list[bool]:
        """Which of these are not rotations of states or solutions reported already."""
        if self._goal is None and self.plan.canonical is not None and found:
            starts = np.cumsum([0, *map(len, found)])
            flat = np.concatenate([np.array(one, np.int32) for one in found])
            return [bool(many) for many in self.plan.canonical.fixing(starts, flat)]
        if self._goal is None or self._permutations is None:
            return [True] * len(found)
        wanted = []
        for options in found:
            moved = np.sort(self._permutations[:, list(options)], axis=1)
            first = moved[np.lexsort(moved.T[::-1])[0]].tobytes() if len(options) else b""
            wanted.append(first not in self._seen)
            self._seen.add(first)
        return wanted

    def _left(self, chosen: tuple[int, ...]) -> int:
        return pieces_left(self.problem, self._layout, chosen)

    def _check_part(self, chosen: tuple[int, ...], below: Task) -> None:
        """Refuse a state unless its solutions are exactly those of a puzzle with its pieces
        placed."""
        assert below.allowed is not None
        assert self._layout is not None
        left = Residue.of(self.problem, Task(chosen, self.plan.alive)).options
        several = self._layout.copies[:, 1] > 1
        shapes = self._layout.option_shape[left]
        hidden = left[(shapes >= 0) & several[shapes] & ~below.allowed[left]]
        if len(hidden):
            raise ExactCoverError(
                f"a state with {self._left(chosen)} pieces left was come to after other copies "
                "of a piece had been tried, which a puzzle cannot say: its part of the solutions "
                "would be counted twice. Fill cells instead of placing pieces, as with -o x"
            )


def _ordered(
    found: tuple[int, ...], before: tuple[int, ...], now: tuple[int, ...]
) -> tuple[int, ...]:
    """A state as a stack that has the longest possible beginning in common with the one before."""
    if sorted(now) == list(found):
        return now
    common = 0
    while common < len(before) and before[common] in found:
        common += 1
    return (*before[:common], *(option for option in found if option not in before[:common]))
