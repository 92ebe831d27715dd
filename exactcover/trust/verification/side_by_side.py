"""Engines that search the whole puzzle at the same time, each in a thread of its own.

Compiled engines and CP-SAT release the interpreter lock, so threads use several cores. Each engine
keeps to one thread: engines that share the code that splits a tree would be less independent.

The caller asks for one result after the other, as with one worker. So results are compared, and
errors are raised, in the order of the engines. The threads are daemons: an engine in a long step of
code other than Python does not keep the program from ending.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from math import inf
from threading import Event, Semaphore, Thread
from time import monotonic
from typing import Self

from exactcover.backends.base import Task
from exactcover.trust.verification.engines import NOTHING, Contender, Findings, SearchBounds

LOOK_EVERY = 0.05
"""Seconds between two looks at what the threads have found."""

GRACE = 0.3
"""Seconds that the threads have to end after an exception; then they are abandoned."""

Watch = Callable[[Sequence[tuple[str, Findings]]], bool]


class EngineRun:
    """One engine's search of the whole.

    so_far  what it has found
    done    set when it has ended
    """

    def __init__(self, engine: Contender) -> None:
        self.engine = engine
        self.so_far = NOTHING
        self.begun = False
        self.done = Event()
        self._error: BaseException | None = None

    def search(self, bounds: SearchBounds, enough: Callable[[], bool]) -> None:
        """Search to the end; an error is kept for the thread that asks for the result."""

        def look(found: Findings) -> bool:
            self.so_far = found
            return enough()

        self.begun = True
        try:
            self.so_far = self.engine.find(Task(), bounds, look)
        except BaseException as error:
            self._error = error
        finally:
            self.done.set()

    def result(self) -> Findings:
        """The result of a search that has ended; raises the error that ended it."""
        if self._error is not None:
            raise self._error
        return self.so_far


class SideBySide:
    """Searches of the whole by several engines, at most `workers` of them at once.

    With one worker an engine searches when its result is asked for, in the thread that asks.

    watch  called several times a second, by the thread that asks, with the names of the engines at
           work and what they have found; all searches end soon after it returns true
    """

    def __init__(self, workers: int, watch: Watch) -> None:
        self._workers, self._watch = workers, watch
        self._free = Semaphore(workers)
        self._bounds = SearchBounds()
        self._runs: dict[Contender, EngineRun] = {}
        self._dropped = Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *raised: object) -> None:
        self._end(inf if kind is None else GRACE)

    def begin(self, engines: Sequence[Contender], bounds: SearchBounds) -> None:
        """Begin these searches, in this order, and end all others."""
        self._end()
        self._dropped, self._bounds = Event(), bounds
        self._runs = {engine: EngineRun(engine) for engine in engines}
        if self._workers == 1:
            return
        for run in self._runs.values():
            # The caller's deadline belongs to its context; each thread needs a copy of that.
            given = self._work, run, self._dropped
            Thread(target=copy_context().run, args=given, daemon=True).start()

    def found(self, engine: Contender) -> Findings:
        """The result of an engine; raises the error that ended its search."""
        run = self._runs[engine]
        if self._workers == 1:
            run.search(self._bounds, self._look)
        while not run.done.wait(LOOK_EVERY):
            self._look()
        del self._runs[engine]
        return run.result()

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
        runs = [run for run in self._runs.values() if run.begun and not run.done.is_set()]
        if self._watch([(run.engine.name, run.so_far) for run in runs]):
            self.drop()
        return self._dropped.is_set()

    def _end(self, patience: float = inf) -> None:
        """End all searches; wait for their threads, but no longer than `patience` seconds."""
        self.drop()
        late = monotonic() + patience
        for run in self._runs.values() if self._workers > 1 else ():
            while not run.done.wait(LOOK_EVERY) and monotonic() < late:
                pass
        self._runs = {}

    def _work(self, run: EngineRun, dropped: Event) -> None:
        """The thread of one engine; they come in the order in which they began to wait."""
        with self._free:
            if dropped.is_set():
                run.done.set()
            else:
                run.search(self._bounds, dropped.is_set)
