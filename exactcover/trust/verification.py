"""A second opinion: the solutions of engines that share no code, compared, and each one checked.

Each engine searches the whole puzzle, one after the other and in one thread, since engines that
share the code that splits a tree would be less independent. All solutions are compared, symmetric
copies included, so that the engines' handling of symmetries is verified too. The first engine that
comes to its end is the one with which the others are compared. Solutions of one that does not are
valid only if that engine has them too.

`second_count` is for a number that others will cite. Two counts say more the less they share. The
engines go by four methods: they list the solutions, they count the states of a frontier, they keep
the counts of parts that a listing meets again, or they leave the problem to a solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from exactcover.backends import get_engine
from exactcover.base.patience import within
from exactcover.base.values import CONVENTIONS, Convention
from exactcover.base.values.arguments import check_kind, check_seconds
from exactcover.errors import CapabilityError, ExactCoverError, StrategyError, TimeUp, TooLarge
from exactcover.problem import IntArray, Problem
from exactcover.puzzle import Model, Puzzle
from exactcover.search.automatic import AUTOMATIC, strategy_named
from exactcover.search.clock import Shared
from exactcover.search.counting.counts import Counting
from exactcover.search.rectangles import for_rectangles
from exactcover.search.result import Result, Solution
from exactcover.search.session import Session
from exactcover.search.solving import Solving
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable, Subject, counted_as
from exactcover.trust.placements import PlacementCheck
from exactcover.trust.provenance import METHODS, provenance_of
from exactcover.trust.provenance import engines as engines_of

__all__ = [
    "INDEPENDENT",
    "Checked",
    "PlacementCheck",
    "Verdict",
    "Verifying",
    "provenance_of",
    "verify",
]

INDEPENDENT = (AUTOMATIC, "dlx:s", "cpsat")
"""The engines that are compared by default: they share little or no code."""

FOR_RECTANGLES = (AUTOMATIC, "nooverlap")
"""Those for a puzzle that keeps its rectangles: a matrix of cells would be large."""

SECONDS = 60.0

LISTED = 100_000
"""With more solutions than this, counts are compared instead of sets, and this many are checked."""

CANNOT = CapabilityError, StrategyError, TooLarge
"""The errors of an engine that cannot take a problem, or that has too little memory for it."""

Options = tuple[int, ...]
Tell = Callable[[str], object]


@dataclass(frozen=True)
class Checked:
    """One engine and how it compares with the first that came to its end.

    result    first: that engine itself; equal, different, unfinished, refused
    compared  sets, counts, or nothing
    seconds   without those of compilation, which are `compiling`
    reason    why it refused, or how far it got
    """

    engine: str
    strategy: str
    result: str
    compared: str = ""
    solutions: int = 0
    finished: bool = False
    seconds: float = 0.0
    reason: str = ""
    compiling: float = 0.0


@dataclass(frozen=True)
class Verdict:
    """The outcome of a verification.

    status      complete: at least two engines finished; limit: fewer did; interrupted
    numbers     how many solutions there are, by each way of counting that is known; if no engine
                finished, the most that one found
    counted     what counts as one solution: what was asked for, or `all` where these are not all
                solutions, or too many to be listed
    whole       whether these are all solutions
    checked     how many solutions were checked against the puzzle, or the problem
    fault       what two engines disagree on, or what is wrong with a solution; empty: nothing
    faulty      the solution that only one of the engines has, the first in the order of option
                numbers, or that is wrong; None: counts differ, and not both engines list
    """

    status: str
    engines: tuple[Checked, ...] = ()
    numbers: Mapping[Convention, int] = field(default_factory=lambda: {"all": 0})
    whole: bool = False
    checked: int = 0
    fault: str = ""
    faulty: Options | None = None
    counted: Convention = "all"

    def __repr__(self) -> str:
        equal = f"equal, compared as {self.compared}" if self.compared else "not compared"
        noun = ("solution" if self.solutions == 1 else "solutions") + " so far" * (not self.whole)
        return f"<Verdict: {self.status}, {self.fault or equal}, {self.solutions:,} {noun}>"

    @property
    def solutions(self) -> int:
        """How many solutions there are, as `counted` says."""
        return self.numbers[self.counted]

    @property
    def equal(self) -> bool:
        """Whether no comparison and no check found a fault."""
        return not self.fault

    @property
    def compared(self) -> str:
        """The strongest way in which any two engines were compared, or an empty text."""
        ways = ("", "counts", "sets")
        return max((one.compared for one in self.engines), key=ways.index, default="")


class Findings(NamedTuple):
    """The findings of an engine: its line in the verdict, and the solutions that were kept."""

    line: Checked
    kept: frozenset[Options] = frozenset()

    @property
    def listed(self) -> bool:
        """Whether all that it found are kept."""
        return len(self.kept) == self.line.solutions


class Verifying(Shared):
    """A verification under way; `stop` ends it from a signal handler or another thread.

    verdict  what is known so far
    """

    def __init__(
        self,
        subject: Solvable,
        *,
        engines: Sequence[str] | None = None,
        counted: Convention | None = None,
        time_limit: float | None = SECONDS,
    ) -> None:
        super().__init__()
        told = 'a list of strategies, as in ["auto", "dlx"]'
        check_kind("engines", engines, (list, tuple, type(None)), told)
        check_seconds("time_limit", time_limit)
        if engines is not None and not engines:
            raise ExactCoverError("no engine to verify with: name one at least")
        self.time_limit = time_limit
        self.counted = counted_as(counted, puzzle=isinstance(subject, Puzzle))
        self.model: Model | None = None
        self.verdict = Verdict("interrupted")
        self._given = subject
        self._engines: list[tuple[str, Strategy]] = []
        with suppress(TimeUp), within(time_limit):  # then no engine is run
            self.subject = Subject.of(subject, "all")
            self.model = self.subject.model
            if self.model is not None and self.counted != "all":
                _ = self.model.symmetries  # a puzzle may have too many
            usual = INDEPENDENT if for_rectangles(self.subject) is None else FOR_RECTANGLES
            for name in engines or usual:
                self._engines.append((name, strategy_named(self.subject, name)))

    def run(self, tell: Tell = lambda _: None) -> Verdict:
        """Compare the engines, up to a difference; check the solutions of one against the puzzle.

        tell  called several times a second with the current step
        """
        with self._turn(wait=False):
            found: list[Findings] = []
            for name, strategy in self._engines:
                if self._stopped or not self.verdict.equal:
                    break
                found.append(self.find(name, strategy, tell))
                self.verdict = compared(found)
            most = max(found, key=lambda one: len(one.kept), default=None)
            if most is not None and self.verdict.equal:
                self._check(sorted(most.kept), tell)
            if self._stopped:
                return self.verdict
            status = "complete" if self.verdict.compared else "limit"
            self.verdict = replace(self.verdict, status=status)
            if self.verdict.equal and self.verdict.whole:
                numbers = self._numbers(next(one for one in found if one.line.finished))
                way = self.counted if self.counted in numbers else "all"
                self.verdict = replace(self.verdict, counted=way, numbers=numbers)
            return self.verdict

    def solution(self, options: Options) -> Solution:
        """A solution in the form that the solver returns."""
        return Solution(options, self.subject.problem, self.model)

    def find(self, name: str, strategy: Strategy, tell: Tell) -> Findings:
        """The findings of an engine within the time limit; its first solutions are kept."""
        lists = all(get_engine(one.backend).capabilities.lists_solutions for one in strategy.stages)

        def show(search: Session) -> None:
            tell(f"{name}: {search.found:,} found")
            if self._stopped:
                search.stop()

        made = Solving if lists else Counting
        kept = set[Options]()
        try:
            search = made(self._given, counted="all", strategy=strategy, time_limit=self.time_limit)
            with search:
                if isinstance(search, Solving):
                    search.between = show
                    kept.update(solution.options for solution in islice(search, LISTED))
                while search.step():
                    show(search)
                result = search.result
        except CANNOT as error:
            outcome = "unfinished" if isinstance(error, TooLarge) else "refused"
            return Findings(Checked(name, str(strategy), outcome, reason=str(error)))
        reason = f"stopped at its limit after {result.solutions:,} solutions"
        line = Checked(
            name, str(strategy), "unfinished", "", result.solutions, result.whole, result.seconds,
            "" if result.whole else reason, result.compiling,
        )  # fmt: skip
        return Findings(line, frozenset(kept))

    def _check(self, solutions: Sequence[Options], tell: Tell) -> None:
        """Check solutions against the puzzle, or the problem, up to the first that is wrong."""
        model = self.model
        check = None if model is None else PlacementCheck(model.puzzle)
        for number, options in enumerate(solutions):
            if number % 1000 == 0:
                tell(f"{number:,} solutions checked")
            if self._stopped:
                return
            if model is None or check is None:
                fault = self.subject.problem.violation(options)
            else:
                fault = check.fault(model.placements(options))
            self.verdict = replace(self.verdict, checked=number + 1)
            if fault is not None:
                self.verdict = replace(self.verdict, fault=fault, faulty=options)
                return

    def _numbers(self, found: Findings) -> dict[Convention, int]:
        """How many solutions there are by each way of counting; of unlisted ones, all."""
        if self.model is None:
            return dict.fromkeys(CONVENTIONS, found.line.solutions)
        if not found.listed:
            return {"all": found.line.solutions}
        selected = self.model.symmetries.selected
        return {way: _classes(found.kept, selected(way)) for way in CONVENTIONS}


def verify(
    subject: Solvable,
    *,
    engines: Sequence[str] | None = None,
    counted: Convention | None = None,
    time_limit: float | None = SECONDS,
) -> Verdict:
    """The solutions of a puzzle or a problem by several engines, compared and checked.

        >>> import exactcover as ec
        >>> verdict = ec.verify(ec.read("pentominoes_20x3"), engines=("dlx:s", "fila:f"))
        >>> verdict.equal, verdict.solutions, verdict.checked
        (True, 2, 8)

    subject     a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    engines     strategies as texts; the others are compared with the first that comes to its end.
                "auto" is the automatic choice. Default: None, ("auto", "dlx:s", "cpsat"); of a
                puzzle that keeps its rectangles ("auto", "nooverlap")
    counted     what counts as one solution in the verdict: "rotations", "reflections" or "all", see
                `count`. Default: None, "rotations" for a puzzle
    time_limit  seconds for each engine. Default: 60; None: no limit

    All solutions are compared, including symmetric copies, whatever counts as one in the end: one
    by one up to 100,000, otherwise the counts.
    """
    return Verifying(subject, engines=engines, counted=counted, time_limit=time_limit).run()


def compared(found: Sequence[Findings]) -> Verdict:
    """The verdict on what engines found, each beside the first that came to its end."""
    base = next((one for one in found if one.line.finished), None)
    engines: list[Checked] = []
    fault, faulty = "", None
    for one in found:
        line = one.line
        if one is base:
            line = replace(line, result="first")
        elif base is not None and not fault:
            fault, faulty = _difference(base, one)
            if fault or line.finished:
                way = "sets" if base.listed and one.listed else "counts"
                line = replace(line, result="different" if fault else "equal", compared=way)
        engines.append(line)
    most = base or max(found, key=lambda one: one.line.solutions)
    return Verdict(
        "interrupted", tuple(engines), {"all": most.line.solutions},
        whole=base is not None, fault=fault, faulty=faulty,
    )  # fmt: skip


def _difference(base: Findings, other: Findings) -> tuple[str, Options | None]:
    """How an engine differs from one that came to its end, if it does; the solution at fault.

    Solutions of one that did not come to its end must be among those of the other.
    """
    one, two = other.line, base.line
    if base.listed and other.listed:
        missed = base.kept - other.kept if one.finished else frozenset()
        lone = min((other.kept - base.kept) | missed, default=None)
        if lone is not None:
            finder, misser = (one, two) if lone in other.kept else (two, one)
            options = ", ".join(map(str, lone))
            return f"{finder.engine} finds it and {misser.engine} does not: {options}", lone
    elif one.solutions > two.solutions or (one.finished and one.solutions < two.solutions):
        fewer, more = sorted((one, two), key=lambda line: line.solutions)
        return f"{more.engine} finds more solutions than {fewer.engine}", None
    return "", None


def _classes(solutions: Iterable[Options], group: IntArray) -> int:
    """How many solutions there are if those count once that the group takes to each other."""
    images = (np.sort(group[:, solution], axis=1) for solution in solutions)
    return len({min(map(np.ndarray.tobytes, rows)) for rows in images})


# -- a second count --------------------------------------------------------------------------------

ROUNDS = (("automaton:narrow", "memo:f", "dlx:s", "fila:f"), ("cpsat", "d4"))
"""The strategies that can be the second: those of a round go on in turns. Solvers take long
steps, so they begin when all others have refused; d4 only where it is installed."""

FLOORS = (("skyline", "nooverlap"), *ROUNDS)
"""The same for puzzles whose first engine fills a rectangle with rectangles."""


def second_count(
    content: Puzzle | Problem,
    first: str,
    *,
    counted: Convention,
    time_limit: float,
    pulse: Callable[[], object] = lambda: None,
) -> Result | None:
    """The outcome of a count by another method than the first, and without its filters.

    None: there was none in time, or none can do it. Nobody can say beforehand which method ends
    first, so those that can take the puzzle go on in turns, a slice each. One that cannot, or that
    has too little memory, drops out.

    first       the strategy of the first count
    time_limit  seconds of all that go on in turns together
    pulse       called after each slice
    """
    used = {METHODS.get(name, name) for name in engines_of(first)}
    for names in FLOORS if "floor" in used or "nooverlap" in first else ROUNDS:
        turns = []
        for name in names:
            if METHODS[name.partition(":")[0]] not in used:
                with suppress(*CANNOT):
                    turns.append(
                        Counting(content, counted=counted, strategy=name, time_limit=time_limit)
                    )
        while turns and sum(one.result.seconds for one in turns) <= time_limit:
            for one in [*turns]:
                more = False
                with suppress(*CANNOT):
                    more = one.step()
                    pulse()
                if one.result.whole:
                    return one.result
                if not more:
                    turns.remove(one)
    return None
