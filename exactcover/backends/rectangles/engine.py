"""The engines that fill floors and boxes: `skyline` here, `nooverlap` in `no_overlap`.

Their searches see sizes and no cells. As backends they list the options of a problem: its layout
has the place of each.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from exactcover.backends.base import FEATURES, Batch, Capabilities, Setting, Status, Task, Tried
from exactcover.backends.rectangles.ways import ORDERS, RULES
from exactcover.errors import CapabilityError, StrategyError
from exactcover.rectangles import Floor, Places, Whole, symmetries
from exactcover.rectangles.places import One
from exactcover.values.conventions import Convention

if TYPE_CHECKING:
    from exactcover.problem import Problem
    from exactcover.problem.layout import Layout


class Filled(Protocol):
    """The solutions that one call of `advance` found."""

    @property
    def status(self) -> Status:
        """Why it came back."""

    def solutions(self) -> Sequence[tuple[One, ...]]:
        """Each as its pieces in their places."""


class Filling(Protocol):
    """A search under way for the ways to fill a floor or a box. It goes on only in `advance`."""

    @property
    def fits(self) -> int:
        """Pieces placed so far."""

    @property
    def nofits(self) -> int:
        """Pieces tried that did not fit."""

    @property
    def found(self) -> int:
        """Solutions found so far."""

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Filled:
        """Go on for about `steps` choices, or until `capacity` solutions are found.

        With `keep` false solutions are counted in `found` but not handed out.
        """

    def tally(self) -> Mapping[int, Tried]:
        """The pieces tried, by the number left before; empty if it cannot tell."""

    def progress(self) -> float:
        """The searched share of the tree, 0 to 1; 0 until the end if it cannot tell."""

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first: which branch of how many; empty if there is no stack."""


class FloorBackend(ABC):
    """An engine that fills floors and boxes."""

    name: str
    summary: str
    capabilities: Capabilities

    @abstractmethod
    def fill(self, whole: Whole, counted: Convention, task: Task) -> Filling:
        """A search for the solutions of a floor or a box, not yet begun.

        counted  what counts as one solution, as in `symmetries`
        task     its heuristic and settings say how to branch
        """

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> PlacedSearch:
        """A search of the task's subtree, see `Backend.start`."""
        places = None if layout is None else layout.places
        if places is None:
            raise CapabilityError(
                f"{self.name} fills a rectangle with rectangles, or a box with bricks, and this is "
                "another problem; leave the strategy out"
            )
        return PlacedSearch(self.fill(places.whole, "all", task), places, task)


class PlacedSearch:
    """A search for the ways to fill a floor or a box, as one that lists options.

    A task that allows less than all places drops the other solutions when they are found.
    """

    def __init__(self, filling: Filling, places: Places, task: Task | None = None) -> None:
        self._filling, self.places = filling, places
        self._dropped = 0
        task = task or Task()
        self._chosen = frozenset(task.chosen)
        self._allowed = task.allowed
        if self._allowed is not None and self._allowed.all():
            self._allowed = None

    @property
    def fits(self) -> int:
        """Pieces placed so far."""
        return self._filling.fits

    @property
    def nofits(self) -> int:
        """Pieces tried so far that did not fit."""
        return self._filling.nofits

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return self._filling.found - self._dropped

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on with the search, see `Search.advance`."""
        part = bool(self._chosen) or self._allowed is not None
        filled = self._filling.advance(steps, capacity=capacity, keep=keep or part)
        if not (keep or part):
            return Batch.of(filled.status)
        solutions = filled.solutions()
        self.look_at(solutions)
        listed = [self.places.numbers(one) for one in solutions]
        if part:
            listed = [one for one in listed if self._takes(one)]
            self._dropped += len(solutions) - len(listed)
        return Batch.of(filled.status, listed if keep else [])

    def look_at(self, solutions: Sequence[tuple[One, ...]]) -> None:
        """Called with all solutions that are handed out."""

    def tally(self) -> Mapping[int, Tried]:
        """The pieces tried, by the number left before."""
        return self._filling.tally()

    def _takes(self, solution: Sequence[int]) -> bool:
        """Whether the task allows a solution."""
        left = [number for number in solution if number not in self._chosen]
        if len(left) + len(self._chosen) != len(solution):
            return False
        return self._allowed is None or bool(self._allowed[np.array(left, np.int64)].all())

    def progress(self) -> float:
        """The searched share of the tree."""
        return self._filling.progress()

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first."""
        return self._filling.position()


class SkylineBackend(FloorBackend):
    """The backend: its capabilities, and the start of a search."""

    name = "skyline"
    summary = "rectangles in a rectangle, bricks in a box: always in a gap of what is filled"
    capabilities = Capabilities(
        features=frozenset(FEATURES),
        heuristics=ORDERS,
        settings={
            "rule": Setting(f"one of {', '.join(RULES)}", lambda text: text in RULES, public=True)
        },
    )

    def fill(self, whole: Whole, counted: Convention, task: Task) -> Filling:
        """A search for the solutions of a floor or a box, not yet begun."""
        from exactcover.backends.rectangles.bricks import BrickSearch
        from exactcover.backends.rectangles.skyline import SkylineSearch

        rule, motions = task.settings.get("rule", RULES[0]), symmetries(whole, counted)
        if isinstance(whole, Floor):
            return SkylineSearch(whole, task.heuristic, rule, motions)
        if rule != RULES[0]:
            raise StrategyError(f"rule={rule} is for rectangles; for bricks leave it out")
        return BrickSearch(whole, task.heuristic, motions)


backend = SkylineBackend()
