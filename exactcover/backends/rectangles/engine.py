"""The engines that fill floors, `skyline` and `nooverlap`, and their settings.

They see sizes and no cells, so they take no part of a problem: `search.rectangles` calls `fill`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from exactcover.backends.base import (
    FEATURES,
    Capabilities,
    Report,
    Search,
    Setting,
    Status,
    Task,
)
from exactcover.base.values import Convention
from exactcover.errors import CapabilityError, StrategyError
from exactcover.problem import Layout, Problem
from exactcover.problem.rectangles import symmetries

if TYPE_CHECKING:
    from exactcover.problem.rectangles import Floor, Placed, Rectangle, Size

RULES = ("pruned", "plain")
"""The rules of a search: with pruning, or those of the article on Calibron 12."""

SORTED_BY: dict[str, Callable[[Rectangle], tuple[int, int]]] = {
    "largest": lambda one: (-one.area, -max(one.sizes[0])),
    "widest": lambda one: (-max(one.sizes[0]), -one.area),
    "given": lambda one: (0, 0),
    "smallest": lambda one: (one.area, max(one.sizes[0])),
}
"""The orders of rectangles by name, each as a key to sort by. Ties keep the order that is given."""

ORDERS = tuple(SORTED_BY)


def poses(kinds: Sequence[Rectangle], order: str) -> list[tuple[int, Size]]:
    """All ways of all kinds to lie, in one of the `ORDERS`: the long side across first.

    A way is the number of a kind, and its size as it lies.
    """
    if order not in SORTED_BY:
        raise StrategyError(f"order {order!r}: it must be one of {', '.join(ORDERS)}")
    numbers = sorted(range(len(kinds)), key=lambda number: SORTED_BY[order](kinds[number]))
    return [(kind, size) for kind in numbers for size in kinds[kind].sizes]


class Filled(NamedTuple):
    """The solutions that one call of `advance` found, each as its rectangles, sorted."""

    status: Status
    solutions: list[tuple[Placed, ...]]


class Filling(Protocol):
    """A search under way for the ways to fill a floor. It goes on only in `advance`."""

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Filled:
        """Go on for about `steps` choices, or until `capacity` solutions are in the batch.

        With `keep` false solutions are counted in the report but not handed out. Once the search is
        done, every further call returns an empty batch with the status `DONE`.
        """

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search, see `Search.report`."""


@dataclass
class FloorBackend:
    """An engine that fills floors.

    fill  makes a search for the solutions of a floor. It takes what counts as one solution, as
          `symmetries` does, and a task whose heuristic and settings say how to branch
    """

    name: str
    summary: str
    capabilities: Capabilities
    fill: Callable[[Floor, Convention, Task], Filling]

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> Search:
        """Raise `CapabilityError`: an engine of floors searches no problem of cells."""
        raise self.refusal()

    def refusal(self) -> CapabilityError:
        """The error where it is to search anything but a whole floor."""
        return CapabilityError(
            f"{self.name} fills a rectangle with rectangles, and takes no other puzzle. It sees no "
            "cells, so it takes no filter and no other stage, and its search cannot be cut into "
            f"parts. It stands alone, as in {self.name}:{self.capabilities.heuristics[0]}; `solve` "
            "and `count` take it"
        )


def _by_skyline(floor: Floor, counted: Convention, task: Task) -> Filling:
    from exactcover.backends.rectangles.skyline import SkylineSearch

    rule = task.settings.get("rule", RULES[0])
    return SkylineSearch(floor, task.heuristic, rule, symmetries(floor, counted))


def _by_cpsat(floor: Floor, counted: Convention, task: Task) -> Filling:
    from exactcover.backends.rectangles.no_overlap import NoOverlapFilling

    return NoOverlapFilling(floor, counted)


SKYLINE = FloorBackend(
    "skyline",
    "rectangles in a rectangle: always in a gap of what is filled",
    Capabilities(
        features=frozenset(FEATURES),
        heuristics=ORDERS,
        settings={
            "rule": Setting(f"one of {', '.join(RULES)}", lambda text: text in RULES, public=True)
        },
    ),
    _by_skyline,
)

NO_OVERLAP = FloorBackend(
    "nooverlap",
    "OR-Tools CP-SAT: pieces that do not overlap, by an engine that is not ours",
    Capabilities(features=frozenset(FEATURES), heuristics=("s",)),
    _by_cpsat,
)
