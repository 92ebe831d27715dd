"""The engines that fill floors: `skyline` and `nooverlap`.

They see sizes and no cells, so they take no part of a problem: `search.rectangles` calls `fill`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Union

from exactcover.backends.base import Capabilities, Setting
from exactcover.errors import CapabilityError

if TYPE_CHECKING:
    from exactcover.backends.rectangles.no_overlap import NoOverlapSearch
    from exactcover.backends.rectangles.skyline import SkylineSearch
    from exactcover.base.values import Convention
    from exactcover.problem.rectangles import Floor, Rectangle

RULES = ("pruned", "plain")
"""The rules of a search: with pruning, or those of the article on Calibron 12."""

ORDERS: dict[str, Callable[[Rectangle], tuple[int, int]]] = {
    "largest": lambda one: (-one.area, -max(one.sizes[0])),
    "widest": lambda one: (-max(one.sizes[0]), -one.area),
    "given": lambda one: (0, 0),
    "smallest": lambda one: (one.area, max(one.sizes[0])),
}
"""The orders of rectangles by name, each as a key to sort by. Ties keep the order that is given."""


Filling = Union["SkylineSearch", "NoOverlapSearch"]
"""A search for the ways to fill a floor."""


@dataclass(frozen=True)
class FloorEngine:
    """An engine that fills floors.

    fill  makes the search of a floor. It takes what counts as one solution, the order of the
          rectangles, and the rule
    """

    name: str
    summary: str
    capabilities: Capabilities
    fill: Callable[[Floor, Convention, str, str], Filling]

    def refusal(self) -> CapabilityError:
        """The error where it is to search anything but a whole floor."""
        return CapabilityError(
            f"{self.name} fills a rectangle with rectangles, and takes no other puzzle. It sees no "
            "cells, so it takes no filter and no other stage, and its search cannot be cut into "
            f"parts. It stands alone, as in {self.name}:{self.capabilities.heuristics[0]}; `solve` "
            "and `count` take it"
        )


def _by_skyline(floor: Floor, counted: Convention, order: str, rule: str) -> Filling:
    from exactcover.backends.rectangles.skyline import SkylineSearch

    return SkylineSearch(floor, order, rule, counted)


def _by_cpsat(floor: Floor, counted: Convention, order: str, rule: str) -> Filling:
    from exactcover.backends.rectangles.no_overlap import NoOverlapSearch

    return NoOverlapSearch(floor)


SKYLINE = FloorEngine(
    "skyline",
    "rectangles in a rectangle: always in a gap of what is filled",
    Capabilities(
        heuristics=tuple(ORDERS),
        settings={
            "rule": Setting(f"one of {', '.join(RULES)}", lambda text: text in RULES, public=True)
        },
    ),
    _by_skyline,
)

NO_OVERLAP = FloorEngine(
    "nooverlap",
    "OR-Tools CP-SAT: pieces that do not overlap, by an engine that is not ours",
    Capabilities(heuristics=("s",)),
    _by_cpsat,
)
