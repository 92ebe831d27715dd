"""Counts by engines that list nothing, as searches: they run and stop like all others."""

from __future__ import annotations

from collections.abc import Sequence

from exactcover.backends.base import Backend, Batch, Search, Status, Task
from exactcover.backends.crew import Crew
from exactcover.backends.kinds import (
    Ask,
    Asking,
    CountingBackend,
    ExpectingCount,
    LevelCount,
    Outlook,
    SharedCountingBackend,
    StateCount,
)
from exactcover.backends.tasks import checked
from exactcover.errors import CapabilityError
from exactcover.problem import Problem
from exactcover.problem.layout import Layout
from exactcover.search.activity import Kept


def counts_only(backend: Backend) -> bool:
    """Whether an engine can count without listing."""
    return isinstance(backend, CountingBackend) or not backend.capabilities.lists_solutions


def counting_search(
    backend: Backend,
    problem: Problem,
    layout: Layout | None,
    task: Task,
    crew: Crew | None = None,
    ask: Ask | None = None,
) -> Search:
    """The count of the solutions below a task; raises if the task is invalid, see `checked`.

    crew  threads that share the count, if the engine can; None: one thread
    ask   asked before states take much memory, if the engine asks; None: they may
    """
    task = checked(backend, problem, layout, task)
    if isinstance(backend, SharedCountingBackend):
        return CountSearch(backend.count(problem, layout, task, crew=crew), ask)
    if isinstance(backend, CountingBackend):
        return CountSearch(backend.count(problem, layout, task), ask)
    search = backend.start(problem, layout, task)
    if isinstance(search, Asking):
        search.ask = ask
    return search


class CountSearch:
    """A count as a search; `found` is 0 until the end."""

    nofits = 0

    def __init__(self, counting: StateCount, ask: Ask | None = None) -> None:
        self._counting = counting
        if isinstance(counting, Asking):
            counting.ask = ask

    @property
    def fits(self) -> int:
        """How many states were counted."""
        return self._counting.states

    @property
    def found(self) -> int:
        """The number of solutions; 0 until it is known."""
        return self._counting.count or 0

    @property
    def kept(self) -> Kept:
        """The states counted, and the levels done."""
        counting = self._counting
        levels = counting.levels if isinstance(counting, LevelCount) else (0, 0)
        return Kept(counting.states, *levels)

    @property
    def outlook(self) -> Outlook | None:
        """The expected work and memory, if the engine expects any."""
        counting = self._counting
        return counting.outlook if isinstance(counting, ExpectingCount) else None

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Count on for about `steps` states, see `Search.advance`."""
        if keep:
            raise CapabilityError("what is only counted cannot be listed")
        done = self._counting.advance(steps)
        status = Status.DONE if done else Status.BUDGET
        return Batch.of(status)

    def progress(self) -> float:
        """The share of the count that is done, 0 to 1."""
        return self._counting.progress()

    def position(self) -> Sequence[tuple[int, int]]:
        """Empty: a count goes through no tree."""
        return ()
