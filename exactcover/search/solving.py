"""Runs a search: from a puzzle or a problem to a stream of solutions.

`solve` gives an iterator that can be left at any time and gone on with later; nothing is searched
before it is asked for. Between two steps of the engine, which take about a fiftieth of a second,
limits are looked at, so a search stops at once with all that it has found. The time limit holds for
setting up too: the problem is made when the search is, within its limit. Several threads may share
a search: each solution comes to one of them.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter

import numpy as np

from exactcover.backends import get_backend, require
from exactcover.backends.base import Batch, CuttingSearch, Search, Status, Task
from exactcover.backends.kinds import CuttingBackend
from exactcover.errors import BrokenSearch, ExactCoverError, TimeUp, UnknownName
from exactcover.patience import within
from exactcover.problem import IntArray, Matrix, Options, Problem
from exactcover.puzzle import Model, Placement, Puzzle
from exactcover.search.plan import COUNTED, Applied, Plan, automatic, make_plan, start_search
from exactcover.search.sharing import Watched
from exactcover.search.stages import stage_at
from exactcover.search.strategy import Strategy
from exactcover.values.arguments import check_kind, check_seconds, check_whole

Subject = Puzzle | Problem | Options | Matrix
"""What can be solved: a puzzle, a problem, or the options or the matrix of a problem."""

SLICE = 0.02
"""Seconds that one step of an engine should take: short for a person, long for a machine."""

FIRST_STEPS = 1 << 8
MOST_STEPS = 1 << 22
BATCH = 1 << 12
LISTED = 1 << 8
"""So many solutions wait to be handed out at most: more, and to stop would take too long."""

STRATEGIES = 'a text such as "dlx:s", a Strategy, or None'

NO_SYMMETRY = "none but the identity"


@dataclass(frozen=True)
class Solution:
    """One solution: the options that make it up, ascending, and what they stand for.

    Equal to the same options of an equal problem.
    """

    options: tuple[int, ...]
    problem: Problem
    model: Model | None = None

    @property
    def names(self) -> tuple[Hashable, ...]:
        """The names of the options, or their numbers where they have none."""
        return tuple(self.problem.option_name(option) for option in self.options)

    @property
    def cost(self) -> float:
        """What the options cost together; 0 where the problem has no costs."""
        return self.problem.cost(self.options)

    @property
    def placements(self) -> tuple[Placement, ...]:
        """The pieces in their places; nothing for a problem without geometry."""
        return () if self.model is None else self.model.placements(self.options)

    def __hash__(self) -> int:
        return hash(self.options)

    def __repr__(self) -> str:
        return f"<Solution {self.options}>"


@dataclass(frozen=True)
class Remaining:
    """What was tried while so many pieces remained, and by which stage of the strategy."""

    remaining: int
    stage: str
    attempts: int
    fits: int
    nofits: int


@dataclass(frozen=True)
class Result:
    """What a search has come to.

    status     complete, limit, interrupted, impossible; searching while it goes on
    stopped_by which limit ended it, where the status is limit: `time` or `solutions`
    solutions  how many were found
    counted    what was counted: `all` solutions, or one of those that `rotations`, or
               `reflections` too, take to each other; of a plain problem always `all`
    fits       options chosen; nofits: options tried that did not fit
    reason     why there can be no solution, where the status is impossible
    symmetric  how many of the solutions found have each group of symmetries, where that was counted
    applied    what each filter took away before the search
    by_remaining  the fits and no-fits by the number of remaining pieces, most of them first; empty
                  where they were not asked for, and from a backend that gives totals only
    """

    status: str
    solutions: int
    counted: str
    fits: int
    nofits: int
    seconds: float
    strategy: str
    reason: str = ""
    symmetric: Mapping[str, int] = field(default_factory=dict)
    applied: tuple[Applied, ...] = ()
    by_remaining: tuple[Remaining, ...] = ()
    stopped_by: str = ""


@dataclass(frozen=True)
class View:
    """What a search has come to, as one thread sees it while another may go on with it."""

    result: Result
    progress: float
    position: tuple[tuple[int, int], ...]


class Solving(Watched[View], Iterator[Solution]):
    """A search under way: an iterator over its solutions.

    `result` says at any time how far it has come. After it was left, iterating again goes on where
    it was.

    `stop` ends it from a signal handler or another thread; `close`, or a `with` statement, also
    lets go of its memory. Threads may share it: each solution comes to one of them, and `result`,
    `progress` and `position` are right in all of them, at most a step old.

    The arguments are those of `solve`, and

    tally  whether the result says what was tried by the number of remaining pieces. Default: False

    For a search that is looked into step by step, or cut where so many pieces are left, make a plan
    with `plan.make_plan` and start it with `plan.start_cutting`, which takes a task.
    """

    def __init__(
        self,
        subject: Subject,
        *,
        counted: str | None = None,
        strategy: Strategy | str | None = None,
        limit: int | None = None,
        time_limit: float | None = None,
        tally: bool = False,
    ) -> None:
        super().__init__()
        check_kind("strategy", strategy, (Strategy, str, type(None)), STRATEGIES)
        check_kind("counted", counted, (str, type(None)), f"one of {', '.join(map(repr, COUNTED))}")
        check_whole("limit", limit)
        self.counted = counted_as(counted, puzzle=isinstance(subject, Puzzle))
        self.limit, self.time_limit = checked_limit(limit), checked_time_limit(time_limit)
        self._subject = subject
        self._named = None if strategy is None else Strategy.of(strategy)
        self._tally = tally
        self._plan: Plan | None = None
        self._search: Search | None = None
        self._waiting: deque[tuple[int, ...]] = deque()
        self._given = 0
        self._found = 0
        self._symmetric: Counter[str] = Counter()
        self._steps = FIRST_STEPS
        self._seconds = 0.0
        self._finished = False
        self._broken: BaseException | None = None
        self._late = False
        with self._timed():
            self._set_up()
        self._show(at_once=True)

    def _set_up(self) -> None:
        """Make the problem and choose the strategy; raises where its engines cannot take it."""
        backends = [get_backend(stage.backend) for stage in self.strategy.stages]
        for backend in backends:
            require(backend, self.problem)
        self._tally = self._tally and all(isinstance(one, CuttingBackend) for one in backends)

    # -- what it searches ---------------------------------------------------------------------

    @property
    def problem(self) -> Problem:
        """What is to be covered; made now, without a limit, if time was over before."""
        return self._covered[0]

    @property
    def model(self) -> Model | None:
        """The puzzle behind the problem, if there is one."""
        return self._covered[1]

    @cached_property
    def _covered(self) -> tuple[Problem, Model | None]:
        return problem_of(self._subject)

    @cached_property
    def strategy(self) -> Strategy:
        """How it searches: as named, or chosen for the problem."""
        return self._named or automatic(self.problem, self.model, self.counted)

    # -- the stream ---------------------------------------------------------------------------

    def __iter__(self) -> Solving:
        return self

    def __next__(self) -> Solution:
        with self._turn():
            while not self._waiting:
                if self._over():
                    self._show(at_once=True)
                    raise StopIteration
                self._waiting.extend(self._advance(keep=True))
                self._show()
            if self.limit is not None and self._given >= self.limit:
                raise StopIteration
            self._given += 1
            options = self._waiting.popleft()
        return Solution(options, self.problem, self.model)

    def run(self) -> Result:
        """Search to the end without handing solutions out, and say what came of it."""
        while self.step():
            pass
        return self.result

    def step(self) -> bool:
        """Count on for about a fiftieth of a second; whether there is more to do."""
        with self._turn():
            self._waiting.clear()
            if not self._over():
                self._advance(keep=False)
            self._given = self.found
            more = not self._over()
            self._show(at_once=not more)
        return more

    def _let_go(self) -> None:
        super()._let_go()
        self._waiting.clear()
        self._search = None

    # -- what it has come to ------------------------------------------------------------------

    @property
    def found(self) -> int:
        """Solutions found so far, those not handed out yet included."""
        return self._found if self.limit is None else min(self._found, self.limit)

    @property
    def seconds(self) -> float:
        """How long it has searched, setting up included."""
        return self._seconds

    @property
    def late(self) -> bool:
        """Whether the time limit ended it in the middle of something: it cannot go on."""
        return self._late

    @property
    def progress(self) -> float:
        """How much of the tree is behind it, 0 to 1, taking sibling branches as equals."""
        return self._seen().progress

    @property
    def position(self) -> tuple[tuple[int, int], ...]:
        """Where in the tree it is: which branch of how many, level by level."""
        return self._seen().position

    @property
    def reason(self) -> str:
        """Why there can be no solution, as far as the plan knows; else empty."""
        if self._late:
            return ""
        if self.model is not None and self.model.reason:
            return self.model.reason
        return self._plan.reason if self._plan is not None else ""

    @property
    def result(self) -> Result:
        """What it has come to so far, or in the end."""
        return self._seen().result

    def __repr__(self) -> str:
        return told_in_short(type(self).__name__, self.result, self.progress)

    def _look(self) -> View:
        search, progress = self._search, 0.0
        if search is not None:
            progress = search.progress()
        return View(
            self._result(),
            1.0 if self._finished else progress,
            () if search is None else tuple(search.position()),
        )

    def _result(self) -> Result:
        search = self._search
        status = self._status()
        wanted = "solutions" if self._limit_reached() else "time"
        return Result(
            status=status,
            solutions=self.found,
            counted=self.counted,
            fits=search.fits if search is not None else 0,
            nofits=search.nofits if search is not None else 0,
            seconds=self._seconds,
            strategy=str(self._named or "" if self._late else self.strategy),
            reason=self.reason,
            symmetric=dict(sorted(self._symmetric.items())),
            applied=self._plan.applied if self._plan is not None else (),
            by_remaining=self._by_remaining(),
            stopped_by=wanted if status == "limit" else "",
        )

    def _by_remaining(self) -> tuple[Remaining, ...]:
        search = self._search
        if not self._tally or not isinstance(search, CuttingSearch):
            return ()
        return tuple(
            Remaining(
                remaining=left,
                stage=str(stage_at(self.strategy, left)),
                attempts=tried.attempts,
                fits=tried.fits,
                nofits=tried.attempts - tried.fits,
            )
            for left, tried in sorted(search.tally().items(), reverse=True)
        )

    def _status(self) -> str:
        if self.reason:
            return "impossible"
        if self._limit_reached() and not (self._finished and self._found == self.limit):
            return "limit"
        if self._finished:
            return "complete"
        if self._stopped:
            return "interrupted"
        return "limit" if self._out_of_time() else "searching"

    def _limit_reached(self) -> bool:
        return self.limit is not None and self._found >= self.limit

    def _out_of_time(self) -> bool:
        return self._late or (self.time_limit is not None and self._seconds >= self.time_limit)

    def _over(self) -> bool:
        return (
            self._finished
            or self._stopped
            or bool(self.reason)
            or self._limit_reached()
            or self._out_of_time()
        )

    # -- the engine ---------------------------------------------------------------------------

    def _advance(self, *, keep: bool) -> list[tuple[int, ...]]:
        """One step of the engine, its size set so that it takes about `SLICE` seconds.

        The first step applies the filters instead.
        """
        before = self._seconds
        found: list[tuple[int, ...]] = []
        with self._timed():
            if self._search is None:
                self._begin()
            else:
                found = self._whole_step(self._search, keep=keep)
        if self._seconds - before > SLICE * 2:
            self._steps = max(self._steps // 2, 1)
        return found

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Work that counts as time spent; it ends, and the search with it, once time is over."""
        began = perf_counter()
        try:
            with within(self.time_limit, self._seconds):
                yield
        except TimeUp:
            self._late = True
        finally:
            self._seconds += perf_counter() - began

    def _whole_step(self, search: Search, *, keep: bool) -> list[tuple[int, ...]]:
        """A step, if none was broken off before: what that one had found is lost."""
        if isinstance(self._broken, ExactCoverError):
            raise self._broken
        if self._broken is not None:
            raise BrokenSearch(self._broken)
        try:
            return self._step(search, keep=keep)
        except BaseException as error:
            self._broken = error
            raise

    def _begin(self) -> None:
        """Apply the filters and start the backend on what they leave."""
        permutations = None
        if self.model is not None and self.counted != "all":
            permutations = self.model.symmetries.selected(self.counted)
        plan = make_plan(self.problem, self.model, self.strategy, permutations)
        self._plan = plan
        if not plan.reason:
            self._search = start_search(plan, self.strategy, Task(tally=self._tally))

    def _step(self, search: Search, *, keep: bool) -> list[tuple[int, ...]]:
        assert self._plan is not None
        canonical = self._plan.canonical
        began, before = perf_counter(), search.found
        room = LISTED if keep else BATCH
        if self.limit is not None:
            room = min(room, self.limit - self._found)
        listed = keep or canonical is not None
        batch = search.advance(self._steps, capacity=room, keep=listed)
        self._finished = batch.status is Status.DONE
        if batch.status is Status.BUDGET and perf_counter() - began < SLICE / 2:
            self._steps = min(self._steps * 2, MOST_STEPS)
        if canonical is None:
            new = search.found - before
            self._found += new
            if self.counted != "all" and new:
                room_left = new if self.limit is None else self.limit - self._found + new
                self._symmetric[NO_SYMMETRY] += max(0, min(new, room_left))
            return [batch.solution(number) for number in range(len(batch))]
        fixing = canonical.fixing(batch.starts, batch.options)
        wanted = np.flatnonzero(fixing)
        self._found += len(wanted)
        self._note_symmetries(batch, fixing)
        return [batch.solution(number) for number in wanted.tolist()] if keep else []

    def _note_symmetries(self, batch: Batch, fixing: IntArray) -> None:
        """Count which group of symmetries each solution that is kept has."""
        assert self.model is not None
        if plain := int((fixing == 1).sum()):
            self._symmetric[NO_SYMMETRY] += plain
        for number in np.flatnonzero(fixing > 1).tolist():
            solution = batch.solution(number)
            self._symmetric[self.model.symmetries.name_of_group(solution, self.counted)] += 1


