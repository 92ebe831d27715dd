"""A search reported as events: whole, cut where states count as solutions, or in random trials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import CuttingSearch, Search, Task, Tried, sum_tallies
from exactcover.backends.tasks import Residue
from exactcover.base.patience import check, patiently
from exactcover.cli.commands.polycube.switches import PolycubeSwitches, Translation
from exactcover.errors import ExactCoverError
from exactcover.problem import IntArray
from exactcover.problem.filters.redundancy import single_shapes
from exactcover.problem.filters.tree import Chosen, Flags, excluded_by, times_covered
from exactcover.problem.layout import pieces_left
from exactcover.puzzle import Model
from exactcover.search.driver import MOST_STEPS, Clock, Driver, Pace
from exactcover.search.engine import start_cutting
from exactcover.search.plan import make_plan
from exactcover.search.planned import JudgedSearch, canonical_test
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
        self._tasks = [Task(cut=switches.goal, tally=switches.info)]
        self._done = 0
        self._search: Search | None = None
        if switches.splits:
            self._break_symmetries()

    def _break_symmetries(self) -> None:
        """Give each part pieces that break every symmetry, since the count of a part breaks none.

        The constrained piece breaks all symmetries alone if it is placed first and leaves no
        copies.
        """
        if self._switches.unique:
            raise ExactCoverError(
                "with -u the parts would not add up: leave it out, and they add up to all "
                "solutions; or say -r instead, and they add up to the unique ones"
            )
        model, permutations = self.plan.model, self.subject.permutations
        if model is None or permutations is None:
            return
        task, goal = self._tasks[0], self._switches.goal
        if self.plan.canonical is None:
            if self.plan.first and goal is not None:
                self._tasks = [replace(task, cut=min(goal, self._left(()) - 1))]
            return
        shapes = model.layout.option_shape[sorted(self.plan.first)].tolist()
        steady = tuple(f for f in self.strategy.filters if f.kind.symmetry != "broken")
        self.strategy = replace(self.strategy, filters=steady)
        plan = make_plan(self.subject.counting("all"), self.strategy)
        self.plan = replace(plan, applied=self.plan.applied)
        states = Breaking(model, permutations).states(plan.alive, shapes[0] if shapes else None)
        self._tasks = [replace(task, chosen=state) for state in states]

    def stop(self) -> None:
        """End the search after the step that it is in."""
        self._stopped = True

    @property
    def progress(self) -> float:
        """The searched share of the tree, 0 to 1."""
        now = 0.0 if self._search is None else self._search.report().progress
        return (self._done + now) / max(1, len(self._tasks))

    def events(self) -> Iterator[Event | None]:
        """The events of the search, to its end; None from time to time if there is no event."""
        if self.plan.reason:
            return
        pace = Pace()
        for task in self._tasks:
            make = partial(start_cutting, self.plan, self.strategy, task)
            driver = Driver(make, self.clock, pace)
            driver.advance()  # makes the search
            assert driver.search is not None
            self._search = driver.search
            try:
                yield from self._events_of(driver, driver.search)
            finally:
                self._add_up(driver.search)
            self._search = None
            self._done += 1
        self.finished = not self._stopped

    def _events_of(
        self, driver: Driver[CuttingSearch], search: CuttingSearch
    ) -> Iterator[Event | None]:
        traced, splits = self._switches.trace is not None, self._switches.splits
        listed, unique = not self._switches.quiet, self._switches.unique
        # Whether the solutions themselves are needed, and not only their number.
        keep = listed or traced or splits or unique or self._judge is not None
        stack = search.report().chosen if traced else ()
        already = self.found
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
                self.found = already + search.report(brief=True).found
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

    def _add_up(self, *searches: Search) -> None:
        """Add the figures of searches that are over."""
        reports = [search.report() for search in searches]
        self.fits += sum(report.fits for report in reports)
        self.nofits += sum(report.nofits for report in reports)
        tallies = [report.tally for report in reports]
        self.by_remaining = sum_tallies([self.by_remaining, *tallies])

    def _check_part(self, chosen: Chosen, below: Task) -> None:
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


# -- trials ---------------------------------------------------------------------------------------


class Trial(NamedTuple):
    """The outcome of one trial: the options of the state below which it searched (None: it reached
    no state), the number of solutions, and the seconds that it took."""

    state: Chosen | None
    found: int
    seconds: float


class Trials(Walk):
    """`-s`: how many solutions a strategy finds in random corners of a tree too large to search.

    A trial tries the options in a random order and goes down until a given number of pieces are
    left. Then it searches the whole subtree below that state, and ends. In the words of the
    article: it ends the first time that a piece is removed with that number of pieces left. Trials
    differ by their order alone, so two strategies, or two numbers at which a stage begins, can be
    compared by their rates of solutions. A trial that is stopped is not counted.

    done  the trials that are over
    """

    def __init__(
        self, content: Solvable, switches: PolycubeSwitches, translation: Translation
    ) -> None:
        if switches.goal is not None or switches.trace is not None:
            raise ExactCoverError("-s samples whole searches: leave -g and -t out")
        super().__init__(content, switches, translation)
        assert switches.sampling is not None
        self._sampling = switches.sampling
        self.done: list[Trial] = []

    @property
    def progress(self) -> float:
        """The share of the trials that is over."""
        return len(self.done) / self._sampling.trials

    def events(self) -> Iterator[Event | None]:
        """The solutions of each trial after it; None at its end."""
        number = 0
        while not self.plan.reason and len(self.done) < self._sampling.trials:
            solutions = self._trial()
            if solutions is None:
                return
            for number, solution in enumerate(solutions, number + 1):  # noqa: B020
                yield Event("found", solution, 0, number)
            yield None
        self.finished = True

    def _trial(self) -> list[Chosen] | None:
        """Make the next trial, and return its solutions if they are printed; None: stopped."""
        rng = np.random.Generator(np.random.PCG64([self._sampling.seed, len(self.done) + 1]))
        order = rng.permutation(self.plan.problem.n_options).astype(np.int32)
        before, state, tally = self.clock.seconds, None, self._switches.info
        task = Task(order=order, cut=self._sampling.remaining - 1, tally=tally)
        above = Driver(partial(start_cutting, self.plan, self.strategy, task), self.clock)
        while not above.done and state is None:
            if self._stopped:
                return None
            batch = above.advance(capacity=1)
            state = batch.solution(0) if len(batch) else None
        assert above.search is not None
        searches: list[Search] = [above.search]
        solutions: list[Chosen] = []
        if state is not None:
            task = replace(above.search.below(), order=order, cut=None, tally=tally)
            below = Driver(partial(self._below, task), self.clock)
            while not below.done:
                if self._stopped:
                    return None
                batch = below.advance(keep=not self._switches.quiet)
                solutions += map(batch.solution, range(len(batch)))
            assert below.search is not None
            searches.append(below.search)
        found = 0 if state is None else searches[-1].report().found
        self._add_up(*searches)
        self.found += found
        self.done.append(Trial(state, found, self.clock.seconds - before))
        return solutions

    def _below(self, task: Task) -> JudgedSearch:
        """The search of the subtree below a state."""
        return JudgedSearch(start_cutting(self.plan, self.strategy, task), self._judge)

    def rates(self) -> Iterator[str]:
        """The results so far, as lines."""
        found = [float(trial.found) for trial in self.done]
        seconds = [trial.seconds for trial in self.done]
        reached = sum(trial.state is not None for trial in self.done)
        yield (
            f"# {len(found)} trials, {reached} of them with a state to search below, "
            f"{self.found} solutions in {sum(seconds):.3f} s"
        )
        each, error = rate(found, [1.0] * len(found))
        second, second_error = rate(found, seconds)
        yield (
            f"# solutions per trial: {each:.4f} +- {error:.4f}, "
            f"per second: {second:.4f} +- {second_error:.4f}"
        )


def rate(found: Sequence[float], spent: Sequence[float]) -> tuple[float, float]:
    """The mean number found per unit spent, with its standard error to first order."""
    total, n = sum(spent), len(found)
    if not total:
        return 0.0, 0.0
    value = sum(found) / total
    if n < 2:
        return value, float("inf")
    squares = sum((f - value * s) ** 2 for f, s in zip(found, spent, strict=True))
    return value, sqrt(squares * n / (n - 1)) / total


# -- states that break every symmetry -------------------------------------------------------------


class FixedState(NamedTuple):
    """A state on the way: the options chosen, the symmetries that fix them all (int64 [n]: their
    numbers), and the options still allowed."""

    chosen: Chosen
    fixing: npt.NDArray[np.int64]
    left: Flags


@dataclass(frozen=True, eq=False)
class Breaking:
    """States that break every symmetry, so that plain counts below them add up to the unique count.

    Constraining one piece may leave symmetric copies: an image that a symmetry fixes does not break
    that symmetry. Here choices are made until no symmetry fixes all of them. A choice is the image
    of a piece that occurs once, if the symmetries left map this piece to itself. Else it is the
    cover of a cell and of every cell that the symmetries left take it to. Every solution makes the
    choice in exactly one way, and symmetric solutions make it in symmetric ways. One way per orbit
    is taken, and goes on with the symmetries that fix it. So each solution, up to symmetry, lies
    below exactly one of the states.

    Each cell must be filled, as in every puzzle that polycube's format can represent. So there is
    always a choice, until the state is a solution.

    permutations  int32 [s, options]: the rotations, including the identity
    """

    model: Model
    permutations: IntArray

    def states(self, alive: Flags, first: int | None) -> Iterator[Chosen]:
        """The options chosen in each state.

        alive  bool [options]: those that may be chosen, closed under the symmetries
        first  the shape of the piece that is placed first; None: the one with the fewest orbits
        """
        problem = self.model.problem
        stack = [FixedState((), np.arange(len(self.permutations), dtype=np.int64), alive)]
        while stack:
            check()
            state = stack.pop()
            times = times_covered(problem, state.chosen)[: problem.primary]
            if len(state.fixing) == 1 or (times >= problem.low).all():
                yield state.chosen
            else:
                stack += self._next(state, None if state.chosen else first)

    def _next(self, state: FixedState, first: int | None) -> list[FixedState]:
        """The ways to make the choice that has the fewest ways, one per orbit."""
        shapes = self.model.layout.option_shape
        group, used = self.permutations[state.fixing], shapes[list(state.chosen)]
        choices: list[list[Chosen]] = []
        for shape in single_shapes(self.model.layout).tolist() if first is None else [first]:
            images = np.flatnonzero(shapes == shape)
            if shape not in used and (shapes[group[:, images]] == shape).all():
                choices.append([(image,) for image in images.tolist()])
        orbits = sorted(self._open_orbits(state), key=len) if first is None else []
        alone = [cells for cells in orbits if len(cells) == 1]
        for cells in alone or ([] if choices else orbits[:1]):
            choices.append(self._covers(cells, state))
        return min((self._ways(choice, state) for choice in choices), key=len, default=[])

    def _ways(self, ways: list[Chosen], state: FixedState) -> list[FixedState]:
        """The states that ways to choose lead to, one per orbit."""
        group = self.permutations[state.fixing]
        out = []
        for way in patiently(ways):
            moved = np.sort(group[:, list(way)], axis=1).tolist()
            own = sorted(way)
            if not state.left[own].all() or min(moved) != own:
                continue
            below, chosen = state.left, state.chosen
            for option in way:
                below = below & ~excluded_by(self.model.problem, chosen, option)
                chosen = (*chosen, option)
            fixed = np.array([row == own for row in moved])
            out.append(FixedState(chosen, state.fixing[fixed], below))
        return out

    def _open_orbits(self, state: FixedState) -> list[list[int]]:
        """The cells still to be filled, grouped by the symmetries that exchange them."""
        times = times_covered(self.model.problem, state.chosen)
        open_ = np.flatnonzero(times[self.model.layout.cell_item] == 0)
        symmetries = self.model.symmetries
        moved = symmetries.cells[symmetries.rotation][state.fixing][:, open_]
        first = moved.min(axis=0)
        return [np.unique(moved[:, n]).tolist() for n in np.flatnonzero(first == open_).tolist()]

    def _covers(self, cells: list[int], state: FixedState) -> list[Chosen]:
        """The ways to cover these cells."""
        problem = self.model.problem
        items = self.model.layout.cell_item[cells].tolist()
        ways: list[Chosen] = []
        stack: list[tuple[Chosen, Flags]] = [((), state.left)]
        while stack:
            way, left = stack.pop()
            times = times_covered(problem, way)
            item = next((item for item in items if not times[item]), None)
            if item is None:
                ways.append(way)
                continue
            for option in problem.options_of(item).tolist():
                if left[option]:
                    below = left & ~excluded_by(problem, (*state.chosen, *way), option)
                    stack.append(((*way, option), below))
        return ways
