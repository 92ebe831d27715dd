"""All solutions of a puzzle, taken apart: which can be made by hand, and how hard that is.

One thread searches for solutions. It, or a pool of threads, takes them apart. Each worker keeps
what it has learned about the pieces, so that the solutions after the first ones take less time.
"""

from __future__ import annotations

import weakref
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from time import perf_counter
from typing import Any, overload

from exactcover.base.compiled import Stopwatch
from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_kind, check_whole, shown
from exactcover.burrs.blocking import Blocking, check_apart
from exactcover.burrs.search import APART, MAX_STATES, STUCK, UNDECIDED, TakenApart, taking_apart
from exactcover.errors import ExactCoverError
from exactcover.puzzle import Placement, Puzzle
from exactcover.runs.executors import Pool, Work, thread_pool
from exactcover.search.result import Solution
from exactcover.search.session import checked_time_limit
from exactcover.search.solving import Solving
from exactcover.search.strategy import Strategy

AHEAD = 4
"""The solutions that are handed out for each worker."""

Numbers = tuple[int, ...]


@dataclass(frozen=True)
class ApartWork(Work[Sequence[Placement], TakenApart]):
    """The work of taking solutions of a puzzle apart; a task is the placements of one.

    It raises `ExactCoverError` unless they can be taken apart. `max_states` is as for `apart`.
    """

    puzzle: Puzzle
    max_states: int | None

    def __post_init__(self) -> None:
        check_kind("puzzle", self.puzzle, Puzzle, "a puzzle: a plain problem has no pieces")
        check_whole("max_states", self.max_states, least=1)
        check_apart(self.puzzle)

    def begin(self) -> Callable[[Sequence[Placement]], Iterator[TakenApart | None]]:
        """A table for each worker: tables are not shared between threads."""
        return partial(
            taking_apart,
            pieces=self.puzzle.pieces,
            blocking=Blocking(self.puzzle.lattice),
            max_states=self.max_states or MAX_STATES,
        )


@dataclass(frozen=True)
class Apartness:
    """How many solutions of a puzzle come apart.

    status      complete: all solutions are decided; limit, interrupted, impossible as in `Result`;
                undecided: all are searched, but for some it is not decided
    assemblies  the solutions that were taken, or tried to be taken, apart
    apart       those that come apart
    stuck       those that do not
    undecided   those whose search needed too many states
    levels      level -> how many solutions have it, the highest first
    counted     what counts as one solution
    seconds     of searching; compiling: those in which kernels were compiled
    stopped_by  which limit ended it: `time` or `solutions`
    reason      why there can be no solution
    """

    status: str
    assemblies: int
    apart: int
    stuck: int
    undecided: int
    levels: Mapping[str, int]
    counted: Convention
    seconds: float
    compiling: float = 0.0
    stopped_by: str = ""
    reason: str = ""

    @property
    def highest(self) -> str:
        """The highest level; empty if nothing comes apart."""
        return next(iter(self.levels), "")

    def record(self) -> dict[str, Any]:
        """The figures for a script."""
        names = ("status", "assemblies", "apart", "stuck", "undecided")
        return {name: getattr(self, name) for name in names} | {
            "levels": dict(self.levels),
            "highest": self.highest or None,
            "counted": self.counted,
            "seconds": round(self.seconds, 6),
            "compiling": round(self.compiling, 6),
        }

    def __repr__(self) -> str:
        level = f", highest level {self.highest}" if self.highest else ""
        return (
            f"<Apartness: {self.status}, {self.apart:,} of {self.assemblies:,} come apart{level}>"
        )


