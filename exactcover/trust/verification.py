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
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf
from typing import NamedTuple

import numpy as np

from exactcover.backends import get_engine
from exactcover.base.patience import within
from exactcover.base.values import CONVENTIONS, Convention
from exactcover.base.values.arguments import check_kind, check_seconds, check_whole
from exactcover.errors import CapabilityError, ExactCoverError, StrategyError, TimeUp, TooLarge
from exactcover.problem import IntArray, Problem
from exactcover.puzzle import Model, Puzzle
from exactcover.search.automatic import automatic
from exactcover.search.clock import Shared
from exactcover.search.counting.counts import Counting
from exactcover.search.rectangles import for_rectangles
from exactcover.search.result import Result, Solution
from exactcover.search.session import Session
from exactcover.search.solving import Solving
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable, Subject, counted_as
from exactcover.trust.placements import PlacementCheck
from exactcover.trust.provenance import engines as engines_of
from exactcover.trust.provenance import method, provenance_of

__all__ = [
    "INDEPENDENT",
    "Checked",
    "Difference",
    "PlacementCheck",
    "Verdict",
    "Verifying",
    "provenance_of",
    "verify",
]

AUTOMATIC = "auto"

INDEPENDENT = (AUTOMATIC, "dlx:s", "cpsat")
"""The engines that are compared by default: they share little or no code."""

FOR_RECTANGLES = (AUTOMATIC, "nooverlap")
"""Those for a puzzle that keeps its rectangles: a matrix of cells would be large."""

SECONDS = 60.0
LISTED = 100_000

Options = tuple[int, ...]
Tell = Callable[[str], object]


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

    result    first: the first that came to its end; equal, different, unfinished, refused
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
    solutions   how many there are, as `counted` says; if no engine finished, how many the first
                engine found
    counted     what counts as one solution: what was asked for, or `all` where these are not all
                solutions, or too many to be listed
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


class Findings(NamedTuple):
    """The solutions of an engine: its line in the verdict, and those that were kept.

    listed  whether all that it found are kept
    """

    line: Checked
    kept: frozenset[Options]
    listed: bool


