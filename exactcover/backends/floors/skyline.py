"""The skyline engine as a backend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.backends.base import FEATURES, Capabilities, Setting, Task
from exactcover.backends.floors.base import Filling, FloorBackend
from exactcover.backends.skyline.ways import ORDERS, RULES
from exactcover.rectangles import symmetries

if TYPE_CHECKING:
    from exactcover.rectangles import Floor


class SkylineBackend(FloorBackend):
    """The backend: its capabilities, and the start of a search."""

    name = "skyline"
    summary = "rectangles in a rectangle, always in a gap of the edge of what is filled"
    capabilities = Capabilities(
        features=frozenset(FEATURES),
        heuristics=ORDERS,
        settings={"rule": Setting(f"one of {', '.join(RULES)}", lambda text: text in RULES)},
    )

    def fill(self, floor: Floor, counted: str, task: Task) -> Filling:
        """A search for the solutions of a floor, not yet begun."""
        from exactcover.backends.skyline import SkylineSearch

        rule = task.settings.get("rule", RULES[0])
        return SkylineSearch(floor, task.heuristic, rule, symmetries(floor, counted))


backend = SkylineBackend()
