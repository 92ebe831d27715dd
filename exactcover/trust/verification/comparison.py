"""Engines compared on one puzzle: as sets of solutions, by count, or on parts drawn at random.

The others are compared with the first. If all solutions are listed, they are compared as sets. If
there are too many, they are compared by count. If an engine does not finish, the first must also
find its solutions so far, and both get the same parts of the puzzle: some pieces are fixed, as in a
solution or at random, and the rest is searched. If the first cannot list all solutions, others may
be able to count them: their counts are compared with each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from exactcover.backends.base import Task
from exactcover.base.patience import within
from exactcover.base.values import CONVENTIONS, Convention
from exactcover.base.values.arguments import check_kind, check_whole
from exactcover.errors import CapabilityError, ExactCoverError, StrategyError, TimeUp, TooLarge
from exactcover.problem import IntArray
from exactcover.problem.filters.tree import branches, excluded_by
from exactcover.puzzle import Model, Puzzle
from exactcover.search.counting.counts import Counting
from exactcover.search.driver import Shared
from exactcover.search.result import Solution
from exactcover.search.subject import Solvable, Subject, counted_as
from exactcover.trust.verification.engines import (
    AUTOMATIC,
    Contender,
    Findings,
    Options,
    SearchBounds,
    SideBySide,
)
from exactcover.trust.verification.placements import PlacementCheck
from exactcover.trust.verification.verdict import Checked, Difference, Limits, Verdict

INDEPENDENT = (AUTOMATIC, "dlx:s", "cpsat")
"""The engines that are compared by default: they share little or no code."""

FOR_RECTANGLES = (AUTOMATIC, "nooverlap")
"""Those for a puzzle that keeps its rectangles: a matrix of cells would be large."""

CHOICES = 2000
"""Pieces are fixed until the first engine needs about this many choices for the part."""


class Verifying(Shared):
    """A verification under way; `stop` ends it from a signal handler or another thread.

    One thread runs it; with several workers it starts others for the engines. All solutions are
    compared, including symmetric copies. So the engines' handling of symmetries is verified too.
    """

    def __init__(
        self,
        subject: Solvable,
        *,
        engines: Sequence[str] | None = None,
        counted: Convention | None = None,
        limits: Limits | None = None,
        expected: int | None = None,
        seed: int = 0,
        workers: int = 1,
    ) -> None:
        super().__init__()
        listed = 'a list of strategies, as in ["auto", "dlx"]'
        check_kind("engines", engines, (list, tuple, type(None)), listed)
        for engine in engines or ():
            check_kind("engines", engine, str, "a list of strategies, each a text")
        check_kind("limits", limits, (Limits, type(None)), "Limits(seconds=...), or None")
        check_whole("expected", expected)
        check_whole("seed", seed, least=0, optional=False)
        check_whole("workers", workers, least=1, optional=False)
        if engines is not None and not engines:
            raise ExactCoverError("no engine to verify with: name one at least")
        self.model: Model | None = None
        self.limits = limits or Limits()
        self.expected, self.workers = expected, workers
        self.counted = counted_as(counted, puzzle=isinstance(subject, Puzzle))
        self._given = subject
        self.engines: list[Contender] = []
        with suppress(TimeUp), within(self.limits.seconds):  # then no engine is run
            given = Subject.of(subject, "all")
            self.problem, self.model = given.problem, given.model
            if self.model is not None and self.counted != "all":
                _ = self.model.symmetries  # a puzzle may have too many
            if engines is None:
                first = Contender(AUTOMATIC, given)
                engines = INDEPENDENT if first.takes_parts else FOR_RECTANGLES
                self.engines = [first, *(Contender(name, given) for name in engines[1:])]
            else:
                self.engines = [Contender(name, given) for name in engines]
        self._random = np.random.default_rng(seed)
        self._tell: Callable[[str], None] = lambda _: None
        self._searches = SideBySide(workers, self._watch)
        self._fixed_all_but = 3
        self._checked: list[Checked] = []
        self._first: Findings | None = None
        self._counted: Findings | None = None
        self._count = 0

    def __repr__(self) -> str:
        names = ", ".join(engine.name for engine in self.engines)
        return f"<Verifying {names}: {len(self._checked)} of {len(self.engines)} engines done>"

    def run(self, tell: Callable[[str], None] = lambda _: None) -> Verdict:
        """Compare the engines; `tell` is called several times a second with the current step."""
        with self._only_turn():
            return self._run(tell)

    def _run(self, tell: Callable[[str], None]) -> Verdict:
        self._tell = tell
        self._checked = checked = []
        self._first, self._counted, self._count = None, None, 0
        difference: Difference | None = None
        with self._searches as searches:
            searches.begin(self.engines, self._bounds())
            for number, engine in enumerate(self.engines, 1):
                if self._stopped or difference is not None:
                    break
                try:
                    if self._first is None:
                        found = self._first = searches.found(engine)
                        one = _checked(found, "first", "")
                        if not found.finished:
                            one = replace(one, reason=_came_to(found))
                            if not self._stopped:  # the others count, as far as they can
                                able = [other for other in self.engines[number:] if other.counts]
                                searches.begin(able, SearchBounds(self.limits.seconds))
                    else:
                        one, difference = self._against(self._first, engine)
                except (CapabilityError, StrategyError) as error:
                    one = _checked(Findings(engine), "refused", "", reason=str(error))
                checked.append(one)
        if self._first is None:
            return Verdict("interrupted" if self._stopped else "limit", 0, tuple(checked))
        return self._judged(tuple(checked), self._first, difference)

    def broken_off(self) -> Verdict:
        """The verdict so far, after an exception ended the verification."""
        return Verdict("interrupted", self._count, tuple(self._checked))

    def solution(self, options: Options) -> Solution:
        """A solution in the form that the solver returns."""
        return Solution(options, self.problem, self.model)

    # -- searches -----------------------------------------------------------------------------

    def _bounds(self, choices: int | None = None) -> SearchBounds:
        return SearchBounds(self.limits.seconds, choices, self.limits.listed)

    def _find(self, engine: Contender, task: Task, bounds: SearchBounds | None = None) -> Findings:
        with self._searches.turn():
            return engine.find(task, bounds or self._bounds(), lambda found: self._watch([found]))

    def _watch(self, at_work: Sequence[Findings]) -> bool:
        """Tell what engines have found so far; return whether they shall stop."""
        if at_work:
            if self._first is None:
                self._count = at_work[0].count
            self._tell("; ".join(f"{one.engine.name}: {one.count:,} found" for one in at_work))
        return self._stopped

    # -- one engine against the first ---------------------------------------------------------

    def _against(self, first: Findings, engine: Contender) -> tuple[Checked, Difference | None]:
        """An engine compared with the first, as well as the limits allow.

        Where the first did not finish, an engine that counts is compared with another that does.
        """
        found, reason = Findings(engine), ""
        if first.finished or engine.counts:
            try:
                found = self._searches.found(engine)
            except TooLarge as error:
                reason = str(error)
        other = first if first.finished else self._counted
        if found.finished and other is not None:
            listed = other.solutions is not None and found.solutions is not None
            difference = self._difference(other, found, Task())
            result = "equal" if difference is None else "different"
            return _checked(found, result, "sets" if listed else "counts"), difference
        one, difference = self._by_samples(first, found)
        if found.finished and difference is None:
            self._counted = found
            reason = f"{found.count:,} counted in {found.seconds:.2f} s"
        return replace(one, reason=reason or one.reason), difference

    def _by_samples(self, whole: Findings, found: Findings) -> tuple[Checked, Difference | None]:
        """An engine that does not finish, or that is compared with one that does not."""
        if whole.finished and whole.solutions is not None and found.solutions is not None:
            extra = found.solutions - whole.solutions
            if extra:
                lone = Difference(found.engine.name, whole.engine.name, min(extra))
                return _checked(found, "different", "sets"), lone
        compared = 0
        able = whole.engine.takes_parts and found.engine.takes_parts
        for number in range(self.limits.samples if able else 0):
            part = self._part(whole, at_random=number % 2 == 1)
            if part is None or self._stopped:
                break
            task, expected = part
            try:
                got = self._find(found.engine, task)
            except TooLarge:
                continue  # a part that does not fit counts as one that is not finished
            if not got.finished:
                continue
            compared += 1
            difference = self._difference(expected, got, task)
            if difference is not None:
                return _checked(found, "different", "samples", samples=compared), difference
        result, way = ("equal", "samples") if compared else ("unfinished", "")
        return _checked(found, result, way, samples=compared, reason=_came_to(found)), None

    def _part(self, whole: Findings, *, at_random: bool) -> tuple[Task, Findings] | None:
        """A part of the puzzle that the first engine finishes soon, and its solutions there.

        Pieces are placed as in some solution, or at random; random pieces usually leave no
        solution. None if no part is small enough.
        """
        chosen = self._dive()
        if whole.some and not at_random:
            chosen = list(whole.some[self._random.integers(len(whole.some))])
            self._random.shuffle(chosen)
        bounds = self._bounds(CHOICES)
        while not self._stopped:
            fixed = max(0, len(chosen) - self._fixed_all_but)
            task = Task(tuple(chosen[:fixed]))
            found = self._find(whole.engine, task, bounds)
            if found.finished:
                self._fixed_all_but = min(self._fixed_all_but + 1, self.problem.n_options)
                return task, found
            if fixed == len(chosen):
                return None
            self._fixed_all_but = min(self._fixed_all_but, len(chosen)) - 1
        return None

    def _dive(self) -> list[int]:
        """Options drawn one after the other as long as any fits."""
        chosen: list[int] = []
        alive = self.problem.choosable
        while (left := np.flatnonzero(alive)).size:
            option = int(self._random.choice(left))
            alive = alive & ~excluded_by(self.problem, tuple(chosen), option)
            chosen.append(option)
        return chosen

    # -- differences --------------------------------------------------------------------------

    def _difference(self, one: Findings, other: Findings, task: Task) -> Difference | None:
        """The disagreement between two engines that finished a part."""
        lone = _lone(one, other)
        if lone is not None or one.count == other.count:
            return lone
        # The sets are equal, but one engine found a solution twice; or they are not listed.
        fewer, more = sorted((one, other), key=lambda found: found.count)
        return self._narrowed(more.engine, fewer.engine, task)

    def _narrowed(self, more: Contender, fewer: Contender, task: Task) -> Difference:
        """The difference in a smaller and smaller part, until there is a solution to show."""
        self._searches.drop()
        bounds = SearchBounds(None, None, self.limits.listed)
        parts = iter(self._divided(task))
        while not self._stopped and (part := next(parts, None)) is not None:
            one, other = self._find(more, part, bounds), self._find(fewer, part, bounds)
            if (lone := _lone(one, other)) is not None:
                return lone
            if one.count != other.count:
                task, parts = part, iter(self._divided(part))
        return Difference(more.name, fewer.name, tuple(sorted(task.chosen)), whole=False)

    def _divided(self, task: Task) -> Iterable[Task]:
        """The parts of a part: each fixes one option of an item and forbids those before it."""
        alive = self.problem.choosable if task.allowed is None else task.allowed
        chosen = task.chosen
        for place, option in enumerate(chosen):
            alive = alive & ~excluded_by(self.problem, chosen[:place], option)
        listed = branches(self.problem, chosen, alive)
        for number, option in enumerate([] if listed is None else listed.tolist()):
            allowed = alive.copy()
            allowed[listed[:number] if listed is not None else []] = False
            yield Task((*chosen, option), allowed)

    # -- the verdict --------------------------------------------------------------------------

    def _judged(
        self, engines: tuple[Checked, ...], whole: Findings, difference: Difference | None
    ) -> Verdict:
        compared = any(one.result == "equal" and one.compared != "samples" for one in engines)
        status = "complete" if compared or (whole.finished and difference) else "limit"
        if self._stopped:
            status = "interrupted"
        counted = whole if self._counted is None else self._counted
        verdict = Verdict(
            status, counted.count, engines, whole=counted.finished, difference=difference
        )
        verdict = self._held_against_the_puzzle(verdict, whole.solutions or whole.some)
        if verdict.equal and verdict.whole:
            numbers = self._numbers(counted)
            way = self.counted if self.counted in numbers else "all"
            verdict = replace(verdict, solutions=numbers[way], counted=way, numbers=numbers)
        if verdict.equal and verdict.whole and self.expected not in (None, verdict.solutions):
            told = f"{verdict.solutions:,} solutions found, but there should be {self.expected:,}"
            return replace(verdict, fault=told)
        return verdict

    def _numbers(self, found: Findings) -> dict[Convention, int]:
        """How many solutions there are by each way of counting, as far as it is known."""
        if self.model is None:
            return dict.fromkeys(CONVENTIONS, found.count)
        if found.solutions is None:
            numbers: dict[Convention, int] = {"all": found.count}
            if self.counted != "all":
                counting = Counting(
                    self._given, counted=self.counted, time_limit=self.limits.seconds
                )
                with counting:
                    while not self._stopped and counting.step():
                        self._tell(f"count: {found.count:,} found")
                    result = counting.result
                if result.status in ("complete", "impossible"):
                    numbers[self.counted] = result.solutions
            return numbers
        symmetries = self.model.symmetries
        return {way: _classes(found.solutions, symmetries.selected(way)) for way in CONVENTIONS}

    def _held_against_the_puzzle(self, verdict: Verdict, solutions: Iterable[Options]) -> Verdict:
        """The verdict, with a fault if one of the solutions is wrong."""
        check = PlacementCheck(self.model.puzzle) if self.model is not None else None
        number = 0
        for number, options in enumerate(sorted(solutions), 1):
            if number % 1000 == 0:
                self._tell(f"{number:,} solutions checked")
            if self._stopped:
                return replace(verdict, status="interrupted", checked=number - 1)
            fault = self.problem.violation(options) if check is None else None
            if check is not None and self.model is not None:
                fault = check.fault(self.model.placements(options))
            if fault is not None:
                return replace(verdict, checked=number, fault=fault, faulty=options)
        return replace(verdict, checked=number)


def verify(
    subject: Solvable,
    *,
    engines: Sequence[str] | None = None,
    counted: Convention | None = None,
    limits: Limits | None = None,
    expected: int | None = None,
    seed: int = 0,
    workers: int = 1,
) -> Verdict:
    """The solutions of a puzzle or a problem by several engines, compared and checked.

        >>> import exactcover as ec
        >>> verdict = ec.verify(ec.read("pentominoes_20x3"), engines=("dlx:s", "fila:f"))
        >>> verdict.equal, verdict.solutions, verdict.checked
        (True, 2, 8)

    subject   a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    engines   strategies as texts; the others are compared with the first. "auto" is the automatic
              choice. Default: None, ("auto", "dlx:s", "cpsat"); of a puzzle that keeps its
              rectangles ("auto", "nooverlap")
    counted   what counts as one solution in the verdict: "rotations", "reflections" or "all", see
              `count`. Default: None, "rotations" for a puzzle
    limits    a `Limits`: seconds, solutions to list, parts to draw. Default: None, 60 s for each
              engine, 100,000 solutions, 20 parts
    expected  how many solutions there should be, as `counted` says. Default: None, not known
    seed      a whole number for drawing parts. Default: 0
    workers   how many engines search at once, each in one thread. Default: 1

    All solutions are compared, including symmetric copies, whatever counts as one in the end.
    """
    verifying = Verifying(
        subject,
        engines=engines,
        counted=counted,
        limits=limits,
        expected=expected,
        seed=seed,
        workers=workers,
    )
    return verifying.run()


def _checked(found: Findings, result: str, compared: str, **more: Any) -> Checked:
    """The line of an engine in the verdict."""
    return Checked(
        found.engine.name,
        str(found.engine.strategy),
        result,
        compared,
        found.count,
        found.finished,
        found.seconds,
        found.duplicates,
        compiling=found.compiling,
        **more,
    )


def _lone(one: Findings, other: Findings) -> Difference | None:
    """The first solution that only one of two engines has, if both have listed theirs."""
    if one.solutions is None or other.solutions is None or one.solutions == other.solutions:
        return None
    lone = min(one.solutions ^ other.solutions)
    finder, misser = (one, other) if lone in one.solutions else (other, one)
    return Difference(finder.engine.name, misser.engine.name, lone)


def _came_to(found: Findings) -> str:
    if not found.seconds:
        return "not run on the whole, since the first did not finish"
    return f"stopped at its limit after {found.count:,} solutions"


def _classes(solutions: Iterable[Options], group: IntArray) -> int:
    """How many solutions there are if those count once that the group takes to each other."""
    number, seen = 0, set[Options]()
    for solution in solutions:
        if solution not in seen:
            number += 1
            seen.update(map(tuple, np.sort(group[:, solution], axis=1).tolist()))
    return number
