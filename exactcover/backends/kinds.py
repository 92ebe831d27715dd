"""Engines that can do more than a plain search, each as a type.

A backend declares that it can do more by inheriting from one of these classes; `isinstance` tests
it. All backends have a method `start`, so only the class shows whose searches can be cut.

    CuttingBackend    its searches can be cut and looked into
    OpeningBackend    it prepares once the data that many searches below a task share
    CountingBackend   it counts solutions without listing them
    SharedCountingBackend  a crew of threads may share its counts
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, runtime_checkable

from exactcover.backends.base import Capabilities, CuttingSearch, Report, Search, Task
from exactcover.backends.crew import Crew
from exactcover.problem import Problem
from exactcover.problem.layout import Layout

SearchT = TypeVar("SearchT", bound=Search)
StartedT_co = TypeVar("StartedT_co", bound=Search, covariant=True)


class Opening(Protocol[StartedT_co]):
    """A task made ready, so that many searches below it start quickly."""

    def start(self, task: Task) -> StartedT_co:
        """A search of a subtree of the task: it has chosen more, and allows no other options."""


@dataclass(frozen=True)
class Unprepared(Generic[SearchT]):
    """An opening that prepares nothing: `start_search` of a backend starts each search anew."""

    start_search: Callable[[Problem, Layout | None, Task], SearchT]
    problem: Problem
    layout: Layout | None

    def start(self, task: Task) -> SearchT:
        """A search of a subtree of the task."""
        return self.start_search(self.problem, self.layout, task)


class OpeningBackend(ABC):
    """An engine that prepares once the data that many searches below a task share."""

    name: str
    summary: str
    capabilities: Capabilities

    @abstractmethod
    def start(self, problem: Problem, layout: Layout | None, task: Task) -> Search:
        """A search of the task's subtree, see `Backend.start`."""

    @abstractmethod
    def opening(self, problem: Problem, layout: Layout | None, task: Task) -> Opening[Search]:
        """The task made ready; a search below it finds the same solutions as one by `start`."""


class CuttingBackend(OpeningBackend):
    """An engine whose searches can be cut where few pieces are left, and looked into.

    It can hand over to another engine, and count by the number of pieces left.
    """

    @abstractmethod
    def start(self, problem: Problem, layout: Layout | None, task: Task) -> CuttingSearch:
        """A search of the task's subtree, see `Backend.start`."""

    def opening(
        self, problem: Problem, layout: Layout | None, task: Task
    ) -> Opening[CuttingSearch]:
        """The task made ready. This prepares nothing; override it if preparing saves time."""
        return Unprepared(self.start, problem, layout)


class StateCount(Protocol):
    """A count under way that lists no solutions."""

    count: int | None
    """The number of solutions, once it is known."""

    def advance(self, steps: int) -> bool:
        """Count on for about `steps` states; return whether it is done. Raises `TooLarge`."""

    def report(self, *, brief: bool = False) -> Report:
        """The state of the count, see `Search.report`; `fits` are the states counted so far."""


FREELY = 1 << 30
"""The bytes that states may take in any case."""

Ask = Callable[[], bool]
"""Says whether states may take more than `FREELY`."""


@runtime_checkable
class Asking(Protocol):
    """A count by states that asks before it takes more than `FREELY`."""

    ask: Ask | None
    """Asked once; None: it may."""


class CountingBackend(ABC):
    """An engine that counts solutions without listing them; `start` lists them."""

    name: str
    summary: str
    capabilities: Capabilities

    @abstractmethod
    def start(self, problem: Problem, layout: Layout | None, task: Task) -> Search:
        """A search of the task's subtree, see `Backend.start`."""

    @abstractmethod
    def count(self, problem: Problem, layout: Layout | None, task: Task) -> StateCount:
        """A count of the solutions below a task, not yet begun."""


class SharedCountingBackend(CountingBackend):
    """An engine whose counts a crew of threads may share."""

    @abstractmethod
    def count(
        self, problem: Problem, layout: Layout | None, task: Task, *, crew: Crew | None = None
    ) -> StateCount:
        """A count of the solutions below a task; the number does not depend on the crew."""