def find(
    name: str,
    strategy: Strategy,
    subject: Solvable,
    seconds: float | None,
    most: int,
    over: Callable[[int], bool],
) -> Findings:
    """The solutions that an engine finds in this time; the first `most` are kept.

    over  called several times a second with the number so far; the search ends when it is true

    Raises `CapabilityError` or `StrategyError` if the engine cannot take the problem.
    """
    lists = all(get_engine(one.backend).capabilities.lists_solutions for one in strategy.stages)
    kept = set[Options]()
    search: Session
    if lists:
        search = Solving(subject, counted="all", strategy=strategy, time_limit=seconds)
        search.between = lambda one: one.stop() if over(one.found) else None
        kept.update(solution.options for solution in islice(search, most))
    else:
        search = Counting(subject, counted="all", strategy=strategy, time_limit=seconds)
    with search:
        while search.step() and not over(search.found):
            pass
        result = search.result
    finished = result.whole
    reason = "" if finished else f"stopped at its limit after {result.solutions:,} solutions"
    line = Checked(
        name, str(strategy), "unfinished", "", result.solutions, finished, result.seconds, reason,
        result.compiling,
    )  # fmt: skip
    return Findings(line, frozenset(kept), lists and result.solutions <= most)


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
        listed: int = LISTED,
    ) -> None:
        super().__init__()
        told = 'a list of strategies, as in ["auto", "dlx"]'
        check_kind("engines", engines, (list, tuple, type(None)), told)
        for engine in engines or ():
            check_kind("engines", engine, str, "a list of strategies, each a text")
        check_seconds("time_limit", time_limit)
        check_whole("listed", listed, least=1, optional=False)
        if engines is not None and not engines:
            raise ExactCoverError("no engine to verify with: name one at least")
        self.time_limit, self.listed = time_limit, listed
        self.counted = counted_as(counted, puzzle=isinstance(subject, Puzzle))
        self.model: Model | None = None
        self._given = subject
        self.verdict = Verdict("interrupted", 0, ())
        self._engines: list[tuple[str, Strategy]] = []
        with suppress(TimeUp), within(time_limit):  # then no engine is run
            self.subject = Subject.of(subject, "all")
            self.model = self.subject.model
            if self.model is not None and self.counted != "all":
                _ = self.model.symmetries  # a puzzle may have too many
            usual = INDEPENDENT if for_rectangles(self.subject) is None else FOR_RECTANGLES
            for name in engines or usual:
                known = name != AUTOMATIC
                strategy = Strategy.parse(name) if known else automatic(self.subject)
                self._engines.append((name, strategy))

    def __repr__(self) -> str:
        names = ", ".join(name for name, _ in self._engines)
        done = len(self.verdict.engines)
        return f"<Verifying {names}: {done} of {len(self._engines)} engines done>"

    def run(self, tell: Tell = lambda _: None) -> Verdict:
        """Compare the engines; `tell` is called several times a second with the current step."""
        with self._turn(wait=False):
            done, difference = self._compare(tell)
            if done:
                self._judge(done, difference, tell)
            elif not self._stopped:
                self.verdict = replace(self.verdict, status="limit")
            return self.verdict

    def solution(self, options: Options) -> Solution:
        """A solution in the form that the solver returns."""
        return Solution(options, self.subject.problem, self.model)

    def _compare(self, tell: Tell) -> tuple[list[Findings], Difference | None]:
        """Compare each engine with those before it, up to a difference; return what they found."""
        done: list[Findings] = []
        difference: Difference | None = None
        for name, strategy in self._engines:
            if self._stopped or difference is not None:
                break

            def over(count: int, name: str = name) -> bool:
                tell(f"{name}: {count:,} found")
                return self._stopped

            try:
                found = find(name, strategy, self._given, self.time_limit, self.listed, over)
            except (CapabilityError, StrategyError, TooLarge) as error:
                result = "unfinished" if isinstance(error, TooLarge) else "refused"
                line = Checked(name, str(strategy), result, reason=str(error))
            else:
                line, difference = _beside(done, found)
                done.append(found)
            self.verdict = replace(self.verdict, engines=(*self.verdict.engines, line))
        return done, difference

    def _judge(self, done: list[Findings], difference: Difference | None, tell: Tell) -> None:
        """The verdict by the first engine that came to its end, or else by the first of all.

        Its solutions are checked against the puzzle, or the problem, up to the first that is wrong.
        """
        ended = next((one for one in done if one.line.finished), None)
        one, engines, status = ended or done[0], self.verdict.engines, "interrupted"
        if not self._stopped:
            compared = any(line.result == "equal" for line in engines) or (ended and difference)
            status = "complete" if compared else "limit"
        count, whole, checked = one.line.solutions, one.line.finished, 0
        self.verdict = Verdict(status, count, engines, whole=whole, difference=difference)
        kept = next((other.kept for other in (one, *done) if other.kept), frozenset[Options]())
        fault_of = self._check()
        for checked, options in enumerate(sorted(kept), 1):
            if checked % 1000 == 0:
                tell(f"{checked:,} solutions checked")
            if self._stopped:
                self.verdict = replace(self.verdict, status="interrupted", checked=checked - 1)
                return
            if (fault := fault_of(options)) is not None:
                self.verdict = replace(self.verdict, fault=fault, faulty=options)
                break
        self.verdict = replace(self.verdict, checked=checked)
        if self.verdict.equal and whole:
            numbers = self._numbers(one)
            way = self.counted if self.counted in numbers else "all"
            self.verdict = replace(
                self.verdict, solutions=numbers[way], counted=way, numbers=numbers
            )

    def _check(self) -> Callable[[Options], str | None]:
        """A function that says what is wrong with a solution."""
        model = self.model
        if model is None:
            return self.subject.problem.violation
        check = PlacementCheck(model.puzzle)
        return lambda options: check.fault(model.placements(options))

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
    listed      with more solutions than this, counts are compared instead of sets, and this many
                are checked. Default: 100,000

    All solutions are compared, including symmetric copies, whatever counts as one in the end.
    """
    return Verifying(
        subject, engines=engines, counted=counted, time_limit=time_limit, listed=listed
    ).run()


def _beside(done: list[Findings], found: Findings) -> tuple[Checked, Difference | None]:
    """The line of an engine beside those that are done, and how it differs from one of them.

    It is compared with the first that came to its end, or, if it is that itself, with all.
    """
    ended = [one for one in done if one.line.finished][:1]
    line, way = found.line, ""
    for other in ended or (done if line.finished else []):
        difference, way = _compared(other, found)
        if difference is not None:
            return replace(line, result="different", compared=way), difference
    if not line.finished:
        return line, None
    if not ended:
        return replace(line, result="first"), None
    return replace(line, result="equal", compared=way), None


def _compared(one: Findings, other: Findings) -> tuple[Difference | None, str]:
    """How two engines differ, of which at least one came to its end, and what was compared.

    Solutions of one that did not come to its end must be among those of the other.
    """
    way = "sets" if one.listed and other.listed else "counts"
    names = one.line.engine, other.line.engine
    if way == "sets":
        extra = set[Options]()
        extra |= one.kept - other.kept if other.line.finished else set()
        extra |= other.kept - one.kept if one.line.finished else set()
        if extra:
            lone = min(extra)
            finder, misser = names if lone in one.kept else names[::-1]
            return Difference(finder, misser, lone), way
    fewer, more = sorted((one.line, other.line), key=lambda line: line.solutions)
    if fewer.solutions < more.solutions and fewer.finished:  # also if one found a solution twice
        return Difference(more.engine, fewer.engine), "counts"
    return None, way


def _classes(solutions: Iterable[Options], group: IntArray) -> int:
    """How many solutions there are if those count once that the group takes to each other."""
    number, seen = 0, set[Options]()
    for solution in solutions:
        if solution not in seen:
            number += 1
            seen.update(map(tuple, np.sort(group[:, solution], axis=1).tolist()))
    return number


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
    time_limit: float | None = None,
    pulse: Callable[[], object] = lambda: None,
) -> Result | None:
    """The outcome of a count by another method than the first, and without its filters.

    None: there was none in time, or none can do it. Nobody can say beforehand which method ends
    first, so those that can take the puzzle go on in turns, a slice each. One that cannot, or that
    has too little memory, drops out.

    first       the strategy of the first count
    time_limit  seconds of all that go on in turns together. Default: None, no limit
    pulse       called after each slice
    """
    used = {method(name) for name, _ in engines_of(first)}
    most = inf if time_limit is None else time_limit
    cannot = CapabilityError, StrategyError, TooLarge
    for names in FLOORS if used & {"floor"} or "nooverlap" in first else ROUNDS:
        with ExitStack() as closing:
            turns: list[Counting] = []
            for name in names:
                if method(name.partition(":")[0]) not in used:
                    with suppress(*cannot):
                        made = Counting(
                            content, counted=counted, strategy=name, time_limit=time_limit
                        )
                        turns.append(closing.enter_context(made))
            while turns and sum(one.result.seconds for one in turns) <= most:
                for counting in [*turns]:
                    try:
                        counting.step()
                    except cannot:
                        turns.remove(counting)
                        continue
                    pulse()
                    result = counting.result
                    if result.whole:
                        return result
                    if result.status != "searching":
                        turns.remove(counting)
    return None
