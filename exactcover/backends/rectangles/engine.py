"""The engines that fill floors and boxes, `skyline` and `nooverlap`, and their settings.

They see sizes and no cells, so they take no part of a problem: `search.rectangles` calls `fill`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exactcover.backends.base import FEATURES, Capabilities, Search, Setting, Task
from exactcover.base.values import Convention
from exactcover.errors import CapabilityError, StrategyError
from exactcover.problem import Layout, Problem
from exactcover.problem.rectangles.sizes import Box, Floor, PieceKind, Size, Whole, symmetries

if TYPE_CHECKING:
    from exactcover.backends.rectangles.placing import Filling

RULES = ("pruned", "plain")
"""The rules of a search: with pruning, or those of the article on Calibron 12."""

SORTED_BY: dict[str, Callable[[PieceKind], tuple[int, int]]] = {
    "largest": lambda one: (-one.volume, -max(one.size)),
    "widest": lambda one: (-max(one.size), -one.volume),
    "given": lambda one: (0, 0),
    "smallest": lambda one: (one.volume, max(one.size)),
}
"""The orders of rectangles and bricks by name, each as a key to sort by. Ties keep the order that
is given."""

ORDERS = tuple(SORTED_BY)

Pose = tuple[int, Size]
"""The number of a kind, and its size as it lies."""


def ordered(kinds: Sequence[PieceKind], order: str) -> list[int]:
    """The numbers of the kinds, in one of the `ORDERS`."""
    if order not in SORTED_BY:
        raise StrategyError(f"order {order!r}: it must be one of {', '.join(ORDERS)}")
    key = SORTED_BY[order]
    return sorted(range(len(kinds)), key=lambda number: key(kinds[number]))


def poses(kinds: Sequence[PieceKind], order: str) -> list[Pose]:
    """All ways of all kinds to lie, in one of the `ORDERS`: the long side across first."""
    return [(kind, size) for kind in ordered(kinds, order) for size in kinds[kind].sizes]


@dataclass
class FloorBackend:
    """An engine that fills floors and boxes.

    fill  makes a search for the solutions of a floor or a box. It takes what counts as one
          solution, as `symmetries` does, and a task whose heuristic and settings say how to branch
    """

    name: str
    summary: str
    capabilities: Capabilities
    fill: Callable[[Whole, Convention, Task], Filling]

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> Search:
        """Raise `CapabilityError`: an engine of floors searches no problem of cells."""
        raise self.refusal()

    def refusal(self) -> CapabilityError:
        """The error where it is to search anything but a whole floor or box."""
        return CapabilityError(
            f"{self.name} fills a rectangle with rectangles, or a box with bricks, and takes no "
            "other puzzle. It sees no cells, so it takes no filter and no other stage, and its "
            "search cannot be cut into parts. It stands alone, as in "
            f"{self.name}:{self.capabilities.heuristics[0]}; `solve` and `count` take it"
        )


def _by_skyline(whole: Whole, counted: Convention, task: Task) -> Filling:
    from exactcover.backends.rectangles.skyline import BrickSearch, SkylineSearch

    rule, motions = task.settings.get("rule", RULES[0]), symmetries(whole, counted)
    if isinstance(whole, Floor):
        return SkylineSearch(whole, task.heuristic, rule, motions)
    assert isinstance(whole, Box)
    if rule != RULES[0]:
        raise StrategyError(f"rule={rule} is for rectangles; for bricks leave it out")
    return BrickSearch(whole, task.heuristic, motions)


def _by_cpsat(whole: Whole, counted: Convention, task: Task) -> Filling:
    from exactcover.backends.rectangles.no_overlap import NoOverlapFilling

    return NoOverlapFilling(whole, counted)


SKYLINE = FloorBackend(
    "skyline",
    "rectangles in a rectangle, bricks in a box: always in a gap of what is filled",
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
