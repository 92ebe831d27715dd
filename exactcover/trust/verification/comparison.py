"""Engines compared on one puzzle: as sets of solutions, or by count.

Each engine searches the whole puzzle, one after the other and in one thread, since engines that
share the code that splits a tree would be less independent. All solutions are compared, symmetric
copies included, so that the engines' handling of symmetries is verified too. The first engine that
comes to its end is the one with which the others are compared. Solutions of one that does not are
valid only if that engine has them too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from exactcover.backends import get_backend
from exactcover.backends.base import Search, Task
from exactcover.backends.tasks import require
from exactcover.base.patience import within
from exactcover.base.values import CONVENTIONS, Convention
from exactcover.base.values.arguments import check_kind, check_seconds, check_whole
from exactcover.errors import CapabilityError, ExactCoverError, StrategyError, TimeUp, TooLarge
from exactcover.problem import IntArray
from exactcover.puzzle import Model, Puzzle
from exactcover.search.automatic import automatic
from exactcover.search.counting.counts import Counting
from exactcover.search.driver import Clock, Driver, Shared
from exactcover.search.engine import start_search
from exactcover.search.plan import make_plan
from exactcover.search.rectangles import filling, for_rectangles
from exactcover.search.result import Solution
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable, Subject, counted_as
from exactcover.trust.verification.placements import PlacementCheck

AUTOMATIC = "auto"

INDEPENDENT = (AUTOMATIC, "dlx:s", "cpsat")
"""The engines that are compared by default: they share little or no code."""

FOR_RECTANGLES = (AUTOMATIC, "nooverlap")
"""Those for a puzzle that keeps its rectangles: a matrix of cells would be large."""

SECONDS = 60.0
LISTED = 100_000

SOME = 1 << 10
"""At least this number of solutions is kept, if as many are found."""

Options = tuple[int, ...]


@dataclass(frozen=True)
class Difference:
    """A disagreement between two engines.

    solution  the first solution, in the order of option numbers, that only one of them has; None:
              their counts differ, and not both list their solutions
    """

    found_by: str
    missed_by: str
    solution: Options | None = None


@dataclass(frozen=True)
class Checked:
    """One engine and how it compares with those before it.

    result    equal, different, refused, unfinished; `first` for the first engine; `alone` if it
              came to its end and none before it did
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
    duplicates: int = 0
    reason: str = ""
    compiling: float = 0.0


