"""Counts by engines that list nothing, as searches: they run and stop like all others."""

from __future__ import annotations

from exactcover.backends.base import Backend, Batch, Report, Search, Status, Task
from exactcover.backends.crew import Crew
from exactcover.backends.kinds import (
    Ask,
    Asking,
    CountingBackend,
    SharedCountingBackend,
    StateCount,
)
from exactcover.backends.tasks import checked
from exactcover.errors import CapabilityError
from exactcover.problem import Problem
from exactcover.problem.layout import Layout


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

    def __init__(self, counting: StateCount, ask: Ask | None = None) -> None:
        self._counting = counting
        if isinstance(counting, Asking):
            counting.ask = ask

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Count on for about `steps` states, see `Search.advance`."""
        if keep:
            raise CapabilityError("what is only counted cannot be listed")
        done = self._counting.advance(steps)
        status = Status.DONE if done else Status.BUDGET
        return Batch.of(status)

    def report(self, *, brief: bool = False) -> Report:
        """The state of the count; its states count as fits."""
        return self._counting.report(brief=brief)
