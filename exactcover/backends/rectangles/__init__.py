"""Engines that fill a rectangle with rectangles: they see sizes, no cells.

    skyline      the search: always in a gap of what is filled; `kernel` is its compiled part
    no_overlap   the independent check: CP-SAT lists all solutions

As a puzzle of cells Calibron 12 has tens of thousands of images, and its first solution took 55 s.
The skyline goes by sizes. It fills the narrowest gap, since few rectangles fit there, and goes back
where a length is not a sum of sides that are left. A table of dead states, or a test that every
rectangle left has a place, takes longer than it saves.

They take a `Floor` of `exactcover.problem.rectangles` instead of a problem, so they are no
backends: `puzzle.rectangles` recognizes the puzzles, and `search.rectangles` calls `fill`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Union

from exactcover.backends.base import Capabilities, Setting
from exactcover.base.plugins import value_at

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


class FloorEngine(NamedTuple):
    """An engine that fills floors.

    place  that of its search, as `module:attribute`
    """

    name: str
    summary: str
    capabilities: Capabilities
    place: str

    def fill(self, floor: Floor, counted: Convention, order: str, rule: str) -> Filling:
        """The search of a floor: with what counts as one solution, the order of the rectangles, and
        the rule."""
        search: Filling = value_at(self.place)(floor, order, rule, counted)
        return search


SKYLINE = FloorEngine(
    "skyline",
    "rectangles in a rectangle: always in a gap of what is filled",
    Capabilities(
        heuristics=tuple(ORDERS),
        settings={"rule": Setting(f"one of {', '.join(RULES)}", lambda text: text in RULES)},
    ),
    "exactcover.backends.rectangles.skyline:SkylineSearch",
)

NO_OVERLAP = FloorEngine(
    "nooverlap",
    "OR-Tools CP-SAT: pieces that do not overlap, by an engine that is not ours",
    Capabilities(heuristics=("s",)),
    "exactcover.backends.rectangles.no_overlap:NoOverlapSearch",
)

FOR_FLOORS = {engine.name: engine for engine in (SKYLINE, NO_OVERLAP)}
"""The engines that fill a floor, which take no other problem."""