def solve(
    subject: Subject,
    *,
    counted: str | None = None,
    strategy: Strategy | str | None = None,
    limit: int | None = None,
    time_limit: float | None = None,
) -> Solving:
    """The solutions of a puzzle or a problem: a lazy iterator that can be left and resumed.

        >>> import exactcover as ec
        >>> for solution in ec.solve({"x": ["a", "b"], "y": ["c"], "z": ["a", "b", "c"]}):
        ...     print(solution.names)
        ('x', 'y')
        ('z',)
        >>> with ec.solve(ec.read("pentominoes_20x3")) as solving:
        ...     first = next(solving)
        >>> len(first.placements)
        12

    subject     a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    counted     what counts as one solution. "rotations": solutions that rotations take to each
                other count once; "reflections": those that mirrors take to each other, too;
                "all": every solution counts. Default: None, "rotations" for a puzzle. A plain
                problem has no symmetries, so all its solutions count, whatever this says
    strategy    how to search: a Strategy or its text, as in "redundancy; volume; dlx:s". Default:
                None, chosen for the problem
    limit       stop after this number of solutions. Default: None, find all
    time_limit  stop after this number of seconds. Default: None, no limit

    The `Solving` that it returns has a `result`: whether the search is complete, how many solutions
    it found, and what it did. It can be stopped from another thread, and several threads may share
    it.
    """
    return Solving(subject, counted=counted, strategy=strategy, limit=limit, time_limit=time_limit)