class Disassembling(Iterator[tuple[Solution, TakenApart]]):
    """Solutions of a puzzle, each with how it comes apart: an iterator.

    `result` holds the outcome so far at any time; `stop` ends it from a signal handler or another
    thread. The arguments are those of `apart`.

    between  called with this object after each moment of work; None: nothing is
    number   that of the solution handed out last, in the order of the search, from 1: with several
             workers solutions come in another order
    """

    between: Callable[[Any], object] | None = None
    number: int = 0

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        counted: Convention | None = None,
        strategy: Strategy | str | None = None,
        limit: int | None = None,
        time_limit: float | None = None,
        max_states: int | None = None,
        workers: int = 1,
    ) -> None:
        work = ApartWork(puzzle, max_states)
        check_whole("workers", workers, least=1, optional=False)
        self._watch = Stopwatch()
        self._solving = Solving(
            puzzle, counted=counted, strategy=strategy, limit=limit, time_limit=time_limit
        )
        self._until = inf if time_limit is None else perf_counter() + time_limit
        self._solving.between = self._tell
        self._executor: Pool[Sequence[Placement], TakenApart] = thread_pool(workers)
        self._most = 1 if workers == 1 else AHEAD * workers
        self._executor.start(work)
        weakref.finalize(self, self._executor.close)
        self._taken = 0
        self._open: dict[int, Solution] = {}
        self._ready: deque[tuple[int, Solution, TakenApart]] = deque()
        self._stopped = self._late = self._all_taken = False
        self._counts: Counter[str] = Counter()
        self._levels: Counter[Numbers] = Counter()

    def __iter__(self) -> Disassembling:
        return self

    def __next__(self) -> tuple[Solution, TakenApart]:
        with self._watch.running():
            while not self._ready:
                self._late = self._late or perf_counter() >= self._until
                over = self._all_taken and not self._open
                if over or self._late or self._stopped:
                    self._late = self._late and not over
                    self._executor.close()
                    raise StopIteration
                self._go_on()
            self.number, solution, outcome = self._ready.popleft()
            return solution, outcome

    def run(self) -> Apartness:
        """Take all solutions apart; return the outcome."""
        for _ in self:
            pass
        return self.result

    def stop(self) -> None:
        """End it soon; any thread or signal handler may call it."""
        self._stopped = True
        self._solving.stop()

    @property
    def found(self) -> int:
        """The solutions that come apart so far."""
        return self._counts[APART]

    @property
    def progress(self) -> float:
        """The share of the search for solutions that is done, 0 to 1."""
        return self._solving.progress

    @property
    def result(self) -> Apartness:
        """The outcome so far."""
        searched = self._solving.result
        levels = sorted(self._levels.items(), reverse=True)
        status, stopped_by = searched.status, searched.stopped_by
        if self._late:
            status, stopped_by = "limit", "time"
        elif self._stopped:
            status = "interrupted"
        elif status != "impossible" and (self._open or self._ready or not self._all_taken):
            status = "searching"
        elif status == "complete" and self._counts[UNDECIDED]:
            status = UNDECIDED
        return Apartness(
            status=status,
            assemblies=self._counts.total(),
            apart=self._counts[APART],
            stuck=self._counts[STUCK],
            undecided=self._counts[UNDECIDED],
            levels={".".join(map(str, numbers)) or "0": number for numbers, number in levels},
            counted=searched.counted,
            seconds=self._watch.working,
            compiling=self._watch.compiling,
            stopped_by=stopped_by if status == "limit" else "",
            reason=searched.reason,
        )

    def _go_on(self) -> None:
        """Hand out solutions, and take in outcomes."""
        while not self._all_taken and len(self._open) < self._most:
            if (solution := next(self._solving, None)) is None:
                self._all_taken = True
                break
            self._taken += 1
            self._open[self._taken] = solution
            self._executor.submit(self._taken, solution.placements)
        for number, outcome in self._executor.finished():
            self._counts[outcome.status] += 1
            if outcome.disassembly is not None:
                self._levels[outcome.disassembly.numbers] += 1
            self._ready.append((number, self._open.pop(number), outcome))
        self._tell(self._solving)

    def _tell(self, _: object) -> None:
        if self.between is not None:
            self.between(self)


@overload
def apart(
    subject: Solution, *, max_states: int | None = None, time_limit: float | None = None
) -> TakenApart: ...


@overload
def apart(
    subject: Puzzle,
    *,
    max_states: int | None = None,
    time_limit: float | None = None,
    counted: Convention | None = None,
    strategy: Strategy | str | None = None,
    limit: int | None = None,
    workers: int = 1,
) -> Disassembling: ...


def apart(
    subject: Solution | Puzzle,
    *,
    max_states: int | None = None,
    time_limit: float | None = None,
    counted: Convention | None = None,
    strategy: Strategy | str | None = None,
    limit: int | None = None,
    workers: int = 1,
) -> TakenApart | Disassembling:
    """Whether a solution comes apart, or which solutions of a puzzle do, and with how many moves.

        >>> import exactcover as ec
        >>> found = ec.apart(ec.first(ec.read("somacube")))
        >>> found.status, found.level
        ('apart', '1.1.1.1.1.1')

    A move shifts some pieces together by steps along a lattice vector, while the others stay. The
    level has the number of moves until a first part comes off, then those of the parts that are
    left. No sequence of moves has fewer until the first part comes off. Pieces are never turned.

    subject     a Solution, or a Puzzle whose solutions are taken apart one after the other
    max_states  the most positions of the pieces in the search for one part; with more the outcome
                is "undecided". Default: None, 1,000,000
    time_limit  stop after this number of seconds. Default: None, no limit

    For a puzzle also:

    counted     what counts as one solution, as in `solve`. Default: None, "rotations"
    strategy    how to search for solutions, as in `solve`. Default: None, chosen for the puzzle
    limit       stop after this number of solutions. Default: None, all
    workers     how many threads take solutions apart; with several, solutions come in another
                order. Default: 1

    Returns a `TakenApart` for a solution. For a puzzle, returns an iterator over pairs of a
    solution and its `TakenApart`; its `result` counts them.

    Raises `ExactCoverError` unless the pieces are solids or balls in space.
    """
    if isinstance(subject, Puzzle):
        return Disassembling(
            subject, max_states=max_states, time_limit=time_limit, counted=counted,
            strategy=strategy, limit=limit, workers=workers,
        )  # fmt: skip
    if not isinstance(subject, Solution):
        raise ExactCoverError(f"apart({shown(subject)}): a solution or a puzzle is needed")
    if subject.model is None:
        raise ExactCoverError("a solution of a plain problem has no pieces to take apart")
    until, began = checked_time_limit(time_limit), perf_counter()
    for outcome in ApartWork(subject.model.puzzle, max_states).begin()(subject.placements):
        if outcome is not None:
            return outcome
        if until is not None and perf_counter() - began >= until:
            return TakenApart(UNDECIDED, reason=f"stopped after {until:g} s (time limit)")
    raise AssertionError("the last slice has the outcome")