@dataclass(frozen=True)
class Verdict:
    """The outcome of a verification.

    status      complete: at least two engines finished; limit: fewer did; interrupted
    solutions   how many there are, as `counted` says; if no engine finished, how many the first
                engine found
    counted     what counts as one solution: what was asked for, or `all` where these are not all
                solutions, or the unique ones could not be counted in time
    whole       whether these are all solutions
    numbers     all numbers that are known, by what counts as one solution
    checked     how many solutions were checked against the puzzle, or the problem
    fault       what is wrong with a solution; empty if all are right
    """

    status: str
    solutions: int
    engines: tuple[Checked, ...]
    whole: bool = False
    checked: int = 0
    difference: Difference | None = None
    fault: str = ""
    faulty: Options | None = None
    counted: Convention = "all"
    numbers: Mapping[Convention, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        equal = f"equal, compared as {self.compared}" if self.compared else "not compared"
        said = self.fault or ("different" if self.difference else equal)
        noun = ("solution" if self.solutions == 1 else "solutions") + " so far" * (not self.whole)
        return f"<Verdict: {self.status}, {said}, {self.solutions:,} {noun}>"

    @property
    def equal(self) -> bool:
        """Whether no comparison and no check found a fault."""
        return self.difference is None and not self.fault

    @property
    def compared(self) -> str:
        """The strongest way in which any two engines were compared, or an empty text."""
        ways = {one.compared for one in self.engines if one.result in ("equal", "different")}
        return next((way for way in ("sets", "counts") if way in ways), "")


@dataclass(frozen=True)
class Findings:
    """The solutions of an engine.

    solutions  all so far; None: not listed, or too many to keep
    some       the first of them, if the engine lists any
    finished   whether these are all solutions
    """

    engine: Contender
    count: int
    solutions: frozenset[Options] | None
    some: tuple[Options, ...]
    finished: bool
    seconds: float
    compiling: float
    duplicates: int

    def checked(self, result: str, compared: str = "") -> Checked:
        """The line of the engine in the verdict."""
        stopped = f"stopped at its limit after {self.count:,} solutions"
        name, strategy = self.engine.name, str(self.engine.strategy)
        return Checked(
            name, strategy, result, compared, self.count, self.finished, self.seconds,
            self.duplicates, "" if self.finished else stopped, self.compiling,
        )  # fmt: skip


class Contender:
    """An engine to be compared: a strategy, ready to search one subject."""

    def __init__(self, name: str, subject: Subject) -> None:
        self.name, self.subject = name, subject
        self.strategy = automatic(subject) if name == AUTOMATIC else Strategy.parse(name)
        self._engines = [get_backend(stage.backend) for stage in self.strategy.stages]
        self.lists = all(engine.capabilities.lists_solutions for engine in self._engines)

    def find(self, seconds: float | None, most: int, enough: Callable[[int], bool]) -> Findings:
        """The solutions that it finds in this time; at most `most` are kept.

        enough  called several times a second with the number so far; the search ends when it is
                true

        Raises `CapabilityError` or `StrategyError` if the engine cannot take the problem.
        """
        for engine in self._engines:
            require(engine, self.subject.problem)
        driver = Driver(self._search, Clock(seconds))
        solutions: set[Options] | None = set() if self.lists and most else None
        some: list[Options] = []
        count = duplicates = 0
        while not driver.over and not enough(count):
            keep = solutions is not None or (self.lists and len(some) < SOME)
            batch = driver.advance(keep=keep)
            given = [batch.solution(number) for number in range(len(batch))]
            some += given[: SOME - len(some)]
            if solutions is not None:
                solutions.update(given)
                if len(solutions) > most:
                    solutions = None
            if driver.search is not None and not driver.clock.late:  # else it was broken off
                count = driver.search.report(brief=True).found
                duplicates = getattr(driver.search, "duplicates", 0)
        clock, listed = driver.clock, None if solutions is None else frozenset(solutions)
        finished = driver.done and not clock.late
        return Findings(
            self, count, listed, tuple(some), finished, clock.working, clock.compiling, duplicates
        )

    def _search(self) -> Search | None:
        """The search; None if the plan shows that there is no solution."""
        if (by_sizes := filling(self.subject, self.strategy)) is not None:
            return by_sizes
        plan = make_plan(self.subject, self.strategy)
        if self.subject.reason:
            # A puzzle that is impossible by its sizes is searched all the same: the engine must
            # find that out by itself.
            plan = replace(plan, reason="")
        return None if plan.reason else start_search(plan, self.strategy, Task())


class Verifying(Shared):
    """A verification under way; `stop` ends it from a signal handler or another thread."""

    def __init__(
        self,
        subject: Solvable,
        *,
        engines: Sequence[str] | None = None,
        counted: Convention | None = None,
        time_limit: float | None = SECONDS,
        listed: int = LISTED,
    ) -> None:
        super().__init__()
        told = 'a list of strategies, as in ["auto", "dlx"]'
        check_kind("engines", engines, (list, tuple, type(None)), told)
        for engine in engines or ():
            check_kind("engines", engine, str, "a list of strategies, each a text")
        check_seconds("time_limit", time_limit)
        check_whole("listed", listed, least=0, optional=False)
        if engines is not None and not engines:
            raise ExactCoverError("no engine to verify with: name one at least")
        self.time_limit, self.listed = time_limit, listed
        self.counted = counted_as(counted, puzzle=isinstance(subject, Puzzle))
        self.model: Model | None = None
        self._given = subject
        self.engines: list[Contender] = []
        with suppress(TimeUp), within(time_limit):  # then no engine is run
            given = Subject.of(subject, "all")
            self.problem, self.model = given.problem, given.model
            if self.model is not None and self.counted != "all":
                _ = self.model.symmetries  # a puzzle may have too many
            usual = INDEPENDENT if for_rectangles(given) is None else FOR_RECTANGLES
            self.engines = [Contender(name, given) for name in engines or usual]
        self._tell: Callable[[str], None] = lambda _: None
        self._checked: list[Checked] = []
        self._count = 0

    def __repr__(self) -> str:
        names = ", ".join(engine.name for engine in self.engines)
        return f"<Verifying {names}: {len(self._checked)} of {len(self.engines)} engines done>"

    def run(self, tell: Callable[[str], None] = lambda _: None) -> Verdict:
        """Compare the engines; `tell` is called several times a second with the current step."""
        with self._only_turn():
            self._tell, self._checked, self._count = tell, [], 0
            return self._run()

    def _run(self) -> Verdict:
        done: list[Findings] = []
        difference: Difference | None = None
        for engine in self.engines:
            if self._stopped or difference is not None:
                break
            one, difference = self._against(done, engine)
            self._checked.append(one)
        engines = tuple(self._checked)
        if not done:
            return Verdict("interrupted" if self._stopped else "limit", 0, engines)
        return self._judged(engines, done, difference)

    def broken_off(self) -> Verdict:
        """The verdict so far, after an exception ended the verification."""
        return Verdict("interrupted", self._count, tuple(self._checked))

    def solution(self, options: Options) -> Solution:
        """A solution in the form that the solver returns."""
        return Solution(options, self.problem, self.model)

    def _against(
        self, done: list[Findings], engine: Contender
    ) -> tuple[Checked, Difference | None]:
        """An engine compared with those that are done, to which it is added."""

        def enough(count: int) -> bool:
            self._count = count if not done else self._count
            self._tell(f"{engine.name}: {count:,} found")
            return self._stopped

        strategy = str(engine.strategy)
        try:
            found = engine.find(self.time_limit, self.listed, enough)
        except TooLarge as error:
            return Checked(engine.name, strategy, "unfinished", reason=str(error)), None
        except (CapabilityError, StrategyError) as error:
            return Checked(engine.name, strategy, "refused", reason=str(error)), None
        ended = [one for one in done if one.finished][:1]
        others = ended or (done if found.finished else [])
        difference, way = None, ""
        for other in others:
            difference, way = _compared(other, found)
            if difference is not None:
                break
        done.append(found)
        if difference is not None:
            return found.checked("different", way), difference
        if len(done) == 1:
            return found.checked("first"), None
        if found.finished:
            return found.checked(*(("equal", way) if ended else ("alone", ""))), None
        return found.checked("unfinished"), None

    def _judged(
        self, engines: tuple[Checked, ...], done: list[Findings], difference: Difference | None
    ) -> Verdict:
        ended = next((one for one in done if one.finished), None)
        compared = any(one.result == "equal" for one in engines)
        status = "complete" if compared or (ended and difference) else "limit"
        if self._stopped:
            status = "interrupted"
        one = ended or done[0]
        verdict = Verdict(status, one.count, engines, whole=one.finished, difference=difference)
        lists = next((other for other in (one, *done) if other.some), one)
        given = lists.solutions if lists.finished and lists.solutions else lists.some
        verdict = self._held_against_the_puzzle(verdict, given)
        if verdict.equal and verdict.whole:
            numbers = self._numbers(one)
            way = self.counted if self.counted in numbers else "all"
            verdict = replace(verdict, solutions=numbers[way], counted=way, numbers=numbers)
        return verdict

    def _numbers(self, found: Findings) -> dict[Convention, int]:
        """How many solutions there are by each way of counting, as far as it is known."""
        if self.model is None:
            return dict.fromkeys(CONVENTIONS, found.count)
        if found.solutions is not None:
            symmetries = self.model.symmetries
            return {way: _classes(found.solutions, symmetries.selected(way)) for way in CONVENTIONS}
        numbers: dict[Convention, int] = {"all": found.count}
        if self.counted != "all":
            with Counting(
                self._given, counted=self.counted, time_limit=self.time_limit
            ) as counting:
                while not self._stopped and counting.step():
                    self._tell(f"count: {found.count:,} found")
                result = counting.result
            if result.status in ("complete", "impossible"):
                numbers[self.counted] = result.solutions
        return numbers

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
    time_limit: float | None = SECONDS,
    listed: int = LISTED,
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
    listed      with more solutions than this, counts are compared instead of sets. Default: 100,000

    All solutions are compared, including symmetric copies, whatever counts as one in the end.
    """
    return Verifying(
        subject, engines=engines, counted=counted, time_limit=time_limit, listed=listed
    ).run()


def _compared(one: Findings, other: Findings) -> tuple[Difference | None, str]:
    """How two engines differ, of which at least one came to its end, and what was compared.

    Solutions of one that did not come to its end must be among those of the other.
    """
    if one.solutions is not None and other.solutions is not None:
        extra = set[Options]()
        extra |= one.solutions - other.solutions if other.finished else set()
        extra |= other.solutions - one.solutions if one.finished else set()
        if extra:
            lone = min(extra)
            finder, misser = (one, other) if lone in one.solutions else (other, one)
            return Difference(finder.engine.name, misser.engine.name, lone), "sets"
        way = "sets"
    else:
        way = "counts"
    fewer, more = sorted((one, other), key=lambda found: found.count)
    if fewer.count < more.count and fewer.finished:  # also if one found a solution twice
        return Difference(more.engine.name, fewer.engine.name), "counts"
    return None, way


def _classes(solutions: Iterable[Options], group: IntArray) -> int:
    """How many solutions there are if those count once that the group takes to each other."""
    number, seen = 0, set[Options]()
    for solution in solutions:
        if solution not in seen:
            number += 1
            seen.update(map(tuple, np.sort(group[:, solution], axis=1).tolist()))
    return number