def counted_as(counted: str | None, *, puzzle: bool) -> str:
    """What is counted as one solution: as asked for, or by default.

    A puzzle counts solutions up to rotations. A plain problem has no symmetries that a solution
    could be taken along, so whatever is asked for, all its solutions count.
    """
    if counted is not None and counted not in COUNTED:
        raise UnknownName("way of counting", counted, COUNTED)
    return counted or "rotations" if puzzle else "all"


def told_in_short(kind: str, result: Result, progress: float) -> str:
    """How far a search is, in a line: `<Solving: 120 solutions (all) so far, 12.50% in 1.2 s>`."""
    noun = "solution" if result.solutions == 1 else "solutions"
    found = f"{result.solutions:,} {noun} ({result.counted})"
    if result.status == "searching":
        return f"<{kind}: {found} so far, {progress:.2%} searched in {result.seconds:.1f} s>"
    return f"<{kind}: {result.status}, {found} in {result.seconds:.1f} s>"


def checked_limit(solutions: int | None) -> int | None:
    """A number of solutions to stop at, if it is one."""
    if solutions is None:
        return None
    if solutions < 0:
        raise ExactCoverError(f"a limit of {solutions} solutions: it must not be negative")
    if solutions % 1:
        raise ExactCoverError(f"a limit of {solutions} solutions: it must be a whole number")
    return int(solutions)


def checked_time_limit(seconds: float | None) -> float | None:
    """A time limit, if it is one; raises what tells that it is none."""
    check_seconds("time_limit", seconds)
    if seconds is not None and not seconds >= 0:
        raise ExactCoverError(f"a time limit of {seconds} s: it must not be negative")
    return seconds


def problem_of(subject: Subject) -> tuple[Problem, Model | None]:
    """What is to be covered, and the puzzle behind it, if there is one."""
    if isinstance(subject, Puzzle):
        return subject.model.problem, subject.model
    return Problem.of(subject), None
