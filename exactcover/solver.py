"""Runs a search: from a puzzle or a problem to a stream of solutions.

`solve` gives an iterator that can be left at any time and gone on with later; nothing is searched
before it is asked for. Between two steps of the engine, which take about a fiftieth of a second,
limits are looked at, so a search stops at once with all that it has found.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from time import perf_counter

from exactcover.backends import get_backend, require
from exactcover.backends.base import Batch, Search, Status, Task
from exactcover.errors import LimitReached
from exactcover.problem import Problem
from exactcover.puzzle import Model, Placement, Puzzle
from exactcover.strategy import Strategy

Subject = Puzzle | Problem | Iterable[Iterable[Hashable]]
"""What can be solved: a puzzle, a problem, or the options of a problem."""

SLICE = 0.02
"""Seconds that one step of an engine should take: short for a person, long for a machine."""

FIRST_STEPS = 1 << 8
MOST_STEPS = 1 << 22
BATCH = 1 << 12


@dataclass(frozen=True)
class Solution:
    """One solution: the options that make it up, ascending, and what they stand for."""

    options: tuple[int, ...]
    problem: Problem
    model: Model | None = None

    @property
    def names(self) -> tuple[Hashable, ...]:
        """The names of the options, or their numbers where they have none."""
        return tuple(self.problem.option_name(option) for option in self.options)

    @property
    def placements(self) -> tuple[Placement, ...]:
        """The pieces in their places; nothing for a problem without geometry."""
        return () if self.model is None else self.model.placements(self.options)

    def __repr__(self) -> str:
        return f"<Solution {self.options}>"


@dataclass(frozen=True)
class Result:
    """What a search has come to.

    status     complete, limit, interrupted, impossible; searching while it goes on
    solutions  how many were found
    counted    what was counted: all of them
    fits       options chosen; nofits: options tried that did not fit
    reason     why there can be no solution, where the status is impossible
    """

    status: str
    solutions: int
    counted: str
    fits: int
    nofits: int
    seconds: float
    strategy: str
    reason: str = ""


class Solving(Iterator[Solution]):
    """A search under way: an iterator over its solutions.

    `result` says at any time how far it has come; `stop` ends it from a signal handler or another
    thread. After it was left, iterating again goes on where it was.
    """

    def __init__(
        self,
        subject: Subject,
        *,
        strategy: Strategy | str | None = None,
        limit: int | None = None,
        time_limit: float | None = None,
    ) -> None:
        self.problem, self.model = _problem_of(subject)
        self.strategy = (
            Strategy.parse(strategy) if isinstance(strategy, str) else strategy or Strategy()
        )
        self.limit, self.time_limit = limit, time_limit
        self.reason = self.model.reason if self.model is not None else ""
        self._search: Search | None = None
        self._waiting: deque[tuple[int, ...]] = deque()
        self._given = 0
        self._steps = FIRST_STEPS
        self._seconds = 0.0
        self._finished = bool(self.reason)
        self._stopped = False
        backend = get_backend(self.strategy.backend)
        require(backend, self.problem)

    # -- the stream ---------------------------------------------------------------------------

    def __iter__(self) -> Solving:
        return self

    def __next__(self) -> Solution:
        while not self._waiting:
            if self._over():
                raise StopIteration
            batch = self._advance(keep=True)
            self._waiting.extend(batch.solution(number) for number in range(len(batch)))
        if self.limit is not None and self._given >= self.limit:
            raise StopIteration
        self._given += 1
        return Solution(self._waiting.popleft(), self.problem, self.model)

    def run(self) -> Result:
        """Search to the end without handing solutions out, and say what came of it."""
        self._given += len(self._waiting)
        self._waiting.clear()
        while not self._over():
            self._advance(keep=False)
            self._given = self.found
        return self.result

    def step(self) -> bool:
        """Count on for about a fiftieth of a second; whether there is more to do."""
        if not self._over():
            self._advance(keep=False)
            self._given = self.found
        return not self._over()

    def stop(self) -> None:
        """End the search after the step that it is in."""
        self._stopped = True

    # -- what it has come to ------------------------------------------------------------------

    @property
    def found(self) -> int:
        """Solutions found so far, those not handed out yet included."""
        found = self._search.found if self._search is not None else 0
        return found if self.limit is None else min(found, self.limit)

    @property
    def progress(self) -> float:
        """How much of the tree is behind it, 0 to 1, taking sibling branches as equals."""
        if self._finished:
            return 1.0
        return self._search.progress() if self._search is not None else 0.0

    @property
    def position(self) -> tuple[tuple[int, int], ...]:
        """Where in the tree it is: which branch of how many, level by level."""
        return tuple(self._search.position()) if self._search is not None else ()

    @property
    def result(self) -> Result:
        search = self._search
        return Result(
            status=self._status(),
            solutions=self.found,
            counted="all",
            fits=search.fits if search is not None else 0,
            nofits=search.nofits if search is not None else 0,
            seconds=self._seconds,
            strategy=str(self.strategy),
            reason=self.reason,
        )

    def _status(self) -> str:
        if self.reason:
            return "impossible"
        if self._limit_reached() and not (self._finished and self._exact()):
            return "limit"
        if self._finished:
            return "complete"
        if self._stopped:
            return "interrupted"
        return "limit" if self._out_of_time() else "searching"

    def _exact(self) -> bool:
        """Whether the engine found no more than the limit."""
        return self._search is None or self._search.found <= (self.limit or 0)

    def _limit_reached(self) -> bool:
        return self.limit is not None and self.found >= self.limit

    def _out_of_time(self) -> bool:
        return self.time_limit is not None and self._seconds >= self.time_limit

    def _over(self) -> bool:
        return self._finished or self._stopped or self._limit_reached() or self._out_of_time()

    # -- the engine ---------------------------------------------------------------------------

    def _advance(self, *, keep: bool) -> Batch:
        """One step of the engine, its size set so that it takes about `SLICE` seconds."""
        began = perf_counter()
        if self._search is None:
            backend = get_backend(self.strategy.backend)
            layout = self.model.layout if self.model is not None else None
            self._search = backend.start(
                self.problem, layout, Task(heuristic=self.strategy.heuristic)
            )
        room = BATCH if self.limit is None else min(BATCH, self.limit - self._search.found)
        batch = self._search.advance(self._steps, capacity=room, keep=keep)
        took = perf_counter() - began
        self._seconds += took
        if took < SLICE / 2 and batch.status is Status.BUDGET:
            self._steps = min(self._steps * 2, MOST_STEPS)
        elif took > SLICE * 2:
            self._steps = max(self._steps // 2, 1)
        self._finished = batch.status is Status.DONE
        return batch


def solve(
    subject: Subject,
    *,
    strategy: Strategy | str | None = None,
    limit: int | None = None,
    time_limit: float | None = None,
) -> Solving:
    """The solutions of a puzzle or a problem: a lazy iterator that can be left and resumed."""
    return Solving(subject, strategy=strategy, limit=limit, time_limit=time_limit)


def count(
    subject: Subject, *, strategy: Strategy | str | None = None, time_limit: float | None = None
) -> int:
    """How many solutions there are; raises `LimitReached` if the time does not suffice."""
    result = Solving(subject, strategy=strategy, time_limit=time_limit).run()
    if result.status == "limit":
        raise LimitReached(result.solutions)
    return result.solutions


def first(
    subject: Subject, *, strategy: Strategy | str | None = None, time_limit: float | None = None
) -> Solution | None:
    """One solution, or None where there is none; raises `LimitReached` if time does not suffice."""
    solving = Solving(subject, strategy=strategy, limit=1, time_limit=time_limit)
    solution = next(solving, None)
    if solution is None and solving.result.status == "limit":
        raise LimitReached(0)
    return solution


def _problem_of(subject: Subject) -> tuple[Problem, Model | None]:
    if isinstance(subject, Puzzle):
        return subject.model.problem, subject.model
    if isinstance(subject, Problem):
        return subject, None
    return Problem.from_options(subject), None
