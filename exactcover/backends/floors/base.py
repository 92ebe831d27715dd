"""A backend that fills floors, and its searches as searches of options."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from exactcover.backends.base import Batch, Capabilities, Status, Task
from exactcover.errors import CapabilityError
from exactcover.rectangles import Floor, Placed, Places

if TYPE_CHECKING:
    from exactcover.problem import Problem
    from exactcover.problem.layout import Layout


class Filling(Protocol):
    """A search under way for the ways to fill a floor. It goes on only in `advance`."""

    @property
    def fits(self) -> int:
        """Rectangles placed so far."""

    @property
    def nofits(self) -> int:
        """Rectangles tried that did not fit."""

    @property
    def done(self) -> bool:
        """Whether all solutions are found."""

    def advance(self, steps: int, capacity: int) -> Sequence[Sequence[Placed]]:
        """Go on for about `steps` choices; return at most `capacity` new solutions."""

    def progress(self) -> float:
        """The searched share of the tree, 0 to 1; 0 until the end if it cannot tell."""


class FloorBackend(ABC):
    """An engine that fills floors."""

    name: str
    summary: str
    capabilities: Capabilities

    @abstractmethod
    def fill(self, floor: Floor, counted: str, task: Task) -> Filling:
        """A search for the solutions of a floor, not yet begun.

        counted  what counts as one solution
        task     its heuristic and settings say how to branch
        """

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> PlacedSearch:  # noqa: ARG002
        """A search of the task's subtree, see `Backend.start`."""
        places = None if layout is None else layout.places
        if places is None:
            raise CapabilityError(
                f"{self.name} fills a rectangle with rectangles, and this is another problem; "
                "leave the strategy out"
            )
        return PlacedSearch(self.fill(places.floor, "all", task), places, task)


class PlacedSearch:
    """A search for the ways to fill a floor, as one that lists options.

    A task that allows less than all places drops the other solutions when they are found.
    """

    def __init__(self, filling: Filling, places: Places, task: Task | None = None) -> None:
        self._filling, self.places = filling, places
        self.found = 0
        self._chosen: frozenset[int] = frozenset() if task is None else frozenset(task.chosen)
        self._allowed = None if task is None else task.allowed
        if self._allowed is not None and self._allowed.all():
            self._allowed = None

    @property
    def fits(self) -> int:
        """Rectangles placed so far."""
        return self._filling.fits

    @property
    def nofits(self) -> int:
        """Rectangles tried so far that did not fit."""
        return self._filling.nofits

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on with the search, see `Search.advance`."""
        found = self.more(steps, capacity)
        self.found += len(found)
        status = Status.FULL if len(found) == capacity else Status.BUDGET
        if self._filling.done:
            status = Status.DONE
        return Batch.of(status, [self.places.numbers(one) for one in found] if keep else [])

    def more(self, steps: int, capacity: int) -> list[Sequence[Placed]]:
        """The next solutions."""
        return [one for one in self._filling.advance(steps, capacity) if self._takes(one)]

    def _takes(self, solution: Sequence[Placed]) -> bool:
        """Whether the task allows a solution."""
        if not self._chosen and self._allowed is None:
            return True
        numbers = self.places.numbers(solution)
        left = [number for number in numbers if number not in self._chosen]
        if len(left) + len(self._chosen) != len(numbers):
            return False
        return self._allowed is None or bool(self._allowed[np.array(left, np.int64)].all())

    def progress(self) -> float:
        """The searched share of the tree."""
        return 1.0 if self._filling.done else self._filling.progress()

    def position(self) -> Sequence[tuple[int, int]]:
        """Empty: which branches there are is not known before they are tried."""
        return ()
