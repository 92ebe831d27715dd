"""Engines to be compared: each a strategy on one problem, run on the whole of it or on a part.

Several may search the whole at the same time, each in a thread of its own: compiled engines and
CP-SAT release the interpreter lock. Each keeps to one thread, since engines that share the code
that splits a tree would be less independent. Results are asked for in the order of the engines, as
with one worker. The threads are daemons: an engine in a long step does not keep the program alive.

If a filter removes an option, the engine claims that no solution has this option. So it reports no
solution for a part that fixes the option, and another engine may find one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, replace
from threading import Event, Semaphore, Thread
from typing import Self

from exactcover.backends import get_backend
from exactcover.backends.base import Search, Task
from exactcover.backends.rectangles.engine import FloorBackend
from exactcover.backends.tasks import require
from exactcover.errors import ProblemError
from exactcover.search.automatic import automatic
from exactcover.search.driver import MOST_STEPS, Clock, Driver
from exactcover.search.engine import start_search
from exactcover.search.plan import Plan, make_plan
from exactcover.search.rectangles import filling
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject

AUTOMATIC = "auto"

SOME = 1 << 10
"""At least this number of solutions is kept, if as many are found."""

LOOK_EVERY = 0.05
"""Seconds between two looks at what the threads have found."""

GRACE = 0.3
"""Seconds that the threads have to end after an exception; then they are abandoned."""

Options = tuple[int, ...]


@dataclass(frozen=True)
class Findings:
    """The solutions that an engine found in a problem or a part of it; by default, it was not run.

    count      the number of solutions
    solutions  the solutions; None: not listed, or not kept
    finished   whether these are all solutions
    seconds    without those of compilation, which are `compiling`
    some       the first solutions, if the engine lists any
    choices    the options that it chose
    """

    engine: Contender
    count: int = 0
    solutions: frozenset[Options] | None = None
    finished: bool = False
    seconds: float = 0.0
    duplicates: int = 0
    some: tuple[Options, ...] = ()
    compiling: float = 0.0
    choices: int = 0


@dataclass(frozen=True)
class SearchBounds:
    """The bounds of an engine: seconds, choices, and solutions that are kept; None: no bound."""

    seconds: float | None = None
    choices: int | None = None
    kept: int = 0


class Contender:
    """An engine to be compared: a strategy, ready to search one subject or parts of it."""

    def __init__(self, name: str, subject: Subject) -> None:
        self.name, self.subject = name, subject
        self.strategy = automatic(subject) if name == AUTOMATIC else Strategy.parse(name)
        engines = [get_backend(stage.backend) for stage in self.strategy.stages]
        self.lists = all(engine.capabilities.lists_solutions for engine in engines)
        self.counts = all(engine.capabilities.can_count for engine in engines)
        self.takes_parts = not any(isinstance(engine, FloorBackend) for engine in engines)
        self._plan: Plan | None = None

    def find(
        self, task: Task, bounds: SearchBounds, enough: Callable[[Findings], bool] = lambda _: False
    ) -> Findings:
        """The solutions that it finds in a part of the problem within these bounds.

        enough  called several times a second with the result so far; the search ends when it is
                true

        Raises `CapabilityError` or `StrategyError` if the engine cannot take the problem.
        """
        for stage in self.strategy.stages:
            require(get_backend(stage.backend), self.subject.problem)
        driver = Driver(lambda: self._search(task), Clock(bounds.seconds))
        listed: set[Options] = set()
        some: tuple[Options, ...] = ()
        keep = self.lists and bounds.kept > 0
        driver.advance()  # makes the search; then there is at least one slice
        found, more = self._found(driver, some), not (driver.done or driver.clock.late)
        while more:
            most = MOST_STEPS
            if bounds.choices is not None:
                most = max(1, bounds.choices - found.choices)
            batch = driver.advance(keep=keep, most_steps=most)
            given = [batch.solution(number) for number in range(len(batch))]
            listed.update(given)
            some = (*some, *given[: SOME - len(some)])
            keep = keep and len(listed) <= max(bounds.kept, SOME)
            found = self._found(driver, some)
            spent = bounds.choices is not None and found.choices >= bounds.choices
            more = not (driver.over or spent or enough(found))
        if driver.clock.late:
            return Findings(self, seconds=found.seconds, compiling=found.compiling)
        if driver.search is None and driver.done:
            return replace(found, solutions=frozenset())
        is_whole = keep and len(listed) <= bounds.kept
        return replace(found, solutions=frozenset(listed)) if is_whole else found

    def _found(self, driver: Driver[Search], some: tuple[Options, ...]) -> Findings:
        """The result so far."""
        search, clock = driver.search, driver.clock
        found = Findings(
            self, finished=driver.done, seconds=clock.working, compiling=clock.compiling
        )
        if search is None:
            return found
        report = search.report(brief=True)
        return replace(
            found,
            count=report.found,
            duplicates=getattr(search, "duplicates", 0),
            some=some,
            choices=report.fits,
        )

    def _search(self, task: Task) -> Search | None:
        """A search of the part; None if the plan shows that it has no solution."""
        if not task.chosen and task.allowed is None:
            by_sizes = filling(self.subject, self.strategy)
            if by_sizes is not None:
                return by_sizes
        if self._plan is None:
            # A puzzle that is impossible by its sizes is searched all the same: the engine must
            # find that out by itself.
            self._plan = make_plan(self.subject, self.strategy)
            if self.subject.reason:
                self._plan = replace(self._plan, reason="")
        plan = self._plan
        gone = [o for o in task.chosen if not plan.alive[o] and o not in plan.forced]
        if plan.reason or gone:
            return None
        try:
            return start_search(plan, self.strategy, task)
        except ProblemError:
            if not plan.forced:
                raise
            return None  # the part contradicts what the filters say every solution has


class SideBySide:
    """Searches of the whole by several engines, at most `workers` of them at once.

    With one worker an engine searches when its result is asked for, in the thread that asks.

    watch  called several times a second, by the thread that asks, with what the engines
           at work have found; all searches end soon after it returns true
    """

    def __init__(self, workers: int, watch: Callable[[Sequence[Findings]], bool]) -> None:
        self._workers, self._watch = workers, watch
        self._free = Semaphore(workers)
        self._bounds = SearchBounds()
        self._results: dict[Contender, Future[Findings]] = {}
        self._so_far: dict[Contender, Findings] = {}
        self._dropped = Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *raised: object) -> None:
        self._end(None if kind is None else GRACE)

    def begin(self, engines: Sequence[Contender], bounds: SearchBounds) -> None:
        """Begin these searches, in this order, and end all others."""
        self._end()
        self._dropped, self._bounds = Event(), bounds
        self._results = {engine: Future() for engine in engines}
        self._so_far = {engine: Findings(engine) for engine in engines}
        for engine, result in self._results.items() if self._workers > 1 else ():
            # The caller's deadline belongs to its context; each thread needs a copy of that.
            given = self._work, engine, result, self._dropped
            Thread(target=copy_context().run, args=given, daemon=True).start()

    def found(self, engine: Contender) -> Findings:
        """The result of an engine; raises the error that ended its search."""
        result = self._results[engine]
        if self._workers == 1:
            self._search(engine, result, self._look)
        while not result.done():
            wait([result], LOOK_EVERY)
            self._look()
        del self._results[engine]
        return self._so_far[engine] if result.cancelled() else result.result()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A search by the thread that asks: no more than `workers` search meanwhile."""
        while not self._free.acquire(timeout=LOOK_EVERY):
            self._look()
        try:
            yield
        finally:
            self._free.release()

    def drop(self) -> None:
        """Let all searches end soon: their results are not needed."""
        self._dropped.set()

    def _look(self) -> bool:
        """Show what is found; return whether the searches shall end."""
        at_work = [engine for engine, result in self._results.items() if result.running()]
        if self._watch([self._so_far[engine] for engine in at_work]):
            self.drop()
        return self._dropped.is_set()

    def _end(self, patience: float | None = None) -> None:
        """End all searches; wait for their threads, at most `patience` seconds."""
        self.drop()
        if self._workers > 1:
            wait(self._results.values(), patience)
        self._results = {}

    def _work(self, engine: Contender, result: Future[Findings], dropped: Event) -> None:
        """The thread of one engine; they come in the order in which they began to wait."""
        with self._free:
            if dropped.is_set():
                result.cancel()
            self._search(engine, result, dropped.is_set)

    def _search(
        self, engine: Contender, result: Future[Findings], enough: Callable[[], bool]
    ) -> None:
        """Search the whole with an engine, unless its result is not wanted any more."""

        def look(found: Findings) -> bool:
            self._so_far[engine] = found
            return enough()

        if not result.set_running_or_notify_cancel():
            return
        try:
            result.set_result(engine.find(Task(), self._bounds, look))
        except BaseException as error:  # the thread that asks for the result raises it
            result.set_exception(error)
